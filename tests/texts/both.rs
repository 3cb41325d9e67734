//! Rule texts played by both implementations: the same turns, positions after them, checks and outcomes.

use crate::play::{Chance, RULE_SETS, RULES, ids};
use crate::random;
use fairyproof::catalog::Catalog;
use fairyproof::notation::{Setup, fen, turns};
use fairyproof::position::Layout;
use fairyproof::rules::{self, AnyGame, Game, with_game};
use naive::texts::{TextRules, Texts, open};

/// What an implementation says of a position.
#[derive(PartialEq, Eq, Debug)]
pub struct Said {
    /// The turns with the positions after them, in byte order.
    pub turns: Vec<(String, String)>,
    check: bool,
    pub outcome: Option<(String, String)>,
}

fn said<W: Layout>(game: &dyn Game<W>, text: &str) -> Result<Said, String> {
    let p = fen::read_position(game, text).map_err(|error| error.to_string())?;
    let sorted = turns::sorted(game, &p).into_iter();
    let outcome = game.outcome(&p).to_string();
    Ok(Said {
        turns: sorted
            .map(|(name, turn)| (name, fen::print(game, &game.play(&p, &turn))))
            .collect(),
        check: game.in_check(&p, p.side),
        outcome: outcome
            .split_once(' ')
            .map(|(who, why)| (who.to_owned(), why.to_owned())),
    })
}

fn program_says(game: &AnyGame, text: &str) -> Result<Said, String> {
    with_game!(game, game => said(game.as_ref(), text))
}

fn naive_says(rules: &TextRules, text: &str) -> Result<Said, String> {
    Ok(Said {
        turns: rules.turns(text)?,
        check: rules.check(text)?,
        outcome: rules.outcome(text)?,
    })
}

/// Returns what both implementations say of a position.
#[track_caller]
pub fn agreed(text: &str, id: &str, fen: &str) -> Said {
    let opened = open_both(text, id).unwrap_or_else(|why| panic!("{id}: {why}"));
    let Opened::Both(variant, rules) = opened else {
        panic!("{id} is not played");
    };
    let setup = Setup::read(&variant, Some(fen)).unwrap_or_else(|why| panic!("{id}: {why}"));
    let ours = program_says(&setup.game(), fen).unwrap_or_else(|why| panic!("{id}: {why}"));
    let naive = naive_says(&rules, fen).unwrap_or_else(|why| panic!("{id}: {why}"));
    assert_eq!(ours, naive, "{id}: {fen}");
    ours
}

/// Plays a random game with both, and returns the number of positions.
///
/// # Errors
/// The first difference.
fn compare(
    game: &AnyGame,
    rules: &TextRules,
    chance: &mut Chance,
    plies: usize,
) -> Result<usize, String> {
    let start = with_game!(game, game => game.variant().start());
    compare_from(game, rules, &start, chance, plies)
}

/// Like [`compare`], from a position.
///
/// # Errors
/// The first difference.
pub fn compare_from(
    game: &AnyGame,
    rules: &TextRules,
    start: &str,
    chance: &mut Chance,
    plies: usize,
) -> Result<usize, String> {
    let mut fen = rules.canonical(start)?;
    for ply in 0..plies {
        let (ours, naive) = (program_says(game, &fen)?, naive_says(rules, &fen)?);
        if ours != naive {
            let only = |a: &Said, b: &Said| -> Vec<(String, String)> {
                let turns = a.turns.iter().filter(|turn| !b.turns.contains(turn));
                turns.take(4).cloned().collect()
            };
            return Err(format!(
                "{fen}\n  program: {} {:?} {:#?}\n  naive: {} {:?} {:#?}",
                ours.check,
                ours.outcome,
                only(&ours, &naive),
                naive.check,
                naive.outcome,
                only(&naive, &ours)
            ));
        }
        if ours.turns.is_empty() {
            return Ok(ply + 1);
        }
        fen.clone_from(&ours.turns[chance.below(ours.turns.len())].1);
    }
    Ok(plies)
}

