//! Tests of `fairyproof-check`: the naive rules verify the program's output, and edited output is refused.

use crate::certificate;
use naive::{RuleSets, Unverified};
use serde_json::Value;
use std::path::Path;

/// Runs the checks on files. Returns the exit code and the output.
fn run(arguments: &[&str]) -> (u8, String) {
    let arguments = ["fairyproof-check"].iter().chain(arguments);
    let mut out = Vec::new();
    let code = crate::run(arguments.map(|argument| argument.to_string()), &mut out);
    (code, String::from_utf8(out).expect("text"))
}

pub fn place(name: &str) -> String {
    format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Runs the checks on a file with this text.
fn run_on(name: &str, text: &str) -> (u8, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    std::fs::write(&file, text).expect("a file");
    run(&["--positions", "200000", file.to_str().expect("a path")])
}

#[test]
fn committed_proofs_are_verified() {
    let (code, text) = run(&[&place("reports/proofs")]);
    assert_eq!(code, 0, "{text}");
    let files = Path::new(&place("reports/proofs"))
        .read_dir()
        .expect("a folder")
        .count();
    assert!(
        text.ends_with(&format!(
            "{files} files: {files} verified, 0 not checked, 0 wrong\n"
        )),
        "{text}"
    );
    let (code, text) = run(&["--positions", "10", &place("reports/starts.csv")]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("10 row of a certificate\n"), "{text}");
}

/// Returns a certificate in which the header and the only block were edited and the checksum was updated.
fn rebuilt(bytes: &[u8], edit: impl FnOnce(&mut serde_json::Value, &mut Vec<u8>)) -> Vec<u8> {
    let length = u32::from_le_bytes(bytes[8..12].try_into().expect("four bytes")) as usize;
    let mut header: serde_json::Value =
        serde_json::from_slice(&bytes[12..12 + length]).expect("a header");
    let block = &bytes[12 + length..bytes.len() - 4];
    let mut block = lz4_flex::block::decompress(block, 1 << 20).expect("a block");
    edit(&mut header, &mut block);
    let block = lz4_flex::block::compress(&block);
    header["blocks"] = vec![block.len()].into();
    let header = header.to_string();
    let mut whole = b"FPPROOF1".to_vec();
    whole.extend((header.len() as u32).to_le_bytes());
    whole.extend(header.bytes());
    whole.extend(block);
    whole.extend(crc32fast::hash(&whole).to_le_bytes());
    whole
}

#[test]
fn edited_certificates_are_refused_though_their_checksum_fits() {
    let rule_sets = RuleSets::default();
    for name in ["blunder-mate-f2f4", "series-helpmate-c2c3", "society-g2g4"] {
        let bytes = std::fs::read(place(&format!("reports/proofs/{name}.fpp"))).expect("a proof");
        let check = |bytes: &[u8]| certificate::check(bytes, &rule_sets).map(|_| ());
        assert_eq!(check(&rebuilt(&bytes, |_, _| ())), Ok(()), "{name}");
        for (field, value) in [
            ("plies", "1".into()),
            ("plies", 29.into()),
            ("side", "white".into()),
            ("goal", "stalemate".into()),
            ("variant", "fide".into()),
            ("kind", "avoid".into()),
            (
                "fen",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1".into(),
            ),
            ("positions", 1.into()),
        ] {
            let edited = rebuilt(&bytes, |header, _| header[field] = value);
            assert!(check(&edited).is_err(), "{name}: {field}");
        }
        // A certificate that the naive rules cannot check is reported as unchecked, not as wrong.
        let refutation = rebuilt(&bytes, |header, _| header["kind"] = "refute".into());
        let unchecked = Unverified::Unchecked("its kind is `refute`".to_string());
        assert_eq!(check(&refutation), Err(unchecked), "{name}");
        // The turns and ranks, two bytes each, are at the end of the block.
        let (mut turns, mut other_turns) = (0, 0);
        let (start, end) = ranks_and_turns(&bytes);
        for at in (start..end).step_by(1 + (end - start) / 40) {
            let edited = rebuilt(&bytes, |_, block| block[at] ^= 1);
            let is_turn = at >= start.midpoint(end);
            match check(&edited) {
                // Another turn may also be correct, but another rank cannot be.
                Ok(()) => assert!(is_turn, "{name}: rank at {at}"),
                Err(_) => other_turns += u32::from(is_turn),
            }
            turns += u32::from(is_turn);
        }
        assert!(
            other_turns * 2 > turns,
            "{name}: {other_turns} of {turns} turns"
        );
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 4;
            assert!(
                check(&flipped).is_err() && check(&bytes[..at]).is_err(),
                "{name}: byte {at}"
            );
        }
    }
}

