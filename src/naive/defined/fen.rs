//! Reads and prints positions as FEN, with hands in brackets, checks left as `3+3`, and promoted units with
//! `~` or `+`.

use super::definition::{Definition, among};
use super::state::{BLACK, Cell, Position, Unit, WHITE};

pub fn read(law: &Definition, fen: &str) -> Result<Position, String> {
    read_where(law, fen, law.gating)
}

/// Reads a FEN. `refills` is whether a turn can put units on squares that one of its steps has left.
pub fn read_where(law: &Definition, fen: &str, refills: bool) -> Result<Position, String> {
    let mut fields = fen.split_whitespace().peekable();
    let first = fields.next().ok_or("an empty FEN")?;
    let (board, hand) = match first.split_once('[') {
        Some((board, hand)) => (board, hand.strip_suffix(']').ok_or("a hand without ]")?),
        None => (first, ""),
    };
    let mut pos = Position {
        cells: cells(law, board)?,
        side: WHITE,
        hand: [vec![0; law.kinds.len()], vec![0; law.kinds.len()]],
        castler: [None; 2],
        rooks: [[None; 2]; 2],
        gates: [Vec::new(), Vec::new()],
        passed: Vec::new(),
        checks: [1; 2],
        passes: 0,
        dropped_pawn: false,
        castled: None,
        shak: [false; 2],
        extinct: [false; 2],
        clock: 0,
        number: 1,
    };
    for letter in hand.chars().filter(|&letter| letter != '-') {
        let kind = law.kind_of(letter).ok_or(format!("{letter} in hand"))?;
        pos.hand[side_of(letter)][kind] += 1;
    }
    pos.side = match fields.next() {
        Some("w") => WHITE,
        Some("b") => BLACK,
        other => return Err(format!("{other:?} is to move")),
    };
    let digit = |field: &&str| field.starts_with(|c: char| c.is_ascii_digit());
    let mut passed = "-";
    if fields.peek().is_some_and(|field| !digit(field)) {
        castling(law, &mut pos, fields.next().unwrap_or("-"))?;
        passed = fields.next().unwrap_or("-");
    }
    if passed.starts_with(|c: char| c.is_ascii_lowercase()) {
        let mut rest = passed;
        while !rest.is_empty() {
            let end = rest[1..]
                .find(|c: char| c.is_ascii_lowercase())
                .map_or(rest.len(), |at| at + 1);
            let file = rest.as_bytes()[0] as i32 - 'a' as i32;
            let rank: i32 = rest[1..end]
                .parse()
                .map_err(|_| format!("{rest} is not a square"))?;
            let square = law
                .square(file, rank - 1)
                .ok_or(format!("{rest} is off the board"))?;
            if law.may_be_passed(pos.side, square) {
                pos.passed.push(square);
            }
            rest = &rest[end..];
        }
    }
    if fields.peek().is_some_and(|field| field.contains('+')) {
        let field = fields.next().unwrap_or_default();
        let (white, black) = field.split_once('+').unwrap_or_default();
        if law.check_counting {
            pos.checks = [
                white.parse().map_err(|_| format!("{field} checks"))?,
                black.parse().map_err(|_| format!("{field} checks"))?,
            ];
        }
    }
    let mut number = |default: u32| match fields.next() {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| format!("{text} is not a number")),
    };
    pos.clock = number(0)?;
    pos.number = number(1)?;
    pos.shak[1 - pos.side] = law.shatar && law.has_shak(&pos, pos.side, false);
    law.forget_never_passed(&mut pos, refills);
    law.forget_passed(&mut pos);
    for side in [WHITE, BLACK] {
        law.forget_gates(&mut pos, side);
    }
    Ok(pos)
}

/// Returns the numbers of files and ranks of the board of a FEN.
pub fn size(fen: &str) -> (i32, i32) {
    let field = fen.split_whitespace().next().unwrap_or_default();
    let board = field.split('[').next().unwrap_or_default();
    let (mut files, mut run) = (0, 0);
    for letter in board
        .split('/')
        .next()
        .unwrap_or_default()
        .chars()
        .chain(['/'])
    {
        match letter.to_digit(10) {
            Some(digit) => run = (10 * run + digit as i32).min(1000),
            None => {
                files += std::mem::take(&mut run);
                files += i32::from(letter.is_ascii_alphabetic() || letter == '*');
            }
        }
    }
    (files, board.split('/').count() as i32)
}

