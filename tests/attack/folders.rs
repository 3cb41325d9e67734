//! Forged folders: searches on disk, levels of several processes and endgame tables, whose checksums are right
//! and whose content is false.

use crate::attempt::{Attempt, program};
use crate::files::{self, Files};
use crate::odd;
use crate::random::Random;
use fairyproof::control::container::{Kind, Law, NO_LAW, Reader, Writer};
use std::sync::OnceLock;
use std::time::Duration;

/// Returns the files that a run of the program leaves in its folder.
fn left_by(arguments: &[&str]) -> Files {
    let folder = tempfile::tempdir().expect("a folder");
    let output = program()
        .args(arguments)
        .env("FAIRYPROOF_TABLES", folder.path().join("tables"))
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    let files = files::below(folder.path());
    assert!(!files.is_empty(), "{output:?}");
    files
}

/// The kind, the versions of the rules and the sections of a file.
type Parts = (Kind, Law, Vec<Vec<u8>>);

fn parts_of(file: &[u8]) -> Parts {
    let kind: Kind = file[8..16].try_into().expect("eight bytes");
    let mut from = Reader::new(file, &kind).expect("a container");
    let mut sections = Vec::new();
    while let Some(section) = from.next_section(u64::MAX).expect("whole") {
        sections.push(section);
    }
    (kind, from.law(), sections)
}

/// Returns a file with right checksums, and the checksum of the whole.
fn file_of((kind, law, sections): &Parts) -> (Vec<u8>, u32) {
    let mut out = Writer::new(Vec::new(), kind, *law).expect("memory");
    for section in sections {
        out.section(section).expect("memory");
    }
    let (file, index) = out.finish().expect("memory");
    (file, index.sum())
}

/// Searches on disk that resume: rule sets with states of all forms, and one with values.
const DISK: [&[&str]; 7] = [
    &["fide", "--max-depth", "2"],
    &["chromopolis", "--max-depth", "2"],
    &["reentrant", "--max-depth", "2"],
    &["crazyhouse", "--max-depth", "2"],
    &["seirawan", "--max-depth", "2", "--max-states", "900"],
    &["triple-check", "--max-depth", "2"],
    &["fide", "--fen", "3k/4/4/KR2 w - - 0 1"],
];

/// Folders of searches on disk in which the state or a run is false.
pub fn disk(random: &mut Random) -> Attempt {
    static GENUINE: [OnceLock<Files>; DISK.len()] = [const { OnceLock::new() }; DISK.len()];
    let n = random.below(DISK.len());
    let begun = [&["explore"], DISK[n], &["--disk", "disk", "--threads", "1"]].concat();
    let mut files = GENUINE[n].get_or_init(|| left_by(&begun)).clone();
    files.remove("disk/lock");
    let (kind, law, sections) = parts_of(&files.remove("disk/state").expect("a state"));
    let mut state = String::from_utf8(sections[0].clone()).expect("UTF-8");
    let runs: Vec<String> = files.keys().cloned().collect();
    if random.one_in(3) {
        state = with_other_number(&state, random);
    } else {
        let name = random.pick(&runs.iter().collect::<Vec<_>>());
        let genuine = files[name].clone();
        let (_, was) = head(&parts_of(&genuine).2);
        let old = file_of(&parts_of(&genuine)).1;
        let (run, sum, records) = with_other_records(&genuine, random);
        // The state names the run with its number of records and its checksum.
        let named = |records: u64, sum: u32| format!("\"records\":{records},\"sum\":{sum}");
        state = state.replace(&named(was, old), &named(records, sum));
        files.insert(name.clone(), run);
    }
    let state = file_of(&(kind, law, vec![state.into_bytes()])).0;
    files.insert("disk/state".to_string(), state);
    let mut attempt = Attempt::of(["explore"]);
    let same: Vec<&str> = match DISK[n].iter().position(|option| *option == "--max-depth") {
        // One level deeper.
        Some(at) => [&DISK[n][..at], &["--max-depth", "3"], &DISK[n][at + 2..]].concat(),
        None => DISK[n].to_vec(),
    };
    attempt.arguments.extend(same.iter().map(|a| a.to_string()));
    let further: &[&str] = random.pick(&[&[][..], &["--count", "check"], &["--find", "over"]]);
    let bounds = [
        "--disk",
        "disk",
        "--threads",
        "1",
        "--memory",
        "64M",
        "--time",
        "1",
    ];
    let more = further.iter().chain(&bounds).map(|a| a.to_string());
    attempt.arguments.extend(more);
    attempt.time = Some(Duration::from_secs(1));
    attempt.memory_bytes = Some(64 << 20);
    attempt.files = files.into_iter().collect();
    attempt
}

