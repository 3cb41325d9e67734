//! Odd texts: what the grammars of the program allow, and what is nearly that.

use crate::random::{Random, random_fen, random_fen_on};

/// Options that rule sets have.
const OPTIONS: [&str; 12] = [
    "french-revolution:weak-loss",
    "french-revolution:no-promotion",
    "french-revolution:ten-rows",
    "french-revolution:avalanche",
    "french-revolution:weak-loss,no-promotion,ten-rows,avalanche",
    "spartan:moves=1",
    "spartan:moves=3",
    "spartan:moves=60",
    "spartan:moves=9999",
    "spartan:moves=0",
    "spartan",
    "fide:x",
];

/// Numbers near a bound, or far beyond all.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "16",
    "17",
    "99",
    "100",
    "127",
    "128",
    "255",
    "256",
    "65536",
    "4294967296",
    "18446744073709551616",
];

/// Returns a rule set, seldom with options.
pub fn variant(random: &mut Random) -> String {
    if random.one_in(6) {
        return random.pick(&OPTIONS[..9]).to_string();
    }
    let all = fairyproof::variants::all();
    all[random.below(all.len())].id.to_string()
}

/// Returns what may stand for a rule set.
pub fn id(random: &mut Random) -> String {
    match random.below(12) {
        0 => random.pick(&OPTIONS).to_string(),
        1 => {
            let known = variant(random);
            mutated(&known, random)
        }
        _ => variant(random),
    }
}

/// Returns a size of board, mostly small.
pub fn size(random: &mut Random) -> (usize, usize) {
    match random.below(4) {
        0 => (1 + random.below(3), 1 + random.below(3)),
        1 => (1 + random.below(2), 1 + random.below(16)),
        2 => (1 + random.below(16), 1 + random.below(2)),
        _ => (1 + random.below(8), 1 + random.below(8)),
    }
}

/// Returns a FEN by the grammar.
pub fn fen(variant: &str, random: &mut Random) -> String {
    if random.one_in(2) {
        random_fen(variant, random)
    } else {
        let size = size(random);
        random_fen_on(variant, Some(size), random)
    }
}

/// Returns a FEN, or nearly one.
pub fn nearly_fen(variant: &str, random: &mut Random) -> String {
    let good = fen(variant, random);
    match random.below(5) {
        0 => mutated(&good, random),
        1 => {
            // Fields out of place.
            let mut fields: Vec<&str> = good.split(' ').collect();
            let (a, b) = (random.below(fields.len()), random.below(fields.len()));
            fields.swap(a, b);
            if random.one_in(2) {
                fields.remove(a);
            }
            fields.join(" ")
        }
        _ => good,
    }
}

/// Returns a stipulation, or nearly one.
pub fn stipulation(random: &mut Random) -> String {
    let play = random.pick(&[
        "", "s", "r", "semi-r", "h", "hs", "hr", "ser-", "ser-h", "ser-s", "ser-r", "h-", "hs-",
        "s-", "ser-h-",
    ]);
    let goal = random.pick(&[
        "#",
        "#",
        "=",
        "##",
        "#=",
        "+",
        "x",
        "~",
        "zd4",
        "za1",
        "zb35",
        "win ",
        "win ",
        "checkmate ",
        "stalemate ",
        "marriage ",
        "no-turn ",
        "mate ",
    ]);
    let number = match random.below(6) {
        0 => random.pick(&NUMBERS).to_string(),
        1 => format!("{}.5", random.below(4)),
        _ => format!("{}", 1 + random.below(6)),
    };
    let text = format!("{play}{goal}{number}");
    if random.one_in(8) {
        mutated(&text, random)
    } else {
        text
    }
}

