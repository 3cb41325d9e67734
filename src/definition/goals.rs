//! The ends of a definition's games in words, and the rules that the interpreter leaves out.

use crate::{CastlingRights, Definition, MaterialCounting, PieceType, Value};
use board::Color;

impl Definition {
    /// Returns the ways in which games end, one sentence each, in the order in which they are tested.
    pub fn goals(&self) -> Vec<String> {
        let mut goals = self.pseudo_royal_words();
        goals.extend(self.extinction_words());
        goals.extend(
            Color::BOTH
                .into_iter()
                .filter_map(|side| self.flag_words(side)),
        );
        if self.castling.wins != CastlingRights::default() {
            goals.push("castling wins".into());
        }
        if self.checks.counting {
            goals.push("a side that has given all its checks wins".into());
        }
        goals.extend(self.connection_words());
        if self.ended.full_board {
            goals.push("a full board ends the game".into());
        }
        if self.quiet_plies() > 0 {
            goals.push(self.quiet_words());
        }
        goals.extend(self.no_turn_words());
        goals.extend(self.material_words().map(str::to_owned));
        if self.passing.allowed.contains(&true) || self.passing.on_stalemate.contains(&true) {
            goals.push("two passes in a row end the game".into());
        }
        goals
    }

    fn has_pseudo_royals(&self) -> bool {
        self.extinction.pseudo_royal && !self.extinction.types.is_empty()
    }

    /// Returns whether a side can run out of units that it needs, so that games end by extinction.
    pub fn can_run_out(&self) -> bool {
        let e = &self.extinction;
        e.value.is_some()
            && (e.total || !e.types.is_empty())
            && (!e.pseudo_royal || self.captures.blast || self.last_royals_can_go())
    }

    /// Returns whether a side's last pseudo-royal unit can go, except by a blast: it becomes another piece, or
    /// it is captured because a turn has made it royal and left it attacked. If games end by extinction, the
    /// side has then run out.
    pub fn last_royals_can_go(&self) -> bool {
        let (e, promotion) = (&self.extinction, &self.promotion);
        let changes = |piece: PieceType| {
            self.pawns.pawn == Some(piece)
                || promotion.pawns.iter().any(|pawns| pawns.has(piece))
                || promotion.promoted[piece.index()].is_some()
                || promotion.promoted.contains(&Some(piece))
        };
        let appears = e.total && (self.has_hands() || self.gating.enabled);
        e.pseudo_royal
            && e.value.is_some()
            && !self.captures.blast
            && (appears || promotion.demotion || e.types.iter().any(changes))
    }

    /// Returns sentences on the units that are royal while few of their kind are left.
    fn pseudo_royal_words(&self) -> Vec<String> {
        if !self.has_pseudo_royals() {
            return Vec::new();
        }
        let e = &self.extinction;
        let kinds = self.called_set(e.types);
        let royal = match (e.types.len(), e.count) {
            (1, 0) => format!("a side's last {kinds} is royal"),
            (_, 0) => format!("a side's last unit of a kind is royal, if the kind is {kinds}"),
            (_, n) => format!(
                "units of {kinds} are royal while a side has {} or fewer of the kind",
                u32::from(n) + 1
            ),
        };
        let mut goals = vec![format!("{royal}, never left attacked")];
        if e.duple_check {
            goals.push(format!("all of {kinds} attacked at once is check too"));
        }
        goals
    }

    fn extinction_words(&self) -> Option<String> {
        let e = &self.extinction;
        let value = e.value.filter(|_| self.can_run_out())?;
        let kinds = self.called_set(e.types);
        let what = match (e.total, e.types.len()) {
            (true, 0) => "units".into(),
            (true, _) => format!("units, or of one of these kinds: {kinds},"),
            (_, 1) => kinds,
            _ => format!("units of one of these kinds: {kinds},"),
        };
        let left = match e.count {
            0 => format!("has no {what} left"),
            n => format!("has no more than {n} {what} left"),
        };
        let other = match e.opponent_count {
            0 => String::new(),
            n => format!(", while the other has at least {n}"),
        };
        Some(format!("a side that {left} {}{other}", verb(value)))
    }

