//! Carries a definition over to a board of another size: files and ranks are counted from the nearer edge, a
//! block around the center stays around the center, and a half stays a half.
//!
//! Neighboring lines of a region (its files, or its ranks) with equal squares form a run. Another size
//! changes the lengths of some runs, and no run disappears.

use super::definition::{Definition, Region, SOLDIER};
use super::state::WHITE;

/// A line of a region: whether it contains each of the squares along it.
type Line = Vec<bool>;

/// The number of lines of each run, in order.
fn runs(lines: &[Line]) -> Vec<usize> {
    lines.chunk_by(|a, b| a == b).map(<[Line]>::len).collect()
}

/// Returns the new lengths of runs that form a block around the center, or `None` if they form no such block.
/// The block has to be farther from the edge than it extends around the center. Blocks of ranks have no gaps.
fn around_center(
    lines: &[Line],
    runs: &[usize],
    count: usize,
    of_files: bool,
) -> Option<Vec<usize>> {
    let old = lines.len();
    let mirrored: Vec<&Line> = lines.iter().rev().collect();
    let center = 2 - old % 2;
    let middle = runs.len() / 2;
    let symmetric = lines.iter().collect::<Vec<_>>() == mirrored && runs.len() >= 3;
    let without_gaps = runs.len() == 3 || of_files && runs[middle] == center;
    if !symmetric || !without_gaps || 2 * runs[0] <= old - 2 * runs[0] - center {
        return None;
    }
    let mut new = runs.to_vec();
    // An even number of lines has two lines in its center, an odd number has one.
    new[middle] = new[middle] + old % 2 - count % 2;
    let block: usize = new[1..new.len() - 1].iter().sum();
    new[0] = count.saturating_sub(block) / 2;
    *new.last_mut()? = new[0];
    Some(new)
}

/// Returns the new lengths of runs if the middle of the board changes its length. If two runs of the same
/// length meet there, both change. Returns `None` if one of them would have to be favored without a reason.
fn in_the_middle(lines: &[Line], runs: &[usize], count: usize) -> Option<Vec<usize>> {
    let old = lines.len();
    let run_at = |line: usize| (0..runs.len()).find(|&run| line < runs[..=run].iter().sum());
    let (low, high) = (run_at((old - 1) / 2)?, run_at(old / 2)?);
    let mut new = runs.to_vec();
    if low == high || runs[low] != runs[high] {
        let longer = if runs[low] < runs[high] { high } else { low };
        new[longer] = (runs[longer] + count).checked_sub(old)?;
        // A single line is that line itself, and does not become two.
        return (runs[longer] > 1 || new[longer] <= 1).then_some(new);
    }
    let both = (runs[low] + runs[high] + count).checked_sub(old)?;
    (new[low], new[high]) = (both / 2, both / 2);
    if both % 2 == 1 {
        // The middle line belongs to the half with fewer squares.
        let (one, other) = (&lines[(old - 1) / 2], &lines[old / 2]);
        let within = |a: &Line, b: &Line| a.iter().zip(b).all(|(a, b)| !a || *b);
        match (within(one, other), within(other, one)) {
            (true, false) => new[low] += 1,
            (false, true) => new[high] += 1,
            _ => return None,
        }
    }
    Some(new)
}

/// Returns, for each of `count` new lines, the old line that it repeats, or `None` if the lines have no
/// meaning for this number of lines.
fn carried_lines(lines: &[Line], count: usize, of_files: bool) -> Option<Vec<usize>> {
    let old = runs(lines);
    let new = match old.len() {
        1 => vec![count],
        _ => match around_center(lines, &old, count, of_files) {
            Some(new) => new,
            None => in_the_middle(lines, &old, count)?,
        },
    };
    if new.contains(&0) || new.iter().sum::<usize>() != count {
        return None;
    }
    let firsts = (0..old.len()).map(|run| old[..run].iter().sum::<usize>());
    let repeated = firsts
        .zip(new)
        .flat_map(|(first, length)| vec![first; length]);
    Some(repeated.collect())
}

/// The numbers of files and ranks of a board.
pub type Size = (i32, i32);

/// Returns a region on a board of another size, or `None` if it has no meaning there.
fn carried(region: &Region, from: Size, to: Size, cylinder: bool) -> Option<Region> {
    let has = |file: i32, rank: i32| region.contains(&(file, rank));
    let files: Vec<Line> = (0..from.0)
        .map(|file| (0..from.1).map(|rank| has(file, rank)).collect())
        .collect();
    let ranks: Vec<Line> = (0..from.1)
        .map(|rank| (0..from.0).map(|file| has(file, rank)).collect())
        .collect();
    // A cylinder has no edge from which files can be counted.
    if cylinder && from.0 != to.0 && runs(&files).len() > 1 {
        return None;
    }
    let old_file = carried_lines(&files, to.0 as usize, true)?;
    let old_rank = carried_lines(&ranks, to.1 as usize, false)?;
    let squares = (0..to.0).flat_map(|file| (0..to.1).map(move |rank| (file, rank)));
    let kept = squares.filter(|&(file, rank)| {
        has(
            old_file[file as usize] as i32,
            old_rank[rank as usize] as i32,
        )
    });
    Some(kept.collect())
}

/// Returns the line with the same distance from the nearer edge.
fn nearer(line: i32, from: i32, to: i32) -> i32 {
    match line < from / 2 {
        true => line.min(to - 1),
        false => (to - (from - line)).max(0),
    }
}

