//! Each rule set's declared differences from orthodox chess against its behavior: a hook that is
//! declared but never effective on thousands of positions fails, an effective one that is not
//! declared fails.

use crate::random::{Random, random_fen};
use fairyproof::board::{Color, Geometry, Kind, Men, Square, Squares};
use fairyproof::catalog::Catalog;
use fairyproof::notation::{Setup, Start, turns};
use fairyproof::position::Position;
use fairyproof::rules::{
    Action, Attack, Castling, Facts, Game, Hook, Outcome, Ruled, Rules, Safety, Turn, VariantInfo,
    fide, reason,
};
use fairyproof::values::Layout;
use fairyproof::variants;
use std::collections::BTreeSet;

/// Orthodox chess with a variant's data (men, double step, promotions) and none of its code.
struct Plain<'g> {
    men: &'g Men,
    castling: Option<Castling>,
    double_step: bool,
    promotions: &'g [Kind],
}

impl<W: Layout> Rules<W> for Plain<'_> {
    const FACTS: Facts = Facts {
        safety: Safety::Trial,
        ..Facts::DEFAULT
    };

    fn men(&self) -> &Men {
        self.men
    }
    fn castling(&self) -> Option<Castling> {
        self.castling
    }
    fn double_step(&self) -> bool {
        self.double_step
    }
    fn promotions(&self, _: &Position<W>) -> &[Kind] {
        self.promotions
    }
}

const ORTHODOX_CHOICES: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

/// Whether there is a double step, and what pawns become.
type PawnOptions<'g> = (bool, &'g [Kind]);

/// Orthodox chess on the board of a game, with its men: with and without the double step, and with each
/// list of promotions that has been asked for.
struct Twins<'g, W: Layout> {
    game: &'g dyn Game<W>,
    made: Vec<(PawnOptions<'g>, Ruled<W, Plain<'g>>)>,
}

impl<'g, W: Layout> Twins<'g, W> {
    fn of(game: &'g dyn Game<W>) -> Self {
        let made = Vec::new();
        Twins { game, made }
    }

