//! Betza notation: parses and prints movements, and expands them into steps.
//!
//! A text that Fairy-Stockfish understands has the meaning that it has there. Riders and hoppers of every
//! leaper, lame leapers of every kind and ranges of several digits are additions.

use crate::{Atom, Mode, Movement, Path, Step, Term};
use std::fmt;

/// The maximum length of a movement's text, in bytes.
pub const MAX_BETZA: usize = 200;

/// The largest range that can be written, in squares. On the largest board, it reaches from edge to edge.
pub const MAX_RANGE: u8 = 15;

/// An error in a movement's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BetzaError {
    /// The offset of the error, in bytes from the start of the text.
    pub at: usize,
    /// The reason.
    pub why: String,
}

impl fmt::Display for BetzaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (character {})", self.why, self.at + 1)
    }
}

/// The letters of atoms. Of two letters for one atom, the first is printed.
const ATOMS: [(u8, Atom); 15] = [
    (b'W', Atom::Wazir),
    (b'F', Atom::Ferz),
    (b'D', Atom::Dabbaba),
    (b'N', Atom::Knight),
    (b'A', Atom::Alfil),
    (b'H', Atom::Threeleaper),
    (b'C', Atom::Camel),
    (b'Z', Atom::Zebra),
    (b'G', Atom::Tripper),
    (b'K', Atom::King),
    (b'R', Atom::Rook),
    (b'B', Atom::Bishop),
    (b'Q', Atom::Queen),
    (b'L', Atom::Camel),
    (b'J', Atom::Zebra),
];

/// The pairs of letters that name directions. Each has a list of images of (long, short), as indices into
/// the result of [`images`].
const PAIRS: [([u8; 2], &[usize]); 25] = [
    (*b"ff", &[0, 7]),
    (*b"bb", &[1, 6]),
    (*b"vv", &[0, 1, 6, 7]),
    (*b"rr", &[2, 4]),
    (*b"ll", &[3, 5]),
    (*b"ss", &[2, 3, 4, 5]),
    (*b"rf", &[0]),
    (*b"lf", &[7]),
    (*b"rb", &[6]),
    (*b"lb", &[1]),
    (*b"rv", &[0, 6]),
    (*b"lv", &[1, 7]),
    (*b"fr", &[4]),
    (*b"fl", &[3]),
    (*b"br", &[2]),
    (*b"bl", &[5]),
    (*b"fs", &[3, 4]),
    (*b"bs", &[2, 5]),
    (*b"fh", &[0, 3, 4, 7]),
    (*b"bh", &[1, 2, 5, 6]),
    (*b"rh", &[0, 2, 4, 6]),
    (*b"lh", &[1, 3, 5, 7]),
    (*b"hr", &[0, 1, 2, 3]),
    (*b"hl", &[4, 5, 6, 7]),
    // `h` alone is not a direction; this row gives it an error message of its own.
    (*b"hh", &[]),
];

/// Returns the eight images of an offset of `long` and `short` as (files, ranks), from White's side.
fn images(long: i8, short: i8) -> [(i8, i8); 8] {
    [
        (short, long),
        (-short, -long),
        (long, -short),
        (-long, short),
        (long, short),
        (-long, -short),
        (short, -long),
        (-short, long),
    ]
}

impl Atom {
    /// Returns the letter with which the atom is printed.
    #[expect(clippy::missing_panics_doc, reason = "every atom has a letter")]
    pub fn letter(self) -> char {
        let (letter, _) = ATOMS
            .iter()
            .find(|(_, atom)| *atom == self)
            .expect("every atom has a letter");
        *letter as char
    }

    /// Returns the offsets of the atom as (long side, short side).
    pub fn sides(self) -> &'static [(i8, i8)] {
        match self {
            Atom::Wazir | Atom::Rook => &[(1, 0)],
            Atom::Ferz | Atom::Bishop => &[(1, 1)],
            Atom::Dabbaba => &[(2, 0)],
            Atom::Knight => &[(2, 1)],
            Atom::Alfil => &[(2, 2)],
            Atom::Threeleaper => &[(3, 0)],
            Atom::Camel => &[(3, 1)],
            Atom::Zebra => &[(3, 2)],
            Atom::Tripper => &[(3, 3)],
            Atom::King | Atom::Queen => &[(1, 0), (1, 1)],
        }
    }

    /// Returns the atom that is written for riders and hoppers along the same lines: `R` for `W`, `B` for
    /// `F`, `Q` for `K`.
    fn ridden(self) -> Atom {
        match self {
            Atom::Wazir => Atom::Rook,
            Atom::Ferz => Atom::Bishop,
            Atom::King => Atom::Queen,
            other => other,
        }
    }

    /// Returns whether the letter alone means a rider.
    fn rides(self) -> bool {
        matches!(self, Atom::Rook | Atom::Bishop | Atom::Queen)
    }
}

