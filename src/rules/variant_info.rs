//! The card of a rule set, which holds the facts about it that are not hooks, and the variant that a
//! user chooses: a rule set with its options.

use super::fide::{self, Fide};
use super::{AnyGame, Hook, Reason, reason};
use board::Geometry;
use diagnostics::{InputError, nearest, whole_number};

/// The facts about a rule set that are not hooks: its name, options, start position and so on.
pub struct VariantInfo {
    /// The name that users type.
    pub id: &'static str,
    /// Its full name.
    pub name: &'static str,
    /// Who invented it.
    pub inventor: &'static str,
    /// Where its rules were published.
    pub page: &'static str,
    /// What differs from orthodox chess, in one line.
    pub difference: &'static str,
    /// The options that it takes.
    pub options: &'static [OptionCard],
    /// Keys of the state field, in order, with their meaning.
    pub state: &'static [(&'static str, &'static str)],
    /// Reasons of outcomes with their meaning, in the order in which they are tested.
    pub reasons: &'static [(Reason, &'static str)],
    /// Hooks whose behavior differs from orthodox chess.
    pub diff: &'static [Hook],
    /// The source file of the rule set, whose opening comment is its page in the rule book.
    pub source: &'static str,
    /// The start position.
    pub start: fn(&Options) -> String,
    /// Binds the rule set to a board.
    pub open: fn(&Variant, Geometry) -> AnyGame,
    /// Whether the rule set can be played on a board of this shape.
    pub fits: fn(Geometry) -> Result<(), String>,
    /// White's letters of castling rights in a FEN: first the rook on the higher file, then the one on
    /// the lower file. Variants without castling read these letters too, and ignore them.
    pub castling_letters: [char; 2],
    /// For a rule set made of data, replaces `start`, `open` and `fits` above.
    pub made: Option<&'static dyn MadeRules>,
}

/// A rule set made of data: what the functions of the card say about a compiled rule set.
pub trait MadeRules: Send + Sync {
    /// Returns the start position.
    fn start(&self) -> String;
    /// Returns whether the rule set can be played on a board of this shape.
    ///
    /// # Errors
    /// The shapes on which it can.
    fn fits(&self, geometry: Geometry) -> Result<(), String>;
    /// Binds the rule set to its board.
    fn open(&self, variant: &Variant, geometry: Geometry) -> AnyGame;
    /// Returns its page in the rule book.
    fn page(&self) -> String;
    /// Returns a hash of the law, kept in files that depend on it: a file made under another law is not used.
    fn fingerprint(&self) -> u64;
}

impl VariantInfo {
    /// The card of orthodox chess; the cards of other rule sets start from it.
    pub const FIDE: VariantInfo = VariantInfo {
        id: "fide",
        name: "Orthodox chess",
        inventor: "traditional",
        page: "FIDE Laws of Chess",
        difference: "the base that all others differ from",
        options: &[],
        state: &[],
        reasons: &[MATE, STALEMATE],
        diff: &[],
        source: "",
        start: |_| fide::START.to_string(),
        open: |variant, geometry| AnyGame::plain(Fide, variant.clone(), geometry),
        fits: |_| Ok(()),
        castling_letters: ['K', 'Q'],
        made: None,
    };
}

/// The usual meaning of checkmate.
pub const MATE: (Reason, &str) = (
    reason::CHECKMATE,
    "the side to move is in check and has no legal turn: it loses",
);

/// The usual meaning of stalemate.
pub const STALEMATE: (Reason, &str) = (
    reason::STALEMATE,
    "the side to move has no legal turn and is not in check: a draw",
);

impl std::fmt::Debug for VariantInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

impl PartialEq for VariantInfo {
    fn eq(&self, other: &VariantInfo) -> bool {
        self.id == other.id
    }
}

impl VariantInfo {
    /// Returns whether the rule set can be played on a board of this shape.
    ///
    /// # Errors
    /// The shapes on which it can.
    pub fn fits(&self, geometry: Geometry) -> Result<(), String> {
        match self.made {
            Some(made) => made.fits(geometry),
            None => (self.fits)(geometry),
        }
    }

    /// Returns the start position without options.
    pub fn start(&self) -> String {
        match self.made {
            Some(made) => made.start(),
            None => (self.start)(&Vec::new()),
        }
    }

