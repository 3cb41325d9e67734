//! Checks a definition as a whole: contradictions, doubtful values, and impossible start positions.

use crate::array;
use crate::draft::Draft;
use crate::keys::LimitKind;
use crate::sections::{self, Section};
use crate::slots::{self, KING, SLOTS};
use crate::{CastlingRights, Definition, PieceSet, PieceType, Region, Value};
use board::Color;
use board::field::BoardField;
use diagnostics::{Diagnostic, LineColumn, Severity};

/// Collects the findings on a section.
pub struct Report<'a> {
    pub section: &'a Section,
    pub findings: &'a mut Vec<Diagnostic>,
}

impl Report<'_> {
    /// Returns the place of the first of these keys' values that the section itself contains, or else of its
    /// heading.
    fn place(&self, keys: &[&str]) -> LineColumn {
        let own = keys.iter().find_map(|key| self.section.get(key));
        own.map_or(self.section.name.place, |entry| entry.value.place)
    }

    pub fn errors(&self) -> usize {
        let error = |f: &&Diagnostic| f.severity == Severity::Error;
        self.findings.iter().filter(error).count()
    }

    fn push(&mut self, finding: Diagnostic) {
        self.findings.push(finding.about(&self.section.name.text));
    }

    pub fn error(&mut self, keys: &[&str], why: impl Into<String>) {
        self.push(sections::error(self.place(keys), why));
    }

    pub fn error_help(&mut self, keys: &[&str], why: impl Into<String>, help: &str) {
        self.push(sections::error(self.place(keys), why).help(help));
    }

    /// Adds a warning, or a note if the section gives one of the keys the value `-`, which says it explicitly.
    pub fn warning(&mut self, keys: &[&str], why: impl Into<String>) {
        let mut own = keys.iter().filter_map(|key| self.section.get(key));
        match own.any(|entry| entry.value.text == "-") {
            true => self.note(keys, why),
            false => self.push(sections::warning(self.place(keys), why)),
        }
    }

    pub fn note(&mut self, keys: &[&str], why: impl Into<String>) {
        self.push(sections::note(self.place(keys), why));
    }

    /// Returns whether the section itself gives a key, with a value that is not the one for no rule.
    fn sets(&self, key: &str) -> bool {
        let is_off = |value: &str| ["false", "-", "0", "none"].contains(&value);
        self.section
            .get(key)
            .is_some_and(|entry| !is_off(&entry.value.text))
    }
}

/// Adds contradictions as errors, and doubtful values as warnings.
pub fn check(d: &Definition, draft: &Draft, report: &mut Report) {
    check_pieces(d, draft, report);
    check_royal_king(d, draft, report);
    check_promoted(draft, report);
    if let Ok(array) = array::array(d.start_field(0)) {
        check_array(d, &array, report);
    }
    check_promotion(d, report);
    check_idle_keys(d, report);
    for limit in d.limits() {
        match (limit.kind, limit.help) {
            (LimitKind::Error, None) => report.error(limit.keys, limit.why),
            (LimitKind::Error, Some(help)) => report.error_help(limit.keys, limit.why, help),
            (LimitKind::Warning, _) => report.warning(limit.keys, limit.why),
            // Not reported here: the definition is valid. `Definition::refusals` returns such rules.
            (LimitKind::NotPlayed, _) => {}
        }
    }
    check_flag(d, report);
    check_goal(d, report);
}

