//! Ideas that users search for under other names than those of keys, with the keys that express them.
//!
//! Words are compared by the beginnings that [`stems`](super::stems) returns, so one row covers all forms of
//! a word.

/// An idea: the beginnings of its words, and the keys that express it, best first. The list of keys is empty
/// if no key expresses the idea.
type Idea = (&'static [&'static str], &'static [&'static str]);

const BLAST: &[&str] = &["blastOnCapture", "blastImmuneTypes"];
const CUSTOM: &[&str] = &["customPiece1"];
const DROPS: &[&str] = &["pieceDrops", "capturesToHand"];
const EXTINCTION: &[&str] = &[
    "extinctionPieceTypes",
    "extinctionValue",
    "extinctionPieceCount",
];
const FLAG: &[&str] = &["flagRegion", "flagPiece"];
const LOSING: &[&str] = &["mustCapture", "extinctionValue", "stalemateValue"];
const REGION: &[&str] = &["mobilityRegionWhiteKing"];
const REPETITION: &[&str] = &["nFoldRule", "nFoldValue", "moveRepetitionIllegal"];
const SIZE: &[&str] = &["maxFile", "maxRank"];
const NOT_EXPRESSED: &[&str] = &[];

/// All ideas. The first row that fits applies, so rows with more words come first.
static IDEAS: &[Idea] = &[
    (
        &["check", "piece"],
        &["extinctionPseudoRoyal", "dupleCheck", "checking"],
    ),
    (&["three", "check"], &["checkCounting"]),
    (
        &["pawn", "doubl"],
        &[
            "doubleStep",
            "doubleStepRegionWhite",
            "doubleStepRegionBlack",
        ],
    ),
    (&["board", "size"], SIZE),
    (&["width"], SIZE),
    (&["heigh"], SIZE),
    (
        &["royal"],
        &["king", "extinctionPseudoRoyal", "extinctionPieceTypes"],
    ),
    (&["atomi"], BLAST),
    (&["bomb"], BLAST),
    (&["deton"], BLAST),
    (&["explo"], BLAST),
    (&["goal"], FLAG),
    (&["hill"], FLAG),
    (&["race"], FLAG),
    (&["racin"], FLAG),
    (&["reach"], FLAG),
    (&["repet"], REPETITION),
    (&["three"], REPETITION),
    (&["fifty"], &["nMoveRule", "nMoveRuleKept"]),
    (
        &["torpe"],
        &["doubleStepRegionWhite", "doubleStepRegionBlack"],
    ),
    (&["crazy"], DROPS),
    (&["drop"], DROPS),
    (&["drops"], DROPS),
    (&["pocke"], DROPS),
    (&["reser"], DROPS),
    (&["bugho"], &["twoBoards", "pieceDrops"]),
    (&["stale"], &["stalemateValue"]),
    (&["annih"], EXTINCTION),
    (&["bare"], EXTINCTION),
    (&["elimi"], EXTINCTION),
    (&["antic"], LOSING),
    (&["givea"], LOSING),
    (&["losin"], LOSING),
    (&["suici"], LOSING),
    (&["compu"], &["mustCapture", "mandatoryPawnPromotion"]),
    (&["force"], &["mustCapture", "mandatoryPawnPromotion"]),
    (&["arrow"], &["wallingRule"]),
    (&["duck"], &["wallingRule"]),
    (&["gomok"], &["connectN"]),
    (&["null"], &["pass"]),
    (&["skip"], &["pass"]),
    (&["torus"], &["cylinder"]),
    (&["wrap"], &["cylinder"]),
    (&["facin"], &["flyingGeneral"]),
    (&["fisch"], &["chess960"]),
    (&["freez"], &["petrifyOnCaptureTypes"]),
    (&["palac"], REGION),
    (&["river"], REGION),
    (&["terri"], REGION),
    (&["betza"], CUSTOM),
    (&["camel"], CUSTOM),
    (&["grass"], CUSTOM),
    (&["hoppe"], CUSTOM),
    (&["leape"], CUSTOM),
    (&["movem"], CUSTOM),
    (&["night"], CUSTOM),
    (&["rider"], CUSTOM),
    (&["zebra"], CUSTOM),
    (&["absor"], NOT_EXPRESSED),
    (&["chanc"], NOT_EXPRESSED),
    (&["circe"], NOT_EXPRESSED),
    (&["dice"], NOT_EXPRESSED),
    (&["excha"], NOT_EXPRESSED),
    (&["gravi"], NOT_EXPRESSED),
    (&["hidde"], NOT_EXPRESSED),
    (&["magne"], NOT_EXPRESSED),
    (&["morph"], NOT_EXPRESSED),
    (&["neutr"], NOT_EXPRESSED),
    (&["proba"], NOT_EXPRESSED),
    (&["rando"], NOT_EXPRESSED),
    (&["rifle"], NOT_EXPRESSED),
    (&["swap"], NOT_EXPRESSED),
    (&["telep"], NOT_EXPRESSED),
];

/// Returns the keys that express an idea, given by the beginnings of its words. Returns an empty slice if no
/// key expresses the idea, and `None` if the table does not contain it.
pub fn keys_of_idea(wanted: &[String]) -> Option<&'static [&'static str]> {
    let fits = |(words, _): &&Idea| words.iter().all(|word| wanted.iter().any(|w| w == word));
    IDEAS.iter().find(fits).map(|(_, keys)| *keys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{names, stems};

    #[test]
    fn ideas_name_keys_that_exist_by_words_that_occur() {
        for (words, keys) in IDEAS {
            for word in *words {
                assert_eq!(stems(word), [*word], "not the beginning of a word");
            }
            for key in *keys {
                let name = names().iter().find(|name| name.text == *key);
                assert!(name.is_some_and(|n| n.key.instead.is_none()), "{key}");
            }
            let wanted: Vec<String> = words.iter().map(|word| word.to_string()).collect();
            assert_eq!(
                keys_of_idea(&wanted),
                Some(*keys),
                "{words:?} is hidden by an earlier row"
            );
        }
    }
}
