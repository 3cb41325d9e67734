//! The declarations of a compiled rule set in addition to its hooks: names, options, start position, outcomes
//! and more.

use super::fide::{self, Fide};
use super::{AnyGame, Options, Reason, Rules, UnsupportedBoard, Variant, reason};
use board::Geometry;
use position::{Narrow, Wide};

/// A compiled rule set: its name, options, start position and so on. The function `open` binds its hooks, the
/// [`Rules`], to a board.
pub struct VariantInfo {
    /// The name that users type.
    pub id: &'static str,
    /// The full name.
    pub name: &'static str,
    /// The inventor of the variant.
    pub inventor: &'static str,
    /// The place where the rules were published.
    pub page: &'static str,
    /// The differences from orthodox chess, in one line.
    pub difference: &'static str,
    /// The options of the variant.
    pub options: &'static [VariantOption],
    /// Keys of the state field, in order, with their meaning.
    pub state: &'static [(&'static str, &'static str)],
    /// The reasons for the end of a game with their meaning, in the order in which they are tested.
    pub reasons: &'static [(Reason, &'static str)],
    /// The source file of the rule set. Its opening comment is the variant's page in the rule book.
    pub source: &'static str,
    /// Returns the start position.
    pub start: fn(&Options) -> String,
    /// Binds the rule set to a board.
    pub open: fn(&Variant, Geometry) -> AnyGame,
    /// Checks whether the rule set can be played on a board of this shape. The error names the possible
    /// shapes.
    pub fits: fn(Geometry) -> Result<(), UnsupportedBoard>,
    /// White's letters of castling rights in a FEN: first for the rook on the higher file, then for the rook
    /// on the lower file. Variants without castling read these letters, too, and ignore them.
    pub castling_letters: [char; 2],
}

impl VariantInfo {
    /// Orthodox chess. Other variants declare only differences from it.
    pub const FIDE: VariantInfo = VariantInfo {
        id: "fide",
        name: "Orthodox chess",
        inventor: "traditional",
        page: "FIDE Laws of Chess",
        difference: "the base that all others differ from",
        options: &[],
        state: &[],
        reasons: &[MATE, STALEMATE],
        source: "",
        start: |_| fide::START.to_string(),
        open: |variant, geometry| AnyGame::plain(Fide, variant.clone(), geometry),
        fits: |_| Ok(()),
        castling_letters: ['K', 'Q'],
    };

    /// Returns the declarations of orthodox chess for the rule set `R`, which has no options, with the text
    /// of its source file.
    pub const fn of<R>(source: &'static str) -> VariantInfo
    where
        R: Rules<Narrow> + Rules<Wide> + Default + 'static,
    {
        VariantInfo {
            source,
            open: |variant, geometry| AnyGame::plain(R::default(), variant.clone(), geometry),
            ..VariantInfo::FIDE
        }
    }

    /// Returns the variant's page in the rule book: the comment at the head of its source file.
    pub fn page_text(&self) -> String {
        self.source
            .lines()
            .map_while(|line| line.strip_prefix("//!"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect::<Vec<_>>()
            .join("\n")
    }
}

impl std::fmt::Debug for VariantInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
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

/// The purpose of an option, which decides which lists contain it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionPurpose {
    /// For players: the page describes the option, and all lists contain it.
    Play,
    /// For claims that compare the game with and without a mechanism. Only `verify --sensitivity` toggles the
    /// option.
    Comparison,
    /// For the second reading of an ambiguous rule. Only `verify --rulings` toggles the option.
    Ruling,
}

/// An option of a variant.
#[derive(Clone, Copy, Debug)]
pub struct VariantOption {
    /// The name that users type.
    pub name: &'static str,
    /// The smallest and the largest number that the option accepts; `None` for a flag.
    pub range: Option<(u32, u32)>,
    /// The purpose of the option.
    pub purpose: OptionPurpose,
    /// The effect of the option, for help texts.
    pub help: &'static str,
}

impl VariantOption {
    /// Returns whether lists of options contain the option.
    pub fn is_listed(&self) -> bool {
        self.purpose == OptionPurpose::Play
    }
}