fn check_pieces(d: &Definition, draft: &Draft, report: &mut Report) {
    if d.pieces.is_empty() {
        report.error_help(
            &[],
            "the variant has no pieces",
            "`pawn = p`, `king = k`, or a parent: `[name:chess]`",
        );
    }
    for piece in &d.pieces {
        let letter = piece.letter as char;
        if piece.movement.steps().is_empty() && piece.name != "immobile" {
            let why = format!("`{}` ({letter}) has no moves", piece.name);
            report.warning(&[&piece.name], why);
        }
        for (color, mobility) in Color::BOTH.into_iter().zip(piece.mobility) {
            if mobility == Some(0) {
                let side = color.name();
                let why = format!(
                    "{side}'s `{}` ({letter}) has no square to go to on this board",
                    piece.name
                );
                report.warning(&[&piece.name], why);
            }
        }
    }
    // Keys that name a piece which the variant does not have.
    let named = |key, side| draft.kinds(key, side).bits;
    let choices = named("promotionPieceTypes", 0) | named("promotionPieceTypes", 1);
    if let Some(name) = absent(draft, choices) {
        let why = format!("`promotionPieceTypes` names `{name}`, which the variant does not have");
        report.warning(&["promotionPieceTypes"], why);
    }
    if let Some(name) = absent(draft, named("extinctionPieceTypes", 0)) {
        let why = format!(
            "`extinctionPieceTypes` names `{name}`, which the variant does not have: it is ignored here, but \
             in Fairy-Stockfish both sides have lost it from the start"
        );
        report.warning(&["extinctionPieceTypes"], why);
    }
}

/// Lists that may not name the royal king: the row, the names of its keys, the reason, and the help.
const WITHOUT_KING: [(&str, &[&str], &str, &str); 3] = [
    (
        "promotionPieceTypes",
        &[
            "promotionPieceTypes",
            "promotionPieceTypesWhite",
            "promotionPieceTypesBlack",
        ],
        "`promotionPieceTypes` names the royal `king`, but a side has exactly one",
        "a `commoner` moves like a king and is not royal",
    ),
    (
        "promotionPawnTypes",
        &[
            "promotionPawnTypes",
            "promotionPawnTypesWhite",
            "promotionPawnTypesBlack",
            "pawnTypes",
        ],
        "`promotionPawnTypes` names the royal `king`, which never promotes",
        "leave its letter out",
    ),
    (
        "castlingRookPieces",
        &[
            "castlingRookPieces",
            "castlingRookPiecesWhite",
            "castlingRookPiecesBlack",
            "castlingRookPiece",
        ],
        "`castlingRookPieces` names the royal `king`, which cannot castle with itself",
        "leave its letter out",
    ),
];

/// Reports keys that would give a side more than one royal king, or none.
fn check_royal_king(d: &Definition, draft: &Draft, report: &mut Report) {
    if d.checks.king.is_none() {
        return;
    }
    for (key, written, why, help) in WITHOUT_KING {
        // In rule texts, other pieces may be royal.
        let is_idle = key == "castlingRookPieces" && !d.castling.enabled
            || key == "promotionPieceTypes" && !d.layers.is_empty();
        if !is_idle && [0, 1].iter().any(|&side| draft.kinds(key, side).has(KING)) {
            report.error_help(written, why, help);
        }
    }
    let key = &["promotedPieceType"];
    if draft.promoted[KING].is_some() {
        let why = "`promotedPieceType` promotes the royal `king`, but a side always has one";
        report.error_help(key, why, "leave its letter out");
    }
    let becomes_king =
        |&slot: &usize| draft.letters[slot].is_some() && draft.promoted[slot] == Some(KING);
    if let Some(slot) = (0..SLOTS).find(becomes_king) {
        let name = slots::name(slot);
        let why = format!(
            "`promotedPieceType` makes `{name}` a royal `king`, but a side has exactly one"
        );
        report.error_help(key, why, "a `commoner` moves like a king and is not royal");
    }
}

/// Reports pieces that would promote to themselves or to a piece that the variant does not have.
fn check_promoted(draft: &Draft, report: &mut Report) {
    for slot in (0..SLOTS).filter(|&slot| draft.letters[slot].is_some()) {
        let Some(becomes) = draft.promoted[slot] else {
            continue;
        };
        let (name, other) = (slots::name(slot), slots::name(becomes));
        if becomes == slot {
            let why = format!("`promotedPieceType` makes `{name}` become `{name}`");
            report.error_help(
                &["promotedPieceType"],
                why,
                "leave it out, or give another piece",
            );
        } else if draft.letters[becomes].is_none() {
            let why = format!(
                "`promotedPieceType` makes `{name}` become `{other}`, which the variant does not have: `{name}` \
                 does not promote here, but in Fairy-Stockfish it becomes a piece without a letter"
            );
            report.warning(&["promotedPieceType", &other], why);
        }
    }
}