#[test]
fn both_play_every_rule_text_alike() {
    let mut catalog = Catalog::new();
    catalog
        .add_text("rule-texts.ini", RULES)
        .expect("the texts are read");
    let file = format!("{RULE_SETS}\n{RULES}");
    let mut chance = Chance(11);
    for id in ids(&file) {
        let variant = catalog
            .open(&id)
            .unwrap_or_else(|error| panic!("{id}: {error}"));
        let setup = Setup::read(&variant, None).unwrap_or_else(|error| panic!("{id}: {error}"));
        let rules = open(&file, &id).unwrap_or_else(|why| panic!("{id}: {why}"));
        for plies in [24, 12] {
            let compared = compare(&setup.game(), &rules, &mut chance, plies);
            compared.unwrap_or_else(|why| panic!("{id}: {why}"));
        }
    }
}

/// Returns the number in an environment variable, or another number.
pub fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a whole number, not `{text}`"))
    })
}

/// Returns the numbers of the random texts of a test: `usual`, or as many as `FAIRYPROOF_TEXTS_CASES` says, from
/// `FAIRYPROOF_TEXTS_FIRST` on. `FAIRYPROOF_TEXTS_PLIES` is the length of the game that each begins with.
pub fn cases(usual: u64) -> std::ops::Range<u64> {
    let first = number("FAIRYPROOF_TEXTS_FIRST", 0);
    first..first + number("FAIRYPROOF_TEXTS_CASES", usual)
}

