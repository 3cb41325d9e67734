//! The layout of the variant state of positions: hands, checks given, gates, the unit that is vulnerable to
//! en passant, passes, and other counters and flags.

use crate::declared::{self, Declared};
use crate::kinds::{Kinds, Memory};
use board::{Color, Kind};
use definition::{Definition, PieceSet, PieceType};
use position::{Layout, MoreState, Position, STATE_WORDS, StateWords};
use rules::UnsupportedBoard;
use thiserror::Error;

/// A field of the variant state: a range of bits of one word, which store a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Field {
    word: usize,
    shift: u32,
    bits: u32,
}

impl Field {
    /// Returns the number that a position has in this field.
    #[inline(always)]
    pub fn get<W: Layout>(self, p: &Position<W>) -> u64 {
        self.in_word(p.state_word(self.word))
    }

    /// Sets the number that a position has in this field. The number must fit.
    #[inline(always)]
    pub fn set<W: Layout>(self, p: &mut Position<W>, value: u64) {
        let word = self.with(p.state_word(self.word), value);
        p.set_state_word(self.word, word);
    }

    /// Returns the number in this field of a state word.
    #[inline(always)]
    fn in_word(self, word: u64) -> u64 {
        word >> self.shift & self.most()
    }

    /// Returns a state word with another number in this field. The number must fit.
    #[inline(always)]
    fn with(self, word: u64, value: u64) -> u64 {
        let mask = self.most() << self.shift;
        word & !mask | value << self.shift & mask
    }

    /// Increases the number in this field by one. The largest number that fits is followed by 0.
    #[inline(always)]
    pub fn add<W: Layout>(self, p: &mut Position<W>) {
        self.set(p, self.get(p).wrapping_add(1));
    }

    /// Decreases the number in this field by one, unless it is 0.
    #[inline(always)]
    pub fn take<W: Layout>(self, p: &mut Position<W>) {
        self.set(p, self.get(p).saturating_sub(1));
    }

    /// Returns the largest number that fits.
    #[inline(always)]
    pub fn most(self) -> u64 {
        if self.bits == 0 {
            0
        } else {
            u64::MAX >> (64 - self.bits)
        }
    }
}

/// The bits of all fields of a side's hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hand {
    masks: StateWords,
    /// Number of words up to the last word with such a bit.
    words: usize,
}

impl Hand {
    /// Returns whether the hand contains a unit.
    #[inline(always)]
    pub fn holds<W: Layout>(&self, p: &Position<W>) -> bool {
        if W::MoreState::WORDS == 0 {
            return p.state_word(0) & self.masks[0] != 0;
        }
        (0..self.words).any(|n| p.state_word(n) & self.masks[n] != 0)
    }

    /// Adds the bits of a field.
    fn add(&mut self, field: Field) {
        // If the state has too many words, `StateMap::new` returns an error later.
        if field.bits > 0
            && let Some(mask) = self.masks.get_mut(field.word)
        {
            *mask |= field.with(0, field.most());
            self.words = self.words.max(field.word + 1);
        }
    }
}

/// An allocator for the bits of a state. Fields follow each other, and no field crosses the end of a word.
#[derive(Default)]
struct FieldBits {
    used: u32,
}

impl FieldBits {
    /// Returns a new field with this number of bits, at most 64.
    fn field(&mut self, bits: u32) -> Field {
        // If all words are full, an empty field would get a word that does not exist.
        if bits == 0 {
            return Field::default();
        }
        let left = self.used.next_multiple_of(u64::BITS) - self.used;
        if bits > left {
            self.used += left;
        }
        let field = Field {
            word: (self.used / u64::BITS) as usize,
            shift: self.used % u64::BITS,
            bits,
        };
        self.used += bits;
        field
    }
}

