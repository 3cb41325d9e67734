//! Proof and disproof numbers of a position with a number of plies left.

/// The infinite proof or disproof number.
pub const NEVER: u32 = 1 << 30;
/// The proof number of a position that is given up on the current line, because it repeats a position or the
/// line is too long. Such a position is not disproven, and the number is never stored.
pub const HOPELESS: u32 = NEVER - 1;
/// The plies left if their number is not bounded.
pub const ANY: u16 = FOR_EVER - 1;
/// The plies of a disproof that holds for any number of plies left.
pub const FOR_EVER: u16 = u16::MAX;

/// The proof and the disproof number of a position, and the number of plies for which they hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofNumbers {
    /// Proof number: 0 if proven, [`NEVER`] if disproven.
    pub pn: u32,
    /// Disproof number: 0 if disproven, [`NEVER`] if proven.
    pub dn: u32,
    /// For a proven position, the goal is forced within this number of plies. For a disproven one, it is not
    /// forced within this number. Otherwise, this is the number of plies left.
    pub plies: u16,
}

impl ProofNumbers {
    /// Returns the entry of a position in which the goal is forced within `plies`.
    pub fn proven(plies: u16) -> ProofNumbers {
        ProofNumbers {
            pn: 0,
            dn: NEVER,
            plies,
        }
    }

    /// Returns the entry of a position in which the goal cannot be forced within `plies`.
    pub fn disproven(plies: u16) -> ProofNumbers {
        ProofNumbers {
            pn: NEVER,
            dn: 0,
            plies,
        }
    }

    /// Returns the entry of a position that is neither proven nor disproven.
    pub fn open(pn: u32, dn: u32, plies: u16) -> ProofNumbers {
        ProofNumbers {
            pn: pn.clamp(1, NEVER - 1),
            dn: dn.clamp(1, NEVER - 1),
            plies,
        }
    }

    /// Returns whether the goal is known to be forced.
    #[inline]
    pub fn is_proven(&self) -> bool {
        self.pn == 0
    }

    /// Returns whether it is known that the goal cannot be forced.
    #[inline]
    pub fn is_disproven(&self) -> bool {
        self.dn == 0
    }

    /// Returns whether the position is open and the current line cannot decide it.
    #[inline]
    pub fn is_hopeless(&self) -> bool {
        self.is_open() && self.pn >= HOPELESS
    }

    /// Returns whether these numbers of a child settle its parent. `attacks` states whether the attacker is
    /// to move at the parent.
    #[inline]
    pub fn settles(&self, attacks: bool) -> bool {
        if attacks {
            self.is_proven()
        } else {
            self.is_disproven()
        }
    }

    /// Returns whether the position is neither proven nor disproven.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.pn != 0 && self.dn != 0
    }
}

/// Returns one ply more. [`FOR_EVER`] does not change.
#[inline]
pub fn one_more(plies: u16) -> u16 {
    plies.saturating_add(1)
}

/// Returns the plies left after one ply. [`ANY`] does not change.
#[inline]
pub fn after_one(plies: u16) -> u16 {
    if plies == ANY { ANY } else { plies - 1 }
}
