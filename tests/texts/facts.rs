//! What the program claims of rule texts, on random texts and positions: symmetries, the sizes of keys, the numbers and
//! squares of units, and the turns that searches for mates may leave out.

use crate::both::{Opened, cases, chance_of, open_both};
use crate::play::Chance;
use crate::random;
use fairyproof::board::{Color, Kind, Squares};
use fairyproof::catalog::Catalog;
use fairyproof::notation::{Setup, Start, fen, turns};
use fairyproof::position::{KEY_WORDS, Layout, Position};
use fairyproof::rules::{Game, Outcome, Symmetries, Turn, Variant, reason};
use fairyproof::with_setup;

/// A change of a position as text.
#[derive(Clone, Copy, Debug)]
struct Change {
    files: bool,
    ranks: bool,
    colors: bool,
}

/// Returns the changes that symmetries claim of a position with pawns or without them. Rules whose state has squares or
/// belongs to a side claim none that would change it.
fn changes(claims: Symmetries, has_pawns: bool) -> Vec<Change> {
    let mut changes = Vec::new();
    for files in [false, true] {
        for ranks in [false, true] {
            for colors in [false, true] {
                let claimed = (!files || claims.files)
                    && (!colors || claims.colors)
                    // Sides are swapped together with the ranks.
                    && (ranks == colors || claims.ranks && !has_pawns);
                if claimed && (files || ranks || colors) {
                    changes.push(Change {
                        files,
                        ranks,
                        colors,
                    });
                }
            }
        }
    }
    changes
}

/// Returns the board, the side and the state of a changed position. Rights and en passant are left out: positions that have them
/// are not compared.
fn changed(fen: &str, change: Change) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut rows: Vec<Vec<char>> = fields[0]
        .split('/')
        .map(|row| {
            let mut squares = Vec::new();
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(digit) => squares.extend(std::iter::repeat_n('.', digit as usize)),
                    None => squares.push(letter),
                }
            }
            squares
        })
        .collect();
    if change.files {
        rows.iter_mut().for_each(|row| row.reverse());
    }
    if change.ranks {
        rows.reverse();
    }
    let swapped = |letter: char| match letter.is_ascii_uppercase() {
        true => letter.to_ascii_lowercase(),
        false => letter.to_ascii_uppercase(),
    };
    if change.colors {
        let squares = rows.iter_mut().flatten();
        squares.for_each(|square| *square = swapped(*square));
    }
    let rows: Vec<String> = rows.iter().map(|row| random::run_lengths(row)).collect();
    let side = match (fields[1] == "w", change.colors) {
        (true, false) | (false, true) => "w",
        _ => "b",
    };
    let state: String = fields[6..]
        .iter()
        .map(|field| format!(" {field}"))
        .collect();
    format!("{} {side} - - 0 1{state}", rows.join("/"))
}

/// Returns the boards after the turns of a position, changed, in byte order, and the outcome.
fn seen(setup: &Setup, change: Change) -> (Vec<String>, String) {
    with_setup!(setup, start => {
        let game = start.game.as_ref();
        let mut turns = Vec::new();
        game.turns(&start.position, &mut turns);
        let after = turns.iter().map(|turn| changed(&fen::print(game, &game.play(&start.position, turn)), change));
        let mut after: Vec<String> = after.collect();
        after.sort();
        let outcome = match game.outcome(&start.position) {
            Outcome::Win(side, why) if change.colors => Outcome::Win(!side, why),
            Outcome::WeakWin(side, why) if change.colors => Outcome::WeakWin(!side, why),
            outcome => outcome,
        };
        (after, outcome.to_string())
    })
}

/// Returns whether a change of a position commutes with its turns; `None` if it cannot be told from a FEN.
fn commutes(setup: &Setup, change: Change) -> Option<bool> {
    let text = with_setup!(setup, start => fen::print(start.game.as_ref(), &start.position));
    let variant = with_setup!(setup, start => start.game.variant().clone());
    let fields: Vec<&str> = text.split(' ').collect();
    if fields[2..4] != ["-", "-"] || text.contains(['[', '~', '+']) {
        return None;
    }
    let Ok(other) = Setup::read(&variant, Some(&changed(&text, change))) else {
        return Some(false);
    };
    let here = seen(setup, change);
    let same = Change {
        files: false,
        ranks: false,
        colors: false,
    };
    Some(here == seen(&other, same))
}