impl Term {
    /// Returns White's offsets in the term's directions, sorted by rank from the farthest ahead and then by
    /// file.
    pub fn offsets(&self) -> Vec<(i8, i8)> {
        let sides = self.atom.sides();
        let mut offsets = Vec::with_capacity(8);
        for &(long, short) in sides {
            let images = images(long, short);
            if self.directions.is_empty() {
                offsets.extend(images);
            }
            // For an orthogonal atom, two different letters mean both directions: `fsW`.
            let splits = sides.len() == 1 && short == 0;
            for &[a, b] in &self.directions {
                let pairs: &[[u8; 2]] = match splits && a != b {
                    true => &[[a, a], [b, b]],
                    false => &[[a, b]],
                };
                for pair in pairs {
                    offsets.extend(named(*pair).iter().map(|&i| images[i]));
                }
            }
        }
        offsets.sort_by_key(|&(x, y)| (-y, x));
        offsets.dedup();
        offsets
    }
}

/// Returns the images that a pair of direction letters names, as indices into the result of [`images`].
fn named(pair: [u8; 2]) -> &'static [usize] {
    PAIRS
        .iter()
        .find(|(p, _)| *p == pair)
        .map_or(&[], |(_, images)| images)
}

impl Movement {
    /// Parses a movement. The empty text means a piece that never moves. As in Fairy-Stockfish:
    ///
    /// * `m` only moves to empty squares, and `c` only captures.
    /// * A step with `i` starts only in the double-step region.
    /// * `n` is lame, `p` hops, and `g` hops to the square right after the unit hopped over.
    /// * `e` marks a piece that captures en passant.
    /// * `pW` and `gW` mean `pR` and `gR`, and `K2` is a queen of range 2.
    /// * A doubled letter or `0` rides without limit.
    ///
    /// # Errors
    /// If the text does not follow the notation; the error names the place.
    pub fn parse(text: &str) -> Result<Movement, BetzaError> {
        let bytes = text.as_bytes();
        let error = |at: usize, why: String| Err(BetzaError { at, why });
        if bytes.len() > MAX_BETZA {
            return error(MAX_BETZA, format!("longer than {MAX_BETZA} characters"));
        }
        let mut movement = Movement::default();
        let mut draft = Draft::default();
        let mut i = 0;
        while i < bytes.len() {
            let c = bytes[i];
            match c {
                b'm' => draft.moves = true,
                b'c' => draft.captures = true,
                b'i' => draft.initial = true,
                b'e' => draft.en_passant = true,
                b'n' => draft.lame = true,
                b'p' => draft.hops = true,
                b'g' => draft.grasshops = true,
                b'f' | b'b' | b'v' | b'h' | b'l' | b'r' | b's' => {
                    let next = bytes.get(i + 1).copied().filter(|&d| joins(c, d));
                    draft.directions.push(([c, next.unwrap_or(c)], i));
                    i += usize::from(next.is_some());
                }
                _ => {
                    let Some(&(_, atom)) = ATOMS.iter().find(|(letter, _)| *letter == c) else {
                        let shown = text[i..].chars().next().unwrap_or('?');
                        return error(i, unknown(shown));
                    };
                    let at = i;
                    let mut range = None;
                    if bytes.get(i + 1) == Some(&c) {
                        range = Some(0);
                        i += 1;
                    } else {
                        let digits = bytes[i + 1..]
                            .iter()
                            .take_while(|d| d.is_ascii_digit())
                            .count();
                        if digits > 0 {
                            let number = text[i + 1..i + 1 + digits].parse::<u8>().ok();
                            match number.filter(|&n| n <= MAX_RANGE) {
                                Some(n) => range = Some(n),
                                None => {
                                    return error(
                                        i + 1,
                                        format!("a range is at most {MAX_RANGE} squares"),
                                    );
                                }
                            }
                            i += digits;
                        }
                    }
                    movement
                        .terms
                        .push(std::mem::take(&mut draft).finish(atom, range, at)?);
                }
            }
            i += 1;
        }
        if draft != Draft::default() {
            return error(
                bytes.len().saturating_sub(1),
                "modifiers without a letter of a move (such as W or N) behind them".into(),
            );
        }
        Ok(movement)
    }

