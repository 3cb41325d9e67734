//! A definition back to text: all keys with their values, a section that reads as the same definition.

use crate::resolver::{NoneCompiled, ROOTS, read};
use crate::slots;
use crate::{
    CastlingRights, ChasingRule, CountingRule, Definition, EnclosingRule, MaterialCounting,
    PieceSet, PieceType, Region, Value, WallingRule,
};
use board::Square;
use std::sync::OnceLock;

/// A key and its value.
pub type Line = (String, String);

impl Definition {
    /// Returns every key but those of pieces, with the value that the definition gives it, in the order of
    /// the format's own list. Aliases are left out.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let mut put = |key: &str, value: String| lines.push((key.to_owned(), value));
        let flag = |b: bool| b.to_string();
        put("maxRank", self.board.ranks().to_string());
        put("maxFile", self.board.files().to_string());
        put("holes", self.holes());
        put("cylinder", flag(self.board.wraps()));
        put("synonyms", self.synonyms());
        put("chess960", flag(self.chess960));
        put("twoBoards", flag(self.drops.two_boards));
        put("startFen", self.start_fen.clone());
        for piece in &self.pieces {
            for (side, mobility) in ["White", "Black"].iter().zip(piece.mobility) {
                if let Some(region) = mobility {
                    let slot = slots::slot(&piece.name).unwrap_or_default();
                    put(
                        &format!("mobilityRegion{side}{}", slots::capitalized(slot)),
                        self.squares_text(region),
                    );
                }
            }
        }
        let sides = |key: &str| [format!("{key}White"), format!("{key}Black")];
        let mut regions = |key: &str, regions: [Region; 2]| {
            for (key, region) in sides(key).iter().zip(regions) {
                lines.push((key.clone(), self.squares_text(region)));
            }
        };
        regions("promotionRegion", self.promotion.region);
        regions("doubleStepRegion", self.pawns.double_step);
        regions("tripleStepRegion", self.pawns.triple_step);
        regions("enPassantRegion", self.en_passant.region);
        regions("dropRegion", self.drops.region);
        regions("wallingRegion", self.walling.region);
        regions("flagRegion", self.flag.region);
        regions("connectRegion1", self.connection.region_a);
        regions("connectRegion2", self.connection.region_b);
        let mut types = |key: &str, types: [PieceSet; 2]| {
            for (key, set) in sides(key).iter().zip(types) {
                lines.push((key.clone(), self.letters_text(set)));
            }
        };
        types("promotionPieceTypes", self.promotion.choices);
        types("enPassantTypes", self.en_passant.types);
        types("castlingRookPieces", self.castling.rooks);
        types("nMoveRuleTypes", self.history.n_move_types);
        for (side, key) in sides("promotionPawnTypes").into_iter().enumerate() {
            // The main pawn is the last of the list.
            let mut list: Vec<PieceType> = self.promotion.pawns[side].iter().collect();
            if let Some(main) = self.promotion.main_pawn[side] {
                list.retain(|&p| p != main);
                list.push(main);
            }
            let text: String = list.iter().map(|&p| self.letter(p)).collect();
            lines.push((key, if text.is_empty() { "-".into() } else { text }));
        }
        let mut put = |key: &str, value: String| lines.push((key.to_owned(), value));
        let p = &self.promotion;
        put("sittuyinPromotion", flag(p.sittuyin));
        put("promotionLimit", self.limits());
        put("promotedPieceType", self.promoted());
        put("piecePromotionOnCapture", flag(p.by_capture_only));
        put("mandatoryPawnPromotion", flag(p.mandatory_for_pawns));
        put("mandatoryPiecePromotion", flag(p.mandatory_for_pieces));
        put("pieceDemotion", flag(p.demotion));
        let c = &self.captures;
        put("blastOnCapture", flag(c.blast));
        put("blastImmuneTypes", self.letters_text(c.immune));
        put("mutuallyImmuneTypes", self.letters_text(c.mutually_immune));
        put("petrifyOnCaptureTypes", self.letters_text(c.petrify));
        put("petrifyBlastPieces", flag(c.petrify_blast));
        put("doubleStep", flag(self.pawns.double_step != [0; 2]));
        let c = &self.castling;
        let file = |file: u8| match file {
            0..26 => ((b'a' + file) as char).to_string(),
            _ => file.to_string(),
        };
        put("castling", flag(c.enabled));
        put("castlingDroppedPiece", flag(c.dropped));
        put("castlingKingsideFile", file(c.kingside_file));
        put("castlingQueensideFile", file(c.queenside_file));
        put("castlingRank", (c.rank + 1).to_string());
        put("castlingKingFile", file(c.king_file));
        for (side, key) in sides("castlingKingPiece").into_iter().enumerate() {
            put(&key, self.one(c.king[side]));
        }
        put("castlingRookKingsideFile", file(c.rook_kingside_file));
        put("castlingRookQueensideFile", file(c.rook_queenside_file));
        put("oppositeCastling", flag(c.opposite));
        put("castlingWins", rights(c.wins));
        put("checking", flag(self.checks.allowed));
        let d = &self.drops;
        put("dropChecks", flag(d.checks));
        put("mustCapture", flag(self.captures.mandatory));
        put("mustDrop", flag(d.must_drop));
        put("mustDropType", self.one(d.must_drop_type));
        put("pieceDrops", flag(d.enabled));
        put("dropLoop", flag(d.keep_promoted));
        put("capturesToHand", flag(d.captures_to_hand));
        put("firstRankPawnDrops", flag(d.pawns_on_first_rank));
        put("promotionZonePawnDrops", flag(d.pawns_in_zone));
        put("enclosingDrop", enclosing(d.enclosing));
        put("enclosingDropStart", self.squares_text(d.enclosing_start));
        put("sittuyinRookDrop", flag(d.rooks_on_first_rank));
        put("dropOppositeColoredBishop", flag(d.opposite_bishops));
        put("dropPromoted", flag(d.promoted));
        put("dropNoDoubled", self.one(d.no_doubled));
        put("dropNoDoubledCount", d.no_doubled_count.to_string());
        put("immobilityIllegal", flag(self.checks.immobility_illegal));
        put("gating", flag(self.gating.enabled));
        put("wallingRule", walling(self.walling.rule).into());
        put("wallOrMove", flag(self.walling.or_move));
        put("seirawanGating", flag(self.gating.seirawan));
        put("cambodianMoves", flag(self.gating.cambodian));
        put(
            "diagonalLines",
            self.squares_text(self.checks.diagonal_lines),
        );
        for (side, color) in ["White", "Black"].iter().enumerate() {
            put(&format!("pass{color}"), flag(self.passing.allowed[side]));
            put(
                &format!("passOnStalemate{color}"),
                flag(self.passing.on_stalemate[side]),
            );
            put(
                &format!("flagPiece{color}"),
                match self.flag.nobody[side] {
                    // A kind that the variant does not have has no letter: an empty region says the same.
                    true => "*".into(),
                    false => self.one(self.flag.piece[side]),
                },
            );
        }
        put("makpongRule", flag(self.checks.makpong));
        put("flyingGeneral", flag(self.checks.flying_general));
        put(
            "soldierPromotionRank",
            (self.checks.soldier_rank + 1).to_string(),
        );
        put("flipEnclosedPieces", enclosing(d.flip));
        let h = &self.history;
        put("nMoveRule", h.n_move_rule.to_string());
        put("nMoveRuleKept", flag(h.n_move_kept));
        put("nFoldRule", h.n_fold_rule.to_string());
        put("nFoldValue", value(h.n_fold_value).into());
        put("nFoldValueAbsolute", flag(h.n_fold_absolute));
        put("perpetualCheckIllegal", flag(h.perpetual_check_illegal));
        put("moveRepetitionIllegal", flag(h.move_repetition_illegal));
        put(
            "chasingRule",
            match h.chasing {
                None => "none".into(),
                Some(ChasingRule::Axf) => "axf".into(),
            },
        );
        put("stalemateValue", value(self.no_turn.stalemate).into());
        put("stalematePieceCount", flag(self.no_turn.piece_count));
        put("checkmateValue", value(self.no_turn.checkmate).into());
        put("shogiPawnDropMateIllegal", flag(d.shogi_pawn_mate_illegal));
        put("shatarMateRule", flag(self.checks.shatar));
        put("bikjangRule", flag(self.checks.bikjang));
        let e = &self.extinction;
        put("extinctionValue", e.value.map_or("none", value).into());
        put("extinctionClaim", flag(e.claim));
        put("extinctionPseudoRoyal", flag(e.pseudo_royal));
        put("dupleCheck", flag(e.duple_check));
        put("extinctionPieceTypes", {
            let kinds = self.letters_text(e.types);
            match (e.total, e.types.is_empty()) {
                (true, true) => "*".into(),
                (true, false) => format!("*{kinds}"),
                _ => kinds,
            }
        });
        put("extinctionPieceCount", e.count.to_string());
        put("extinctionOpponentPieceCount", e.opponent_count.to_string());
        put("flagPieceCount", self.flag.count.to_string());
        put("flagPieceBlockedWin", flag(self.flag.blocked_wins));
        put("flagMove", flag(self.flag.extra_move));
        put("flagPieceSafe", flag(self.flag.safe));
        put("checkCounting", flag(self.checks.counting));
        let c = &self.connection;
        put("connectN", c.in_a_row.to_string());
        put(
            "connectPieceTypes",
            match c.types == PieceSet::first(self.pieces.len()) {
                true => "*".into(),
                false => self.letters_text(c.types),
            },
        );
        put("connectHorizontal", flag(c.horizontal));
        put("connectVertical", flag(c.vertical));
        put("connectDiagonal", flag(c.diagonal));
        put("connectNxN", c.square.to_string());
        put("collinearN", c.collinear.to_string());
        put("connectValue", value(c.value).into());
        put(
            "materialCounting",
            match self.ended.material {
                None => "none",
                Some(MaterialCounting::Janggi) => "janggi",
                Some(MaterialCounting::Unweighted) => "unweighted",
                Some(MaterialCounting::WhiteDrawOdds) => "whitedrawodds",
                Some(MaterialCounting::BlackDrawOdds) => "blackdrawodds",
            }
            .into(),
        );
        put("adjudicateFullBoard", flag(self.ended.full_board));
        put(
            "countingRule",
            match h.counting {
                None => "none",
                Some(CountingRule::Makruk) => "makruk",
                Some(CountingRule::Cambodian) => "cambodian",
                Some(CountingRule::Asean) => "asean",
            }
            .into(),
        );
        lines
    }

    /// Returns a section that reads as this definition, whose parent is `chess`: only what differs is said.
    pub fn section(&self) -> String {
        let mut text = String::new();
        let chess = chess();
        for piece in &chess.pieces {
            if self.named(&piece.name).is_none() {
                text.push_str(&format!("{} = -\n", piece.name));
            }
        }
        for piece in &self.pieces {
            let slot = slots::slot(&piece.name).unwrap_or_default();
            let letter = (piece.letter as char).to_ascii_lowercase();
            let own = chess.pieces.iter().find(|p| p.name == piece.name);
            let orthodox =
                own.is_some_and(|p| p.letter == piece.letter && p.movement == piece.movement);
            if orthodox {
                continue;
            }
            text.push_str(&match slots::is_written(slot) {
                true => format!("{} = {letter}:{}\n", piece.name, piece.movement),
                false => format!("{} = {letter}\n", piece.name),
            });
        }
        // What the pieces and the board alone would mean.
        let mut frame = format!("[frame:chess]\n{text}");
        let all = self.lines();
        let orthodox_lines = chess.lines();
        for (key, value) in &all {
            if ["maxRank", "maxFile", "holes", "startFen"].contains(&key.as_str()) {
                let differs = orthodox_lines.iter().all(|(k, v)| k != key || v != value);
                if differs {
                    frame.push_str(&format!("{key} = {value}\n"));
                }
            }
        }
        // Errors of contradiction do not matter to a frame; what cannot be read says all.
        let plain = read(frame.as_bytes(), &NoneCompiled);
        let plain = plain
            .definitions()
            .next()
            .map(Definition::lines)
            .unwrap_or_default();
        for (key, value) in &all {
            let same = plain.iter().any(|line| line.0 == *key && line.1 == *value);
            let orthodox = orthodox_lines
                .iter()
                .any(|line| line.0 == *key && line.1 == *value);
            let frame = ["maxRank", "maxFile", "holes", "startFen"].contains(&key.as_str());
            // The frame's keys are needed where they differ from chess.
            let needed = if frame { !orthodox } else { !same };
            // Empty regions of steps say already that there are none.
            let implied = key == "doubleStep" && self.pawns.double_step == [0; 2];
            if needed && !implied && !(value.is_empty()) {
                text.push_str(&format!("{key} = {value}\n"));
            }
        }
        // The root's names are its own.
        let root = if ROOTS.contains(&self.name.as_str()) {
            "own-"
        } else {
            ""
        };
        format!("[{root}{}:chess]\n{text}", self.name)
    }

    fn letter(&self, piece: PieceType) -> char {
        (self.pieces[piece.index()].letter as char).to_ascii_lowercase()
    }

    fn one(&self, piece: Option<PieceType>) -> String {
        piece.map_or("*".into(), |p| self.letter(p).to_string())
    }

    /// Returns the letters of a set, `-` for none.
    pub fn letters_text(&self, set: PieceSet) -> String {
        match set.is_empty() {
            true => "-".into(),
            false => set.iter().map(|p| self.letter(p)).collect(),
        }
    }

    /// Returns the squares of a region: whole ranks as `*4`, the rest one by one; `-` for none.
    pub fn squares_text(&self, region: Region) -> String {
        let (files, ranks) = (self.board.files(), self.board.ranks());
        let mut words = Vec::new();
        for rank in 0..ranks {
            let row: Vec<Square> = (0..files)
                .map(|file| self.board.square(file, rank))
                .filter(|&s| self.board.exists(s))
                .collect();
            let has = |s: &&Square| region >> s.0 & 1 == 1;
            let count = row.iter().filter(has).count();
            match count {
                0 => {}
                _ if count == row.len() => words.push(format!("*{}", rank + 1)),
                _ => words.extend(row.iter().filter(has).map(|&s| self.board.name(s))),
            }
        }
        match words.is_empty() {
            true => "-".into(),
            false => words.join(" "),
        }
    }

    fn holes(&self) -> String {
        // `squares_text` never names a hole: they are named here.
        let names: Vec<String> = (0..self.board.len() as u8)
            .filter(|&i| self.board.holes() >> i & 1 == 1)
            .map(|i| self.board.name(Square(i)))
            .collect();
        match names.is_empty() {
            true => "-".into(),
            false => names.join(" "),
        }
    }

    fn synonyms(&self) -> String {
        let pair = |p: &crate::Piece| {
            let second = p.synonym?;
            Some(format!("{}:{}", p.letter as char, second as char).to_ascii_lowercase())
        };
        let words: Vec<String> = self.pieces.iter().filter_map(pair).collect();
        words.join(" ")
    }

    fn limits(&self) -> String {
        let words: Vec<String> = (self.pieces.iter().zip(&self.promotion.limits))
            .filter(|&(_, &limit)| limit > 0)
            .map(|(p, limit)| format!("{}:{limit}", (p.letter as char).to_ascii_lowercase()))
            .collect();
        words.join(" ")
    }

    fn promoted(&self) -> String {
        let words: Vec<String> = (self.pieces.iter().zip(&self.promotion.promoted))
            .filter_map(|(p, to)| {
                let letter = (p.letter as char).to_ascii_lowercase();
                to.map(|to| format!("{letter}:{}", self.letter(to)))
            })
            .collect();
        words.join(" ")
    }
}