    /// Returns the page in the rule book: the comment at the head of the rule set's source file.
    pub fn page_text(&self) -> String {
        if let Some(made) = self.made {
            return made.page();
        }
        self.source
            .lines()
            .map_while(|line| line.strip_prefix("//!"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// An option of a rule set.
#[derive(Debug)]
pub struct OptionCard {
    /// The name that users type.
    pub name: &'static str,
    /// The smallest and the greatest number that it takes; `None` for a flag.
    pub range: Option<(u32, u32)>,
    /// What it does.
    pub help: &'static str,
}

/// The options that were given, each at most once, with the number of those that take one.
pub type Options = Vec<(&'static str, Option<u32>)>;

/// A rule set with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The rule set.
    pub card: &'static VariantInfo,
    /// Its options, in the order of the card.
    pub options: Options,
}

impl Variant {
    /// Returns the rule set with the options of a text such as `option,option=value`.
    ///
    /// # Errors
    /// The rule set has no such option, an option is given twice, or its value is out of range.
    pub fn new(card: &'static VariantInfo, options: Option<&str>) -> Result<Variant, InputError> {
        let id = card.id;
        let what = || match options {
            Some(options) => format!("variant `{id}:{options}`"),
            None => format!("variant `{id}`"),
        };
        let mut chosen = Options::new();
        for item in options.into_iter().flat_map(|list| list.split(',')) {
            let (name, value) = match item.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (item, None),
            };
            let Some(option) = card.options.iter().find(|o| o.name == name) else {
                let error = InputError::new(what(), format!("`{id}` has no option `{name}`"));
                return Err(if card.options.is_empty() {
                    error.help(format!("`{id}` takes no options"))
                } else {
                    let known: Vec<&str> = card.options.iter().map(|o| o.name).collect();
                    let hint = nearest(name, known.iter().copied())
                        .map_or(String::new(), |near| format!("did you mean `{near}`? "));
                    error.help(format!("{hint}its options: {}", known.join(", ")))
                });
            };
            if chosen.iter().any(|(n, _)| *n == name) {
                return Err(InputError::new(
                    what(),
                    format!("option `{name}` stands twice"),
                ));
            }
            let value = match (option.range, value) {
                (None, None) => None,
                (None, Some(_)) => {
                    return Err(InputError::new(
                        what(),
                        format!("option `{name}` takes no value"),
                    ));
                }
                (Some((least, most)), value) => {
                    let number = value
                        .filter(|v| whole_number(v))
                        .and_then(|v| v.parse::<u32>().ok())
                        .filter(|n| (least..=most).contains(n));
                    let Some(number) = number else {
                        return Err(InputError::new(
                            what(),
                            format!("option `{name}` takes a whole number from {least} to {most}"),
                        )
                        .help(format!("for example `{id}:{name}={most}`")));
                    };
                    Some(number)
                }
            };
            chosen.push((option.name, value));
        }
        chosen.sort_by_key(|(n, _)| card.options.iter().position(|o| o.name == *n));
        Ok(Variant {
            card,
            options: chosen,
        })
    }

    /// Returns whether a flag is set.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(n, _)| *n == name)
    }

    /// Returns the number of an option, if given.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.options
            .iter()
            .find(|(n, _)| *n == name)
            .and_then(|(_, value)| *value)
    }

    /// White's letters of castling rights, that of the rook on the higher file first.
    pub fn castling_letters(&self) -> [char; 2] {
        self.card.castling_letters
    }

    /// Returns the start position.
    pub fn start(&self) -> String {
        match self.card.made {
            Some(made) => made.start(),
            None => (self.card.start)(&self.options),
        }
    }

    /// Binds the rule set to a board of this shape.
    pub fn on(&self, geometry: Geometry) -> AnyGame {
        match self.card.made {
            Some(made) => made.open(self, geometry),
            None => (self.card.open)(self, geometry),
        }
    }
}

impl std::fmt::Display for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.card.id)?;
        for (i, (name, value)) in self.options.iter().enumerate() {
            f.write_str(if i == 0 { ":" } else { "," })?;
            f.write_str(name)?;
            if let Some(value) = value {
                write!(f, "={value}")?;
            }
        }
        Ok(())
    }
}
