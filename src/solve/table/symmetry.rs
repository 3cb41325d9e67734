//! Changes of a board's orientation, as maps from square to square.

use crate::board::{Geometry, MAX_SQUARES, Square};
use crate::rules::Symmetries;

/// Where each square goes.
pub type Map = [u8; MAX_SQUARES];

/// Every square to itself.
pub fn identity() -> Map {
    std::array::from_fn(|i| i as u8)
}

/// The map that flips the ranks: what swapping the sides does to the board. Nothing if the board's
/// holes do not allow it.
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

/// The claimed changes that the board's shape allows, the one that changes nothing first. They
/// form a group: each composition of two is one of them. With `files_only` only those that leave
/// every unit on its rank, which is what pawns allow.
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
                // A cylinder may be mirrored and turned about any file.
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
