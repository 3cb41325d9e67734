//! Plays from a certificate: answers the other side's turns, and prints the certificate's lines as text or as
//! a graph.

use crate::certificate::{Certificate, Kind};
use crate::check::Claim;
use diagnostics::Diagnostic;
use notation::{fen, turns};
use per_layout::per_layout;
use position::{Codec, KEY_WORDS, Layout, Position};
use rules::{Game, Outcome, Turn};
use rustc_hash::FxHashMap;
use search::Judge;
use std::fmt::Write;

/// The current point of a walk: a position with the other side to move, or the end of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// All turns so far, including those of the certificate.
    pub line: Vec<String>,
    /// The current position as FEN.
    pub fen: String,
    /// The outcome of the current position.
    pub outcome: Outcome,
    /// Plies from the current position to the end, if the goal is forced.
    pub plies: Option<u16>,
    /// The other side's turns, each with the certificate's answer and the plies to the end after the answer.
    /// A turn that ends the game has no answer.
    pub answers: Vec<(String, Option<String>, Option<u16>)>,
}

/// The output format of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Indented text.
    Text,
    /// A graph in the DOT language of Graphviz, with each position once.
    Dot,
}

/// The lines to write, and their format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branches {
    /// The output format.
    pub shape: Shape,
    /// Maximum number of turns from the certificate's position.
    pub depth: u32,
}

/// A certificate that is used to play.
struct Book<'c, W: Layout> {
    game: &'c dyn Game<W>,
    certificate: &'c Certificate,
    codec: Codec,
    claim: Claim,
}

/// A turn, and the position after it.
struct Played<W: Layout> {
    text: String,
    after: Position<W>,
    /// Whether the turn reaches a goal that is not an end of the game.
    reaches: bool,
}

impl<'c, W: Layout> Book<'c, W> {
    fn open(
        game: &'c dyn Game<W>,
        root: &Position<W>,
        certificate: &'c Certificate,
    ) -> Result<Book<'c, W>, Diagnostic> {
        let codec = game.codec(root);
        if certificate.header.kind == Kind::Refute {
            let why = "it refutes a win within a number of plies, so it has no lines to the end";
            return Err(Diagnostic::new("certificate", why).help("`prove check` checks it"));
        }
        if codec.words() != certificate.words() {
            let why = "its keys are not those of its position";
            return Err(Diagnostic::new("certificate", why));
        }
        Ok(Book {
            game,
            certificate,
            codec,
            claim: Claim::of(game, certificate)?,
        })
    }

    fn find(&self, p: &Position<W>) -> Option<usize> {
        let mut key = [0; KEY_WORDS];
        self.codec.encode(p, &mut key);
        self.certificate.find(&key[..self.codec.words()])
    }

    /// Returns the certificate's turn at a position, and the plies from there to the end.
    fn chosen(&self, p: &Position<W>) -> Result<(String, Turn, Option<u16>), Diagnostic> {
        let missing = || {
            let place = format!("at `{}`", fen::print(self.game, p));
            Diagnostic::new("certificate", "a position has no turn").at(place)
        };
        let at = self.find(p).ok_or_else(missing)?;
        let mut legal = turns::sorted(self.game, p);
        if self.certificate.turn(at) >= legal.len() {
            return Err(missing());
        }
        let (text, turn) = legal.swap_remove(self.certificate.turn(at));
        let rank = self.certificate.rank(at);
        Ok((text, turn, (self.claim.kind == Kind::Force).then_some(rank)))
    }

    /// Plays a turn.
    fn play(&self, p: &Position<W>, text: String, turn: Turn) -> Played<W> {
        let after = self.game.play(p, &turn);
        let goal = &self.claim.goal;
        Played {
            reaches: p.side == self.claim.side
                && !goal.is_end()
                && Judge::new(self.game, goal).reached(p, &turn, &after),
            text,
            after,
        }
    }

    /// Returns the turns that the certificate covers at a position: the chosen one, or all turns of the other
    /// side.
    fn next(&self, p: &Position<W>) -> Result<Vec<Played<W>>, Diagnostic> {
        if !self.game.outcome(p).is_ongoing() {
            return Ok(Vec::new());
        }
        if p.side == self.claim.chooser {
            let (text, turn, _) = self.chosen(p)?;
            return Ok(vec![self.play(p, text, turn)]);
        }
        let all = turns::sorted(self.game, p).into_iter();
        Ok(all.map(|(text, turn)| self.play(p, text, turn)).collect())
    }
}

