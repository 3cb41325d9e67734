//! A diagram of Submission Chess whose text has lost a knight, and some words with it: which units
//! on which squares make true what is said of it?

use super::{captures, start, yes};
use crate::{Effort, Evidence, Finding, Scope, Verdict, listed};
use board::{Color, Kind, Men, Square, Squares};
use control::parallel;
use notation::{Setup, Start, fen};
use position::{Narrow, Position};
use rules::{Game, Outcome, Variant, reason, with_turns};
use variants::submission::SUBMISSION;

/// The units that the text names, Black to move.
pub const PRINTED: &str = "7k/6p1/5p2/7K/2B3PR/8/8/8 b - - 0 1";

/// What may be missing besides the knight, the least first.
const LOST: [Kind; 5] = [
    Kind::Pawn,
    Kind::Knight,
    Kind::Bishop,
    Kind::Rook,
    Kind::Queen,
];

/// What the text says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Said {
    /// g7g6 wins: White can play Kh6, and cannot play Kxg6, which would checkmate.
    pawn: bool,
    /// Ng3 gives check and is not allowed, as it leaves no legal reply.
    knight: bool,
}

/// The two games that are compared.
struct Laws {
    game: Start<Narrow>,
    fide: Start<Narrow>,
}

/// Returns the position after a pseudo-legal turn with this text, of this kind of unit.
fn after(
    game: &dyn Game<Narrow>,
    p: &Position<Narrow>,
    kind: Kind,
    to: Square,
) -> Vec<(rules::Turn, Position<Narrow>)> {
    with_turns(|list| {
        game.pseudo_turns(p, list);
        list.iter()
            .filter(|turn| turn.first().kind() == kind && turn.first().to == to)
            .map(|turn| (*turn, game.play(p, turn)))
            .collect()
    })
}

impl Laws {
    fn square(&self, name: &str) -> Square {
        match self.game.game.board().geometry().named(name) {
            Some(square) => square,
            None => unreachable!("{name} is a square of the board"),
        }
    }

    fn legal(&self, p: &Position<Narrow>, turn: &rules::Turn) -> bool {
        with_turns(|list| {
            self.game.game.turns(p, list);
            list.contains(turn)
        })
    }

    /// g7g6 wins by submission; the only reply is Kh6; Kxg6 obeys orthodox chess and checkmates.
    fn pawn_wins(&self, p: &Position<Narrow>) -> bool {
        let (game, fide) = (self.game.game.as_ref(), self.fide.game.as_ref());
        let (g6, h6) = (self.square("g6"), self.square("h6"));
        after(game, p, Kind::Pawn, g6).into_iter().any(|(turn, q)| {
            self.legal(p, &turn)
                && !captures(p, &q)
                && game.outcome(&q) == Outcome::Win(p.side, SUBMISSION)
                && with_turns(|replies| {
                    fide.turns(&q, replies);
                    let king = |to: Square| {
                        replies
                            .iter()
                            .find(|t| t.first().kind() == Kind::King && t.first().to == to)
                            .map(|t| fide.outcome(&fide.play(&q, t)))
                    };
                    let mate = Outcome::Win(q.side, reason::CHECKMATE);
                    king(h6).is_some_and(|outcome| outcome != mate) && king(g6) == Some(mate)
                })
        })
    }

    /// Returns whether a knight's turn to g3 obeys orthodox chess, gives check and is refused, because White
    /// has no reply, or none but checkmates.
    fn knight_refused(&self, p: &Position<Narrow>) -> bool {
        let (game, fide) = (self.game.game.as_ref(), self.fide.game.as_ref());
        after(game, p, Kind::Knight, self.square("g3"))
            .into_iter()
            .any(|(turn, q)| {
                fide.in_check(&q, q.side) && !fide.in_check(&q, p.side) && !self.legal(p, &turn)
            })
    }

    fn said(&self, p: &Position<Narrow>) -> Said {
        Said {
            pawn: self.pawn_wins(p),
            knight: self.knight_refused(p),
        }
    }

    /// Returns the position with one more black unit, if it is legal.
    fn with(&self, p: &Position<Narrow>, kind: Kind, square: Square) -> Option<Position<Narrow>> {
        let game = self.game.game.as_ref();
        let barred = kind == Kind::Pawn && game.no_pawns(Color::Black).has(square);
        if p.occupied().has(square) || barred {
            return None;
        }
        let mut more = *p;
        more.put(Color::Black, kind, square);
        game.check_no_opposite_check(&more).ok().map(|()| more)
    }
}

pub(super) fn check(_: &Effort) -> Finding {
    lost_units(PRINTED)
}

