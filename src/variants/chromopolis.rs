//! # Chromopolis
//!
//! A cylinder of seven files on which nothing is captured by moving there. Units exert force; a
//! unit under the force of two enemies at the end of their turn is bound to its square, where it
//! has no effect until its own side frees it. The side that binds the king wins.
//!
//! ## Against FIDE
//! | FIDE | Chromopolis |
//! |---|---|
//! | 8x8 | a cylinder of 7 files and 6 ranks without a1 and a6: 40 squares |
//! | queen, rook, bishop | none; instead advocate A and prelate L |
//! | capture by moving | a step ends on a square without unbound unit; force of two units binds |
//! | check | none: kings may be exposed, a bound king loses |
//! | pawn | one step ahead; its force is diagonal; it becomes N, A or L |
//! | castling, double step | none |
//!
//! * K one square any way, N a knight's leap, A one diagonal step or a leap of two along rank or
//!   file, L one diagonal step, P one square straight ahead; all wrap round.
//! * Force: K, N and A where they could step; L on its knight's squares and its four orthogonal
//!   neighbors; P on the two squares diagonally ahead.
//! * At the end of a turn, first every unbound enemy unit under force of two or more of the
//!   mover's units is bound, all at the same time. Then every square with bound units of the
//!   mover, no unbound unit, force of two or more unbound units of the mover and none of the
//!   enemy frees exactly one of them; all such squares at the same time.
//!
//! ## Rulings
//! * The diagram of the source is lost; the array is a reconstruction from its text: forty
//!   squares, every pawn off the a-file.
//! * Only unbound units exert force, and each at most one on a square, even where the cylinder
//!   offers two ways. A step never leads to the unit's own square, nor twice to one square.
//! * The advocate's leap may pass over a missing square.
//! * Promotion is compulsory and comes before binding.
//! * If a square with bound units of different kinds frees one of them, the mover chooses
//!   (`N@c4`); without a choice nothing is written. Several choices are written in square order.
//! * The option `unbinding=none` leaves bound units where they are, to compare the game without its unbinding.
//! * A bound king's owner has lost, the side to move first. No legal turn is a draw.
//! * A position holds at most 64 units in all on boards of up to 64 squares, else 128.

use board::{Board, Color, FurtherNames, Kind, Men, Movement, Square, Squares};
use position::{BoardOf, BoundUnit, BoundUnits, Layout, Position};
use rules::{
    AnyGame, Attack, Carried, Consumer, Each, Facts, Flow, IllegalPosition, Legality, Outcome,
    Placements, Rules, Safety, Sink, Step, Symmetries, Turn, fide, reason,
};
use rules::{OptionPurpose, VariantInfo, VariantOption};
use smallvec::SmallVec;

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "chromopolis",
    name: "Chromopolis",
    inventor: "not named on the page",
    page: "The Chess Variant Pages, 40-square contest",
    difference: "a cylinder of 40 squares; two units' force binds an enemy unit, a bound king loses",
    state: &[(
        "bound",
        "bound units: squares in order, each with White's letters first, in the order KNALP",
    )],
    reasons: &[
        (
            reason::KING_CAPTURED,
            "a king is bound: its owner loses, the side to move first",
        ),
        (
            reason::STALEMATE,
            "the side to move has no legal turn: a draw",
        ),
    ],
    source: include_str!("chromopolis.rs"),
    options: &[VariantOption {
        name: NO_UNBINDING,
        range: None,
        purpose: OptionPurpose::Comparison,
        help: "bound units are never freed: the game without the mechanism that the page says it added",
    }],
    start: |_| "*alnkla/1pppppp/7/7/1PPPPPP/*ALNKLA w - - 0 1".to_string(),
    open: |variant, geometry| {
        let rules = Chromopolis {
            frees: !variant.has(NO_UNBINDING),
        };
        AnyGame::bound(rules, variant.clone(), geometry)
    },
    ..VariantInfo::FIDE
};

/// The advocate, stored as the bishop.
pub const ADVOCATE: Kind = Kind::Bishop;
/// The prelate, stored as the rook.
pub const PRELATE: Kind = Kind::Rook;

