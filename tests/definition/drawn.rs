//! Definitions made at random: boards, pieces, arrays, regions and clauses, as the text of a file.

pub use fairyproof::control::Random;
use naive::defined::{Library, Outcome, State};
use quickcheck::{Arbitrary, Gen};
use std::collections::BTreeMap;

/// A definition that can be played: its start position is sound and not over.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Keys and values in order.
    pub keys: Vec<(String, String)>,
    /// Names the random games.
    pub seed: u64,
}

impl Drawn {
    /// Returns the text of the file.
    pub fn text(&self) -> String {
        let mut text = "[drawn]\n".to_string();
        for (key, value) in &self.keys {
            text += &format!("{key} = {value}\n");
        }
        text
    }

    /// Returns the start, as the naive implementation reads it.
    pub fn naive(&self) -> Result<State, String> {
        let library = Library::read(&self.text())?;
        let game = library.game("drawn").expect("the section was read");
        game.read(game.start())
    }

    /// Returns a position that no game may reach: the start with further units in hand and pawns on the first rank
    /// of their sides. It is sound and not over; `None` if it could not be.
    pub fn unusual(&self) -> Option<State> {
        let mut random = Random(self.seed);
        let value = |key: &str| {
            self.keys
                .iter()
                .find(|(k, _)| k == key)
                .map(|(_, value)| value)
        };
        let (field, rest) = value("startFen")?.split_once(' ')?;
        let (board, hand) = match field.split_once('[') {
            Some((board, hand)) => (board, hand.strip_suffix(']')),
            None => (field, None),
        };
        let mut rows: Vec<Vec<char>> = board.split('/').map(row_of).collect();
        if let Some(pawn) = value("pawn").and_then(|value| value.chars().next()) {
            let last = rows.len() - 1;
            for (row, pawn) in [(last, pawn.to_ascii_uppercase()), (0, pawn)] {
                for cell in rows[row].iter_mut().filter(|cell| **cell == '.') {
                    if random.one_in(3) {
                        *cell = pawn;
                    }
                }
            }
        }
        let mut text = rows
            .iter()
            .map(|row| row_text(row))
            .collect::<Vec<_>>()
            .join("/");
        if let Some(hand) = hand {
            let royal = value("king").and_then(|value| value.chars().next());
            let units: Vec<char> = rows
                .concat()
                .into_iter()
                .filter(|cell| {
                    cell.is_ascii_alphabetic() && Some(cell.to_ascii_lowercase()) != royal
                })
                .collect();
            let more = if units.is_empty() {
                0
            } else {
                random.below(12)
            };
            let more: String = (0..more).map(|_| random.pick(&units)).collect();
            text += &format!("[{hand}{more}]");
        }
        text += &format!(" {rest}");
        let library = Library::read(&self.text()).ok()?;
        let state = library.game("drawn")?.read(&text).ok()?;
        let stands = state.is_sound() && state.outcome() == Outcome::Ongoing;
        (stands && text != *value("startFen")?).then_some(state)
    }

    /// Returns whether there is a game to play.
    fn is_playable(&self) -> bool {
        self.naive()
            .is_ok_and(|start| start.is_sound() && start.outcome() == Outcome::Ongoing)
    }
}

impl Arbitrary for Drawn {
    fn arbitrary(g: &mut Gen) -> Drawn {
        Drawn::of(u64::arbitrary(g))
    }

    /// The same with a key less, or with a group of keys that hang together.
    fn shrink(&self) -> Box<dyn Iterator<Item = Drawn>> {
        let whole = self.clone();
        let shorter = (0..whole.keys.len()).rev().filter_map(move |at| {
            let less = whole.without(&whole.keys[at].0)?;
            less.is_playable().then_some(less)
        });
        Box::new(shorter)
    }
}

impl Drawn {
    /// Returns the definition that this seed names.
    pub fn of(seed: u64) -> Drawn {
        Drawn::sized(seed, false)
    }

    /// Returns a definition for a board of nine to twenty squares, with few units at the start.
    pub fn small(seed: u64) -> Drawn {
        Drawn::sized(seed, true)
    }

    /// Returns a definition for what hardly happens by chance: pawns dropped to give mate, or captures in
    /// passing by other pieces of one side alone.
    pub fn directed(mut seed: u64) -> Drawn {
        loop {
            let mut random = Random(seed);
            let keys = match random.one_in(2) {
                true => dropped_mates(&mut random),
                false => captures_in_passing(&mut random),
            };
            let drawn = Drawn {
                keys,
                seed: random.number(),
            };
            if drawn.is_playable() {
                return drawn;
            }
            seed = random.number();
        }
    }

    fn sized(mut seed: u64, small: bool) -> Drawn {
        loop {
            let mut draft = Draft::new(seed);
            draft.small = small;
            draft.draw();
            // The clauses are worth many tries of the array.
            for _ in 0..20 {
                let fen = draft.start();
                let mut keys = draft.keys.clone();
                keys.push(("startFen".to_string(), fen));
                let drawn = Drawn {
                    keys,
                    seed: draft.random.number(),
                };
                if drawn.is_playable() {
                    return drawn;
                }
            }
            seed = draft.random.number();
        }
    }

