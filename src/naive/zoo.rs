//! Zoo: the side that captures units of four different kinds wins.

use super::board::{Pos, Step};
use super::{Basics, Law, wins};

pub struct Zoo;

/// The order of the letters of captured kinds.
const ORDER: &str = "PNBRQK";

/// Returns the kinds that White and Black captured, with an empty text for `-`.
fn taken(value: &str) -> Vec<String> {
    value.split('/').map(|part| part.replace('-', "")).collect()
}

/// Returns the index of a side in the state value.
fn taken_place(white: bool) -> usize {
    usize::from(!white)
}

impl Law for Zoo {
    fn basics(&self) -> Basics {
        Basics {
            castling: false,
            ..Basics::CAPTURE_GAME
        }
    }

    fn state_keys(&self) -> Vec<(&'static str, &'static str)> {
        vec![("taken", "-/-")]
    }

    fn state_value(&self, pos: &Pos, _key: &str, value: &str) -> bool {
        let good = |part: &str| {
            let places: Option<Vec<usize>> = part.chars().map(|c| ORDER.find(c)).collect();
            let rising = |places: Vec<usize>| places.windows(2).all(|pair| pair[0] < pair[1]);
            part == "-" || (!part.is_empty() && places.is_some_and(rising))
        };
        let parts: Vec<&str> = value.split('/').collect();
        if parts.len() != 2 || !parts.into_iter().all(good) {
            return false;
        }
        let taken = taken(value);
        taken[taken_place(pos.white)].len() <= 3 && taken[taken_place(!pos.white)].len() <= 4
    }

    fn note(&self, before: &Pos, steps: &[Step], after: &mut Pos) {
        let mut taken = taken(&before.get("taken", "-/-"));
        for unit in steps.iter().filter_map(|step| step.captured) {
            let kind = unit.to_ascii_uppercase();
            let own = &mut taken[taken_place(before.white)];
            if !own.contains(kind) {
                own.push(kind);
            }
        }
        let words: Vec<String> = taken
            .iter()
            .map(|kinds| {
                let word: String = ORDER.chars().filter(|&k| kinds.contains(k)).collect();
                if word.is_empty() {
                    "-".to_string()
                } else {
                    word
                }
            })
            .collect();
        after.set("taken", &words.join("/"));
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        let taken = taken(&pos.get("taken", "-/-"));
        (taken[taken_place(!pos.white)].len() >= 4).then(|| wins(!pos.white, "four-kinds"))
    }
}
