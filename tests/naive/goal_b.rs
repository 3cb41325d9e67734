//! GOAL variants, glory to series-helpmate.

use super::{Law, Options};

/// The law of a variant of this file.
pub fn law(id: &str, _options: &Options) -> Result<Box<dyn Law>, String> {
    match id {
        "glory" => Err("not written yet".to_string()),
        "junta" => Err("not written yet".to_string()),
        "kingmaker" => Err("not written yet".to_string()),
        "linkage" => Err("not written yet".to_string()),
        "moderation" => Err("not written yet".to_string()),
        "prop" => Err("not written yet".to_string()),
        "reentrant" => Err("not written yet".to_string()),
        "regent" => Err("not written yet".to_string()),
        "separation" => Err("not written yet".to_string()),
        "series-helpmate" => Err("not written yet".to_string()),
        _ => Err(format!("unknown variant {id}")),
    }
}
