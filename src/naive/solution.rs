//! Checks solutions of problems. [`judge`] follows the play: each turn is legal, each goal is reached, each reply of
//! the defender is answered, and the figures agree with the play. `is_whole` searches for the play, so it detects
//! missing duals, threats, tries and set play. [`problem`](crate::problem) checks that the list of keys is complete.
//!
//! A solution is a record with the fields that `solve --format json` prints. `lines` contains the lines of
//! help and series play, and `tree` contains other play. The `keys`, `tries` and `set_play` of a tree are
//! turns, each with `answers` and `threats`. Each answer has the continuations as `next`.

use crate::problem::{Search, Stipulation};
use crate::{Document, Position, RuleSets, Unverified, ensure, unchecked, wrong};
use std::collections::{BTreeMap, BTreeSet};

struct Judge<'r> {
    rule_sets: &'r RuleSets,
    asked: &'r Stipulation,
}

impl Judge<'_> {
    fn is_goal(&self, before: &Position, turn: &str, after: &Position) -> Result<bool, Unverified> {
        let white = before.is_white();
        Ok(self.asked.reached(before, turn, after, white)?
            || self.asked.reached(before, turn, after, !white)?)
    }

    fn passed(&self, position: &Position) -> Result<Position, Unverified> {
        let passed = position.passed(self.rule_sets);
        passed.map_or_else(
            || wrong(format!("no side can pass in `{}`", position.fen())),
            Ok,
        )
    }

    fn plays(&self, position: &Position, node: &Document) -> Result<Position, Unverified> {
        let turn = node.text("turn");
        let after = position.play(turn)?;
        let fits = !says_goal(node) || self.is_goal(position, turn, &after)?;
        ensure(fits, || format!("`{turn}` does not reach the goal"))?;
        Ok(after)
    }

    /// Checks a turn of the attacker and the play after it. `whole` is false for threats and tries, which may
    /// leave out replies.
    fn attack(&self, position: &Position, node: &Document, whole: bool) -> Result<(), Unverified> {
        let (turn, after) = (node.text("turn"), self.plays(position, node)?);
        let answers = node.list("answers");
        if says_goal(node) {
            return ensure(answers.is_empty(), || {
                format!("there is play after the goal of `{turn}`")
            });
        }
        for threat in node.list("threats") {
            self.attack(&self.passed(&after)?, threat, false)?;
        }
        let given: BTreeSet<&str> = answers.iter().map(|answer| answer.text("turn")).collect();
        ensure(given.len() == answers.len(), || {
            format!("a reply to `{turn}` is given twice")
        })?;
        // In reflex play, a side that can reach the goal must do so, so not all legal replies are given.
        let free = !self.asked.play.contains('r');
        if whole && free && !answers.is_empty() {
            let turns = after.turns()?;
            let legal: BTreeSet<&str> = turns.iter().map(|(turn, _)| turn.as_str()).collect();
            ensure(given == legal, || {
                format!("the replies to `{turn}` are {legal:?}")
            })?;
        }
        for answer in answers {
            let (after, next) = (self.plays(&after, answer)?, answer.list("next"));
            ensure(!whole || next.is_empty() == says_goal(answer), || {
                let turn = answer.text("turn");
                format!("`{turn}` has {} continuations", next.len())
            })?;
            for node in next {
                self.attack(&after, node, whole)?;
            }
        }
        Ok(())
    }

    fn line(&self, position: &Position, turns: &[&str]) -> Result<(), Unverified> {
        let (mut before, mut now, mut last) = (position.clone(), position.clone(), "");
        for (index, &turn) in turns.iter().enumerate() {
            // In series play, only one side moves. A series helpmate ends with a turn of the other side.
            let helped = self.asked.play == "ser-h" && index + 1 == turns.len();
            if self.asked.play.starts_with("ser-") && index > 0 && !helped {
                now = self.passed(&now)?;
            }
            last = turn;
            before = now;
            now = before.play(last)?;
        }
        let replies = now.turns()?;
        let mut goals = replies
            .iter()
            .map(|(turn, after)| self.is_goal(&now, turn, after));
        let reached = match self.asked.play {
            "ser-s" | "hs" => goals.all(|goal| goal == Ok(true)),
            // A side that can reach the goal at once must do so, which solves problems that begin with its turn.
            "hr" if turns.len() == 1 && self.is_goal(&before, last, &now)? => true,
            "hr" | "ser-r" => goals.any(|goal| goal == Ok(true)),
            _ => self.is_goal(&before, last, &now)?,
        };
        ensure(reached && !turns.is_empty(), || {
            format!("the line to `{last}` does not reach the goal")
        })
    }
}