/// Orthodox chess as a definition.
pub fn chess() -> &'static Definition {
    static CHESS: OnceLock<Definition> = OnceLock::new();
    CHESS.get_or_init(|| {
        let book = read(b"[orthodox:chess]\n", &NoneCompiled);
        let definition = book.definitions().next().cloned();
        definition.expect("orthodox chess has no errors")
    })
}

fn value(value: Value) -> &'static str {
    match value {
        Value::Win => "win",
        Value::Loss => "loss",
        Value::Draw => "draw",
    }
}

fn rights(rights: CastlingRights) -> String {
    let letters = [
        ('K', rights.kingside[0]),
        ('Q', rights.queenside[0]),
        ('k', rights.kingside[1]),
        ('q', rights.queenside[1]),
    ];
    let text: String = letters.iter().filter(|l| l.1).map(|l| l.0).collect();
    match text.is_empty() {
        true => "-".into(),
        false => text,
    }
}

fn enclosing(rule: Option<EnclosingRule>) -> String {
    match rule {
        None => "none",
        Some(EnclosingRule::Reversi) => "reversi",
        Some(EnclosingRule::Ataxx) => "ataxx",
        Some(EnclosingRule::Quadwrangle) => "quadwrangle",
        Some(EnclosingRule::Snort) => "snort",
        Some(EnclosingRule::AnySide) => "anyside",
        Some(EnclosingRule::Top) => "top",
    }
    .into()
}

