//! The hooks of a bound definition: [`Rules`], [`Carried`], [`FenFields`] and [`TableRules`] for
//! [`BoundRules`].

use crate::bound_rules::{BoundRules, Passers};
use crate::kinds::Memory;
use crate::lines::{between, distance};
use crate::state;
use crate::symmetry::orientation;
use crate::turns::gates::shuts;
use board::{Color, Kind, Men, Square, Squares};
use definition::Definition;
use position::{BoardOf, Layout, Position};
use rules::{
    Carried, Castling, Facts, FenFields, Flow, Generator, IllegalPosition, Outcome, Rules, Safety,
    Sink, Symmetries, TableRules, Turn, UnsupportedByTables,
};

impl<W: Layout> Rules<W> for BoundRules<W::Set> {
    const FACTS: Facts = Facts {
        safety: Safety::Trial,
        ..Facts::DEFAULT
    };
    const GENERATOR: Generator = Generator::Own;

    fn carried(&self) -> &dyn Carried<W> {
        self
    }

    fn tables(&self) -> Option<&dyn TableRules<W>> {
        Some(self)
    }

    fn men(&self) -> &Men {
        &self.law.men
    }

    fn wraps(&self) -> bool {
        self.law.definition.board.wraps()
    }

    fn castling(&self) -> Option<Castling> {
        None
    }

    fn castling_homes(
        &self,
        _b: &BoardOf<W>,
        color: Color,
        higher: bool,
    ) -> Option<(Square, Square)> {
        self.wings[color.index()][usize::from(higher)]
            .as_ref()
            .map(|wing| (wing.king, wing.rook))
    }

    fn has_castling_units(
        &self,
        _b: &BoardOf<W>,
        p: &Position<W>,
        color: Color,
        higher: bool,
    ) -> bool {
        self.stands_for(p, color, higher)
    }

    fn double_step(&self) -> bool {
        self.law.definition.en_passant.region != [0; 2]
    }

    fn promotions(&self, p: &Position<W>) -> &[Kind] {
        &self.law.choices[p.side.index()]
    }

    fn royals(&self, p: &Position<W>, color: Color) -> W::Set {
        self.kings(p, color) | self.pseudo_royals(p, color)
    }

    fn attackers(
        &self,
        _b: &BoardOf<W>,
        p: &Position<W>,
        target: Square,
        by: Color,
        occupied: W::Set,
    ) -> W::Set {
        self.attackers(p, target, by, p.color(by) & occupied, occupied, false)
    }

    fn reach(&self, _b: &BoardOf<W>, p: &Position<W>, kind: Kind, from: Square) -> W::Set {
        let color = p.unit(from).map_or(p.side, |(color, _)| color);
        let (quiet, attack) = self.moves.reach(color, kind, from, p.occupied());
        quiet | attack
    }

    fn pseudo<K: Sink<W> + ?Sized>(&self, _b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        let mut each = rules::Each(|turn: Turn| c.turn(turn));
        self.pseudo_turns(p, &mut each)
    }

    fn is_safe(&self, _b: &BoardOf<W>, p: &Position<W>, _turn: &Turn, after: &Position<W>) -> bool {
        self.royals_attacked(after, p.side).is_empty()
    }

    #[inline(always)]
    fn unfiltered<K: Sink<W> + ?Sized>(&self, _b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        self.legal_turns(p, c)
    }

    fn count_bulk(&self, _b: &BoardOf<W>, p: &Position<W>, depth: u32) -> Option<u64> {
        (depth == 2 && self.ended(p).is_none()).then(|| self.pairs(p))
    }

    fn effect(&self, _b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        self.carry_out(p, turn, after);
    }

    fn settled(&self, _b: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        self.ended(p)
    }

    fn no_turn(&self, _b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        self.without_turn(p)
    }

    fn unit_bounds(&self) -> &[(Kind, u32, u32)] {
        &self.law.census
    }

    fn no_pawns(&self, _b: &BoardOf<W>, color: Color) -> W::Set {
        self.squares & !self.pawn_squares[color.index()]
    }

    fn no_pawns_in_fens(&self, _b: &BoardOf<W>, color: Color) -> W::Set {
        self.refused_pawns(color)
    }