/// Returns the name of the first of these slots (a bit for each) that has no letter.
fn absent(draft: &Draft, slots: u64) -> Option<String> {
    let is_absent = |&slot: &usize| slots >> slot & 1 == 1 && draft.letters[slot].is_none();
    (0..SLOTS).find(is_absent).map(slots::name)
}

fn check_array(d: &Definition, array: &BoardField<'_>, report: &mut Report) {
    let key = &["startFen"];
    let mut unknown: Option<u8> = None;
    let known = |letter: u8| d.piece_of(letter);
    let mut kings = [0; 2];
    let mut units = [0; 2];
    for (_, _, unit) in array.units() {
        let side = unit.color().index();
        units[side] += 1;
        let letter = unit.letter as u8;
        match known(letter) {
            None => unknown = unknown.or(Some(letter)),
            Some(piece) if unit.promoted && d.promotion.promoted[piece.index()].is_none() => {
                let letter = unit.letter.to_ascii_uppercase();
                report.error(key, format!("`startFen`: `+{letter}`, but `promotedPieceType` gives `{letter}` nothing to become"));
            }
            Some(piece) => kings[side] += u32::from(Some(piece) == d.checks.king && !unit.promoted),
        }
    }
    let hand = array.hand.unwrap_or_default().bytes();
    let hand: Vec<u8> = hand.filter(u8::is_ascii_alphabetic).collect();
    for &letter in &hand {
        units[usize::from(letter.is_ascii_lowercase())] += 1;
        match known(letter) {
            None => unknown = unknown.or(Some(letter)),
            Some(piece) if Some(piece) == d.checks.king => {
                kings[usize::from(letter.is_ascii_lowercase())] += 1;
            }
            _ => {}
        }
    }
    if let Some(letter) = unknown {
        let mut letters: String = d.pieces.iter().map(|p| p.letter as char).collect();
        letters.make_ascii_lowercase();
        let why = format!(
            "`startFen` has the letter `{}`, but no piece has",
            letter as char
        );
        report.error_help(key, why, &format!("the pieces have the letters {letters}"));
        return;
    }
    if !d.has_hands() && !hand.is_empty() {
        report.warning(
            key,
            "`startFen` has units in hand, but nothing is ever dropped: `pieceDrops` is false",
        );
    }
    for color in Color::BOTH {
        let name = color.name();
        if kings[color.index()] > 1 && !d.has_clause("royalIf") {
            let why = format!("{name} starts with {} royal kings", kings[color.index()]);
            let help = "several royal pieces are `commoner`s with `extinctionPseudoRoyal`, see `threekings` and `spartan-fsf`";
            report.error_help(key, why, help);
        }
        if units[color.index()] == 0 {
            report.warning(key, format!("{name} starts without units"));
        }
    }
    check_royal_sides(d, array, report);
    // With clauses about attacks, the start position shows who is in check once it is set up.
    let of_attacks = ["royalIf", "ownCheck", "movement", "targets", "attacks"];
    let decides = has_clause(d, &of_attacks) || has_clause(d, &["activeIf", "captureIf"]);
    let one_king = kings.iter().all(|&k| k <= 1);
    let Some(king) = d.checks.king.filter(|_| one_king && !decides) else {
        return;
    };
    let letter = d.pieces[king.index()].letter;
    let attacked = |of| array::attacked_kings(d.board, array, &d.pieces, letter, of) != 0;
    let attacked = [attacked(Color::White), attacked(Color::Black)];
    let mover = match d.start_field(1) {
        "b" => Color::Black,
        _ => Color::White,
    };
    match attacked {
        [true, true] => report.error(key, "both kings are in check in the start position"),
        _ if attacked[(!mover).index()] => {
            let why = format!(
                "{} is in check in the start position, and not to move",
                (!mover).name()
            );
            report.error(key, why);
        }
        _ => {}
    }
}

