//! The commands that create a twin of a problem by changing its position or its stipulation.

use super::super::words::{TWINNINGS, TokenReader, Word};
use super::{Draft, letter, orthodox, squares, stipulation, wrong};
use diagnostics::Diagnostic;

/// A rotation or reflection: takes a unit's rank and file and returns its new square.
type Symmetry = fn(usize, usize) -> usize;

/// A command that is being read.
struct TwinCommand<'r, 'w, 't> {
    word: Word<'w>,
    reader: &'r mut TokenReader<'t>,
    /// The texts of all commands read so far, with their operands.
    texts: &'r mut Vec<String>,
}

impl TwinCommand<'_, '_, '_> {
    fn wrong(&self, why: impl Into<String>) -> Diagnostic {
        wrong(self.word, why)
    }

    /// Returns the error for a square without a unit.
    fn vacant(&self, at: usize) -> Diagnostic {
        let file = char::from(b'a' + (at % 8) as u8);
        self.wrong(format!("no unit is on {file}{}", at / 8 + 1))
    }

    /// Reads one or more squares that are written together, if they are next.
    fn squares(&mut self) -> Option<Vec<usize>> {
        let named = self.reader.peek().and_then(|word| squares(word.text))?;
        let text = self.reader.next().map(|word| word.text.to_string());
        self.texts.extend(text);
        Some(named)
    }

    fn two_squares(&mut self) -> Result<[usize; 2], Diagnostic> {
        let mut named = Vec::new();
        while named.len() < 2
            && let Some(more) = self.squares()
        {
            named.extend(more);
        }
        <[usize; 2]>::try_from(named)
            .map_err(|_| self.wrong(format!("two squares follow `{}`", self.word.text)))
    }

    fn next_text(&mut self) -> String {
        let text = self.reader.next().map_or("", |word| word.text).to_string();
        self.texts.push(text.clone());
        text
    }

    fn rotation(&mut self) -> Result<Symmetry, Diagnostic> {
        // Rotation is counterclockwise: 90 degrees move a unit from a1 to h1.
        Ok(match self.next_text().as_str() {
            "90" => |rank, file| file * 8 + 7 - rank,
            "180" => |rank, file| (7 - rank) * 8 + 7 - file,
            "270" => |rank, file| (7 - file) * 8 + rank,
            other => {
                let error = self.wrong(format!("`{other}` is not a rotation of the board"));
                return Err(error.help("`90`, `180` or `270`"));
            }
        })
    }

    fn reflection(&mut self) -> Result<Symmetry, Diagnostic> {
        let axis = self.next_text();
        Ok(match axis.to_ascii_lowercase().as_str() {
            "a1<-->h1" => |rank, file| rank * 8 + 7 - file,
            "a1<-->a8" => |rank, file| (7 - rank) * 8 + file,
            "a1<-->h8" => |rank, file| (7 - file) * 8 + 7 - rank,
            "a8<-->h1" => |rank, file| file * 8 + rank,
            _ => {
                let error = self.wrong(format!("`{axis}` is not a mirror axis"));
                return Err(error.help("`a1<-->h1`, `a1<-->a8`, `a1<-->h8` or `a8<-->h1`"));
            }
        })
    }

    fn piece(&mut self) -> Result<u8, Diagnostic> {
        let name = self.next_text();
        letter(&name, self.reader).ok_or_else(|| {
            self.wrong(format!("`{name}` is not an orthodox piece"))
                .help(orthodox(self.reader))
        })
    }
}

impl Draft {
    /// Reads and applies the commands that create a twin, such as `Move a1 a2` or `Stipulation h#2`. `before`
    /// is the previous twin, from which `Continued` starts; `None` if that twin failed.
    pub(in super::super) fn twin(
        &mut self,
        twin: Word<'_>,
        before: Option<&Draft>,
        reader: &mut TokenReader<'_>,
    ) -> Result<(), Diagnostic> {
        let mut texts = Vec::new();
        while let Some(word) = reader.peek() {
            let Some(name) = reader.unfold(word.text, &TWINNINGS) else {
                break;
            };
            reader.next();
            if !matches!(name, "continued" | "stipulation") {
                texts.push(name.to_string());
            }
            let command = TwinCommand {
                word,
                reader,
                texts: &mut texts,
            };
            self.carry_out(name, command, before)?;
        }
        if texts.is_empty() {
            return Err(wrong(twin, "nothing follows that makes a twin")
                .help("such as `Move a1 a2`, `Remove b4`, `Stipulation h#2`"));
        }
        self.made = texts.join(" ");
        Ok(())
    }

