//! The words in which the positions are described: what a position shows, and what is asserted of
//! it.

use fairyproof::board::{Color, Squares};
use fairyproof::catalog::Catalog;
use fairyproof::notation::{Setup, fen, turns};
use fairyproof::with_setup;

/// What a position of a variant shows: canonical FEN, outcome, legal turns in byte order.
#[derive(Debug, PartialEq, Eq)]
pub struct Seen {
    pub fen: String,
    pub outcome: String,
    pub turns: Vec<String>,
}

impl Seen {
    /// Returns whether a turn is legal.
    pub fn can(&self, turn: &str) -> bool {
        self.turns.iter().any(|t| t == turn)
    }

    /// Returns where the unit on a square may go, in the order of the text.
    pub fn targets(&self, square: &str) -> String {
        let targets: Vec<&str> = self
            .turns
            .iter()
            .filter_map(|turn| turn.strip_prefix(square))
            .collect();
        targets.join(" ")
    }
}

/// Declares tests by the positions that they check: the name of each, then a row for each position and
/// what is asserted of it, by methods of [`Checked`].
///
/// ```text
/// positions! {
///     V:
///     pawn_facing_a_hole_stays {
///         "*3k3/P7/8/8/8/8/8/4K3 w - - 0 1": goes "a7" "", legal "e1e2";
///         "*3k3/P7/8/8/8/8/8/4K3 w - - 0 1" in "zoo" after "e1e2": outcome "ongoing";
///     }
/// }
/// ```
///
/// A row with `in` is about another variant than the file, one with `after` about the position after
/// legal turns.
macro_rules! positions {
    ($file:ident: $($(#[$doc:meta])* $name:ident { $(
        $fen:literal $(in $variant:literal)? $(after $line:literal)?:
        $($check:ident $($argument:literal)*),+;
    )+ })+) => { $(
        $(#[$doc])*
        #[test]
        fn $name() { $(
            let checked = $crate::hand::Checked {
                variant: [$file $(, $variant)?].last().expect("at least the file's"),
                fen: $fen,
                line: concat!($($line)?),
            };
            $(checked.$check($($argument),*);)+
        )+ }
    )+ };
}
pub(crate) use positions;

/// A row of [`positions`]: what a position is, to check what it shows.
pub struct Checked<'a> {
    pub variant: &'a str,
    pub fen: &'a str,
    /// Legal turns that lead to the position from the FEN.
    pub line: &'a str,
}

impl Checked<'_> {
    /// Returns the position, which has to be the same when it is read from its own FEN.
    #[track_caller]
    fn seen(&self) -> Seen {
        let seen = after(self.variant, self.fen, self.line);
        assert_eq!(at(self.variant, &seen.fen), seen, "{self}, read again");
        seen
    }

    /// Asserts that all these turns are legal.
    #[track_caller]
    pub fn legal(&self, turns: &str) {
        let seen = self.seen();
        for turn in turns.split(' ') {
            assert!(seen.can(turn), "{self}: {turn} not in {:?}", seen.turns);
        }
    }

    /// Asserts that none of these turns is legal.
    #[track_caller]
    pub fn illegal(&self, turns: &str) {
        let seen = self.seen();
        for turn in turns.split(' ') {
            assert!(!seen.can(turn), "{self}: {turn} is legal");
        }
    }

    /// Asserts that these are the legal turns.
    #[track_caller]
    pub fn turns(&self, turns: &str) {
        assert_eq!(self.seen().turns.join(" "), turns, "{self}");
    }

    /// Asserts the number of legal turns.
    #[track_caller]
    pub fn count(&self, turns: usize) {
        assert_eq!(self.seen().turns.len(), turns, "{self}");
    }

    /// Asserts how the legal turns that begin with this text continue: where the unit on a square goes.
    #[track_caller]
    pub fn goes(&self, beginning: &str, rest: &str) {
        assert_eq!(self.seen().targets(beginning), rest, "{self} {beginning}");
    }

    /// Asserts the number of legal turns that begin with this text.
    #[track_caller]
    pub fn count_from(&self, beginning: &str, turns: usize) {
        let rest = self.seen().targets(beginning);
        let counted = rest.split_whitespace().count();
        assert_eq!(counted, turns, "{self} {beginning}");
    }

    /// Asserts the squares of White's units that attack a square.
    #[track_caller]
    pub fn attacked(&self, square: &str, from: &str) {
        let found = attackers(self.variant, &self.seen().fen, square);
        assert_eq!(found, from, "{self} {square}");
    }

    /// Asserts the outcome.
    #[track_caller]
    pub fn outcome(&self, outcome: &str) {
        assert_eq!(self.seen().outcome, outcome, "{self}");
    }

    /// Asserts the canonical FEN.
    #[track_caller]
    pub fn fen(&self, fen: &str) {
        assert_eq!(self.seen().fen, fen, "{self}");
    }

    /// Asserts that the FEN is canonical.
    #[track_caller]
    pub fn kept(&self) {
        self.fen(self.fen);
    }

    /// Asserts the end of the canonical FEN.
    #[track_caller]
    pub fn fen_ends_with(&self, end: &str) {
        let fen = self.seen().fen;
        assert!(fen.ends_with(end), "{self}: {fen}");
    }

    /// Asserts that the canonical FEN contains a text.
    #[track_caller]
    pub fn fen_contains(&self, part: &str) {
        let fen = self.seen().fen;
        assert!(fen.contains(part), "{self}: {fen}");
    }

    /// Asserts that the FEN is refused.
    #[track_caller]
    pub fn refused(&self) {
        assert!(refused(self.variant, self.fen), "{self} is accepted");
    }

    /// Asserts that the FEN is accepted.
    #[track_caller]
    pub fn accepted(&self) {
        assert!(!refused(self.variant, self.fen), "{self} is refused");
    }
}