/// Plays from the certificate's position. The other side makes the turns `theirs`, and the certificate
/// answers.
///
/// # Errors
/// If a turn is not legal, or the certificate has no answer.
#[per_layout]
pub fn follow<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    certificate: &Certificate,
    theirs: &[String],
) -> Result<Walk, Diagnostic> {
    let book = Book::open(game, root, certificate)?;
    let mut p = *root;
    let mut line = Vec::new();
    let mut theirs = theirs.iter().enumerate();
    let mut left = certificate.header.plies;
    let mut reached = false;
    loop {
        if game.outcome(&p).is_ongoing() && p.side == book.claim.chooser {
            let (text, turn, rank) = book.chosen(&p)?;
            left = rank.map(|rank| rank.saturating_sub(1));
            let played = book.play(&p, text, turn);
            line.push(played.text);
            (p, reached) = (played.after, played.reaches);
        }
        let Some((at, text)) = theirs.next() else {
            break;
        };
        if reached {
            let place = format!("turn {} `{text}`", at + 1);
            return Err(Diagnostic::new(place, "the goal is reached before it"));
        }
        let turn = turns::read(game, &p, text, at + 1)?;
        line.push(turns::print(game, &p, &turn));
        p = game.play(&p, &turn);
        left = left.map(|left| left.saturating_sub(1));
    }
    let mut answers = Vec::new();
    let further = if reached {
        Vec::new()
    } else {
        turns::sorted(game, &p)
    };
    for (text, turn) in further {
        let after = game.play(&p, &turn);
        if game.outcome(&after).is_ongoing() {
            let (answer, _, rank) = book.chosen(&after)?;
            answers.push((text, Some(answer), rank.map(|rank| rank.saturating_sub(1))));
        } else {
            answers.push((text, None, Some(0)));
        }
    }
    let longest = answers
        .iter()
        .filter_map(|(_, answer, left)| left.map(|left| left + 1 + u16::from(answer.is_some())));
    let outcome = game.outcome(&p);
    Ok(Walk {
        line,
        fen: fen::print(game, &p),
        outcome,
        plies: if outcome.is_ongoing() && !reached {
            left.and(longest.max())
        } else {
            Some(0)
        },
        answers,
    })
}

/// Returns the lines of a certificate to a depth.
///
/// # Errors
/// If the certificate has no answer at a position.
#[per_layout]
pub fn branches<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    certificate: &Certificate,
    branches: &Branches,
) -> Result<String, Diagnostic> {
    let book = Book::open(game, root, certificate)?;
    match branches.shape {
        Shape::Text => text(&book, root, branches.depth),
        Shape::Dot => dot(&book, root, branches.depth),
    }
}

fn text<W: Layout>(
    book: &Book<'_, W>,
    root: &Position<W>,
    depth: u32,
) -> Result<String, Diagnostic> {
    let mut out = String::new();
    // Turns that are still to be written, the next one last, each with the number of turns up to it.
    let mut open: Vec<(Played<W>, u32)> = Vec::new();
    let push = |p: &Position<W>, made: u32, open: &mut Vec<_>| -> Result<(), Diagnostic> {
        if made < depth {
            let next = book.next(p)?.into_iter().rev();
            open.extend(next.map(|played| (played, made + 1)));
        }
        Ok(())
    };
    push(root, 0, &mut open)?;
    let first = root.side;
    while let Some((played, made)) = open.pop() {
        let (p, turn) = (played.after, played.text);
        let whites = first == board::Color::White;
        let ply = made - 1 + u32::from(!whites);
        let dots = if ply.is_multiple_of(2) { "." } else { "..." };
        let indent = "  ".repeat(made as usize - 1);
        let outcome = book.game.outcome(&p);
        let end = match outcome {
            Outcome::Ongoing if played.reaches => " goal".to_string(),
            Outcome::Ongoing if made == depth => " ...".to_string(),
            Outcome::Ongoing => String::new(),
            ended => format!(" {ended}"),
        };
        let number = ply / 2 + 1;
        // Writing to a string never fails.
        let _ = writeln!(out, "{indent}{number}{dots}{turn}{end}");
        if !played.reaches {
            push(&p, made, &mut open)?;
        }
    }
    Ok(out)
}

fn dot<W: Layout>(
    book: &Book<'_, W>,
    root: &Position<W>,
    depth: u32,
) -> Result<String, Diagnostic> {
    let mut out = String::from("digraph certificate {\n");
    // A position at which the goal has been reached is a node of its own.
    let mut numbers: FxHashMap<(Position<W>, bool), usize> = FxHashMap::default();
    let mut level = vec![*root];
    let shown = |p: &Position<W>, reached: bool| {
        let outcome = book.game.outcome(p);
        let label = if reached {
            "goal".to_string()
        } else if outcome.is_ongoing() {
            fen::print(book.game, p)
        } else {
            outcome.to_string()
        };
        let shape = if p.side == book.claim.chooser {
            "box"
        } else {
            "ellipse"
        };
        format!("label=\"{label}\", shape={shape}")
    };
    let _ = writeln!(out, "  p0 [{}];", shown(root, false));
    numbers.insert((*root, false), 0);
    for _ in 0..depth {
        let mut below = Vec::new();
        for p in level {
            let from = numbers[&(p, false)];
            for Played {
                text,
                after,
                reaches,
                ..
            } in book.next(&p)?
            {
                let fresh = numbers.len();
                let to = *numbers.entry((after, reaches)).or_insert(fresh);
                if to == fresh {
                    let _ = writeln!(out, "  p{to} [{}];", shown(&after, reaches));
                    if !reaches {
                        below.push(after);
                    }
                }
                let _ = writeln!(out, "  p{from} -> p{to} [label=\"{text}\"];");
            }
        }
        level = below;
    }
    out.push_str("}\n");
    Ok(out)
}

/// Visits each position with a turn in a verified certificate once, with the number of its entry.
pub(crate) fn each_position<W: Layout>(
    game: &dyn Game<W>,
    root: &Position<W>,
    certificate: &Certificate,
    hear: &mut dyn FnMut(&Position<W>, usize),
) {
    let Ok(book) = Book::open(game, root, certificate) else {
        return;
    };
    let mut seen = vec![false; certificate.len()];
    let mut open = vec![*root];
    while let Some(p) = open.pop() {
        if p.side == book.claim.chooser && game.outcome(&p).is_ongoing() {
            let Some(at) = book.find(&p) else {
                continue;
            };
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            hear(&p, at);
        }
        let next = book.next(&p).unwrap_or_default().into_iter();
        open.extend(
            next.filter(|played| !played.reaches)
                .map(|played| played.after),
        );
    }
}
