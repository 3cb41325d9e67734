//! Names of rule sets as other programs and PGN files write them: `King of the Hill`, `Three-check`.

use crate::Catalog;
use diagnostics::Diagnostic;
use rules::Variant;

/// Names that do not resemble the name of the rule set, in lower case without blanks and signs.
const ALIASES: [(&str, &str); 8] = [
    ("standard", "fide"),
    ("normal", "fide"),
    ("classical", "fide"),
    ("chess", "fide"),
    ("fromposition", "fide"),
    ("threecheck", "3check"),
    ("fivecheck", "5check"),
    ("schess", "seirawan"),
];

/// Names that the PGN files of other programs use, in the order in which they are searched.
const WRITTEN: [(&str, &str); 10] = [
    ("Standard", "fide"),
    ("Standard", "chess"),
    ("Three-check", "3check"),
    ("King of the Hill", "kingofthehill"),
    ("Racing Kings", "racingkings"),
    ("Crazyhouse", "crazyhouse"),
    ("Atomic", "atomic"),
    ("Antichess", "antichess"),
    ("Giveaway", "giveaway"),
    ("Horde", "horde"),
];

/// Returns a name without case, blanks and signs.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// Returns the name that PGN files of other programs give a rule set, or its own identifier.
pub fn written_name(id: &str) -> &str {
    let known = WRITTEN.iter().find(|(_, own)| *own == id);
    known.map_or(id, |(name, _)| name)
}

impl Catalog {
    /// Opens the rule set that a text of another program names: an identifier of this catalog, or a name that
    /// differs from one only in case, blanks and signs, or a usual name such as `Standard` or `Three-check`.
    ///
    /// # Errors
    /// As for [`Catalog::open`].
    pub fn open_named(&self, name: &str) -> Result<Variant, Diagnostic> {
        let own = self.open(name);
        let Err(error) = own else {
            return own;
        };
        let wanted = plain(name);
        let alias = ALIASES.iter().find(|(alias, _)| *alias == wanted);
        let similar = || self.ids().find(|id| plain(id) == wanted);
        match alias.map(|(_, id)| *id).or_else(similar) {
            Some(id) => self.open(id),
            None => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_programs_open_rule_sets() {
        let catalog = Catalog::new();
        for (name, id) in [
            ("Standard", "fide"),
            ("From Position", "fide"),
            ("Three-check", "3check"),
            ("threeCheck", "3check"),
            ("King of the Hill", "kingofthehill"),
            ("kingOfTheHill", "kingofthehill"),
            ("Racing Kings", "racingkings"),
            ("Crazyhouse", "crazyhouse"),
            ("French Revolution", "french-revolution"),
            ("spartan:moves=40", "spartan"),
        ] {
            let variant = catalog.open_named(name).expect(name);
            assert_eq!(variant.rule_set.id(), id, "{name}");
        }
        for name in ["Chess960", "", "unknown game"] {
            assert!(catalog.open_named(name).is_err(), "{name}");
        }
    }

    #[test]
    fn written_names_are_read_back() {
        let catalog = Catalog::new();
        for (name, id) in WRITTEN {
            let found = catalog.open_named(name).expect(name);
            let is_chess = id == "chess" && found.rule_set.id() == "fide";
            assert!(is_chess || found.rule_set.id() == id, "{name}");
            assert_eq!(written_name(id), name);
        }
        assert_eq!(written_name("bachelor"), "bachelor");
    }
}