/// Returns the start of the ranks and the end of the turns in a certificate's block.
fn ranks_and_turns(bytes: &[u8]) -> (usize, usize) {
    let mut ends = (0, 0);
    rebuilt(bytes, |header, block| {
        let positions = header["positions"].as_u64().expect("a number") as usize;
        ends = (block.len() - 4 * positions, block.len());
    });
    ends
}

#[test]
fn edited_rows_are_refused() {
    let rows = [
        (
            "fide,k7/8/8/8/8/8/8/K7 w - - 0 1,a1a2,1,k7/8/8/8/8/8/K7/8 b - - 1 1,ongoing",
            "line",
        ),
        (
            "bachelor,3k3/7/7/7/P6/Q2K3 w - - 0 1,a1c1,1,3k3/7/7/7/P6/2QK3 b - - 1 1,white-wins marriage",
            "line",
        ),
    ];
    let header = "variant,fen,turns,plies,fen_after,outcome";
    for (row, kind) in rows {
        let (code, text) = run_on("lines.csv", &format!("{header}\n{row}\n"));
        assert_eq!(code, 0, "{text}");
        assert!(
            text.contains(kind) && text.ends_with("0 not checked, 0 wrong\n"),
            "{text}"
        );
        for (old, new) in [
            (" w ", " b "),
            (",a1", ",a2"),
            (",1,", ",2,"),
            (" b - -", " b - a3"),
            (" 1 1,", " 2 1,"),
            (",ongoing", ",draw stalemate"),
            ("marriage", "checkmate"),
            ("white-wins", "black-wins"),
        ] {
            if !row.contains(old) {
                continue;
            }
            let (code, text) = run_on(
                "lines.csv",
                &format!("{header}\n{}\n", row.replace(old, new)),
            );
            assert_eq!(code, 1, "{old} {new}: {text}");
            assert!(text.contains("WRONG row 1, "), "{text}");
        }
    }
}

/// Verifies the line of a witness, which begins at the root of its row.
#[test]
fn line_of_a_witness_begins_at_its_root() {
    const HEAD: &str = "variant,set,plies,root,line,turn,fen\n";
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let row = |plies: u32, line: &str, turn: &str, fen: &str| {
        format!("{HEAD}fide,a set,{plies},{START},{line},{turn},{fen}\n")
    };
    let (code, text) = run_on("a.csv", &row(1, "e2e4", "", after));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("1 position after a line"), "{text}");
    // The expression is about the turn e7e5, in the position before that turn.
    assert_eq!(run_on("a.csv", &row(2, "e2e4 e7e5", "e7e5", after)).0, 0);
    for wrong in [
        row(2, "e2e4", "", after),
        row(1, "e2e4", "", START),
        row(1, "e2e5", "", after),
        row(2, "e2e4 e7e4", "e7e4", after),
    ] {
        let (code, text) = run_on("a.csv", &wrong);
        assert_eq!(code, 1, "{wrong}: {text}");
    }
    let step = "fide,the single steps that there can be,0,,,e1c1,8/8/8/8/8/8/8/R3K3 w Q - 0 1\n";
    let (code, text) = run_on("a.csv", &format!("{HEAD}{step}"));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("its own units alone"), "{text}");
}

