//! Movements in English words.

use crate::{Atom, Movement, Path, Term};

impl Movement {
    /// Returns the movement as one sentence without a subject: `slides like a rook, captures by jumping ...`.
    pub fn words(&self) -> String {
        if self.terms.is_empty() {
            return "never moves".into();
        }
        let clauses: Vec<String> = self.terms.iter().map(Term::words).collect();
        join(&clauses)
    }
}

/// Joins parts of a sentence with commas, and with `and` before the last part.
pub(crate) fn join(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
    }
}

impl Term {
    /// Returns the term as a clause.
    fn words(&self) -> String {
        let (verb, doing, mut manner) = self.manner();
        let where_to = self.where_to();
        if !where_to.is_empty() {
            // The directions already name the lines.
            for line in [" orthogonally", " diagonally", " in any direction"] {
                manner = manner.replacen(line, "", 1);
            }
        }
        let mut clause = match (self.moves, self.captures && !self.initial) {
            (true, false) if self.captures || self.moves => {
                format!("moves without capturing by {doing}{manner}{where_to}")
            }
            (false, true) => format!("captures by {doing}{manner}{where_to}"),
            _ => format!("{verb}{manner}{where_to}"),
        };
        if self.en_passant {
            clause.push_str(" (en passant too)");
        }
        if self.initial {
            clause.push_str(" (from the double-step region only)");
        }
        clause
    }

    /// Returns the verb in the third person, its gerund, and the rest of the clause.
    fn manner(&self) -> (&'static str, &'static str, String) {
        let lines = match self.atom {
            Atom::Rook => "like a rook",
            Atom::Bishop => "like a bishop",
            Atom::Queen => "like a queen",
            _ => "",
        };
        let leap = leap(self.atom);
        let up_to = |what: &str| match self.range {
            0 => String::new(),
            1 => format!(" one {what} at most"),
            n => format!(" up to {n} {what}s"),
        };
        match self.path {
            Path::Leap if matches!(self.atom, Atom::Wazir | Atom::Ferz | Atom::King) => {
                ("steps", "stepping", format!(" {leap}"))
            }
            Path::Leap => ("leaps", "leaping", format!(" {leap}")),
            Path::Lame => (
                "leaps",
                "leaping",
                format!(" {leap} over empty squares only ({})", lame(self.atom)),
            ),
            Path::Ride if lines.is_empty() => (
                "rides",
                "riding",
                format!(" in leaps {leap}, again and again{}", up_to("leap")),
            ),
            Path::Ride => ("slides", "sliding", format!(" {lines}{}", up_to("square"))),
            Path::Hop => {
                let along = match lines.is_empty() {
                    true => format!("in leaps {leap}"),
                    false => lines.to_owned(),
                };
                let limit = match self.range {
                    0 => String::new(),
                    n => format!(", {n} squares away at most"),
                };
                (
                    "jumps",
                    "jumping",
                    format!(" {along} over exactly one unit to any square behind it{limit}"),
                )
            }
            Path::Grasshop => {
                let along = match lines.is_empty() {
                    true => format!("in leaps {leap}"),
                    false => lines.to_owned(),
                };
                (
                    "hops",
                    "hopping",
                    format!(" {along} over the first unit to the square right behind it"),
                )
            }
        }
    }

