//! Carries the regions of a definition over to a board of another size, by their meaning.
//!
//! A region is a grid of lines: files and ranks. Neighboring files with equal squares form a run, and so do
//! neighboring ranks. Another board size changes the length of some runs and keeps all others, in one of four
//! readings:
//!
//! * `Uniform`: a region without a border on the axis has none afterwards.
//! * `Center`: a block around the center stays around the center. The center is one line of an odd number and
//!   two lines of an even number, so `d4 e4 d5 e5` becomes `c3` on 5x5. This reading applies only if the
//!   block is farther from the edge than it extends around the center: `b` to `g` means all files but the
//!   outer ones.
//! * `Half`: a half stays a half. If the number of lines becomes odd, the middle line belongs to the half
//!   with fewer squares.
//! * `Edge`: otherwise, the run that contains the middle changes its length, so that lines are counted from
//!   the nearer edge.
//!
//! A run never loses its last line. If that would be necessary, or no reading applies, the region is not
//! carried over, and the section must contain the key.

use crate::draft::Plane;
use crate::keys::{Carry, Name, Sides as KeySides, Take, Target, names};
use crate::{Definition, Region, array, slots};
use board::field::Cell;
use board::{Color, Geometry, Square};
use std::fmt::Write;

/// The way in which the lines of one axis are carried over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// All lines are equal, before and after.
    Uniform,
    /// A block keeps its place around the center.
    Center,
    /// Two halves.
    Half,
    /// Lines are counted from the nearer edge.
    Edge,
}

/// An axis of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Axis {
    Files,
    Ranks,
}

/// A key whose value is carried over to another board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CarriedKey {
    /// The key.
    pub key: String,
    /// Its value on the definition's own board.
    pub own: String,
    /// Its value on the other board.
    pub carried: String,
    /// The reading of each axis in words, such as `ranks counted from the edge`.
    pub reading: String,
}

/// A key whose value has no meaning on another board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotCarried {
    /// The key.
    pub key: String,
    /// Its value on the definition's own board.
    pub own: String,
}

/// A definition on a smaller board.
#[derive(Clone, PartialEq, Debug)]
pub struct OnBoard {
    /// The definition with its regions carried over. Its start position is not adapted to the smaller board.
    pub definition: Definition,
    /// The keys whose values are carried over and distinguish lines, in the order of the table.
    pub keys: Vec<CarriedKey>,
    /// Whether castling is lost, because the king's home would not be between its two targets.
    pub loses_castling: bool,
}

/// Returns the lengths of the runs of equal lines.
fn runs(lines: &[u128]) -> Vec<usize> {
    lines.chunk_by(|a, b| a == b).map(<[u128]>::len).collect()
}

/// Carries the lines of an axis over to an axis with `count` lines. Returns, for each new line, the old line
/// whose squares it takes, and the reading. Returns `None` if the lines cannot be carried over.
pub(crate) fn carry_axis(
    lines: &[u128],
    count: usize,
    axis: Axis,
) -> Option<(Vec<usize>, Reading)> {
    let old = lines.len();
    let old_runs = runs(lines);
    let mut new_runs = old_runs.clone();
    let reading = match old_runs[..] {
        [_] => {
            new_runs[0] = count;
            Reading::Uniform
        }
        _ if is_center(lines, &old_runs, axis) => {
            let middle = old_runs.len() / 2;
            // The center has one line if the number of lines is odd, two if it is even.
            new_runs[middle] = match (old % 2, count % 2) {
                (1, 0) => old_runs[middle] + 1,
                (0, 1) => old_runs[middle] - 1,
                _ => old_runs[middle],
            };
            let inner: usize = new_runs[1..old_runs.len() - 1].iter().sum();
            let outer = count.checked_sub(inner)? / 2;
            new_runs[0] = outer;
            *new_runs.last_mut()? = outer;
            Reading::Center
        }
        _ => carry_middle(lines, count, &mut new_runs)?,
    };
    if new_runs.contains(&0) || new_runs.iter().sum::<usize>() != count {
        return None;
    }
    // A run of one line is that line itself, not a zone that can grow, unless it is the center.
    let grows = |(&old, &new): (&usize, &usize)| old == 1 && new > 1;
    if reading == Reading::Edge && old_runs.iter().zip(&new_runs).any(grows) {
        return None;
    }
    let mut origins = Vec::with_capacity(count);
    let mut first = 0;
    for (length, new_length) in old_runs.into_iter().zip(new_runs) {
        origins.extend(std::iter::repeat_n(first, new_length));
        first += length;
    }
    Some((origins, reading))
}