#[test]
fn edited_counts_and_values_are_refused() {
    let path = place("reports/small-boards.csv");
    let mut reader = csv::Reader::from_path(path).expect("the report");
    let header: Vec<String> = reader
        .headers()
        .expect("a header")
        .iter()
        .map(str::to_string)
        .collect();
    let column = |name: &str| header.iter().position(|column| column == name).expect(name);
    let mut rows: Vec<csv::StringRecord> =
        reader.records().map(|row| row.expect("a row")).collect();
    rows.sort_by_key(|row| row[column("states")].parse::<u64>().unwrap_or(u64::MAX));
    let text_of = |fields: &[String]| {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&header).expect("a row");
        writer.write_record(fields).expect("a row");
        String::from_utf8(writer.into_inner().expect("a text")).expect("text")
    };
    let checked = [
        "states",
        "edges",
        "value",
        "win_share",
        "draw_share",
        "loss_share",
        "weak_win_share",
        "weak_loss_share",
        "longest_win_plies",
        "plies",
        "line_end",
    ];
    let mut refused = 0;
    for row in &rows[..6] {
        let fields: Vec<String> = row.iter().map(str::to_string).collect();
        let (code, text) = run_on("rows.csv", &text_of(&fields));
        assert_eq!(code, 0, "{text}");
        for name in checked {
            let mut edited = fields.clone();
            let field = &mut edited[column(name)];
            *field = match (field.parse::<u64>(), field.parse::<f64>()) {
                (Ok(number), _) => (number + 1).to_string(),
                (_, Ok(share)) => format!("{:.4}", share + 0.001),
                _ if field.is_empty() || field.starts_with("endless") => continue,
                _ if name == "value" => "weak-win".to_string(),
                _ => "draw fifty".to_string(),
            };
            let (code, text) = run_on("rows.csv", &text_of(&edited));
            assert_eq!(code, 1, "{name}: {text}");
            refused += 1;
        }
    }
    assert!(refused > 40, "{refused}");
}

#[test]
fn puzzles_with_other_keys_are_refused() {
    let puzzle = "[[puzzle]]\nid = \"one\"\nvariant = \"bachelor\"\nfen = \"6N/1K5/7/7/2k4/7 w - - 0 1\"\n\
                  stipulation = \"marriage 2\"\nkeys = [\"g6e5\"]\nsolutions = 1\n";
    let (code, text) = run_on("puzzles.toml", puzzle);
    assert_eq!(
        (code, text.contains("1 solved problem")),
        (0, true),
        "{text}"
    );
    for (old, new) in [
        ("g6e5", "g6f4"),
        ("= 1", "= 2"),
        ("marriage 2", "marriage 1"),
        (" w ", " b "),
    ] {
        let (code, text) = run_on("puzzles.toml", &puzzle.replace(old, new));
        assert_eq!(code, 1, "{new}: {text}");
    }
    let unsolved = puzzle.replace("[\"g6e5\"]", "\"none\"");
    assert_eq!(run_on("puzzles.toml", &unsolved).0, 1);
    let unsolved = unsolved.replace("marriage 2", "marriage 1");
    let (code, text) = run_on("puzzles.toml", &unsolved.replace("= 1", "= 0"));
    assert_eq!(code, 0, "{text}");
    // Unchecked items are reported, but are not findings.
    for (old, new) in [
        ("bachelor", "unheard-of"),
        // Games of orthodox chess do not end by marriage.
        ("bachelor", "fide"),
        ("marriage 2", "goal 2"),
        ("marriage 2", "draw 2"),
        ("marriage 2", "marriage 2.5"),
        ("marriage 2", "#4294967295"),
        ("marriage 2", "h#2147483648"),
        ("marriage 2", "#0"),
        ("solutions", "answers"),
    ] {
        let (code, text) = run_on("puzzles.toml", &puzzle.replace(old, new));
        let unchecked = text.contains("not checked: one: ");
        assert_eq!((code, unchecked), (0, true), "{new}: {text}");
        assert!(
            new == "answers" || !text.contains("1 solved problem"),
            "{text}"
        );
    }
}

const COUNTS: &str = "variant,fen,depth,nodes,perft_2,complete,states";

/// Returns the row of a count of orthodox chess.
fn count_row(depth: &str, nodes: &str, more: &str) -> String {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    format!("{COUNTS}\nfide,{start},{depth},{nodes},{more}\n")
}

#[test]
fn false_counts_end_the_count() {
    let begun = std::time::Instant::now();
    for (row, code, part) in [
        (count_row("2", "400", "400,,"), 0, "2 perft"),
        (count_row("12", "5", ",,"), 1, "by the naive rules `more`"),
        (count_row("3000000000", "5", ",,"), 0, "depth, nodes"),
        (count_row("2", "400", ",true,5"), 1, "states is `5`"),
        (count_row("2", "0400", ",,"), 1, "not a number"),
        (count_row("2", " 400", ",,"), 1, "not a number"),
        (count_row("two", "400", ",,"), 1, "not a number"),
        (
            count_row("2", "400", ",yes,421"),
            0,
            "the columns complete, states",
        ),
    ] {
        let (found, text) = run_on("counts.csv", &row);
        assert!(found == code && text.contains(part), "{row}{text}");
    }
    assert!(begun.elapsed().as_secs() < 60);
}

