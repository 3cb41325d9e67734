//! Implements the hooks of a rule set, [`Rules`], for [`BoundRules`].

use crate::bound_rules::BoundRules;
use crate::independent_steps::has_independent_steps;
use crate::symmetry::orientation;
use board::{Color, Kind, Men, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::{
    Attack, Carried, Castling, Facts, Flow, Generator, IndependentSteps, Legality, Outcome, Rules,
    Safety, Sink, Symmetries, TableRules, Turn,
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

    fn independent_steps(&self) -> Option<IndependentSteps> {
        has_independent_steps(&self.law).then_some(IndependentSteps::STATELESS)
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

    fn royals_in_check(&self, _b: &BoardOf<W>, p: &Position<W>, color: Color) -> W::Set {
        self.royals_in_check(p, color)
    }

    fn attackers(&self, _b: &BoardOf<W>, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
        self.attackers(p, attack, p.color(attack.by) & attack.occupied, false)
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
        self.royals_in_check(after, p.side).is_empty()
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

    fn unit_bounds(&self, color: Color) -> &[(Kind, u32, u32)] {
        &self.law.census[color.index()]
    }

    fn unit_range(&self, color: Color, kind: Kind) -> (u32, u32) {
        self.law.unit_ranges[color.index()][kind.index()]
    }

    fn no_pawns(&self, _b: &BoardOf<W>, color: Color) -> W::Set {
        self.squares & !self.pawn_squares[color.index()]
    }

    fn no_pawns_in_fens(&self, _b: &BoardOf<W>, color: Color) -> W::Set {
        self.refused_pawns[color.index()]
    }

    fn check_no_opposite_check(&self, b: &BoardOf<W>, p: &Position<W>) -> Legality {
        let mover = !p.side;
        let attacked = |king: Square, occupied: W::Set| {
            let attack = Attack::on(king, p.side, occupied);
            !self.attackers(p, attack, p.color(p.side), true).is_empty()
        };
        // A turn's safety is decided before a gated unit enters, so an attacker may hop over that unit. A
        // king counts as exposed only if it is attacked both with and without each such unit.
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
            open.then(|| self.royals_in_check(p, mover).first())
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

    fn check_position(&self, _b: &BoardOf<W>, p: &Position<W>) -> Legality {
        self.fits_hands(p)
    }

    fn refusal(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn) -> String {
        let mut after = *p;
        self.carry_out(p, turn, &mut after);
        match self.royals_in_check(&after, p.side).first() {
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

impl<S: Squares> BoundRules<S> {
    /// Checks that the hands have room for all units that can come into them.
    fn fits_hands<W: Layout<Set = S>>(&self, p: &Position<W>) -> Legality {
        let d = &self.law.definition;
        let map = &self.law.state;
        if !d.drops.captures_to_hand || !d.has_hands() {
            return Ok(());
        }
        let held = |n: usize| -> u64 { [0, 1].map(|side| map.hands[side][n].get(p)).iter().sum() };
        let pieces = 0..d.pieces.len();
        let is_king = |n: usize| d.checks.king == Some(definition::PieceType(n as u8));
        let most = |n: usize| map.hands[0][n].most();
        let units = match map.hand.iter().any(|hand| hand.holds(p)) {
            true => pieces.clone().map(held).sum(),
            false => 0,
        } + u64::from(p.occupied().len());
        let fits = |kind: &Kind| p.kind(*kind).is_empty();
        if units <= map.fitting_units && map.unfitting_kinds.iter().all(fits) {
            return Ok(());
        }
        let mut counts = [0u64; 32];
        for kind in self.law.kinds.all() {
            let units = u64::from(p.kind(kind).len());
            for (n, count) in counts.iter_mut().enumerate() {
                *count += units * u64::from(map.becomes[kind.index()] >> n & 1);
            }
        }
        for n in pieces {
            let kind = self.law.kinds.plain(definition::PieceType(n as u8));
            for (to, count) in counts.iter_mut().enumerate() {
                *count += held(n) * u64::from(map.becomes[kind.index()] >> to & 1);
            }
        }
        for (n, piece) in d.pieces.iter().enumerate() {
            if counts[n] > most(n) && !is_king(n) {
                return Err(format!(
                    "{} units could come into a hand as `{}`; {}",
                    counts[n],
                    piece.letter as char,
                    self.room(most(n))
                )
                .into());
            }
        }
        Ok(())
    }

    /// Returns the end of an error message: the room of a hand, and the remedy.
    pub(crate) fn room(&self, most: u64) -> String {
        format!(
            "the game that is open has room for {most}, so the position must be opened as a game of its own"
        )
    }

    /// Returns the symmetries of the definition. The first call tries each of them on all movement tables and
    /// regions.
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

    /// Returns whether the rules stay the same if squares are mapped by `map` and, with `swap`, the sides are
    /// swapped. Movements are compared on the empty board, on the full board, and with each single square
    /// occupied, which reveals blocks, shields and hurdles. If `map` changes ranks and the sides are not
    /// swapped, pawns are not compared, as in [`Symmetries`].
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
            // Only pawns may depend on the direction. Other units must not promote, so that zones have no
            // effect on them.
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
