//! Claims files: TOML files that state assertions about a rule set, in words and as checks. This module only
//! reads them; `checks` verifies them.
//!
//! | file | responsibility |
//! |---|---|
//! | `source_text.rs` | the text, and errors that point into it |
//! | `node.rs` | values with their places |
//! | `fields.rs` | typed access to the keys of a table |
//! | `expand.rs` | `for`: placeholders and instances |
//! | `number.rs` | exact numbers, compared to the precision given |
//! | `spec.rs` | a file as plain structs |
//! | `read.rs` | text to structs: the page and its claims |
//! | `read_check.rs`, `read_measure.rs`, `read_set.rs`, `read_amend.rs` | the parts of a claim |
//! | `read_ids.rs` | ids and references of a file |

mod expand;
mod fields;
mod node;
mod number;
mod read;
mod read_amend;
mod read_check;
mod read_ids;
mod read_measure;
mod read_set;
mod source_text;
mod spec;

pub use number::{Number, Ratio};
pub use read::read;
pub use read_ids::referred;
pub use source_text::{SourceText, Text};
pub use spec::*;
