//! Rule sets, compiled or made from definitions, and variants, which are rule sets with their options.

use super::{AnyGame, Reason, UnsupportedBoard, VariantInfo, VariantOption};
use board::Geometry;
use board::field::BoardField;
use diagnostics::{Diagnostic, nearest, whole_number};
use std::sync::Arc;

/// A shared rule set. Cloning costs at most an increment of a reference count.
#[derive(Clone)]
pub enum RuleSet {
    /// A rule set that is compiled into the program.
    Compiled(&'static VariantInfo),
    /// A rule set made from a definition. It is freed with its last owner.
    Defined(Arc<dyn DefinedRules>),
}

/// A rule set made from a definition.
pub trait DefinedRules: Send + Sync {
    /// Returns the name that users type.
    fn id(&self) -> &str;
    /// Returns the differences from orthodox chess, in one line.
    fn difference(&self) -> &str;
    /// Returns the keys of the state field, in order, with their meaning.
    fn state(&self) -> &[(&'static str, &'static str)];
    /// Returns the reasons of outcomes with their meaning, in the order in which they are tested.
    fn reasons(&self) -> &[(Reason, &'static str)];
    /// Returns the names of the pieces, each with its kinds as a set of bits by
    /// [`Kind::index`](board::Kind::index). A name has several kinds if units remember their former kind.
    fn piece_names(&self) -> Vec<(String, u64)>;
    /// Returns the options.
    fn options(&self) -> &[VariantOption] {
        &[]
    }
    /// Returns the names of the sections whose clauses apply.
    fn sections(&self) -> Vec<&str> {
        Vec::new()
    }
    /// Returns the letters of orthodox chess, in upper case, that other pieces have here. Pictures draw these
    /// pieces as letters.
    fn drawn_as_letters(&self) -> String;
    /// Returns the start position.
    fn start(&self) -> &str;
    /// Returns the page in the rule book.
    fn page_text(&self) -> &str;
    /// Returns a hash of the complete definition. Files that depend on the rules contain the hash, so that
    /// they are not used with other rules.
    fn fingerprint(&self) -> u64;
    /// Returns the digest of the text that decides the rules, in hexadecimal. Unlike the fingerprint, it can be
    /// computed from the text alone.
    fn digest(&self) -> &str;
    /// Returns the board with these numbers of files and ranks and the holes of the definition's board.
    ///
    /// # Errors
    /// The boards on which the rule set can be played.
    fn board(&self, files: u8, ranks: u8) -> Result<Geometry, UnsupportedBoard>;
    /// Binds the rule set with these options to a board. Games are bound once, and kept with the rule set.
    ///
    /// # Errors
    /// If the rule set cannot be played on such a board, or has an error on it or with these options.
    fn open(&self, options: &Options, geometry: Geometry) -> Result<AnyGame, Diagnostic>;
    /// Like [`open`](Self::open), but for a position with the units of the field `board` and those in
    /// `hand`. If hands can then become larger than in games from the start position, the game's variant has
    /// a different fingerprint.
    ///
    /// # Errors
    /// As for [`open`](Self::open), and if the variant state is too small for the hands.
    fn open_for(
        &self,
        options: &Options,
        geometry: Geometry,
        board: &BoardField<'_>,
        hand: &str,
    ) -> Result<AnyGame, Diagnostic>;
}

/// The name of the page of rule sets made from definitions.
const A_DEFINITION: &str = "a definition";

impl RuleSet {
    /// Returns the name that users type.
    pub fn id(&self) -> &str {
        match self {
            RuleSet::Compiled(info) => info.id,
            RuleSet::Defined(defined) => defined.id(),
        }
    }

    /// Returns the full name.
    pub fn name(&self) -> &str {
        match self {
            RuleSet::Compiled(info) => info.name,
            RuleSet::Defined(defined) => defined.id(),
        }
    }

    /// Returns the inventor, or an empty text for a definition, which does not name one.
    pub fn inventor(&self) -> &str {
        match self {
            RuleSet::Compiled(info) => info.inventor,
            RuleSet::Defined(_) => "",
        }
    }

    /// Returns the place where the rules were published.
    pub fn page(&self) -> &str {
        match self {
            RuleSet::Compiled(info) => info.page,
            RuleSet::Defined(_) => A_DEFINITION,
        }
    }

    /// Returns the differences from orthodox chess, in one line.
    pub fn difference(&self) -> &str {
        match self {
            RuleSet::Compiled(info) => info.difference,
            RuleSet::Defined(defined) => defined.difference(),
        }
    }

    /// Returns the options.
    pub fn options(&self) -> &[VariantOption] {
        match self {
            RuleSet::Compiled(info) => info.options,
            RuleSet::Defined(defined) => defined.options(),
        }
    }

    /// Returns the keys of the state field, in order, with their meaning.
    pub fn state(&self) -> &[(&'static str, &'static str)] {
        match self {
            RuleSet::Compiled(info) => info.state,
            RuleSet::Defined(defined) => defined.state(),
        }
    }

    /// Returns the reasons of outcomes with their meaning, in the order in which they are tested.
    pub fn reasons(&self) -> &[(Reason, &'static str)] {
        match self {
            RuleSet::Compiled(info) => info.reasons,
            RuleSet::Defined(defined) => defined.reasons(),
        }
    }

    /// Returns the letters of orthodox chess, in upper case, that other pieces have here. Pictures draw these
    /// pieces as letters.
    pub fn drawn_as_letters(&self) -> String {
        match self {
            RuleSet::Compiled(_) => String::new(),
            RuleSet::Defined(defined) => defined.drawn_as_letters(),
        }
    }

    /// Returns White's letters of castling rights, first the letter for the rook on the higher file.
    pub fn castling_letters(&self) -> [char; 2] {
        match self {
            RuleSet::Compiled(info) => info.castling_letters,
            RuleSet::Defined(_) => VariantInfo::FIDE.castling_letters,
        }
    }

    /// Returns the board with these numbers of files and ranks on which the rule set can be played. A
    /// definition's board keeps its holes.
    ///
    /// # Errors
    /// The shapes on which the rule set can be played.
    pub fn board(&self, files: u8, ranks: u8) -> Result<Geometry, UnsupportedBoard> {
        match self {
            RuleSet::Compiled(info) => {
                let board = Geometry::new(files, ranks, 0, false)
                    .ok_or_else(|| format!("there are no boards of {files}x{ranks}"))?;
                (info.fits)(board).map(|()| board)
            }
            RuleSet::Defined(defined) => defined.board(files, ranks),
        }
    }

    /// Returns the page in the rule book.
    pub fn page_text(&self) -> String {
        match self {
            RuleSet::Compiled(info) => info.page_text(),
            RuleSet::Defined(defined) => defined.page_text().to_owned(),
        }
    }

    /// Returns the fingerprint of a definition; `None` for a compiled rule set.
    pub fn fingerprint(&self) -> Option<u64> {
        match self {
            RuleSet::Compiled(_) => None,
            RuleSet::Defined(defined) => Some(defined.fingerprint()),
        }
    }

    /// Returns the digest of the text that decides the rules of a definition; `None` for a compiled rule set.
    pub fn digest(&self) -> Option<&str> {
        match self {
            RuleSet::Compiled(_) => None,
            RuleSet::Defined(defined) => Some(defined.digest()),
        }
    }
}

impl From<&'static VariantInfo> for RuleSet {
    fn from(info: &'static VariantInfo) -> RuleSet {
        RuleSet::Compiled(info)
    }
}

impl std::fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

/// Two rule sets are equal if they have the same name and, if they are made from definitions, the same
/// content.
impl PartialEq for RuleSet {
    fn eq(&self, other: &RuleSet) -> bool {
        self.id() == other.id() && self.fingerprint() == other.fingerprint()
    }
}

/// The chosen options, each at most once, with its number if the option takes one.
pub type Options = Vec<(&'static str, Option<u32>)>;

/// A rule set with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The rule set.
    pub rule_set: RuleSet,
    /// The options, in the order of [`RuleSet::options`].
    pub options: Options,
}

impl Variant {
    /// Parses the options of a rule set from a text such as `option,option=value`.
    ///
    /// # Errors
    /// If the rule set does not have an option, an option is given twice, or its value is out of range.
    pub fn new(rule_set: impl Into<RuleSet>, options: Option<&str>) -> Result<Variant, Diagnostic> {
        let rule_set = rule_set.into();
        let id = rule_set.id();
        let wrong = |why: String| {
            let what = match options {
                Some(options) => format!("variant `{id}:{options}`"),
                None => format!("variant `{id}`"),
            };
            Diagnostic::new(what, why)
        };
        if let Some((options, conditions)) = options.and_then(|options| options.split_once('+'))
            && conditions.starts_with(|c: char| c.is_ascii_alphabetic())
        {
            let help = format!("write `{id}+{conditions}:{options}`");
            return Err(wrong("conditions come before options".to_owned()).help(help));
        }
        let known = rule_set.options().to_vec();
        let mut chosen = Options::new();
        for item in options.into_iter().flat_map(|list| list.split(',')) {
            // The name of an option may itself contain `=`, as `fourth=own` does.
            let is_name = known.iter().any(|option| option.name == item);
            let (name, value) = match item.split_once('=').filter(|_| !is_name) {
                Some((name, value)) => (name, Some(value)),
                None => (item, None),
            };
            let Some(option) = known.iter().find(|option| option.name == name) else {
                let error = wrong(format!("`{id}` has no option `{name}`"));
                return Err(error.help(options_help(id, name, &known)));
            };
            if chosen.iter().any(|(chosen, _)| *chosen == name) {
                return Err(wrong(format!("option `{name}` is given twice")));
            }
            let value = match (option.range, value) {
                (None, None) => None,
                (None, Some(_)) => {
                    return Err(wrong(format!("option `{name}` takes no value")));
                }
                (Some((min, max)), value) => {
                    let number = value
                        .filter(|v| whole_number(v))
                        .and_then(|v| v.parse::<u32>().ok())
                        .filter(|n| (min..=max).contains(n));
                    let Some(number) = number else {
                        let why =
                            format!("option `{name}` takes a whole number from {min} to {max}");
                        return Err(wrong(why).help(format!("for example `{id}:{name}={max}`")));
                    };
                    Some(number)
                }
            };
            chosen.push((option.name, value));
        }
        chosen.sort_by_key(|(name, _)| known.iter().position(|option| option.name == *name));
        Ok(Variant {
            rule_set,
            options: chosen,
        })
    }

    /// Returns whether a flag is set.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(n, _)| *n == name)
    }

    /// Returns the number of an option, if the option was given.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.options
            .iter()
            .find(|(n, _)| *n == name)
            .and_then(|(_, value)| *value)
    }