/// Searches for the lost knight of a diagram; where no square of it makes both statements true, for
/// one more lost black unit.
pub fn lost_units(diagram: &str) -> Finding {
    let game = start("submission");
    let submission = Variant::from(&variants::submission::INFO);
    let read = Setup::read(&submission, Some(diagram));
    let printed = match read {
        Ok(Setup::Narrow(start)) => start.position,
        _ => unreachable!("the diagram is a position of the standard board"),
    };
    let laws = Laws {
        game,
        fide: start("fide"),
    };
    let game = laws.game.game.as_ref();
    let geometry = game.board().geometry();
    let mut evidence = Evidence::new(&[
        "added_units",
        "added",
        "g6_is_so",
        "ng3_is_so",
        "both",
        "fen",
    ]);
    let mut note = |added: Vec<String>, said: Said, p: &Position<Narrow>| {
        evidence.row([
            added.len().to_string(),
            added.join(" "),
            yes(said.pawn),
            yes(said.knight),
            yes(said.pawn && said.knight),
            fen::print(game, p),
        ]);
    };
    let name = |kind: Kind, square: Square| {
        format!(
            "{}{}",
            game.men().letter(Color::White, kind),
            geometry.name(square)
        )
    };

    let bare = laws.said(&printed);
    note(Vec::new(), bare, &printed);
    let mut knights: Vec<(Square, Position<Narrow>, Said)> = Vec::new();
    for square in game.board().squares().iter() {
        if let Some(p) = laws.with(&printed, Kind::Knight, square) {
            let said = laws.said(&p);
            note(vec![name(Kind::Knight, square)], said, &p);
            knights.push((square, p, said));
        }
    }
    let shown = |wanted: &dyn Fn(&Said) -> bool| {
        let squares: Vec<String> = knights
            .iter()
            .filter(|(_, _, said)| wanted(said))
            .map(|(square, ..)| geometry.name(*square))
            .collect();
        listed(&squares)
    };
    let first = format!(
        "without a knight g6 {}; of {} squares for the knight the statement about g6 holds on {}, \
         that about Ng3 on {}, both on {}",
        if bare.pawn {
            "is as said"
        } else {
            "is not as said"
        },
        knights.len(),
        shown(&|said| said.pawn),
        shown(&|said| said.knight),
        shown(&|said| said.pawn && said.knight),
    );
    if knights.iter().any(|(_, _, said)| said.pawn && said.knight) {
        return Finding {
            verdict: Verdict::ConfirmedAsAmended,
            scope: Scope::Exhaustive,
            summary: first,
            evidence,
        };
    }

    let pairs = pairs(knights.iter().map(|&(square, ..)| square), geometry.len());
    // Here the position with the knight alone need not be legal.
    let found: Vec<Option<(Said, Position<Narrow>)>> =
        parallel::map_all(&pairs, |&(square, kind, other)| {
            if printed.occupied().has(square) {
                return None;
            }
            let mut p = printed;
            p.put(Color::Black, Kind::Knight, square);
            laws.with(&p, kind, other).map(|p| (laws.said(&p), p))
        });
    let tried = found.iter().flatten().count();
    let mut fits: Vec<(Kind, String)> = Vec::new();
    for (&(square, kind, other), found) in pairs.iter().zip(&found) {
        if let Some((said, p)) = found
            && said.pawn
            && said.knight
        {
            note(
                vec![name(Kind::Knight, square), name(kind, other)],
                *said,
                p,
            );
            fits.push((
                kind,
                format!("{} with {}", name(Kind::Knight, square), name(kind, other)),
            ));
        }
    }
    let (verdict, second) = amendment(&fits, tried, game.men());
    Finding {
        verdict,
        scope: Scope::Exhaustive,
        summary: first + &second,
        evidence,
    }
}

/// Returns the knight's square, and the kind and square of a second unit, for all pairs. A pair of knights is
/// listed once.
fn pairs(knights: impl Iterator<Item = Square>, squares: usize) -> Vec<(Square, Kind, Square)> {
    knights
        .flat_map(|square| {
            let kinds = LOST.into_iter();
            kinds.flat_map(move |kind| {
                let others = (0..squares as u8).map(Square);
                others
                    .filter(move |&other| kind != Kind::Knight || other > square)
                    .map(move |other| (square, kind, other))
            })
        })
        .collect()
}

/// Returns the verdict and the rest of the summary for the pairs, among those `tried`, that make both statements
/// true.
fn amendment(fits: &[(Kind, String)], tried: usize, men: &Men) -> (Verdict, String) {
    let least = LOST
        .into_iter()
        .find(|kind| fits.iter().any(|(k, _)| k == kind));
    match least {
        None => (
            Verdict::Refuted,
            format!("; nor do both with one more black unit, of {tried} pairs"),
        ),
        Some(least) => {
            let counts: Vec<String> = LOST
                .into_iter()
                .map(|kind| (kind, fits.iter().filter(|(k, _)| *k == kind).count()))
                .filter(|(_, n)| *n > 0)
                .map(|(kind, n)| format!("{n} with {}", men.letter(Color::White, kind)))
                .collect();
            let smallest: Vec<String> = fits
                .iter()
                .filter(|(kind, _)| *kind == least)
                .map(|(_, text)| text.clone())
                .collect();
            (
                Verdict::ConfirmedAsAmended,
                format!(
                    "; with one more lost black unit both hold for {} of {tried} pairs ({}); the \
                     smallest amendment: black {}",
                    fits.len(),
                    counts.join(", "),
                    smallest.join(" or ")
                ),
            )
        }
    }
}