    fn check_no_opposite_check(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
    ) -> Result<(), IllegalPosition> {
        let mover = !p.side;
        let attacked = |king: Square, occupied: W::Set| {
            let theirs = p.color(p.side);
            !self
                .attackers(p, king, p.side, theirs, occupied, true)
                .is_empty()
        };
        // A unit that has just entered from hand does not count: an attacker may hop over it.
        let entered = match self.law.definition.gating.seirawan {
            true => p.color(mover) & self.gate_rank(mover) & !self.gates(p, mover),
            false => W::Set::EMPTY,
        };
        let exposed = |&king: &Square| {
            attacked(king, p.occupied())
                && entered
                    .without(king)
                    .iter()
                    .all(|unit| attacked(king, p.occupied().without(unit)))
        };
        let king = self.kings(p, mover).iter().find(exposed).or_else(|| {
            // A turn that ends the game may leave pseudo-royal units attacked.
            let open = self.has_pseudo() && !self.law.royalty_arises && self.ended(p).is_none();
            open.then(|| self.royals_attacked(p, mover).first())
                .flatten()
        });
        match king {
            Some(square) => Err(format!(
                "the royal unit on {} of the side that has just moved is attacked",
                b.geometry().name(square)
            )
            .into()),
            None => Ok(()),
        }
    }

    fn check_position(&self, _b: &BoardOf<W>, p: &Position<W>) -> Result<(), IllegalPosition> {
        self.fits_hands(p)
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        let mut after = *p;
        self.carry_out(p, turn, &mut after);
        match self.royals_attacked(&after, p.side).first() {
            Some(square) => format!(
                "it leaves the royal unit on {} attacked",
                b.geometry().name(square)
            ),
            None => "the rules of this variant forbid it here".to_string(),
        }
    }

    fn symmetries(&self, _b: &BoardOf<W>) -> Symmetries {
        self.symmetric()
    }
}

impl<W: Layout> Carried<W> for BoundRules<W::Set> {
    fn state_bits(&self) -> u32 {
        self.law.state.bits
    }

    fn state_text(&self, _b: &BoardOf<W>, p: &Position<W>) -> Vec<(&'static str, String)> {
        let map = &self.law.state;
        let mut texts = Vec::new();
        let fields = [
            (PASSES, map.passes),
            (DROPPED, map.dropped_pawn),
            (CASTLED, map.castled),
        ];
        for (key, field) in fields {
            let value = field.get(p);
            if value > 0 {
                texts.push((key, value.to_string()));
            }
        }
        let shak: String = Color::BOTH
            .into_iter()
            .filter(|color| map.shak[color.index()].get(p) > 0)
            .map(|color| if color == Color::White { 'w' } else { 'b' })
            .collect();
        if !shak.is_empty() {
            texts.push((SHAK, shak));
        }
        let shut: Vec<String> = Color::BOTH
            .into_iter()
            .flat_map(|color| self.shut_gates(p, color).iter())
            .map(|square| self.geometry.name(square))
            .collect();
        if !shut.is_empty() {
            texts.push((SHUT, shut.join(",")));
        }
        texts
    }

    fn read_state(
        &self,
        _b: &BoardOf<W>,
        p: &mut Position<W>,
        key: &str,
        value: &str,
    ) -> Result<(), IllegalPosition> {
        let map = &self.law.state;
        if key == SHAK {
            let sides: &[Color] = match value {
                "w" => &[Color::White],
                "b" => &[Color::Black],
                "wb" => &Color::BOTH,
                _ => return Err("it takes w, b or wb".into()),
            };
            for color in sides {
                map.shak[color.index()].set(p, 1);
            }
            return Ok(());
        }
        if key == SHUT {
            return value
                .split(',')
                .try_for_each(|name| self.shut_gate(p, name));
        }
        let (field, most) = match key {
            PASSES => (map.passes, u64::from(definition::PASS_ENDS)),
            CASTLED => (map.castled, 1),
            _ => (map.dropped_pawn, 1),
        };
        let most = most.min(field.most());
        match value.parse::<u64>() {
            Ok(n) if n <= most => {
                field.set(p, n);
                Ok(())
            }
            _ => Err(format!("it takes a whole number from 0 to {most}").into()),
        }
    }