/// The layout of the variant state: the field of each of its parts.
#[derive(Clone, Debug, Default)]
pub struct StateMap {
    /// By side and piece, the number of units in hand.
    pub hands: [Vec<Field>; 2],
    /// By side, all bits of the hand.
    pub hand: [Hand; 2],
    /// By side, the number of checks that the side has given.
    pub checks: [Field; 2],
    /// By side, the files of its castling rank on which units have not moved (a bit for each file).
    pub gates: [Field; 2],
    /// One more than the number of the vulnerable unit's square, or 0. Pawns' double steps need no entry,
    /// unless the definition has other vulnerable units too.
    pub passer: Field,
    /// The further en passant squares between the vulnerable unit and the recorded square (a bit for each,
    /// the lowest for the square nearest to the unit).
    pub passed_near: Field,
    /// The number of consecutive passes up to this position.
    pub passes: Field,
    /// Whether the last turn dropped a `shogiPawn`.
    pub dropped_pawn: Field,
    /// Whether the last turn was a castling that wins.
    pub castled: Field,
    /// By side, whether its unbroken series of checks contains a shak (see `BoundRules::note_shak`). Checks
    /// in the position itself are not included.
    pub shak: [Field; 2],
    /// By side, whether the last units of a pseudo-royal piece have been captured or have become others.
    pub extinct: [Field; 2],
    /// The number of plies without progress, up to the limit of the n-move rule.
    pub quiet: Field,
    /// The fields that the rule text declares, in its order, one for each side. A field without sides is listed twice.
    pub declared: Vec<[Field; 2]>,
    /// The halfmove clock and the number of the move, where clauses read them.
    pub clocks: [Field; 2],
    /// Number of bits used, including unused bits before the last field.
    pub bits: u32,
    /// By kind, the pieces that a captured unit can become in a hand (a bit for each piece).
    pub becomes: Vec<u32>,
    /// The kinds that can become a piece for which hands have no room.
    pub unfitting_kinds: Vec<Kind>,
    /// Maximum number of units of other kinds, on the board and in hand together, for which each hand surely
    /// has room.
    pub fitting_units: u64,
}

/// Maximum number of units of a kind in a hand that a second board fills.
const MAX_FROM_ELSEWHERE: u64 = 15;

/// The number of bits of a clock in the state.
const CLOCK_BITS: u32 = 16;

/// Maximum number of checks that a side has to give.
pub const MAX_CHECKS: u64 = 15;

fn bits_for(most: u64) -> u32 {
    u64::BITS - most.leading_zeros()
}

/// Number of bits in the words of the variant state.
const MAX_STATE_BITS: u32 = u64::BITS * STATE_WORDS as u32;

/// The error for a variant state that does not fit into [`STATE_WORDS`] words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("hands, unmoved units and counters need {bits} bits, there is room for {MAX_STATE_BITS}")]
pub struct StateTooLarge {
    /// Number of bits needed.
    bits: u32,
}

impl From<StateTooLarge> for UnsupportedBoard {
    fn from(error: StateTooLarge) -> UnsupportedBoard {
        error.to_string().into()
    }
}

/// Returns, by kind, the pieces that a unit can become in a hand during a game (a bit for each piece).
fn hand_pieces(definition: &Definition, kinds: &Kinds) -> Vec<u32> {
    let (promotion, drops) = (&definition.promotion, &definition.drops);
    let pawn = definition.pawns.pawn;
    let is_pawn = |piece: PieceType| {
        pawn == Some(piece) || promotion.pawns.iter().any(|pawns| pawns.has(piece))
    };
    let choices = PieceSet(promotion.choices[0].0 | promotion.choices[1].0);
    let promoted = |piece: PieceType| promotion.promoted[piece.index()];
    let all = kinds.all().map(|kind| {
        let start = kinds.piece(kind).map(|piece| (piece, kinds.memory(kind)));
        // All forms that the unit can take, on the board and after drops.
        let mut forms: Vec<(PieceType, Memory)> = start.into_iter().collect();
        let mut held = PieceSet::default();
        let mut at = 0;
        while let Some(&(piece, memory)) = forms.get(at) {
            at += 1;
            let mut next = Vec::new();
            if is_pawn(piece) {
                next.extend(choices.iter().map(|choice| (choice, Memory::Pawn)));
            }
            next.extend(promoted(piece).map(|to| (to, Memory::Piece(piece))));
            let taken: Vec<PieceType> = match memory {
                Memory::Piece(was) if !drops.keep_promoted => vec![was],
                Memory::Pawn if !drops.keep_promoted => {
                    let main = promotion.main_pawn.into_iter().flatten();
                    main.chain(pawn).collect()
                }
                _ => vec![piece],
            };
            if let Memory::Piece(was) = memory
                && promotion.demotion
            {
                next.push((was, Memory::None));
            }
            for piece in taken {
                held.0 |= 1 << piece.0;
                next.push((piece, Memory::None));
            }
            for form in next {
                if !forms.contains(&form) {
                    forms.push(form);
                }
            }
        }
        held.0
    });
    all.collect()
}