/// Returns whether lines are a block around the center. On the axis of ranks, only a block without gaps is
/// read in this way, because players count ranks from their own sides.
fn is_center(lines: &[u128], runs: &[usize], axis: Axis) -> bool {
    let is_symmetric = lines.iter().eq(lines.iter().rev());
    if !is_symmetric || runs.len() < 3 {
        return false;
    }
    let outer = runs[0];
    let inner = lines.len() - 2 * outer;
    let center = 2 - lines.len() % 2;
    let layers = (inner - center) / 2;
    let is_solid = runs.len() == 3;
    let middle = runs[runs.len() / 2];
    outer > layers && (is_solid || axis == Axis::Files && middle == center)
}

/// Changes the length of the run that contains the middle. If two runs meet in the middle, the longer one
/// changes, or both if they have the same length. Returns `None` if this does not give `count` lines.
fn carry_middle(lines: &[u128], count: usize, new_runs: &mut [usize]) -> Option<Reading> {
    let old = lines.len();
    let run_of = |line: usize| runs(&lines[..=line]).len() - 1;
    let (below, above) = (run_of((old - 1) / 2), run_of(old / 2));
    let resized = |length: usize| (length + count).checked_sub(old);
    if below == above || new_runs[below] != new_runs[above] {
        let longer = match new_runs[below] < new_runs[above] {
            true => above,
            false => below,
        };
        new_runs[longer] = resized(new_runs[longer])?;
        return Some(Reading::Edge);
    }
    let both = resized(new_runs[below] + new_runs[above])?;
    let (mut low, mut high) = (both / 2, both / 2);
    if both % 2 == 1 {
        let (one, other) = (lines[(old - 1) / 2], lines[old / 2]);
        match (one & other == one, one & other == other) {
            (true, false) => low += 1,
            (false, true) => high += 1,
            _ => return None,
        }
    }
    (new_runs[below], new_runs[above]) = (low, high);
    Some(Reading::Half)
}

/// The numbers of files and ranks of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    pub files: usize,
    pub ranks: usize,
}

impl Size {
    pub fn of(board: Geometry) -> Size {
        Size {
            files: board.files().into(),
            ranks: board.ranks().into(),
        }
    }

    /// Returns the files and the ranks of a region. Each line is a set of bits, one for each line that
    /// crosses it.
    fn lines(self, has: &dyn Fn(usize, usize) -> bool) -> [Vec<u128>; 2] {
        let bit = |set: bool, index: usize| u128::from(set) << index;
        let file = |file| (0..self.ranks).fold(0, |line, rank| line | bit(has(file, rank), rank));
        let rank = |rank| (0..self.files).fold(0, |line, file| line | bit(has(file, rank), file));
        [
            (0..self.files).map(file).collect(),
            (0..self.ranks).map(rank).collect(),
        ]
    }
}

/// A region on another board, with the readings of both axes.
struct Carried {
    /// The squares as (file, rank) on the new board.
    squares: Vec<(usize, usize)>,
    files: Reading,
    ranks: Reading,
}