/// The squares on which a prelate exerts force: the knight's squares and the orthogonal neighbors. They are
/// stored as the movement of queens, which this variant does not have.
const FORCE_OF_PRELATE: Movement = Movement::Leaper(&[
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
    (1, 0),
    (0, 1),
    (-1, 0),
    (0, -1),
]);

static MEN: Men = Men {
    movements: [
        Movement::Special,
        Movement::KNIGHT,
        Movement::Leaper(&[
            (1, 1),
            (-1, 1),
            (-1, -1),
            (1, -1),
            (2, 0),
            (0, 2),
            (-2, 0),
            (0, -2),
        ]),
        Movement::FERZ,
        FORCE_OF_PRELATE,
        Movement::KING,
    ],
    letters: *b"PNAL K",
    more: FurtherNames::NONE,
    halves: false,
};

/// The order of letters in the state.
const LETTER_ORDER: [Kind; 5] = [Kind::King, Kind::Knight, ADVOCATE, PRELATE, Kind::Pawn];

/// Chromopolis.
#[derive(Clone, Copy, Debug)]
pub struct Chromopolis {
    /// Whether bound units can be freed.
    frees: bool,
}

/// The option with which bound units are never freed.
const NO_UNBINDING: &str = "unbinding=none";

const FREEING: Chromopolis = Chromopolis { frees: true };

/// Returns the squares on which a unit exerts force.
#[inline]
pub fn force<S: Squares>(b: &Board<S>, color: Color, kind: Kind, from: Square) -> S {
    match kind {
        Kind::Pawn => b.pawn_captures(color, from),
        PRELATE => b.leap(Kind::Queen, from),
        kind => b.leap(kind, from),
    }
}

/// Returns the squares under the force of at least one unbound unit of a side, and those under the force of
/// at least two.
fn forces<W: Layout>(b: &BoardOf<W>, p: &Position<W>, color: Color) -> (W::Set, W::Set) {
    let (mut once, mut twice) = (W::Set::EMPTY, W::Set::EMPTY);
    for kind in [Kind::Pawn, Kind::Knight, ADVOCATE, PRELATE, Kind::King] {
        for from in p.units(color, kind).iter() {
            let squares = force(b, color, kind, from);
            twice |= once & squares;
            once |= squares;
        }
    }
    (once, twice)
}

/// The squares on which units are freed, each with the kinds to choose from.
type Freed = SmallVec<[(Square, SmallVec<[Kind; 5]>); 4]>;

/// Binds the enemy units on the squares `twice`, which are under double force of the mover (`p.side`).
/// Returns whether a unit was bound.
fn bind<W: Layout>(p: &mut Position<W>, twice: W::Set) -> bool {
    let them = !p.side;
    let struck = twice & p.color(them);
    for square in struck.iter() {
        let kind = p.kind_on(square);
        p.take(them, kind, square);
        p.bound.insert(BoundUnit {
            square,
            color: them,
            kind,
        });
    }
    !struck.is_empty()
}

/// Returns the units that are freed after the mover's step has bound enemy units. `twice` are the squares
/// under double force of the mover.
fn freed<W: Layout>(b: &BoardOf<W>, p: &Position<W>, twice: W::Set) -> Freed {
    let us = p.side;
    let mut freed = Freed::new();
    let own = p.bound.units().filter(|u| u.color == us);
    let lying = own.fold(W::Set::EMPTY, |set, unit| set.with(unit.square));
    let reached = lying & twice & !p.occupied();
    if reached.is_empty() {
        return freed;
    }
    let (against, _) = forces(b, p, !us);
    let open = reached & !against;
    for unit in p.bound.units() {
        if unit.color != us || !open.has(unit.square) {
            continue;
        }
        match freed.last_mut() {
            Some((square, kinds)) if *square == unit.square => {
                if !kinds.contains(&unit.kind) {
                    kinds.push(unit.kind);
                }
            }
            _ => freed.push((unit.square, SmallVec::from_slice(&[unit.kind]))),
        }
    }
    freed
}