    fn swapped_state(&self, state: u64) -> Option<u64> {
        self.law.state.swapped(state)
    }

    fn unit_limit(&self, p: &Position<W>) -> usize {
        let hands: u64 = (0..self.law.definition.pieces.len())
            .flat_map(|n| [0, 1].map(|side| self.law.state.hands[side][n].get(p)))
            .sum();
        let units = p.occupied().len() as usize + hands as usize;
        units.min(self.squares.len() as usize)
    }

    fn rights_arise(&self) -> bool {
        self.law.definition.castling.dropped
    }

    fn clock(&self, p: &Position<W>) -> u32 {
        p.halfmove.max(self.law.state.quiet.get(p) as u32)
    }

    fn set_clock(&self, p: &mut Position<W>, clock: u32) {
        p.halfmove = clock;
        let counted = u64::from(clock).min(self.law.definition.quiet_plies());
        self.law.state.quiet.set(p, counted);
    }

    fn fields(&self) -> Option<&dyn FenFields<W>> {
        Some(self)
    }
}

const PASSES: &str = "passes";
const DROPPED: &str = "dropped";
const CASTLED: &str = "castled";
const SHAK: &str = "shak";
const SHUT: &str = "shut";

/// Returns the keys of the state field that a definition uses, with their meaning.
pub fn state_keys(
    definition: &Definition,
    map: &state::StateMap,
) -> Vec<(&'static str, &'static str)> {
    let mut keys = Vec::new();
    if map.passes.most() > 0 {
        keys.push((PASSES, "how many of the last turns were passes"));
    }
    if map.dropped_pawn.most() > 0 {
        keys.push((DROPPED, "1 if the last turn put a `shogiPawn` on the board"));
    }
    if map.castled.most() > 0 {
        keys.push((CASTLED, "1 if the last turn was a castling that wins"));
    }
    if map.shak[0].most() > 0 {
        keys.push((
            SHAK,
            "whose checks, given without a break, hold one by rook, bers or knight: w, b or wb",
        ));
    }
    if shuts(definition) {
        keys.push((
            SHUT,
            "squares of units that may castle, but which nothing may enter when they leave",
        ));
    }
    keys
}

impl<S: Squares> BoundRules<S> {
    /// Returns the squares on which pawns of a side may not be in a FEN: those where they would have had to
    /// promote. Other squares that pawns do not reach in games, such as their first rank, are allowed.
    pub(crate) fn refused_pawns(&self, color: Color) -> S {
        let promotion = &self.law.definition.promotion;
        if !promotion.mandatory_for_pawns || promotion.sittuyin {
            return S::EMPTY;
        }
        let rank = self.geometry.rank_of(color, 0);
        let is_first = |square: &Square| self.geometry.rank(*square) == rank;
        let first_rank = self.squares.iter().filter(is_first).fold(S::EMPTY, S::with);
        self.zone[color.index()] & !self.pawn_squares[color.index()] & !first_rank
    }

    /// Checks that the hands have room for all units that can come into them.
    fn fits_hands<W: Layout<Set = S>>(&self, p: &Position<W>) -> Result<(), IllegalPosition> {
        let d = &self.law.definition;
        let map = &self.law.state;
        if !d.drops.captures_to_hand || !d.has_hands() {
            return Ok(());
        }
        let mut counts = [0u64; 32];
        for kind in self.law.kinds.all() {
            let units = u64::from(p.kind(kind).len());
            for (n, count) in counts.iter_mut().enumerate() {
                *count += units * u64::from(map.becomes[kind.index()] >> n & 1);
            }
        }
        for n in 0..d.pieces.len() {
            let kind = self.law.kinds.plain(definition::PieceType(n as u8));
            let held: u64 = [0, 1].map(|side| map.hands[side][n].get(p)).iter().sum();
            for (to, count) in counts.iter_mut().enumerate() {
                *count += held * u64::from(map.becomes[kind.index()] >> to & 1);
            }
        }
        for (n, piece) in d.pieces.iter().enumerate() {
            let most = map.hands[0][n].most();
            if counts[n] > most && d.checks.king != Some(definition::PieceType(n as u8)) {
                return Err(format!(
                    "{} units could come into a hand as `{}`; {}",
                    counts[n],
                    piece.letter as char,
                    self.room(most)
                )
                .into());
            }
        }
        Ok(())
    }