    /// Returns the directions in words, or an empty text if all directions are allowed.
    fn where_to(&self) -> String {
        let offsets = self.offsets();
        let all = Term {
            directions: Vec::new(),
            ..self.clone()
        };
        if offsets.len() == all.offsets().len() {
            return String::new();
        }
        let straight = |&(x, y): &(i8, i8)| x == 0 || y == 0 || x.abs() == y.abs();
        if !offsets.iter().all(straight) {
            let listed: Vec<String> = offsets
                .iter()
                .map(|(x, y)| format!("({x:+},{y:+})"))
                .collect();
            return format!(" to {} of (files,ranks)", listed.join(" "));
        }
        let has = |x: i8, y: i8| {
            offsets
                .iter()
                .any(|o| (o.0.signum(), o.1.signum()) == (x, y))
        };
        let mut words: Vec<&str> = Vec::new();
        let mut rest: Vec<(i8, i8)> = offsets
            .iter()
            .map(|o| (o.0.signum(), o.1.signum()))
            .collect();
        let groups: [(&[(i8, i8)], &str); 16] = [
            (&[(-1, 1), (0, 1), (1, 1)], "forward in any way"),
            (&[(-1, -1), (0, -1), (1, -1)], "backward in any way"),
            (&[(0, 1), (0, -1)], "straight forward and backward"),
            (&[(-1, 0), (1, 0)], "sideways"),
            (&[(-1, 1), (1, 1)], "diagonally forward"),
            (&[(-1, -1), (1, -1)], "diagonally backward"),
            (&[(1, 1), (1, -1)], "diagonally to the right"),
            (&[(-1, 1), (-1, -1)], "diagonally to the left"),
            (&[(0, 1)], "straight forward"),
            (&[(0, -1)], "straight backward"),
            (&[(1, 0)], "to the right"),
            (&[(-1, 0)], "to the left"),
            (&[(1, 1)], "forward to the right"),
            (&[(-1, 1)], "forward to the left"),
            (&[(1, -1)], "backward to the right"),
            (&[(-1, -1)], "backward to the left"),
        ];
        for (group, word) in groups {
            if group.iter().all(|&(x, y)| has(x, y)) && group.iter().all(|o| rest.contains(o)) {
                rest.retain(|o| !group.contains(o));
                words.push(word);
            }
        }
        format!(" {}", words.join(" or "))
    }
}

/// Returns the offset of an atom's leap in words.
fn leap(atom: Atom) -> &'static str {
    match atom {
        Atom::Wazir | Atom::Rook => "one square orthogonally",
        Atom::Ferz | Atom::Bishop => "one square diagonally",
        Atom::King | Atom::Queen => "one square in any direction",
        Atom::Dabbaba => "two squares orthogonally",
        Atom::Alfil => "two squares diagonally",
        Atom::Threeleaper => "three squares orthogonally",
        Atom::Tripper => "three squares diagonally",
        Atom::Knight => "like a knight",
        Atom::Camel => "like a camel (3,1)",
        Atom::Zebra => "like a zebra (3,2)",
    }
}

/// Returns the squares that a lame leap passes, in words.
fn lame(atom: Atom) -> &'static str {
    match atom {
        Atom::Knight => "first one orthogonally",
        Atom::Zebra => "first one orthogonally, then one diagonally",
        Atom::Camel => "first two orthogonally",
        Atom::Alfil | Atom::Tripper => "diagonally",
        _ => "orthogonally",
    }
}

#[cfg(test)]
mod tests {
    use crate::Movement;

    #[test]
    fn movements_read_as_english() {
        for (text, words) in [
            ("R", "slides like a rook"),
            ("", "never moves"),
            (
                "mRcpR",
                "moves without capturing by sliding like a rook, and captures by jumping like a rook \
                 over exactly one unit to any square behind it",
            ),
            (
                "fmWfceF",
                "moves without capturing by stepping one square straight forward, and \
                 captures by stepping one square diagonally forward (en passant too)",
            ),
            (
                "nN",
                "leaps like a knight over empty squares only (first one orthogonally)",
            ),
            (
                "fN",
                "leaps like a knight to (-1,+2) (+1,+2) of (files,ranks)",
            ),
            (
                "FfW",
                "steps one square diagonally, and steps one square straight forward",
            ),
            (
                "gQ",
                "hops like a queen over the first unit to the square right behind it",
            ),
            ("NN", "rides in leaps like a knight, again and again"),
            ("R3", "slides like a rook up to 3 squares"),
            ("fsR", "slides like a rook sideways or straight forward"),
            (
                "imA",
                "moves without capturing by leaping two squares diagonally (from the double-step region only)",
            ),
        ] {
            let said = Movement::parse(text).unwrap().words();
            assert_eq!(said, words, "{text}");
        }
    }
}
