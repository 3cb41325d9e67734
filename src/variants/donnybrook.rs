//! # Donnybrook Chess
//!
//! King and queen both step like kings, and both must be captured. Captured rooks, knights and
//! bishops come back: their owner puts them on the board again at the start of the next turn, the
//! bishops if the owner still has the queen, the knights if the owner still has the king.
//!
//! ## Against FIDE
//! | FIDE | Donnybrook |
//! |---|---|
//! | the queen moves like rook and bishop | like a king |
//! | check and checkmate | none: kings may be attacked and captured |
//! | castling | none |
//! | promotion to Q, R, B, N | to R, B, N |
//! | captured units are gone | R, N and B are re-entered at the start of the next turn |
//! | checkmate wins | capturing both king and queen wins |
//!
//! ## Rulings
//! * `return=R`, `N` or `B` in the state: the side to move first puts that unit of its own on any
//!   vacant square, then makes a step with a different unit: `N@e5+e2e4` is one turn.
//! * Whether a captured unit comes back is determined by what its owner has right after the capture:
//!   a bishop needs the queen, a knight the king, a rook nothing. A `return` that this forbids is
//!   an error in a FEN.
//! * A pawn that has promoted comes back as what it was when captured.
//! * With no vacant square, or no step by another unit, the side has no legal turn: a draw.
//! * A side with neither king nor queen has lost; the side to move is checked first.
//!
//! ## Example
//! `k7/8/8/3n4/4P3/8/8/K7 w - - 0 1`, after `e4d5`: Black has a king, so `return=N` is set. On
//! each of the 61 vacant squares the knight can be put, then the king steps, so
//! `N@h1+a8b8` is a turn, and the knight itself stays where it was put.

use crate::parts::{capture, extinction};
use board::{Color, Kind, Men, Movement, Squares};
use position::{BoardOf, Layout, Position};
use rules::VariantInfo;
use rules::{
    Action, Carried, Consumer, Facts, Flow, Legality, Outcome, Rules, Safety, SecondSteps, Sink,
    Step, Turn, after, fide, reason,
};

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "donnybrook",
    name: "Donnybrook Chess",
    difference: "capture king and queen, which step like kings; rooks, knights, bishops come back",
    state: &[(
        RETURN,
        "R, N or B: what the side to move puts on a vacant square before its step",
    )],
    reasons: &[capture::MONARCHS_CAPTURED, capture::STALEMATE],
    start: |_| fide::START_NO_CASTLING.to_string(),
    ..crate::parts::goal_variant::<Donnybrook>(include_str!("donnybrook.rs"))
};

const RETURN: &str = "return";

static MEN: Men = Men::FIDE.with(Kind::Queen, Movement::KING);

/// The kinds that can come back. The state is 0, or the number of a kind in this list, from 1.
const COMING_BACK: [Kind; 3] = [Kind::Rook, Kind::Knight, Kind::Bishop];

/// Returns the kind of unit that the side to move has to re-enter, if any.
fn returning<W: Layout>(p: &Position<W>) -> Option<Kind> {
    (p.state > 0).then(|| COMING_BACK[p.state as usize - 1])
}

/// Returns the monarch without which a unit of this kind does not come back.
fn patron(kind: Kind) -> Option<Kind> {
    match kind {
        Kind::Bishop => Some(Kind::Queen),
        Kind::Knight => Some(Kind::King),
        _ => None,
    }
}

/// Returns whether a captured unit of the side to move comes back.
fn comes_back<W: Layout>(p: &Position<W>, kind: Kind) -> bool {
    patron(kind).is_none_or(|patron| !p.units(p.side, patron).is_empty())
}

/// The steps of some of the mover's units in a turn that began with a re-entry.
struct Others<'a, W: Layout> {
    b: &'a BoardOf<W>,
    p: &'a Position<W>,
    units: W::Set,
}

impl<W: Layout> SecondSteps<W::Set> for Others<'_, W> {
    #[inline(always)]
    fn run<K: Consumer<W::Set> + ?Sized>(&self, consumer: &mut K) -> Flow {
        let Others { b, p, units } = *self;
        let pawns = units & p.kind(Kind::Pawn);
        fide::pawn_steps(&Donnybrook, b, p, pawns, b.squares(), consumer)?;
        for kind in fide::PIECES {
            for from in (units & p.kind(kind)).iter() {
                let targets = Donnybrook.reach(b, p, kind, from) & !p.color(p.side);
                consumer.unit(kind, from, targets)?;
            }
        }
        Flow::Continue(())
    }
}

/// Donnybrook Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Donnybrook;

impl<W: Layout> Rules<W> for Donnybrook {
    const FACTS: Facts = Facts {
        safety: Safety::NoRoyals,
        settled_by_material: true,
        men: &MEN,
        castling: None,
        promotions: &[Kind::Rook, Kind::Bishop, Kind::Knight],
        ..Facts::SYMMETRIC
    };

    fn pseudo<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        let Some(kind) = returning(p) else {
            return fide::pseudo(self, b, p, c);
        };
        for square in (b.squares() & !p.occupied()).iter() {
            let mut with = *p;
            with.put(p.side, kind, square);
            let others = Others {
                b,
                p: &with,
                units: p.color(p.side),
            };
            after(Step::place(kind, square), c, others)?;
        }
        Flow::Continue(())
    }

    fn update_state(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        let [first, second] = turn.steps;
        let step = if second.is_none() { first } else { second };
        after.state = match capture::victim(p, step) {
            Some(kind) if comes_back(after, kind) => COMING_BACK
                .iter()
                .position(|&k| k == kind)
                .map_or(0, |index| index as u64 + 1),
            _ => 0,
        };
        if second.action() == Action::DoubleStep {
            fide::offer_en_passant(self, b, after, second);
        }
    }

    fn settled(&self, _: &BoardOf<W>, p: &Position<W>) -> Option<Outcome> {
        let monarchs = p.kind(Kind::King) | p.kind(Kind::Queen);
        extinction::lost(p, monarchs, reason::MONARCHS_CAPTURED)
    }

    fn en_passant(&self, p: &Position<W>) -> bool {
        p.state == 0
    }

    fn unit_bounds(&self, _: Color) -> &[(Kind, u32, u32)] {
        &[(Kind::King, 0, 1), (Kind::Queen, 0, 1)]
    }

    fn check_position(&self, _: &BoardOf<W>, p: &Position<W>) -> Legality {
        let Some(kind) = returning(p).filter(|&kind| !comes_back(p, kind)) else {
            return Ok(());
        };
        let letter = |kind| MEN.letter(p.side, kind);
        Err(format!(
            "`{}` does not return to a side without `{}`",
            letter(kind),
            patron(kind).map_or(' ', letter)
        )
        .into())
    }

    fn carried(&self) -> &dyn Carried<W> {
        self
    }
}

impl<W: Layout> Carried<W> for Donnybrook {
    fn state_bits(&self) -> u32 {
        2
    }

    fn state_text(&self, _: &BoardOf<W>, p: &Position<W>) -> Vec<(&'static str, String)> {
        returning(p)
            .map(|kind| (RETURN, (MEN.letters[kind.index()] as char).to_string()))
            .into_iter()
            .collect()
    }

    fn read_state(&self, _: &BoardOf<W>, p: &mut Position<W>, _: &str, value: &str) -> Legality {
        p.state = match value {
            "R" => 1,
            "N" => 2,
            "B" => 3,
            _ => return Err("it takes R, N or B".into()),
        };
        Ok(())
    }

    fn unit_limit(&self, p: &Position<W>) -> usize {
        p.occupied().len() as usize + usize::from(p.state > 0)
    }
}