    /// Returns how many units of a piece a hand has room for, as a text, and what to do about it.
    fn room(&self, most: u64) -> String {
        format!(
            "the game that is open has room for {most}, so the position must be opened as a game of its own"
        )
    }

    /// Returns the changes of orientation under which the definition stays the same, found by trying each on
    /// all of its tables.
    pub(crate) fn symmetric(&self) -> Symmetries {
        if !self.law.symmetric {
            return Symmetries::NONE;
        }
        *self.symmetries.get_or_init(|| {
            let g = self.geometry;
            let (files, ranks) = (g.files(), g.ranks());
            let ranks_swapped = |s: Square| g.square(g.file(s), ranks - 1 - g.rank(s));
            let swaps_ranks = self.invariant(&ranks_swapped, false);
            Symmetries {
                files: self.invariant(&|s| g.square(files - 1 - g.file(s), g.rank(s)), false),
                ranks: swaps_ranks,
                diagonals: files == ranks
                    && self.invariant(&|s| g.square(g.rank(s), g.file(s)), false),
                colors: self.invariant(&ranks_swapped, true),
            }
        })
    }

    /// Returns whether the definition stays the same when squares are mapped by `map` and, with `swap`, the
    /// sides are swapped. Movement is compared on the empty board, on the full board, and with each single
    /// other square occupied: blocks, shields and hurdles show there. Pawns are left aside where ranks change
    /// without the sides, as in [`Symmetries`].
    fn invariant(&self, map: &dyn Fn(Square) -> Square, swap: bool) -> bool {
        let d = &self.law.definition;
        let orientation = orientation(d);
        if self.geometry.wraps() || orientation.is_fixed || self.law.passer {
            return false;
        }
        let to = |set: S| set.iter().map(map).fold(S::EMPTY, S::with);
        if self.squares.iter().any(|s| !self.squares.has(map(s))) {
            return false;
        }
        let keeps_ranks = self
            .squares
            .iter()
            .all(|s| self.geometry.rank(map(s)) == self.geometry.rank(s));
        let turns_pawns = !keeps_ranks && !swap;
        if turns_pawns {
            // Only pawns may depend on the direction: other units do not promote, and zones have no effect.
            let others = self.law.kinds.all().any(|kind| {
                !self.is_pawn(kind)
                    && [0, 1].iter().any(|&side: &usize| {
                        let role = self.roles[side][kind.index()];
                        role.pawn || role.promoted.is_some() || role.demoted.is_some()
                    })
            });
            if others || orientation.has_first_rank {
                return false;
            }
        }
        let region = |bits: [u128; 2]| bits.map(|bits| S::from_bits(bits) & self.squares);
        let mut pairs: Vec<[S; 2]> = vec![
            self.flags,
            region(d.connection.region_a),
            region(d.connection.region_b),
        ];
        if !turns_pawns {
            pairs.extend([
                self.pawn_squares,
                self.zone,
                self.passing_zone,
                region(d.pawns.double_step),
                region(d.pawns.triple_step),
            ]);
            for n in 0..d.pieces.len() {
                pairs.push([self.drops[0][n], self.drops[1][n]]);
            }
        }
        let regions = pairs.iter().all(|pair| {
            let [white, black] = *pair;
            match swap {
                true => to(white) == black,
                false => to(white) == white && to(black) == black,
            }
        });
        let has_equal_sides =
            orientation.has_equal_sides && self.law.checks[0] == self.law.checks[1];
        if !regions || swap && !has_equal_sides {
            return false;
        }
        Color::BOTH.iter().all(|&color| {
            let there = if swap { !color } else { color };
            self.law
                .kinds
                .all()
                .filter(|&kind| !(turns_pawns && self.is_pawn(kind)))
                .all(|kind| {
                    let alike = |from: Square, occupied: S| {
                        let (quiet, attack) = self.moves.reach(color, kind, from, occupied);
                        (to(quiet), to(attack))
                            == self.moves.reach(there, kind, map(from), to(occupied))
                    };
                    self.squares.iter().all(|from| {
                        alike(from, S::EMPTY)
                            && alike(from, self.squares)
                            && self.squares.iter().all(|one| alike(from, S::of(one)))
                    })
                })
        })
    }
}