/// Returns the random numbers of a case.
pub fn chance_of(case: u64) -> Chance {
    Chance((case + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
}

/// What a random text is in both implementations.
pub enum Opened {
    Both(Box<rules::Variant>, TextRules),
    /// The program refuses a key of the format together with a clause, a start position with a check, `under` with
    /// rules that lack a unit, or a step that captures its own unit.
    NotPlayed,
}

/// Opens a text with both.
///
/// # Errors
/// If one of them cannot open it.
pub fn open_both(text: &str, id: &str) -> Result<Opened, String> {
    let mut catalog = Catalog::new();
    catalog
        .add_text("random.ini", text)
        .map_err(|error| format!("program: {error}"))?;
    let variant = match catalog.open(id) {
        Ok(variant) => variant,
        Err(error)
            if error.why.contains("is not played together")
                || error.why.contains("in the start position")
                || error.why.contains("has no unit")
                || error.why.contains("capture the unit that makes it") =>
        {
            return Ok(Opened::NotPlayed);
        }
        Err(error) => return Err(format!("program: {error}")),
    };
    let naive = |why| format!("naive: {why}");
    let texts = Texts::of_files(definition::TEXTS, &[text]).map_err(naive)?;
    let rules = texts.open(id).map_err(naive)?;
    let rules_text = texts.rules_text(id).map_err(naive)?;
    if variant.rule_set.digest() != Some(definition::digest(&rules_text).as_str()) {
        return Err(format!("the naive text has another digest: {rules_text}"));
    }
    Ok(Opened::Both(Box::new(variant), rules))
}

/// Plays a random text with both, from its start and from a random position, and returns the number of positions.
///
/// # Errors
/// The first difference.
fn compare_text(text: &str, chance: &mut Chance) -> Result<usize, String> {
    let Opened::Both(variant, rules) = open_both(text, "random")? else {
        return Ok(0);
    };
    let mut positions = 0;
    let start = variant.start();
    let board = start.split([' ', '[']).next().unwrap_or_default();
    let ranks = board.split('/').count();
    let first = board.split('/').next().unwrap_or_default();
    let width = |c: char| c.to_digit(10).map_or(1, |digit| digit as usize);
    let files = first.chars().filter(|c| *c != '~').map(width).sum();
    for from_start in [true, false] {
        let fen = match from_start {
            true => start.clone(),
            false => random::fen(chance, (files, ranks), 8),
        };
        let (ours, naive) = (Setup::read(&variant, Some(&fen)), rules.canonical(&fen));
        match (ours, naive) {
            (Ok(setup), Ok(_)) => {
                let plies = number("FAIRYPROOF_TEXTS_PLIES", 6);
                let plies = if from_start { plies } else { plies.div_ceil(2) };
                positions += compare_from(&setup.game(), &rules, &fen, chance, plies as usize)?;
            }
            // Kings next to each other, or attacked at the start, are refused by both.
            (Err(_), Err(_)) => {}
            (Ok(_), Err(why)) => {
                return Err(format!("{fen}: only the naive rules refuse it: {why}"));
            }
            (Err(why), Ok(_)) => return Err(format!("{fen}: only the program refuses it: {why}")),
        }
    }
    Ok(positions)
}

#[test]
fn both_play_random_texts_alike() {
    let (mut positions, mut wrong) = (0, Vec::new());
    let cases = cases(100);
    for case in cases.clone() {
        let mut chance = chance_of(case);
        let text = random::text(&mut chance);
        match compare_text(&text, &mut chance) {
            Ok(compared) => positions += compared,
            Err(why) => wrong.push(format!("case {case}: {why}\n{text}")),
        }
        if wrong.len() > 20 {
            break;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let texts = cases.end - cases.start;
    println!("{texts} texts, {positions} positions");
    assert!(positions as u64 > texts, "{positions}");
}

/// Texts in which the implementations once differed, each with what the rules of rule texts say about it.
const FAULTS: &str = "
# A unit does not attack its own square.
[own-square:fide-text]
attacks.rook = [unit.square, offset(unit.square, 1, 1)]
takes = attacked(unit.square, owner) ? captures : captures + neighbors(to)

# A square is on a line with itself.
[same-square:chess]
toHand = mover
drops = ['knight', 'rook', 'pawn']
dropIf = aligned(to, to)

# A captured unit goes to one hand.
[one-hand:chess]
pieceDrops = true
capturesToHand = true
toHand = unit.side
ontoOwn = target.kind == 'king' ? 'no' : 'captures'

# A unit that is reborn goes to no hand.
[reborn:chess]
pieceDrops = true
capturesToHand = true
rebirth = home(unit)

# Counters that other rules read are part of the position.
[counting:fide-text]
legalIf = !under('late').check || after.fen != ''

[late:fide-text]
checkIf = fullmove >= 3
ends = parent.ends
       late: mover loses if fullmove >= 4

# The captures of a turn are units as they stood before it.
[taken-again:fide-text]
stepCount = 2
rebirth = from
rebirthSide = other(mover)
state = taken[side]: kinds
state.taken = owner == mover ? state.taken(owner) + captures.map(c, c.kind) : state.taken(owner)

# A chosen kind is written as a promotion.
[chosen-kinds:fide-text]
turnsInto = kind == 'pawn' ? ['knight', 'bishop'] : [becomes]
legalIf = kind != 'pawn' || promotes

# The mover drops and takes off units whichever side's units step.
[their-steps:fide-text]
stepCount = 2
stepSide = n == 1 ? other(side) : side
drops = n == 1 ? ['pawn'] : []
dropIf = to.rank == 4 && to.file < 3
takeOff = n == 1 ? units(side, 'pawn') : []

# A unit that keeps its kind stays a promoted unit.
[still-promoted:chess]
startFen = 4k3/P6P/8/8/8/8/p6p/4K3[] w - - 0 1
pieceDrops = true
capturesToHand = true
turnsInto = kind == 'king' ? [becomes] : [becomes, 'knight']

# The kind of a reborn unit belongs to the rebirth of its section.
[two-rebirths:fide-text]
rebirthIf = unit.kind == 'pawn'
rebirth = home(unit)
conditions = as-knights

[as-knights]
condition = true
rebirth = from
rebirthKind = 'knight'

# The clause about drops takes the place of those of the hands.
[few-drops:chess]
pieceDrops = true
capturesToHand = true
drops = ['knight', 'rook']

# With clauses, drops do not restart the halfmove clock.
[slow-drops:chess]
startFen = 4k3/8/8/8/8/8/8/4K3[RNrn] w - - 0 1
pieceDrops = true
capturesToHand = true
legalIf = !checks

# Captures and landings are decided before a promotion.
[before-promotion:fide-text]
startFen = 4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1
landsOn = promotes ? from : to
takes = promotes ? [] : captures

# A turn of White that ends with a step of a black unit is a turn of White.
[their-turn:fide-text]
stepSide = other(side)

# While the mover steps with their units, the mover is to move.
[their-side:fide-text]
stepCount = 2
stepSide = n == 1 ? other(side) : side
activeIf = unit.kind != 'knight' || side == owner
targets.rook = units(side, 'pawn').map(u, u.square)
ontoOwn = side == owner ? 'captures' : 'no'

# The counters change with the turn, not with its steps.
[slow-counters:fide-text]
startFen = 4k3/pp3ppp/8/3qr3/3QR3/8/PP3PPP/4K3 w - - 0 1
stepCount = 2
royalIf = unit.kind == 'king' && halfmove > 0

# A flag may be used as a condition.
[flags:fide-text]
state = when: flag
state.when = after.empty(from) ? 1 : 0
legalIf = (state.when ? 1 : 0) < 2 && (!state.when || kind != 'queen')

# On an empty board, the owner of the unit is to move.
[own-turn:fide-text]
activeIf = unit.kind == 'king' || units(side).exists(u, u.exists)
legalIf = size(reach(unit)) > 0 && units(other(mover)).exists(u, size(reach(u)) > 0)

# Lists of one way come before others, also before those of a condition.
[lists:fide-text]
quiet.bishop = [offset(unit.square, 0, 1), offset(unit.square, 2, 0)]
conditions = far-bishops

[far-bishops]
condition = true
targets.bishop = squares.filter(s, distance(s, unit.square) == 2)

# A unit that is not active on an empty board reaches nothing there.
[lonely:fide-text]
activeIf = unit.kind == 'king' || count(owner) > 3
conditions = far-queens

[far-queens]
condition = true
attacks.queen = reach(unit)

# A unit that goes on is at its last square for all later effects.
[goes-home:fide-text]
endsOn = size(captures) > 0 ? home(after.at(to)) : ''
removes = after.neighbors(home(unit)).filter(u, u.kind == 'pawn')

# Reach is by movement, whatever steps a turn has.
[by-movement:fide-text]
state = far: flag
state.far = size(reach(unit)) == 2
stepCount = 2
stepIf = n == 2 || attacked(unit.square, mover)
joins = light(from) ? other(owner) : owner

# While a state is decided, the position after the turn has the states before it.
[old-states:fide-text]
startFen = 4k3/pp6/8/8/8/8/6PP/4K1N1 w - - 0 1
state = last[side]: square; seen: flag
state.last = owner == mover ? to : state.last(owner)
state.seen = after.turns.exists(t, size(t.captures) > 0 && t.after.at(state.last(white)).exists)
rebirth = state.last(white)

# Entries come before the endings of the definition, also those that need a position without turns.
[entries-first:chess]
startFen = 3K3k/p7/p7/1q3b2/P7/4p2p/8/4B3 b - - 0 1
flagPiece = k
whiteFlag = *8
blackFlag = *1
legalIf = false
ends = no turn: stuck: side wins

# Without a missing unit, a position is as it is.
[without-none:fide-text]
legalIf = without(nearest(from, 0, -1)).count(white) >= count(white) - 1 && without(at(to)).at('h8').exists

# A turn that begins with taking off has no length.
[no-length:chess]
startFen = 4k3/8/8/8/8/8/PP6/RN2K3 w - - 0 1
continues = neighbors(from).exists(u, u.side == white) ? 'must' : 'no'
takeOff = units(white)
prefer = length2

# Clauses list turns before ends are decided.
[goes-on:chess]
startFen = 5K2/4p3/k2r1B2/1N6/2Qq4/7b/r7/8 w - - 0 1
flagPiece = k
whiteFlag = *8
blackFlag = *1
legalIf = size(after.turns) > 12
";

#[test]
fn differences_that_random_texts_showed_are_gone() {
    let mut chance = Chance(5);
    for id in ids(FAULTS) {
        let opened = open_both(FAULTS, &id).unwrap_or_else(|why| panic!("{id}: {why}"));
        let Opened::Both(variant, rules) = opened else {
            panic!("{id}");
        };
        let setup = Setup::read(&variant, None).unwrap_or_else(|error| panic!("{id}: {error}"));
        for plies in [8, 16] {
            let compared = compare(&setup.game(), &rules, &mut chance, plies);
            compared.unwrap_or_else(|why| panic!("{id}: {why}"));
        }
    }
}

/// Sections that name the keys of their parents.
const PARENTS: &str = "
[counted:fide-text]
state = a: 0..5; b[side]: 0..9
state.a = state.a + 1
state.b = owner == mover ? state.b(owner) + 1 : state.b(owner)
let.far(s) = distance(s, 'a1')
let.near = 2

[as-before:counted]
state.a = parent.state.a
state.b = parent.state.b + parent.state.b(foe)
let.far(s) = parent.let.far(s) + parent.let.near
legalIf = far(to) < 5

[first-of-its-name:fide-text]
state = a: 0..5
state.a = parent.state.a < 5 && captures.all(c, true) ? parent.state.a + 1 : 5

[listed:fide-text]
targets.rook = [offset(unit.square, 0, 1)]

[one-more:listed]
targets.rook = parent.targets.rook + [offset(unit.square, 1, 0)]

[quiet-alone:listed]
quiet.rook = parent.quiet.rook + [offset(unit.square, 2, 0)]

[riding:fide-text]
movement.knight = 'NW'

[leaping:riding]
movement.knight = 'N'

[further:riding]
movement.knight = parent.movement.knight + 'D'

[stepping:fide-text]
movement.* = movement_of(unit.kind) + 'W'

[stepping-further:stepping]
movement.knight = parent.movement.knight + 'D'

[springing]
condition = true
movement.knight = parent.movement.knight + 'D'

[leaping-only]
condition = true
movement.knight = 'N'
";

#[test]
fn keys_of_the_parent_with_a_period_are_its_clauses() {
    let mut chance = Chance(17);
    let small = "3k/4/4/KR2 w - - 0 1";
    let knight = "4k3/8/8/8/3N4/8/8/4K3 w - - 0 1";
    for (id, fen, turn, moves, after) in [
        ("as-before", small, "b1b2", 5, "a=1;b=1,1"),
        ("first-of-its-name", small, "b1b2", 7, "a=1"),
        ("one-more", small, "b1", 2, ""),
        ("quiet-alone", small, "b1", 2, ""),
        ("riding", knight, "d4", 12, ""),
        ("leaping", knight, "d4", 8, ""),
        ("further", knight, "d4", 16, ""),
        ("stepping-further", knight, "d4", 16, ""),
        ("fide-text+springing", knight, "d4", 12, ""),
        ("riding+springing", knight, "d4", 16, ""),
        ("riding+leaping-only", knight, "d4", 8, ""),
    ] {
        let Ok(Opened::Both(variant, rules)) = open_both(PARENTS, id) else {
            panic!("{id}: {:?}", open_both(PARENTS, id).err());
        };
        let setup =
            Setup::read(&variant, Some(fen)).unwrap_or_else(|error| panic!("{id}: {error}"));
        let compared = compare_from(&setup.game(), &rules, fen, &mut chance, 12);
        compared.unwrap_or_else(|why| panic!("{id}: {why}"));
        let turns = setup.turns();
        let piece = &turn[..2];
        let of_piece = turns
            .iter()
            .filter(|other| other.starts_with(piece) || turn.len() > 2);
        assert_eq!(of_piece.count(), moves, "{id}: {turns:?}");
        if !after.is_empty() {
            let fen = setup.play(turn).expect("a turn").fen();
            assert!(fen.ends_with(after), "{id}: {fen}");
        }
    }
}

#[test]
fn keys_that_the_parent_does_not_have_are_named() {
    for (clause, told) in [
        ("targets.rook = parent.targets.rook", "`targets.rook`"),
        ("quiet.rook = parent.attacks.rook", "`attacks.rook`"),
        ("movement.rook = parent.movement.rok", "`movement.rok`"),
        ("legalIf = parent.state.none > 0", "`state.none`"),
        ("let.x = parent.let.x + 1\nlegalIf = x > 0", "`let.x`"),
    ] {
        let mut catalog = Catalog::new();
        let text = format!("[wrong:fide-text]\n{clause}\n");
        catalog.add_text("wrong.ini", &text).expect("a text");
        let error = catalog.open("wrong").expect_err(clause).to_string();
        assert!(
            error.contains(&format!("the parent has no {told}")),
            "{clause}: {error}"
        );
    }
}

#[test]
fn both_set_aside_en_passant_squares_that_no_pawn_has_passed() {
    const REFILLS: &str =
        "[refills:fide-text]\nrebirth = home(unit)\n\n[plain:fide-text]\nlegalIf = true\n";
    let passed = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    let from_elsewhere = "4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1";
    for (id, fen, square) in [
        ("fide-text", passed, "e3"),
        ("plain", passed, "e3"),
        ("plain", from_elsewhere, "-"),
        ("refills", from_elsewhere, "e3"),
        ("glory-text", passed, "-"),
        ("fide-text", "4k3/8/8/3pP3/8/8/8/4K3 b - e4 0 1", "-"),
        ("society-text", "4k3/8/8/3pP3/8/8/8/4K3 b - e4 0 1", "-"),
    ] {
        let Ok(Opened::Both(variant, rules)) = open_both(REFILLS, id) else {
            panic!("{id}");
        };
        let setup =
            Setup::read(&variant, Some(fen)).unwrap_or_else(|error| panic!("{id}: {error}"));
        let canonical = rules.canonical(fen).expect("a position");
        assert_eq!(setup.fen(), canonical, "{id}");
        assert_eq!(canonical.split(' ').nth(3), Some(square), "{id}: {fen}");
        let compared = compare_from(&setup.game(), &rules, fen, &mut Chance(2), 3);
        compared.unwrap_or_else(|why| panic!("{id}: {why}"));
    }
}

#[test]
fn a_step_with_too_many_squares_to_choose_is_illegal() {
    let mut chance = Chance(3);
    let few = "['c7', 'd7', 'e7', 'f7', 'g7']";
    let row = "squares.filter(s, s.rank == 7)";
    for (pawns, squares, choices) in [
        ("2p1p3", few, 5 * 4 * 3 * 2),
        ("2p1pp2", few, 5 * 4 * 3 * 2),
        ("2ppp3", few, 0),
        ("2p1p3", row, 8 * 7 * 6 * 5),
        ("2p1p3", "squares.filter(s, s.rank > 5)", 0),
    ] {
        let text = format!(
            "[reborn:fide-text]\nstartFen = 8/8/8/{pawns}/2p1p3/8/7k/K2R4 w - - 0 1\n\
             takes = neighbors(to).filter(u, u.side != mover)\n\
             rebirth = {squares}\n"
        );
        let mut catalog = Catalog::new();
        catalog
            .add_text("reborn.ini", &text)
            .expect("the text is read");
        let setup =
            Setup::read(&catalog.open("reborn").expect("a rule set"), None).expect("a start");
        let rules = open(&text, "reborn").unwrap_or_else(|why| panic!("{why}"));
        compare(&setup.game(), &rules, &mut chance, 1).unwrap_or_else(|why| panic!("{why}"));
        let turns = setup.turns();
        let found = turns.iter().filter(|turn| turn.starts_with("d1d4")).count();
        assert_eq!(found, choices, "{pawns} {squares}");
    }
}
