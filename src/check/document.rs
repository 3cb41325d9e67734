//! Reads documents in TOML and JSON. A field that occurs twice is an error.

use naive::Document;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// A document that is being read.
pub(crate) struct Read(pub Document);

struct ReadVisitor;

impl<'de> Deserialize<'de> for Read {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Read, D::Error> {
        deserializer.deserialize_any(ReadVisitor)
    }
}

/// Visits values that are stored as they are printed.
macro_rules! printed {
    ($($visit:ident: $type:ty),*) => {$(
        fn $visit<E>(self, value: $type) -> Result<Read, E> {
            Ok(Read(Document::Text(value.to_string())))
        }
    )*};
}

impl<'de> Visitor<'de> for ReadVisitor {
    type Value = Read;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number, a list or a record")
    }

    printed!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str);

    fn visit_unit<E>(self) -> Result<Read, E> {
        Ok(Read(Document::Text("null".to_string())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Read, A::Error> {
        let mut list = Vec::new();
        while let Some(Read(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Read(Document::List(list)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Read, A::Error> {
        let mut fields = BTreeMap::new();
        while let Some((name, Read(value))) = map.next_entry::<String, Read>()? {
            if fields.insert(name.clone(), value).is_some() {
                return Err(A::Error::custom(format!("the field `{name}` occurs twice")));
            }
        }
        Ok(Read(Document::Record(fields)))
    }
}
