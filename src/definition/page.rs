//! A definition in words: what differs from orthodox chess, the pieces, how games end, what is left out.

use crate::print::chess;
use crate::words::join;
use crate::{Definition, MaterialCounting, PieceSet, Value};
use board::Color;
use std::fmt::Write;

impl Definition {
    /// Returns what differs from orthodox chess, clause by clause in the order of the format's keys: what
    /// FIDE's laws say of it, and what holds here. Pieces and goals apart.
    pub fn differences(&self) -> Vec<(&'static str, String)> {
        let orthodox = chess();
        let old = orthodox.lines();
        let mut clauses = Vec::new();
        if self.board.size() != orthodox.board.size() {
            clauses.push(("8x8", format!("{}, files by ranks", self.board.size())));
        }
        let same = |key: &str, value: &str| old.iter().any(|(k, v)| k == key && v == value);
        let lines = self.lines();
        let mut shown: Vec<String> = Vec::new();
        for (key, value) in &lines {
            if shown.contains(key) || self.is_idle(key) {
                continue;
            }
            // One sentence for both sides, where it can be said in one.
            if let Some(stem) = key.strip_suffix("White") {
                let other = format!("{stem}Black");
                let black = lines.iter().find(|(k, _)| *k == other).map(|(_, v)| v);
                if let Some(black) = black
                    && !(same(key, value) && same(&other, black))
                    && let Some(words) = self.both(stem, value, black)
                {
                    shown.push(other);
                    clauses.push((fide(stem), words));
                    continue;
                }
            }
            if same(key, value) {
                continue;
            }
            if let Some(words) = self.clause(key, value) {
                clauses.push((fide(key), words));
            }
        }
        clauses
    }

    /// Returns whether a key says nothing here, or on this board what orthodox chess says on its own.
    fn is_idle(&self, key: &str) -> bool {
        let files = u32::from(self.board.files());
        let rank = |n: u8| {
            let row = (1u128 << files) - 1;
            row << (u32::from(n) * files) & self.squares()
        };
        let ranks = self.board.ranks();
        let stem = key.trim_end_matches("White").trim_end_matches("Black");
        match stem {
            "promotionRegion" => self.promotion.region == [rank(ranks - 1), rank(0)],
            "doubleStepRegion" => ranks > 2 && self.pawns.double_step == [rank(1), rank(ranks - 2)],
            "enPassantRegion" => self.en_passant.region == [self.squares(); 2],
            "wallingRegion" => self.walling.rule.is_none(),
            "dropRegion" => !self.has_hands() || self.drops.region == [self.squares(); 2],
            "castlingRookKingsideFile" => {
                !self.castling.enabled || self.castling.rook_kingside_file + 1 == self.board.files()
            }
            "castling" => false,
            _ if stem.starts_with("castling") && stem != "castlingWins" => !self.castling.enabled,
            "dropChecks"
            | "mustDrop"
            | "mustDropType"
            | "dropLoop"
            | "firstRankPawnDrops"
            | "promotionZonePawnDrops"
            | "sittuyinRookDrop"
            | "dropOppositeColoredBishop"
            | "dropPromoted"
            | "dropNoDoubled"
            | "shogiPawnDropMateIllegal" => !self.has_hands(),
            "piecePromotionOnCapture" | "mandatoryPiecePromotion" => {
                self.promotion.promoted.iter().all(Option::is_none) && !self.promotion.demotion
            }
            _ => false,
        }
    }

    /// Returns a clause on both sides, where they say the same.
    fn both(&self, stem: &str, white: &str, black: &str) -> Option<String> {
        let same = white == black;
        Some(match stem {
            "promotionRegion" => format!("promotion zones: White {white}, Black {black}"),
            "doubleStepRegion" if white == "-" && black == "-" => "no double steps".into(),
            "doubleStepRegion" => format!("double steps start from: White {white}, Black {black}"),
            "tripleStepRegion" => format!("triple steps start from: White {white}, Black {black}"),
            "enPassantRegion" if white == "-" && black == "-" => "no en passant".into(),
            "enPassantRegion" => {
                format!("squares of en passant captures: by White {white}, by Black {black}")
            }
            "dropRegion" => format!("drops: White on {white}, Black on {black}"),
            "connectRegion1" | "connectRegion2" | "wallingRegion" => {
                format!("{stem}: White {white}, Black {black}")
            }
            _ if !same => return None,
            "promotionPieceTypes" if white == "-" => "pawns have nothing to become".into(),
            "promotionPieceTypes" => format!("pawns become: {}", self.named_letters(white)),
            "promotionPawnTypes" if white == "-" => {
                "no piece but a `pawn` promotes as pawns do".into()
            }
            "promotionPawnTypes" => {
                format!("these promote as pawns: {}", self.named_letters(white))
            }
            "enPassantTypes" => format!("capture en passant: {}", self.named_letters(white)),
            "castlingRookPieces" => format!("partners in castling: {}", self.named_letters(white)),
            "castlingKingPiece" if white == "*" => "nothing castles".into(),
            "castlingKingPiece" => format!("the piece that castles: {}", self.named_letters(white)),
            "pass" => "either side may pass".into(),
            "passOnStalemate" => "a side without another turn may pass".into(),
            _ => return None,
        })
    }

