//! What is known of a position with a number of plies left.

/// A number that means "never".
pub const NEVER: u32 = 1 << 30;
/// A proof number of what is given up on this line: it repeats a position, or is too long. It is
/// not disproven, and never noted.
pub const HOPELESS: u32 = NEVER - 1;
/// Plies left where their number is not bounded.
pub const ANY: u16 = FOR_EVER - 1;
/// Plies of a disproof that holds however many are left.
pub const FOR_EVER: u16 = u16::MAX;

/// Proof and disproof number of a position, and for how many plies they hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofNumbers {
    /// Proof number: 0 proven, [`NEVER`] disproven.
    pub pn: u32,
    /// Disproof number: 0 disproven, [`NEVER`] proven.
    pub dn: u32,
    /// Proven: within this number of plies. Disproven: within no more than this number. Else: the plies left.
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

    /// Neither is known.
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

    /// Returns whether it is known that it cannot.
    #[inline]
    pub fn is_disproven(&self) -> bool {
        self.dn == 0
    }

    /// Returns whether neither is known, and this line will not decide it.
    #[inline]
    pub fn is_hopeless(&self) -> bool {
        self.is_open() && self.pn >= HOPELESS
    }

    /// Returns whether it settles a position that a turn of the attacker (or else of the other side) leads
    /// from to one of which this is known.
    #[inline]
    pub fn settles(&self, attacks: bool) -> bool {
        if attacks {
            self.is_proven()
        } else {
            self.is_disproven()
        }
    }

    /// Returns whether neither is known.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.pn != 0 && self.dn != 0
    }
}

/// Returns one more ply; for ever stays for ever.
#[inline]
pub fn one_more(plies: u16) -> u16 {
    plies.saturating_add(1)
}

/// Returns the plies left after one ply.
#[inline]
pub fn after_one(plies: u16) -> u16 {
    if plies == ANY { ANY } else { plies - 1 }
}