/// Carries a region over to a board of another size. Returns `None` if the region has no meaning there.
fn carry(
    has: &dyn Fn(usize, usize) -> bool,
    from: Size,
    to: Size,
    is_cylinder: bool,
) -> Option<Carried> {
    let [file_lines, rank_lines] = from.lines(has);
    let (files, file_reading) = carry_axis(&file_lines, to.files, Axis::Files)?;
    let (ranks, rank_reading) = carry_axis(&rank_lines, to.ranks, Axis::Ranks)?;
    // A cylinder has no edge from which files could be counted.
    if is_cylinder && file_reading != Reading::Uniform && from.files != to.files {
        return None;
    }
    let mut squares = Vec::new();
    for (rank, &from_rank) in ranks.iter().enumerate() {
        let row = files.iter().enumerate();
        let row = row.filter(|&(_, &from_file)| has(from_file, from_rank));
        squares.extend(row.map(|(file, _)| (file, rank)));
    }
    Some(Carried {
        squares,
        files: file_reading,
        ranks: rank_reading,
    })
}

/// Carries the squares of a draft over to a board of another size. Returns `None` if they have no meaning
/// there.
pub(crate) fn carry_plane(plane: Plane, from: Size, to: Size, is_cylinder: bool) -> Option<Plane> {
    let has = |file: usize, rank: usize| plane.0[rank] >> file & 1 == 1;
    let [files, ranks] = from.lines(&has);
    // All squares remain all squares, and none remain none.
    if runs(&files).len() == 1 && runs(&ranks).len() == 1 {
        return Some(match has(0, 0) {
            true => Plane::ALL,
            false => Plane::NONE,
        });
    }
    let carried = carry(&has, from, to, is_cylinder)?;
    let squares = carried.squares.into_iter();
    Some(squares.fold(Plane::NONE, |plane, (file, rank)| {
        plane.or(Plane::square(file, rank))
    }))
}

fn words(files: Reading, ranks: Reading) -> String {
    let one = |reading: Reading, axis: &str| match reading {
        Reading::Uniform => None,
        Reading::Center => Some(format!("{axis} around the center")),
        Reading::Half => Some(format!("half of the {axis}")),
        Reading::Edge => Some(format!("{axis} counted from the edge")),
    };
    let both = [one(files, "files"), one(ranks, "ranks")];
    let both: Vec<String> = both.into_iter().flatten().collect();
    both.join(", ")
}

/// Carries a file or rank (from 0) over from `from` lines to `to` lines. Its distance from the nearer edge
/// stays the same.
fn nearer(line: u8, from: u8, to: u8) -> u8 {
    match line < from / 2 {
        true => line.min(to - 1),
        false => to.saturating_sub(from - line),
    }
}

impl Definition {
    /// Returns the region of a key, or `None` if the key's value is not a region or restricts nothing.
    fn region_of(&mut self, name: &Name) -> Option<&mut Region> {
        match &name.key.take {
            Take::Squares(Target::Field(_, field)) => Some(field(self, name.sides[0])),
            Take::Mobility => {
                let piece = self.named(&slots::name(name.slot))?;
                self.pieces[piece.index()].mobility[name.sides[0]].as_mut()
            }
            _ => None,
        }
    }

    /// Returns a board of this size with the holes carried over, or `None` if they have no meaning there.
    fn carried_board(&self, files: u8, ranks: u8) -> Option<Geometry> {
        let board = self.board;
        let has = |file: usize, rank: usize| {
            let square = board.square(file as u8, rank as u8);
            board.holes() >> square.0 & 1 == 1
        };
        let flat = Geometry::new(files, ranks, 0, board.wraps())?;
        let carried = carry(&has, Size::of(board), Size::of(flat), board.wraps())?;
        Geometry::new(files, ranks, region(flat, &carried.squares), board.wraps())
    }

