//! Symmetries of boards, as maps from square to square.

use board::{Color, Geometry, MAX_SQUARES, Square, Squares};
use position::{BoundUnit, BoundUnits, Layout, Position};
use rules::{Game, Symmetries};

/// The image of each square.
pub type Map = [u8; MAX_SQUARES];

/// Returns the map that leaves every square unchanged.
pub fn identity() -> Map {
    std::array::from_fn(|i| i as u8)
}

/// Returns the map that flips the ranks, as swapping the sides requires. Returns `None` if the board's holes
/// do not allow it.
pub fn rank_flip(geometry: Geometry) -> Option<Map> {
    map_of(geometry, |file, rank| (file, geometry.ranks() - 1 - rank))
}

fn map_of(geometry: Geometry, go: impl Fn(u8, u8) -> (u8, u8)) -> Option<Map> {
    let mut map = identity();
    for from in (0..geometry.len() as u8).map(Square) {
        let (file, rank) = go(geometry.file(from), geometry.rank(from));
        let to = geometry.square(file, rank);
        if geometry.exists(from) != geometry.exists(to) {
            return None;
        }
        map[from.index()] = to.0;
    }
    Some(map)
}

/// Returns a position with its squares mapped. With `swap`, the sides are swapped too, including those in the
/// variant state. Castling rights are dropped.
pub fn rotated<W: Layout>(
    game: &dyn Game<W>,
    p: &Position<W>,
    map: &Map,
    swap: bool,
) -> Position<W> {
    let turn = |s: Square| Square(map[s.index()]);
    let side = |color: Color| if swap { !color } else { color };
    let mut q = Position::<W>::empty();
    q.side = side(p.side);
    q.set_state_words(&p.state_words());
    if swap {
        q.state = game.carried().swapped_state(p.state).unwrap_or(p.state);
    }
    for square in p.occupied().iter() {
        if let Some((color, kind)) = p.unit(square) {
            q.put(side(color), kind, turn(square));
        }
    }
    for unit in p.bound.units() {
        q.bound.insert(BoundUnit {
            square: turn(unit.square),
            color: side(unit.color),
            kind: unit.kind,
        });
    }
    q.set_en_passant(p.en_passant().map(turn));
    q
}