#[test]
fn columns_of_one_name_are_an_error() {
    let (code, text) = run_on("a.csv", "variant,fen,nodes,nodes\nfide,,1,2\n");
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("`nodes` occurs twice"), "{text}");
}

#[test]
fn definitions_may_have_parents_in_other_files_and_among_the_known_variants() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("a path").to_string()
    };
    let first = write(
        "first.ini",
        "[first:atomic]\nstalemateValue = loss\nnFoldRule = 2\n",
    );
    let second = write(
        "second.ini",
        "[child:second]\n\n[second:first]\ncastling = false\n[odd:first]\nchess960 = true\n",
    );
    let table = write(
        "counts.csv",
        "variant,fen,depth,nodes\n\
         child,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1,2,400\n\
         second,k2/1p1/3/K1R w - - 0 1,1,6\n\
         spartan-fsf,lgkcckwl/hhhhhhhh/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1,1,20\n\
         odd,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1,1,20\n",
    );
    let (code, text) = run(&["--verbose", "--rules", &first, "--rules", &second, &table]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("3 perft"), "{text}");
    assert!(
        text.contains("cannot read `odd`") && text.contains("chess960"),
        "{text}"
    );
    // The files are read in their order.
    let (_, text) = run(&["--verbose", "--rules", &second, "--rules", &first, &table]);
    assert!(
        text.contains("no definition first to be a parent"),
        "{text}"
    );
    let (code, text) = run(&["--rules", &first, "--rules", &first, &table]);
    assert!(code == 2 && text.contains("two files"), "{text}");
}

/// The naive rules give no reasons for the ends of definitions, so these are never wrong and never verified.
#[test]
fn reasons_of_ends_in_definitions_are_not_checked() {
    let row = |outcome: &str| {
        format!(
            "variant,fen,turns,fen_after,outcome\n\
             kingofthehill,k3/4/4/K3 w - - 0 1,a1b2,k3/4/1K2/4 b - - 1 1,{outcome}\n"
        )
    };
    let (code, text) = run_on("a.csv", &row("white-wins flag"));
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("the columns outcome") && text.contains("1 line"),
        "{text}"
    );
    assert_eq!(run_on("a.csv", &row("draw flag")).0, 1);
    let puzzle = "[[puzzle]]\nid = \"one\"\nvariant = \"chess\"\nfen = \"7k/8/5K2/8/8/8/8/6R1 w - - 0 1\"\n\
                  stipulation = \"#2\"\nkeys = [\"f6f7\"]\n";
    let (code, text) = run_on("a.toml", puzzle);
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("the reason of an end in a definition"),
        "{text}"
    );
}

#[cfg(unix)]
#[test]
fn files_that_wait_or_never_end_are_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe.csv");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let (code, text) = run(&[pipe.to_str().expect("a path")]);
    assert!(code == 2 && text.contains("named pipe"), "{text}");
    let (code, text) = run(&["--rules", pipe.to_str().expect("a path"), "x.csv"]);
    assert!(code == 2 && text.contains("named pipe"), "{text}");
    let zero = folder.path().join("zero.fpp");
    std::os::unix::fs::symlink("/dev/zero", &zero).expect("a link");
    let (code, text) = run(&[zero.to_str().expect("a path")]);
    assert!(code == 2 && text.contains("device"), "{text}");
    let (code, text) = run(&["/dev/zero"]);
    assert!(code == 0 && text.contains("not checked"), "{text}");
}

#[test]
fn wrong_usage_and_unreadable_files_are_input_errors() {
    let arguments: [&[&str]; 5] = [
        &[],
        &["--unknown"],
        &["no/such/file.csv"],
        &["--positions", "many", "x"],
        &["--rules"],
    ];
    for arguments in arguments {
        let (code, text) = run(arguments);
        assert_eq!(
            (code, text.starts_with("error: ")),
            (2, true),
            "{arguments:?}: {text}"
        );
    }
    for (name, text) in [("a.toml", "[["), ("a.json", "{"), ("a.csv", "a,b\n1\n")] {
        assert_eq!(run_on(name, text).0, 2, "{name}");
    }
    assert_eq!(run_on("a.fpp", "FPPROOF1").0, 1);
    assert_eq!(run(&["--help"]).0, 0);
}

