//! Applies the keys of a section to a definition.

use super::betza;
use super::definition::{BUILT_IN, Definition, KING, Kinds, Material, Region, Value, Which};
use super::ini::{Key, Section};

impl Definition {
    /// Returns this definition with the changes of a section.
    ///
    /// # Errors
    /// If a key is unknown, or its value cannot be read. The error names the line.
    pub fn with(&self, section: &Section) -> Result<Definition, String> {
        let mut new = self.clone();
        let pieces = |key: &&Key| new_kind(self, &key.name).is_some();
        // Assign letters first, in the order of the kinds, because other keys name kinds by their letters.
        let mut letters: Vec<&Key> = section.keys.iter().filter(pieces).collect();
        letters.sort_by_key(|key| new_kind(self, &key.name));
        for key in letters {
            new.piece(key)
                .map_err(|why| format!("line {}: {}: {why}", key.line, key.name))?;
        }
        let mut keys: Vec<&Key> = section.keys.iter().filter(|key| !pieces(key)).collect();
        keys.sort_by_key(|key| order(&key.name));
        let parent_size = (self.files, self.ranks);
        let (size, others) = keys.split_at(keys.partition_point(|key| order(&key.name) == 0));
        let apply = |new: &mut Definition, keys: &[&Key]| {
            keys.iter().try_for_each(|key| {
                new.key(&key.name, &key.value)
                    .map_err(|why| format!("line {}: {}: {why}", key.line, key.name))
            })
        };
        apply(&mut new, size)?;
        if section.parent.is_some() && (new.files, new.ranks) != parent_size {
            new.inherit_regions(parent_size);
        }
        apply(&mut new, others)?;
        Ok(new)
    }

    /// Returns the definition as it is played. A section inherits what its parent's keys say even of pieces
    /// that the parent lacks, but no rule applies to a piece without a letter, and a king never promotes.
    pub fn played(&self) -> Definition {
        let mut played = self.clone();
        if !self.double_step {
            played.double_region = [Vec::new(), Vec::new()];
        }
        let has = |kind: usize| self.kinds[kind].letter.is_some();
        let without_king = |kinds: &mut Kinds| {
            if has(KING) && kinds.contains(&Which::All) {
                *kinds = (0..KING).map(Which::Kind).collect();
            }
            kinds.retain(|which| !matches!(which, Which::Kind(kind) if !has(*kind)));
        };
        let lists = [
            &mut played.pawns,
            &mut played.promotions,
            &mut played.castling_rooks,
        ];
        lists.into_iter().flatten().for_each(without_king);
        played
            .extinct
            .retain(|which| !matches!(which, Which::Kind(kind) if !has(*kind)));
        for becomes in played.promoted.iter_mut().chain(&mut played.main_pawn) {
            *becomes = becomes.filter(|&kind| has(kind));
        }
        if matches!(played.must_drop_kind, Which::Kind(kind) if !has(kind)) {
            played.must_drop_kind = Which::All;
        }
        played
    }

    fn piece(&mut self, key: &Key) -> Result<(), String> {
        let kind = new_kind(self, &key.name).expect("the key of a piece");
        let mut letters = key.value.chars();
        let letter = letters.next().ok_or("no letter")?;
        if letter == '-' {
            self.set_letter(kind, None);
            return Ok(());
        }
        if !letter.is_ascii_alphabetic() {
            return Err(format!("{letter} is not a letter"));
        }
        self.set_letter(kind, Some(letter));
        let rest = letters.as_str().trim();
        let notation = match rest.strip_prefix(':') {
            _ if rest.is_empty() => None,
            Some(notation) => Some(notation.trim()),
            None => return Err(format!("{rest} after the letter")),
        };
        if kind == KING {
            self.kinds[kind].atoms = betza::read(notation.unwrap_or("K"))?;
        } else if kind >= BUILT_IN {
            let notation = notation.ok_or("no notation")?;
            self.kinds[kind].atoms = betza::read(notation)?;
            if notation.contains('e') {
                for kinds in &mut self.passing_kinds {
                    kinds.push(Which::Kind(kind));
                }
            }
        }
        // A built-in piece has its movement, whatever follows its letter.
        Ok(())
    }