    /// Returns all steps of White's piece, each once, in the order of the terms. Of steps that differ only in
    /// range, the longest is returned.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for term in &self.terms {
            for mode in [Mode::Move, Mode::Capture] {
                let said = match mode {
                    Mode::Move => term.moves,
                    Mode::Capture => term.captures && !term.initial,
                };
                if !said {
                    continue;
                }
                for (dx, dy) in term.offsets() {
                    let step = Step {
                        dx,
                        dy,
                        mode,
                        initial: term.initial,
                        path: term.path,
                        range: term.range,
                    };
                    let same = |other: &&mut Step| {
                        Step {
                            range: 0,
                            ..**other
                        } == Step { range: 0, ..step }
                    };
                    match steps.iter_mut().find(same) {
                        Some(old) if old.range == 0 || step.range == 0 => old.range = 0,
                        Some(old) => old.range = old.range.max(step.range),
                        None => steps.push(step),
                    }
                }
            }
        }
        steps
    }

    /// Returns whether the text contains `e`.
    pub fn captures_en_passant(&self) -> bool {
        self.terms.iter().any(|term| term.en_passant)
    }
}

/// Returns whether two letters form one direction: they are equal, or one is along files and the other along
/// ranks.
fn joins(first: u8, second: u8) -> bool {
    let vertical = |c: u8| b"fbvh".contains(&c);
    let horizontal = |c: u8| b"rlsh".contains(&c);
    first == second
        || (vertical(first) && horizontal(second))
        || (horizontal(first) && vertical(second))
}

/// Returns the reason why a letter cannot be part of a movement.
fn unknown(letter: char) -> String {
    match letter {
        'a' | 'd' | 'j' | 'k' | 'o' | 'q' | 't' | 'u' | 'x' | 'y' => {
            format!("the modifier `{letter}` is not supported")
        }
        'U' | 'O' | 'X' => format!("the move `{letter}` is not supported"),
        _ => format!("`{letter}` has no meaning in Betza notation"),
    }
}

/// Modifiers read so far.
#[derive(Default, PartialEq)]
struct Draft {
    moves: bool,
    captures: bool,
    initial: bool,
    en_passant: bool,
    lame: bool,
    hops: bool,
    grasshops: bool,
    directions: Vec<([u8; 2], usize)>,
}

impl Draft {
    fn finish(self, atom: Atom, range: Option<u8>, at: usize) -> Result<Term, BetzaError> {
        let error = |at: usize, why: String| Err(BetzaError { at, why });
        let rides = atom.rides() || range.is_some();
        if self.hops && self.grasshops {
            return error(at, "a move has `p` or `g`, not both".into());
        }
        if self.lame && (self.hops || self.grasshops) {
            return error(at, "`n` does not go with `p` or `g`".into());
        }
        if self.lame && rides && !atom.rides() {
            return error(
                at,
                "`n` is for single leaps; lame riders are not supported".into(),
            );
        }
        if self.grasshops && range.is_some_and(|r| r > 0) {
            return error(
                at,
                "`g` takes no range: it ends behind the unit hopped over".into(),
            );
        }
        let neither = !self.moves && !self.captures;
        if self.initial && self.captures && !self.moves {
            return error(at, "moves with `i` never capture".into());
        }
        let (path, atom) = match () {
            _ if self.grasshops => (Path::Grasshop, atom.ridden()),
            _ if self.hops => (Path::Hop, atom.ridden()),
            _ if rides => (Path::Ride, atom.ridden()),
            // A step to a neighboring square passes no square, so it cannot be lame.
            _ if self.lame && !matches!(atom, Atom::Wazir | Atom::Ferz | Atom::King) => {
                (Path::Lame, atom)
            }
            _ => (Path::Leap, atom),
        };
        let term = Term {
            atom,
            moves: self.moves || neither,
            captures: self.captures || neither,
            initial: self.initial,
            en_passant: self.en_passant,
            path,
            range: match path {
                Path::Ride | Path::Hop => range.unwrap_or(0),
                _ => 0,
            },
            directions: self.directions.iter().map(|&(pair, _)| pair).collect(),
        };
        for &(pair, at) in &self.directions {
            let alone = Term {
                directions: vec![pair],
                ..term.clone()
            };
            if alone.offsets().is_empty() {
                let pair = String::from_utf8_lossy(&pair).into_owned();
                return error(
                    at,
                    format!("`{pair}` names no direction of `{}`", atom.letter()),
                );
            }
        }
        Ok(term)
    }
}

