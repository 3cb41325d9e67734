//! Arrays on smaller boards.

/// A reduced board with its array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reduced {
    pub(super) options: &'static [&'static str],
    pub(super) files: usize,
    pub(super) ranks: usize,
    white: String,
    black: String,
}

impl Reduced {
    /// Steps of each pawn.
    pub(super) fn steps(&self) -> usize {
        self.ranks / 2 - 1
    }

    /// Squares of the board.
    pub(super) fn squares(&self) -> usize {
        self.files * self.ranks
    }

    /// Returns the pieces of both sides, on any squares.
    pub(super) fn pieces(&self) -> [Vec<char>; 2] {
        [&self.white, &self.black].map(|row| {
            let mut pieces: Vec<char> = row.chars().filter(|&c| c != ' ').collect();
            pieces.sort_unstable();
            pieces
        })
    }

    /// Returns the page's bound on this board, in turns.
    pub(super) fn bound(&self) -> usize {
        self.files * self.steps()
    }

    /// Pawns past each other in the middle, as on the page; on an odd number of ranks with one
    /// rank between them.
    pub(super) fn fen(&self) -> String {
        let mut rows = vec![self.files.to_string(); self.ranks];
        let white_rank = self.ranks - 1 - self.steps();
        rows[white_rank] = "P".repeat(self.files);
        rows[self.steps()] = "p".repeat(self.files);
        let row = |text: &str| text.replace(' ', "1");
        rows[0] = row(&self.white.to_ascii_uppercase());
        rows[self.ranks - 1] = row(&self.black.to_ascii_lowercase());
        // Counts of vacant squares are one number.
        let joined: Vec<String> = rows.iter().rev().map(|row| merged(row)).collect();
        format!("{} w - - 0 1 first=1", joined.join("/"))
    }
}

/// Returns a row with its ones added up.
fn merged(row: &str) -> String {
    let (mut text, mut vacant) = (String::new(), 0);
    if row.bytes().all(|b| b.is_ascii_digit()) && !row.contains('1') {
        return row.to_string();
    }
    for c in row.chars() {
        if c == '1' {
            vacant += 1;
            continue;
        }
        if vacant > 0 {
            text += &vacant.to_string();
            vacant = 0;
        }
        text.push(c);
    }
    if vacant > 0 {
        text += &vacant.to_string();
    }
    text
}

/// First ranks with a king and at most one piece more, `None` for that piece: the king alone.
fn arrays(files: usize, pieces: bool) -> Vec<[String; 2]> {
    let lone = |at: usize| -> String {
        (0..files)
            .map(|i| if i == at { 'K' } else { ' ' })
            .collect()
    };
    let mirrored = |row: &str| -> String { row.chars().rev().collect() };
    let mut found: Vec<[String; 2]> = Vec::new();
    let mut add = |white: String, black: String| {
        let mirror = [mirrored(&white), mirrored(&black)];
        if !found.contains(&mirror) {
            found.push([white, black]);
        }
    };
    for white in 0..files {
        for black in 0..files {
            add(lone(white), lone(black));
        }
    }
    if pieces {
        for king in 0..files {
            for other in (0..files).filter(|&i| i != king) {
                for letter in ['N', 'B', 'R', 'Q'] {
                    let row: String = lone(king)
                        .chars()
                        .enumerate()
                        .map(|(i, c)| if i == other { letter } else { c })
                        .collect();
                    add(row.clone(), row);
                }
            }
        }
    }
    found
}

/// Reduced boards for these options, by number of squares: `most` bounds files times steps, and
/// for arrays with pieces `most_with_pieces`.
pub(super) fn reduced(
    options: &[&'static [&'static str]],
    ranks: impl Iterator<Item = usize>,
    most: usize,
    most_with_pieces: usize,
) -> Vec<Reduced> {
    let mut boards = Vec::new();
    for ranks in ranks {
        for files in 1..=8 {
            let bound = files * (ranks / 2 - 1);
            if bound > most {
                break;
            }
            for [white, black] in arrays(files, bound <= most_with_pieces) {
                for &options in options {
                    boards.push(Reduced {
                        options,
                        files,
                        ranks,
                        white: white.clone(),
                        black: black.clone(),
                    });
                }
            }
        }
    }
    boards
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::french_revolution::{PLAIN, named, steps_left};
    use board::Color;
    use notation::Setup;

    #[test]
    fn reduced_arrays_read_and_have_the_steps_they_say() {
        let mut read = 0;
        for board in reduced(&PLAIN, 4..=10, 8, 4) {
            let variant = catalog::Catalog::new()
                .open(&named(board.options))
                .expect("an id");
            let setup = match Setup::read(&variant, Some(&board.fen())) {
                Ok(setup) => setup,
                Err(error) => {
                    // The one reason why an array may be no start.
                    assert!(error.why.contains("attacked"), "{error}");
                    continue;
                }
            };
            read += 1;
            with_setup!(setup, start => {
                for color in Color::BOTH {
                    let steps = steps_left(start.game.board(), &start.position, color);
                    assert_eq!(steps as usize, board.bound(), "{}", board.fen());
                }
            });
        }
        assert!(read > 0);
    }
}