    /// Returns the definition on a board with other numbers of files and ranks. Regions keep their meaning:
    /// ranks and files are counted from the edge, centers stay centers, halves stay halves. The squares of a
    /// region without effect are arbitrary.
    ///
    /// # Errors
    /// If keys have no meaning on that board. The error lists them and is not empty.
    pub fn on_board(&self, files: u8, ranks: u8) -> Result<OnBoard, Vec<NotCarried>> {
        let mut failed = Vec::new();
        let not_carried = |key: &str, own: String| NotCarried {
            key: key.to_owned(),
            own,
        };
        let Some(board) = self.carried_board(files, ranks) else {
            return Err(vec![not_carried("holes", self.holes_text())]);
        };
        let (from, to) = (Size::of(self.board), Size::of(board));
        let mut own = self.clone();
        let mut carried = OnBoard {
            definition: Definition {
                board,
                ..self.clone()
            },
            keys: Vec::new(),
            loses_castling: false,
        };
        for name in names().iter().filter(|name| has_region(name)) {
            let Some(&mut squares) = own.region_of(name) else {
                continue;
            };
            let whole = squares == self.squares();
            let has = |file: usize, rank: usize| {
                let square = self.board.square(file as u8, rank as u8);
                whole || squares >> square.0 & 1 == 1
            };
            let new = carry(&has, from, to, board.wraps());
            let is_idle = name.key.is_idle.is_some_and(|is_idle| is_idle(self));
            let (new, reading) = match new {
                Some(new) => {
                    let squares = region(board, &new.squares) & !board.holes();
                    (squares, words(new.files, new.ranks))
                }
                None if is_idle => (0, String::new()),
                None => {
                    failed.push(not_carried(&name.text, self.squares_text(squares)));
                    continue;
                }
            };
            if let Some(place) = carried.definition.region_of(name) {
                *place = new;
            }
            if !reading.is_empty() {
                carried.keys.push(CarriedKey {
                    key: name.text.clone(),
                    own: self.squares_text(squares),
                    carried: carried.definition.squares_text(new),
                    reading,
                });
            }
        }
        self.carry_ranks_and_files(&mut carried, &mut failed);
        if self.has_fide_boards {
            let smaller = &mut carried.definition;
            if ranks < 6 {
                smaller.pawns.double_step = [0; 2];
            }
            carried.loses_castling |= smaller.castling.enabled && files != 8;
            smaller.castling.enabled &= files == 8;
        }
        match failed.is_empty() {
            true => Ok(carried),
            false => Err(failed),
        }
    }

