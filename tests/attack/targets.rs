//! What is attacked: a generator of runs for each part of the program.

use crate::attempt::{Attempt, Naive};
use crate::odd;
use crate::random::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Memory that is named where a command takes it.
const MEMORY: &str = "64M";
const MEMORY_BYTES: u64 = 64 << 20;

/// Returns what the naive rules make of a position; nothing if they cannot read odd texts.
pub fn naive_game(variant: &str, fen: &str) -> Option<Result<naive::Game, String>> {
    catch_unwind(AssertUnwindSafe(|| naive::read(variant, fen))).ok()
}

/// Returns the legal turns by the naive rules.
fn texts(game: &naive::Game) -> Vec<String> {
    game.turns().into_iter().map(|(text, _)| text).collect()
}

/// Commands that look at one position.
pub fn position(random: &mut Random) -> Attempt {
    let variant = odd::variant(random);
    let mut fen = odd::nearly_fen(&variant, random);
    if matches!(fen.trim(), "-" | "--") {
        // That is standard input, or the end of options, and no position.
        fen = odd::fen(&variant, random);
    }
    let known = naive_game(&variant, &fen);
    let refused = matches!(&known, Some(Err(_))).then_some(None);
    let mut attempt = match random.below(5) {
        0 => Attempt::of(["show", &variant, &fen]),
        1 => {
            let mut attempt = Attempt::of(["outcome", &variant, &fen]);
            if let Some(Ok(game)) = known {
                attempt.expected = Some(Some(format!("{}\n", game.outcome())));
            }
            attempt
        }
        2 => Attempt::of([
            "perft",
            &variant,
            random.pick(&["0", "1", "2"]),
            "--fen",
            &fen,
        ]),
        3 => {
            let mut attempt = Attempt::of(["play", &variant, "--fen", &fen]);
            for _ in 0..random.below(3) {
                attempt.arguments.push(odd::turn(random));
            }
            attempt
        }
        _ => {
            // Two rule sets: what the one refuses is no word about the other.
            let other = odd::variant(random);
            return Attempt::of(["compare", &variant, &other, &fen]);
        }
    };
    if let Some(refused) = refused {
        attempt.expected = Some(refused);
    }
    attempt
}

/// Returns the first of some random FENs that the naive rules accept, or else one that they refuse, as they do most
/// random FENs.
fn mostly_legal_fen(variant: &str, random: &mut Random, trials: u32) -> String {
    let mut fen = odd::fen(variant, random);
    for _ in 0..trials {
        if matches!(naive_game(variant, &fen), Some(Ok(_))) {
            break;
        }
        fen = odd::fen(variant, random);
    }
    fen
}

/// Positions whose turns are told by the naive rules.
pub fn turns(random: &mut Random) -> Attempt {
    let variant = odd::variant(random);
    let fen = mostly_legal_fen(&variant, random, 20);
    let mut attempt = Attempt::of(["turns", &variant, &fen]);
    attempt.expected = naive_game(&variant, &fen).map(|game| {
        let game = game.ok()?;
        Some(
            game.turns()
                .iter()
                .map(|(text, _)| format!("{text}\n"))
                .collect(),
        )
    });
    attempt
}

/// Problems, which may take as long as they like: the time ends them.
pub fn problem(random: &mut Random) -> Attempt {
    let variant = odd::variant(random);
    let time = random.pick(&["0.1", "0.5", "1"]);
    let mut attempt = Attempt::of(["solve", &variant]);
    let mut turns = None;
    if !random.one_in(4) {
        let fen = mostly_legal_fen(&variant, random, 10);
        match naive_game(&variant, &fen) {
            Some(Err(_)) => attempt.expected = Some(None),
            Some(Ok(game)) => turns = Some(texts(&game)),
            None => {}
        }
        attempt.arguments.extend(["--fen".to_string(), fen]);
    }
    let stipulation = odd::stipulation(random);
    // A double mate may expose the own king.
    let lawful = !stipulation.contains("##");
    attempt.arguments.push(stipulation);
    for option in ["--tries", "--set-play", "--keys", "--first", "--brief"] {
        if random.one_in(8) {
            attempt.arguments.push(option.to_string());
        }
    }
    if attempt.arguments.iter().any(|option| option == "--keys") && lawful {
        attempt.naive = turns.map(Naive::Among);
    }
    if random.one_in(4) {
        let format = random.pick(&["json", "csv", "text"]);
        attempt
            .arguments
            .extend(["--format", format].map(String::from));
    }
    let threads = random.pick(&["1", "2", "3"]);
    let bounds = ["--threads", threads, "--memory", MEMORY];
    attempt.arguments.extend(bounds.map(String::from));
    // Half of them are ended by their time, half by Ctrl-C.
    if random.one_in(2) {
        attempt.arguments.extend(["--time", time].map(String::from));
        attempt.time = Some(Duration::from_secs_f64(time.parse().expect("a number")));
    }
    attempt.memory_bytes = Some(MEMORY_BYTES);
    attempt
}

