//! Claims files: TOML that says what is asserted of a rule set, in words and as a check.
//!
//! | file | responsibility |
//! |---|---|
//! | `source_text.rs` | the text, and errors that point into it |
//! | `node.rs` | values with their places |
//! | `fields.rs` | typed access to the keys of a table |
//! | `expand.rs` | `for`: placeholders and instances |
//! | `number.rs` | exact numbers, compared to the digits given |
//! | `spec.rs` | a file as plain structs |
//! | `read.rs` | text to structs |

mod expand;
mod fields;
mod node;
mod number;
mod read;
mod source_text;
mod spec;

pub use number::{Number, Ratio};
pub use read::{read, referred};
pub use source_text::{SourceText, Text};
pub use spec::*;