fn side_of(letter: char) -> usize {
    match letter.is_ascii_uppercase() {
        true => WHITE,
        false => BLACK,
    }
}

fn cells(law: &Definition, board: &str) -> Result<Vec<Cell>, String> {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for text in board.split('/') {
        let mut row = Vec::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            if let Some(digit) = letter.to_digit(10) {
                let mut count = digit;
                while let Some(more) = letters.peek().and_then(|c| c.to_digit(10)) {
                    count = 10 * count + more;
                    if count > 16 {
                        return Err(format!("{text} has more than 16 squares"));
                    }
                    letters.next();
                }
                row.extend((0..count).map(|_| Cell::Vacant));
                continue;
            }
            if letter == '*' {
                row.push(Cell::Hole);
                continue;
            }
            let turned = letter == '+';
            let letter = match turned {
                true => letters.next().ok_or("a + at the end of a rank")?,
                false => letter,
            };
            let found = law
                .kind_of(letter)
                .ok_or(format!("{letter} on the board"))?;
            let side = side_of(letter);
            let (kind, was) = match turned {
                true => {
                    let kind = law.promoted[found].ok_or(format!("+{letter}"))?;
                    (kind, Some(found))
                }
                false => (found, None),
            };
            let promoted = turned || letters.next_if_eq(&'~').is_some();
            row.push(Cell::Unit(law.remember(Unit {
                side,
                kind,
                promoted,
                was,
            })));
        }
        if row.len() as i32 != law.files {
            return Err(format!("{text} has {} squares", row.len()));
        }
        rows.push(row);
    }
    if rows.len() as i32 != law.ranks {
        return Err(format!("{} ranks", rows.len()));
    }
    rows.reverse();
    let mut cells = rows.concat();
    for (square, cell) in cells.iter_mut().enumerate() {
        if law.holes.contains(&law.place(square)) {
            if matches!(cell, Cell::Unit(_)) {
                return Err(format!("a unit on {}, a hole", law.name(square)));
            }
            *cell = Cell::Hole;
        }
    }
    Ok(cells)
}

/// Reads the castling field: castling rights, and the files of units that have not moved.
fn castling(law: &Definition, pos: &mut Position, field: &str) -> Result<(), String> {
    for letter in field.chars().filter(|&letter| letter != '-') {
        let side = side_of(letter);
        let rank = law.castling_rank_of(side);
        let rook_on = |pos: &Position, file: i32| {
            law.square(file, rank).filter(|&square| {
                pos.unit(square)
                    .is_some_and(|unit| unit.side == side && law.castles_as_rook(unit))
            })
        };
        let upper = letter.to_ascii_uppercase();
        let right = law.castling && (upper == 'K' || upper == 'Q');
        let square = if right && upper == 'K' {
            let last = law.castling_rook_king_side.min(law.files - 1);
            (0..=last).rev().find_map(|file| rook_on(pos, file))
        } else if right {
            (law.castling_rook_queen_side..law.files).find_map(|file| rook_on(pos, file))
        } else if (upper as i32 - 'A' as i32) < law.files {
            law.square(upper as i32 - 'A' as i32, rank)
        } else {
            None
        };
        if law.castling && pos.castler[side].is_none() {
            let kings = law.castling_king[side].map(|king| pos.squares_of(side, king));
            let kings: Vec<usize> = kings
                .unwrap_or_default()
                .into_iter()
                .filter(|&square| law.place(square).1 == rank)
                .collect();
            let home = law.square(law.castling_king_file, rank);
            pos.castler[side] = match kings.as_slice() {
                [one] => Some(*one),
                _ => home.filter(|home| kings.contains(home)),
            };
        }
        let Some(square) = square else { continue };
        if law.gating {
            if law.blast || pos.is_of(square, side) {
                pos.open_gate(side, square);
            }
            match pos.castler[side] {
                Some(castler) if right => pos.open_gate(side, castler),
                _ => continue,
            }
        }
        let file = law.place(square).0;
        if law.castling
            && rook_on(pos, file).is_some()
            && let Some(castler) = pos.castler[side]
        {
            pos.rooks[side][usize::from(castler < square)] = Some(square);
        }
    }
    Ok(())
}