    /// Returns a clause in words; `None` where another says it.
    fn clause(&self, key: &str, value: &str) -> Option<String> {
        let on = value == "true";
        let yes_no = |yes: &str, no: &str| Some(if on { yes.to_owned() } else { no.to_owned() });
        let text = match key {
            "maxRank" | "maxFile" => return None,
            "holes" => format!("squares that do not exist: {value}"),
            "cylinder" => "the first and the last file touch".into(),
            "startFen" => format!("start: {value}"),
            "synonyms" => format!("FENs may also write: {value}"),
            "twoBoards" => "units in hand come from outside (a second board)".into(),
            "castling" => return yes_no("castling", "no castling"),
            "castlingDroppedPiece" => "dropped kings and rooks gain castling rights".into(),
            "castlingKingsideFile" => format!("castling kingside brings the king to file {value}"),
            "castlingQueensideFile" => {
                format!("castling queenside brings the king to file {value}")
            }
            "castlingRank" => format!("castling happens on each side's rank {value}"),
            "castlingKingFile" => format!("the castling king stands on file {value}"),
            "castlingRookKingsideFile" => {
                format!("the kingside rook is sought from file {value} inward")
            }
            "castlingRookQueensideFile" => {
                format!("the queenside rook is sought from file {value} inward")
            }
            "oppositeCastling" => {
                "after one side has castled, the other may not castle on that wing".into()
            }
            "castlingWins" => format!("castling wins ({value}), losing these rights loses"),
            "sittuyinPromotion" => {
                "pawns promote as in sittuyin, on the spot or one move away".into()
            }
            "promotionLimit" => format!("at most so many of a kind by promotion: {value}"),
            "promotedPieceType" => format!("pieces promote by moves that touch the zone: {value}"),
            "piecePromotionOnCapture" => "these promote by capturing only".into(),
            "mandatoryPawnPromotion" => {
                return yes_no("pawns must promote", "pawns need not promote");
            }
            "mandatoryPiecePromotion" => "pieces that can promote must".into(),
            "pieceDemotion" => "promoted pieces may turn back the same way".into(),
            "blastOnCapture" => {
                "a capture destroys the capturing unit and all units around but pawns".into()
            }
            "blastImmuneTypes" => format!("blasts spare: {}", self.named_letters(value)),
            "mutuallyImmuneTypes" => format!(
                "these never capture their own kind: {}",
                self.named_letters(value)
            ),
            "petrifyOnCaptureTypes" => format!(
                "these turn into walls when they capture: {}",
                self.named_letters(value)
            ),
            "petrifyBlastPieces" => "units destroyed by a blast leave walls".into(),
            "doubleStep" => return None,
            "checking" => {
                return yes_no("checks are allowed", "a turn that gives check is illegal");
            }
            "dropChecks" => return yes_no("drops may give check", "a drop may not give check"),
            "mustCapture" => "who can capture must".into(),
            "mustDrop" => "who can drop must".into(),
            "mustDropType" if self.drops.must_drop => format!(
                "the kind that must be dropped: {}",
                self.named_letters(value)
            ),
            "pieceDrops" => "units in hand may be dropped on empty squares".into(),
            "dropLoop" => "captured promoted units keep their kind".into(),
            "capturesToHand" => "captured units go to the capturer's hand".into(),
            "firstRankPawnDrops" => "pawns may be dropped on the first rank".into(),
            "promotionZonePawnDrops" => "pawns may be dropped in their promotion zone".into(),
            "sittuyinRookDrop" => "rooks are dropped on the first rank only".into(),
            "dropOppositeColoredBishop" => {
                "a side's bishops are dropped on squares of both colors".into()
            }
            "dropPromoted" => "pieces may be dropped promoted".into(),
            "dropNoDoubled" => format!(
                "no {} is dropped on a file with {} of the side's",
                self.named_letters(value),
                self.drops.no_doubled_count
            ),
            "dropNoDoubledCount" => return None,
            "immobilityIllegal" => "no unit goes where it could never move again".into(),
            "gating" if !self.gating.seirawan && !self.gating.cambodian => {
                "files of unmoved units stand in the castling field".into()
            }
            "gating" => return None,
            "seirawanGating" => {
                "units in hand may enter where an unmoved piece leaves its square".into()
            }
            "cambodianMoves" => {
                "an unmoved king may leap once like a knight, an unmoved fers two squares ahead"
                    .into()
            }
            "passWhite" => "White may pass".into(),
            "passBlack" => "Black may pass".into(),
            "passOnStalemateWhite" => "White may pass when it has no other turn".into(),
            "passOnStalemateBlack" => "Black may pass when it has no other turn".into(),
            "makpongRule" => {
                "in check the king may not move but to capture the checking unit".into()
            }
            "flyingGeneral" => "kings may not face each other along an open line".into(),
            "soldierPromotionRank" => format!("soldiers step sideways from rank {value} on only"),
            "shogiPawnDropMateIllegal" => "mate by dropping a shogi pawn loses".into(),
            "shatarMateRule" => {
                "mate by knights alone loses; mate draws if none of the checks that led to it \
                                 without a break came from a rook, `bers` or knight"
                    .into()
            }
            "checkCounting" => "checks are counted, and enough of them win".into(),
            "nMoveRule"
            | "nMoveRuleKept"
            | "nFoldRule"
            | "nFoldValue"
            | "nFoldValueAbsolute"
            | "perpetualCheckIllegal"
            | "moveRepetitionIllegal"
            | "chasingRule"
            | "countingRule"
            | "nMoveRuleTypesWhite"
            | "nMoveRuleTypesBlack" => return None,
            // The goals have a list of their own.
            _ if key.starts_with("extinction")
                || key.starts_with("flag")
                || key.starts_with("connect")
                || key.starts_with("collinear")
                || [
                    "stalemateValue",
                    "stalematePieceCount",
                    "checkmateValue",
                    "dupleCheck",
                    "materialCounting",
                    "adjudicateFullBoard",
                ]
                .contains(&key) =>
            {
                return None;
            }
            _ if key.starts_with("mobilityRegion") => {
                let rest = &key["mobilityRegion".len()..];
                let (side, name) = rest.split_at(5.min(rest.len()));
                format!("{side}'s {} stays on {value}", uncapitalized(name))
            }
            _ => match key
                .strip_suffix("White")
                .map(|k| (k, "White"))
                .or(key.strip_suffix("Black").map(|k| (k, "Black")))
            {
                Some(("promotionPieceTypes", side)) => {
                    format!("{side}'s pawns become: {}", self.named_letters(value))
                }
                Some(("promotionPawnTypes", side)) => format!(
                    "of {side}'s, these promote as pawns: {}",
                    self.named_letters(value)
                ),
                Some(("enPassantTypes", side)) => format!(
                    "of {side}'s, these capture en passant: {}",
                    self.named_letters(value)
                ),
                Some(("castlingRookPieces", side)) => format!(
                    "{side}'s partners in castling: {}",
                    self.named_letters(value)
                ),
                Some(("castlingKingPiece", side)) => {
                    format!("{side}'s piece that castles: {}", self.named_letters(value))
                }
                _ => format!("{key} = {value}"),
            },
        };
        Some(text)
    }