/// Runs the checks with a file of rule texts on a file with this text.
fn run_with_rules(rules: &str, name: &str, text: &str) -> (u8, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let [rule_file, file] = ["rules.ini", name].map(|name| folder.path().join(name));
    std::fs::write(&rule_file, rules).expect("a file");
    std::fs::write(&file, text).expect("a file");
    let [rule_file, file] = [&rule_file, &file].map(|path| path.to_str().expect("a path"));
    run(&["--positions", "200000", "--rules", rule_file, file])
}

/// Conditions without effect, and texts with one.
const RULES: &str = "\
[nothing]
condition = true
legalIf = true   # a comment
         && size(captures) >= 0

[plain:fide-text]
conditions = nothing

[tame:plain]
legalIf = size(captures) == 0 || captures[0].kind != 'queen'

[lists:fide-text]
legalIf = size(
          [from, to].filter(s, light(s))) >= 0

[short:fide-text]
ends = short: side wins if fullmove >= 2
";

#[test]
fn rows_of_rule_texts_are_verified() {
    let path = place("reports/small-boards.csv");
    let report = std::fs::read_to_string(path).expect("the report");
    let (header, rows) = report.split_once('\n').expect("rows");
    let mut verified = 0;
    for set in ["regent", "separation", "twilight"] {
        let of_set = rows
            .lines()
            .filter(|row| row.starts_with(&format!("{set},")));
        let states = |row: &&str| {
            row.split(',')
                .nth(4)
                .and_then(|states| states.parse::<u64>().ok())
        };
        let row = of_set
            .min_by_key(|row| states(row).unwrap_or(u64::MAX))
            .expect(set);
        if states(&row).is_none_or(|states| states > 3000) {
            continue;
        }
        // The text plays the same as the compiled rule set.
        for id in [format!("{set}-text"), format!("{set}+nothing")] {
            let text = format!("{header}\n{}\n", row.replacen(set, &id, 1));
            let (code, out) = run_with_rules(RULES, "rows.csv", &text);
            assert_eq!(code, 0, "{id}: {out}");
            assert!(
                out.contains("1 value,") || out.contains("1 value\n"),
                "{id}: {out}"
            );
            let count = states(&row).expect("states");
            let edited = text.replace(&format!(",{count},"), &format!(",{},", count + 1));
            assert_eq!(run_with_rules(RULES, "rows.csv", &edited).0, 1, "{id}");
            verified += 1;
        }
    }
    assert!(verified > 4, "{verified}");
}

#[test]
fn lines_and_puzzles_of_rule_texts_are_verified_with_their_file() {
    let line = |id: &str| {
        format!(
            "variant,fen,turns,plies,fen_after,outcome\n{id},3qk3/8/8/8/8/8/8/3QK3 w - - 0 1,d1d8 e8d8,2,\
             3k4/8/8/8/8/8/8/4K3 w - - 0 2,ongoing\n"
        )
    };
    for (id, code, part) in [
        ("fide-text", 0, "1 line"),
        ("plain", 0, "1 line"),
        ("fide+nothing", 0, "1 line"),
        // A line that begins with a bracket continues a value.
        ("lists", 0, "1 line"),
        ("tame", 1, "`d1d8` is not legal"),
        ("tame+circe", 1, "`d1d8` is not legal"),
        // The white queen is reborn on d1 and checks.
        ("fide+circe", 1, "`e8d8` is not legal"),
        ("short", 1, "`ongoing`"),
        ("fide+nothng", 0, "not checked"),
        ("plain:option", 0, "unknown option"),
    ] {
        let (found, text) = run_with_rules(RULES, "lines.csv", &line(id));
        assert_eq!(found, code, "{id}: {text}");
        assert!(text.contains(part), "{id}: {text}");
    }
    let puzzle = "[[puzzle]]\nid = \"one\"\nvariant = \"plain\"\nfen = \"8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1\"\n\
                  stipulation = \"#2\"\nkeys = [\"a4a3\"]\nsolutions = 1\n";
    let (code, text) = run_with_rules(RULES, "puzzles.toml", puzzle);
    assert_eq!(
        (code, text.contains("1 solved problem")),
        (0, true),
        "{text}"
    );
    for (old, new) in [
        ("plain", "short"),
        ("\"a4a3\"", "\"c3d3\""),
        ("= 1", "= 2"),
        ("#2", "#1"),
    ] {
        let (code, text) = run_with_rules(RULES, "puzzles.toml", &puzzle.replace(old, new));
        assert_eq!(code, 1, "{new}: {text}");
    }
    // A clause that cannot be evaluated verifies nothing and is no fault of the puzzle.
    let broken = format!("{RULES}\n[broken:fide-text]\nlegalIf = no_such_name\n");
    let (code, text) = run_with_rules(&broken, "puzzles.toml", &puzzle.replace("plain", "broken"));
    assert_eq!(
        (code, text.contains("not checked: one: ")),
        (0, true),
        "{text}"
    );
}