/// Returns the claimed symmetries that the board's shape allows, the identity first. The list is a group: the
/// composition of any two symmetries is in it. With `files_only`, returns only those that leave every unit on
/// its rank, as pawns require.
pub fn group(geometry: Geometry, claims: Symmetries, files_only: bool) -> Vec<Map> {
    let (files, ranks) = (geometry.files(), geometry.ranks());
    let square = files == ranks && !geometry.wraps();
    let mut maps: Vec<Map> = vec![identity()];
    for transpose in [false, true] {
        for flip_ranks in [false, true] {
            for flip_files in [false, true] {
                let wanted = (!flip_files || claims.files)
                    && (!flip_ranks || claims.ranks && !files_only)
                    && (!transpose
                        || claims.diagonals
                            && claims.files
                            && claims.ranks
                            && !files_only
                            && square);
                if !wanted {
                    continue;
                }
                // A cylinder may also be rotated by any number of files.
                let turns = if geometry.wraps() && claims.files {
                    files
                } else {
                    1
                };
                for turn in 0..turns {
                    let found = map_of(geometry, |file, rank| {
                        let file = if flip_files { files - 1 - file } else { file };
                        let rank = if flip_ranks { ranks - 1 - rank } else { rank };
                        let file = (file + turn) % files;
                        if transpose {
                            (rank, file)
                        } else {
                            (file, rank)
                        }
                    });
                    if let Some(map) = found
                        && !maps.contains(&map)
                    {
                        maps.push(map);
                    }
                }
            }
        }
    }
    maps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::is_valid_fen_position;
    use board::Kind;
    use notation::fen;
    use rules::with_game;
    use rules::{Game, Outcome, Variant};

    /// Returns the positions after a position's turns, mapped by `then`, and the position's outcome. With
    /// `swap`, the winner is the other side.
    fn seen<W: Layout>(
        game: &dyn Game<W>,
        p: &Position<W>,
        then: impl Fn(&Position<W>) -> Position<W>,
        swap: bool,
    ) -> (Vec<String>, Outcome) {
        let mut turns = Vec::new();
        game.turns(p, &mut turns);
        let mut after: Vec<String> = turns
            .iter()
            .map(|turn| {
                let mut q = then(&game.play(p, turn));
                (q.halfmove, q.fullmove) = (0, 1);
                fen::print(game, &q)
            })
            .collect();
        after.sort_unstable();
        let outcome = match game.outcome(p) {
            Outcome::Win(color, why) if swap => Outcome::Win(!color, why),
            Outcome::WeakWin(color, why) if swap => Outcome::WeakWin(!color, why),
            outcome => outcome,
        };
        (after, outcome)
    }

    fn commutes<W: Layout>(game: &dyn Game<W>, random: &mut impl FnMut(usize) -> usize) -> usize {
        let (b, claims) = (game.board(), game.symmetries());
        let squares: Vec<Square> = b.squares().iter().collect();
        let mut compared = 0;
        for _ in 0..300 {
            let mut p = Position::<W>::empty();
            p.side = Color::BOTH[random(2)];
            let royals = [Kind::King, Kind::Queen];
            let some = Kind::ALL.into_iter().filter(|_| random(3) > 0);
            let mut kinds: Vec<Kind> = royals.into_iter().chain(some).collect();
            if random(2) == 0 {
                kinds.retain(|&k| k != Kind::Pawn);
            }
            for kind in kinds {
                for color in Color::BOTH {
                    let square = squares[random(squares.len())];
                    let had = !p.units(color, kind).is_empty() && kind == Kind::King;
                    if game.men().letters[kind.index()] != b' '
                        && !had
                        && !p.occupied().has(square)
                        && (kind == Kind::King || random(4) > 0)
                    {
                        p.put(color, kind, square);
                    }
                }
            }
            if !is_valid_fen_position(game, &p) {
                continue;
            }
            // A few turns create variant states.
            for _ in 0..random(5) {
                let mut turns = Vec::new();
                game.turns(&p, &mut turns);
                if turns.is_empty() {
                    break;
                }
                p = game.play(&p, &turns[random(turns.len())]);
            }
            let pawns = !p.kind(Kind::Pawn).is_empty()
                || p.bound_units().any(|unit| unit.kind == Kind::Pawn);
            let mut maps: Vec<(Map, bool)> = group(b.geometry(), claims, pawns)
                .into_iter()
                .map(|map| (map, false))
                .collect();
            if let Some(flip) = rank_flip(b.geometry())
                && claims.colors
                && game.carried().swapped_state(p.state).is_some()
            {
                maps.push((flip, true));
            }
            for (map, swap) in &maps[1..] {
                let q = rotated(game, &p, map, *swap);
                let name = format!("{} {}", game.variant(), fen::print(game, &p));
                assert!(is_valid_fen_position(game, &q), "{name}");
                let here = seen(game, &p, |after| rotated(game, after, map, *swap), *swap);
                let there = seen(game, &q, |after| *after, false);
                assert_eq!(here, there, "{name}");
                compared += 1;
            }
        }
        compared
    }

    #[test]
    fn claimed_symmetries_commute_with_turns_in_every_rule_set() {
        let mut generator = control::Random(1);
        let mut random = |n: usize| generator.below(n);
        for info in variants::all() {
            let variant = Variant::from(*info);
            let own = fen::shape(&variant.start()).unwrap();
            let square = Geometry::new(6, 6, 0, false).unwrap();
            let odd = Geometry::new(5, 4, 0, false).unwrap();
            let mut compared = 0;
            for geometry in [own, square, odd] {
                if let Ok(game) = variant.on(geometry) {
                    compared += with_game!(&game, game => {
                        commutes(game.as_ref(), &mut random)
                    });
                }
            }
            let none = with_game!(&variant.on(square).expect("a game"), game => {
                let claims = game.symmetries();
                !(claims.files || claims.ranks || claims.colors)
            });
            assert!(compared > 0 || none, "{} is not compared", info.id);
        }
    }

    const ALL: Symmetries = Symmetries {
        files: true,
        ranks: true,
        diagonals: true,
        colors: true,
    };

    fn sizes(geometry: Geometry) -> (usize, usize) {
        (
            group(geometry, ALL, false).len(),
            group(geometry, ALL, true).len(),
        )
    }

    #[test]
    fn groups_have_the_sizes_that_the_shapes_allow() {
        let flat = |files, ranks, holes| Geometry::new(files, ranks, holes, false).unwrap();
        assert_eq!(sizes(flat(8, 8, 0)), (8, 2));
        assert_eq!(sizes(flat(7, 6, 0)), (4, 2));
        assert_eq!(sizes(flat(4, 4, 1)), (2, 1));
        assert_eq!(sizes(flat(7, 6, 0).wrapped()), (28, 14));
        let chromopolis = flat(7, 6, 1 | 1 << 35).wrapped();
        assert_eq!(sizes(chromopolis), (4, 2));
    }

    #[test]
    fn composing_two_changes_gives_a_third() {
        for geometry in [
            Geometry::new(8, 8, 0, false).unwrap(),
            Geometry::new(5, 4, 0, true).unwrap(),
        ] {
            let maps = group(geometry, ALL, false);
            for a in &maps {
                for b in &maps {
                    let both: Map = std::array::from_fn(|i| b[usize::from(a[i])]);
                    assert!(maps.contains(&both));
                }
            }
        }
    }
}
