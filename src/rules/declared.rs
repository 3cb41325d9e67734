//! Fields of the variant state and options that a rule text declares.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// The type of a declared field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldType {
    /// A whole number in a range. The least is the default.
    Number {
        /// The least number.
        least: u32,
        /// The greatest number.
        most: u32,
    },
    /// One of some words. The first is the default.
    Words(&'static [&'static str]),
    /// 0 or 1.
    Flag,
    /// A kind of unit, or none.
    Kind,
    /// A set of kinds.
    Kinds,
    /// A side, or none.
    Side,
    /// A set of sides.
    Sides,
    /// A square, or none.
    Square,
}

/// A declared field of the variant state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeclaredField {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub kind: FieldType,
    /// Whether each side has a value of its own.
    pub of_side: bool,
}

/// Returns a list of texts with a static lifetime. Equal lists are stored once and never freed.
pub fn interned_list(texts: &[&str]) -> &'static [&'static str] {
    static LISTS: Mutex<BTreeMap<String, &'static [&'static str]>> = Mutex::new(BTreeMap::new());
    let mut lists = LISTS.lock().unwrap_or_else(PoisonError::into_inner);
    let new = || {
        let texts: Vec<&'static str> = texts.iter().map(|text| interned(text)).collect();
        &*Box::leak(texts.into_boxed_slice())
    };
    lists.entry(texts.join("\n")).or_insert_with(new)
}

/// Returns a text with a static lifetime. Equal texts are stored once and never freed.
pub fn interned(text: &str) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    match texts.get(text) {
        Some(known) => known,
        None => {
            let new: &'static str = Box::leak(text.to_owned().into_boxed_str());
            texts.insert(new);
            new
        }
    }
}