    /// Without this key and what needs it.
    pub fn without(&self, key: &str) -> Option<Drawn> {
        let mut less = self.clone();
        let has = |other: &str| self.keys.iter().any(|(key, _)| key == other);
        match key {
            "startFen" | "maxFile" | "maxRank" => return None,
            "castling" => return None,
            _ if key.starts_with("castling") && key != "castlingDroppedPiece" => {
                less.keys.retain(|(key, _)| !key.starts_with("castling"));
                less.keys
                    .push(("castling".to_string(), "false".to_string()));
                less.strip(|fields| fields[2] = "-".to_string());
            }
            "gating" | "seirawanGating" | "cambodianMoves" => {
                less.keys
                    .retain(|(key, _)| !key.ends_with("ating") && key != "cambodianMoves");
                less.strip(|fields| fields[2].retain(|letter| "KQkq-".contains(letter)));
                less.strip(|fields| {
                    if fields[2].is_empty() {
                        fields[2] = "-".to_string();
                    }
                });
                if !has("pieceDrops") {
                    less.strip(|fields| without_hand(fields));
                }
            }
            "pieceDrops" => {
                less.keys
                    .retain(|(key, _)| !key.to_lowercase().contains("drop"));
                if !has("seirawanGating") {
                    less.keys.retain(|(key, _)| key != "capturesToHand");
                    less.strip(|fields| without_hand(fields));
                }
            }
            "synonyms" => return None,
            "checkCounting" => {
                less.keys.retain(|(other, _)| other != key);
                less.strip(|fields| {
                    fields.retain(|field| !field.contains('+') || field.contains('/'))
                });
            }
            _ => less.keys.retain(|(other, _)| other != key),
        }
        Some(less)
    }

    /// Changes the fields of the start position.
    fn strip(&mut self, change: impl Fn(&mut Vec<String>)) {
        for (key, value) in &mut self.keys {
            if key == "startFen" {
                let mut fields: Vec<String> = value.split(' ').map(str::to_string).collect();
                change(&mut fields);
                *value = fields.join(" ");
            }
        }
    }
}

fn owned(keys: &[(&str, String)]) -> Vec<(String, String)> {
    let own = |(key, value): &(&str, String)| (key.to_string(), value.clone());
    keys.iter().map(own).collect()
}

/// Kings behind their own units, and pawns in hand.
fn dropped_mates(random: &mut Random) -> Vec<(String, String)> {
    let (files, ranks) = (3 + random.below(3), 5 + random.below(2));
    let piece = random.pick(&["wazir", "fers", "knight", "bishop", "rook", "silver"]);
    let moves = random.pick(&["F", "W", "K", "D", "FfW"]);
    let king = random.below(files);
    let mut rows = [Vec::new(), Vec::new()];
    for file in 0..files {
        let unit = random.pick(&['a', 'a', '.', '.']);
        rows[0].push(if file == king { 'k' } else { unit });
        rows[1].push(random.pick(&['p', 'p', 'a', '.']));
    }
    let [home, pawns] = rows.map(|row| row_text(&row));
    let vacant = vec![files.to_string(); ranks - 4].join("/");
    let (whites, white) = (pawns.to_ascii_uppercase(), home.to_ascii_uppercase());
    owned(&[
        ("maxFile", files.to_string()),
        ("maxRank", ranks.to_string()),
        ("pawn", "p".into()),
        ("shogiPawn", "s".into()),
        (piece, "a".into()),
        ("king", format!("k:{moves}")),
        ("promotionPieceTypes", "a".into()),
        ("castling", "false".into()),
        ("pieceDrops", "true".into()),
        ("shogiPawnDropMateIllegal", "true".into()),
        (
            "startFen",
            format!("{home}/{pawns}/{vacant}/{whites}/{white}[SSss] w - - 0 1"),
        ),
    ])
}

/// Pawns that can step past pieces which capture otherwise than they move.
fn captures_in_passing(random: &mut Random) -> Vec<(String, String)> {
    let files = 3 + random.below(3);
    let moves = random.pick(&["mWcF", "mDcF", "mNcK", "mFcW"]);
    let king = random.below(files);
    let mut rows = [Vec::new(), Vec::new(), Vec::new()];
    for file in 0..files {
        rows[0].push(if file == king { 'k' } else { '.' });
        rows[1].push(random.pick(&['p', 'p', '.']));
        rows[2].push(random.pick(&['a', 'A', '.', '.']));
    }
    let [home, pawns, middle] = rows.map(|row| row_text(&row));
    let (whites, white) = (pawns.to_ascii_uppercase(), home.to_ascii_uppercase());
    let mut keys = owned(&[
        ("maxFile", files.to_string()),
        ("maxRank", "7".into()),
        ("pawn", "p".into()),
        ("customPiece1", format!("a:{moves}")),
        ("king", "k".into()),
        ("promotionPieceTypes", "a".into()),
        ("castling", "false".into()),
        ("doubleStepRegionWhite", "*2".into()),
        ("doubleStepRegionBlack", "*6".into()),
        (
            "startFen",
            format!("{home}/{pawns}/{files}/{middle}/{files}/{whites}/{white} w - - 0 1"),
        ),
    ]);
    for side in ["White", "Black"] {
        if random.below(3) > 0 {
            let types = random.pick(&["a", "ap"]);
            keys.push((format!("enPassantTypes{side}"), types.to_string()));
        }
    }
    keys
}

fn without_hand(fields: &mut [String]) {
    let board = fields[0].split('[').next().unwrap_or_default();
    fields[0] = board.to_string();
}

