//! Finds the legal turns after which the opponent may have only checking turns, without playing them, so that
//! a search for selfmates tries only these turns.
//!
//! Preconditions: safety is [`Safety::Pins`](super::Safety::Pins), turns are not filtered and follow from the
//! men alone ([`Plain`](super::Plain)), lines do not wrap around the board, and the side to move is not in
//! check. Then a turn can prevent a step of the opponent, or turn the step into a check, only in a few ways,
//! which squares and lines show. The module collects a few tempo moves of the opponent. Only turns that give
//! check, or that interfere with each of these tempo moves, can leave the opponent only checks. The squares
//! of castlings, en passant captures and steps of the king do not decide this, so such turns always count as
//! possible.

use super::checks::{self, Checking};
use super::{Action, Consumer, Each, Flow, Rules, Turn, before, fide};
use board::{Board, Color, Kind, Men, Movement, Square, Squares};
use position::{BoardOf, Layout, Position};
use smallvec::SmallVec;

/// The maximum number of tempo moves examined. Each costs time, but leaves fewer turns to try.
const MAX_TEMPO_MOVES: usize = 6;
/// The maximum number of tempo moves by one unit.
const MAX_PER_UNIT: usize = 2;

/// A tempo move: a step that would be legal and not give check if the opponent were to move.
#[derive(Clone, Copy)]
struct TempoMove {
    kind: Kind,
    from: Square,
    to: Square,
}

/// A consumer that collects tempo moves, and breaks when there are [`MAX_TEMPO_MOVES`].
struct TempoMoves<S> {
    checks: checks::Lines<S>,
    found: SmallVec<[TempoMove; MAX_TEMPO_MOVES]>,
}

impl<S: Squares> TempoMoves<S> {
    #[inline(always)]
    fn add(&mut self, kind: Kind, from: Square, to: Square) -> Flow {
        self.found.push(TempoMove { kind, from, to });
        if self.found.len() == MAX_TEMPO_MOVES {
            Flow::Break(())
        } else {
            Flow::Continue(())
        }
    }
}

impl<S: Squares> Consumer<S> for TempoMoves<S> {
    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        let quiet = targets & !self.checks.checking_squares(kind);
        if self.checks.openers.has(from) {
            return Flow::Continue(());
        }
        quiet
            .iter()
            .take(MAX_PER_UNIT)
            .try_for_each(|to| self.add(kind, from, to))
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        if !matches!(action, Action::Go | Action::DoubleStep) {
            return Flow::Continue(());
        }
        let quiet = targets & !self.checks.checking_squares(Kind::Pawn);
        quiet.iter().try_for_each(|to| {
            let from = before(to, offset);
            if self.checks.openers.has(from) {
                return Flow::Continue(());
            }
            self.add(Kind::Pawn, from, to)
        })
    }

    #[inline(always)]
    fn turn(&mut self, _: Turn) -> Flow {
        Flow::Continue(())
    }
}

/// The ways in which a turn may interfere with a tempo move: prevent it, or turn it into a check.
struct Interference<S> {
    /// Units that may interfere by moving away.
    leaving: S,
    /// For each kind, the squares on which a unit may interfere by arriving there.
    entering: [S; 6],
}

impl<S: Squares> Interference<S> {
    /// Returns the ways in which the side to move may interfere with a tempo move of the opponent. `kings`
    /// are the kings by color. `opening` are the units that [`opening`] returns. All rule sets share this
    /// code.
    #[inline(never)]
    fn new<W: Layout<Set = S>>(
        men: &Men,
        b: &Board<S>,
        p: &Position<W>,
        kings: [Option<Square>; 2],
        opening: S,
        tempo: TempoMove,
    ) -> Interference<S> {
        let us = p.side;
        let (own, occupied) = (p.color(us), p.occupied());
        let TempoMove { kind, from, to } = tempo;
        let mut leaving = opening;
        // Capture the unit, or block its path.
        let mut common = S::of(from) | b.between(from, to);
        if kind == Kind::Pawn {
            common = common.with(to);
            leaving |= S::of(to) & own;
        }
        let mut entering = [common; 6];
        // Open a line from the unit's new square to our king, so that the tempo move gives check.
        if let Some(king) = kings[us.index()]
            && matches!(men.movements[kind.index()], Movement::Slider(_))
            && b.slide(kind, king, S::EMPTY).has(to)
        {
            leaving |= b.between(king, to) & own;
        }
        let Some(king) = kings[(!us).index()] else {
            return Interference { leaving, entering };
        };
        // Attack the king's new square, or pin the unit to its king.
        let guarded = if kind == Kind::King { to } else { king };
        let left = occupied.without(from);
        for attacker in fide::PIECES {
            match men.movements[attacker.index()] {
                Movement::Leaper(_) if kind == Kind::King => {
                    entering[attacker.index()] |= b.leap(attacker, guarded);
                }
                Movement::Slider(_) => {
                    if kind != Kind::King && !b.slide(attacker, guarded, S::EMPTY).has(from) {
                        continue;
                    }
                    let seen = b.slide(attacker, guarded, left);
                    entering[attacker.index()] |= if kind == Kind::King {
                        seen
                    } else {
                        seen & !b.slide(attacker, guarded, S::of(from))
                    };
                    let beyond = b.slide(attacker, guarded, left & !(seen & own));
                    for slider in (beyond & own & p.kind(attacker)).iter() {
                        let line = b.between(guarded, slider);
                        if kind == Kind::King || line.has(from) {
                            leaving |= line & seen & own;
                        }
                    }
                }
                _ => {}
            }
        }
        if kind == Kind::King {
            entering[Kind::Pawn.index()] |= b.pawn_captures(!us, to);
        }
        Interference { leaving, entering }
    }
}