    fn key(&mut self, name: &str, value: &str) -> Result<(), String> {
        if let Some(rest) = name.strip_prefix("mobilityRegion") {
            return self.mobility_key(rest, value);
        }
        if let Some(field) = self.flag_field(name) {
            *field = flag(value)?;
            return Ok(());
        }
        if let Some(field) = self.region_field(name) {
            *field = region(value)?;
            return Ok(());
        }
        match name {
            "maxRank" => self.ranks = rank(value)? + 1,
            "maxFile" => self.files = file(value)? + 1,
            "startFen" => self.start = value.to_string(),
            "synonyms" | "promotionLimit" | "promotedPieceType" => {
                // Blanks around a colon do not separate.
                let value = value.replace(" :", ":").replace(": ", ":");
                for pair in value.split_whitespace().take_while(|pair| *pair != "-") {
                    self.pair(name, pair)?;
                }
            }
            "promotionRank" => {
                let far = rank(value)?;
                self.promotion_region = self.ranks_of_both(far, self.ranks - 1);
            }
            "doubleStepRank" => self.double_region = self.ranks_of_both(1, rank(value)?),
            "doubleStepRankMin" => self.double_region = self.ranks_of_both(rank(value)?, 1),
            "whiteDropRegion" => self.drop_region[0] = Some(region(value)?),
            "blackDropRegion" => self.drop_region[1] = Some(region(value)?),
            "castlingRookPiece" => {
                for side in 0..2 {
                    self.castling_rooks[side] = self.kinds(value)?;
                }
            }
            "castlingWins" => {
                self.castling_wins = value
                    .chars()
                    .filter(|letter| *letter != '-')
                    .map(|letter| {
                        let side = usize::from(letter.is_ascii_lowercase());
                        (side, usize::from(letter.eq_ignore_ascii_case(&'k')))
                    })
                    .collect();
            }
            "pawnTypes" => {
                let kinds = self.kinds(value)?;
                for side in 0..2 {
                    self.main_pawn[side] = last_kind(&kinds);
                    self.pawns[side] = kinds.clone();
                    self.passing_kinds[side] = kinds.clone();
                    self.n_move_kinds[side] = kinds.clone();
                }
            }
            "blastImmuneTypes" => self.blast_immune = self.kinds(value)?,
            "mutuallyImmuneTypes" => self.mutually_immune = self.kinds(value)?,
            "castlingKingsideFile" => self.castling_king_side = file(value)?,
            "castlingQueensideFile" => self.castling_queen_side = file(value)?,
            "castlingRank" => self.castling_rank = rank(value)?,
            "castlingKingFile" => self.castling_king_file = file(value)?,
            "castlingRookKingsideFile" => self.castling_rook_king_side = file(value)?,
            "castlingRookQueensideFile" => self.castling_rook_queen_side = file(value)?,
            "mustDropType" => {
                self.must_drop_kind = self.one(value)?.map_or(Which::All, Which::Kind);
            }
            "dropRegionWhite" => self.drop_region[0] = Some(region(value)?),
            "dropRegionBlack" => self.drop_region[1] = Some(region(value)?),
            "dropNoDoubled" => self.drop_not_doubled = self.one(value)?,
            "dropNoDoubledCount" => self.drop_not_doubled_count = number(value)?,
            "soldierPromotionRank" => self.soldier_rank = rank(value)?,
            "stalemateValue" => self.stalemate = end(value)?,
            "checkmateValue" => self.checkmate = end(value)?,
            "nMoveRule" => self.n_moves = number(value)?,
            "extinctionValue" => self.extinction = end(value)?,
            "extinctionPieceTypes" => self.extinct = self.kinds(value)?,
            "extinctionPieceCount" => self.extinct_count = number(value)?,
            "extinctionOpponentPieceCount" => self.extinct_opponent = number(value)?,
            "flagPieceCount" => self.flag_count = number(value)? as usize,
            "connectN" => self.connect = number(value)? as usize,
            "connectPieceTypes" => self.connect_kinds = self.kinds(value)?,
            "connectNxN" => self.connect_square = number(value)? as usize,
            "collinearN" => self.connect_collinear = number(value)? as usize,
            "connectValue" => self.connect_value = end(value)?,
            "materialCounting" => {
                self.material = match value {
                    "none" => Material::Nobody,
                    "whitedrawodds" => Material::Side(0),
                    "blackdrawodds" => Material::Side(1),
                    "unweighted" => Material::More,
                    _ => return Err(format!("{value} is not counted here")),
                };
            }
            _ if is_without_effect(name, value) => {}
            _ => return self.key_of_sides(name, value),
        }
        Ok(())
    }

