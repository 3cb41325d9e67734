//! Odd rule texts: clauses of any size and depth, rules that ask each other, states of the maximum size, rebirth on
//! missing squares, effects that leave no king, drops without end, and texts with damage.

use crate::attempt::Attempt;
use crate::odd;
use crate::random::Random;
use std::time::Duration;

/// The time and the memory that are named.
const TIME: &str = "0.5";
const MEMORY: &str = "64M";
const MEMORY_BYTES: u64 = 64 << 20;

/// Clauses that leave boards empty or full, games without end, or much to evaluate.
const CLAUSES: [&str; 37] = [
    "royalIf = false\nremoves = after.units(white) + after.units(black)",
    "removes = after.units(owner)",
    "converts = after.units(white) + after.units(black)",
    "royalIf = true",
    "royalIf = false",
    "legalIf = false",
    "legalIf = turns.all(a, a.after.turns.all(b, !b.after.check))",
    "legalIf = squares.all(a, squares.all(b, squares.all(c, a != b || b != c || c != a)))",
    "legalIf = squares.all(a, squares.all(b, squares.all(c, squares.all(d, a != d))))",
    "legalIf = units.all(a, units.all(b, units.all(c, units.exists(d, d.square != a.square))))",
    "legalIf = size(under('fide').turns) > 0",
    "legalIf = size(under('odd').turns) > 0",
    "legalIf = size(parent.turns) > 0 && size(turns) > 0",
    "prefer = 9223372036854775807 * size(turns)",
    "prefer = size(after.turns) - 9223372036854775807",
    "rebirth = offset(unit.square, 99, -99)",
    "rebirth = []",
    "rebirth = squares",
    "takes = neighbors(to)\nrebirth = squares.filter(s, empty(s))",
    "takes = units.filter(u, u.kind != 'king')\nrebirth = squares",
    "drops = ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king']",
    "toHand = mover\ndrops = ['pawn', 'queen'].filter(k, hand(side, k) > 0)",
    "royalIf = false\ntakeOff = units",
    "stepCount = 2",
    "stepCount = 2\nstepSide = n == 1 ? other(side) : side",
    "continues = 'may'\ndrops = ['queen']",
    "continues = 'must'\nstepIf = n == 1",
    "movement.* = 'QNADFHCZGW'",
    "targets.pawn = squares",
    "movement.king = ''",
    "landsOn = ''",
    "endsOn = 'a1'",
    "landsOn = offset(to, 1, 1)",
    "turnsInto = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn']",
    "joins = other(owner)",
    "ontoOwn = 'captures'",
    "ends = over: draw if size(turns.filter(t, t.mates)) > 0\n       no turn: x: side wins",
];

/// Returns a text whose size or depth is near a limit.
fn large(random: &mut Random) -> String {
    let many = 1 + random.below(1_500);
    match random.below(7) {
        0 => (0..many)
            .map(|n| format!("let.a{n} = a{} && a{}\n", n + 1, n + 1))
            .collect(),
        1 => format!("legalIf = {}check{}\n", "(".repeat(many), ")".repeat(many)),
        2 => format!("legalIf = {}check\n", "!".repeat(many)),
        3 => {
            let names: Vec<String> = (0..many).map(|n| format!("a{n}: square")).collect();
            format!("state = {}\n", names.join("; "))
        }
        4 => {
            let fields = (0..8).map(|n| format!("a{n}[side]: squares; "));
            let values = (0..8).map(|n| format!("state.a{n} = to\n"));
            format!(
                "state = {}\n{}",
                fields.collect::<String>(),
                values.collect::<String>()
            )
        }
        5 => "state = n: 0..1000000\nstate.n = state.n + 1000000 * 1000000 * 1000000 * 1000000\n"
            .to_string(),
        _ => {
            let sections = (1..many.min(80)).map(|n| {
                format!(
                    "[u{n}:fide-text]\nlegalIf = size(under('u{}').turns) > 0\n",
                    n - 1
                )
            });
            let first = "legalIf = size(under('u1').turns) > 0\n[u0:fide-text]\nlegalIf = true\n";
            format!("{first}{}", sections.collect::<String>())
        }
    }
}

/// Rule texts in every command.
pub fn text(random: &mut Random) -> Attempt {
    let mut text = String::from("[odd:fide-text]\n");
    text += random.pick(&[
        "",
        "maxFile = 3\nmaxRank = 4\nstartFen = 1k1/1p1/1P1/1KR w - - 0 1\n",
        "maxFile = 5\nmaxRank = 5\nstartFen = rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1\n",
    ]);
    let clauses: Vec<&str> = (0..1 + random.below(3))
        .map(|_| random.pick(&CLAUSES))
        .collect();
    // Two steps with thousands of choices each, or choices for each of many captured units, are a list of turns that no
    // limit ends.
    let has = |word: &str| clauses.iter().any(|clause| clause.contains(word));
    let is_endless = has("takes") && (has("continues") || has("stepCount") || has("rebirth ="));
    let kept = clauses
        .iter()
        .filter(|clause| !is_endless || !clause.contains("takes"));
    for clause in kept {
        text += clause;
        text += "\n";
    }
    if random.one_in(4) {
        text += &large(random);
    }
    if random.one_in(4) {
        text = odd::mutated(&text, random);
    }
    let command = random.pick(&[
        "rules check @/rules.ini",
        "rules odd --rules @/rules.ini",
        "show odd --rules @/rules.ini",
        "turns odd --rules @/rules.ini --time 0.5",
        "perft odd 2 --rules @/rules.ini",
        "solve odd #2 --rules @/rules.ini --time 0.5 --memory 64M",
        "solve odd h#2 --rules @/rules.ini --time 0.5 --memory 64M",
        "explore odd --solve --rules @/rules.ini --time 0.5 --memory 64M",
        "prove odd --rules @/rules.ini --time 0.5 --memory 64M",
        "table build odd KRvK --rules @/rules.ini --memory 64M",
        "turns fide+odd --rules @/rules.ini",
        "rules export odd --rules @/rules.ini",
    ]);
    let mut attempt = Attempt::of(command.split(' '));
    let is_timed = command.contains(TIME);
    attempt.time = is_timed.then(|| Duration::from_millis(500));
    attempt.memory_bytes = command.contains(MEMORY).then_some(MEMORY_BYTES);
    attempt.files = vec![("rules.ini".to_string(), text.into_bytes())];
    attempt
}