impl StateMap {
    /// Returns the layout for a definition and games from one position. `on_board` is the number of units on
    /// the board by kind, of both sides together, and `in_hand` the number in hand by side and piece.
    ///
    /// # Errors
    /// If the state does not fit into [`STATE_WORDS`] words.
    pub fn new(
        definition: &Definition,
        kinds: &Kinds,
        on_board: &[u32],
        in_hand: &[Vec<u32>; 2],
        passed: u32,
        start_checks: u64,
        declared: &Declared,
    ) -> Result<StateMap, StateTooLarge> {
        let mut map = StateMap {
            becomes: hand_pieces(definition, kinds),
            ..StateMap::default()
        };
        let drops = &definition.drops;
        let mut bits_of_state = FieldBits::default();
        let mut field = |bits: u32| bits_of_state.field(bits);
        let pieces = definition.pieces.len();
        for color in Color::BOTH {
            for n in 0..pieces {
                let most = if !definition.has_hands() {
                    0
                } else if definition.captures_change_hands() {
                    let all = on_board.iter().chain(in_hand.iter().flatten());
                    u64::from(all.sum::<u32>())
                } else if drops.two_boards && !drops.captures_to_hand {
                    MAX_FROM_ELSEWHERE.max(in_hand[color.index()][n].into())
                } else if drops.captures_to_hand {
                    let board: u32 = kinds
                        .all()
                        .filter(|kind| map.becomes[kind.index()] >> n & 1 != 0)
                        .map(|kind| on_board[kind.index()])
                        .sum();
                    let hands: u32 = (0..pieces)
                        .filter(|&from| {
                            map.becomes[kinds.plain(PieceType(from as u8)).index()] >> n & 1 != 0
                        })
                        .map(|from| in_hand[0][from] + in_hand[1][from])
                        .sum();
                    u64::from(board + hands)
                } else {
                    u64::from(in_hand[color.index()][n])
                };
                // A royal unit is never captured.
                let royal = definition.checks.king == Some(PieceType(n as u8))
                    && !definition.has_clause("royalIf");
                let most = if royal {
                    u64::from(in_hand[color.index()][n])
                } else {
                    most
                };
                let one = field(bits_for(most));
                map.hand[color.index()].add(one);
                map.hands[color.index()].push(one);
            }
        }
        if definition.checks.counting {
            let bits = bits_for(start_checks.clamp(1, MAX_CHECKS));
            map.checks = [field(bits), field(bits)];
        }
        if definition.gating.enabled {
            let files = u32::from(definition.board.files());
            map.gates = [field(files), field(files)];
        }
        if passed > 0 {
            map.passer = field(8);
            map.passed_near = field(passed - 1);
        }
        if definition.passing.allowed != [false; 2] || definition.passing.on_stalemate != [false; 2]
        {
            map.passes = field(2);
        }
        if drops.shogi_pawn_mate_illegal && definition.named("shogiPawn").is_some() {
            map.dropped_pawn = field(1);
        }
        if definition.castling.wins != Default::default() {
            map.castled = field(1);
        }
        if definition.checks.shatar {
            map.shak = [field(1), field(1)];
        }
        if definition.last_royals_can_go() {
            map.extinct = [field(1), field(1)];
        }
        map.quiet = field(bits_for(definition.quiet_plies()));
        for declaration in &declared.fields {
            let bits = declared::bits(declaration.kind, pieces, definition.board);
            let first = field(bits);
            let second = if declaration.of_side {
                field(bits)
            } else {
                first
            };
            map.declared.push([first, second]);
        }
        map.clocks = [declared.keeps_halfmove, declared.keeps_fullmove].map(|kept| {
            if kept {
                field(CLOCK_BITS)
            } else {
                Field::default()
            }
        });
        (map.unfitting_kinds, map.fitting_units) = map.fitting(definition, kinds);
        map.bits = bits_of_state.used;
        match map.bits > MAX_STATE_BITS {
            true => Err(StateTooLarge { bits: map.bits }),
            false => Ok(map),
        }
    }
}