/// Returns whether a clause concerns one of these aspects of the rules.
fn has_clause(d: &Definition, aspects: &[&str]) -> bool {
    let mut clauses = d.layers.iter().flat_map(|layer| &layer.clauses);
    clauses.any(|clause| {
        let name = clause.key.split('.').next().unwrap_or_default();
        aspects.contains(&name)
    })
}

/// Reports a side that starts without a royal unit while the other side has one.
fn check_royal_sides(d: &Definition, array: &BoardField<'_>, report: &mut Report) {
    if has_clause(d, &["royalIf", "ownCheck", "ends", "drops"]) {
        return;
    }
    let pseudo = match d.extinction.pseudo_royal {
        true => d.extinction.types,
        false => PieceSet::default(),
    };
    let is_royal = |letter: u8| {
        let piece = d.piece_of(letter);
        piece.is_some_and(|piece| d.checks.king == Some(piece) || pseudo.has(piece))
    };
    let mut has = [false; 2];
    let hand = array.hand.unwrap_or_default().bytes();
    let units = array
        .units()
        .map(|(_, _, unit)| (unit.color().index(), unit.letter as u8));
    let hand = hand.map(|letter| (usize::from(letter.is_ascii_lowercase()), letter));
    for (side, letter) in units.chain(hand) {
        has[side] |= is_royal(letter);
    }
    if has[0] == has[1] {
        return;
    }
    let without = if has[0] { "Black" } else { "White" };
    let why = format!("{without} starts without a royal unit, and its opponent has one");
    match report.section.get("startFen") {
        Some(_) => report.note(&["startFen"], why),
        None => report.warning(&["king", "extinctionPieceTypes"], why),
    }
}

/// Reports keys of the section that have no effect in the variant, or another one than their names say.
fn check_idle_keys(d: &Definition, report: &mut Report) {
    let drops = d.drops.enabled || has_clause(d, &["drops", "toHand"]);
    if report.sets("shogiPawnDropMateIllegal") && (d.named("shogiPawn").is_none() || !drops) {
        let key = &["shogiPawnDropMateIllegal"];
        let why = "`shogiPawnDropMateIllegal` has no effect: no `shogiPawn` is dropped";
        report.warning(key, why);
    }
    if report.sets("dropNoDoubled") && !drops {
        let why =
            "`dropNoDoubled` has no effect: nothing is dropped, because `pieceDrops` is false";
        report.warning(&["dropNoDoubled"], why);
    }
    let start = report
        .section
        .get("startFen")
        .map_or("", |entry| &entry.value.text);
    let says_one = start.split_whitespace().any(|field| field == "1+1");
    if report.sets("checkCounting") && d.start_field(4) == "1+1" && !says_one {
        let why = "`startFen` gives no numbers of checks, so one check wins; `3+3` after the en passant field gives three";
        report.warning(&["checkCounting"], why);
    }
}

/// Returns whether the section's pawns step forward alone, can reach this rank and win nothing there.
fn ends_as_dead_pawn(d: &Definition, pawn: PieceType, color: Color, rank: Region) -> bool {
    let c = color.index();
    let has_pawn = |field: &BoardField<'_>| {
        let mut units = field.units();
        units.any(|(_, _, unit)| {
            unit.color() == color && d.piece_of(unit.letter as u8) == Some(pawn)
        })
    };
    let steps = d.pieces[pawn.index()].movement.steps();
    let is_drawn = array::array(d.start_field(0)).is_ok_and(|field| has_pawn(&field));
    let can_stay = d.pieces[pawn.index()].mobility[c].is_none_or(|region| region & rank != 0);
    is_drawn && can_stay && d.flag.region[c] & rank == 0 && steps.iter().all(|step| step.dy > 0)
}