/// Replaces one number of a text by another.
fn with_other_number(text: &str, random: &mut Random) -> String {
    let is_digit = |at: usize| text.as_bytes()[at].is_ascii_digit();
    let starts: Vec<usize> = (1..text.len())
        .filter(|&at| is_digit(at) && !is_digit(at - 1))
        .collect();
    let at = random.pick(&starts);
    let end = (at..text.len())
        .find(|&at| !is_digit(at))
        .unwrap_or(text.len());
    let number = match random.below(4) {
        0 => u64::MAX.to_string(),
        1 => odd::number(random),
        2 => random.number().to_string(),
        _ => random.below(4).to_string(),
    };
    format!("{}{number}{}", &text[..at], &text[end..])
}

/// Returns what the index of a run says: the words of a record, the records.
fn head(sections: &[Vec<u8>]) -> (usize, u64) {
    let index = sections.last().expect("an index");
    let width = u32::from_le_bytes(index[..4].try_into().expect("four bytes"));
    let records = u64::from_le_bytes(index[4..12].try_into().expect("eight bytes"));
    (width as usize, records)
}

fn put_varint(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

fn varint(bytes: &[u8], at: &mut usize) -> u64 {
    let (mut n, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        n |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return n;
        }
        shift += 7;
    }
}

/// Returns a run of one block in which some words differ, with right checksums, and what the state says of it.
/// Records rise, or not.
fn with_other_records(run: &[u8], random: &mut Random) -> (Vec<u8>, u32, u64) {
    let (kind, _, sections) = parts_of(run);
    let (width, count) = head(&sections);
    let mut at = 0;
    let mut records: Vec<Vec<u64>> = Vec::new();
    let mut last = vec![0u64; width];
    // The first block is enough.
    for _ in 0..count.min(1500) {
        let mut differs = false;
        for word in &mut last {
            let n = varint(&sections[0], &mut at);
            *word = if differs { n } else { word.wrapping_add(n) };
            differs |= n != 0;
        }
        records.push(last.clone());
    }
    for _ in 0..1 + random.below(20) {
        if records.is_empty() {
            break;
        }
        let at = random.below(records.len());
        let word = random.below(width);
        records[at][word] = match random.below(3) {
            0 => random.number(),
            _ => records[at][word] ^ 1 << random.below(64),
        };
    }
    if !random.one_in(4) {
        records.sort();
    }
    let (mut block, mut last) = (Vec::new(), vec![0u64; width]);
    for record in &records {
        let mut differs = false;
        for (last, &word) in last.iter_mut().zip(record) {
            let n = if differs {
                word
            } else {
                word.wrapping_sub(*last)
            };
            put_varint(&mut block, n);
            differs |= n != 0;
            *last = word;
        }
    }
    let claimed = match random.below(8) {
        0 => random.number(),
        1 => records.len() as u64 + 1,
        _ => records.len() as u64,
    };
    let mut index = (width as u32).to_le_bytes().to_vec();
    index.extend(claimed.to_le_bytes());
    let mut sections = Vec::new();
    if let Some(first) = records.first() {
        index.extend(0u64.to_le_bytes());
        index.extend(first.iter().flat_map(|word| word.to_le_bytes()));
        sections.push(block);
    }
    sections.push(index);
    let (forged, sum) = file_of(&(kind, NO_LAW, sections));
    (forged, sum, claimed)
}

/// Runs of two workers that resume.
const LEVELS: [&[&str]; 3] = [
    &["fide", "--max-depth", "2"],
    &["reentrant", "--max-depth", "2"],
    &["fide", "--fen", "3k/4/4/KR2 w - - 0 1"],
];