/// Checks the symmetries that the rules claim. Returns the number of changes that were compared.
fn check_symmetries(setup: &Setup) -> Result<usize, String> {
    let (claims, has_pawns) = with_setup!(setup, start => {
        let pawns = start.position.kind(Kind::Pawn);
        (start.game.symmetries(), !pawns.is_empty())
    });
    let mut compared = 0;
    for change in changes(claims, has_pawns) {
        match commutes(setup, change) {
            Some(false) => return Err(format!("{change:?} is no symmetry")),
            found => compared += usize::from(found.is_some()),
        }
    }
    Ok(compared)
}

fn legal<W: Layout>(game: &dyn Game<W>, p: &Position<W>) -> Vec<Turn> {
    let mut turns = Vec::new();
    game.turns(p, &mut turns);
    turns
}

fn has(all: &[Turn], some: &[Turn]) -> bool {
    some.iter().all(|turn| all.contains(turn))
}

/// Returns whether a turn mates: by the outcome and the check.
fn mates<W: Layout>(game: &dyn Game<W>, p: &Position<W>, turn: &Turn) -> bool {
    let after = game.play(p, turn);
    game.in_check(&after, after.side)
        && game.outcome(&after) == Outcome::Win(p.side, reason::CHECKMATE)
}

/// Checks what the game says of a position against its turns.
fn check_position<W: Layout>(start: &Start<W>, p: &Position<W>) -> Result<(), String> {
    let game = start.game.as_ref();
    let holds = |what: &str, holds: bool| match holds {
        true => Ok(()),
        false => Err(format!("{}: {what}", fen::print(game, p))),
    };
    let turns = legal(game, p);
    holds("the count of turns", game.count(p) == turns.len() as u64)?;
    holds(
        "whether there is a turn",
        game.has_turn(p) != turns.is_empty(),
    )?;
    let after: Vec<Position<W>> = turns.iter().map(|turn| game.play(p, turn)).collect();
    let lines: u64 = after
        .iter()
        .map(|after| legal(game, after).len() as u64)
        .sum();
    holds("perft of two plies", game.perft(p, 2) == lines)?;
    let checking: Vec<Turn> = (turns.iter().zip(&after))
        .filter(|(_, after)| game.in_check(after, after.side))
        .map(|(turn, _)| *turn)
        .collect();
    let mut list = Vec::new();
    game.may_check(p, &mut list);
    holds("a check is left out", has(&list, &checking))?;
    let mating: Vec<Turn> = turns
        .iter()
        .copied()
        .filter(|turn| mates(game, p, turn))
        .collect();
    list.clear();
    game.checkmates(p, &mut list, false);
    holds("the checkmates", has(&list, &mating) && has(&mating, &list))?;
    let only_mates = |p: &Position<W>| {
        let turns = legal(game, p);
        !turns.is_empty() && turns.iter().all(|turn| mates(game, p, turn))
    };
    holds(
        "whether all turns mate",
        game.must_checkmate(p) == only_mates(p),
    )?;
    holds(
        "whether a turn forces mate",
        game.forces_checkmate(p) == after.iter().any(&only_mates),
    )?;
    let forcing: Vec<Turn> = (turns.iter().zip(&after))
        .filter(|(_, after)| {
            let answers = legal(game, after);
            let checks = |answer: &Turn| {
                let there = game.play(after, answer);
                game.in_check(&there, there.side)
            };
            !answers.is_empty() && answers.iter().all(checks)
        })
        .map(|(turn, _)| *turn)
        .collect();
    list.clear();
    game.may_force_checks(p, &mut list);
    holds(
        "a turn that forces checks is left out",
        has(&list, &forcing),
    )?;
    // The codec of the start has room for all positions of the game.
    let codec = game.codec(&start.position);
    let mut key = vec![0; KEY_WORDS];
    codec.encode(p, &mut key);
    let again: Position<W> = codec.decode(&key);
    let identity = |p: &Position<W>| {
        let mut p = *p;
        (p.halfmove, p.fullmove) = (0, 1);
        fen::print(game, &p)
    };
    let same = identity(&again) == identity(p) && legal(game, &again) == turns;
    holds(
        "the position of its key",
        same && game.outcome(&again) == game.outcome(p),
    )?;
    let mut keys = Vec::new();
    game.successors(p, &codec, &mut keys);
    let mut expected = Vec::new();
    for after in &after {
        codec.encode(after, &mut key);
        expected.extend(&key[..codec.words()]);
    }
    let sorted = |keys: &[u64]| {
        let mut keys: Vec<Vec<u64>> = keys.chunks(codec.words()).map(<[u64]>::to_vec).collect();
        keys.sort();
        keys
    };
    holds(
        "the keys of its successors",
        sorted(&keys) == sorted(&expected),
    )?;
    for color in Color::BOTH {
        let count = |kind: Kind| p.units(color, kind).len();
        let wrong = game.wrong_count(color, &count);
        holds("the number of its units", wrong.is_none())?;
    }
    let read = Setup::read(game.variant(), Some(&fen::print(game, p)));
    holds("its FEN is not read", read.is_ok())
}