fn check_promotion(d: &Definition, report: &mut Report) {
    if has_clause(
        d,
        &[
            "movement",
            "targets",
            "quiet",
            "turnsInto",
            "landsOn",
            "endsOn",
            "stepIf",
            "ends",
        ],
    ) {
        return;
    }
    let promotion = &d.promotion;
    for color in Color::BOTH {
        let c = color.index();
        let name = color.name();
        let pawns = match d.pawns.pawn {
            Some(pawn) => promotion.pawns[c].with(pawn),
            None => promotion.pawns[c],
        };
        if pawns.is_empty() {
            continue;
        }
        let keys = ["promotionRegionWhite", "promotionRegionBlack"];
        if promotion.region[c] == 0 {
            let why = format!(
                "{name}'s pawns never promote: the promotion region has no square on this board"
            );
            report.warning(&[keys[c], "maxRank"], why);
            continue;
        }
        let (white, files) = (color == Color::White, usize::from(d.board.files()));
        let last = if white { d.board.ranks() - 1 } else { 0 };
        let first = usize::from(last) * files;
        let rank = (((1u128 << files) - 1) << first) & d.squares();
        // Such a region was probably written for a board of another size.
        let reached = promotion.region[c] & rank != 0;
        if !reached && promotion.region[c] != 0 && rank != 0 {
            let why = format!("{name}'s promotion region leaves out the last rank");
            report.warning(&[keys[c], "maxRank"], why);
        }
        let nothing = promotion.choices[c].is_empty()
            && pawns
                .iter()
                .all(|p| promotion.promoted[p.index()].is_none());
        if nothing && promotion.mandatory_for_pawns && promotion.region[c] != 0 {
            let why = format!(
                "{name}'s pawns have nothing to become, so they cannot enter their promotion region"
            );
            report.warning(&["promotionPieceTypes", "promotionPieceTypesWhite"], why);
        } else if nothing
            && pawns
                .iter()
                .any(|pawn| ends_as_dead_pawn(d, pawn, color, rank))
        {
            let why = format!("{name}'s pawns can reach the last rank, and become nothing there");
            report.warning(&["promotionPieceTypes", "promotionPieceTypesWhite"], why);
        }
    }
}

fn check_flag(d: &Definition, report: &mut Report) {
    for color in Color::BOTH {
        let c = color.index();
        if d.flag.nobody[c] && d.flag.region[c] != 0 {
            let keys = ["flagPieceWhite", "flagPieceBlack"];
            let why = format!("{}'s flag piece is not in the variant", color.name());
            report.warning(&[keys[c], "flagPiece"], why);
        }
    }
}

fn check_goal(d: &Definition, report: &mut Report) {
    let pseudo = d.extinction.pseudo_royal && !d.extinction.types.is_empty();
    let runs_out = d.extinction.value.is_some_and(|v| v != Value::Draw)
        && (d.extinction.total || !d.extinction.types.is_empty());
    let flag = Color::BOTH
        .into_iter()
        .any(|c| d.flag.region[c.index()] != 0 && !d.flag.nobody[c.index()]);
    let joined = &d.connection;
    let connects = joined.in_a_row > 0
        || joined.square > 0
        || joined.collinear > 0
        || (0..2).any(|c| joined.region_a[c] != 0 && joined.region_b[c] != 0);
    let castles = d.castling.wins != CastlingRights::default();
    let mates = (d.checks.king.is_some() || pseudo) && d.no_turn.checkmate != Value::Draw;
    let stuck = d.no_turn.stalemate != Value::Draw;
    let counts = d.checks.counting && d.checks.king.is_some();
    // Rule texts have goals of their own: royal units, other checks, entries of `ends` by which a side wins.
    let mut entries = d.layers.iter().filter_map(|layer| layer.get("ends"));
    let clauses = d.no_turn.checkmate != Value::Draw && has_clause(d, &["royalIf", "checkIf"])
        || entries.any(|ends| {
            ["wins", "loses"]
                .iter()
                .any(|word| ends.text.contains(word))
        });
    if !(mates || runs_out || flag || connects || castles || stuck || counts || clauses) {
        report.warning(
            &[],
            "the variant has no goal: no royal piece, no extinction, flag, connection or stalemate wins; every game is a draw",
        );
    }
}