/// Proofs, ended by their time or by Ctrl-C.
pub fn proof(random: &mut Random) -> Attempt {
    let variant = odd::variant(random);
    let mut attempt = Attempt::of(["prove", &variant]);
    if !random.one_in(3) {
        let fen = odd::fen(&variant, random);
        if let Some(Err(_)) = naive_game(&variant, &fen) {
            attempt.expected = Some(None);
        }
        attempt.arguments.extend(["--fen".to_string(), fen]);
    }
    let mut extend = |options: &[&str]| {
        let options = options.iter().map(|option| option.to_string());
        attempt.arguments.extend(options);
    };
    if random.one_in(3) {
        extend(&[random.pick(&["win", "not-lose", "checkmate", "stalemate", "#"])]);
    }
    if random.one_in(3) {
        extend(&["--for", random.pick(&["white", "black", "red"])]);
    }
    match random.below(6) {
        0 => extend(&["--within", &odd::number(random)]),
        1 => extend(&["--positions", &odd::number(random)]),
        2 => extend(&["--shortest"]),
        3 => extend(&["--state", "@/state"]),
        _ => {}
    }
    if random.one_in(3) {
        extend(&[
            "--out",
            random.pick(&["@/out", "-", "/dev/null", "@/none/out", "@"]),
        ]);
    }
    let threads = random.pick(&["1", "2", "3"]);
    extend(&["--threads", threads, "--memory", MEMORY]);
    let moment = random.pick(&["0.05", "0.2", "0.5"]);
    let after = Duration::from_secs_f64(moment.parse().expect("a number"));
    if random.one_in(2) {
        extend(&["--time", moment]);
        attempt.time = Some(after);
    } else {
        attempt.interrupted_after = Some(after);
    }
    attempt.memory_bytes = Some(MEMORY_BYTES);
    attempt
}

/// Returns what takes minutes or hours, ended by Ctrl-C.
pub fn report(random: &mut Random) -> Attempt {
    let variant = odd::variant(random);
    let mut attempt = match random.below(4) {
        0 => Attempt::of(["verify", random.pick(&["", "goal", &variant])]),
        1 => Attempt::of([
            "puzzles",
            "mine",
            &variant,
            "--stipulation",
            &odd::stipulation(random),
            "--units",
            random.pick(&["4", "8", "12"]),
            "--count",
            "1000",
        ]),
        _ => {
            let what = random.pick(&["atlas", "endgames", "small-boards", "starts"]);
            let mut attempt = Attempt::of(["report", what, &variant, "--out", "@"]);
            if what != "atlas" && random.one_in(2) {
                attempt.arguments.push("--deep".to_string());
            }
            attempt
        }
    };
    let most = random.pick(&[300, 300, 300, 3000]);
    attempt.interrupted_after = Some(Duration::from_millis(50 + random.below(most) as u64));
    attempt
}

/// Endgame tables.
pub fn table(random: &mut Random) -> Attempt {
    let variant = odd::variant(random);
    let signature = odd::signature(&variant, random);
    let mut attempt = match random.below(8) {
        0 => Attempt::of(["table", "stats", &variant, &signature]),
        1 => Attempt::of(["table", "longest", &variant, &signature]),
        2 => Attempt::of(["table", "check", &variant, &signature]),
        3 => {
            let fen = odd::nearly_fen(&variant, random);
            return Attempt::of(["table", "probe", &variant, &fen]);
        }
        4 => {
            // A file that is none, or a part of one.
            let bytes =
                odd::mutated_bytes(b"FPFILE01table   \x01\0\0\0\x01\0\0\0\x02\0\0\0", random);
            let mut attempt = Attempt::of(["table", "list", "--tables", "@"]);
            attempt.files.push(("x.fpt".to_string(), bytes));
            return attempt;
        }
        _ => {
            let mut attempt =
                Attempt::of(["table", "build", &variant, &signature, "--memory", MEMORY]);
            attempt.memory_bytes = Some(MEMORY_BYTES);
            attempt
        }
    };
    if !random.one_in(4) {
        let (files, ranks) = odd::size(random);
        let board = if random.one_in(10) {
            "16x8".to_string()
        } else {
            format!("{files}x{ranks}")
        };
        attempt.arguments.extend(["--board".to_string(), board]);
    }
    attempt
}