/// Checks the facts along a random game.
fn check_game<W: Layout>(start: &Start<W>, chance: &mut Chance) -> Result<usize, String> {
    let game = start.game.as_ref();
    let mut p = start.position;
    for ply in 0..6 {
        check_position(start, &p)?;
        let turns = legal(game, &p);
        if turns.is_empty() {
            return Ok(ply + 1);
        }
        p = game.play(&p, &turns[chance.below(turns.len())]);
    }
    Ok(6)
}

fn check_text(text: &str, chance: &mut Chance) -> Result<[usize; 2], String> {
    let Opened::Both(variant, _) = open_both(text, "random")? else {
        return Ok([0; 2]);
    };
    let (mut positions, mut compared) = (0, 0);
    let board = variant.start();
    let ranks = board
        .split(' ')
        .next()
        .unwrap_or_default()
        .split('/')
        .count();
    for fen in [board.clone(), random::fen(chance, (ranks, ranks), 5)] {
        if let Ok(setup) = Setup::read(&variant, Some(&fen)) {
            compared += check_symmetries(&setup)?;
            positions += with_setup!(&setup, start => check_game(start, chance))?;
        }
    }
    Ok([positions, compared])
}

/// Checks the symmetries that a rule set claims in random positions. Returns the number of changes that were compared.
fn check_claims(variant: &Variant, chance: &mut Chance, size: usize) -> Result<usize, String> {
    let mut compared = 0;
    for _ in 0..12 {
        let fen = random::fen(chance, (size, size), 8);
        let Ok(setup) = Setup::read(variant, Some(&fen)) else {
            continue;
        };
        if with_setup!(&setup, start => start.game.symmetries()) == Symmetries::NONE {
            break;
        }
        compared += check_symmetries(&setup).map_err(|why| format!("{fen}: {why}"))?;
    }
    Ok(compared)
}