impl fmt::Display for Term {
    /// Writes the canonical text: `i`, directions, `m` or `c`, `e`, path (`n`, `p` or `g`), letter, range.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.initial {
            f.write_str("i")?;
        }
        for (n, &[a, b]) in self.directions.iter().enumerate() {
            write!(f, "{}", a as char)?;
            // Double a letter that would otherwise form one direction with the next letter.
            let next = self.directions.get(n + 1);
            if a != b || next.is_some_and(|&[c, _]| joins(a, c)) {
                write!(f, "{}", b as char)?;
            }
        }
        match (self.moves, self.captures) {
            (true, false) => f.write_str("m")?,
            (false, true) => f.write_str("c")?,
            _ => {}
        }
        if self.en_passant {
            f.write_str("e")?;
        }
        f.write_str(match self.path {
            Path::Lame => "n",
            Path::Hop => "p",
            Path::Grasshop => "g",
            Path::Leap | Path::Ride => "",
        })?;
        write!(f, "{}", self.atom.letter())?;
        match self.path {
            Path::Ride | Path::Hop if self.range > 0 => write!(f, "{}", self.range),
            // A single letter would be read as a leap.
            Path::Ride if !self.atom.rides() => write!(f, "{}", self.atom.letter()),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Movement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = String::new();
        for term in &self.terms {
            let text = term.to_string();
            // The letter of the term before, directly followed by the same letter, would be read as a rider.
            let doubled = match (before.chars().next_back(), text.chars().next()) {
                (Some(last), Some(first)) => {
                    last == first && !before.ends_with(&format!("{last}{last}"))
                }
                _ => false,
            };
            write!(f, "{}{text}", if doubled { "mc" } else { "" })?;
            before = text;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(text: &str) -> Vec<(i8, i8)> {
        let movement = Movement::parse(text).unwrap();
        movement.terms.iter().flat_map(Term::offsets).collect()
    }

    fn sorted(mut list: Vec<(i8, i8)>) -> Vec<(i8, i8)> {
        list.sort_by_key(|&(x, y)| (-y, x));
        list
    }

    #[test]
    fn directions_of_single_letters_are_the_narrow_ones() {
        assert_eq!(offsets("fN"), [(-1, 2), (1, 2)]);
        assert_eq!(offsets("bN"), [(-1, -2), (1, -2)]);
        assert_eq!(offsets("sN"), [(-2, 1), (2, 1), (-2, -1), (2, -1)]);
        assert_eq!(offsets("fsN"), [(-2, 1), (2, 1)]);
        assert_eq!(offsets("fhN"), [(-1, 2), (1, 2), (-2, 1), (2, 1)]);
        assert_eq!(offsets("rfN"), [(1, 2)]);
        assert_eq!(offsets("frN"), [(2, 1)]);
        assert_eq!(offsets("fF"), [(-1, 1), (1, 1)]);
        assert_eq!(offsets("flF"), [(-1, 1)]);
        assert_eq!(offsets("rF"), [(1, 1), (1, -1)]);
        assert_eq!(offsets("fW"), [(0, 1)]);
        assert_eq!(offsets("rW"), [(1, 0)]);
    }

    #[test]
    fn pairs_on_orthogonal_atoms_mean_both() {
        assert_eq!(offsets("fsW"), [(0, 1), (-1, 0), (1, 0)]);
        assert_eq!(offsets("sfW"), [(0, 1), (-1, 0), (1, 0)]);
        assert_eq!(offsets("fbR"), [(0, 1), (0, -1)]);
        // On compound atoms, a pair of different letters is not split.
        assert_eq!(
            offsets("fsK"),
            sorted(vec![(-1, 0), (1, 0), (-1, 1), (1, 1)])
        );
    }

    #[test]
    fn chiral_directions_are_the_rotations_of_one_leap() {
        assert_eq!(
            sorted(offsets("hrN")),
            sorted(vec![(1, 2), (2, -1), (-1, -2), (-2, 1)])
        );
        assert_eq!(
            offsets("hrN").len() + offsets("hlN").len(),
            offsets("N").len()
        );
    }

    #[test]
    fn atoms_have_four_or_eight_offsets() {
        for (text, count) in [
            ("W", 4),
            ("F", 4),
            ("D", 4),
            ("N", 8),
            ("A", 4),
            ("H", 4),
            ("C", 8),
            ("L", 8),
            ("Z", 8),
            ("J", 8),
            ("G", 4),
            ("K", 8),
            ("R", 4),
            ("B", 4),
            ("Q", 8),
        ] {
            assert_eq!(offsets(text).len(), count, "{text}");
        }
    }

    #[test]
    fn riders_hoppers_and_lame_leapers_are_told_apart() {
        let step = |text: &str| Movement::parse(text).unwrap().steps()[0];
        assert_eq!((step("NN").path, step("NN").range), (Path::Ride, 0));
        assert_eq!((step("N3").path, step("N3").range), (Path::Ride, 3));
        assert_eq!((step("W0").path, step("W0").range), (Path::Ride, 0));
        assert_eq!((step("pR4").path, step("pR4").range), (Path::Hop, 4));
        assert_eq!(step("pW"), step("pR"));
        assert_eq!(step("gW"), step("gR"));
        assert_eq!(step("nN").path, Path::Lame);
        assert_eq!(step("nW").path, Path::Leap);
        assert_eq!(step("nR").path, Path::Ride);
    }

    #[test]
    fn lame_paths_of_horse_elephant_zebra_and_camel() {
        let path = |text: &str, dx, dy| {
            let steps = Movement::parse(text).unwrap().steps();
            steps
                .iter()
                .find(|s| (s.dx, s.dy) == (dx, dy))
                .unwrap()
                .lame_path()
        };
        assert_eq!(path("nN", 1, 2), [(0, 1)]);
        assert_eq!(path("nN", -2, -1), [(-1, 0)]);
        assert_eq!(path("nA", 2, -2), [(1, -1)]);
        assert_eq!(path("nD", 0, 2), [(0, 1)]);
        assert_eq!(path("nZ", 2, 3), [(0, 1), (1, 2)]);
        assert_eq!(path("nC", 3, 1), [(1, 0), (2, 0)]);
        assert_eq!(path("nH", 0, 3), [(0, 1), (0, 2)]);
        assert_eq!(path("nG", 3, 3), [(1, 1), (2, 2)]);
    }

    #[test]
    fn initial_steps_never_capture() {
        let steps = Movement::parse("ifnD").unwrap().steps();
        assert_eq!(steps.len(), 1);
        assert!(steps[0].initial && steps[0].mode == Mode::Move);
        assert!(Movement::parse("ifcD").is_err());
    }

    #[test]
    fn canonical_text_reads_as_the_same_movement() {
        for (text, canonical) in [
            ("fmWfceF", "fmWfceF"),
            ("mfFcfeWimfnA", "fmFfceWifmnA"),
            ("FfW", "FfW"),
            ("mRcpR", "mRcpR"),
            ("RcpRnN", "RcpRnN"),
            ("mcWW", "R"),
            ("KK", "Q"),
            ("K2", "Q2"),
            ("N0", "NN"),
            ("W1", "R1"),
            ("gK", "gQ"),
            ("LJ", "CZ"),
            ("ffssN", "ffsN"),
            ("fbF", "fbF"),
            ("vRmcR", "vRmcR"),
            ("NNN", "NNN"),
            ("NmcNN", "NmcNN"),
            ("fsmWfceFifmnD", "fsmWfceFifmnD"),
            ("", ""),
        ] {
            let movement = Movement::parse(text).unwrap();
            assert_eq!(movement.to_string(), canonical, "{text}");
            assert_eq!(Movement::parse(canonical).unwrap(), movement, "{text}");
        }
    }

    #[test]
    fn wrong_texts_say_where_and_why() {
        for (text, at, why) in [
            ("WaF", 1, "`a`"),
            ("mW?", 2, "`?`"),
            ("Wé", 1, "`é`"),
            ("Wm", 1, "modifiers"),
            ("nNN", 1, "lame riders"),
            ("gQ3", 1, "no range"),
            ("pgR", 2, "not both"),
            ("R99", 1, "at most"),
            ("sfF", 0, "`sf`"),
            ("hN", 0, "`hh`"),
        ] {
            let error = Movement::parse(text).unwrap_err();
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.why.contains(why), "{text}: {error}");
        }
        assert!(Movement::parse(&"W".repeat(MAX_BETZA + 1)).is_err());
    }
}