/// Runs the checks on a file. Returns the exit code, the output, and whether everything in the file is verified.
fn is_verified(name: &str, text: &str) -> (u8, String, bool) {
    let (code, text) = run_on(name, text);
    let all = code == 0 && !text.contains("not checked: ") && !text.contains(": verified: nothing");
    (code, text, all)
}

/// A problem with one key, tries and a set play; its solution as `solve --format json --tries` writes it.
const SOLUTION: &str = r##"{"variant":"fide","fen":"8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1","stipulation":"#2",
    "verdict":"sound","complete":true,"solutions":1,"keys":["a4a3"],"tree":{"keys":[{"turn":"a4a3",
    "threats":[{"turn":"a3b2","goal":true}],"answers":[
    {"turn":"a1b1","unparried":true,"next":[{"turn":"a3b2","goal":true}]},
    {"turn":"a5a4","unparried":true,"next":[{"turn":"a3b2","goal":true}]}]}]}}"##;
/// The only line of a helpmate.
const LINE: &str = r##"{"variant":"fide","fen":"8/8/8/8/8/1K6/7R/k7 b - - 0 1","stipulation":"h#1","verdict":"sound",
    "complete":true,"solutions":1,"keys":["a1b1"],"lines":[{"turns":["a1b1","h2h1"]}],"tree":{"keys":[]}}"##;

/// Adds all documents that differ from `value` in one place: a field or an element less, another number, truth value
/// or text.
fn edited(value: &Value, words: &[String], whole: &dyn Fn(Value) -> Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let with = |inner: Option<Value>| {
                    let mut fields = fields.clone();
                    fields.remove(name);
                    fields.extend(inner.map(|inner| (name.clone(), inner)));
                    whole(Value::Object(fields))
                };
                found.push(with(None));
                edited(inner, words, &|inner| with(Some(inner)), found);
            }
        }
        Value::Array(items) => {
            for at in 0..items.len() {
                let with = |inner: &[Value]| {
                    whole([&items[..at], inner, &items[at + 1..]].concat().into())
                };
                found.push(with(&[]));
                found.push(with(&[items[at].clone(), items[at].clone()]));
                edited(&items[at], words, &|inner| with(&[inner]), found);
            }
        }
        Value::Bool(set) => found.push(whole((!set).into())),
        Value::Number(number) => {
            let number = number.as_i64().expect("a whole number");
            found.extend([number - 1, number + 1].map(|other| whole(other.into())));
        }
        _ => {
            let others = words.iter().filter(|word| value != word.as_str());
            found.extend(others.map(|word| whole(word.as_str().into())));
        }
    }
}