pub fn print(law: &Definition, pos: &Position) -> String {
    let letter = |side: usize, kind: usize| {
        let letter = law.kinds[kind].letter.unwrap_or('?');
        match side {
            WHITE => letter,
            _ => letter.to_ascii_lowercase(),
        }
    };
    let mut rows = Vec::new();
    for rank in (0..law.ranks).rev() {
        let mut row = String::new();
        let mut vacant = 0;
        for file in 0..law.files {
            let cell = pos.cells[(rank * law.files + file) as usize];
            if cell == Cell::Vacant {
                vacant += 1;
                continue;
            }
            if vacant > 0 {
                row += &vacant.to_string();
                vacant = 0;
            }
            match cell {
                Cell::Vacant => {}
                Cell::Hole => row.push('*'),
                Cell::Unit(unit) => match unit.was {
                    Some(was) => row.extend(['+', letter(unit.side, was)]),
                    None => {
                        row.push(letter(unit.side, unit.kind));
                        if unit.promoted {
                            row.push('~');
                        }
                    }
                },
            }
        }
        if vacant > 0 {
            row += &vacant.to_string();
        }
        rows.push(row);
    }
    let mut text = rows.join("/");
    if law.drops || law.seirawan {
        text.push('[');
        for side in [WHITE, BLACK] {
            for kind in (0..law.kinds.len()).rev() {
                for _ in 0..pos.hand[side][kind] {
                    text.push(letter(side, kind));
                }
            }
        }
        text.push(']');
    }
    text += if pos.side == WHITE { " w " } else { " b " };
    let mut rights = String::new();
    for side in [WHITE, BLACK] {
        let case = |letter: char| match side {
            WHITE => letter,
            _ => letter.to_ascii_lowercase(),
        };
        for (wing, letter) in [(1, 'K'), (0, 'Q')] {
            if pos.rooks[side][wing].is_some() {
                rights.push(case(letter));
            }
        }
        let any = pos.rooks[side].iter().any(Option::is_some);
        for file in 0..law.files {
            let Some(square) = law.square(file, law.castling_rank_of(side)) else {
                continue;
            };
            let said =
                any && pos.castler[side] == Some(square) || pos.rooks[side].contains(&Some(square));
            if pos.gates[side].contains(&square) && !said {
                rights.push(case((b'A' + file as u8) as char));
            }
        }
    }
    text += if rights.is_empty() { "-" } else { &rights };
    text.push(' ');
    if pos.passed.is_empty() {
        text.push('-');
    }
    let mut passed = pos.passed.clone();
    passed.sort();
    for square in passed {
        text += &law.name(square);
    }
    if law.check_counting {
        text += &format!(" {}+{}", pos.checks[WHITE], pos.checks[BLACK]);
    }
    text + &format!(" {} {}", pos.clock, pos.number)
}

impl Definition {
    /// Returns the number of a square, or `None` if it is outside the rectangle.
    pub fn square(&self, file: i32, rank: i32) -> Option<usize> {
        let inside = (0..self.files).contains(&file) && (0..self.ranks).contains(&rank);
        inside.then_some((rank * self.files + file) as usize)
    }

    /// Returns the file and the rank of a square.
    pub fn place(&self, square: usize) -> (i32, i32) {
        (square as i32 % self.files, square as i32 / self.files)
    }

    /// Returns the name of a square.
    pub fn name(&self, square: usize) -> String {
        let (file, rank) = self.place(square);
        format!("{}{}", (b'a' + file as u8) as char, rank + 1)
    }

    /// Returns the number of a rank that is counted from a side's own first rank.
    pub fn rank_of(&self, side: usize, rank: i32) -> i32 {
        match side {
            WHITE => rank,
            _ => self.ranks - 1 - rank,
        }
    }

    pub fn castling_rank_of(&self, side: usize) -> i32 {
        self.rank_of(side, self.castling_rank)
    }

    pub fn castles_as_rook(&self, unit: Unit) -> bool {
        among(&self.castling_rooks[unit.side], unit.kind)
    }
}

impl Position {
    pub fn open_gate(&mut self, side: usize, square: usize) {
        if !self.gates[side].contains(&square) {
            self.gates[side].push(square);
        }
    }

    pub fn close_gate(&mut self, side: usize, square: usize) {
        self.gates[side].retain(|&gate| gate != square);
    }
}
