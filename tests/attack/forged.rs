//! Forged files: solutions, certificates and saved searches that are whole, with right checksums, and false.
//! Also what is named where a file should be: folders, devices and named pipes.

use crate::attempt::{Attempt, Ran, program};
use crate::odd;
use crate::random::Random;
use crate::targets::naive_game;
use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::Duration;

/// A mate that is forced, for certificates and searches.
const MATE: &str = "7k/8/8/8/8/8/8/KRR5 w - - 0 1";

/// Returns a file that the program has written.
fn written(arguments: &[&str], name: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let output = program()
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    std::fs::read(folder.path().join(name)).unwrap_or_else(|e| panic!("{e}: {output:?}"))
}

/// Replaces the checksum at the end of a file by that of its content.
fn with_checksum(mut content: Vec<u8>) -> Vec<u8> {
    content.extend(crc32fast::hash(&content).to_le_bytes());
    content
}

/// Returns a file with another header. It begins with eight bytes and the length of the header.
fn with_header(file: &[u8], change: impl FnOnce(&str) -> String) -> Vec<u8> {
    let length = u32::from_le_bytes(file[8..12].try_into().expect("four bytes")) as usize;
    let header = change(std::str::from_utf8(&file[12..12 + length]).expect("JSON"));
    let mut forged = file[..8].to_vec();
    forged.extend((header.len() as u32).to_le_bytes());
    forged.extend(header.as_bytes());
    forged.extend(&file[12 + length..file.len() - 4]);
    with_checksum(forged)
}

/// Returns a file in which some bytes after the header differ.
fn with_other_blocks(file: &[u8], random: &mut Random) -> Vec<u8> {
    let length = u32::from_le_bytes(file[8..12].try_into().expect("four bytes")) as usize;
    let mut forged = file[..file.len() - 4].to_vec();
    for _ in 0..=random.below(3) {
        let at = 12 + length + random.below(forged.len() - 12 - length);
        forged[at] ^= 1 << random.below(8);
    }
    with_checksum(forged)
}

/// Replaces the value of a field of a JSON object by another number or text.
fn with_field(header: &str, field: &str, value: &str) -> String {
    let name = format!("\"{field}\":");
    let Some(at) = header.find(&name).map(|at| at + name.len()) else {
        return header.to_string();
    };
    let at = at + usize::from(header[at..].starts_with('['));
    let end = at + header[at..].find([',', '}', ']']).expect("its end");
    format!("{}{value}{}", &header[..at], &header[end..])
}

/// Solutions in one move that claim some of the legal turns as keys. The naive rules know which mate.
pub fn solution(random: &mut Random) -> Attempt {
    let fen = loop {
        let fen = odd::fen("fide", random);
        if naive_game("fide", &fen)
            .is_some_and(|read| read.is_ok_and(|game| game.turns().len() > 1))
        {
            break fen;
        }
    };
    let game = naive::read("fide", &fen).expect("it was read");
    let turns = game.turns();
    let mates: BTreeSet<&str> = turns
        .iter()
        .filter(|(_, after)| after.outcome().ends_with("checkmate"))
        .map(|(turn, _)| turn.as_str())
        .collect();
    let mut keys: BTreeSet<&str> = mates.clone();
    let mut wrong = false;
    for _ in 0..random.below(3) {
        let (turn, _) = &turns[random.below(turns.len())];
        wrong |= keys.insert(turn) && !mates.contains(&**turn);
    }
    let stipulation = random.pick(&["#1", "#1", "#1", "h#1", "s#1", "=1", "r#1"]);
    let list = |keys: &BTreeSet<&str>| {
        let texts: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).collect();
        texts.join(",")
    };
    let nodes: Vec<String> = keys
        .iter()
        .map(|key| format!("{{\"turn\":\"{key}\",\"goal\":true}}"))
        .collect();
    let lines: Vec<String> = keys
        .iter()
        .map(|key| format!("{{\"turns\":[\"{key}\"]}}"))
        .collect();
    let verdict = random.pick(&[
        "sound",
        "cooked",
        "several-solutions",
        "no-solution",
        "proved",
    ]);
    let (as_lines, as_tree) = (random.one_in(4), !random.one_in(4));
    let document = format!(
        "{{\"variant\":\"fide\",\"fen\":\"{fen}\",\"stipulation\":\"{stipulation}\",\"verdict\":\
         \"{verdict}\",\"complete\":true,\"solutions\":{},\"keys\":[{}],\"lines\":[{}],\"tree\":\
         {{\"keys\":[{}]}}}}",
        keys.len(),
        list(&keys),
        if as_lines {
            lines.join(",")
        } else {
            String::new()
        },
        if as_tree {
            nodes.join(",")
        } else {
            String::new()
        },
    );
    let mut attempt = Attempt::of(["solve", "--check", "@/file"]);
    attempt
        .files
        .push(("file".to_string(), document.into_bytes()));
    let fits = match verdict {
        "sound" => keys.len() == 1,
        "cooked" | "several-solutions" => keys.len() > 1,
        _ => false,
    };
    // Where a file says that there is no solution, the program searches, so the statement may be true.
    let searched = keys.is_empty() && verdict == "no-solution";
    if !searched && (wrong || !fits || stipulation != "#1" || as_lines || !as_tree) {
        attempt.judge = Some(is_not_verified);
    }
    attempt
}