    /// Carries over the keys whose values are ranks or files.
    fn carry_ranks_and_files(&self, carried: &mut OnBoard, failed: &mut Vec<NotCarried>) {
        let (old, new) = (self.board, carried.definition.board);
        let mut own = self.clone();
        own.castling.king_file = self.home_file_of_king();
        for name in names() {
            let is_idle = name.key.is_idle.is_some_and(|is_idle| is_idle(self));
            let value = match &name.key.take {
                Take::Rank(Target::Field(_, field)) | Take::File(Target::Field(_, field)) => {
                    *field(&mut own, 0)
                }
                _ => continue,
            };
            let counted = match name.key.carry {
                Carry::ByType => continue,
                Carry::OwnSide => {
                    (value < new.ranks()).then_some((value, "counted from the own side"))
                }
                Carry::From => {
                    let has = |_: usize, rank: usize| rank >= usize::from(value);
                    let ranks = Size::of(old).lines(&has)[1].clone();
                    let ranks = carry_axis(&ranks, new.ranks().into(), Axis::Ranks);
                    let first = |origins: Vec<usize>| {
                        origins.iter().position(|&rank| rank >= usize::from(value))
                    };
                    let first = ranks.and_then(|(origins, _)| first(origins));
                    first.map(|rank| (rank as u8, "as a part of the ranks"))
                }
                Carry::Left => {
                    (value < new.files()).then_some((value, "counted from the first file"))
                }
                Carry::Right => (old.files() - 1)
                    .checked_sub(value)
                    .and_then(|from_right| (new.files() - 1).checked_sub(from_right))
                    .map(|file| (file, "counted from the last file")),
                Carry::Nearer => Some((
                    nearer(value, old.files(), new.files()),
                    "counted from the nearer edge",
                )),
            };
            let text = |value: u8| match &name.key.take {
                Take::File(_) => ((b'a' + value) as char).to_string(),
                _ => (value + 1).to_string(),
            };
            let is_castling = name.key.name.starts_with("castling");
            match (counted, &name.key.take) {
                (Some((value, reading)), Take::Rank(Target::Field(_, field)))
                | (Some((value, reading)), Take::File(Target::Field(_, field))) => {
                    let before = *field(&mut own, 0);
                    *field(&mut carried.definition, 0) = value;
                    if !is_idle && self.is_carried_in_words(name.key.name) {
                        carried.keys.push(CarriedKey {
                            key: name.text.clone(),
                            own: text(before),
                            carried: text(value),
                            reading: reading.to_owned(),
                        });
                    }
                }
                (None, _) if is_castling => carried.loses_castling = true,
                (None, _) if is_idle || !self.is_carried_in_words(name.key.name) => {}
                (None, _) => failed.push(NotCarried {
                    key: name.text.clone(),
                    own: text(value),
                }),
                _ => {}
            }
        }
        let castling = &mut carried.definition.castling;
        let homes = castling.queenside_file..=castling.kingside_file;
        let is_between = homes.contains(&castling.king_file)
            && castling.king_file != castling.queenside_file
            && castling.king_file != castling.kingside_file;
        carried.loses_castling |= !is_between;
        carried.loses_castling &= self.castling.enabled;
        if carried.loses_castling {
            castling.enabled = false;
            carried.keys.retain(|key| !key.key.starts_with("castling"));
        }
    }

    /// Returns whether a key of castling, or the rank of soldiers, has an effect in this definition.
    fn is_carried_in_words(&self, key: &str) -> bool {
        match key {
            "soldierPromotionRank" => {
                self.checks.soldier_rank > 0 && self.named("soldier").is_some()
            }
            _ => self.castling.enabled && self.start_field(2) != "-",
        }
    }

    /// Returns the file on which White's castling king starts. Returns the value of `castlingKingFile` if the
    /// start position does not have exactly one such unit on the castling rank.
    fn home_file_of_king(&self) -> u8 {
        let default = self.castling.king_file;
        let Ok(array) = array::array(self.start_field(0)) else {
            return default;
        };
        let rank = self.castling.rank.into();
        let is_king = |&file: &u8| match array.cell(file.into(), rank) {
            Some(Cell::Unit(unit)) => {
                unit.color() == Color::White
                    && self.castling.king[0].is_some()
                    && self.piece_of(unit.letter as u8) == self.castling.king[0]
            }
            _ => false,
        };
        let mut files = (0..self.board.files()).filter(is_king);
        match (files.next(), files.next()) {
            (Some(file), None) => file,
            _ => default,
        }
    }

    /// Returns the square of a smaller board that corresponds to a square of this board, with files and ranks
    /// counted from the nearer edge. Several squares can correspond to the same square.
    pub fn home_on(&self, square: Square, board: Geometry) -> Square {
        let own = self.board;
        let file = nearer(own.file(square), own.files(), board.files());
        let rank = nearer(own.rank(square), own.ranks(), board.ranks());
        board.square(file, rank)
    }

