//! # Reentrant Chess
//!
//! Two half-boards that no unit leaves. King and queen, one in each half, are both royal and step
//! alike; what is captured in one half is the capturer's to drop in the other.
//!
//! ## Against FIDE
//! | FIDE | Reentrant |
//! |---|---|
//! | standard array | R N Q on the left, K N R on the right, no bishops |
//! | units go over the whole board | none steps into, attacks or slides across into the other half |
//! | the king is royal | king and queen are; both step like kings |
//! | pawn: ahead | one square along rank or file, any way, not capturing; one square diagonally, any way, capturing |
//! | double step, en passant, promotion, castling | none |
//! | captured units are gone | R, N, P go to the capturer's hand, for the other half |
//! | a turn is a step | or a drop of a unit in hand on a vacant square of its half |
//!
//! ## Rulings
//! * Upper case is the first player, whatever the men's color.
//! * A pawn may be on any rank, and be dropped on any.
//! * The halves are equal on every board; an odd number of files is an error.
//! * State `hand=a/b/c/d`: what the first player may drop in the left half and in the right half,
//!   then the same of the second player; letters in the order R N P, `-` for none.
//! * Own king and queen are unattacked after the turn; a drop may meet an attack. No legal turn:
//!   checkmate if either is attacked, else stalemate, a draw.
//! * The program takes at most 31 rooks, 31 knights and 63 pawns, on the board and in hand.
//!
//! ## Example
//! `4k3/q7/8/8/8/8/Q7/3rK3 w - - 0 1`: the rook on d1 does not reach over the middle to the king
//! on e1, nor may it take the pawn. White has `a2a3`, `a2b2`, `a2b3`, `e1e2`, `e1f1` and `e1f2`.

use crate::parts::monarchs;
use board::{Board, Color, Kind, Men, Movement, Square, Squares};
use position::{BoardOf, Layout, Position};
use rules::{
    Action, Attack, Carried, Facts, Flow, Legality, Rules, Safety, Sink, Symmetries, Turn, fide,
};
use rules::{STALEMATE, VariantInfo};

/// The variant and its options.
pub static INFO: VariantInfo = VariantInfo {
    id: "reentrant",
    name: "Reentrant Chess",
    difference: "two half-boards; what is captured in one is dropped in the other; king and queen are royal",
    state: &[(
        "hand",
        "what may be dropped: first player left/right, second player left/right, letters R N P or `-`",
    )],
    reasons: &[monarchs::MATE_OF_EITHER, STALEMATE],
    start: |_| "rnq2knr/pppppppp/8/8/8/8/PPPPPPPP/RNQ2KNR w - - 0 1".to_string(),
    fits: |geometry| {
        if geometry.files().is_multiple_of(2) {
            Ok(())
        } else {
            Err(format!(
                "{} files cannot be halved; an even number would be right",
                geometry.files()
            )
            .into())
        }
    },
    ..crate::parts::goal_variant::<Reentrant>(include_str!("reentrant.rs"))
};

static MEN: Men = {
    let mut men = Men::FIDE
        .with(Kind::Queen, Movement::KING)
        .with(Kind::Bishop, Movement::Special);
    men.letters = *b"PN RQK";
    men.halves = true;
    men
};

/// Reentrant Chess.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reentrant;

/// The zones of the left and the right half. The next two zones are the last file of the left half and the
/// first file of the right half.
const HALVES: [usize; 2] = [0, 1];
const LEFT_EDGE: usize = 2;
const RIGHT_EDGE: usize = 3;

/// The kinds that can be in hand, in the order of the notation.
const HELD: [Kind; 3] = [Kind::Rook, Kind::Knight, Kind::Pawn];

/// The numbers of units in hand, by side, half of the board and kind of [`HELD`]. The lowest bits of all
/// twelve numbers come first, then their next bits, so that the upper bits of the state are 0 if the numbers
/// are small.
mod hands {
    use super::HELD;
    use board::{Color, Kind};

    /// Number of bits of each number. Numbers of pawns have one more bit.
    const PLANES: u32 = 5;

    /// Returns the index of one of the four hands.
    pub fn hand(color: Color, half: usize) -> usize {
        2 * color.index() + half
    }

    /// Returns the maximum number of units of a kind in one hand.
    pub fn most(kind: Kind) -> u64 {
        match kind {
            Kind::Pawn => 63,
            _ => 31,
        }
    }

    /// Returns the position of bit `plane` of a number.
    fn bit(hand: usize, held: usize, plane: u32) -> u32 {
        if plane < PLANES {
            12 * plane + (3 * hand + held) as u32
        } else {
            12 * PLANES + hand as u32
        }
    }