    /// Letters as names of pieces.
    fn named_letters(&self, letters: &str) -> String {
        let names: Vec<String> = (letters.bytes())
            .map(|l| match self.piece_of(l) {
                Some(piece) => self.called(piece.index()),
                None if l == b'*' => "any".into(),
                None => "none".into(),
            })
            .collect();
        join(&names)
    }

    /// Returns what a piece is called: its name, or for custom pieces its letter.
    fn called(&self, index: usize) -> String {
        let piece = &self.pieces[index];
        match piece.name.starts_with("customPiece") {
            true => (piece.letter as char).to_string(),
            false => spaced(&piece.name),
        }
    }

    fn called_set(&self, set: PieceSet) -> String {
        let names: Vec<String> = set.iter().map(|p| self.called(p.index())).collect();
        match names.as_slice() {
            [one, other] => format!("{one} and {other}"),
            _ => join(&names),
        }
    }

    /// Returns how games end, in the order in which it is asked.
    pub fn goals(&self) -> Vec<String> {
        let mut goals = Vec::new();
        let e = &self.extinction;
        let kinds = self.called_set(e.types);
        if e.pseudo_royal && !e.types.is_empty() {
            let royal = match (e.types.len(), e.count) {
                (1, 0) => format!("a side's last {kinds} is royal"),
                (_, 0) => format!("a side's last unit of a kind is royal, if the kind is {kinds}"),
                (_, n) => format!(
                    "units of {kinds} are royal while a side has {} or fewer of the kind",
                    u32::from(n) + 1
                ),
            };
            goals.push(format!("{royal}, never left attacked"));
            if e.duple_check {
                goals.push(format!("all of {kinds} attacked at once is check too"));
            }
        }
        if let Some(value) = e.value.filter(|_| !e.pseudo_royal || self.captures.blast) {
            let what = match (e.total, e.types.len()) {
                (true, 0) => "units".into(),
                (true, _) => format!("units, or of one of these kinds: {kinds},"),
                (_, 1) => kinds.clone(),
                _ => format!("units of one of these kinds: {kinds},"),
            };
            if e.total || !e.types.is_empty() {
                let left = match e.count {
                    0 => format!("has no {what} left"),
                    n => format!("has no more than {n} {what} left"),
                };
                let other = match e.opponent_count {
                    0 => String::new(),
                    n => format!(", while the other has at least {n}"),
                };
                goals.push(format!("a side that {left} {}{other}", verb(value)));
            }
        }
        for color in Color::BOTH {
            let c = color.index();
            if self.flag.region[c] == 0 || self.flag.nobody[c] {
                continue;
            }
            let piece = match self.flag.piece[c] {
                None => "any piece".into(),
                Some(p) => self.called(p.index()),
            };
            let many = match self.flag.count {
                0 | 1 => format!("with {piece} on"),
                n => format!("with {n} of {piece} on"),
            };
            let mut goal = format!(
                "{} wins {many} {}",
                side(color),
                self.squares_text(self.flag.region[c])
            );
            if self.flag.safe {
                goal.push_str(", not attacked");
            }
            if self.flag.extra_move {
                goal.push_str(", after one more turn of the other side");
            }
            goals.push(goal);
        }
        if self.castling.wins != crate::CastlingRights::default() {
            goals.push("castling wins".into());
        }
        if self.checks.counting {
            goals.push("a side that has given all its checks wins".into());
        }
        let c = &self.connection;
        for (n, what) in [(c.in_a_row, "in a row"), (c.collinear, "on one line")] {
            if n > 0 {
                goals.push(format!(
                    "{n} units {what}: the side that made it {}",
                    verb(c.value)
                ));
            }
        }
        if c.square > 0 {
            goals.push(format!(
                "a full square of {0}x{0}: the side that made it {1}",
                c.square,
                verb(c.value)
            ));
        }
        if self.ended.full_board {
            goals.push("a full board ends the game".into());
        }
        if self.quiet_plies() > 0 {
            goals.push(self.quiet_words());
        }
        if self.checks.king.is_some() || (e.pseudo_royal && !e.types.is_empty()) {
            goals.push(format!(
                "checkmate: the side mated {}",
                verb(self.no_turn.checkmate)
            ));
        }
        goals.push(match self.no_turn.piece_count {
            false => format!("no legal turn otherwise: the side to move {}", verb(self.no_turn.stalemate)),
            true => format!(
                "no legal turn otherwise: the side to move {} if it has fewer units, {} if more; as many: a draw",
                verb(self.no_turn.stalemate),
                verb(self.no_turn.stalemate.opposite())
            ),
        });
        match self.ended.material {
            None => {}
            Some(MaterialCounting::Janggi) => goals.push("draws are settled by points".into()),
            Some(MaterialCounting::Unweighted) => {
                goals.push("draws are won by the side with more units".into())
            }
            Some(MaterialCounting::WhiteDrawOdds) => goals.push("draws are White's wins".into()),
            Some(MaterialCounting::BlackDrawOdds) => goals.push("draws are Black's wins".into()),
        }
        if self.passing.allowed.contains(&true) || self.passing.on_stalemate.contains(&true) {
            goals.push("two passes in a row end the game".into());
        }
        goals
    }