    /// Sets the value of a key for one kind, given as `kind:value`.
    fn pair(&mut self, name: &str, pair: &str) -> Result<(), String> {
        let (kind, value) = pair.split_once(':').ok_or("no :")?;
        let kind = self.one(kind)?.ok_or("no kind")?;
        match name {
            "synonyms" => {
                let letter = value.chars().next().ok_or("no letter")?;
                self.synonyms.push((letter.to_ascii_uppercase(), kind));
            }
            "promotionLimit" => self.limits[kind] = number(value)?,
            _ => self.promoted[kind] = self.one(value)?,
        }
        Ok(())
    }

    fn mobility_key(&mut self, rest: &str, value: &str) -> Result<(), String> {
        let (side, piece) = match (rest.strip_prefix("White"), rest.strip_prefix("Black")) {
            (Some(piece), _) => (0, piece),
            (_, Some(piece)) => (1, piece),
            _ => return Err("of which side?".to_string()),
        };
        let mut name = piece.to_string();
        name[..1].make_ascii_lowercase();
        let kind = new_kind(self, &name).ok_or("no such piece")?;
        self.mobility[kind][side] = region(value)?;
        Ok(())
    }

    /// Sets the value of a key for the side that its name ends with, or for both sides.
    fn key_of_sides(&mut self, name: &str, value: &str) -> Result<(), String> {
        let both = name.strip_suffix("White").or(name.strip_suffix("Black"));
        for side in sides(name) {
            match both.unwrap_or(name) {
                "promotionPawnTypes" => {
                    self.pawns[side] = self.kinds(value)?;
                    self.main_pawn[side] = last_kind(&self.pawns[side]);
                }
                "promotionPieceTypes" => self.promotions[side] = self.kinds(value)?,
                "enPassantRegion" => self.passing_region[side] = Some(region(value)?),
                "enPassantTypes" => self.passing_kinds[side] = self.kinds(value)?,
                "castlingKingPiece" => self.castling_king[side] = self.one(value)?,
                "castlingRookPieces" => self.castling_rooks[side] = self.kinds(value)?,
                "pass" => self.pass[side] = flag(value)?,
                "passOnStalemate" => self.pass_on_stalemate[side] = flag(value)?,
                "nMoveRuleTypes" => self.n_move_kinds[side] = self.kinds(value)?,
                "flagPiece" => {
                    self.flag_kind[side] = self.one(value)?.map_or(Which::All, Which::Kind)
                }
                "flagRegion" => self.flag_region[side] = region(value)?,
                _ => return Err("no such key".to_string()),
            }
        }
        Ok(())
    }