    fn planes(held: usize) -> u32 {
        PLANES + u32::from(HELD[held] == Kind::Pawn)
    }

    /// Returns the number of units of a kind in a hand.
    pub fn count(state: u64, hand: usize, held: usize) -> u64 {
        (0..planes(held)).fold(0, |n, plane| {
            n | (state >> bit(hand, held, plane) & 1) << plane
        })
    }

    /// Returns the state with another number of units of a kind in a hand.
    pub fn with(mut state: u64, hand: usize, held: usize, n: u64) -> u64 {
        for plane in 0..planes(held) {
            let at = bit(hand, held, plane);
            state = state & !(1 << at) | (n >> plane & 1) << at;
        }
        state
    }

    /// Returns the number of state bits for numbers up to `most`.
    pub fn bits(most: u64) -> u32 {
        match u64::BITS - most.leading_zeros() {
            planes if planes <= PLANES => 12 * planes,
            _ => 64,
        }
    }
}

/// Returns the number of units of a kind, on the board and in hand.
fn total<W: Layout>(p: &Position<W>, held: usize) -> u64 {
    let in_hand: u64 = (0..4).map(|hand| hands::count(p.state, hand, held)).sum();
    in_hand + u64::from(p.kind(HELD[held]).len())
}

/// Returns the half of the board that contains a square: 0 for the left half, 1 for the right half.
#[inline(always)]
fn half_of<S: Squares>(b: &Board<S>, square: Square) -> usize {
    usize::from(b.zone(HALVES[1]).has(square))
}

impl<W: Layout> Rules<W> for Reentrant {
    const FACTS: Facts = Facts {
        safety: Safety::Lines,
        // Each hand belongs to one half.
        symmetries: Symmetries {
            files: false,
            diagonals: false,
            ..Symmetries::ALL
        },
        men: &MEN,
        double_step: false,
        castling: None,
        promotions: &[],
        ..Facts::DEFAULT.with_independent_steps()
    };

    fn zones(&self, b: &BoardOf<W>) -> [W::Set; 4] {
        let geometry = b.geometry();
        let middle = geometry.files() / 2;
        let mut zones = [W::Set::EMPTY; 4];
        for square in b.squares().iter() {
            let file = geometry.file(square);
            let bit = W::Set::of(square);
            zones[HALVES[usize::from(file >= middle)]] |= bit;
            if file + 1 == middle {
                zones[LEFT_EDGE] |= bit;
            } else if file == middle {
                zones[RIGHT_EDGE] |= bit;
            }
        }
        zones
    }

    fn royals(&self, p: &Position<W>, color: Color) -> W::Set {
        monarchs::monarchs(p, color)
    }

    #[inline(always)]
    fn attackers(&self, b: &BoardOf<W>, p: &Position<W>, attack: Attack<W::Set>) -> W::Set {
        fide::attackers(&MEN, b, p, attack)
            | b.pawn_captures(attack.by, attack.target) & p.units(attack.by, Kind::Pawn)
    }

    fn pawn_steps<K: Sink<W> + ?Sized>(
        &self,
        b: &BoardOf<W>,
        p: &Position<W>,
        pawns: W::Set,
        targets: W::Set,
        c: &mut K,
    ) -> Flow {
        let vacant = targets & !p.occupied();
        let victims = targets & self.capturable(b, p, Kind::Pawn);
        // A pawn that arrives on a file next to the middle from the other side has crossed the middle.
        let from_right = !b.zone(LEFT_EDGE);
        let from_left = !b.zone(RIGHT_EDGE);
        let [(left, lefts), (right, rights)] = b.sideways(pawns);
        c.pawns(left, lefts & from_right & vacant, Action::Go)?;
        c.pawns(right, rights & from_left & vacant, Action::Go)?;
        for color in Color::BOTH {
            c.pawns(b.ahead(color), b.pushed(pawns, color) & vacant, Action::Go)?;
            let [(left, lefts), (right, rights)] = b.pushed_aside(pawns, color);
            c.pawns(left, lefts & from_right & victims, Action::Go)?;
            c.pawns(right, rights & from_left & victims, Action::Go)?;
        }
        Flow::Continue(())
    }

    fn pseudo<K: Sink<W> + ?Sized>(&self, b: &BoardOf<W>, p: &Position<W>, c: &mut K) -> Flow {
        fide::pseudo(self, b, p, c)?;
        if p.state == 0 {
            return Flow::Continue(());
        }
        for (half, zone) in HALVES.into_iter().enumerate() {
            let vacant = b.zone(zone) & !p.occupied();
            for (held, kind) in HELD.into_iter().enumerate() {
                if hands::count(p.state, hands::hand(p.side, half), held) > 0 {
                    c.placed(kind, vacant)?;
                }
            }
        }
        Flow::Continue(())
    }