/// Files and ranks of boards beyond the usual.
const LARGE: &[(usize, usize)] = &[
    (16, 8),
    (8, 16),
    (11, 11),
    (12, 10),
    (16, 3),
    (3, 16),
    (14, 9),
];

/// Pieces that come with the format, but for those of janggi.
const BUILT_IN: &[&str] = &[
    "knight",
    "bishop",
    "rook",
    "queen",
    "fers",
    "alfil",
    "fersAlfil",
    "silver",
    "aiwok",
    "bers",
    "archbishop",
    "chancellor",
    "amazon",
    "knibis",
    "biskni",
    "kniroo",
    "rookni",
    "shogiPawn",
    "lance",
    "shogiKnight",
    "gold",
    "dragonHorse",
    "clobber",
    "breakthrough",
    "immobile",
    "cannon",
    "soldier",
    "horse",
    "elephant",
    "banner",
    "wazir",
    "commoner",
    "centaur",
];

/// What makes a side lose its head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Royalty {
    King,
    /// The last of some kind.
    Pseudo,
    Nobody,
}

/// A definition while it is drawn.
struct Draft {
    random: Random,
    small: bool,
    keys: Vec<(String, String)>,
    files: usize,
    ranks: usize,
    /// Name of the key by letter, the king left out.
    pieces: BTreeMap<char, String>,
    royal: Option<char>,
    royalty: Royalty,
    castling: Option<Castling>,
    hands: bool,
    promotes: Vec<(char, char)>,
    gates: bool,
    counts_checks: bool,
    /// Castling rooks start in the hand.
    rooks_in_hand: bool,
    /// Squares that do not exist, as file and rank.
    holes: Vec<(usize, usize)>,
    /// A key says where they are, not the start position.
    holes_by_key: bool,
    /// A letter, and another that the start position writes for it.
    synonym: Option<(char, char)>,
}

/// Files of a castling king and its rooks, with the letters of both and the rank of each side.
#[derive(Clone, Copy, Debug)]
struct Castling {
    king: char,
    rook: char,
    king_file: usize,
    rooks: [Option<usize>; 2],
    rank: usize,
}

impl Draft {
    fn new(seed: u64) -> Draft {
        Draft {
            random: Random(seed),
            small: false,
            keys: Vec::new(),
            files: 0,
            ranks: 0,
            pieces: BTreeMap::new(),
            royal: None,
            royalty: Royalty::Nobody,
            castling: None,
            hands: false,
            promotes: Vec::new(),
            gates: false,
            counts_checks: false,
            rooks_in_hand: false,
            holes: Vec::new(),
            holes_by_key: false,
            synonym: None,
        }
    }

    fn set(&mut self, key: &str, value: impl ToString) {
        self.keys.push((key.to_string(), value.to_string()));
    }

    /// Says `key = true` once in so many times.
    fn maybe(&mut self, key: &str, one_in: usize) -> bool {
        let yes = self.random.one_in(one_in);
        if yes {
            self.set(key, "true");
        }
        yes
    }

    fn has(&self, name: &str) -> bool {
        self.pieces.values().any(|piece| piece == name)
    }

    fn letter_of(&self, name: &str) -> Option<char> {
        let found = self.pieces.iter().find(|(_, piece)| *piece == name);
        found.map(|(&letter, _)| letter)
    }

    /// Letters of all pieces but a royal king.
    fn letters(&self) -> Vec<char> {
        self.pieces.keys().copied().collect()
    }

    fn some_letters(&mut self) -> String {
        let letters = self.letters();
        let count = 1 + self.random.below(letters.len());
        (0..count).map(|_| self.random.pick(&letters)).collect()
    }

    fn draw(&mut self) {
        self.files = self.random.pick(&[3, 4, 4, 5, 5, 6, 6, 7, 8, 8, 9, 10, 12]);
        self.ranks = self.random.pick(&[3, 4, 5, 5, 6, 6, 7, 8, 8, 10]);
        if self.small {
            self.files = self.random.pick(&[3, 3, 4]);
            self.ranks = self.random.pick(&[3, 4, 4, 5]);
        } else if self.random.one_in(12) {
            (self.files, self.ranks) = self.random.pick(LARGE);
        }
        self.set("maxFile", self.files);
        self.set("maxRank", self.ranks);
        self.royalty = self.random.pick(&[
            Royalty::King,
            Royalty::King,
            Royalty::King,
            Royalty::Pseudo,
            Royalty::Nobody,
        ]);
        self.draw_pieces();
        self.draw_pawns();
        self.draw_promotions();
        self.draw_castling();
        self.draw_captures();
        self.draw_hands();
        self.draw_gating();
        self.draw_royalty();
        self.draw_goals();
        self.draw_regions();
        self.draw_board();
        self.draw_progress();
    }