    fn flag_words(&self, color: Color) -> Option<String> {
        let c = color.index();
        if self.flag.region[c] == 0 || self.flag.nobody[c] {
            return None;
        }
        let piece = match self.flag.piece[c] {
            None => "any piece".into(),
            Some(p) => self.called(p.index()),
        };
        let units = match self.flag.count {
            0 | 1 => format!("with {piece} on"),
            n => format!("with {n} of {piece} on"),
        };
        let region = self.squares_text(self.flag.region[c]);
        let timing = self.flag_timing(color);
        Some(format!("{} wins {units} {region}{timing}", color.name()))
    }

    /// Returns when the units of a side in its region win, as the end of a sentence.
    fn flag_timing(&self, color: Color) -> &'static str {
        let flag = &self.flag;
        let other = flag.piece[(!color).index()];
        let runs_with_king = other.is_some() && other == self.checks.king;
        match (flag.extra_move, flag.safe, runs_with_king, color) {
            (false, false, ..) => "",
            (false, true, ..) => ", not attacked",
            (true, false, false, _) => ", after one more turn of the other side",
            (true, false, true, Color::Black) => "",
            (true, false, true, Color::White) => {
                ", unless Black, not in check, can go to its own region with its king: then after one more \
                 turn of Black, and if Black goes there, the game is a draw"
            }
            (true, true, true, Color::White) => {
                ", at once if not attacked, unless Black, not in check, can go to its own region with its \
                 king; otherwise after one more turn of Black, and if Black goes there, the game is a draw"
            }
            (true, true, ..) => {
                ", at once if not attacked, otherwise after one more turn of the other side"
            }
        }
    }

    fn connection_words(&self) -> Vec<String> {
        let c = &self.connection;
        let verb = verb(c.value);
        let rows = [(c.in_a_row, "in a row"), (c.collinear, "on one line")];
        let rows = rows.into_iter().filter(|&(n, _)| n > 0);
        let rows = rows.map(|(n, what)| format!("{n} units {what}: the side that made it {verb}"));
        let mut goals: Vec<String> = rows.collect();
        if c.square > 0 {
            let n = c.square;
            goals.push(format!(
                "a full square of {n}x{n}: the side that made it {verb}"
            ));
        }
        for color in Color::BOTH {
            let regions = [c.region_a, c.region_b].map(|region| region[color.index()]);
            if !regions.contains(&0) {
                let [first, second] = regions.map(|region| self.squares_text(region));
                goals.push(format!(
                    "a chain of {}'s units from {first} to {second}: {0} {verb}",
                    color.name()
                ));
            }
        }
        goals
    }

    fn no_turn_words(&self) -> Vec<String> {
        let mut goals = Vec::new();
        if self.checks.king.is_some() || self.has_pseudo_royals() {
            goals.push(format!(
                "checkmate: the side mated {}",
                verb(self.no_turn.checkmate)
            ));
        }
        let value = self.no_turn.stalemate;
        let mut other = format!("no legal turn otherwise: the side to move {}", verb(value));
        if self.no_turn.piece_count {
            let opposite = verb(value.opposite());
            other.push_str(&format!(
                " if it has fewer units, {opposite} if more; as many: a draw"
            ));
        }
        goals.push(other);
        goals
    }

    fn material_words(&self) -> Option<&'static str> {
        Some(match self.ended.material? {
            MaterialCounting::Janggi => "draws are settled by points",
            MaterialCounting::Unweighted => "draws are won by the side with more units",
            MaterialCounting::WhiteDrawOdds => "draws are White's wins",
            MaterialCounting::BlackDrawOdds => "draws are Black's wins",
        })
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

    /// Returns the definition's rules on earlier positions that are not played, as keys with values.
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
}

fn verb(value: Value) -> &'static str {
    match value {
        Value::Win => "wins",
        Value::Loss => "loses",
        Value::Draw => "draws",
    }
}
