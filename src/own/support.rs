//! What the format can say and this program does not carry out, by key.

use crate::{Definition, MaterialCounting};

/// The keys of a definition that are known but not supported, each with the reason.
pub fn unsupported(definition: &Definition) -> Vec<(&'static str, String)> {
    let d = definition;
    let mut keys: Vec<(&'static str, String)> = Vec::new();
    let mut refuse = |says: bool, key: &'static str, why: &str| {
        if says {
            keys.push((key, why.to_owned()));
        }
    };
    refuse(
        d.chess960,
        "chess960",
        "castling from any squares is not carried out",
    );
    refuse(
        d.drops.enclosing.is_some(),
        "enclosingDrop",
        "drops that must enclose are not carried out",
    );
    refuse(
        d.drops.flip.is_some(),
        "flipEnclosedPieces",
        "units that change sides are not carried out",
    );
    refuse(
        d.walling.rule.is_some(),
        "wallingRule",
        "walls placed by turns are not carried out",
    );
    refuse(
        d.checks.bikjang,
        "bikjangRule",
        "kings that face each other by turns of both sides are a matter of the game's past",
    );
    refuse(
        d.checks.diagonal_lines != 0,
        "diagonalLines",
        "lines that some pieces alone follow are not carried out",
    );
    refuse(
        matches!(d.ended.material, Some(MaterialCounting::Janggi)),
        "materialCounting",
        "points of janggi are not counted",
    );
    keys
}