    /// Returns the start position.
    pub fn start(&self) -> String {
        match &self.rule_set {
            RuleSet::Compiled(info) => (info.start)(&self.options),
            RuleSet::Defined(defined) => defined.start().to_owned(),
        }
    }

    /// Binds the rule set to a board of this shape.
    ///
    /// # Errors
    /// If the rule set cannot be played on such a board, or has an error on it or with the options.
    pub fn on(&self, geometry: Geometry) -> Result<AnyGame, Diagnostic> {
        let refused = |why: String| Diagnostic::new(format!("variant `{self}`"), why);
        match &self.rule_set {
            RuleSet::Compiled(info) => {
                (info.fits)(geometry).map_err(|why| refused(why.into()))?;
                Ok((info.open)(self, geometry))
            }
            RuleSet::Defined(defined) => {
                let opened = defined.open(&self.options, geometry);
                opened.map_err(|error| refused(error.why))
            }
        }
    }

    /// Binds the rule set to a board of this shape, for a position with the units of the field `board` and
    /// those in `hand`.
    ///
    /// # Errors
    /// As for [`on`](Self::on), and if the variant state is too small for the hands.
    pub fn on_for(
        &self,
        geometry: Geometry,
        board: &BoardField<'_>,
        hand: &str,
    ) -> Result<AnyGame, Diagnostic> {
        match &self.rule_set {
            RuleSet::Compiled(_) => self.on(geometry),
            RuleSet::Defined(defined) => defined.open_for(&self.options, geometry, board, hand),
        }
    }