    /// Returns sentences on how regions with a border are carried over to smaller boards, one for each
    /// region, in the order of the table of keys.
    pub fn carrying(&self) -> Vec<String> {
        let (files, ranks) = (self.board.files(), self.board.ranks());
        let mut own = self.clone();
        let (from, whole) = (Size::of(self.board), self.squares());
        let mut sentences = Vec::new();
        if self.board.holes() != 0 {
            let has = self.carried_board(files.max(2) - 1, ranks).is_some()
                || self.carried_board(files, ranks.max(2) - 1).is_some();
            let how = match has {
                true => "carried over by the distance from the edges",
                false => "not carried over",
            };
            sentences.push(format!("`holes = {}`: {how}", self.holes_text()));
        }
        for name in names().iter().filter(|name| has_region(name)) {
            let Some(&mut squares) = own.region_of(name) else {
                continue;
            };
            let is_plain = squares == 0 || squares == whole;
            // Regions of keys without effect are not listed. For these two keys, idle can mean an orthodox
            // effect.
            let is_idle = name.key.name != "promotionRegion"
                && name.key.is_idle.is_some_and(|is_idle| is_idle(self));
            if is_plain || is_idle && name.key.name != "doubleStepRegion" {
                continue;
            }
            let has = |file: usize, rank: usize| {
                let square = self.board.square(file as u8, rank as u8);
                squares >> square.0 & 1 == 1
            };
            let [file_lines, rank_lines] = from.lines(&has);
            let axis = |lines: &[u128], axis: Axis| {
                let sizes = (1..lines.len()).filter_map(|count| {
                    let (_, reading) = carry_axis(lines, count, axis)?;
                    Some((count, reading))
                });
                let wraps = self.board.wraps() && axis == Axis::Files;
                sizes
                    .filter(|&(_, reading)| !wraps || reading == Reading::Uniform)
                    .min_by_key(|&(count, _)| count)
            };
            let smallest = [
                axis(&file_lines, Axis::Files),
                axis(&rank_lines, Axis::Ranks),
            ];
            let mut sentence = format!("`{} = {}`: ", name.text, self.squares_text(squares));
            sentence.push_str(&sentence_on(smallest));
            sentences.push(sentence);
        }
        if self.is_carried_in_words("castlingKingFile") {
            sentences.push(match self.carries_castling() {
                true => "castling: the king's targets are counted from the edges, its home from the nearer \
                         edge; without castling where the home is not between the targets"
                    .to_owned(),
                false => "castling: not carried over".to_owned(),
            });
        }
        sentences
    }

    fn carries_castling(&self) -> bool {
        let (files, ranks) = (self.board.files(), self.board.ranks());
        (1..files).any(|files| {
            let mut carried = OnBoard {
                definition: self.clone(),
                keys: Vec::new(),
                loses_castling: false,
            };
            let board = Geometry::new(files, ranks, 0, false);
            carried.definition.board = board.unwrap_or(self.board);
            self.carry_ranks_and_files(&mut carried, &mut Vec::new());
            !carried.loses_castling
        })
    }
}

/// Returns whether the value of a key is one region.
fn has_region(name: &Name) -> bool {
    let is_region = matches!(
        name.key.take,
        Take::Squares(Target::Field(..)) | Take::Mobility
    );
    is_region && (name.key.sides == KeySides::None || name.sides.len() == 1)
}

/// Returns the region that contains these squares, given as (file, rank).
fn region(board: Geometry, squares: &[(usize, usize)]) -> Region {
    let square = |&(file, rank): &(usize, usize)| board.square(file as u8, rank as u8).0;
    squares
        .iter()
        .fold(0, |all, place| all | 1 << square(place))
}

