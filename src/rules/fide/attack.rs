//! Attacks: which units attack a square, and whether a side is in check.

use super::{PIECES, apart};
use crate::{Attack, Rules};
use board::{Board, Color, Kind, Men, Movement, Square, Squares};
use position::{BoardOf, Layout, Position};

/// Returns a sliding kind if all sliding kinds have the same range, so that one lookup of the lines serves
/// all.
#[inline(always)]
const fn one_range(men: &Men) -> Option<Kind> {
    let mut found: Option<(Kind, u8)> = None;
    let mut i = 0;
    while i < PIECES.len() {
        if let Movement::Slider(slides) = men.movements[PIECES[i].index()] {
            match found {
                Some((_, range)) if range != slides.range => return None,
                _ => found = Some((PIECES[i], slides.range)),
            }
        }
        i += 1;
    }
    match found {
        Some((kind, _)) => Some(kind),
        None => None,
    }
}

impl<S: Squares> Attack<S> {
    /// Returns the sliders that attack the square.
    #[inline(always)]
    pub fn sliders<W: Layout<Set = S>>(self, men: &Men, b: &Board<S>, p: &Position<W>) -> S {
        let Attack {
            target,
            by,
            occupied,
        } = self;
        apart::<W, _>(
            #[inline(always)]
            || {
                let theirs = p.color(by);
                let mut found = S::EMPTY;
                if let Some(lines) = one_range(men) {
                    let (mut orthogonal, mut diagonal) = (S::EMPTY, S::EMPTY);
                    for kind in PIECES {
                        if let Movement::Slider(slides) = men.movements[kind.index()] {
                            if slides.orthogonal {
                                orthogonal |= p.kind(kind);
                            }
                            if slides.diagonal {
                                diagonal |= p.kind(kind);
                            }
                        }
                    }
                    found |= b.slide_orthogonal(lines, target, occupied) & orthogonal;
                    found |= b.slide_diagonal(lines, target, occupied) & diagonal;
                    return found & theirs;
                }
                for kind in PIECES {
                    if let Movement::Slider(slides) = men.movements[kind.index()] {
                        let units = p.kind(kind) & theirs;
                        if units.is_empty() {
                            continue;
                        }
                        if slides.orthogonal {
                            found |= b.slide_orthogonal(kind, target, occupied) & units;
                        }
                        if slides.diagonal {
                            found |= b.slide_diagonal(kind, target, occupied) & units;
                        }
                    }
                }
                found
            },
        )
    }

    /// Returns the pawns and leapers that attack the square.
    #[inline(always)]
    pub(super) fn leapers<W: Layout<Set = S>>(self, men: &Men, b: &Board<S>, p: &Position<W>) -> S {
        let Attack { target, by, .. } = self;
        apart::<W, _>(
            #[inline(always)]
            || {
                let mut found = b.pawn_captures(!by, target) & p.kind(Kind::Pawn);
                for kind in PIECES {
                    if let Movement::Leaper(_) = men.movements[kind.index()] {
                        found |= b.leap(kind, target) & p.kind(kind);
                    }
                }
                found & p.color(by)
            },
        )
    }
}

/// Returns the units that carry out an attack by their movements in [`Men`]. Leaps are assumed to be
/// symmetric (every offset has its opposite).
#[inline(always)]
pub fn attackers<W: Layout>(
    men: &Men,
    b: &BoardOf<W>,
    p: &Position<W>,
    attack: Attack<W::Set>,
) -> W::Set {
    attack.leapers(men, b, p) | attack.sliders(men, b, p)
}

/// Returns whether a side attacks a square.
#[inline]
pub fn attacked<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    target: Square,
    by: Color,
) -> bool {
    !r.attackers(b, p, Attack::on(target, by, p.occupied()))
        .is_empty()
}

/// Returns the royal units of a side that are attacked.
#[inline]
pub fn royals_attacked<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    color: Color,
) -> W::Set {
    r.royals(p, color)
        .iter()
        .filter(|&square| attacked(r, b, p, square, !color))
        .fold(W::Set::EMPTY, W::Set::with)
}

/// Returns whether a side is in check: one of its royal units is in check, or an intruder is on the board.
#[inline]
pub fn in_check<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    color: Color,
) -> bool {
    !r.royals_in_check(b, p, color).is_empty() || !r.intruders(b, p, color).is_empty()
}