fn walling(rule: Option<WallingRule>) -> &'static str {
    match rule {
        None => "none",
        Some(WallingRule::Arrow) => "arrow",
        Some(WallingRule::Duck) => "duck",
        Some(WallingRule::Edge) => "edge",
        Some(WallingRule::Past) => "past",
        Some(WallingRule::Static) => "static",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Book, library};
    use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};

    fn again(definition: &Definition) -> (String, Book) {
        let text = definition.section();
        let book = read(text.as_bytes(), &NoneCompiled);
        (text, book)
    }

    /// Equal but for the names, which printing may change.
    fn assert_same(definition: &Definition) {
        let (text, book) = again(definition);
        let read = book.definitions().next().cloned();
        let mut read = read.unwrap_or_else(|| panic!("{text}\n{:#?}", book.findings));
        read.parent = definition.parent.clone();
        read.name = definition.name.clone();
        assert_eq!(read, *definition, "{text}");
    }

    #[test]
    fn every_definition_of_the_library_prints_as_a_section_that_reads_the_same() {
        for definition in library().definitions() {
            assert_same(definition);
        }
    }

    #[test]
    fn orthodox_chess_is_an_empty_section() {
        assert_eq!(chess().section(), "[orthodox:chess]\n");
    }

    /// A section of random keys with values of the right type.
    #[derive(Clone, Debug)]
    struct Random(String);

    fn pick<T: Clone>(g: &mut Gen, list: &[T]) -> T {
        g.choose(list).expect("a list to choose from").clone()
    }

    fn below(g: &mut Gen, n: u32) -> u32 {
        u32::arbitrary(g) % n
    }

    fn betza(g: &mut Gen) -> String {
        let mut text = String::new();
        for _ in 0..1 + below(g, 3) {
            text.push_str(pick(g, &["", "", "m", "c", "i"]));
            text.push_str(pick(
                g,
                &[
                    "", "", "f", "b", "s", "v", "ff", "fs", "rl", "fr", "hl", "fb",
                ],
            ));
            text.push_str(pick(g, &["", "", "", "n", "p", "g"]));
            text.push_str(pick(
                g,
                &[
                    "W", "F", "D", "N", "A", "H", "C", "Z", "G", "K", "R", "B", "Q",
                ],
            ));
            text.push_str(pick(g, &["", "", "", "2", "5", "0"]));
        }
        text
    }

    fn squares(g: &mut Gen, files: u32, ranks: u32) -> String {
        let mut words = Vec::new();
        for _ in 0..below(g, 4) {
            let file = (b'a' + below(g, files) as u8) as char;
            let rank = 1 + below(g, ranks);
            words.push(match below(g, 3) {
                0 => format!("*{rank}"),
                1 => format!("{file}*"),
                _ => format!("{file}{rank}"),
            });
        }
        match words.is_empty() {
            true => "-".into(),
            false => words.join(" "),
        }
    }

    impl Arbitrary for Random {
        fn arbitrary(g: &mut Gen) -> Random {
            use crate::keys::{KEYS, Take};
            let (files, ranks) = (3 + below(g, 8), 3 + below(g, 8));
            let mut text = format!(
                "[a{}]\nmaxFile = {files}\nmaxRank = {ranks}\n",
                pick(g, &["", ":chess"])
            );
            let mut letters = Vec::new();
            for letter in b'a'..=b'z' {
                if below(g, 5) > 0 {
                    continue;
                }
                let letter = letter as char;
                letters.push(letter);
                let n = letters.len();
                text.push_str(&match below(g, 3) {
                    0 => format!("{} = {letter}\n", slots::name(below(g, 30) as usize)),
                    _ => format!("customPiece{n} = {letter}:{}\n", betza(g)),
                });
            }
            letters.push('-');
            let row = format!("{files}/");
            let rows = row.repeat(ranks as usize);
            text.push_str(&format!(
                "startFen = {} w - - 0 1\n",
                rows.trim_end_matches('/')
            ));
            for key in KEYS {
                if key.name == "startFen" || below(g, 4) > 0 {
                    continue;
                }
                let value = match &key.take {
                    Take::Bool(_) => pick(g, &["true", "false"]).to_owned(),
                    Take::Count(_) => below(g, 12).to_string(),
                    Take::Number(_) => below(g, 120).to_string(),
                    Take::Rank(_) => (1 + below(g, ranks)).to_string(),
                    Take::File(_) => (1 + below(g, files)).to_string(),
                    Take::Piece(_) => pick(g, &letters).to_string(),
                    Take::Pieces(_) => (0..1 + below(g, 3)).map(|_| pick(g, &letters)).collect(),
                    Take::Squares(_) => squares(g, files, ranks),
                    Take::Value(_) => pick(g, &["win", "loss", "draw"]).to_owned(),
                    Take::ValueOrNone(_) => pick(g, &["win", "loss", "draw", "none"]).to_owned(),
                    Take::Word(list, _) => pick(g, list).to_owned(),
                    Take::Rights(_) => pick(g, &["-", "K", "Qk", "KQkq"]).to_owned(),
                    Take::Limits(_) => format!("{}:{}", pick(g, &letters), below(g, 9)),
                    Take::Mapping(_) => format!("{}:{}", pick(g, &letters), pick(g, &letters)),
                    Take::Synonyms(_) | Take::Fen(_) | Take::Cosmetic => continue,
                };
                text.push_str(&format!("{} = {value}\n", key.name));
            }
            Random(text)
        }
    }

    #[test]
    fn random_definitions_print_as_sections_that_read_the_same() {
        fn property(random: Random) -> TestResult {
            let book = read(random.0.as_bytes(), &NoneCompiled);
            let Some(definition) = book.definitions().next() else {
                return TestResult::discard();
            };
            let mut definition = definition.clone();
            // A flag piece that the variant does not have has no letter to be written with.
            if definition.flag.nobody != [false; 2] {
                definition.flag.nobody = [false; 2];
            }
            assert_same(&definition);
            TestResult::passed()
        }
        QuickCheck::new()
            .tests(150)
            .max_tests(60_000)
            .quickcheck(property as fn(Random) -> TestResult);
    }

    /// A section of the library or a random one, with bytes changed, lines cut and doubled.
    #[derive(Clone, Debug)]
    struct Mutated(Vec<u8>);

    impl Arbitrary for Mutated {
        fn arbitrary(g: &mut Gen) -> Mutated {
            let library: Vec<&str> = crate::LIBRARY.lines().collect();
            let start = below(g, library.len() as u32) as usize;
            let end = (start + 1 + below(g, 40) as usize).min(library.len());
            let mut text = format!("[a:chess]\n{}\n", library[start..end].join("\n"));
            text.push_str(&Random::arbitrary(g).0);
            let mut bytes = text.into_bytes();
            for _ in 0..1 + below(g, 12) {
                let at = below(g, bytes.len() as u32) as usize;
                let other = below(g, bytes.len() as u32) as usize;
                match below(g, 5) {
                    0 => bytes[at] = u8::arbitrary(g),
                    1 => bytes[at] = bytes[other],
                    2 => bytes.insert(at, pick(g, b"[]:=*+-/0159aZ~\n\xff\xc3")),
                    3 => {
                        bytes.remove(at);
                    }
                    _ => {
                        let part = bytes[at.min(other)..at.max(other)].to_vec();
                        bytes.splice(at..at, part.into_iter().take(200));
                    }
                }
                if bytes.is_empty() {
                    bytes.push(b'[');
                }
            }
            Mutated(bytes)
        }
    }

    #[test]
    fn mutated_files_never_panic_and_errors_leave_no_definition() {
        fn property(file: Mutated) -> bool {
            let book = read(&file.0, &NoneCompiled);
            let errors = (book.findings.iter()).filter(|f| f.severity == crate::Severity::Error);
            book.sections.iter().all(|s| {
                let name = &s.section.name.text;
                let mut errors = errors.clone();
                let error = errors.any(|f| f.section.as_ref().is_none_or(|s| s == name));
                // Every definition can be printed.
                let printed = s.definition.as_ref().map(Definition::section);
                s.definition.is_some() != error && printed.is_none_or(|t| !t.is_empty())
            })
        }
        QuickCheck::new()
            .tests(200)
            .quickcheck(property as fn(Mutated) -> bool);
    }
}