/// Returns whether the document states that a turn reaches the goal.
fn says_goal(node: &Document) -> bool {
    node.text("goal") == "true"
}

/// Checks a solution of a problem.
///
/// # Errors
/// If a statement of the solution is false or cannot be checked. The error describes the first such
/// statement.
pub fn judge(solution: &Document, rule_sets: &RuleSets) -> Result<(), Unverified> {
    let asked = &Stipulation::read(solution.text("stipulation"))?;
    let root = &rule_sets.read(solution.text("variant"), Some(solution.text("fen")))?;
    asked.check(root)?;
    let judge = Judge { rule_sets, asked };
    let (lines, tree) = (solution.list("lines"), solution.field("tree"));
    let nodes = |name| tree.map_or(&[][..], |tree| tree.list(name));
    let keys = nodes("keys");
    ensure(
        keys.is_empty() || lines.is_empty(),
        || "it has lines and a tree",
    )?;
    let (mut first, mut short) = (BTreeSet::new(), false);
    for (at, line) in lines.iter().enumerate() {
        let turns = line.words("turns").unwrap_or_default();
        judge.line(root, &turns)?;
        first.insert(turns[0]);
        short |= turns.len() < asked.line_turns();
        let mut before = lines[..at].iter().map(|line| line.words("turns"));
        ensure(
            before.all(|line| line.as_ref() != Some(&turns)),
            || "a line is given twice",
        )?;
    }
    for key in keys {
        judge.attack(root, key, true)?;
        let turn = key.text("turn");
        short |= moves(key) < asked.moves;
        ensure(first.insert(turn), || {
            format!("the key {turn} is given twice")
        })?;
    }
    for attempt in nodes("tries") {
        judge.attack(root, attempt, false)?;
        let is_key = first.contains(attempt.text("turn"));
        ensure(!is_key, || {
            format!("the key {} is also a try", attempt.text("turn"))
        })?;
        let after = root.play(attempt.text("turn"))?;
        for refutation in attempt.words("refutations").unwrap_or_default() {
            after.play(refutation)?;
        }
    }
    for answer in nodes("set_play") {
        let after = judge.plays(&judge.passed(root)?, answer)?;
        for node in answer.list("next") {
            judge.attack(&after, node, true)?;
        }
    }
    let first: Vec<&str> = first.into_iter().collect();
    ensure(solution.words("keys").unwrap_or_default() == first, || {
        format!("the keys are not those of the play, {first:?}")
    })?;
    let solutions = lines.len() + keys.len();
    ensure(solution.text("solutions") == solutions.to_string(), || {
        format!("{solutions} solutions are given")
    })?;
    let (verdict, complete) = (solution.text("verdict"), solution.text("complete"));
    let fits = match (verdict, complete) {
        ("undecided", "false") => !short && solutions < 2,
        ("sound" | "no-solution", "false") => false,
        (_, "true" | "false") => verdict == asked.verdict(solutions, short),
        _ => false,
    };
    ensure(fits, || {
        format!("{solutions} solutions do not fit the verdict")
    })
}

/// Returns the number of moves of the longest variation that begins with a stored turn.
fn moves(node: &Document) -> u32 {
    let next = node
        .list("answers")
        .iter()
        .flat_map(|answer| answer.list("next"));
    1 + next.map(moves).max().unwrap_or(0)
}

/// Checks that the tree of a solution has all its play: all answers, all shortest continuations and threats, and if it
/// has tries or set play, all of these.
///
/// # Errors
/// If it has other play, or the search reaches its limit.
pub(crate) fn is_whole(
    search: &Search<'_>,
    root: &Position,
    solution: &Document,
) -> Result<(), Unverified> {
    let Some(given) = solution.field("tree") else {
        return unchecked("it has no tree");
    };
    if let Some(field) = ["cut", "asides_cut"]
        .into_iter()
        .find(|name| given.field(name).is_some())
    {
        return unchecked(format!("its tree has the field `{field}`"));
    }
    // Play after threats and tries may be left out.
    for by_play in [true, false] {
        let expected = Builder { search, by_play }.tree(root, given)?;
        if expected == *given {
            return Ok(());
        }
    }
    wrong("its tree has not all play that the naive rules find, or other play")
}

