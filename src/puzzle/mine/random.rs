//! Random numbers and random positions that a seed determines.

use board::{Color, Kind, Square, Squares};
use control::Random;
use notation::fen;
use position::{Layout, Position};
use rules::{Game, with_turns};

/// Returns the random number generator of one candidate.
pub(super) fn generator(seed: u64, name: &str, index: u64) -> Random {
    let mut random = Random(seed);
    for byte in name.bytes() {
        random.0 = random.number() ^ u64::from(byte);
    }
    random.0 = random.number() ^ index;
    random
}

/// The maximum number of random turns from a random placement.
const MAX_PLIES: usize = 14;
/// The maximum number of random turns from the start position, which are made to get a variant state.
const FAR_PLIES: usize = 80;
/// The maximum move number for which a change of the outcome is searched.
const FAR_NUMBER: u32 = 1 << 20;

/// The maximum number of attempts to generate a position.
const TRIALS: usize = 64;

/// Returns a random position of an ongoing game with `side` to move and at most `most` units. Units of the
/// kinds in the start position are placed at random, the kings of the other side often at an edge. In half of
/// the positions, an even number of random turns follows, with a preference for turns that change the variant
/// state. Some of the others take their variant state from another random game. Returns `None` after
/// [`TRIALS`] failed attempts.
pub(super) fn position<W: Layout>(
    game: &dyn Game<W>,
    start: &Position<W>,
    side: Color,
    most: usize,
    random: &mut Random,
) -> Option<Position<W>> {
    (0..TRIALS).find_map(|_| trial(game, start, side, most, random))
}

fn trial<W: Layout>(
    game: &dyn Game<W>,
    start: &Position<W>,
    side: Color,
    most: usize,
    random: &mut Random,
) -> Option<Position<W>> {
    let mut p = Position::empty();
    p.side = side;
    let walks = random.one_in(2);
    let mut left = most.min(3 + random.below(most.saturating_sub(2).max(1)));
    if walks {
        // Place more units, since some will be captured.
        left += random.below(most);
    }
    let bounds = Color::BOTH.map(|color| game.unit_bounds(color));
    let kinds = bounds[0].len().max(bounds[1].len());
    for n in 0..kinds {
        for color in Color::BOTH {
            let Some(&(kind, least, up_to)) = bounds[color.index()].get(n) else {
                continue;
            };
            // A game never loses a royal unit, even if a FEN may be without it.
            let royals = game.royals(start, color) & start.units(color, kind);
            let usual = u32::from(up_to > 0 && !random.one_in(5));
            let count = least.max(usual).max(royals.len());
            for _ in 0..count {
                let edge = color != side && kind == Kind::King && random.one_in(2);
                put(game, &mut p, color, kind, edge, random)?;
                left = left.saturating_sub(1);
            }
        }
    }
    // All kinds have the same probability, except that pawns have twice this probability.
    let royal = |kind: Kind| bounds.iter().any(|of| of.iter().any(|(k, ..)| *k == kind));
    let mut pool: Vec<Kind> = game
        .men()
        .kinds()
        .filter(|&kind| !royal(kind) && !start.kind(kind).is_empty())
        .collect();
    if pool.contains(&Kind::Pawn) {
        pool.push(Kind::Pawn);
    }
    // `share + 1` of three units, on average, belong to the side to move.
    let share = random.below(3);
    for _ in 0..left.min(pool.len() * left) {
        let color = if random.below(3) <= share {
            side
        } else {
            !side
        };
        put(
            game,
            &mut p,
            color,
            pool[random.below(pool.len())],
            false,
            random,
        )?;
    }
    game.carried().set_clock(&mut p, 0);
    game.carried().set_number(&mut p, 1);
    late(game, &mut p, random);
    if !walks && game.carried().state_bits() > 0 && random.one_in(2) {
        let walked = walk(game, *start, 1 + random.below(FAR_PLIES), random)?;
        p.set_state_words(&walked.state_words());
    }
    fen::accept(game, &p).ok()?;
    if walks {
        p = walk(game, p, 2 * (1 + random.below(MAX_PLIES / 2)), random)?;
        game.carried().set_clock(&mut p, 0);
        if !late(game, &mut p, random) {
            game.carried().set_number(&mut p, 1);
        }
        fen::accept(game, &p).ok()?;
    }
    let few = p.occupied().len() as usize <= most;
    (few && game.outcome(&p).is_ongoing()).then_some(p)
}

/// Puts a unit on a random vacant square on which it is allowed.
fn put<W: Layout>(
    game: &dyn Game<W>,
    p: &mut Position<W>,
    color: Color,
    kind: Kind,
    edge: bool,
    random: &mut Random,
) -> Option<()> {
    let board = game.board();
    let geometry = board.geometry();
    for _ in 0..16 {
        let square = Square(random.below(geometry.len()) as u8);
        let (file, rank) = (geometry.file(square), geometry.rank(square));
        let outer =
            file == 0 || rank == 0 || file + 1 == geometry.files() || rank + 1 == geometry.ranks();
        if !board.squares().has(square)
            || p.occupied().has(square)
            || edge && !outer
            || kind == Kind::Pawn && game.no_pawns(color).has(square)
        {
            continue;
        }
        p.put(color, kind, square);
        return Some(());
    }
    None
}

/// If the outcome depends on the move number, sets the number, in half of the cases shortly before the
/// outcome changes. Returns whether the outcome depends on the move number.
fn late<W: Layout>(game: &dyn Game<W>, p: &mut Position<W>, random: &mut Random) -> bool {
    let outcome = |number: u32| {
        let mut there = *p;
        game.carried().set_number(&mut there, number);
        game.outcome(&there)
    };
    let now = outcome(1);
    if outcome(FAR_NUMBER) == now {
        return false;
    }
    let (mut low, mut high) = (1, FAR_NUMBER);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if outcome(middle) == now {
            low = middle;
        } else {
            high = middle;
        }
    }
    let number = if random.one_in(2) {
        1
    } else {
        low.saturating_sub(random.below(3) as u32).max(1)
    };
    game.carried().set_number(p, number);
    true
}

/// Makes random turns. Returns `None` if the game ends.
fn walk<W: Layout>(
    game: &dyn Game<W>,
    mut p: Position<W>,
    plies: usize,
    random: &mut Random,
) -> Option<Position<W>> {
    for _ in 0..plies {
        p = with_turns(|turns| {
            game.turns(&p, turns);
            if turns.is_empty() {
                return None;
            }
            let first = random.below(turns.len());
            let stirred = random.one_in(2).then(|| {
                (0..turns.len())
                    .map(|n| game.play(&p, &turns[(first + n) % turns.len()]))
                    .find(|after| after.state_words() != p.state_words())
            });
            Some(
                stirred
                    .flatten()
                    .unwrap_or_else(|| game.play(&p, &turns[first])),
            )
        })?;
    }
    Some(p)
}