    fn update_state(&self, b: &BoardOf<W>, p: &Position<W>, turn: &Turn, after: &mut Position<W>) {
        let step = turn.first();
        let half = half_of(b, step.to);
        let held = |kind| HELD.iter().position(|&k| k == kind);
        if step.action() == Action::Place {
            if let Some(held) = held(step.kind()) {
                let hand = hands::hand(p.side, half);
                let n = hands::count(p.state, hand, held);
                after.state = hands::with(p.state, hand, held, n - 1);
            }
        } else if p.color(!p.side).has(step.to)
            && let Some(held) = held(p.kind_on(step.to))
        {
            let hand = hands::hand(p.side, 1 - half);
            let n = hands::count(p.state, hand, held);
            after.state = hands::with(p.state, hand, held, n + 1);
        }
    }

    fn unit_bounds(&self, _: Color) -> &[(Kind, u32, u32)] {
        monarchs::BOTH
    }

    fn no_pawns(&self, _: &BoardOf<W>, _: Color) -> W::Set {
        W::Set::EMPTY
    }

    fn check_position(&self, _: &BoardOf<W>, p: &Position<W>) -> Legality {
        for (held, kind) in HELD.into_iter().enumerate() {
            let n = total(p, held);
            if n > hands::most(kind) {
                return Err(format!(
                    "{n} units `{}` on the board and in hand; the program takes at most {}",
                    MEN.letter(Color::White, kind),
                    hands::most(kind)
                )
                .into());
            }
        }
        Ok(())
    }

    fn carried(&self) -> &dyn Carried<W> {
        self
    }
}

impl<W: Layout> Carried<W> for Reentrant {
    fn state_bits(&self) -> u32 {
        64
    }

    fn state_bits_from(&self, p: &Position<W>) -> u32 {
        let most = (0..HELD.len()).map(|held| total(p, held)).max();
        hands::bits(most.unwrap_or(0))
    }

    fn state_text(&self, _: &BoardOf<W>, p: &Position<W>) -> Vec<(&'static str, String)> {
        if p.state == 0 {
            return Vec::new();
        }
        let hands: Vec<String> = (0..4)
            .map(|hand| {
                let mut text = String::new();
                for (held, kind) in HELD.into_iter().enumerate() {
                    for _ in 0..hands::count(p.state, hand, held) {
                        text.push(MEN.letter(Color::White, kind));
                    }
                }
                if text.is_empty() { "-".into() } else { text }
            })
            .collect();
        vec![("hand", hands.join("/"))]
    }

    fn read_state(&self, _: &BoardOf<W>, p: &mut Position<W>, _: &str, value: &str) -> Legality {
        let texts: Vec<&str> = value.split('/').collect();
        if texts.len() != 4 {
            return Err("four hands parted by `/` would be right, such as `R/-/-/NP`".into());
        }
        for (hand, text) in texts.into_iter().enumerate() {
            if text == "-" {
                continue;
            }
            let mut rest = text;
            for (held, kind) in HELD.into_iter().enumerate() {
                let others = rest.trim_start_matches(MEN.letter(Color::White, kind));
                let n = (rest.len() - others.len()) as u64;
                if n > hands::most(kind) {
                    return Err(format!(
                        "{n} `{kind:?}`s in a hand are more than the program takes"
                    )
                    .into());
                }
                p.state = hands::with(p.state, hand, held, n);
                rest = others;
            }
            if text.is_empty() || !rest.is_empty() {
                return Err(format!(
                    "`{text}` is not a hand; write letters R, N, P in this order, or `-`"
                )
                .into());
            }
        }
        Ok(())
    }

    fn swapped_state(&self, state: u64) -> Option<u64> {
        let mut swapped = state;
        for held in 0..HELD.len() {
            for hand in 0..4 {
                swapped = hands::with(swapped, hand ^ 2, held, hands::count(state, hand, held));
            }
        }
        Some(swapped)
    }

    fn unit_limit(&self, p: &Position<W>) -> usize {
        let in_hand: u64 = (0..4)
            .flat_map(|hand| (0..HELD.len()).map(move |held| (hand, held)))
            .map(|(hand, held)| hands::count(p.state, hand, held))
            .sum();
        (p.occupied().len() as usize + in_hand as usize).min(128)
    }
}