impl StateMap {
    /// Returns the kinds that can become a piece for which hands have no room, and the number of units of
    /// other kinds for which each hand surely has room.
    fn fitting(&self, definition: &Definition, kinds: &Kinds) -> (Vec<Kind>, u64) {
        let room = |n: usize| self.hands[0][n].most();
        let is_king = |n: usize| definition.checks.king == Some(PieceType(n as u8));
        let pieces = 0..definition.pieces.len();
        let roomless = pieces.clone().filter(|&n| room(n) == 0 && !is_king(n));
        let roomless = roomless.fold(0, |all, n| all | 1 << n);
        let unfitting = |kind: &Kind| self.becomes[kind.index()] & roomless != 0;
        let plain = |n: usize| kinds.plain(PieceType(n as u8));
        let held = || pieces.clone().filter(|&n| room(n) > 0);
        let units = match held().any(|n| unfitting(&plain(n))) {
            true => 0,
            false => held().map(room).min().unwrap_or(u64::MAX),
        };
        (kinds.all().filter(unfitting).collect(), units)
    }

    /// Returns whether the state consists of hands, and of counters and flags that decide only when games end.
    pub fn has_only_hands_and_counters(&self) -> bool {
        let [white, black] = [0, 1].map(|side| [self.gates[side], self.extinct[side]]);
        let others = [self.passer, self.passed_near, self.passes];
        let mut others = others
            .into_iter()
            .chain(white)
            .chain(black)
            .chain(self.clocks);
        self.declared.is_empty() && others.all(|field| field.bits == 0)
    }

    /// Returns whether the hands have at least as much room for each piece as those of another layout.
    pub fn holds_hands_of(&self, other: &StateMap) -> bool {
        let own = self.hands.iter().flatten();
        let mut pairs = own.zip(other.hands.iter().flatten());
        pairs.all(|(own, other)| own.most() >= other.most())
    }

    /// Returns a state of one word with the sides swapped. Returns `None` if the state contains squares, if a
    /// number of one side does not fit the other side's field, or if the layout has several words.
    pub fn swapped(&self, state: u64) -> Option<u64> {
        let stands = [self.passer, self.gates[0], self.gates[1]];
        if !self.declared.is_empty()
            || self.bits > u64::BITS
            || stands.iter().any(|field| field.in_word(state) > 0)
        {
            return None;
        }
        let hands = self.hands[0].iter().zip(&self.hands[1]);
        let counters = [self.checks, self.shak, self.extinct].map(|[white, black]| (white, black));
        let mut pairs = hands.map(|(&white, &black)| (white, black)).chain(counters);
        pairs.try_fold(state, |swapped, (white, black)| {
            let (ours, theirs) = (white.in_word(state), black.in_word(state));
            let fits = ours <= black.most() && theirs <= white.most();
            fits.then(|| black.with(white.with(swapped, theirs), ours))
        })
    }
}

/// Returns the text of a hand: White's letters, then Black's in lower case.
pub fn hand_text<W: Layout>(definition: &Definition, map: &StateMap, p: &Position<W>) -> String {
    let mut text = String::new();
    for color in Color::BOTH {
        for (n, field) in map.hands[color.index()].iter().enumerate().rev() {
            let letter = color.letter_of_unit(definition.pieces[n].letter as char);
            for _ in 0..field.get(p) {
                text.push(letter);
            }
        }
    }
    text
}

/// Returns the piece that a captured unit of `kind` becomes in hand. `color` was its owner.
pub fn reverted(
    definition: &Definition,
    kinds: &Kinds,
    kind: Kind,
    color: Color,
) -> Option<PieceType> {
    let piece = kinds.piece(kind)?;
    if definition.drops.keep_promoted {
        return Some(piece);
    }
    match kinds.memory(kind) {
        Memory::None => Some(piece),
        Memory::Pawn => definition.promotion.main_pawn[color.index()].or(definition.pawns.pawn),
        Memory::Piece(was) => Some(was),
    }
}
