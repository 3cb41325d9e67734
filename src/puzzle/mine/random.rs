//! Numbers and positions that a seed names.

use board::{Color, Kind, Square, Squares};
use control::Random;
use notation::fen;
use position::{Layout, Position};
use rules::{Game, with_turns};

/// Returns the generator of one candidate.
pub(super) fn generator(seed: u64, name: &str, index: u64) -> Random {
    let mut random = Random(seed);
    for byte in name.bytes() {
        random.0 = random.number() ^ u64::from(byte);
    }
    random.0 = random.number() ^ index;
    random
}

/// The most random turns made from a random placement.
const MAX_PLIES: usize = 14;
/// The most random turns made from the start array, for the state that they bring about.
const FAR_PLIES: usize = 80;
/// Beyond this no number of a move is looked for.
const FAR_NUMBER: u32 = 1 << 20;

/// How often a position is tried.
const TRIALS: usize = 64;

/// Returns a random position of an ongoing game with `side` to move and at most `most` units: units of the
/// kinds of the start array put anywhere, the kings of the other side often near an edge, then sometimes an
/// even number of random turns, of which those that change the rule set's state are preferred, or sometimes
/// the state of another game. `None` if several trials came to nothing.
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
        // Some of them will be captured.
        left += random.below(most);
    }
    for &(kind, least, up_to) in game.unit_bounds() {
        for color in Color::BOTH {
            let count = least.max(u32::from(up_to > 0 && !random.one_in(5)));
            for _ in 0..count {
                let edge = color != side && kind == Kind::King && random.one_in(2);
                put(game, &mut p, color, kind, edge, random)?;
                left = left.saturating_sub(1);
            }
        }
    }
    // Each kind as likely as any other; pawns twice.
    let royal = |kind: Kind| game.unit_bounds().iter().any(|(k, ..)| *k == kind);
    let mut pool: Vec<Kind> = game
        .men()
        .kinds()
        .filter(|&kind| !royal(kind) && !start.kind(kind).is_empty())
        .collect();
    if pool.contains(&Kind::Pawn) {
        pool.push(Kind::Pawn);
    }
    // How many of three units belong to the side to move.
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

/// Returns where the number of the move is part of the game, sets it close to the one at which it decides;
/// whether it is.
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

/// Makes random turns. `None` if the game ends.
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