    fn twin(&mut self, double_step: bool, promotions: &'g [Kind]) -> &Ruled<W, Plain<'g>> {
        let asked = (double_step, promotions);
        let at = match self.made.iter().position(|(key, _)| *key == asked) {
            Some(at) => at,
            None => {
                let geometry = self.game.board().geometry();
                // On boards with other files there is no castling as in orthodox chess.
                let castling = Castling::FIDE;
                let castling = (geometry.files() == castling.files).then_some(castling);
                let rules = Plain {
                    men: self.game.men(),
                    castling,
                    double_step,
                    promotions,
                };
                let twin = Ruled::new(rules, self.game.variant().clone(), geometry);
                self.made.push((asked, twin));
                self.made.len() - 1
            }
        };
        &self.made[at].1
    }
}

/// Whatever makes a game differ from orthodox chess at this position.
fn differences<W: Layout>(twins: &mut Twins<'_, W>, p: &Position<W>, found: &mut BTreeSet<Hook>) {
    let game = twins.game;
    let b = game.board();
    let promotions = game.promotions(p);
    let mut pseudo = Vec::new();
    game.pseudo_turns(p, &mut pseudo);
    let doubles = pseudo
        .iter()
        .any(|t| t.first().action() == Action::DoubleStep);
    let mut theirs = Vec::new();
    twins.twin(true, promotions).pseudo_turns(p, &mut theirs);
    let double = |t: &Turn| t.steps.iter().any(|s| s.action() == Action::DoubleStep);
    // Where an answer to check or a composite turn takes its place, that is not this hook's doing.
    let simple = !game.in_check(p, p.side) && pseudo.iter().all(|t| t.steps[1].is_none());
    if simple && theirs.iter().any(double) && !pseudo.iter().any(double) {
        found.insert(Hook::DoubleStep);
    }

    if promotions != ORTHODOX_CHOICES {
        found.insert(Hook::Promotion);
    }
    let changes = |t: &Turn| {
        t.steps()
            .any(|s| s.kind() != Kind::Pawn && s.becomes().is_some())
    };
    if pseudo.iter().any(changes) {
        found.insert(Hook::Promotion);
    }

    for color in Color::BOTH {
        if game.royals(p, color) != p.units(color, Kind::King) {
            found.insert(Hook::Royal);
        }
        use fairyproof::board::Squares;
        for square in b.squares().iter() {
            let attack = Attack::on(square, color, p.occupied());
            let plainly = fide::attackers(game.men(), b, p, attack);
            if game.attackers(p, square, color) != plainly {
                found.insert(Hook::Attack);
            }
        }
    }

    // Pseudo-legal turns, castling and captures of royal units aside: those have their own hooks.
    let castles = |t: &Turn| t.first().action() == Action::Castle;
    let royal_target = |t: &Turn| {
        use fairyproof::board::Squares;
        let to = t.first().to;
        p.units(!p.side, Kind::King).has(to) || game.royals(p, !p.side).has(to)
    };
    let changes_nothing = |t: &&Turn| !castles(t) && !royal_target(t) && !changes(t) && !double(t);
    let set = |turns: &[Turn]| -> BTreeSet<Turn> {
        turns.iter().filter(changes_nothing).copied().collect()
    };
    if set(&pseudo) != set(&theirs) {
        found.insert(Hook::Pseudo);
    }
    // A turn that begins otherwise by its state begins otherwise, castling or not.
    let castlings = |turns: &[Turn]| -> BTreeSet<Turn> {
        turns
            .iter()
            .filter(|t| castles(t))
            .map(|t| Turn::of(t.first()))
            .collect()
    };
    let composite = legal_composite(&pseudo);
    if p.state == 0 && !composite && castlings(&pseudo) != castlings(&theirs) {
        found.insert(Hook::Castling);
    }

    // Everything below asks for a game that goes on.
    if let Some(outcome) = game.settled(p) {
        assert_ne!(outcome, Outcome::Ongoing);
        found.insert(Hook::Settled);
        return;
    }
    let mut unfiltered = Vec::new();
    game.unfiltered_turns(p, &mut unfiltered);
    let mut legal = Vec::new();
    game.turns(p, &mut legal);
    if legal.len() != unfiltered.len() {
        found.insert(Hook::Filter);
    }
    let keeps_safe = |t: &&Turn| {
        use fairyproof::board::Squares;
        let after = game.play(p, t);
        let royals = game.royals(&after, p.side);
        royals
            .iter()
            .all(|s| game.attackers(&after, s, !p.side).is_empty())
    };
    // What castling adds to safety on its way is castling's.
    let safe: BTreeSet<Turn> = pseudo
        .iter()
        .filter(keeps_safe)
        .filter(|t| !castles(t))
        .copied()
        .collect();
    let unfiltered: BTreeSet<Turn> = unfiltered.into_iter().filter(|t| !castles(t)).collect();
    if safe != unfiltered {
        found.insert(Hook::Safety);
    }
    let plain = twins.twin(doubles || game.en_passant(p), promotions);
    for turn in legal.iter().filter(|t| !castles(t)) {
        let mut ours = game.play(p, turn);
        let mut plainly = plain.play(p, turn);
        // State and castling rights have their own hooks.
        ours.state = 0;
        plainly.state = 0;
        plainly.rights = ours.rights;
        if ours != plainly {
            found.insert(Hook::Effect);
        }
    }
    if legal.is_empty() {
        let orthodox = if game.in_check(p, p.side) {
            Outcome::Win(!p.side, reason::CHECKMATE)
        } else {
            Outcome::Draw(reason::STALEMATE)
        };
        if game.outcome_without_turn(p) != orthodox {
            found.insert(Hook::NoTurn);
        }
    }
}

/// Returns whether turns here have two steps: castling is then a first step like any other.
fn legal_composite(pseudo: &[Turn]) -> bool {
    pseudo.is_empty() || pseudo.iter().any(|t| !t.steps[1].is_none())
}

fn play_on<W: Layout>(
    start: &Start<W>,
    random: &mut Random,
    plies: usize,
    found: &mut BTreeSet<Hook>,
) {
    let game = start.game.as_ref();
    let mut twins = Twins::of(game);
    let mut p = start.position;
    for _ in 0..=plies {
        differences(&mut twins, &p, found);
        let legal = turns::sorted(game, &p);
        if legal.is_empty() {
            return;
        }
        p = game.play(&p, &legal[random.below(legal.len())].1);
    }
}

fn observed(info: &'static VariantInfo) -> BTreeSet<Hook> {
    let mut found = BTreeSet::new();
    let variant = Catalog::new().open(info.id).expect("a registered variant");
    let start = variant.start();
    let orthodox: Vec<&str> = fide::START.split(' ').collect();
    let fields: Vec<&str> = start.split(' ').collect();
    if fields[0] != orthodox[0] {
        found.insert(Hook::Array);
    }
    let shape = fairyproof::notation::fen::shape(&start).expect("a board");
    let own = variant.on(shape);
    let (men, wraps, homes, bits) = fairyproof::with_game!(&own, game => (
        game.men(),
        game.board().geometry().wraps(),
        game.castling_homes(Color::White, true),
        game.carried().state_bits(),
    ));
    let geometry = Geometry::new(8, 8, 0, false).expect("a board");
    let orthodox_homes = Castling::FIDE.homes(geometry, Color::White, true);
    if homes != Some(orthodox_homes) {
        found.insert(Hook::Castling);
    }
    if bits > 0 || !info.state.is_empty() {
        found.insert(Hook::State);
    }
    if shape != geometry || wraps {
        found.insert(Hook::Geometry);
    }
    if *men != Men::FIDE {
        found.insert(Hook::Men);
    }
    let mut random = Random(1);
    let mut run = |text: &str, plies: usize, random: &mut Random| {
        let Ok(setup) = Setup::read(&variant, Some(text)) else {
            return;
        };
        match &setup {
            Setup::Narrow(s) => play_on(s, random, plies, &mut found),
            Setup::NarrowBound(s) => play_on(s, random, plies, &mut found),
            _ => {}
        }
    };
    for _ in 0..12 {
        run(&start, 60, &mut random);
    }
    for (_, text) in RARE.iter().filter(|(id, _)| *id == info.id) {
        run(text, 0, &mut random);
    }
    for _ in 0..1000 {
        let text = random_fen(info.id, &mut random);
        run(&text, 3, &mut random);
    }
    found
}

/// Positions where a hook shows that random ones seldom reach.
const RARE: &[(&str, &str)] = &[
    // No turn against a pawn that has arrived.
    ("glory", "k7/P7/1K6/8/8/8/8/8 b - - 0 1"),
    // The page's line, at its end.
    (
        "linkage",
        "rnbqkbnr/ppp2ppp/4p3/3p4/8/2P3P1/PP1PPP1P/RNBQKBNR w KQkq - 0 3",
    ),
    // Every answer to the check gives a check that is not allowed.
    ("triple-check", "1r4b1/8/8/8/8/2k5/2n4R/K7 w - - 0 1"),
    ("triple-check", "8/8/8/7k/5pp1/1q3P2/8/K7 w - - 0 1"),
];

#[test]
fn declared_differences_are_those_that_show() {
    let mut wrong = Vec::new();
    for info in variants::all() {
        let declared: BTreeSet<Hook> = info.diff.iter().copied().collect();
        assert_eq!(
            declared.len(),
            info.diff.len(),
            "{} declares one twice",
            info.id
        );
        let found = observed(info);
        let idle: Vec<_> = declared.difference(&found).collect();
        let silent: Vec<_> = found.difference(&declared).collect();
        if !idle.is_empty() || !silent.is_empty() {
            wrong.push(format!(
                "{}: declared without effect {idle:?}, effective and not declared {silent:?}",
                info.id
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same units on other squares, some kinds of a side perhaps left out.
fn shuffled<W: Layout>(p: &Position<W>, random: &mut Random, leave: bool) -> Position<W> {
    let out: Vec<(Color, Kind)> = Color::BOTH
        .into_iter()
        .flat_map(|color| Kind::ALL.map(|kind| (color, kind)))
        .filter(|_| leave && random.one_in(8))
        .collect();
    let mut shuffled = Position::<W>::empty();
    shuffled.side = p.side;
    for square in p.occupied().iter() {
        let Some((color, kind)) = p.unit(square).filter(|unit| !out.contains(unit)) else {
            continue;
        };
        loop {
            let to = Square(random.below(64) as u8);
            if !shuffled.occupied().has(to) {
                shuffled.put(color, kind, to);
                break;
            }
        }
    }
    shuffled
}

#[test]
fn where_material_settles_games_squares_do_not_matter() {
    let mut promised = 0;
    for info in variants::all() {
        let mut random = Random(7);
        let mut seen = [0; 2];
        for _ in 0..400 {
            let text = random_fen(info.id, &mut random);
            let variant = Catalog::new().open(info.id).expect("a registered variant");
            let Ok(Setup::Narrow(start)) = Setup::read(&variant, Some(&text)) else {
                continue;
            };
            let game = start.game.as_ref();
            if !game.facts().settled_by_material {
                break;
            }
            let mut some = shuffled(&start.position, &mut random, true);
            let mut others = shuffled(&some, &mut random, false);
            for position in [&mut some, &mut others] {
                let states = 1u64.checked_shl(game.carried().state_bits()).unwrap_or(0);
                position.state = random.number() & states.wrapping_sub(1);
            }
            assert_eq!(
                game.settled(&some),
                game.settled(&others),
                "{} {text}",
                info.id
            );
            seen[usize::from(game.settled(&some).is_some())] += 1;
        }
        if seen != [0; 2] {
            promised += 1;
            assert!(seen.iter().all(|&n| n > 5), "{} {seen:?}", info.id);
        }
    }
    assert_eq!(promised, 5);
}