impl<W: Layout> FenFields<W> for BoundRules<W::Set> {
    fn hand(&self, p: &Position<W>) -> Option<String> {
        let d = &self.law.definition;
        d.has_hands()
            .then(|| state::hand_text(d, &self.law.state, p))
    }

    fn set_hand(&self, p: &mut Position<W>, text: &str) -> Result<(), IllegalPosition> {
        let d = &self.law.definition;
        let hands = crate::compiled_definition::read_hand(d, text)?;
        if !d.has_hands() && !text.trim_matches('-').is_empty() {
            return Err("this variant has no hands".into());
        }
        for (side, hand) in hands.iter().enumerate() {
            for (n, &count) in hand.iter().enumerate() {
                let field = self.law.state.hands[side][n];
                if u64::from(count) > field.most() {
                    return Err(format!(
                        "{count} units `{}` in hand; {}",
                        d.pieces[n].letter as char,
                        self.room(field.most())
                    )
                    .into());
                }
                field.set(p, count.into());
            }
        }
        Ok(())
    }

    fn checks(&self, p: &Position<W>) -> Option<String> {
        let map = &self.law.state;
        self.law.definition.checks.counting.then(|| {
            let left = |side: usize| self.law.checks[side].saturating_sub(map.checks[side].get(p));
            format!("{}+{}", left(0), left(1))
        })
    }

    fn set_checks(&self, p: &mut Position<W>, left: [u64; 2]) -> Result<(), IllegalPosition> {
        for (side, left) in left.into_iter().enumerate() {
            let all = self.law.checks[side];
            if left > all {
                return Err(format!("{left} checks left; the start has {all}").into());
            }
            self.law.state.checks[side].set(p, all - left);
        }
        Ok(())
    }

    fn gates(&self, p: &Position<W>) -> Option<String> {
        let d = &self.law.definition;
        d.gating.enabled.then(|| {
            let mut text = String::new();
            for color in Color::BOTH {
                for square in (self.gates(p, color) & !self.said_by_rights(p, color)).iter() {
                    let letter = b'a' + self.geometry.file(square);
                    text.push(match color {
                        Color::White => letter.to_ascii_uppercase(),
                        Color::Black => letter,
                    } as char);
                }
            }
            text
        })
    }

    fn set_gate(&self, p: &mut Position<W>, color: Color, file: u8) {
        let d = &self.law.definition;
        if !d.gating.enabled || self.has_gated(p, color) || file >= self.geometry.files() {
            return;
        }
        let rank = self.geometry.rank_of(color, d.castling.rank);
        // A gate stays open where a unit was blown up: others may leave through it.
        if d.captures.blast || p.color(color).has(self.geometry.square(file, rank)) {
            let field = self.law.state.gates[color.index()];
            field.set(p, field.get(p) | 1 << file);
        }
    }

    fn kind_named(&self, name: &str) -> Option<Kind> {
        let d = &self.law.definition;
        let kinds = &self.law.kinds;
        let piece = |letter: u8| d.piece_of(letter);
        match *name.as_bytes() {
            [letter] => piece(letter).map(|piece| kinds.plain(piece)),
            [letter, b'~'] => piece(letter).map(|piece| kinds.form(piece, Memory::Pawn)),
            [b'+', letter] => piece(letter).and_then(|piece| {
                let became = d.promotion.promoted[piece.index()]?;
                Some(kinds.form(became, Memory::Piece(piece)))
            }),
            _ => None,
        }
    }

    fn passed(&self, p: &Position<W>) -> Vec<Square> {
        let Some((squares, unit)) = BoundRules::passed(self, p) else {
            return Vec::new();
        };
        let mut all: Vec<Square> = squares.iter().collect();
        if self.law.state.passer.get(p) > 0 && !self.is_ahead(p, unit) {
            all.push(unit);
            all.sort_unstable();
        }
        all
    }