    /// Holes, a cylinder, second letters.
    fn draw_board(&mut self) {
        let blocks = |key: &String| ["flyingGeneral", "gating"].contains(&key.as_str());
        let flat = self.keys.iter().any(|(key, _)| blocks(key));
        if !flat && self.random.one_in(8) {
            self.set("cylinder", "true");
        }
        // A right that a hole makes useless need not be kept.
        if self.castling.is_none() && self.random.one_in(4) {
            for _ in 0..1 + self.random.below(3) {
                let hole = (self.random.below(self.files), self.random.below(self.ranks));
                self.holes.push(hole);
            }
            self.holes_by_key = self.random.one_in(2);
            if self.holes_by_key {
                let name = |&(at, rank): &(usize, usize)| format!("{}{}", file(at), rank + 1);
                let words: Vec<String> = self.holes.iter().map(name).collect();
                self.set("holes", words.join(" "));
            }
        }
        if self.random.one_in(12) {
            let first = self.random.pick(&self.letters());
            let free: Vec<char> = ('a'..='z')
                .filter(|letter| *letter != 'k' && !self.pieces.contains_key(letter))
                .collect();
            if !free.is_empty() {
                let second = self.random.pick(&free);
                self.set("synonyms", format!("{first}:{second}"));
                self.synonym = Some((first, second));
            }
        }
    }

    fn draw_pieces(&mut self) {
        let mut letters: Vec<char> = ('a'..='z').filter(|&letter| letter != 'k').collect();
        let mut next = |random: &mut Random| letters.remove(random.below(letters.len()));
        let count = match self.random.below(15) {
            _ if self.small => 2 + self.random.below(2),
            0 => 12 + self.random.below(13),
            _ => 2 + self.random.below(5),
        };
        let mut custom = 0;
        for index in 0..count {
            let letter = next(&mut self.random);
            let name = if index == 0 && self.random.below(3) > 0 {
                "pawn".to_string()
            } else if self.random.one_in(2) {
                self.random.pick(BUILT_IN).to_string()
            } else {
                custom += 1;
                format!("customPiece{custom}")
            };
            if self.has(&name) {
                continue;
            }
            if name.starts_with("custom") {
                let betza = self.betza();
                self.set(&name, format!("{letter}:{betza}"));
            } else {
                self.set(&name, letter);
            }
            self.pieces.insert(letter, name);
        }
        match self.royalty {
            Royalty::King => {
                if self.random.one_in(3) {
                    let betza = self.betza();
                    self.set("king", format!("k:{betza}"));
                } else {
                    self.set("king", "k");
                }
                self.royal = Some('k');
            }
            Royalty::Pseudo => {
                let name = self.random.pick(&["commoner", "centaur", "wazir", "queen"]);
                if !self.has(name) {
                    self.set(name, "k");
                    self.pieces.insert('k', name.to_string());
                }
                self.royal = self.letter_of(name);
            }
            Royalty::Nobody => {}
        }
    }

    /// Returns a movement of one to three terms.
    fn betza(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.random.below(3) {
            text += &self.term();
        }
        text
    }

    fn term(&mut self) -> String {
        let random = &mut self.random;
        let mode = random.pick(&["", "", "", "m", "m", "c", "c", "im", "ce"]);
        let directions = match random.below(3) {
            0 => random.pick(&[
                "f", "b", "l", "r", "v", "s", "fs", "fb", "ff", "bb", "fl", "fr", "bl", "br", "fh",
                "bh", "lh", "rh", "hl", "hr", "ll", "rr", "lf", "rb", "ffbb", "frbl", "fbs", "rl",
                "flfr",
            ]),
            _ => "",
        };
        let (how, atom) = match random.below(8) {
            0 => (
                "n",
                random.pick(&["N", "A", "D", "Z", "C", "H", "G", "L", "J"]),
            ),
            1 => (
                random.pick(&["p", "p", "g"]),
                random.pick(&["R", "B", "Q", "W0", "N0", "pR3", "FF"]),
            ),
            2 => (
                "",
                random.pick(&[
                    "NN", "AA", "DD", "CC", "WW", "N0", "W2", "F3", "R4", "B2", "Q2", "K3", "N2",
                ]),
            ),
            3 | 4 => ("", random.pick(&["R", "B", "Q"])),
            _ => (
                "",
                random.pick(&["W", "F", "D", "N", "A", "H", "C", "Z", "G", "K", "L", "J"]),
            ),
        };
        match atom.strip_prefix('p') {
            Some(atom) => format!("{mode}{directions}p{atom}"),
            None => format!("{mode}{directions}{how}{atom}"),
        }
    }