/// Returns whether units of different kinds of a side are bound on one square, so that a turn may have to
/// choose.
fn has_choice<W: Layout>(p: &Position<W>, color: Color) -> bool {
    let mut before: Option<BoundUnit> = None;
    let mut own = p.bound.units().filter(|u| u.color == color);
    own.any(|unit| {
        let other = before.replace(unit);
        other.is_some_and(|other| other.square == unit.square && other.kind != unit.kind)
    })
}

/// Changes `after`, a copy of `p`, into the position after a step and its binding, with the mover still to
/// move. Returns whether the clock restarts, and the squares under double force of the mover.
fn step_on<W: Layout>(
    b: &BoardOf<W>,
    p: &Position<W>,
    step: Step,
    after: &mut Position<W>,
) -> (bool, W::Set) {
    fide::carry_out_of(&FREEING, b, p, after, step);
    let (_, twice) = forces(b, after, after.side);
    let resets = bind(after, twice) || step.kind() == Kind::Pawn;
    (resets, twice)
}

/// Returns the units that a step frees.
fn freed_by<W: Layout>(b: &BoardOf<W>, p: &Position<W>, step: Step) -> Freed {
    let mut after = *p;
    let (_, twice) = step_on(b, p, step, &mut after);
    freed(b, &after, twice)
}

/// Returns, for each square with freed units, the kind that the number `picks` chooses, and whether there is
/// a choice.
fn picked(freed: &Freed, mut picks: u64) -> impl Iterator<Item = (Square, Kind, bool)> + '_ {
    freed.iter().map(move |(square, kinds)| {
        let n = kinds.len() as u64;
        let kind = kinds[(picks % n) as usize];
        picks /= n;
        (*square, kind, n > 1)
    })
}

/// Generates the steps of turns, without the choice of freed units.
fn steps<W: Layout, K: Consumer<W::Set> + ?Sized>(
    b: &BoardOf<W>,
    p: &Position<W>,
    consumer: &mut K,
) -> Flow {
    let us = p.side;
    let vacant = b.squares() & !p.occupied();
    fide::pawns_to(
        &FREEING,
        b,
        p,
        b.ahead(us),
        b.pushed(p.units(us, Kind::Pawn), us) & vacant,
        consumer,
    )?;
    for kind in [Kind::Knight, ADVOCATE, PRELATE, Kind::King] {
        for from in p.units(us, kind).iter() {
            consumer.unit(kind, from, b.leap(kind, from) & vacant)?;
        }
    }
    Flow::Continue(())
}

impl<W: Layout> Rules<W> for Chromopolis {
    const FACTS: Facts = Facts {
        safety: Safety::NoRoyals,
        binds: true,
        // Without pawns, the board is symmetric from top to bottom. All files are alike.
        symmetries: Symmetries {
            files: true,
            ranks: true,
            diagonals: false,
            colors: true,
        },
        men: &MEN,
        double_step: false,
        castling: None,
        promotions: &[Kind::Knight, ADVOCATE, PRELATE],
        ..Facts::DEFAULT
    };

    fn wraps(&self) -> bool {
        true
    }

    fn attackers(&self, b: &BoardOf<W>, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
        p.color(attack.by)
            .iter()
            .filter(|&from| force(b, attack.by, p.kind_on(from), from).has(attack.target))
            .fold(W::Set::EMPTY, W::Set::with)
    }

