//! Random positions of every variant, named by a seed.

#![allow(dead_code)]

pub mod goals;

pub use fairyproof::control::Random;

/// Returns the board of a FEN from rows of letters, the first row first; `.` is a vacant square.
pub fn board_of<R: AsRef<[char]>>(rows: &[R]) -> String {
    let rows: Vec<String> = rows
        .iter()
        .map(|row| {
            let mut text = String::new();
            for stretch in row.as_ref().chunk_by(|a, b| a == b) {
                match stretch[0] {
                    '.' => text += &stretch.len().to_string(),
                    _ => text.extend(stretch),
                }
            }
            text
        })
        .collect();
    rows.join("/")
}

/// Returns the rows of a FEN's board as letters, the first row first; `.` is a vacant square. The reverse of
/// [`board_of`].
pub fn rows_of(fen: &str) -> Vec<Vec<char>> {
    let board = fen.split(' ').next().unwrap_or_default();
    let row = |text: &str| {
        let cells = text.chars().map(|c| match c.to_digit(10) {
            Some(vacant) => vec!['.'; vacant as usize],
            None => vec![c],
        });
        cells.collect::<Vec<_>>().concat()
    };
    board.split('/').map(row).collect()
}

/// Returns a position with a few units of another, each on a random square.
pub fn few_units_of(fen: &str, random: &mut Random) -> String {
    let mut rows = rows_of(fen);
    let is_unit = |c: &char| c.is_ascii_alphabetic();
    let units: Vec<char> = rows.concat().into_iter().filter(is_unit).collect();
    for cell in rows.iter_mut().flatten().filter(|c| is_unit(c)) {
        *cell = '.';
    }
    let kept = 2 + random.below(5);
    for unit in &units {
        let royal = matches!(unit.to_ascii_uppercase(), 'K' | 'Q');
        if !(royal && random.below(4) > 0 || random.below(units.len()) < kept) {
            continue;
        }
        for _ in 0..8 {
            let rank = random.below(rows.len());
            let file = random.below(rows[rank].len());
            if rows[rank][file] == '.' {
                rows[rank][file] = *unit;
                break;
            }
        }
    }
    with_any_side(&rows, random)
}

/// Returns the FEN of a board with one of the sides to move.
pub fn with_any_side(board: &[Vec<char>], random: &mut Random) -> String {
    let side = ["w", "b"][random.below(2)];
    format!("{} {side} - - 0 1", board_of(board))
}

/// Returns a board with these units at random, the kings near one corner so that much is forced.
pub fn crowded(units: &str, files: usize, ranks: usize, random: &mut Random) -> String {
    let mut board = vec![vec!['.'; files]; ranks];
    for unit in units.chars() {
        for _ in 0..8 {
            let (rank, file) = match unit {
                'K' | 'k' => (random.below(3), random.below(3)),
                'P' | 'p' => (1 + random.below(ranks - 2), random.below(files)),
                _ => (random.below(ranks), random.below(files)),
            };
            if board[rank][file] == '.' {
                board[rank][file] = unit;
                break;
            }
        }
    }
    board_of(&board)
}

/// Returns a random board for a variant with this start: files, ranks, and vacant cells or holes.
fn random_shape(
    own: &str,
    size: Option<(usize, usize)>,
    random: &mut Random,
) -> (usize, usize, Vec<char>) {
    let own_rows = rows_of(own);
    let (mut files, mut ranks) = (own_rows[0].len(), own_rows.len());
    let mut holes = 0;
    if let Some(size) = size {
        (files, ranks) = size;
        holes = random.below(2) * random.below(files * ranks);
    }
    match if size.is_some() { 0 } else { random.below(4) } {
        0 | 1 => {}
        2 => {
            files = 2 + random.below(7);
            ranks = 2 + random.below(7);
        }
        _ => {
            files = 3 + random.below(10);
            ranks = 2 + random.below(8);
            while files * ranks > 128 {
                ranks -= 1;
            }
            holes = random.below(5);
        }
    }
    let mut cells = vec!['.'; files * ranks];
    for _ in 0..holes {
        let at = random.below(cells.len());
        cells[at] = '*';
    }
    if own.contains('*') && holes == 0 && random.one_in(2) {
        let shape = own_rows.concat().into_iter();
        let shape: Vec<char> = shape.map(|c| if c == '*' { '*' } else { '.' }).collect();
        if shape.len() == cells.len() {
            cells = shape;
        }
    }
    (files, ranks, cells)
}