    /// Returns the n-move rule in words.
    fn quiet_words(&self) -> String {
        let types = self
            .history
            .n_move_types
            .map(|types| self.called_set(types));
        let steps = match &types {
            [white, black] if white == black => white.clone(),
            [white, black] if black.is_empty() => format!("White's {white}"),
            [white, black] if white.is_empty() => format!("Black's {black}"),
            [white, black] => format!("White's {white} and Black's {black}"),
        };
        let progress = match steps.is_empty() {
            true => "capture, drop, or promotion".into(),
            false => {
                format!("capture, drop, promotion, or step of {steps} that cannot be taken back")
            }
        };
        format!(
            "{} turns of each side without {progress}: a draw, unless the last one mates; the \
             halfmove clock of a FEN counts them",
            self.history.n_move_rule
        )
    }

    /// Returns the rules on the game's past that the definition has and that are left out, as keys with
    /// values.
    pub fn left_out(&self) -> Vec<String> {
        let h = &self.history;
        let mut rules = Vec::new();
        if h.n_move_rule > 0 && !h.n_move_kept {
            rules.push(format!("nMoveRule = {}", h.n_move_rule));
        }
        if h.n_fold_rule > 0 {
            rules.push(format!("nFoldRule = {}", h.n_fold_rule));
        }
        for (on, key) in [
            (h.perpetual_check_illegal, "perpetualCheckIllegal"),
            (h.move_repetition_illegal, "moveRepetitionIllegal"),
            (h.chasing.is_some(), "chasingRule"),
            (h.counting.is_some(), "countingRule"),
        ] {
            if on {
                rules.push(key.into());
            }
        }
        rules
    }