/// Searches for the play of a solution, in the form in which solutions are stored.
struct Builder<'s, 'r> {
    search: &'s Search<'r>,
    /// Whether threats and tries have the play after them.
    by_play: bool,
}

type Built<T> = Result<T, Unverified>;

/// Returns a record without the fields that are empty or false.
fn record<const N: usize>(turn: &str, fields: [(&str, Document); N]) -> Document {
    let is_said = |value: &Document| {
        *value != Document::List(Vec::new()) && *value != Document::Text("false".to_string())
    };
    let fields = fields.into_iter().filter(|(_, value)| is_said(value));
    let named = fields.map(|(name, value)| (name.to_string(), value));
    let turn = ("turn".to_string(), Document::Text(turn.to_string()));
    Document::Record(named.chain([turn]).collect())
}

fn flag(set: bool) -> Document {
    Document::Text(set.to_string())
}

impl Builder<'_, '_> {
    fn tree(&self, root: &Position, given: &Document) -> Built<Document> {
        let (search, moves) = (self.search, self.search.asked.moves);
        let (mut keys, mut tries) = (Vec::new(), Vec::new());
        let must = search.asked.play == "r" && search.can(root)?;
        let is_line = search.asked.play.starts_with('h') || search.asked.play.starts_with("ser-");
        for (turn, after) in search.turns(root)?.iter().filter(|_| !must && !is_line) {
            let mut enough = None;
            for fewer in 1..=moves {
                if search.solves(root, turn, after, fewer)? {
                    enough = Some(fewer);
                    break;
                }
            }
            match enough {
                Some(fewer) => keys.push((fewer, self.after(root, turn, after, fewer)?)),
                None if given.field("tries").is_some() => tries.extend(self.attempt(turn, after)?),
                None => {}
            }
        }
        keys.sort_by_key(|(moves, _)| *moves);
        let keys = keys.into_iter().map(|(_, key)| key).collect();
        let mut tree = BTreeMap::from([("keys".to_string(), Document::List(keys))]);
        if given.field("tries").is_some() {
            tree.insert("tries".to_string(), Document::List(tries));
        }
        if given.field("set_play").is_some()
            && let Some(passed) = search.passed(root)?
        {
            let answers = self.answers(&passed, moves.saturating_sub(1), true, &(0, Vec::new()))?;
            tree.insert("set_play".to_string(), Document::List(answers));
        }
        Ok(Document::Record(tree))
    }

    /// Returns a turn of the attacker that solves in `moves` moves, with the play after it.
    fn after(
        &self,
        before: &Position,
        turn: &str,
        after: &Position,
        moves: u32,
    ) -> Built<Document> {
        let (search, white) = (self.search, before.is_white());
        let goal = match search.asked.play.is_empty() {
            true => search.reached(before, turn, after, white)?,
            false => search.late(before, turn, after, !white)?,
        };
        if goal {
            return Ok(record(turn, [("goal", flag(true))]));
        }
        let (threats, known) = self.threats(after, moves - 1)?;
        let answers = self.answers(after, moves - 1, false, &known)?;
        Ok(record(
            turn,
            [("threats", threats), ("answers", Document::List(answers))],
        ))
    }

    /// Returns the shortest continuations if the side to move could pass, and their number of moves and turns.
    fn threats(&self, position: &Position, moves: u32) -> Built<(Document, (u32, Vec<String>))> {
        let passed = if moves > 0 {
            self.search.passed(position)?
        } else {
            None
        };
        let Some(passed) = passed else {
            return Ok((Document::List(Vec::new()), (0, Vec::new())));
        };
        let (least, continuations) = self.shortest(&passed, moves)?;
        let mut threats = Vec::new();
        for (turn, after) in &continuations {
            threats.push(match self.by_play {
                true => self.after(&passed, turn, after, least)?,
                false => record(turn, []),
            });
        }
        let turns = continuations.into_iter().map(|(turn, _)| turn).collect();
        Ok((Document::List(threats), (least, turns)))
    }

