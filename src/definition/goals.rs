//! How the games of a definition end, in words, and which rules are left out.

use crate::{CastlingRights, Definition, MaterialCounting, Value};
use board::Color;

impl Definition {
    /// Returns how games end, in the order in which the ends are tested.
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
        if self.castling.wins != CastlingRights::default() {
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