impl Definition {
    /// Returns all regions that are lists of squares.
    fn regions(&mut self) -> Vec<&mut Region> {
        let [connect_white, connect_black] = &mut self.connect_regions;
        let both = [
            &mut self.promotion_region,
            &mut self.double_region,
            &mut self.triple_region,
            &mut self.flag_region,
            connect_white,
            connect_black,
        ];
        let optional = [&mut self.passing_region, &mut self.drop_region];
        let mobility = self.mobility.iter_mut().flatten();
        (both.into_iter().flatten())
            .chain(optional.into_iter().flatten().flatten())
            .chain(mobility)
            .chain([&mut self.holes])
            .collect()
    }

    /// Carries the regions of a parent, whose board has another size, over to the board of this definition.
    /// The orthodox regions of promotions and double steps are cleared if there are too few ranks for them. Any other
    /// region without a meaning there keeps its squares, and the section has to give it.
    pub fn inherit_regions(&mut self, parent: Size) {
        let (own, cylinder) = ((self.files, self.ranks), self.cylinder);
        self.forget_orthodox_regions(parent, own);
        for region in self.regions() {
            if let Some(new) = carried(region, parent, own, cylinder) {
                *region = new;
            }
        }
    }

    /// Returns the rules on a board of this size, for positions on boards smaller than that of the rules.
    ///
    /// # Errors
    /// If a region or rank has no meaning on the board.
    pub fn on_board(&self, files: i32, ranks: i32) -> Result<Definition, String> {
        let (from, to) = ((self.files, self.ranks), (files, ranks));
        let mut small = self.clone();
        (small.files, small.ranks) = to;
        if !self.drops && !self.seirawan {
            small.drop_region = [None, None];
        }
        small.forget_orthodox_regions(from, to);
        for region in small.regions() {
            let why = || format!("a region of the rules has no meaning on {files}x{ranks}");
            *region = carried(region, from, to, self.cylinder).ok_or_else(why)?;
        }
        small.carry_castling(self);
        let beyond: Vec<Line> = (0..from.1)
            .map(|rank| vec![rank >= self.soldier_rank])
            .collect();
        let lines = carried_lines(&beyond, ranks as usize, false);
        let first = |lines: Vec<usize>| lines.iter().position(|&old| beyond[old][0]);
        match lines.and_then(first) {
            Some(rank) => small.soldier_rank = rank as i32,
            None if self.kinds[SOLDIER].letter.is_none() => {}
            None => {
                return Err(format!(
                    "soldierPromotionRank has no meaning on {ranks} ranks"
                ));
            }
        }
        Ok(small)
    }

    /// Clears the orthodox regions of promotions and double steps if the board has too few ranks for them.
    fn forget_orthodox_regions(&mut self, from: Size, to: Size) {
        let ranks = from.1;
        for (regions, white) in [
            (&mut self.promotion_region, ranks - 1),
            (&mut self.double_region, 1),
        ] {
            let orthodox = [white, ranks - 1 - white].map(|orthodox| {
                let squares = (0..from.0).flat_map(|file| (0..ranks).map(move |rank| (file, rank)));
                squares
                    .filter(|square| square.1 == orthodox)
                    .collect::<Region>()
            });
            let same = (0..2).all(|side| {
                let inside = |square: &&(i32, i32)| square.0 < from.0 && square.1 < ranks;
                let mut squares: Region = regions[side].iter().filter(inside).copied().collect();
                squares.sort();
                squares.dedup();
                squares == orthodox[side]
            });
            let fails = |region: &Region| carried(region, from, to, false).is_none();
            for region in regions.iter_mut().filter(|region| same && fails(region)) {
                region.clear();
            }
        }
    }

    /// Carries castling over from `own`: the king's targets and the rooks are counted from their edges, the
    /// king's home from the nearer edge. There is no castling unless the home is between the targets.
    fn carry_castling(&mut self, own: &Definition) {
        let lost = own.files - self.files;
        let from_last = |file: i32| file.min(own.files - 1) - lost;
        self.castling_king_side = own.castling_king_side - lost;
        self.castling_rook_king_side = from_last(own.castling_rook_king_side);
        self.castling_rook_queen_side = own.castling_rook_queen_side.min(own.files - 1);
        self.castling_king_file = nearer(own.home_file_of_king(), own.files, self.files);
        let (left, right) = (self.castling_queen_side, self.castling_king_side);
        self.castling &= self.castling_rank < self.ranks
            && own.castling_king_side < own.files
            && self.castling_rook_king_side >= 0
            && self.castling_rook_queen_side < self.files
            && left < self.files
            && (left + 1..right).contains(&self.castling_king_file);
    }

    /// Returns the file on which White's castling king starts.
    fn home_file_of_king(&self) -> i32 {
        let given = self.castling_king_file.min(self.files - 1);
        let Ok(start) = super::fen::read(self, &self.start) else {
            return given;
        };
        let rank = self.castling_rank;
        let home = |&file: &i32| {
            let home = self.square(file, rank).zip(self.castling_king[WHITE]);
            home.is_some_and(|(square, king)| start.holds(square, WHITE, king))
        };
        let homes: Vec<i32> = (0..self.files).filter(home).collect();
        match homes[..] {
            [file] => file,
            _ => given,
        }
    }
}
