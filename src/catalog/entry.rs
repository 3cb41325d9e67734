//! Entries of a catalog: the information on a rule set that is available without opening it.

use definition::Definition;
use notation::fen;
use rules::{Variant, VariantInfo};

/// A rule set of a catalog that need not be open.
#[derive(Clone, Copy, Debug)]
pub enum Entry<'c> {
    /// A compiled rule set.
    Compiled(&'static VariantInfo),
    /// A definition without errors.
    Defined(&'c Definition),
}

impl<'c> Entry<'c> {
    /// Returns the name that users type.
    pub fn id(&self) -> &'c str {
        match self {
            Entry::Compiled(info) => info.id,
            Entry::Defined(definition) => &definition.name,
        }
    }

    /// Returns the full name.
    pub fn name(&self) -> &'c str {
        match self {
            Entry::Compiled(info) => info.name,
            Entry::Defined(definition) => &definition.name,
        }
    }

    /// Returns the inventor, or an empty text for a definition.
    pub fn inventor(&self) -> &'static str {
        match self {
            Entry::Compiled(info) => info.inventor,
            Entry::Defined(_) => "",
        }
    }

    /// Returns the publication of the rules.
    pub fn page(&self) -> &'static str {
        match self {
            Entry::Compiled(info) => info.page,
            Entry::Defined(_) => "a definition",
        }
    }

    /// Returns the numbers of files and ranks of the board, such as `8x8`.
    pub fn board(&self) -> String {
        match self {
            Entry::Compiled(info) => {
                let start = Variant::from(*info).start();
                fen::shape(&start).map_or_else(|_| "?".to_string(), |shape| shape.size())
            }
            Entry::Defined(definition) => definition.board.size(),
        }
    }

    /// Returns the differences from orthodox chess in one line.
    pub fn difference(&self) -> String {
        match self {
            Entry::Compiled(info) => info.difference.to_owned(),
            Entry::Defined(definition) => definition.summary(),
        }
    }
}
