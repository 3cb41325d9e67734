//! GOAL variants, blunder-mate to entourage.

use super::{Law, Options};

/// The law of a variant of this file.
pub fn law(id: &str, _options: &Options) -> Result<Box<dyn Law>, String> {
    match id {
        "blunder-mate" => Err("not written yet".to_string()),
        "clerical" => Err("not written yet".to_string()),
        "concurrent" => Err("not written yet".to_string()),
        "counselor" => Err("not written yet".to_string()),
        "contravention" => Err("not written yet".to_string()),
        "deadline" => Err("not written yet".to_string()),
        "decastellation" => Err("not written yet".to_string()),
        "donnybrook" => Err("not written yet".to_string()),
        "dowager" => Err("not written yet".to_string()),
        "dynastic" => Err("not written yet".to_string()),
        "entourage" => Err("not written yet".to_string()),
        _ => Err(format!("unknown variant {id}")),
    }
}