/// Returns what is wrong with a run that verifies something false.
fn is_not_verified(ran: &Ran) -> Option<String> {
    let code = ran.status.and_then(|status| status.code());
    (code == Some(0)).then(|| format!("it accepts what is false: {}", ran.out))
}

/// Certificates with another header or other blocks.
pub fn certificate(random: &mut Random) -> Attempt {
    static GENUINE: OnceLock<Vec<u8>> = OnceLock::new();
    let genuine = GENUINE.get_or_init(|| {
        let prove = [
            "prove",
            "fide",
            "--fen",
            MATE,
            "--threads",
            "1",
            "--out",
            "mate",
        ];
        written(&prove, "mate")
    });
    let false_headers = [
        ("plies", "1"),
        ("plies", "2"),
        ("plies", "99"),
        ("plies", "null"),
        ("side", "\"black\""),
        ("goal", "\"stalemate\""),
        ("goal", "\"#\""),
        ("kind", "\"avoid\""),
        ("fen", "\"7k/8/8/8/8/8/8/KR6 w - - 0 1\""),
        ("fen", "\"8/7k/8/8/8/8/8/KRR5 w - - 0 1\""),
        ("variant", "\"bachelor\""),
        ("variant", "\"shrapnel\""),
        ("positions", "0"),
        ("positions", "18446744073709551615"),
        ("key_bits", "1"),
        ("key_bits", "4294967295"),
        ("blocks", "[18446744073709551615,0]"),
    ];
    let command = random.pick(&["check", "line", "tree"]);
    let mut attempt = Attempt::of(["prove", command, "@/file", "--memory", "64M"]);
    attempt.memory_bytes = Some(64 << 20);
    let forged = if random.one_in(2) {
        attempt.judge = Some(is_not_verified);
        let (field, value) = random.pick(&false_headers);
        with_header(genuine, |header| with_field(header, field, value))
    } else {
        // Another turn may win, too: then the certificate is another one.
        with_other_blocks(genuine, random)
    };
    attempt.files.push(("file".to_string(), forged));
    attempt
}

/// Refutations of a mate that exists, or with another header or other blocks.
pub fn refutation(random: &mut Random) -> Attempt {
    static GENUINE: OnceLock<Vec<u8>> = OnceLock::new();
    // Mate takes 13 plies from here.
    let genuine = GENUINE.get_or_init(|| {
        let fen = "8/8/4k3/8/8/8/8/KRR5 w - - 0 1";
        let limits = ["--threads", "1", "--within", "7", "--refutation", "none"];
        written(
            &[&["prove", "fide", "--fen", fen][..], &limits[..]].concat(),
            "none",
        )
    });
    let false_headers = [
        ("plies", "13"),
        ("plies", "14"),
        ("plies", "1000"),
        ("plies", "65535"),
        ("plies", "null"),
        ("side", "\"black\""),
        ("goal", "\"#\""),
        ("goal", "\"checks\""),
        ("kind", "\"force\""),
        ("kind", "\"avoid\""),
        ("fen", "\"7k/8/8/8/8/8/8/KRR5 w - - 0 1\""),
        ("variant", "\"bachelor\""),
        ("positions", "0"),
        ("positions", "18446744073709551615"),
        ("key_bits", "1"),
        ("blocks", "[18446744073709551615,0]"),
    ];
    let mut attempt = Attempt::of(["prove", "check", "@/file", "--memory", "64M"]);
    attempt.memory_bytes = Some(64 << 20);
    let forged = match random.below(3) {
        0 => {
            attempt.judge = Some(is_not_verified);
            let (field, value) = random.pick(&false_headers);
            with_header(genuine, |header| with_field(header, field, value))
        }
        1 => {
            attempt.judge = Some(is_not_verified);
            let more = with_header(genuine, |header| with_field(header, "plies", "13"));
            with_other_blocks(&more, random)
        }
        // Another answer may refute, too: then the refutation is another one.
        _ => with_other_blocks(genuine, random),
    };
    attempt.files.push(("file".to_string(), forged));
    attempt
}