/// Puts a unit on a random vacant cell, if one is found.
fn put(cells: &mut [char], random: &mut Random, c: char) {
    for _ in 0..20 {
        let at = random.below(cells.len());
        if cells[at] == '.' {
            cells[at] = c;
            return;
        }
    }
}

/// Adds rows next to a king that are nearly complete.
fn add_rows(cells: &mut [char], files: usize, ranks: usize, random: &mut Random) {
    let from = cells.iter().position(|c| c.eq_ignore_ascii_case(&'k'));
    for _ in 0..1 + random.below(2) {
        let (dx, dy) = (random.below(3) as i32 - 1, random.below(3) as i32 - 1);
        for n in 1..4 {
            let Some(from) = from else { continue };
            let file = (from % files) as i32 + n * dx;
            let rank = (from / files) as i32 + n * dy;
            let inside = (0..files as i32).contains(&file) && (1..ranks as i32 - 1).contains(&rank);
            if inside && !random.one_in(3) {
                let at = rank as usize * files + file as usize;
                if cells[at] == '.' {
                    cells[at] = random.pick(b"NBPnbrqp") as char;
                }
            }
        }
    }
}

/// Returns a random position of this variant: often refused, often accepted.
pub fn random_fen(variant: &str, random: &mut Random) -> String {
    random_fen_on(variant, None, random)
}

/// Returns a random position on a board of these files and ranks, sometimes with a hole.
pub fn random_fen_on(variant: &str, size: Option<(usize, usize)>, random: &mut Random) -> String {
    let id = variant.split(':').next().expect("an id");
    let chromopolis = id == "chromopolis";
    let own = fairyproof::catalog::Catalog::new()
        .open(variant)
        .expect("a variant")
        .start();
    let (files, ranks, mut cells) = random_shape(&own, size, random);
    let letters: &[u8] = match id {
        "chromopolis" => b"NALPP",
        "reentrant" => b"NRPP",
        _ => b"NBRQPPP",
    };
    let two_royal = matches!(
        id,
        "concurrent"
            | "counselor"
            | "donnybrook"
            | "dowager"
            | "dynastic"
            | "reentrant"
            | "regent"
            | "separation"
    );
    // Castling homes now and then, so that rights are exercised.
    let home = match files {
        8 if random.one_in(4) && !chromopolis => Some(4),
        7 if random.one_in(4) && id == "bachelor" => Some(3),
        _ => None,
    };
    if let Some(king) = home {
        cells[(ranks - 1) * files + king] = 'K';
        cells[king] = 'k';
        for (at, c) in [
            (0, 'r'),
            (files - 1, 'r'),
            ((ranks - 1) * files, 'R'),
            (ranks * files - 1, 'R'),
        ] {
            if random.one_in(2) {
                cells[at] = c;
            }
        }
    } else {
        for c in ['K', 'k'] {
            if !random.one_in(12) {
                put(&mut cells, random, c);
            }
        }
    }
    if two_royal {
        for c in ['Q', 'q'] {
            if !random.one_in(6) {
                put(&mut cells, random, c);
            }
        }
    }
    // Now and then nearly all units are of one side, so that mates and stalemates turn up.
    let strong = random.pick(&[None, None, Some(true), Some(false)]);
    if id == "linkage" && random.one_in(2) {
        add_rows(&mut cells, files, ranks, random);
    }
    let most = if random.one_in(3) { 14 } else { 6 };
    for _ in 0..random.below(most) {
        let mut c = random.pick(letters) as char;
        if two_royal && c == 'Q' {
            c = 'P';
        }
        if random.one_in(20) && !two_royal {
            c = 'K';
        }
        let upper = match strong {
            Some(upper) if !random.one_in(6) => upper,
            _ => random.one_in(2),
        };
        let c = if upper { c } else { c.to_ascii_lowercase() };
        if c.eq_ignore_ascii_case(&'p') && random.below(8) > 0 {
            // Pawns mostly where they may stand.
            for _ in 0..20 {
                let at = random.below(cells.len());
                if cells[at] == '.' && ranks > 2 && (1..ranks - 1).contains(&(at / files)) {
                    cells[at] = c;
                    break;
                }
            }
        } else {
            put(&mut cells, random, c);
        }
    }
    let rows: Vec<&[char]> = cells.chunks(files).collect();
    let board = board_of(&rows);
    let side = random.pick(&["w", "b"]);
    let rights = if id == "bachelor" {
        random.pick(&["-", "AGag", "Ag", "G"])
    } else {
        random.pick(&["-", "KQkq", "Kq", "Q"])
    };
    let mut passant = "-".to_string();
    if random.one_in(3) && ranks >= 6 {
        // A pawn that may just have made its double step, with a neighbor.
        let rank = if side == "w" { ranks - 3 } else { 2 };
        passant = format!("{}{}", (b'a' + random.below(files) as u8) as char, rank + 1);
    }
    let clock = random.pick(&["0", "7", "49", "50", "51"]);
    let number = random.pick(&["1", "12", "59", "60", "61"]);
    let state = random_state(id, random, files, ranks);
    let blank = if state.is_empty() { "" } else { " " };
    format!("{board} {side} {rights} {passant} {clock} {number}{blank}{state}")
}