    /// Returns a few squares, whole ranks and whole files.
    fn region(&mut self) -> String {
        let mut words = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let file = (b'a' + self.random.below(self.files) as u8) as char;
            let rank = 1 + self.random.below(self.ranks);
            words.push(match self.random.below(5) {
                0 | 1 => format!("*{rank}"),
                2 => format!("{file}*"),
                _ => format!("{file}{rank}"),
            });
        }
        words.join(" ")
    }

    /// Half the board or more.
    fn wide_region(&mut self) -> String {
        let spared = 1 + self.random.below(self.ranks);
        let ranks = (1..=self.ranks).filter(|&rank| rank != spared);
        let words: Vec<String> = ranks.map(|rank| format!("*{rank}")).collect();
        words.join(" ")
    }

    /// The same region for both sides, turned for Black, or two of their own.
    fn for_both(&mut self, key: &str) {
        let white = self.region();
        let black = self.region();
        self.set(&format!("{key}White"), white);
        self.set(&format!("{key}Black"), black);
    }

    fn draw_pawns(&mut self) {
        match self.random.below(5) {
            0 => self.set("doubleStep", "false"),
            1 => self.for_both("doubleStepRegion"),
            2 => {
                let rank = 2 + self.random.below(2);
                self.set("doubleStepRank", rank);
            }
            _ => {
                let (first, last) = (2, self.ranks - 1);
                self.set("doubleStepRegionWhite", format!("*{first}"));
                self.set("doubleStepRegionBlack", format!("*{last}"));
            }
        }
        if self.random.one_in(4) {
            self.for_both("tripleStepRegion");
        }
        match self.random.below(6) {
            0 => self.set("enPassantRegion", "-"),
            1 => {
                let white = self.wide_region();
                self.set("enPassantRegionWhite", white);
            }
            _ => {}
        }
        if self.random.one_in(3) {
            let letters = self.some_letters();
            let key = self.random.pick(&[
                "enPassantTypes",
                "enPassantTypes",
                "enPassantTypesWhite",
                "enPassantTypesBlack",
            ]);
            self.set(key, letters);
        }
    }

    fn draw_promotions(&mut self) {
        match self.random.below(4) {
            0 => self.for_both("promotionRegion"),
            1 => {
                let rank = self.ranks - self.random.below(2);
                self.set("promotionRank", rank);
            }
            _ => {
                let depth = 1 + self.random.below(2);
                let far: Vec<String> = (0..depth).map(|n| format!("*{}", self.ranks - n)).collect();
                let near: Vec<String> = (0..depth).map(|n| format!("*{}", 1 + n)).collect();
                self.set("promotionRegionWhite", far.join(" "));
                self.set("promotionRegionBlack", near.join(" "));
            }
        }
        let pawn = self.letter_of("pawn");
        if self.random.one_in(3) || pawn.is_none() && self.random.one_in(2) {
            let mut letters = self.some_letters();
            letters.extend(pawn);
            match self.random.below(4) {
                0 => self.set("pawnTypes", letters),
                1 => {
                    let mut others = self.some_letters();
                    others.extend(pawn);
                    self.set("promotionPawnTypesWhite", letters);
                    self.set("promotionPawnTypesBlack", others);
                }
                _ => self.set("promotionPawnTypes", letters),
            }
        }
        if self.random.below(8) > 0 {
            let letters = self.some_letters();
            self.set("promotionPieceTypes", letters);
            if self.random.one_in(4) {
                let letters = self.some_letters();
                self.set("promotionPieceTypesBlack", letters);
            }
        }
        let letters = self.letters();
        if self.random.one_in(4) {
            let limits: Vec<String> = (0..2)
                .map(|_| {
                    let letter = self.random.pick(&letters);
                    format!("{letter}:{}", self.random.below(4))
                })
                .collect();
            self.set("promotionLimit", limits.join(" "));
        }
        if self.random.one_in(5) {
            self.set("mandatoryPawnPromotion", "false");
        }
        if self.random.one_in(3) {
            let mut pairs = Vec::new();
            // A unit that becomes a pawn would become other units for ever.
            let pawn = self.keys.iter().find(|(key, _)| *key == "pawn");
            let pawn = pawn.and_then(|(_, letter)| letter.chars().next());
            for _ in 0..1 + self.random.below(3) {
                let (from, to) = (self.random.pick(&letters), self.random.pick(&letters));
                if from == to || Some(to) == pawn || pairs.iter().any(|&(old, _)| old == from) {
                    continue;
                }
                pairs.push((from, to));
            }
            if !pairs.is_empty() {
                let words: Vec<String> = pairs.iter().map(|(a, b)| format!("{a}:{b}")).collect();
                self.set("promotedPieceType", words.join(" "));
                self.promotes = pairs;
                self.maybe("piecePromotionOnCapture", 4);
                self.maybe("mandatoryPiecePromotion", 3);
                self.maybe("pieceDemotion", 3);
            }
        }
        let pawns = self
            .keys
            .iter()
            .any(|(key, _)| key.starts_with("promotionPawnTypes") || key == "pawnTypes");
        if self.has("pawn") && !pawns {
            self.maybe("sittuyinPromotion", 8);
        }
        if self.has("soldier") {
            let rank = 1 + self.random.below(self.ranks);
            self.set("soldierPromotionRank", rank);
        }
        self.maybe("immobilityIllegal", 4);
    }

    fn draw_castling(&mut self) {
        let letters = self.letters();
        let king = match self.royal {
            Some(royal) => royal,
            None => self.random.pick(&letters),
        };
        let rook = self.random.pick(&letters);
        if self.files < 5 || rook == king || self.random.below(3) > 0 {
            self.set("castling", "false");
            return;
        }
        let king_file = self.random.below(self.files);
        let rank = self.random.below(2);
        let mut rooks = [None, None];
        let corners = self.random.one_in(2);
        // The king goes at least two squares, and not beyond the rook.
        if king_file >= 2 && (corners || self.random.below(4) > 0) {
            let rook = match corners {
                true => 0,
                false => self.random.below(king_file - 1),
            };
            let to = rook + self.random.below(king_file - 1 - rook);
            self.set("castlingQueensideFile", file(to));
            if rook > 0 || self.random.one_in(2) {
                self.set("castlingRookQueensideFile", file(rook));
            }
            rooks[0] = Some(rook);
        }
        if king_file + 2 < self.files && (corners || self.random.below(4) > 0) {
            let rook = match corners {
                true => self.files - 1,
                false => king_file + 2 + self.random.below(self.files - king_file - 2),
            };
            let to = king_file + 2 + self.random.below(rook - king_file - 1);
            self.set("castlingKingsideFile", file(to));
            if rook + 1 < self.files || self.random.one_in(2) {
                self.set("castlingRookKingsideFile", file(rook));
            }
            rooks[1] = Some(rook);
        }
        if rooks == [None, None] {
            self.set("castling", "false");
            return;
        }
        // A side without its wing's file would get it from the default, off a small board.
        if rooks[0].is_none() {
            self.set("castlingQueensideFile", "a");
        }
        if rooks[1].is_none() {
            self.set("castlingKingsideFile", file(self.files - 1));
        }
        self.set("castlingKingFile", file(king_file));
        if rank > 0 {
            self.set("castlingRank", rank + 1);
        }
        if king != 'k' || self.royalty != Royalty::King {
            if self.random.one_in(3) {
                self.set("castlingKingPieceWhite", king);
                self.set("castlingKingPieceBlack", king);
            } else {
                self.set("castlingKingPiece", king);
            }
        }
        match self.random.below(4) {
            0 => self.set("castlingRookPiece", rook),
            1 => {
                let other = self.random.pick(&letters);
                self.set("castlingRookPiecesWhite", rook);
                self.set("castlingRookPiecesBlack", format!("{rook}{other}"));
            }
            _ => self.set("castlingRookPieces", rook),
        }
        self.maybe("oppositeCastling", 4);
        if self.random.one_in(5) {
            let wings = [(1, 'K'), (0, 'Q')].into_iter();
            let mut letters: Vec<char> = wings
                .filter(|(wing, _)| rooks[*wing].is_some())
                .flat_map(|(_, letter)| [letter, letter.to_ascii_lowercase()])
                .collect();
            while letters.len() > 1 && self.random.one_in(2) {
                letters.remove(self.random.below(letters.len()));
            }
            self.set("castlingWins", letters.iter().collect::<String>());
        }
        self.castling = Some(Castling {
            king,
            rook,
            king_file,
            rooks,
            rank,
        });
    }

    fn draw_captures(&mut self) {
        let blasts = self.royalty != Royalty::King && self.maybe("blastOnCapture", 3);
        if blasts && self.royalty == Royalty::Nobody && self.random.one_in(2) {
            let letters = self.some_letters();
            self.set("blastImmuneTypes", letters);
        }
        if self.royalty == Royalty::Nobody && self.random.one_in(3) {
            let letters = self.some_letters();
            self.set("mutuallyImmuneTypes", letters);
        } else if self.royalty == Royalty::King && self.files == 7 {
            // A royal king is never immune, but all other kinds may be.
            let letters = self.letters().into_iter().filter(|letter| *letter != 'k');
            let letters: String = letters.collect();
            self.set("mutuallyImmuneTypes", letters);
        }
        self.maybe("mustCapture", 5);
    }

    fn draw_hands(&mut self) {
        if self.random.below(3) > 0 {
            return;
        }
        self.hands = true;
        self.set("pieceDrops", "true");
        if self.random.below(4) > 0 {
            self.set("capturesToHand", "true");
            self.maybe("dropLoop", 3);
        }
        match self.random.below(6) {
            0 => self.for_both("dropRegion"),
            1 => {
                let (white, black) = (self.wide_region(), self.region());
                self.set("dropRegionWhite", white);
                self.set("blackDropRegion", black);
            }
            _ => {}
        }
        if self.has("pawn") {
            self.maybe("firstRankPawnDrops", 3);
            self.maybe("promotionZonePawnDrops", 3);
        }
        let letters = self.letters();
        if self.random.one_in(4) {
            let letter = self.random.pick(&letters);
            self.set("dropNoDoubled", letter);
            if self.random.one_in(3) {
                self.set("dropNoDoubledCount", 2);
            }
        }
        if !self.promotes.is_empty() {
            self.maybe("dropPromoted", 2);
        }
        if self.has("shogiPawn") {
            self.maybe("shogiPawnDropMateIllegal", 2);
        }
        if self.has("rook") {
            self.maybe("sittuyinRookDrop", 3);
        }
        if self.has("bishop") {
            self.maybe("dropOppositeColoredBishop", 3);
        }
        if self.royalty == Royalty::King && self.random.one_in(4) {
            self.set("dropChecks", "false");
        }
        let captures = self.keys.iter().any(|(key, _)| key == "mustCapture");
        if !captures && self.maybe("mustDrop", 5) && self.random.one_in(2) {
            let letter = self.random.pick(&letters);
            self.set("mustDropType", letter);
        }
        // FENs can say which rook has the right only if it stands where rooks start from: in the corners.
        let corners = [Some(0), Some(self.files - 1)];
        if self
            .castling
            .is_some_and(|castling| castling.rooks == corners)
        {
            self.set("castlingDroppedPiece", "true");
            self.rooks_in_hand = true;
        }
    }

    fn draw_gating(&mut self) {
        // The eleventh file has the letter of a castling right.
        if self.files > 10 {
            return;
        }
        match self.random.below(10) {
            0 => {
                self.gates = true;
                self.set("gating", "true");
                self.set("seirawanGating", "true");
                self.hands = true;
            }
            1 if self.has("fers") || self.royalty == Royalty::King => {
                self.gates = true;
                self.set("gating", "true");
                self.set("cambodianMoves", "true");
            }
            _ => {}
        }
    }

    fn draw_royalty(&mut self) {
        match self.royalty {
            Royalty::King => {
                if self.random.one_in(8) {
                    self.set("checking", "false");
                } else if self.maybe("checkCounting", 5) {
                    self.counts_checks = true;
                }
                self.maybe("flyingGeneral", 5);
                self.maybe("makpongRule", 5);
                self.maybe("shatarMateRule", 12);
            }
            Royalty::Pseudo => {
                self.set("extinctionPseudoRoyal", "true");
                self.set("extinctionValue", "loss");
                let mut letters: String = self.royal.into_iter().collect();
                if self.random.one_in(3) {
                    letters += &self.some_letters();
                } else if self.random.one_in(8) {
                    letters.push('*');
                }
                self.set("extinctionPieceTypes", letters);
                if self.random.one_in(3) {
                    let count = self.random.below(3);
                    self.set("extinctionPieceCount", count);
                }
                if !self.keys.iter().any(|(key, _)| key == "blastOnCapture") {
                    self.maybe("dupleCheck", 3);
                }
                if self.maybe("checkCounting", 5) {
                    self.counts_checks = true;
                }
            }
            Royalty::Nobody => {}
        }
        if self.random.one_in(8) {
            let key = self.random.pick(&[
                "pass",
                "passWhite",
                "passBlack",
                "passOnStalemate",
                "passOnStalemateWhite",
                "passOnStalemateBlack",
            ]);
            self.set(key, "true");
        }
    }

    fn draw_goals(&mut self) {
        let value = |random: &mut Random| random.pick(&["win", "loss", "draw"]);
        if self.random.one_in(2) {
            let text = value(&mut self.random);
            self.set("stalemateValue", text);
            self.maybe("stalematePieceCount", 3);
        }
        if self.random.one_in(4) {
            let text = value(&mut self.random);
            self.set("checkmateValue", text);
        }
        if self.random.one_in(6) {
            let text = self
                .random
                .pick(&["whitedrawodds", "blackdrawodds", "unweighted"]);
            self.set("materialCounting", text);
        }
        self.maybe("adjudicateFullBoard", 8);
        if self.royalty != Royalty::Pseudo && self.random.one_in(2) {
            let text = value(&mut self.random);
            self.set("extinctionValue", text);
            let letters = match self.random.one_in(3) {
                true => "*".to_string(),
                false => self.some_letters(),
            };
            self.set("extinctionPieceTypes", letters);
            let (count, opponent) = (self.random.below(3), self.random.below(3));
            self.set("extinctionPieceCount", count);
            self.set("extinctionOpponentPieceCount", opponent);
            self.maybe("extinctionClaim", 3);
        }
        if self.random.one_in(3) {
            let mut letters = self.letters();
            letters.extend(self.royal);
            letters.push('*');
            let letter = self.random.pick(&letters);
            if self.random.one_in(4) {
                let other = self.random.pick(&letters);
                self.set("flagPieceWhite", letter);
                self.set("flagPieceBlack", other);
            } else {
                self.set("flagPiece", letter);
            }
            match self.random.below(6) {
                0 => {
                    let region = self.region();
                    self.set("flagRegion", region);
                }
                1 => {
                    let (white, black) = (self.region(), self.region());
                    self.set("whiteFlag", white);
                    self.set("blackFlag", black);
                }
                _ => self.for_both("flagRegion"),
            }
            if self.random.one_in(3) {
                self.set("flagPieceCount", 2);
                self.maybe("flagPieceBlockedWin", 2);
            }
            self.maybe("flagMove", 3);
            let blasts = self.keys.iter().any(|(key, _)| key == "blastOnCapture");
            if !blasts {
                self.maybe("flagPieceSafe", 3);
            }
        }
        if self.random.one_in(4) {
            match self.random.below(5) {
                0 => self.set("connectNxN", 2),
                1 => {
                    let count = 3 + self.random.below(2);
                    self.set("collinearN", count);
                }
                2 => {
                    self.for_both("connectRegion1");
                    self.for_both("connectRegion2");
                }
                _ => {
                    let count = 3 + self.random.below(2);
                    self.set("connectN", count);
                }
            }
            if self.random.one_in(3) {
                let text = value(&mut self.random);
                self.set("connectValue", text);
            }
            if self.random.one_in(2) {
                let letters = self.some_letters();
                self.set("connectPieceTypes", letters);
            }
            for key in ["connectHorizontal", "connectVertical", "connectDiagonal"] {
                if self.random.one_in(4) {
                    self.set(key, "false");
                }
            }
        }
    }

    /// The n-move rule, short enough to end games.
    fn draw_progress(&mut self) {
        // Numbers of its own: other clauses are drawn as if it were not.
        let later = Random(self.random.0);
        self.random = Random(!later.0);
        if self.random.one_in(6) {
            self.draw_n_moves();
        }
        self.random = later;
    }

    fn draw_n_moves(&mut self) {
        self.set("nMoveRuleKept", "true");
        let moves = 1 + self.random.below(4);
        self.set("nMoveRule", moves);
        let key = self.random.pick(&[
            "nMoveRuleTypes",
            "nMoveRuleTypesWhite",
            "nMoveRuleTypesBlack",
        ]);
        if self.random.one_in(2) {
            let letters = self.some_letters();
            self.set(key, letters);
        }
    }

    fn draw_regions(&mut self) {
        let mut names: Vec<String> = self.pieces.values().cloned().collect();
        if self.royalty == Royalty::King {
            names.push("king".to_string());
        }
        for name in names {
            for side in ["White", "Black"] {
                if self.random.one_in(12) {
                    let region = self.wide_region();
                    let upper = name[..1].to_ascii_uppercase();
                    self.set(
                        &format!("mobilityRegion{side}{upper}{}", &name[1..]),
                        region,
                    );
                }
            }
        }
    }

    /// Returns a start position: an array of White's, turned or mirrored for Black.
    fn start(&mut self) -> String {
        let (files, ranks) = (self.files, self.ranks);
        let mut board = vec![vec!['.'; files]; ranks];
        let turned = self.castling.is_none() && self.random.one_in(2);
        let across = move |file: usize| if turned { files - 1 - file } else { file };
        for &(file, rank) in &self.holes {
            board[rank][file] = '*';
        }
        let put = |board: &mut Vec<Vec<char>>, rank: usize, file: usize, letter: char| {
            board[rank][file] = letter.to_ascii_uppercase();
            board[ranks - 1 - rank][across(file)] = letter;
        };
        if let Some(castling) = self.castling {
            put(&mut board, castling.rank, castling.king_file, castling.king);
            for rook in castling.rooks.into_iter().flatten() {
                // The home of a rook in hand is kept free of others for the time being.
                let letter = if self.rooks_in_hand {
                    '!'
                } else {
                    castling.rook
                };
                put(&mut board, castling.rank, rook, letter);
            }
        } else if let Some(royal) = self.royal {
            let file = self.random.below(files);
            put(&mut board, 0, file, royal);
        }
        let letters = self.letters();
        let depth = if self.small {
            1
        } else {
            (ranks / 2).clamp(1, 3)
        };
        let sparse = if self.small {
            3
        } else {
            1 + self.random.below(3)
        };
        for rank in 0..depth {
            for file in 0..files {
                if board[rank][file] == '.'
                    && board[ranks - 1 - rank][across(file)] == '.'
                    && self.random.one_in(sparse)
                {
                    let letter = self.random.pick(&letters);
                    put(&mut board, rank, file, letter);
                }
            }
        }
        for cell in board.iter_mut().flatten().filter(|cell| **cell == '!') {
            *cell = '.';
        }
        let rights = self.rights(&board);
        for cell in board.iter_mut().flatten() {
            match self.synonym {
                _ if *cell == '*' && self.holes_by_key => *cell = '.',
                Some((first, second)) if *cell == first => *cell = second,
                Some((first, second)) if *cell == first.to_ascii_uppercase() => {
                    *cell = second.to_ascii_uppercase();
                }
                _ => {}
            }
        }
        let rows: Vec<String> = board.iter().rev().map(|row| row_text(row)).collect();
        let mut fen = rows.join("/");
        if self.hands {
            let count = self.random.below(4);
            let mut hand: String = (0..count).map(|_| self.random.pick(&letters)).collect();
            if let Some(castling) = self.castling.filter(|_| self.rooks_in_hand) {
                hand.extend([castling.rook, castling.rook]);
            }
            fen += &format!("[{}{hand}]", hand.to_ascii_uppercase());
        }
        fen += &format!(" w {rights} -");
        if self.counts_checks {
            fen += &format!(" {}+{}", 1 + self.random.below(3), 1 + self.random.below(3));
        }
        fen + " 0 1"
    }

    /// Returns the castling field: rights, and gates where there are any.
    fn rights(&mut self, board: &[Vec<char>]) -> String {
        let mut rights = String::new();
        if let Some(castling) = self.castling.filter(|_| !self.rooks_in_hand) {
            let wings = [(1, 'K'), (0, 'Q')];
            for (wing, letter) in wings {
                if castling.rooks[wing].is_some() && self.random.below(8) > 0 {
                    rights.push(letter);
                }
            }
        }
        if self.gates {
            let rank = self.castling.map_or(0, |castling| castling.rank);
            for (file, &letter) in board[rank].iter().enumerate() {
                let castles = self.castling.is_some_and(|castling| {
                    castling.king_file == file || castling.rooks.contains(&Some(file))
                });
                let taken = letter == '.' || letter == '*';
                if !taken && !castles && self.random.below(4) > 0 {
                    rights.push((b'A' + file as u8) as char);
                }
            }
        }
        match rights.is_empty() {
            true => "-".to_string(),
            false => format!("{rights}{}", rights.to_ascii_lowercase()),
        }
    }
}

/// Returns a file's letter.
fn file(file: usize) -> char {
    (b'a' + file as u8) as char
}

/// Returns the squares of a rank of a FEN.
fn row_of(text: &str) -> Vec<char> {
    let mut row = Vec::new();
    for part in text.split_inclusive(|c: char| !c.is_ascii_digit()) {
        let digits = part.trim_end_matches(|c: char| !c.is_ascii_digit());
        let vacant = digits.parse().unwrap_or(0);
        row.extend(std::iter::repeat_n('.', vacant));
        row.extend(part[digits.len()..].chars());
    }
    row
}

/// Returns a rank of a FEN.
pub fn row_text(row: &[char]) -> String {
    let mut text = String::new();
    for stretch in row.chunk_by(|a, b| a == b) {
        match stretch[0] {
            '.' => text += &stretch.len().to_string(),
            _ => text.extend(stretch),
        }
    }
    text
}