/// Small tables, and what they say of a position whose turns the naive rules know.
pub fn probe(random: &mut Random) -> Attempt {
    let variant = odd::variant(random);
    let letters: &[u8] = match variant.as_str() {
        "chromopolis" => b"NAL",
        _ => b"QRBN",
    };
    let (files, ranks) = (2 + random.below(3), 2 + random.below(3));
    let unit = random.pick(letters) as char;
    let mut cells = vec![' '; files * ranks];
    for unit in ['K', 'k', unit] {
        // One may fall on another: then the naive rules refuse, or have less to say.
        let at = random.below(cells.len());
        cells[at] = unit;
    }
    let row = |row: &[char]| -> String {
        let groups = row.chunk_by(|a, b| *a == ' ' && *b == ' ');
        let text = |group: &[char]| match group[0] {
            ' ' => group.len().to_string(),
            unit => unit.to_string(),
        };
        groups.map(text).collect()
    };
    let rows: Vec<String> = cells.chunks(files).map(row).collect();
    let side = random.pick(&["w", "b"]);
    let fen = format!("{} {side} - - 0 1", rows.join("/"));
    let board = format!("{files}x{ranks}");
    let mut attempt = Attempt::of(["table", "probe", &variant, &fen, "--format", "csv"]);
    for signature in [format!("K{unit}vK"), "KvK".to_string()] {
        let build = ["table", "build", &variant, &signature, "--board", &board];
        let bounds = ["--memory", MEMORY, "--threads", "1"];
        attempt
            .before
            .push(build.into_iter().chain(bounds).map(String::from).collect());
    }
    match naive_game(&variant, &fen) {
        Some(Err(_)) => attempt.expected = Some(None),
        Some(Ok(game)) => {
            let turns = game.turns().into_iter();
            let turns = turns.map(|(text, after)| (text, after.outcome()));
            attempt.naive = Some(Naive::Valued(side == "w", turns.collect()));
        }
        None => {}
    }
    attempt
}

/// Graphs of positions.
pub fn exploration(random: &mut Random) -> Attempt {
    let variant = odd::variant(random);
    let fen = mostly_legal_fen(&variant, random, 10);
    let mut attempt = Attempt::of(["explore", &variant, "--fen", &fen, "--memory", MEMORY]);
    if let Some(Err(_)) = naive_game(&variant, &fen) {
        attempt.expected = Some(None);
    }
    attempt.memory_bytes = Some(MEMORY_BYTES);
    for (option, chance) in [("--solve", 3), ("--no-edges", 4), ("--certify", 9)] {
        if random.one_in(chance) {
            attempt.arguments.push(option.to_string());
        }
    }
    for option in ["--csv", "--dot", "--graphml", "--values"] {
        if random.one_in(6) {
            let path = random.pick(&["@/out", "-", "/dev/null", "@/none/out", "@"]);
            attempt.arguments.extend([option, path].map(String::from));
        }
    }
    if random.one_in(3) {
        let option = random.pick(&["--max-states", "--max-depth", "--threads"]);
        let number = odd::number(random);
        attempt.arguments.extend([option.to_string(), number]);
    }
    attempt
}