    /// Returns the difference from orthodox chess in one line.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        let orthodox = chess();
        let new = self.summary_of_pieces();
        if !new.is_empty() {
            parts.push(format!("pieces: {}", new.join(", ")));
        }
        let differences = self.differences();
        let told = |d: &(&str, String)| !d.1.starts_with("start: ");
        parts.extend(differences.into_iter().filter(told).map(|(_, here)| here));
        let goals = orthodox.goals();
        parts.extend(
            self.goals()
                .into_iter()
                .filter(|goal| !goals.contains(goal)),
        );
        match parts.is_empty() {
            true => "orthodox chess".into(),
            false => parts.join("; "),
        }
    }

    /// Returns the page of the rule book, in the shape of Markdown: all but options, state, outcomes and an
    /// example, which the rule set made of the definition knows.
    pub fn page(&self) -> String {
        let mut page = format!("# {}\n\n{}.\n\n", self.name, self.summary());
        if let Some(parent) = &self.parent {
            let _ = write!(page, "A definition with the parent `{parent}`.\n\n");
        }
        let _ = write!(
            page,
            "## Against FIDE\n| FIDE | {} |\n|---|---|\n",
            self.name
        );
        let orthodox = chess().goals();
        let own_goals: Vec<String> = self.goals();
        let differences = self.differences();
        for (fide, here) in &differences {
            let _ = writeln!(page, "| {fide} | {here} |");
        }
        if self.summary_of_pieces().is_empty() && differences.is_empty() && own_goals == orthodox {
            page.push_str("| all | the same |\n");
        }
        let pieces = self.summary_of_pieces();
        if !pieces.is_empty() {
            let _ = writeln!(page, "| the orthodox pieces | {} |", pieces.join(", "));
        }
        for goal in own_goals.iter().filter(|goal| !orthodox.contains(goal)) {
            let _ = writeln!(page, "| checkmate wins, stalemate is a draw | {goal} |");
        }
        page.push_str("\n## Pieces\n| letter | piece | Betza | movement |\n|---|---|---|---|\n");
        for piece in &self.pieces {
            let _ = writeln!(
                page,
                "| {} | {} | `{}` | {} |",
                piece.letter as char,
                spaced(&piece.name),
                piece.movement,
                piece.movement.words()
            );
        }
        list(&mut page, "Goals", &own_goals);
        let left_out = self.left_out();
        if !left_out.is_empty() {
            page.push_str(
                "\n## Left out\nRules on the game's past, which a position does not have:\n",
            );
            for rule in left_out {
                let _ = writeln!(page, "* `{rule}`");
            }
        }
        page
    }

    /// Returns the pieces that are not orthodox.
    fn summary_of_pieces(&self) -> Vec<String> {
        let orthodox = chess();
        (self.pieces.iter().enumerate())
            .filter(|(_, p)| {
                !orthodox
                    .pieces
                    .iter()
                    .any(|o| o.letter == p.letter && o.movement == p.movement)
            })
            .map(|(i, p)| match p.name.starts_with("customPiece") {
                true => format!("{} ({})", p.letter as char, p.movement),
                false => self.called(i),
            })
            .collect()
    }
}