fn random_state(id: &str, random: &mut Random, files: usize, ranks: usize) -> String {
    if random.one_in(2) {
        return String::new();
    }
    let kinds = ["-", "N", "K", "NN", "KN", "KK"];
    let zoo = [
        "-", "P", "N", "PN", "PB", "PNB", "PNBR", "BRQ", "PNBRQ", "RQK", "NP",
    ];
    let hands = ["-", "R", "N", "P", "RN", "RP", "RNP", "PP", "NNP", "PN"];
    match id {
        "french-revolution" => "first=1".to_string(),
        "blunder-mate" => "blunder=1".to_string(),
        "contravention" => format!("into={}", random.pick(&["w", "b", "wb", "bw"])),
        "donnybrook" => format!("return={}", random.pick(&["R", "N", "B", "Q"])),
        "junta" => format!("taken={}/{}", random.pick(&kinds), random.pick(&kinds)),
        "zoo" => format!("taken={}/{}", random.pick(&zoo), random.pick(&zoo)),
        "moderation" => format!("checks={},{}", random.below(5), random.below(4)),
        "reentrant" => format!(
            "hand={}/{}/{}/{}",
            random.pick(&hands),
            random.pick(&hands),
            random.pick(&hands),
            random.pick(&hands)
        ),
        "entourage" => "over=entourage-captured".to_string(),
        "triple-check" => "over=triple-check".to_string(),
        "twilight" => format!(
            "over={}",
            random.pick(&[
                "pawns-eliminated",
                "minors-eliminated",
                "majors-eliminated",
                "none"
            ])
        ),
        "chromopolis" => {
            let mut squares: Vec<usize> = (0..1 + random.below(4))
                .map(|_| random.below(files * ranks))
                .collect();
            squares.sort_unstable();
            squares.dedup();
            let piles: Vec<String> = squares
                .iter()
                .map(|&square| {
                    let mut units: Vec<char> = (0..1 + random.below(3))
                        .map(|_| random.pick(b"NALPnalp") as char)
                        .collect();
                    units.sort_by_key(|c| {
                        (c.is_ascii_lowercase(), "KNALP".find(c.to_ascii_uppercase()))
                    });
                    format!(
                        "{}{}{}",
                        (b'a' + (square % files) as u8) as char,
                        square / files + 1,
                        units.iter().collect::<String>()
                    )
                })
                .collect();
            format!("bound={}", piles.join(","))
        }
        _ => String::new(),
    }
}