#[test]
fn claimed_symmetries_of_random_texts_hold() {
    let (mut claiming, mut compared, mut wrong) = (0, 0, Vec::new());
    for case in cases(400) {
        let mut chance = chance_of(case ^ 0x3000_0000);
        let size = 4 + chance.below(5);
        let last = char::from(b'a' + size as u8 - 1);
        let head = format!(
            "[random:fide-text]\nmaxFile = {last}\nmaxRank = {size}\nstartFen = {}\n",
            random::fen(&mut chance, (size, size), 6)
        );
        let text = random::with_clauses(&mut chance, head);
        let mut catalog = Catalog::new();
        if catalog.add_text("random.ini", &text).is_err() {
            continue;
        }
        let Ok(variant) = catalog.open("random") else {
            continue;
        };
        match check_claims(&variant, &mut chance, size) {
            Ok(more) => {
                claiming += usize::from(more > 0);
                compared += more;
            }
            Err(why) => wrong.push(format!("case {case}: {why}\n{text}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{claiming} texts with symmetries, {compared} positions");
    assert!(claiming > 5, "{claiming}");
}

#[test]
fn claimed_symmetries_of_built_in_texts_hold() {
    let catalog = Catalog::new();
    let texts = catalog.texts().map(|(id, _)| id.to_owned());
    let conditions = catalog.conditions().map(|id| format!("fide+{id}"));
    let (mut claiming, mut compared) = (0, 0);
    for (n, id) in texts.chain(conditions).enumerate() {
        let variant = catalog
            .open(&id)
            .unwrap_or_else(|why| panic!("{id}: {why}"));
        let checked = check_claims(&variant, &mut chance_of(n as u64), 8);
        let more = checked.unwrap_or_else(|why| panic!("{id}: {why}"));
        claiming += usize::from(more > 0);
        compared += more;
    }
    println!("{claiming} texts with symmetries, {compared} positions");
    assert!(claiming > 20, "{claiming}");
}

#[test]
fn claims_about_random_texts_hold() {
    let (mut positions, mut compared, mut wrong) = (0, 0, Vec::new());
    for case in cases(60) {
        let mut chance = chance_of(case ^ 0x7000_0000);
        let text = random::text(&mut chance);
        match check_text(&text, &mut chance) {
            Ok([more, changes]) => {
                positions += more;
                compared += changes;
            }
            Err(why) => wrong.push(format!("case {case}: {why}\n{text}")),
        }
        if wrong.len() > 20 {
            break;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{positions} positions, {compared} claimed symmetries compared");
    assert!(positions > 300, "{positions}");
}

#[test]
fn commuting_squares_tell_symmetric_rules_from_others() {
    let files = Change {
        files: true,
        ranks: false,
        colors: false,
    };
    let colors = Change {
        files: false,
        ranks: true,
        colors: true,
    };
    for (clause, by_files, by_colors) in [
        ("legalIf = !checks", true, true),
        ("legalIf = to != 'b1'", false, false),
        ("prefer = mover == black ? length2 : 0", true, false),
        (
            "movement.queen = light(unit.square) ? 'N' : 'Q'",
            false,
            false,
        ),
        (
            "ends = far: mover wins if units(mover).exists(u, u.file == 1)",
            false,
            true,
        ),
    ] {
        let text = format!(
            "[random:fide-text]\nstartFen = 8/2k5/8/3q4/8/Q7/1R6/3K4 w - - 0 1\n{clause}\n"
        );
        let Ok(Opened::Both(variant, _)) = open_both(&text, "random") else {
            panic!("{clause}");
        };
        let setup = Setup::read(&variant, None).expect("a start");
        let all = |change| {
            let fens = [
                "8/2k5/8/3q4/8/Q7/1R6/3K4 w - - 0 1",
                "8/2k5/8/8/7q/Q7/1R6/5K2 b - - 0 1",
                "8/2k5/8/8/7q/8/1R6/5K2 w - - 0 1",
            ];
            fens.iter().all(|fen| {
                let setup = Setup::read(&variant, Some(fen)).expect(fen);
                commutes(&setup, change) == Some(true)
            })
        };
        assert_eq!((all(files), all(colors)), (by_files, by_colors), "{clause}");
        check_symmetries(&setup).unwrap_or_else(|why| panic!("{clause}: {why}"));
    }
}

/// Returns what the rules say in a random game: the turns and the outcome of each position.
fn told(setup: &Setup, seed: u64) -> Vec<String> {
    let mut chance = Chance(seed | 1);
    with_setup!(setup, start => {
        let game = start.game.as_ref();
        let mut p = start.position;
        let mut told = Vec::new();
        for _ in 0..8 {
            let turns = turns::sorted(game, &p);
            let names: Vec<&str> = turns.iter().map(|(name, _)| name.as_str()).collect();
            let check = game.in_check(&p, p.side);
            told.push(format!("{} {check} {}", names.join(" "), game.outcome(&p)));
            let Some(n) = (!turns.is_empty()).then(|| chance.below(turns.len())) else {
                break;
            };
            p = game.play(&p, &turns[n].1);
        }
        told
    })
}

#[test]
fn conditions_that_are_looked_up_say_what_they_say_evaluated() {
    const CLAUSES: [&str; 7] = [
        "royalIf = unit.kind in ['king', 'queen']",
        "royalIf = false",
        "royalIf = owner == white ? unit.kind == 'king' : unit.kind != 'pawn'",
        "captureIf = unit.kind != 'pawn' || target.kind == 'pawn'",
        "captureIf = !target.exists || unit.kind != target.kind",
        "captureIf = target.side == black || unit.kind in ['rook', 'knight']",
        "activeIf = unit.kind != 'bishop' || owner == white",
    ];
    for (n, clause) in CLAUSES.iter().enumerate() {
        let text = format!(
            "[random:fide-text]\n{clause}\nontoOwn = target.kind == 'pawn' ? 'captures' : 'no'\n"
        );
        let open = |mut catalog: Catalog| {
            catalog.add_text("random.ini", &text).expect("a text");
            catalog.open("random").expect("a variant")
        };
        let (looked_up, evaluated) = (open(Catalog::new()), open(Catalog::new().evaluating_all()));
        let mut chance = chance_of(n as u64);
        let mut compared = 0;
        for seed in 0..60 {
            let fen = random::fen(&mut chance, (8, 8), 10);
            let (Ok(ours), Ok(other)) = (
                Setup::read(&looked_up, Some(&fen)),
                Setup::read(&evaluated, Some(&fen)),
            ) else {
                assert!(
                    Setup::read(&looked_up, Some(&fen)).is_err()
                        && Setup::read(&evaluated, Some(&fen)).is_err()
                );
                continue;
            };
            assert_eq!(told(&ours, seed), told(&other, seed), "{clause}: {fen}");
            compared += 1;
        }
        assert!(compared > 10, "{clause}: {compared}");
    }
}