    fn pseudo<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        if !self.frees || !has_choice(p, p.side) {
            return steps(b, p, c);
        }
        steps(
            b,
            p,
            &mut Each(|turn: Turn| {
                let combinations: u64 = freed_by(b, p, turn.first())
                    .iter()
                    .map(|(_, kinds)| kinds.len() as u64)
                    .product();
                for picks in 0..combinations {
                    c.turn(Turn { picks, ..turn })?;
                }
                Flow::Continue(())
            }),
        )
    }

    fn effect(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        let (resets, twice) = step_on(b, p, turn.first(), after);
        let us = p.side;
        let freed = match self.frees {
            true => freed(b, after, twice),
            false => Freed::new(),
        };
        for (square, kind, _) in picked(&freed, turn.picks) {
            after.bound.remove(BoundUnit {
                square,
                color: us,
                kind,
            });
            after.put(us, kind, square);
        }
        fide::pass(after, resets);
    }

    fn settled(&self, _: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        [p.side, !p.side]
            .into_iter()
            .find(|&color| p.bound_of(color, Kind::King) > 0)
            .map(|loser| Outcome::Win(!loser, reason::KING_CAPTURED))
    }

    fn no_pawns(&self, b: &BoardOf<W>, color: Color) -> W::Set {
        b.last_rank(color)
    }

    fn check_position(&self, _: &BoardOf<W>, p: &Position<W>) -> Legality {
        if p.occupied().len() as usize + p.bound_len() > <W::Bound as BoundUnits>::CAPACITY {
            Err(too_many::<W>())
        } else {
            Ok(())
        }
    }

    fn shown_placements(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        turn: &Turn,
        step: usize,
    ) -> Placements {
        if step + 1 < turn.steps().count() {
            return Placements::new();
        }
        if !self.frees {
            return Placements::new();
        }
        picked(&freed_by(b, p, turn.first()), turn.picks)
            .filter(|&(_, _, choice)| choice)
            .map(|(square, kind, _)| (kind, square))
            .collect()
    }

    fn carried(&self) -> &dyn Carried<W> {
        self
    }
}

impl<W: Layout> Carried<W> for Chromopolis {
    fn state_text(&self, b: &BoardOf<W>, p: &Position<W>) -> Vec<(&'static str, String)> {
        let mut piles: Vec<String> = Vec::new();
        let mut last = None;
        let mut units: Vec<BoundUnit> = p.bound.units().collect();
        units.sort_by_key(|u| (u.square, u.color, letter_place(u.kind)));
        for unit in units {
            if last != Some(unit.square) {
                piles.push(b.geometry().name(unit.square));
                last = Some(unit.square);
            }
            if let Some(pile) = piles.last_mut() {
                pile.push(MEN.letter(unit.color, unit.kind));
            }
        }
        if piles.is_empty() {
            Vec::new()
        } else {
            vec![("bound", piles.join(","))]
        }
    }

    fn read_state(&self, b: &BoardOf<W>, p: &mut Position<W>, _: &str, value: &str) -> Legality {
        let mut last = None;
        for pile in value.split(',') {
            let letters = pile
                .find(|c: char| !c.is_ascii_digit() && !c.is_ascii_lowercase())
                .or_else(|| {
                    // A pile of Black's units only: its letters follow the digits of the square.
                    let digits = pile.find(|c: char| c.is_ascii_digit())?;
                    let end = pile[digits..].find(|c: char| !c.is_ascii_digit())?;
                    Some(digits + end)
                })
                .unwrap_or(pile.len());
            let digits_end = pile
                .char_indices()
                .skip(1)
                .find(|(_, c)| !c.is_ascii_digit())
                .map_or(pile.len(), |(at, _)| at);
            let (name, units) = pile.split_at(digits_end.min(letters));
            let Some(square) = b.geometry().named(name) else {
                return Err(format!("`{name}` is not a square of this board").into());
            };
            if last.is_some_and(|l| l >= square) {
                return Err("the squares stand in the order a1, b1, ..., a2, ...".into());
            }
            last = Some(square);
            if units.is_empty() {
                return Err(format!("no units are named on {name}").into());
            }
            let mut previous = None;
            for letter in units.chars() {
                let color = if letter.is_ascii_uppercase() {
                    Color::White
                } else {
                    Color::Black
                };
                let Some(kind) = MEN.kind(letter.to_ascii_uppercase()) else {
                    return Err(format!("`{letter}` is not a unit of this variant").into());
                };
                let place = (color, letter_place(kind));
                if previous.is_some_and(|previous| previous > place) {
                    return Err("White's units stand first, in the order KNALP".into());
                }
                previous = Some(place);
                if !p.bound.insert(BoundUnit {
                    square,
                    color,
                    kind,
                }) {
                    return Err(too_many::<W>());
                }
            }
        }
        Ok(())
    }
}

fn letter_place(kind: Kind) -> Option<usize> {
    LETTER_ORDER.iter().position(|&k| k == kind)
}

fn too_many<W: Layout>() -> IllegalPosition {
    format!(
        "more than {} units in all; this board's positions hold no more",
        <W::Bound as BoundUnits>::CAPACITY
    )
    .into()
}