/// Returns a material signature, or nearly one.
pub fn signature(variant: &str, random: &mut Random) -> String {
    let letters: &[u8] = if variant == "chromopolis" {
        b"NALP"
    } else {
        b"QRBNPP"
    };
    let mut side = |most: usize| {
        let mut units = String::from("K");
        for _ in 0..random.below(most) {
            units.push(random.pick(letters) as char);
        }
        units
    };
    let most = 3;
    let (white, black) = (side(most), side(2));
    let state = match random.below(5) {
        0 => random.pick(&[
            ";return=R",
            ";hand=P/-/-/-",
            ";bound=Nn",
            ";first=1",
            ";checks=1,1",
            ";taken=N/-",
            ";into=w",
            ";x=1",
            ";",
        ]),
        _ => "",
    };
    let mut text = format!("{white}v{black}{state}");
    match random.below(10) {
        0 => text = mutated(&text, random),
        // As many units as a table takes, and more.
        1 => text = format!("K{}vK{state}", "R".repeat(8 + random.below(6))),
        _ => {}
    }
    text
}

/// Returns a turn, or nearly one.
pub fn turn(random: &mut Random) -> String {
    let mut square = || {
        let file = (b'a' + random.below(8) as u8) as char;
        format!("{file}{}", 1 + random.below(8))
    };
    let plain = format!("{}{}", square(), square());
    match random.below(8) {
        0 => format!("{plain}q"),
        1 => format!("{plain}+{}{}", square_again(random), square_again(random)),
        2 => random
            .pick(&[
                "O-O", "0-0-0", "Nf3", "1.e4", "e8=Q", "@d4", "N@d4", "--", "",
            ])
            .to_string(),
        3 => mutated(&plain, random),
        _ => plain,
    }
}

fn square_again(random: &mut Random) -> String {
    let file = (b'a' + random.below(16) as u8) as char;
    format!("{file}{}", 1 + random.below(16))
}

/// Returns a number that may be beyond every bound.
pub fn number(random: &mut Random) -> String {
    random.pick(&NUMBERS).to_string()
}

/// Returns a text with a few things changed.
pub fn mutated(text: &str, random: &mut Random) -> String {
    const ODD: [&str; 30] = [
        "0",
        "1",
        "9",
        "16",
        "17",
        "99999999999999999999",
        "-",
        "--",
        " ",
        "  ",
        "/",
        "//",
        "*",
        "K",
        "k",
        "Q",
        "p",
        "P",
        ";",
        "=",
        ",",
        ":",
        "+",
        "#",
        "\u{e9}",
        "\u{202e}",
        "\t",
        "\n",
        "\u{1f451}",
        "'",
    ];
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(3) {
        let at = random.below(chars.len() + 1);
        match random.below(6) {
            0 if at < chars.len() => {
                chars.remove(at);
            }
            1 if at < chars.len() => chars[at] = random.pick(&ODD).chars().next().unwrap_or('?'),
            2 => chars.truncate(at),
            3 => {
                let to = (at + 1 + random.below(8)).min(chars.len());
                let part: Vec<char> = chars[at..to].to_vec();
                let times = random.pick(&[1, 2, 40]);
                for _ in 0..times {
                    chars.splice(at..at, part.iter().copied());
                }
            }
            4 if chars.len() > 1 => {
                let other = random.below(chars.len());
                let at = at.min(chars.len() - 1);
                chars.swap(at, other);
            }
            _ => {
                chars.splice(at..at, random.pick(&ODD).chars());
            }
        }
    }
    chars.into_iter().collect()
}

/// Bytes with a few of them changed, which need not be a text any more.
pub fn mutated_bytes(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..random.below(5) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.pick(b"\0\n\r\"[]{},:;=\xff\x80-"),
            2 => bytes.truncate(at),
            3 => {
                let to = (at + random.below(40)).min(bytes.len());
                let part = bytes[at..to].to_vec();
                bytes.splice(at..at, part);
            }
            _ => {
                let to = (at + random.below(20)).min(bytes.len());
                bytes.drain(at..to);
            }
        }
    }
    bytes
}