    /// Returns the field of a key whose value is `true` or `false`.
    fn flag_field(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "cylinder" => &mut self.cylinder,
            "sittuyinPromotion" => &mut self.sittuyin_promotion,
            "piecePromotionOnCapture" => &mut self.promotion_on_capture,
            "mandatoryPawnPromotion" => &mut self.must_promote_pawn,
            "mandatoryPiecePromotion" => &mut self.must_promote_piece,
            "pieceDemotion" => &mut self.demotion,
            "blastOnCapture" => &mut self.blast,
            "doubleStep" => &mut self.double_step,
            "castling" => &mut self.castling,
            "castlingDroppedPiece" => &mut self.castling_dropped,
            "oppositeCastling" => &mut self.opposite_castling,
            "checking" => &mut self.checking,
            "dropChecks" => &mut self.drop_checks,
            "mustCapture" => &mut self.must_capture,
            "mustDrop" => &mut self.must_drop,
            "pieceDrops" => &mut self.drops,
            "dropLoop" => &mut self.drop_loop,
            "capturesToHand" => &mut self.captures_to_hand,
            "twoBoards" => &mut self.two_boards,
            "firstRankPawnDrops" => &mut self.first_rank_pawn_drops,
            "promotionZonePawnDrops" => &mut self.promotion_zone_pawn_drops,
            "sittuyinRookDrop" => &mut self.sittuyin_rook_drop,
            "dropOppositeColoredBishop" => &mut self.drop_opposite_bishop,
            "dropPromoted" => &mut self.drop_promoted,
            "immobilityIllegal" => &mut self.immobility_illegal,
            "gating" => &mut self.gating,
            "seirawanGating" => &mut self.seirawan,
            "cambodianMoves" => &mut self.cambodian,
            "makpongRule" => &mut self.makpong,
            "flyingGeneral" => &mut self.flying_general,
            "stalematePieceCount" => &mut self.stalemate_count,
            "nMoveRuleKept" => &mut self.n_moves_kept,
            "shatarMateRule" => &mut self.shatar,
            "extinctionClaim" => &mut self.extinction_claim,
            "extinctionPseudoRoyal" => &mut self.pseudo_royal,
            "dupleCheck" => &mut self.duple_check,
            "flagPieceBlockedWin" => &mut self.flag_blocked,
            "flagMove" => &mut self.flag_move,
            "flagPieceSafe" => &mut self.flag_safe,
            "checkCounting" => &mut self.check_counting,
            "connectHorizontal" => &mut self.connect_horizontal,
            "connectVertical" => &mut self.connect_vertical,
            "connectDiagonal" => &mut self.connect_diagonal,
            "adjudicateFullBoard" => &mut self.full_board,
            "shogiPawnDropMateIllegal" => &mut self.pawn_drop_mate_illegal,
            _ => return None,
        })
    }

    /// Returns the field of a key whose value is a region of the board.
    fn region_field(&mut self, name: &str) -> Option<&mut Region> {
        Some(match name {
            "holes" => &mut self.holes,
            "whiteFlag" => &mut self.flag_region[0],
            "blackFlag" => &mut self.flag_region[1],
            "promotionRegionWhite" => &mut self.promotion_region[0],
            "promotionRegionBlack" => &mut self.promotion_region[1],
            "doubleStepRegionWhite" => &mut self.double_region[0],
            "doubleStepRegionBlack" => &mut self.double_region[1],
            "tripleStepRegionWhite" => &mut self.triple_region[0],
            "tripleStepRegionBlack" => &mut self.triple_region[1],
            "connectRegion1White" => &mut self.connect_regions[0][0],
            "connectRegion2White" => &mut self.connect_regions[0][1],
            "connectRegion1Black" => &mut self.connect_regions[1][0],
            "connectRegion2Black" => &mut self.connect_regions[1][1],
            _ => return None,
        })
    }

    /// Returns the squares of the ranks from `first` to `last`, as each side counts ranks.
    fn ranks_of_both(&self, first: i32, last: i32) -> [Region; 2] {
        [0, 1].map(|side| {
            let ranks = (first..=last).map(|rank| {
                if side == 0 {
                    rank
                } else {
                    self.ranks - 1 - rank
                }
            });
            ranks
                .flat_map(|rank| (0..16).map(move |file| (file, rank)))
                .collect()
        })
    }

    fn kinds(&self, text: &str) -> Result<Kinds, String> {
        let mut kinds = Vec::new();
        for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
            match letter {
                '-' => break,
                '*' => kinds.push(Which::All),
                _ => {
                    let kind = self
                        .kind_of(letter)
                        .ok_or(format!("no piece has the letter {letter}"))?;
                    kinds.push(Which::Kind(kind));
                }
            }
        }
        Ok(kinds)
    }

    /// Returns the single kind that a text names, or `None` for `-` and `*`.
    fn one(&self, text: &str) -> Result<Option<usize>, String> {
        match self.kinds(text)?.as_slice() {
            [] | [Which::All] => Ok(None),
            [Which::Kind(kind)] => Ok(Some(*kind)),
            _ => Err(format!("{text} is not one piece")),
        }
    }
}

