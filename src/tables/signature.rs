//! Material signatures: `KRvK`, the units of White, `v`, the units of Black; then, where the
//! variant has a state, `;` and the state as in a FEN, bound units without squares.

use super::key::{ClassKey, MAX_UNITS};
use board::{Color, Kind};
use diagnostics::Diagnostic;
use per_layout::per_layout;
use position::{BoundUnits, Layout, Position};
use rules::Game;

/// A material signature of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    text: String,
    keys: [ClassKey; 2],
}

#[per_layout]
impl Signature {
    /// Reads a signature.
    ///
    /// # Errors
    /// If a letter is not a unit of the rule set, the text is not of the form `KRvK`, or the units do not fit on the board.
    pub fn parse<W: Layout>(game: &dyn Game<W>, text: &str) -> Result<Signature, Diagnostic> {
        let wrong = |why: String| {
            Diagnostic::new(format!("signature `{text}`"), why)
                .help("White's units, `v`, Black's units, such as `KRvK`; a state after a `;`")
        };
        let (units, state) = match text.split_once(';') {
            Some((units, state)) => (units, Some(state)),
            None => (text, None),
        };
        let Some((white, black)) = units.split_once('v') else {
            return Err(wrong("there is no `v` between the two sides".to_string()));
        };
        let men = game.men();
        let kind_of = |c: char| -> Result<Kind, Diagnostic> {
            men.named(&c.to_ascii_uppercase().to_string())
                .filter(|_| c.is_ascii_alphabetic())
                .ok_or_else(|| {
                    let known: Vec<String> = men
                        .kinds()
                        .map(|kind| men.name(Color::White, kind).to_string())
                        .collect();
                    let apart = if men.count() > 6 { " " } else { "" };
                    wrong(format!("`{c}` is not a unit of this variant"))
                        .help(format!("its units: {}", known.join(apart)))
                })
        };
        let mut key = ClassKey::empty(Color::White);
        for (color, letters) in Color::BOTH.into_iter().zip([white, black]) {
            let letters: Vec<char> = letters.chars().collect();
            let mut at = 0;
            while let Some(&c) = letters.get(at) {
                // What has promoted has a sign before or behind its letter.
                let signed = match (c, letters.get(at + 1)) {
                    ('+', Some(letter)) => men.named(&format!("+{letter}")),
                    (letter, Some('~')) => men.named(&format!("{letter}~")),
                    _ => None,
                };
                let kind = match signed {
                    Some(kind) => kind,
                    None if !c.is_ascii_uppercase() => {
                        return Err(wrong(format!(
                            "`{c}` is not an upper-case letter of a unit"
                        )));
                    }
                    None => kind_of(c)?,
                };
                at += 1 + usize::from(signed.is_some());
                if key.total() >= MAX_UNITS {
                    return Err(wrong(format!("a table holds at most {MAX_UNITS} units")));
                }
                key = key.with(color, kind, false);
            }
        }
        let mut p = Position::<W>::empty();
        if let Some(state) = state {
            for item in state.split(';') {
                let Some((name, value)) = item.split_once('=') else {
                    return Err(wrong(format!("`{item}` is not of the form `key=value`")));
                };
                if let Some(carried) = game.carried().fields() {
                    if name == "hand" && carried.hand(&p).is_some() {
                        let held = value.chars().filter(|c| c.is_ascii_alphabetic()).count();
                        if key.total() + held > MAX_UNITS {
                            return Err(wrong(format!("a table holds at most {MAX_UNITS} units")));
                        }
                        carried.set_hand(&mut p, value).map_err(&wrong)?;
                        continue;
                    }
                    if name == "checks" && carried.checks(&p).is_some() {
                        let left = value.split_once('+').and_then(|(white, black)| {
                            Some([white.parse().ok()?, black.parse().ok()?])
                        });
                        let Some(left) = left else {
                            return Err(wrong(format!("`{value}` is not of the form `3+3`")));
                        };
                        carried.set_checks(&mut p, left).map_err(&wrong)?;
                        continue;
                    }
                }
                if !game
                    .variant()
                    .rule_set
                    .state()
                    .iter()
                    .any(|(k, _)| *k == name)
                {
                    return Err(wrong(format!("this variant's state has no key `{name}`")));
                }
                if <W::Bound as BoundUnits>::CAPACITY > 0 && name == "bound" {
                    for c in value.chars() {
                        let color = if c.is_ascii_uppercase() {
                            Color::White
                        } else {
                            Color::Black
                        };
                        if key.total() >= MAX_UNITS {
                            return Err(wrong(format!("a table holds at most {MAX_UNITS} units")));
                        }
                        key = key.with(color, kind_of(c)?, true);
                    }
                    continue;
                }
                game.carried()
                    .read_state(game.board(), &mut p, name, value)
                    .map_err(&wrong)?;
            }
        }
        if key.total() == 0 {
            return Err(wrong("it names no unit".to_string()));
        }
        for (color, name) in Color::BOTH.into_iter().zip(["White", "Black"]) {
            for &(kind, least, most) in game.unit_bounds() {
                let n = (key.count(color, kind) + key.bound_count(color, kind)) as u32;
                if !(least..=most).contains(&n) {
                    let letter = men.letter(Color::White, kind);
                    let number = match (least, most) {
                        (least, most) if least == most => format!("{least}"),
                        (0, most) => format!("at most {most}"),
                        (least, most) => format!("{least} to {most}"),
                    };
                    return Err(wrong(format!(
                        "{name} has {n} `{letter}`; it must be {number}"
                    )));
                }
            }
        }
        if let Some(tables) = game.tables() {
            tables.check_tables().map_err(&wrong)?;
        }
        key.state = p.state;
        Ok(Signature {
            text: text.to_string(),
            keys: Color::BOTH.map(|side| {
                let mut key = key;
                key.side = side;
                key
            }),
        })
    }
}

impl Signature {
    /// Returns the classes with White and with Black to move.
    pub fn keys(&self) -> [ClassKey; 2] {
        self.keys
    }
}

impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