/// Each edit makes a solution false or incomplete, so none is verified.
#[test]
fn no_edit_of_a_solution_is_verified() {
    for genuine in [SOLUTION, LINE] {
        let (code, text, verified) = is_verified("a.json", genuine);
        assert!(verified, "{code}: {text}");
        let genuine: Value = serde_json::from_str(genuine).expect("JSON");
        let words = [
            "a4a3",
            "a3b2",
            "a1b1",
            "h2h1",
            "a5a4",
            "fide",
            "zoo",
            "cooked",
            "no-solution",
            "short-solution",
            "several-solutions",
            "undecided",
            "#1",
            "s#2",
            "h#1",
            "=2",
            "win 2",
            "8/8/8/p7/Q7/2Kp4/b2P4/k7 b - - 0 1",
            "8/8/8/8/8/1K6/6R1/k7 b - - 0 1",
            "",
        ];
        let mut all = Vec::new();
        edited(
            &genuine,
            &words.map(str::to_string),
            &|whole| whole,
            &mut all,
        );
        assert!(all.len() > 150, "{}", all.len());
        for other in all {
            let (_, text, verified) = is_verified("a.json", &other.to_string());
            // `win 2` is `#2` where checkmate is the only win, and says so in other words.
            let is_true = ["win 2", "h-win 1"]
                .iter()
                .any(|win| other["stipulation"] == *win);
            let threat = &other["tree"]["keys"][0]["threats"][0];
            let is_bare = threat["turn"] == "a3b2" && threat.get("goal").is_none();
            // A solution may leave out its play, or list none: its keys say as much.
            let is_shorter = other.get("tree").is_none()
                || other.get("complete").is_none()
                || other.get("solutions").is_none()
                || other.get("keys").is_none();
            let is_shorter = is_shorter || is_bare;
            assert!(!verified || is_true || is_shorter, "{other}: {text}");
        }
    }
    let (code, text, _) = is_verified(
        "a.json",
        &SOLUTION.replace("\"complete\"", "\"x\":1,\"complete\""),
    );
    assert!(code == 0 && text.contains("the fields x"), "{text}");
    let twice = SOLUTION.replace("\"complete\":true", "\"complete\":true,\"complete\":true");
    for (name, text) in [
        ("a.json", "7"),
        ("a.json", "[7]"),
        ("a.json", &twice),
        ("a.toml", "id = 7"),
    ] {
        let (code, text, _) = is_verified(name, text);
        assert_eq!(code, 2, "{text}");
    }
}

