//! The kinds of unit of a definition: one for each piece, and further forms that record a unit's former
//! piece. Such forms exist only if the rules depend on them, as when a captured promoted pawn reverts.

use board::{FurtherNames, Kind, Men, Movement};
use definition::{Definition, PieceSet, PieceType};

/// The former piece of a promoted unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// No former piece, or the rules do not depend on it.
    None,
    /// A pawn of any kind. In hand, the unit reverts to the main pawn.
    Pawn,
    /// The given piece.
    Piece(PieceType),
}

/// The kinds of a definition, by number. Orthodox pieces have the same numbers as in orthodox chess.
#[derive(Clone, Debug)]
pub struct Kinds {
    forms: Vec<Option<(PieceType, Memory)>>,
    /// By piece, all its forms, starting with the form without memory.
    of_piece: Vec<Vec<Kind>>,
    /// Whether pieces that promote as in shogi have forms that record the former piece.
    pub remember: bool,
    /// Whether promoted pawns have forms that record that they were pawns.
    pub remember_pawns: bool,
}

const STANDARD: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

impl Kinds {
    /// Returns the kinds of a definition, or `None` if there are more than [`Kind::MAX`].
    pub fn new(definition: &Definition) -> Option<Kinds> {
        let promotion = &definition.promotion;
        let remember_pawns = definition.hands_revert();
        let remember = remember_pawns || promotion.demotion || definition.drops.promoted;
        let mut forms: Vec<(PieceType, Memory)> = (0..definition.pieces.len())
            .map(|n| (PieceType(n as u8), Memory::None))
            .collect();
        if remember {
            let mut add = |form| {
                if !forms.contains(&form) {
                    forms.push(form);
                }
            };
            let pawns = promotion.pawns[0].0 | promotion.pawns[1].0 != 0;
            if remember_pawns && (pawns || definition.pawns.pawn.is_some()) {
                let choices = PieceSet(promotion.choices[0].0 | promotion.choices[1].0);
                for piece in choices.iter() {
                    add((piece, Memory::Pawn));
                }
            }
            for (n, promoted) in promotion.promoted.iter().enumerate() {
                if let Some(promoted) = promoted {
                    add((*promoted, Memory::Piece(PieceType(n as u8))));
                }
            }
        }
        if forms.len() > Kind::MAX {
            return None;
        }
        // The orthodox pieces come first, then the others.
        let mut slots: Vec<Option<(PieceType, Memory)>> = vec![None; STANDARD.len()];
        let (mut rest, mut promoted) = (Vec::new(), Vec::new());
        for form in forms {
            let name = definition.pieces[form.0.index()].name.as_str();
            match STANDARD.iter().position(|n| *n == name) {
                Some(n) if form.1 == Memory::None => slots[n] = Some(form),
                _ if form.1 == Memory::None => rest.push(form),
                _ => promoted.push(form),
            }
        }
        let vacant = slots.iter().filter(|slot| slot.is_none()).count();
        if rest.len() <= vacant {
            // Use the pawn's number last, because other code treats that kind as a pawn.
            for n in [4, 3, 2, 1, 5, 0] {
                if slots[n].is_none() {
                    slots[n] = rest.pop();
                }
            }
        } else {
            slots.extend(rest.into_iter().map(Some));
        }
        // Promoted forms need names of two characters, and the first six kinds have one letter each.
        slots.extend(promoted.into_iter().map(Some));
        if slots.len() > Kind::MAX {
            return None;
        }
        let of_piece = (0..definition.pieces.len())
            .map(|n| {
                let mut kinds: Vec<Kind> = Kind::first(slots.len())
                    .filter(|k| slots[k.index()].is_some_and(|form| form.0.index() == n))
                    .collect();
                kinds.sort_by_key(|k| slots[k.index()].map(|form| form.1 != Memory::None));
                kinds
            })
            .collect();
        Some(Kinds {
            forms: slots,
            of_piece,
            remember,
            remember_pawns,
        })
    }

    /// Returns all kinds by number, including unused numbers.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = Kind> + Clone + use<> {
        Kind::first(self.forms.len())
    }

    /// Returns the number of kinds, at least six. Unused numbers are included.
    pub fn count(&self) -> usize {
        self.forms.len()
    }

    /// Returns the piece of which a kind is a form, or `None` for an unused number.
    pub fn piece(&self, kind: Kind) -> Option<PieceType> {
        self.forms
            .get(kind.index())
            .copied()
            .flatten()
            .map(|form| form.0)
    }

    /// Returns the former piece that a kind records.
    pub fn memory(&self, kind: Kind) -> Memory {
        self.forms
            .get(kind.index())
            .copied()
            .flatten()
            .map_or(Memory::None, |form| form.1)
    }

    /// Returns the form of a piece without memory.
    pub fn plain(&self, piece: PieceType) -> Kind {
        self.of_piece[piece.index()][0]
    }

    /// Returns the form of a piece with this memory, or the form without memory if the rules do not depend on
    /// it.
    pub fn form(&self, piece: PieceType, memory: Memory) -> Kind {
        self.of_piece[piece.index()]
            .iter()
            .copied()
            .find(|&kind| self.memory(kind) == memory)
            .unwrap_or(self.plain(piece))
    }

    /// Returns the forms of a piece.
    pub fn forms(&self, piece: PieceType) -> &[Kind] {
        &self.of_piece[piece.index()]
    }

    /// Returns all forms of a set of pieces, as a set with a bit for each kind.
    pub fn mask(&self, pieces: PieceSet) -> u64 {
        pieces
            .iter()
            .filter(|piece| piece.index() < self.of_piece.len())
            .flat_map(|piece| self.forms(piece))
            .fold(0, |mask, kind| mask | 1 << kind.index())
    }

    /// Returns the names of the kinds: the letter of a piece, `Q~` for a promoted pawn, or `+P` for the
    /// promoted form of a `P`.
    pub fn men(&self, definition: &Definition) -> Men {
        let letter = |piece: PieceType| definition.pieces[piece.index()].letter;
        let signs = |form: &Option<(PieceType, Memory)>| match form {
            None => [b' ', b' '],
            Some((piece, Memory::None)) => [letter(*piece), b' '],
            Some((piece, Memory::Pawn)) => [letter(*piece), b'~'],
            Some((_, Memory::Piece(was))) => [b'+', letter(*was)],
        };
        let mut letters = [b' '; 6];
        let mut more = FurtherNames::NONE;
        for (n, form) in self.forms.iter().enumerate() {
            match letters.get_mut(n) {
                Some(slot) => *slot = signs(form)[0],
                None => more.push(signs(form)),
            }
        }
        Men {
            movements: [Movement::Special; 6],
            letters,
            more,
            halves: false,
        }
    }
}