/// Saved levels of several workers in which some bytes are false.
pub fn levels(random: &mut Random) -> Attempt {
    static GENUINE: [OnceLock<Files>; LEVELS.len()] = [const { OnceLock::new() }; LEVELS.len()];
    let n = random.below(LEVELS.len());
    let workers = ["--processes", "2", "--threads", "1", "--state", "saved"];
    let begun = [&["explore"], LEVELS[n], &workers].concat();
    let mut files = GENUINE[n].get_or_init(|| left_by(&begun)).clone();
    let name = files.keys().nth(random.below(files.len())).cloned();
    let file = name.and_then(|name| files.get_mut(&name)).expect("a file");
    let mut parts = parts_of(file);
    for _ in 0..1 + random.below(8) {
        let section = random.below(parts.2.len());
        let bytes = &mut parts.2[section];
        match random.below(4) {
            0 => bytes.extend(random.number().to_le_bytes()),
            _ if bytes.len() < 8 => bytes.clear(),
            1 => {
                let at = random.below(bytes.len() / 8) * 8;
                bytes[at..at + 8].copy_from_slice(&random.number().to_le_bytes());
            }
            _ => {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
        }
    }
    *file = file_of(&parts).0;
    let mut attempt = Attempt::of(["explore"]);
    let bounds = ["--memory", "128M", "--time", "1"];
    let all = LEVELS[n].iter().chain(&workers).chain(&bounds);
    attempt.arguments.extend(all.map(|a| a.to_string()));
    attempt.time = Some(Duration::from_secs(1));
    attempt.files = files.into_iter().collect();
    attempt
}

/// Tables with false headers, blocks or values.
pub fn table(random: &mut Random) -> Attempt {
    static GENUINE: OnceLock<Files> = OnceLock::new();
    let build = [
        "table",
        "build",
        "fide",
        "KRvK",
        "--board",
        "4x4",
        "--threads",
        "1",
    ];
    let mut files = GENUINE.get_or_init(|| left_by(&build)).clone();
    let name = files.keys().nth(random.below(files.len())).cloned();
    let file = name.and_then(|name| files.get_mut(&name)).expect("a file");
    let (kind, law, mut sections) = parts_of(file);
    let mut header = sections
        .pop()
        .map(String::from_utf8)
        .expect("a header")
        .expect("JSON");
    let block = &mut sections[0];
    match random.below(3) {
        0 => header = with_other_number(&header, random),
        1 => {
            for _ in 0..1 + random.below(3) {
                let at = random.below(block.len());
                block[at] ^= 1 << random.below(8);
            }
        }
        _ => {
            let at = header.find("\"indices\":").expect("a number") + 10;
            let end = at + header[at..].find(',').expect("another field");
            let values: usize = header[at..end].parse().expect("a number");
            let bytes: Vec<u8> = (0..2 * values).map(|_| random.number() as u8).collect();
            *block = uncompressed(&bytes);
        }
    }
    sections.push(header.into_bytes());
    *file = file_of(&(kind, law, sections)).0;
    const POSITION: &str = "3k/4/4/KR2 w - - 0 1";
    let arguments: &[&str] = random.pick(&[
        &["table", "probe", "fide", POSITION][..],
        &["table", "stats", "fide", "KRvK", "--board", "4x4"],
        &["table", "longest", "fide", "KRvK", "--board", "4x4"],
        &["table", "check", "fide", "KRvK", "--board", "4x4"],
        &["table", "list"],
        &[
            "table",
            "find",
            "fide",
            "KRvK",
            "plies > 3",
            "--board",
            "4x4",
        ],
        &["outcome", "fide", POSITION, "--tables"],
        &["solve", "fide", "win 4", POSITION, "--tables"],
        &["prove", "fide", POSITION, "--tables"],
        &["prove", "fide", POSITION, "--tables", "--for", "black"],
    ]);
    let mut attempt = Attempt::of(arguments.iter().copied());
    attempt.files = files.into_iter().collect();
    attempt.interrupted_after = Some(Duration::from_secs(10));
    attempt
}

/// Returns a block of LZ4 that is one literal.
fn uncompressed(bytes: &[u8]) -> Vec<u8> {
    let mut block = vec![0xf0];
    let mut left = bytes.len() - 15;
    while left >= 255 {
        block.push(255);
        left -= 255;
    }
    block.push(left as u8);
    block.extend(bytes);
    block
}