    fn carry_out(
        &mut self,
        name: &str,
        mut command: TwinCommand<'_, '_, '_>,
        before: Option<&Draft>,
    ) -> Result<(), Diagnostic> {
        let word = command.word;
        match name {
            "continued" => {
                *self = before.cloned().ok_or_else(|| {
                    let why = "`Continued` needs the twin before it, which cannot be imported";
                    command.wrong(why)
                })?;
            }
            "move" => self.move_unit(&mut command)?,
            "exchange" => self.exchange(&mut command)?,
            "shift" => self.shift(&mut command)?,
            "remove" => self.remove(&mut command)?,
            "add" => {
                let from = command.reader.peek().map_or(word.line, |word| word.line);
                self.pieces(word, command.reader, true)?;
                command.texts.push(format!("(line {from})"));
            }
            "stipulation" => {
                let text = stipulation(word, command.reader)?;
                command.texts.push(text.clone());
                self.stipulation = Some(text);
            }
            "forsyth" => {
                self.board = [b' '; 64];
                self.forsyth(word, command.reader)?;
            }
            "polishtype" => {
                for unit in &mut self.board {
                    *unit ^= if unit.is_ascii_alphabetic() { 0x20 } else { 0 };
                }
            }
            "rotate" => self.relocate(command.rotation()?),
            "mirror" => self.relocate(command.reflection()?),
            "substitute" => self.substitute(&mut command)?,
            _ => {
                return Err(command
                    .wrong(format!("twins by `{}` are not imported", word.text))
                    .help("write the twin as a problem of its own"));
            }
        }
        Ok(())
    }

    fn move_unit(&mut self, command: &mut TwinCommand<'_, '_, '_>) -> Result<(), Diagnostic> {
        let [from, to] = command.two_squares()?;
        if self.board[from] == b' ' {
            return Err(command.vacant(from));
        }
        self.board[to] = std::mem::replace(&mut self.board[from], b' ');
        Ok(())
    }

    fn exchange(&mut self, command: &mut TwinCommand<'_, '_, '_>) -> Result<(), Diagnostic> {
        let [one, other] = command.two_squares()?;
        if let Some(&at) = [one, other].iter().find(|at| self.board[**at] == b' ') {
            return Err(command.vacant(at));
        }
        self.board.swap(one, other);
        Ok(())
    }

    /// Moves all units by the distance between two squares.
    fn shift(&mut self, command: &mut TwinCommand<'_, '_, '_>) -> Result<(), Diagnostic> {
        let [from, to] = command.two_squares()?;
        let ranks = (to / 8) as i32 - (from / 8) as i32;
        let files = (to % 8) as i32 - (from % 8) as i32;
        let mut shifted = [b' '; 64];
        for (at, unit) in self.board.iter().enumerate().filter(|(_, u)| **u != b' ') {
            let (rank, file) = ((at / 8) as i32 + ranks, (at % 8) as i32 + files);
            if !(0..8).contains(&rank) || !(0..8).contains(&file) {
                return Err(command.wrong("a piece would leave the board"));
            }
            shifted[(rank * 8 + file) as usize] = *unit;
        }
        self.board = shifted;
        Ok(())
    }

    fn remove(&mut self, command: &mut TwinCommand<'_, '_, '_>) -> Result<(), Diagnostic> {
        let named = command.squares().filter(|named| !named.is_empty());
        let named = named
            .ok_or_else(|| command.wrong(format!("no square follows `{}`", command.word.text)))?;
        for at in named {
            if std::mem::replace(&mut self.board[at], b' ') == b' ' {
                return Err(command.vacant(at));
            }
        }
        Ok(())
    }

    /// Replaces one kind of unit by another, on both sides.
    fn substitute(&mut self, command: &mut TwinCommand<'_, '_, '_>) -> Result<(), Diagnostic> {
        let (old, new) = (command.piece()?, command.piece()?);
        for unit in &mut self.board {
            if unit.to_ascii_uppercase() == old {
                *unit = new | (*unit & 0x20);
            }
        }
        Ok(())
    }

    /// Moves every unit to the square that `to` computes from its rank and file.
    fn relocate(&mut self, to: Symmetry) {
        let old = self.board;
        for (at, unit) in old.iter().enumerate() {
            self.board[to(at / 8, at % 8)] = *unit;
        }
    }
}
