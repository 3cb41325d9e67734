//! Slots: the format's names for kinds of piece, with their predefined movements.

/// Number of slots.
pub const SLOTS: usize = 62;

/// Number of custom pieces.
pub const CUSTOM: usize = 25;

/// The slot of the `pawn`.
pub const PAWN: usize = 0;
/// The slot of the `rook`.
pub const ROOK: usize = 3;
/// The slot of the royal `king`, which is the last.
pub const KING: usize = SLOTS - 1;
/// The slot of the first custom piece. The custom pieces precede the king.
pub const FIRST_CUSTOM: usize = KING - CUSTOM;

/// Names and movements of the predefined pieces, in the order in which a section's keys are applied.
const PREDEFINED: [(&str, &str); FIRST_CUSTOM] = [
    ("pawn", "fmWfceF"),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("aiwok", "RNF"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("shogiPawn", "fW"),
    ("lance", "fR"),
    ("shogiKnight", "fN"),
    ("gold", "WfF"),
    ("dragonHorse", "BW"),
    ("clobber", "cW"),
    ("breakthrough", "fmWfF"),
    ("immobile", ""),
    ("cannon", "mRcpR"),
    ("janggiCannon", "pR"),
    ("soldier", "fsW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("janggiElephant", "nZ"),
    ("banner", "RcpRnN"),
    ("wazir", "W"),
    ("commoner", "K"),
    ("centaur", "KN"),
];

/// Returns the name of a slot.
pub fn name(slot: usize) -> String {
    match slot {
        KING => "king".into(),
        FIRST_CUSTOM.. => format!("customPiece{}", slot - FIRST_CUSTOM + 1),
        _ => PREDEFINED[slot].0.into(),
    }
}

/// Returns the names of the predefined pieces.
pub fn predefined_names() -> impl Iterator<Item = &'static str> {
    PREDEFINED.iter().map(|(name, _)| *name)
}

/// Returns the predefined movement of a slot, which is empty for custom pieces.
pub fn movement(slot: usize) -> &'static str {
    match slot {
        KING => "K",
        FIRST_CUSTOM.. => "",
        _ => PREDEFINED[slot].1,
    }
}

/// Returns whether sections can give the slot a movement: it is a custom piece or the king.
pub fn is_written(slot: usize) -> bool {
    slot >= FIRST_CUSTOM
}

/// Returns the slot of a name.
pub fn slot(wanted: &str) -> Option<usize> {
    (0..SLOTS).find(|&slot| name(slot) == wanted)
}

/// Returns the name of a slot with a capital letter, as in `mobilityRegionWhiteKnight`.
pub fn capitalized(slot: usize) -> String {
    let mut name = name(slot);
    name[..1].make_ascii_uppercase();
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Movement;

    #[test]
    fn every_slot_has_a_name_of_its_own_and_a_movement_that_reads() {
        for s in 0..SLOTS {
            assert_eq!(slot(&name(s)), Some(s));
            Movement::parse(movement(s)).unwrap();
        }
        assert_eq!(name(FIRST_CUSTOM), "customPiece1");
        assert_eq!(name(KING - 1), "customPiece25");
    }
}