/// Returns a sentence on how a region is carried over. For each axis, the argument is the smallest possible
/// number of lines and the reading for it, or `None` if the axis cannot change.
fn sentence_on([files, ranks]: [Option<(usize, Reading)>; 2]) -> String {
    let (Some((files, file_reading)), Some((ranks, rank_reading))) = (files, ranks) else {
        let axes = match (files, ranks) {
            (None, None) => "other numbers of files or ranks",
            (None, _) => "another number of files",
            _ => "another number of ranks",
        };
        return format!(
            "not carried over to {axes}; a section for a smaller board must contain it"
        );
    };
    let mut text = words(file_reading, rank_reading);
    let limits = [(files, "files"), (ranks, "ranks")];
    let limits: Vec<String> = (limits.into_iter())
        .filter(|&(least, _)| least > 1)
        .map(|(least, axis)| format!("{least} {axis}"))
        .collect();
    if !limits.is_empty() {
        let _ = write!(text, "; down to {}", limits.join(" and "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the carried lines of a text such as `..##..`, or `-` if they are not carried over.
    fn carried(text: &str, count: usize, axis: Axis) -> String {
        let line = |c: char| match c {
            '.' => 0,
            c => u128::from(c),
        };
        let lines: Vec<u128> = text.chars().map(line).collect();
        match carry_axis(&lines, count, axis) {
            Some((origins, _)) => {
                let line = |&origin: &usize| text.as_bytes()[origin] as char;
                origins.iter().map(line).collect()
            }
            None => "-".to_owned(),
        }
    }

    #[test]
    fn lines_are_counted_from_the_edge_or_the_center() {
        for (text, ranks) in [
            // The last rank, the second rank, a zone of three ranks.
            (".......#", "....#"),
            (".#......", ".#..."),
            ("......###", "..###"),
            // The ranks of en passant captures of both sides.
            ("..#..#..", "-"),
            // Centers.
            ("...##...", "..#.."),
            ("....#....", "..#.."),
            ("...###...", ".###."),
            // Halves.
            ("####....", "##..."),
            ("#####.....", "##..."),
            // All but the outer lines.
            (".######.", ".###."),
        ] {
            let lines: String = text.chars().rev().collect();
            let mirrored: String = ranks.chars().rev().collect();
            assert_eq!(carried(text, 5, Axis::Ranks), ranks, "{text}");
            assert_eq!(carried(&lines, 5, Axis::Ranks), mirrored, "{text}");
        }
        assert_eq!(carried("..#..#..", 6, Axis::Ranks), "-");
        assert_eq!(carried("..#..#..", 7, Axis::Ranks), "..#.#..");
        assert_eq!(carried("...#a#...", 7, Axis::Files), "..#a#..");
        assert_eq!(carried("...#a#...", 7, Axis::Ranks), "-");
    }

    #[test]
    fn middle_line_of_two_halves_belongs_to_the_one_with_fewer_squares() {
        let lines = [3, 3, 0, 0];
        let (origins, reading) = carry_axis(&lines, 3, Axis::Ranks).expect("two halves");
        assert_eq!((origins, reading), (vec![0, 2, 2], Reading::Half));
        assert!(carry_axis(&[1, 1, 2, 2], 3, Axis::Ranks).is_none());
        assert!(carry_axis(&[1, 1, 2, 2], 2, Axis::Ranks).is_some());
    }

    /// Tests all axes of up to nine lines of two kinds, carried over to all smaller and larger axes.
    #[test]
    fn runs_keep_their_order_and_mirrored_lines_are_carried_as_mirrors() {
        for old in 1..=9usize {
            for bits in 0..1u32 << old {
                let lines: Vec<u128> = (0..old).map(|i| u128::from(bits >> i & 1)).collect();
                let mirror: Vec<u128> = lines.iter().rev().copied().collect();
                for new in 1..=10 {
                    for axis in [Axis::Files, Axis::Ranks] {
                        let values = |lines: &[u128]| {
                            let (origins, _) = carry_axis(lines, new, axis)?;
                            Some(origins.iter().map(|&i| lines[i]).collect::<Vec<_>>())
                        };
                        let (straight, reversed) = (values(&lines), values(&mirror));
                        let back = reversed.map(|lines| lines.into_iter().rev().collect());
                        assert_eq!(straight, back, "{lines:?} to {new}");
                        let Some(carried) = straight else { continue };
                        let order = |lines: &[u128]| {
                            let mut order = lines.to_vec();
                            order.dedup();
                            order
                        };
                        assert_eq!(carried.len(), new);
                        assert_eq!(order(&carried), order(&lines), "{lines:?} to {new}");
                        if new == old {
                            assert_eq!(carried, lines);
                        }
                    }
                }
            }
        }
    }
}