fn list(page: &mut String, title: &str, lines: &[String]) {
    let _ = write!(page, "\n## {title}\n");
    for line in lines {
        let _ = writeln!(page, "* {line}");
    }
}

/// Returns what FIDE's laws say where a key says otherwise.
fn fide(key: &str) -> &'static str {
    match key {
        "startFen" => "the usual array",
        "holes" | "cylinder" => "a full, flat board",
        "promotionRegion" => "pawns promote on the last rank",
        "doubleStepRegion" | "tripleStepRegion" => "double steps from the second rank",
        "mandatoryPawnPromotion" => "pawns must promote",
        "promotionLimit" => "any number of a kind by promotion",
        _ if key.starts_with("promotionP") => "pawns become queen, rook, bishop or knight",
        _ if key.starts_with("promoted")
            || key.starts_with("pieceP")
            || key == "pieceDemotion"
            || key.starts_with("mandatoryPiece")
            || key.starts_with("sittuyinPro") =>
        {
            "only pawns promote"
        }
        _ if key.starts_with("enPassant") => "pawns capture en passant",
        _ if key.starts_with("castling") || key == "oppositeCastling" => {
            "castling: king two squares towards a rook"
        }
        _ if key.starts_with("drop")
            || key.ends_with("Drops")
            || key.contains("Drop")
            || key == "capturesToHand"
            || key == "twoBoards" =>
        {
            "no drops"
        }
        _ if key.starts_with("blast")
            || key.starts_with("petrify")
            || key == "mutuallyImmuneTypes" =>
        {
            "a capture removes the captured unit alone"
        }
        "mustCapture" => "captures are free",
        _ if key.starts_with("pass") => "no passing",
        "checking" | "checkCounting" => "checks are free and not counted",
        "flyingGeneral" => "kings may face each other",
        _ if key.starts_with("mobilityRegion") => "pieces go everywhere",
        _ => "no such rule",
    }
}

fn verb(value: Value) -> &'static str {
    match value {
        Value::Win => "wins",
        Value::Loss => "loses",
        Value::Draw => "draws",
    }
}

fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// `dragonHorse` as `dragon horse`, `customPiece1` as `custom piece 1`.
fn spaced(name: &str) -> String {
    let mut text = String::new();
    let mut digits = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() || (c.is_ascii_digit() && !digits) {
            text.push(' ');
        }
        digits = c.is_ascii_digit();
        text.push(c.to_ascii_lowercase());
    }
    text
}

fn uncapitalized(name: &str) -> String {
    spaced(name).trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use crate::{NoneCompiled, chess, library, read};

    #[test]
    fn orthodox_chess_differs_in_nothing() {
        assert_eq!(chess().differences(), []);
        assert_eq!(chess().summary(), "orthodox chess");
    }

    #[test]
    fn every_key_that_differs_in_the_library_is_said_in_words() {
        for definition in library().definitions() {
            for (_, clause) in definition.differences() {
                assert!(!clause.contains(" = "), "[{}] {clause}", definition.name);
            }
            assert!(definition.page().contains("## Goals"));
        }
    }

    #[test]
    fn the_page_of_a_small_variant() {
        let text = "[hill:chess]\ncastling = false\ncustomPiece1 = c:mRcpR\nflagPiece = k\nflagRegion = d4 e4\n";
        let book = read(text.as_bytes(), &NoneCompiled);
        let page = book.definitions().next().unwrap().page();
        for words in [
            "# hill\n",
            "| castling: king two squares towards a rook | no castling |",
            "| the orthodox pieces | C (mRcpR) |",
            "| C | custom piece 1 | `mRcpR` | moves without capturing by sliding like a rook, and captures by jumping",
            "* White wins with king on d4 e4",
            "* checkmate: the side mated loses",
            "* `nFoldRule = 3`",
        ] {
            assert!(page.contains(words), "{words}\n{page}");
        }
    }
}