/// The certificate of a row is one of the same statement: rule set, position, side, goal and kind.
#[test]
fn certificates_of_other_rows_are_refused() {
    let head = "variant,after,side,goal,status,plies,certificate,certificate_positions\n";
    let row = [
        "blunder-mate",
        "f2f3",
        "black",
        "win",
        "proven",
        "3",
        "blunder-mate-f2f3.fpp",
        "2",
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["blunder-mate-f2f3", "blunder-mate-f2f4", "society-g2g4"] {
        let place = place(&format!("reports/proofs/{name}.fpp"));
        std::fs::copy(place, folder.path().join(format!("{name}.fpp"))).expect("a copy");
    }
    let file = folder.path().join("rows.csv");
    let run_row = |row: &[&str]| {
        std::fs::write(&file, format!("{head}{}\n", row.join(","))).expect("a file");
        run(&[file.to_str().expect("a path")])
    };
    let (code, text) = run_row(&row);
    assert!(
        code == 0 && text.ends_with(" 0 not checked, 0 wrong\n"),
        "{text}"
    );
    for (column, others) in [
        (
            0,
            &[
                "fide",
                "society",
                "zoo",
                "blunder-mate-text",
                "unheard-of",
                "",
            ][..],
        ),
        (1, &["f2f4", "e2e4", "f2f5", ""]),
        (2, &["white", "b", ""]),
        (3, &["not-lose", "checkmate", "mates", ""]),
        (4, &["open", "disproven", "likely"]),
        (5, &["2", "4", ""]),
        (
            6,
            &[
                "blunder-mate-f2f4.fpp",
                "society-g2g4.fpp",
                "none.fpp",
                "rows.csv",
            ],
        ),
        (7, &["1", "3"]),
    ] {
        for other in others {
            let mut edited = row;
            edited[column] = other;
            let (_, text) = run_row(&edited);
            assert!(!text.contains("row of a certificate"), "{other}: {text}");
            assert!(
                !text.ends_with(" 0 not checked, 0 wrong\n"),
                "{other}: {text}"
            );
        }
    }
}

/// Certificates of orthodox chess, as text, whose goals are conditions.
#[test]
fn goals_that_are_not_reasons_are_evaluated_or_not_checked() {
    let bytes = std::fs::read(place("reports/proofs/blunder-mate-f2f3.fpp")).expect("a proof");
    let rule_sets = crate::rule_sets(&[]).expect("the rule sets");
    let check = |goal: &str| {
        let edited = rebuilt(&bytes, |header, _| header["goal"] = goal.into());
        certificate::check(&edited, &rule_sets).map(|_| ())
    };
    // Some games end with a turn of White, so no condition on Black's turns is forced.
    for goal in ["win", "not-lose"] {
        assert_eq!(check(goal), Ok(()), "{goal}");
    }
    for goal in [
        "ends",
        "stalemate",
        "castles",
        "promotes && ends",
        "kind == 'king'",
    ] {
        assert!(
            matches!(check(goal), Err(Unverified::Wrong(_))),
            "{goal}: {:?}",
            check(goal)
        );
    }
    for goal in [
        "marriage",
        "draw",
        "Win",
        "",
        "#",
        "false && nonsense",
        "kind == 'kng' || ends",
        "ends &&",
        "fen == ''",
        "size(captures)",
        "option.x || ends",
        "walk('kng', white, from, to) > 0 || ends",
    ] {
        assert!(
            matches!(check(goal), Err(Unverified::Unchecked(_))),
            "{goal}: {:?}",
            check(goal)
        );
    }
}

/// Of an endgame table, a position of the longest win must have the units, and a win of this length.
#[test]
fn positions_of_endgame_tables_are_compared() {
    let row = |signature: &str, plies: &str, fen: &str| {
        format!(
            "variant,board,signature,side,legal,longest_win_plies,longest_win_fen\n\
             fide,3x3,{signature},w,100,{plies},{fen}\n"
        )
    };
    let fen = "2k/3/KQ1 w - - 0 1";
    let (code, text) = run_on("endgames.csv", &row("KQvK", "1", fen));
    let long = text
        .split("by the naive rules")
        .next()
        .unwrap_or_default()
        .to_string();
    let plies = text
        .split(" in ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .unwrap_or("1");
    let (right, text) = run_on("endgames.csv", &row("KQvK", plies, fen));
    assert!(
        right == 0 && text.contains("value of a position"),
        "{code} {long}: {text}"
    );
    assert!(
        text.contains("the columns legal, longest_win_plies"),
        "{text}"
    );
    for (signature, plies, fen) in [
        ("KQvK", "9", fen),
        ("KRvK", plies, fen),
        ("KQvK", plies, "2k/3/K1Q b - - 0 1"),
        ("KQvK", plies, "2k/1Q1/KQ1 w - - 0 1"),
        ("KQvK", plies, "1k2/4/4/KQ2 w - - 0 1"),
    ] {
        assert_eq!(
            run_on("endgames.csv", &row(signature, plies, fen)).0,
            1,
            "{signature} {fen}"
        );
    }
}

#[test]
fn rule_texts_that_mean_nothing_are_not_played() {
    let rules = "\
[empty:fide-text]
state = n: 5..1
[kind:fide-text]
legalIf = true || kind == 'kng'
[name:fide-text]
legalIf = true || nonsense
[type:fide-text]
legalIf = size(captures)
[step:fide-text]
stepCount = 7
[word:fide-text]
ownCheck = maybe
[reason:fide-text]
ends = Foo Bar: draw if fullmove > 90
[option:fide-text]
options = k:1..4 = 9
[state:fide-text]
state = n: 0..3
state.n = 'x'
";
    let long = format!(
        "[long:fide-text]\nlegalIf = {}\n",
        ["true"; 8000].join(" && ")
    );
    let deep = format!(
        "[deep:fide-text]\nlegalIf = {}true{}\n",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    let rules = format!("{rules}{long}{deep}");
    let head = "variant,fen,turns,plies,fen_after,outcome\n";
    let end = "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1,d1d8 e8d8,2,3k4/8/8/8/8/8/8/4K3 w - - 0 2,ongoing\n";
    for id in [
        "empty",
        "kind",
        "name",
        "type",
        "step",
        "word",
        "reason",
        "option",
        "state",
        "long",
        "deep",
        "fide+circe,circe",
        "fide+circe+circe",
    ] {
        let (code, text) = run_with_rules(&rules, "a.csv", &format!("{head}\"{id}\",{end}"));
        assert!(code == 0 && text.contains("not checked: "), "{id}: {text}");
        assert!(!text.contains("1 line"), "{id}: {text}");
    }
}

/// In help-reflex play, a side that can reach the goal must, and so solves a problem that begins with its turn.
#[test]
fn help_reflex_play_may_end_with_its_first_turn() {
    let puzzle = |keys: &str| {
        format!(
            "[[puzzle]]\nvariant=\"fide\"\nfen=\"2b1/k3/1p1K/1BQ1 w - - 0 1\"\nstipulation=\"hr=1.5\"\n\
             keys=[{keys}]\nsolutions=1\n"
        )
    };
    let (code, text, verified) = is_verified("a.toml", &puzzle("\"c1c4\""));
    assert!(verified, "{code}: {text}");
    assert_eq!(run_on("a.toml", &puzzle("\"c1c3\"")).0, 1);
}
