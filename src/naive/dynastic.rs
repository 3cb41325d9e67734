//! Dynastic: the side that captures king and queen wins; how they move depends on their distance.

use super::board::Pos;
use super::{Basics, Law, fide, lost, monarchs};

pub struct Dynastic;

impl Law for Dynastic {
    fn basics(&self) -> Basics {
        Basics::MONARCHS_CAPTURED
    }

    fn attacks(&self, pos: &Pos, from: usize, to: usize) -> bool {
        if !matches!(pos.board.kind(from), Some('K' | 'Q')) {
            return fide::attacks(self, pos, from, to);
        }
        let white = pos.board.owns(true, from);
        let other = monarchs(pos, white).into_iter().find(|&s| s != from);
        let power = match other {
            None => 'K',
            Some(other) if pos.board.next_to(from, other) => 'Q',
            Some(_) => 'N',
        };
        fide::attacks_as(pos, power, white, from, to)
    }

    fn settled(&self, pos: &Pos) -> Option<String> {
        lost(pos, "monarchs-captured", |white| {
            monarchs(pos, white).is_empty()
        })
    }
}