/// Saved searches with other numbers.
pub fn search(random: &mut Random) -> Attempt {
    static GENUINE: OnceLock<Vec<u8>> = OnceLock::new();
    // Mate in two moves, in a graph that is too large to be searched as a whole.
    let position = "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1";
    let genuine = GENUINE.get_or_init(|| {
        let prove = [
            "prove",
            "fide",
            "--fen",
            position,
            "--threads",
            "1",
            "--positions",
            "1",
        ];
        written(&[&prove[..], &["--state", "."]].concat(), "search.fps")
    });
    let number = odd::number(random);
    let forged = match random.below(3) {
        0 => with_other_blocks(genuine, random),
        _ => {
            let fields = [
                "none_within",
                "share",
                "tried",
                "spent",
                "positions",
                "key_bits",
            ];
            let field = random.pick(&fields);
            with_header(genuine, |header| with_field(header, field, &number))
        }
    };
    let mut attempt = Attempt::of(["prove", "fide", "--fen", position, "--state", "@"]);
    let within = random.pick(&["1", "2", "31"]);
    let bounds = [
        "--within",
        within,
        "--threads",
        "1",
        "--memory",
        "64M",
        "--time",
        "0.5",
    ];
    attempt.arguments.extend(bounds.map(String::from));
    attempt.time = Some(Duration::from_millis(500));
    attempt.memory_bytes = Some(64 << 20);
    attempt.judge = Some(names_the_saved_search);
    attempt.files.push(("search.fps".to_string(), forged));
    attempt
}

/// Returns what is wrong with a run that believes a saved search without saying so.
fn names_the_saved_search(ran: &Ran) -> Option<String> {
    let checked = ran.out.contains("checked");
    let mut claims = vec!["none-within:", "no proof is shorter", "no proof within"];
    if !checked {
        claims.extend(["proven: ", "disproven: "]);
    }
    let claimed = ran.out.lines().find(|line| {
        claims.iter().any(|claim| line.contains(claim)) && !line.contains("the saved search")
    })?;
    Some(format!("it believes a saved search: {claimed}"))
}

/// Folders, devices and named pipes where a file is expected.
pub fn path(random: &mut Random) -> Attempt {
    let path = random.pick(&[
        "@",
        "@/pipe",
        "@/none",
        "@/empty",
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/urandom",
        "/proc/kmsg",
        "/proc/self/mem",
        "/proc/self/fd/0",
    ]);
    let arguments: &[&str] = match random.below(14) {
        0 => &["puzzles", "PATH"],
        1 => &["puzzles", "import", "PATH"],
        2 => &["puzzles", "export", "PATH"],
        3 => &["perft", "--suite", "PATH"],
        4 => &["solve", "--suite", "PATH"],
        5 => &["solve", "--check", "PATH"],
        6 => &["rules", "check", "PATH"],
        7 => &["start", "fide", "--rules", "PATH"],
        8 => &["explore", "fide", "--hosts", "PATH", "--process", "0"],
        9 => &["prove", "check", "PATH"],
        10 => &["prove", "tree", "PATH"],
        11 => &["prove", "fide", "--time", "0.2", "--with", "PATH"],
        12 => &["prove", "fide", "--time", "0.2", "--state", "PATH"],
        _ => &["table", "list", "--tables", "PATH"],
    };
    let mut attempt = Attempt::of(arguments.iter().map(|a| a.replace("PATH", path)));
    attempt.files.push(("empty".to_string(), Vec::new()));
    attempt.pipes.push("pipe".to_string());
    attempt.interrupted_after = Some(Duration::from_secs(15));
    attempt.judge = Some(has_not_waited);
    attempt
}

/// Returns what is wrong with a run that had to be interrupted.
fn has_not_waited(ran: &Ran) -> Option<String> {
    let code = ran.status.and_then(|status| status.code());
    (code == Some(130)).then(|| "it waits for what never comes".to_string())
}
