//! Names of kinds: words, and the letters of the FEN.

use board::{Color, Kind, Men};
use rules::{RuleSet, Variant};

/// The name of a kind of unit in expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KindName {
    /// The name. Expressions may write it in any case.
    pub name: String,
    /// The letter in upper case.
    pub letter: char,
    /// The kinds of the rule set that have this name, one bit for each [`Kind::index`]. A piece of a
    /// definition has several kinds if its units remember their earlier kind.
    pub kinds: u64,
}

/// The words for the letters that compiled rule sets use.
const WORDS: [(char, &str); 8] = [
    ('P', "pawn"),
    ('N', "knight"),
    ('B', "bishop"),
    ('R', "rook"),
    ('Q', "queen"),
    ('K', "king"),
    ('A', "advocate"),
    ('L', "prelate"),
];

/// Returns the names of all kinds in compiled rule sets.
pub(crate) fn compiled_names<'a>() -> impl Iterator<Item = &'a str> {
    WORDS.iter().map(|(_, name)| *name)
}

/// Returns the names of a rule set's kinds, in the order of their numbers.
pub fn kind_names(variant: &Variant, men: &Men) -> Vec<KindName> {
    if let RuleSet::Defined(defined) = &variant.rule_set {
        let names = defined.piece_names().into_iter();
        return names
            .filter(|(_, kinds)| *kinds != 0)
            .map(|(name, kinds)| KindName {
                name,
                letter: letter(men, kinds),
                kinds,
            })
            .collect();
    }
    men.kinds()
        .map(|kind| {
            let kinds = 1 << kind.index();
            let letter = letter(men, kinds);
            let word = WORDS.iter().find(|(l, _)| *l == letter);
            KindName {
                name: word.map_or_else(|| letter.to_string(), |(_, word)| (*word).to_owned()),
                letter,
                kinds,
            }
        })
        .collect()
}

/// Returns the letter of the first of these kinds.
fn letter(men: &Men, kinds: u64) -> char {
    let first = Kind::from_index(kinds.trailing_zeros() as usize);
    let name = men.name(Color::White, first);
    name.chars().find(|c| *c != '+').unwrap_or('?')
}