impl std::fmt::Display for Checked<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} {:?} after {:?}", self.variant, self.fen, self.line)
    }
}

/// Opens a position; `start` is the array at the start.
#[track_caller]
pub fn read(variant: &str, text: &str) -> Setup {
    let variant = Catalog::new().open(variant).expect("a variant");
    let text = (text != "start").then_some(text);
    Setup::read(&variant, text).unwrap_or_else(|e| panic!("{text:?}: {e}"))
}

/// Returns whether a FEN is refused.
pub fn refused(variant: &str, text: &str) -> bool {
    Setup::read(
        &Catalog::new().open(variant).expect("a variant"),
        Some(text),
    )
    .is_err()
}

/// Why a FEN is refused.
#[track_caller]
pub fn why_refused(variant: &str, text: &str) -> String {
    match Setup::read(
        &Catalog::new().open(variant).expect("a variant"),
        Some(text),
    ) {
        Ok(_) => panic!("{variant} accepts {text}"),
        Err(why) => why.to_string(),
    }
}

/// Returns the position after legal turns, parted by blanks.
#[track_caller]
pub fn after(variant: &str, text: &str, line: &str) -> Seen {
    with_setup!(read(variant, text), start => {
        let game = start.game.as_ref();
        let mut p = start.position;
        for (i, turn) in line.split_whitespace().enumerate() {
            let turn = turns::find(game, &p, turn, i + 1).unwrap_or_else(|e| panic!("{e}"));
            p = game.play(&p, &turn);
        }
        Seen {
            fen: fen::print(game, &p),
            outcome: game.outcome(&p).to_string(),
            turns: turns::sorted(game, &p).into_iter().map(|(text, _)| text).collect(),
        }
    })
}

/// Returns a position as it is.
#[track_caller]
pub fn at(variant: &str, text: &str) -> Seen {
    after(variant, text, "")
}

/// Returns whether a turn is legal.
#[track_caller]
pub fn can(variant: &str, text: &str, turn: &str) -> bool {
    at(variant, text).can(turn)
}

/// Returns the legal turns that begin with this text.
#[track_caller]
pub fn legal_from(variant: &str, text: &str, beginning: &str) -> Vec<String> {
    let mut turns = at(variant, text).turns;
    turns.retain(|turn| turn.starts_with(beginning));
    turns
}

/// Returns the squares of White's units that attack a square.
#[track_caller]
pub fn attackers(variant: &str, text: &str, square: &str) -> String {
    with_setup!(&read(variant, text), start => {
        let geometry = start.game.board().geometry();
        let target = geometry.named(square).expect("a square");
        let by = start.game.attackers(&start.position, target, Color::White);
        by.iter().map(|at| geometry.name(at)).collect::<Vec<_>>().join(" ")
    })
}

/// Asserts the outcome after these turns.
#[track_caller]
pub fn ends(variant: &str, text: &str, line: &str, outcome: &str) {
    assert_eq!(after(variant, text, line).outcome, outcome, "{text} {line}");
}

/// Asserts where a unit may go.
#[track_caller]
pub fn goes(variant: &str, text: &str, square: &str, targets: &str) {
    assert_eq!(
        at(variant, text).targets(square),
        targets,
        "{text} {square}"
    );
}

/// Asserts the position after legal turns.
#[track_caller]
pub fn leads(variant: &str, text: &str, line: &str, fen: &str) {
    assert_eq!(after(variant, text, line).fen, fen, "{text} {line}");
}

/// Asserts that a position is read as it is written.
#[track_caller]
pub fn kept(variant: &str, text: &str) {
    assert_eq!(at(variant, text).fen, text);
}