/// Returns the place of a key among those of its section, which may be in any order in the file: the size of
/// the board, names for several keys, old names, keys for both sides, keys for one side.
fn order(name: &str) -> usize {
    const OLD: [&str; 8] = [
        "promotionRank",
        "doubleStepRankMin",
        "doubleStepRank",
        "whiteFlag",
        "blackFlag",
        "castlingRookPiece",
        "whiteDropRegion",
        "blackDropRegion",
    ];
    let old = OLD.iter().position(|old| *old == name);
    match name {
        "maxRank" | "maxFile" => 0,
        "pawnTypes" => 1,
        _ if old.is_some() => 2 + old.unwrap_or_default(),
        _ if name.ends_with("White") || name.ends_with("Black") => 11,
        _ => 10,
    }
}

/// Returns the kind to which a key gives a letter, or `None` for other keys.
fn new_kind(definition: &Definition, name: &str) -> Option<usize> {
    definition.kinds.iter().position(|kind| kind.name == name)
}

/// Returns whether a key has no effect: it is about displays or about earlier positions, or it turns off, or
/// belongs to, a rule that this implementation does not have.
fn is_without_effect(name: &str, value: &str) -> bool {
    match name.trim_end_matches("White").trim_end_matches("Black") {
        "pieceValueMg" | "pieceValueEg" | "variantTemplate" | "pieceToCharTable" | "pocketSize" => {
            true
        }
        "nFoldRule"
        | "nFoldValue"
        | "nFoldValueAbsolute"
        | "perpetualCheckIllegal"
        | "moveRepetitionIllegal"
        | "chasingRule"
        | "countingRule" => true,
        "wallOrMove" | "wallingRegion" | "enclosingDropStart" => true,
        "chess960" | "petrifyBlastPieces" | "bikjangRule" | "dropOnTop" => value == "false",
        "wallingRule" | "enclosingDrop" | "flipEnclosedPieces" => value == "none",
        "petrifyOnCaptureTypes" | "diagonalLines" => value == "-",
        _ => false,
    }
}

fn last_kind(kinds: &[Which]) -> Option<usize> {
    match kinds.last() {
        Some(Which::Kind(kind)) => Some(*kind),
        _ => None,
    }
}

fn sides(name: &str) -> Vec<usize> {
    match (name.ends_with("White"), name.ends_with("Black")) {
        (true, _) => vec![0],
        (_, true) => vec![1],
        _ => vec![0, 1],
    }
}

fn flag(value: &str) -> Result<bool, String> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{value} is neither true nor false")),
    }
}

fn number(value: &str) -> Result<u32, String> {
    value
        .parse()
        .map_err(|_| format!("{value} is not a number"))
}

fn rank(value: &str) -> Result<i32, String> {
    Ok(number(value)? as i32 - 1)
}

fn file(value: &str) -> Result<i32, String> {
    match value.as_bytes() {
        [letter @ b'a'..=b'p'] => Ok((letter - b'a') as i32),
        _ => rank(value),
    }
}

fn end(value: &str) -> Result<Value, String> {
    match value {
        "none" => Ok(Value::None),
        "win" => Ok(Value::Win),
        "loss" => Ok(Value::Loss),
        "draw" => Ok(Value::Draw),
        _ => Err(format!("{value} is not a result")),
    }
}

fn region(value: &str) -> Result<Region, String> {
    let mut region = Vec::new();
    for word in value.split_whitespace() {
        if word == "-" {
            break;
        }
        let (first, rest) = word.split_at(1);
        let files: Vec<i32> = match first {
            "*" => (0..16).collect(),
            _ => vec![file(&first.to_ascii_lowercase())?],
        };
        let ranks: Vec<i32> = match rest {
            "*" => (0..16).collect(),
            _ => vec![rank(rest)?],
        };
        for &file in &files {
            for &rank in &ranks {
                region.push((file, rank));
            }
        }
    }
    Ok(region)
}