/// A consumer that passes on the turns that may give check or that may interfere with every tempo move.
struct Interfering<'a, S: Squares, F> {
    b: &'a Board<S>,
    checking: Checking<S, F>,
    interference: SmallVec<[Interference<S>; MAX_TEMPO_MOVES]>,
    /// Units that interfere with some tempo move by moving away.
    leaving: S,
    /// For each kind, the squares on which a unit interferes with every tempo move by arriving there.
    entering: [S; 6],
    /// The squares that a promoted unit may attack: those of the enemy king before and after its tempo moves.
    attacked: S,
}

impl<S: Squares, F> Interfering<'_, S, F> {
    /// Returns the squares on which this unit, coming from `from`, would interfere with every tempo move.
    #[inline(always)]
    fn of(&self, kind: Kind, from: Square) -> S {
        if !self.leaving.has(from) {
            return self.entering[kind.index()];
        }
        self.interference
            .iter()
            .filter(|m| !m.leaving.has(from))
            .fold(self.b.squares(), |all, m| all & m.entering[kind.index()])
    }
}

impl<S: Squares, F: FnMut(Turn) -> Flow> Consumer<S> for Interfering<'_, S, F> {
    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: S) -> Flow {
        let kept = if kind == Kind::King || self.checking.lines.openers.has(from) {
            targets
        } else {
            targets & (self.checking.lines.checking_squares(kind) | self.of(kind, from))
        };
        self.checking.found.unit(kind, from, kept)
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: S, action: Action) -> Flow {
        let mut kept =
            self.checking.lines.checking_squares(Kind::Pawn) | self.entering[Kind::Pawn.index()];
        kept |= self.checking.lines.openers.shift(offset);
        for to in (targets & self.leaving.shift(offset) & !kept).iter() {
            if self.of(Kind::Pawn, before(to, offset)).has(to) {
                kept = kept.with(to);
            }
        }
        self.checking.found.pawns(offset, targets & kept, action)
    }

    #[inline(always)]
    fn unit_becoming(&mut self, kind: Kind, from: Square, targets: S, kinds: &[Kind]) -> Flow {
        self.checking.unit_becoming(kind, from, targets, kinds)
    }

    #[inline(always)]
    fn pawns_becoming(&mut self, offset: i32, targets: S, kinds: &[Kind]) -> Flow {
        for to in targets.iter() {
            let from = before(to, offset);
            // The pawn may have blocked a line of the unit that it becomes.
            let cleared = |square: Square| self.b.between(to, square).has(from);
            let all = self.checking.lines.openers.has(from)
                || self.leaving.has(from)
                || self.attacked.iter().any(cleared);
            for &choice in kinds {
                let kept =
                    self.checking.lines.checking_squares(choice) | self.entering[choice.index()];
                if all || kept.has(to) {
                    let kinds = std::slice::from_ref(&choice);
                    self.checking.pawns_becoming(offset, S::of(to), kinds)?;
                }
            }
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn turn(&mut self, turn: Turn) -> Flow {
        self.checking.turn(turn)
    }
}

/// Returns the units of the side to move that are between its king and an enemy slider with at most one
/// other unit.
#[inline(never)]
fn opening<W: Layout>(men: &Men, b: &BoardOf<W>, p: &Position<W>, king: Option<Square>) -> W::Set {
    let us = p.side;
    let (own, occupied) = (p.color(us), p.occupied());
    let mut opening = W::Set::EMPTY;
    if let Some(king) = king {
        for kind in fide::PIECES {
            if matches!(men.movements[kind.index()], Movement::Slider(_)) {
                let lines = b.slide(kind, king, W::Set::EMPTY);
                for slider in (lines & p.kind(kind) & p.color(!us)).iter() {
                    let line = b.between(king, slider) & occupied;
                    if line.len() <= 2 {
                        opening |= line & own;
                    }
                }
            }
        }
    }
    opening
}

/// Calls `found` with every legal turn after which the opponent has answers and all of them give check, and
/// with some others. The position must not be settled.
pub fn interfering<W: Layout, R: Rules<W>>(
    r: &R,
    b: &BoardOf<W>,
    p: &Position<W>,
    found: impl FnMut(Turn) -> Flow,
) -> Flow {
    let us = p.side;
    let mut passed = *p;
    fide::pass(&mut passed, false);
    let mut moves = TempoMoves {
        checks: checks::Lines::new(r, b, &passed),
        found: SmallVec::new(),
    };
    let _ = fide::generate_shared(r, b, &passed, &mut moves);
    let moves = moves.found;

    let men = r.men();
    let kings = Color::BOTH.map(|color| r.royals(p, color).first());
    let opening = opening(men, b, p, kings[us.index()]);
    let mut interfering = Interfering {
        b,
        checking: Checking {
            lines: checks::Lines::new(r, b, p),
            found: Each(found),
        },
        interference: SmallVec::new(),
        leaving: W::Set::EMPTY,
        entering: [b.squares(); 6],
        attacked: r.royals(p, !us),
    };
    for tempo in moves {
        let new = Interference::new(men, b, p, kings, opening, tempo);
        interfering.leaving |= new.leaving;
        for (all, new) in interfering.entering.iter_mut().zip(&new.entering) {
            *all &= *new;
        }
        if tempo.kind == Kind::King {
            interfering.attacked = interfering.attacked.with(tempo.to);
        }
        interfering.interference.push(new);
    }
    fide::generate(r, b, p, &mut interfering)
}
