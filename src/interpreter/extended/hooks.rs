//! Implements the hooks of a rule set for [`Extended`]. Hooks that no clause can change are those of the definition.

use super::Extended;
use crate::extension::{Aspects, ParentEnds, Place};
use board::{Color, Kind, Men, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::{
    Attack, Carried, Castling, DeclaredField, Facts, FenFields, Flow, Generator, Legality,
    NestedLists, Outcome, Placements, Rules, Safety, Sink, Symmetries, TableRules, Turn,
    UnsupportedByTables, with_turns,
};

impl<W: Layout> Rules<W> for Extended<W> {
    const FACTS: Facts = Facts {
        safety: Safety::Trial,
        symmetries: Symmetries::NONE,
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
        Rules::<W>::men(self.base())
    }

    fn wraps(&self) -> bool {
        Rules::<W>::wraps(self.base())
    }

    fn castling(&self) -> Option<Castling> {
        None
    }

    fn castling_homes(
        &self,
        b: &BoardOf<W>,
        color: Color,
        higher: bool,
    ) -> Option<(Square, Square)> {
        Rules::<W>::castling_homes(self.base(), b, color, higher)
    }

    fn has_castling_units(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        color: Color,
        higher: bool,
    ) -> bool {
        Rules::<W>::has_castling_units(self.base(), b, p, color, higher)
    }

    fn double_step(&self) -> bool {
        Rules::<W>::double_step(self.base())
    }

    fn promotions(&self, p: &Position<W>) -> &[Kind] {
        Rules::<W>::promotions(self.base(), p)
    }

    fn royals(&self, p: &Position<W>, color: Color) -> W::Set {
        self.royal_units(p, color)
    }

    fn attackers(&self, _b: &BoardOf<W>, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
        Extended::attackers(self, p, attack)
    }

    fn intruders(&self, _b: &BoardOf<W>, p: &Position<W>, color: Color) -> W::Set {
        match self.is_checked(p, color) && self.royals_attacked(p, color).is_empty() {
            true => p.color(!color),
            false => W::Set::EMPTY,
        }
    }

    fn reach(&self, b: &BoardOf<W>, p: &Position<W>, kind: Kind, from: Square) -> W::Set {
        Rules::<W>::reach(self.base(), b, p, kind, from)
    }

    fn quiet_steps(&self, p: &Position<W>, from: Square) -> Option<W::Set> {
        if self.is_of_whole_turns() {
            return None;
        }
        let (quiet, _) = match self.is_active(p, from) {
            true => self.reach(p, from, p.occupied(), Place::FIRST),
            false => (W::Set::EMPTY, W::Set::EMPTY),
        };
        Some(quiet & !p.occupied())
    }

    fn pseudo<K: Sink<W> + ?Sized>(&self, _b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        with_turns(|turns| {
            self.pseudo_turns(p, turns);
            turns.iter().try_for_each(|turn| c.turn(*turn))
        })
    }

    fn is_safe(&self, _b: &BoardOf<W>, p: &Position<W>, _turn: &Turn, after: &Position<W>) -> bool {
        self.has.any(Aspects::OWN_CHECK) || !self.in_check(after, p.side)
    }

    fn unfiltered<K: Sink<W> + ?Sized>(&self, _b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        with_turns(|turns| {
            self.legal_turns(p, turns);
            turns.iter().try_for_each(|turn| c.turn(*turn))
        })
    }

    fn effect(&self, _b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        if self.is_of_whole_turns() {
            self.base().carry_out(p, turn, after);
            self.update_state(p, turn, after);
        } else if let Some(played) = self.replay_turn(p, turn) {
            *after = played.after;
        }
    }

    fn settled(&self, _b: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        match self.has.any(Aspects::ENDS) {
            true => self.clauses.ended(p, self),
            false => self.base().ended(p),
        }
    }

    fn no_turn(&self, _b: &BoardOf<W>, p: &Position<W>) -> Outcome {
        match self.has.any(Aspects::ENDS) {
            true => self.clauses.without_turn(p, self),
            false => ParentEnds::without_turn(self, p),
        }
    }

    fn royals_in_check(&self, _b: &BoardOf<W>, p: &Position<W>, color: Color) -> W::Set {
        self.royals_attacked(p, color)
    }

    fn unit_bounds(&self, color: Color) -> &[(Kind, u32, u32)] {
        match self.changes_royals() {
            true => &[],
            false => Rules::<W>::unit_bounds(self.base(), color),
        }
    }

    fn unit_range(&self, color: Color, kind: Kind) -> (u32, u32) {
        match self.changes_royals() {
            true => (0, u32::MAX),
            false => Rules::<W>::unit_range(self.base(), color, kind),
        }
    }

    fn no_pawns(&self, b: &BoardOf<W>, color: Color) -> W::Set {
        match self.puts_pawns_anywhere() {
            true => W::Set::EMPTY,
            false => Rules::<W>::no_pawns(self.base(), b, color),
        }
    }

    fn no_pawns_in_fens(&self, b: &BoardOf<W>, color: Color) -> W::Set {
        match self.puts_pawns_anywhere() {
            true => W::Set::EMPTY,
            false => Rules::<W>::no_pawns_in_fens(self.base(), b, color),
        }
    }

    fn check_no_opposite_check(&self, b: &BoardOf<W>, p: &Position<W>) -> Legality {
        if self.has.any(Aspects::OWN_CHECK) {
            return Ok(());
        }
        if !self
            .has
            .any(Aspects::OF_ATTACKS | Aspects::ROYAL | Aspects::CHECK)
        {
            return Rules::<W>::check_no_opposite_check(self.base(), b, p);
        }
        if let Some(square) = self.royals_attacked(p, !p.side).first() {
            return Err(format!(
                "the royal unit on {} of the side that has just moved is attacked",
                b.geometry().name(square)
            )
            .into());
        }
        match self.is_checked(p, !p.side) {
            true => Err("the side that has just moved is in check by `checkIf`".into()),
            false => Ok(()),
        }
    }

    fn check_position(&self, b: &BoardOf<W>, p: &Position<W>) -> Legality {
        Rules::<W>::check_position(self.base(), b, p)?;
        match self.has.any(Aspects::FEN) {
            true => self
                .clauses
                .fen_error(p)
                .map_or(Ok(()), |why| Err(why.into())),
            false => Ok(()),
        }
    }

    fn shown_placements(
        &self,
        _b: &BoardOf<W>,
        p: &Position<W>,
        turn: &Turn,
        step: usize,
    ) -> Placements {
        match turn.picks == 0 || self.is_of_whole_turns() {
            true => Placements::new(),
            false => self.reborn_by_step(p, turn, step),
        }
    }

    fn captured(&self, _b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> Option<W::Set> {
        if !self.has.any(Aspects::OF_EFFECTS | Aspects::OF_SECOND_STEPS) {
            return None;
        }
        let played = self.replay_turn(p, turn)?;
        Some(played.captures(p))
    }

    fn kind_after(&self, _b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> Option<Kind> {
        if !self.has.any(Aspects::TURNS_INTO) || self.clauses.chooses_kind() {
            return None;
        }
        let played = self.replay_turn(p, turn)?;
        Some(played.play(p).becomes)
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        let Some(refusal) = self.with_play(p, turn, |play| {
            if !self.has.any(Aspects::OWN_CHECK) {
                if let Some(square) = self.royals_attacked(play.after, p.side).first() {
                    let name = b.geometry().name(square);
                    return format!("it leaves the royal unit on {name} attacked");
                }
                if self.is_checked(play.after, p.side) {
                    return "it leaves the mover in check by `checkIf`".to_string();
                }
            }
            self.clauses
                .refusing(play)
                .unwrap_or_else(|| "others are preferred by `prefer`".to_string())
        }) else {
            return "the effects of the clauses make it impossible".to_string();
        };
        refusal
    }

    fn symmetries(&self, _b: &BoardOf<W>) -> Symmetries {
        self.base().symmetric().and(self.symmetries)
    }

    fn nested_lists(&self) -> NestedLists {
        self.clauses.nested_lists()
    }
}

impl<W: Layout> Extended<W> {
    /// Returns whether clauses change which units are royal, or their number.
    fn changes_royals(&self) -> bool {
        self.has.any(Aspects::OF_EFFECTS | Aspects::ROYAL)
    }

    /// Returns whether clauses may put pawns on any rank.
    fn puts_pawns_anywhere(&self) -> bool {
        self.has
            .any(Aspects::OF_EFFECTS | Aspects::MOVEMENT | Aspects::STEP_SIDE)
    }
}

impl<W: Layout> ParentEnds<W> for Extended<W> {
    fn ended(&self, p: &Position<W>) -> Option<Outcome> {
        self.base().ended(p)
    }

    fn has_turn(&self, p: &Position<W>) -> bool {
        with_turns(|turns| {
            self.legal_turns(p, turns);
            !turns.is_empty()
        })
    }

    fn without_turn(&self, p: &Position<W>) -> Outcome {
        self.base()
            .without_turn_in_check(p, self.in_check(p, p.side))
    }

    fn first_steps(&self, p: &Position<W>, visit: &mut dyn FnMut(&Turn)) {
        Extended::first_steps(self, p, visit);
    }
}

impl<W: Layout> TableRules<W> for Extended<W> {
    fn check_tables(&self) -> Result<(), UnsupportedByTables> {
        TableRules::<W>::check_tables(self.base())?;
        if self.has.any(Aspects::REBIRTH_RIGHTS) {
            return Err(
                "tables hold positions without castling rights; here `rebirthRights` gives them back".into(),
            );
        }
        let law = &self.base().law;
        if law.declared.keeps_halfmove || law.declared.keeps_fullmove {
            return Err(
                "tables hold positions without counters; here a clause reads `halfmove`, `fullmove` or `fen`".into(),
            );
        }
        Ok(())
    }

    fn double_stepped(&self, color: Color) -> W::Set {
        TableRules::<W>::double_stepped(self.base(), color)
    }

    fn passes_otherwise(&self, kinds: [u64; 2]) -> bool {
        TableRules::<W>::passes_otherwise(self.base(), kinds)
    }

    fn passer(&self, p: &Position<W>) -> Option<Square> {
        TableRules::passer(self.base(), p)
    }

    fn is_settled_by_material(&self, p: &Position<W>) -> bool {
        !self.has.any(Aspects::ENDS) && self.base().is_settled_by_material(p)
    }
}

impl<W: Layout> Carried<W> for Extended<W> {
    fn state_bits(&self) -> u32 {
        Carried::<W>::state_bits(self.base())
    }

    fn state_text(&self, b: &BoardOf<W>, p: &Position<W>) -> Vec<(&'static str, String)> {
        self.base().state_text(b, p)
    }

    fn read_state(&self, b: &BoardOf<W>, p: &mut Position<W>, key: &str, value: &str) -> Legality {
        self.base().read_state(b, p, key, value)
    }

    fn declared(&self) -> &[DeclaredField] {
        Carried::<W>::declared(self.base())
    }

    fn declared_value(&self, p: &Position<W>, field: usize, side: Color) -> i64 {
        self.base().declared_value(p, field, side)
    }

    fn swapped_state(&self, state: u64) -> Option<u64> {
        Carried::<W>::swapped_state(self.base(), state)
    }

    fn unit_limit(&self, p: &Position<W>) -> usize {
        match self.has.any(Aspects::DROPS) {
            true => self.base().squares.len() as usize,
            false => self.base().unit_limit(p),
        }
    }

    fn rights_arise(&self) -> bool {
        self.has.any(Aspects::REBIRTH_RIGHTS) || Carried::<W>::rights_arise(self.base())
    }

    fn clock(&self, p: &Position<W>) -> u32 {
        self.base().clock(p)
    }

    fn set_clock(&self, p: &mut Position<W>, clock: u32) {
        self.base().set_clock(p, clock);
    }

    fn number(&self, p: &Position<W>) -> u32 {
        self.base().number(p)
    }

    fn set_number(&self, p: &mut Position<W>, number: u32) {
        self.base().set_number(p, number);
    }

    fn fields(&self) -> Option<&dyn FenFields<W>> {
        Some(self)
    }
}

impl<W: Layout> FenFields<W> for Extended<W> {
    fn hand(&self, p: &Position<W>) -> Option<String> {
        self.base().hand(p)
    }

    fn set_hand(&self, p: &mut Position<W>, text: &str) -> Legality {
        self.base().set_hand(p, text)
    }

    fn checks(&self, p: &Position<W>) -> Option<String> {
        self.base().checks(p)
    }

    fn set_checks(&self, p: &mut Position<W>, left: [u64; 2]) -> Legality {
        self.base().set_checks(p, left)
    }

    fn gates(&self, p: &Position<W>) -> Option<String> {
        FenFields::gates(self.base(), p)
    }

    fn set_gate(&self, p: &mut Position<W>, color: Color, file: u8) {
        self.base().set_gate(p, color, file);
    }

    fn kind_named(&self, name: &str) -> Option<Kind> {
        FenFields::<W>::kind_named(self.base(), name)
    }

    fn passed(&self, p: &Position<W>) -> Vec<Square> {
        FenFields::passed(self.base(), p)
    }

    fn set_passed(&self, p: &mut Position<W>, squares: &[Square]) {
        self.base()
            .set_passed_where(p, squares, &|p, square, unit| self.is_open(p, square, unit));
    }

    fn never_passed(&self, p: &Position<W>, squares: &[Square]) -> Vec<Square> {
        self.base().never_passed_where(p, squares, self.refills())
    }

    fn double_step_passed(&self, p: &Position<W>, square: Square) -> bool {
        self.base()
            .double_step_passed_where(p, square, &|p, square, unit| self.is_open(p, square, unit))
    }

    fn is_valid_en_passant(&self, p: &Position<W>) -> bool {
        self.base()
            .is_valid_en_passant_where(p, &|p, square, unit| self.is_open(p, square, unit))
    }
}