    /// Returns the least number of moves, up to `max`, in which the side to move solves, and all turns that do so.
    fn shortest(&self, position: &Position, max: u32) -> Built<(u32, Vec<(String, Position)>)> {
        let (search, white) = (self.search, position.is_white());
        for moves in 1..=max {
            if !search.attack(position, moves)? {
                continue;
            }
            let (mut reaching, mut solving) = (Vec::new(), Vec::new());
            for (turn, after) in search.turns(position)?.iter() {
                if search.asked.play.is_empty() && search.reached(position, turn, after, white)? {
                    reaching.push((turn.clone(), after.clone()));
                } else if search.solves(position, turn, after, moves)? {
                    solving.push((turn.clone(), after.clone()));
                }
            }
            return Ok((
                moves,
                if reaching.is_empty() {
                    solving
                } else {
                    reaching
                },
            ));
        }
        Ok((max, Vec::new()))
    }

    /// Returns the answers to a turn with these threats; with `only_continued`, only those that reach the goal or have
    /// a continuation.
    fn answers(
        &self,
        position: &Position,
        moves: u32,
        only_continued: bool,
        threats: &(u32, Vec<String>),
    ) -> Built<Vec<Document>> {
        let (search, white) = (self.search, position.is_white());
        let play = search.asked.play;
        let must = ["r", "semi-r"].contains(&play) && search.can(position)?;
        let mut answers = Vec::new();
        for (turn, after) in search.turns(position)?.iter() {
            let goal = match play {
                "" => search.late(position, turn, after, !white)?,
                _ => (play == "s" || must) && search.reached(position, turn, after, white)?,
            };
            if must && !goal {
                continue;
            }
            let (mut next, mut unparried) = (Vec::new(), false);
            if !goal && moves > 0 {
                let (least, continuations) = self.shortest(after, moves)?;
                unparried = self.still_work(after, threats, least, &continuations)?;
                for (turn, there) in &continuations {
                    next.push(self.after(after, turn, there, least)?);
                }
            }
            if goal || !next.is_empty() || !only_continued {
                let next = Document::List(next);
                let fields = [
                    ("goal", flag(goal)),
                    ("unparried", flag(unparried)),
                    ("next", next),
                ];
                answers.push(record(turn, fields));
            }
        }
        Ok(answers)
    }

    /// Returns whether all threats still work in as many moves, or one of them in fewer. `next` are the shortest
    /// continuations, which take `least` moves.
    fn still_work(
        &self,
        position: &Position,
        (moves, threats): &(u32, Vec<String>),
        least: u32,
        next: &[(String, Position)],
    ) -> Built<bool> {
        let is_next = |threat: &String| next.iter().any(|(turn, _)| turn == threat);
        if threats.is_empty() || next.is_empty() || least > *moves {
            return Ok(false);
        }
        if least == *moves {
            return Ok(threats.iter().all(is_next));
        }
        if threats.iter().any(is_next) {
            return Ok(true);
        }
        let turns = self.search.turns(position)?;
        for threat in threats {
            let found = turns.iter().find(|(turn, _)| turn == threat);
            let works = match found {
                Some((turn, after)) => self.search.solves(position, turn, after, *moves)?,
                None => false,
            };
            if !works {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns a first turn as a try, if exactly one answer refutes it.
    fn attempt(&self, turn: &str, after: &Position) -> Built<Option<Document>> {
        let (search, white) = (self.search, after.is_white());
        let moves = search.asked.moves;
        let mut refutations = Vec::new();
        for (answer, there) in search.turns(after)?.iter() {
            let reached = match search.asked.play {
                "" => search.late(after, answer, there, !white)?,
                "s" => search.reached(after, answer, there, white)?,
                _ => false,
            };
            if !(reached || moves > 1 && search.attack(there, moves - 1)?) {
                refutations.push(Document::Text(answer.clone()));
            }
        }
        if refutations.len() != 1 {
            return Ok(None);
        }
        let mut fields = [Document::List(Vec::new()), Document::List(Vec::new())];
        if self.by_play {
            let (threats, known) = self.threats(after, moves - 1)?;
            fields = [
                threats,
                Document::List(self.answers(after, moves - 1, false, &known)?),
            ];
        }
        let [threats, answers] = fields;
        let refutations = ("refutations", Document::List(refutations));
        Ok(Some(record(
            turn,
            [refutations, ("threats", threats), ("answers", answers)],
        )))
    }
}