    fn set_passed(&self, p: &mut Position<W>, squares: &[Square]) {
        let unit = squares.iter().copied().find(|&square| {
            p.color(!p.side).has(square) && self.passing_zone[p.side.index()].has(square)
        });
        let mut open: Vec<Square> = squares
            .iter()
            .copied()
            .filter(|&square| {
                self.passing_zone[p.side.index()].has(square) && self.enters(p, square)
            })
            .collect();
        let Some(&first) = open.first() else {
            return;
        };
        p.set_en_passant(Some(first));
        let Some(unit) = unit.or_else(|| BoundRules::passed(self, p).map(|(_, unit)| unit)) else {
            p.set_en_passant(None);
            return;
        };
        // The square farthest from the unit is recorded; those between on the same line may be entered too.
        open.sort_by_key(|&square| std::cmp::Reverse(distance(self.geometry, unit, square)));
        let lead = open[0];
        let line: Vec<Square> = between(self.geometry, unit, lead).collect();
        open.retain(|square| *square == lead || line.contains(square));
        self.note_passed(p, &open, unit);
    }

    fn double_step_passed(&self, p: &Position<W>, square: Square) -> bool {
        let them = !p.side;
        let north = them == Color::White;
        let (Some(from), Some(to)) = (self.ahead(square, !north), self.ahead(square, north)) else {
            return false;
        };
        let before = p.occupied().without(to);
        p.units(them, Kind::Pawn).has(to)
            && !before.has(from)
            && self.steps_twice(them, from, square, to, before)
            && self.enters(p, square)
    }

    fn is_valid_en_passant(&self, p: &Position<W>) -> bool {
        let mut again = *p;
        again.set_en_passant(None);
        self.law.state.passer.set(&mut again, 0);
        self.law.state.passed_near.set(&mut again, 0);
        let bare = again;
        self.set_passed(&mut again, &FenFields::<W>::passed(self, p));
        again == *p && bare != *p
    }
}

impl<W: Layout> TableRules<W> for BoundRules<W::Set> {
    fn check_tables(&self) -> Result<(), UnsupportedByTables> {
        if self.law.definition.castling.wins != Default::default() {
            return Err("tables hold positions without castling rights, and who has lost them has lost here"
                    .into());
        }
        if self.law.state.bits > u64::BITS {
            return Err(format!(
                "tables hold positions whose hands, unmoved units and counters take 64 bits or fewer; here they take \
                 {}",
                self.law.state.bits
            ).into());
        }
        if self.law.has_other_hands {
            return Err(
                "tables are made for hands as large as in games from the start position".into(),
            );
        }
        Ok(())
    }

    fn double_stepped(&self, color: Color) -> W::Set {
        let ends = self.squares.iter().filter_map(|from| {
            let passed = self.ahead(from, color == Color::White)?;
            let to = self.ahead(passed, color == Color::White)?;
            self.steps_twice(color, from, passed, to, W::Set::EMPTY)
                .then_some(to)
        });
        ends.fold(W::Set::EMPTY, W::Set::with)
    }

    fn passes_otherwise(&self, kinds: [u64; 2]) -> bool {
        let Passers {
            otherwise,
            passes,
            takes,
            arise,
        } = self.passing_kinds;
        let any = |of: Color, does: [u64; 2]| {
            let side = of.index();
            does[side] & (kinds[side] | arise) != 0
        };
        let may_pass = |color: Color| any(color, passes) && any(!color, takes);
        otherwise && Color::BOTH.into_iter().any(may_pass)
    }

    fn passer(&self, p: &Position<W>) -> Option<Square> {
        BoundRules::passed(self, p).map(|(_, unit)| unit)
    }
}
impl<S: Squares> BoundRules<S> {
    /// Returns whether a side's pawn steps from one square over the next to a third with these squares
    /// occupied, and could be captured in passing.
    fn steps_twice(
        &self,
        color: Color,
        from: Square,
        passed: Square,
        to: Square,
        others: S,
    ) -> bool {
        self.passing_zone[(!color).index()].has(passed)
            && !others.has(passed)
            && self.moves.reach(color, Kind::Pawn, from, others).0.has(to)
    }

    /// Returns whether the unit that may be captured in passing is the next one ahead of the square that it
    /// passed, as FENs of this format assume.
    fn is_ahead<W: Layout<Set = S>>(&self, p: &Position<W>, unit: Square) -> bool {
        let mut bare = *p;
        self.law.state.passer.set(&mut bare, 0);
        BoundRules::passed(self, &bare).is_some_and(|(_, found)| found == unit)
    }
}