/// Files: suites, collections, problems of other programs, stored answers.
pub fn file(random: &mut Random) -> Attempt {
    const MATE: &str = "8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1";
    let variant = odd::variant(random);
    let fen = odd::fen(&variant, random);
    let stipulation = odd::stipulation(random);
    let (arguments, text): (&[&str], String) = match random.below(6) {
        0 => (
            &["perft", "--suite", "@/file"],
            format!("variant,fen,depth,nodes\n{variant},\"{fen}\",1,20\nfide,,2,400\n"),
        ),
        1 => (
            &["solve", "--time", "0.3", "--suite", "@/file"],
            format!(
                "variant,fen,stipulation,solutions,keys\n{variant},\"{fen}\",{stipulation},1,a1a2\n\
                 fide,{MATE},#2,1,a4a3\n"
            ),
        ),
        2 => (
            &["puzzles", "--time", "0.3", "@/file"],
            format!(
                "# A collection.\n\n[[puzzle]]\nid = \"one\"\nvariant = \"{variant}\"\nfen = \"{fen}\"\n\
                 stipulation = \"{stipulation}\"\nkeys = [\"a4a3\"]\nsolutions = 1\n\n[[puzzle]]\n\
                 id = \"two\"\nvariant = \"fide\"\nfen = \"{MATE}\"\nstipulation = \"#2\"\nkeys = [\"a4a3\"]\n"
            ),
        ),
        3 => (
            &["puzzles", "import", "--time", "0.3", "@/file"],
            format!(
                "{} dm 2; bm Qa3; id \"one\";\n8/8/8/8/8/8/8/K1k5 w - - bm Kb1; c0 \"x\";\n",
                &MATE[..MATE.len() - 4]
            ),
        ),
        4 if random.one_in(2) => (
            &["puzzles", "import", "--time", "0.3", "@/file"],
            "AnfangProblem\nForderung #2\nSteine\n Weiss Kc3 Da4 Bd2\n Schwarz Ka1 La2 Ba5d3\nZwilling \
             versetze a5 a6 ferner entferne d2\nZwilling Spiegelung a1<-->h8 Farbwechsel Verschiebung a1 \
             a2\nWeiteresProblem\nNullStellung ersetze D T\nEndeProblem\n"
                .to_string(),
        ),
        4 => (
            &["puzzles", "import", "--time", "0.3", "@/file"],
            "BeginProblem\nStipulation #2\nOption SetPlay Try\nPieces\n White Kc3 Qa4 Pd2\n Black Ka1 \
             Ba2 Pa5d3\nTwin move a5 a6\nNextProblem\nForsyth 8/8/8/p7/Q7/2Kp4/b2P4/k7\nstip h#2.5\n\
             EndProblem\n"
                .to_string(),
        ),
        _ => (
            &["solve", "--check", "@/file"],
            format!(
                "{{\"variant\": \"fide\", \"fen\": \"{MATE}\", \"stipulation\": \"#2\", \"verdict\": \
                 \"sound\", \"complete\": true, \"solutions\": 1, \"keys\": [\"a4a3\"], \"tree\": \
                 {{\"keys\": [{{\"turn\": \"a4a3\", \"threats\": [\"a3b2\"], \"answers\": [{{\"turn\": \
                 \"a5a4\", \"next\": [{{\"turn\": \"a3b2\", \"goal\": true}}]}}]}}]}}}}\n"
            ),
        ),
    };
    let mut attempt = Attempt::of(arguments.iter().copied());
    attempt.files.push((
        "file".to_string(),
        odd::mutated_bytes(text.as_bytes(), random),
    ));
    attempt
}

/// Positions line by line.
pub fn stream(random: &mut Random) -> Attempt {
    let variant = odd::variant(random);
    let mut input = String::new();
    for _ in 0..random.below(6) {
        input += &odd::nearly_fen(&variant, random);
        input.push('\n');
    }
    let arguments: &[&str] = match random.below(5) {
        0 => &["show"],
        1 => &["turns"],
        2 => &["outcome"],
        3 => &["perft"],
        _ => &["table", "probe"],
    };
    let mut attempt = Attempt::of(arguments.iter().copied());
    attempt.arguments.push(variant);
    match arguments {
        ["perft"] => attempt
            .arguments
            .extend(["1", "--fen", "-"].map(String::from)),
        _ => attempt.arguments.push("-".to_string()),
    }
    attempt.input = odd::mutated_bytes(input.as_bytes(), random);
    attempt
}

/// Arguments of all commands, many of them wrong.
pub fn arguments(random: &mut Random) -> Attempt {
    let variant = odd::id(random);
    let fen = odd::nearly_fen("fide", random);
    let number = odd::number(random);
    let stipulation = odd::stipulation(random);
    let turn = odd::turn(random);
    let mut all: Vec<String> = match random.below(12) {
        0 => vec!["rules".into(), variant],
        1 => vec!["start".into(), variant],
        2 => vec!["variants".into(), "--format".into(), "json".into()],
        3 => vec![
            "perft".into(),
            variant,
            random.pick(&["0", "1", "x", "-1", "99999"]).into(),
        ],
        4 => vec!["play".into(), variant, turn],
        5 => vec![
            "solve".into(),
            variant,
            "--time".into(),
            "0.2".into(),
            stipulation,
        ],
        6 => vec![
            "table".into(),
            "stats".into(),
            variant,
            "KvK".into(),
            "--board".into(),
            number,
        ],
        7 => vec!["spartan-match".into(), turn, fen],
        8 => vec!["compare".into(), variant, "fide".into(), fen],
        9 => vec!["explore".into(), variant, "--max-states".into(), number],
        10 => vec!["completions".into(), turn],
        _ => vec![
            "puzzles".into(),
            "mine".into(),
            variant,
            "--count".into(),
            number,
        ],
    };
    // Something in the wrong place, or twice, or odd.
    match random.below(4) {
        0 => {
            let at = random.below(all.len());
            all[at] = odd::mutated(&all[at], random);
        }
        1 => {
            let at = random.below(all.len());
            all.insert(
                at,
                random
                    .pick(&["--", "-", "--format", "--threads", "--memory", "--help"])
                    .into(),
            );
        }
        _ => {}
    }
    // No argument of a process holds a zero byte.
    let all = all.into_iter().map(|text| text.replace('\0', "0"));
    Attempt::of(all)
}