    /// Returns the name with the options and, for a definition, its fingerprint. Variants with equal
    /// identities have equal rules. Files that depend on the rules contain the identity.
    pub fn identity(&self) -> String {
        match self.rule_set.fingerprint() {
            Some(fingerprint) => format!("{self}#{fingerprint:016x}"),
            None => self.to_string(),
        }
    }
}

/// Returns the help for an option that a rule set does not have.
fn options_help(id: &str, name: &str, known: &[VariantOption]) -> String {
    let listed = known.iter().filter(|option| option.is_listed());
    let names: Vec<&str> = listed.map(|option| option.name).collect();
    if names.is_empty() {
        return format!("`{id}` takes no options");
    }
    let hint = nearest(name, names.iter().copied())
        .map_or(String::new(), |near| format!("did you mean `{near}`? "));
    format!("{hint}its options: {}", names.join(", "))
}

/// The variant without options.
impl From<RuleSet> for Variant {
    fn from(rule_set: RuleSet) -> Variant {
        Variant {
            rule_set,
            options: Options::new(),
        }
    }
}

/// The variant without options.
impl From<&'static VariantInfo> for Variant {
    fn from(info: &'static VariantInfo) -> Variant {
        RuleSet::Compiled(info).into()
    }
}

impl std::fmt::Display for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.rule_set.id())?;
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
