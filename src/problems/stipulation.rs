//! The question about a position: play, goal, number of moves.
//!
//! The grammar is that of chess problems, with words for what orthodox chess does not have:
//! `#3`, `s#3`, `r#2`, `semi-r#2`, `h#2.5`, `hs#3`, `hr#2`, `ser-#7`, `ser-h=14`, `ser-s#6`,
//! `ser-r#2`; goals `#`, `=`, `#=`, `##`, `+`, `x`, `z` and a square, `~`; `win 3`, `h-win 2`,
//! `marriage 3`, `ser-h-marriage 4` and every other reason of the rule set; `goal 3`, `h-goal 2` for a goal
//! that is an expression.

use board::{Geometry, Square};
use diagnostics::whole_number;
use diagnostics::{Diagnostic, nearest};
use rules::{Outcome, Reason, RuleSet, reason};
use std::fmt;

/// The maximum number of moves of a stipulation.
pub const MAX_MOVES: u32 = 99;

/// What ends a line of help or series play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A turn of the side that is to reach the goal.
    Goal,
    /// A turn after which every answer reaches the goal for the one who answers.
    Forced,
    /// A turn after which the opponent can reach the goal, and so must; neither side may pass over a
    /// turn that reaches the goal.
    Reflex,
}

/// Who works with or against whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// The side to move reaches the goal against any defense.
    Direct,
    /// The side to move forces the opponent to reach the goal.
    Selfplay,
    /// Like [`Play::Selfplay`], but a side that can reach the goal with its turn has to.
    Reflex,
    /// Like [`Play::Reflex`], but only the opponent has to.
    SemiReflex,
    /// Both sides work together, alternating.
    Help(Ending),
    /// The side to move makes all turns but, where the goal is the opponent's, the last one. The
    /// flag says whether that last turn is made to help (`ser-h`).
    Series(Ending, bool),
}

/// What is to be reached by a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// `#`: checkmate of the opponent.
    Mate,
    /// `=`: stalemate of the opponent.
    Stalemate,
    /// `#=`: either.
    MateOrStalemate,
    /// `##`: a turn that leaves both sides checkmated; it may expose the own king.
    DoubleMate,
    /// `+`: check.
    Check,
    /// `x`: a capture.
    Capture,
    /// `z` and a square: a unit goes there.
    Target(Square),
    /// `~`: any turn.
    Any,
    /// `win`: the game is won, whatever the reason.
    Win,
    /// `goal`: the expression of the problem holds for the turn.
    Expression,
    /// The game ends for this reason, won by the side that is to reach the goal or drawn.
    Reason(Reason),
}

/// Play, goal and length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stipulation {
    /// Who works with or against whom.
    pub play: Play,
    /// What is to be reached.
    pub goal: Goal,
    /// Whole moves.
    pub moves: u32,
    /// Whether a half move comes before them (help play).
    pub half: bool,
    /// The board, for the names of squares.
    geometry: Geometry,
}

/// Plays with their prefixes, longer ones before their own beginnings.
const PLAYS: [(&str, Play); 11] = [
    ("ser-h", Play::Series(Ending::Goal, true)),
    ("ser-s", Play::Series(Ending::Forced, false)),
    ("ser-r", Play::Series(Ending::Reflex, false)),
    ("ser-", Play::Series(Ending::Goal, false)),
    ("semi-r", Play::SemiReflex),
    ("hs", Play::Help(Ending::Forced)),
    ("hr", Play::Help(Ending::Reflex)),
    ("h", Play::Help(Ending::Goal)),
    ("s", Play::Selfplay),
    ("r", Play::Reflex),
    ("", Play::Direct),
];

const EXAMPLES: &str = "for example `#3`, `s#2`, `h#2.5`, `ser-h#4`, `win 3`, `h-win 2`";

/// What a stipulation is made of, for messages about one that is wrong.
const GRAMMAR: &str = "a stipulation is PLAY GOAL MOVES: PLAY is nothing (direct), `s`, `r`, `semi-r`, `h`, \
                       `hs`, `hr`, `ser-`, `ser-h`, `ser-s` or `ser-r`; GOAL is `#`, `=`, `#=`, `##`, `+`, \
                       `x`, `~` or `z` and a square; or in words `win` or a reason, after PLAY and a hyphen \
                       (`h-win 2`); MOVES is a whole number, in help play also one that ends in `.5`";

impl Stipulation {
    /// Reads a stipulation whose goal is not an expression.
    ///
    /// # Errors
    /// If the text is not such a stipulation, or the rule set does not have its goal.
    pub fn parse(
        text: &str,
        rule_set: &RuleSet,
        geometry: Geometry,
    ) -> Result<Stipulation, Diagnostic> {
        let found = Stipulation::parse_any(text, rule_set, geometry)?;
        if found.goal == Goal::Expression {
            let error = Diagnostic::new(
                format!("stipulation `{}`", text.trim()),
                "the goal needs an expression",
            );
            return Err(error.help("`solve ID --goal EXPR 'goal 2'` states one"));
        }
        Ok(found)
    }

    /// Reads a stipulation for a rule set on a board of this shape.
    ///
    /// # Errors
    /// If the text is not a stipulation, or the rule set does not have its goal.
    pub fn parse_any(
        text: &str,
        rule_set: &RuleSet,
        geometry: Geometry,
    ) -> Result<Stipulation, Diagnostic> {
        let text = text.trim();
        let wrong = |why: String| Diagnostic::new(format!("stipulation `{text}`"), why);
        if text.is_empty() {
            return Err(
                wrong("there is nothing in it".into()).help(format!("{EXAMPLES}; {GRAMMAR}"))
            );
        }
        if !text.is_ascii() {
            return Err(wrong("only ASCII characters stand in stipulations".into())
                .help(format!("{EXAMPLES}; {GRAMMAR}")));
        }
        // The number at the end; the text before it gives play and goal.
        let head = text.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let (mut body, mut number) = (head.trim_end(), &text[head.len()..]);
        let (play, rest) = match parse_words(body, rule_set) {
            Some(found) => found,
            None => {
                let (prefix, play) = PLAYS
                    .into_iter()
                    .find(|(prefix, _)| {
                        body.strip_prefix(prefix).is_some_and(|rest| {
                            is_goal(rest) || rest.is_empty() && !prefix.is_empty()
                        })
                    })
                    .ok_or_else(|| unknown(text, body, rule_set))?;
                (play, GoalText::Sign(&body[prefix.len()..]))
            }
        };
        let goal = match rest {
            GoalText::Word(goal) => goal,
            GoalText::Sign("") => {
                return Err(wrong("the goal is missing".into()).help(
                    "`#` for checkmate, `=` for stalemate, `win`, or a reason of the rule set",
                ));
            }
            GoalText::Sign(sign) => match sign {
                "#" => Goal::Mate,
                "=" => Goal::Stalemate,
                "#=" => Goal::MateOrStalemate,
                "##" => Goal::DoubleMate,
                "+" => Goal::Check,
                "x" => Goal::Capture,
                "~" => Goal::Any,
                _ => {
                    // `zh35` is h3 in 5: the rank takes as many digits as the board needs.
                    let start = body.len() - sign.len() + 1;
                    let whole = &text[start..];
                    let digits = if geometry.ranks() < 10 { 1 } else { 2 };
                    let (square, left) = (1..=digits)
                        .rev()
                        .filter_map(|n| Some((whole.get(..1 + n)?, whole.get(1 + n..)?)))
                        .find_map(|(name, left)| Some((geometry.named(name)?, left)))
                        .ok_or_else(|| {
                            wrong(format!(
                                "`{whole}` does not begin with a square of this board"
                            ))
                            .help(format!(
                                "`z`, a square of the {} board, the number of moves: `zd46`",
                                geometry.size()
                            ))
                        })?;
                    body = &text[..text.len() - left.len()];
                    number = left.trim();
                    Goal::Target(square)
                }
            },
        };
        let help = matches!(play, Play::Help(_));
        if number.is_empty() {
            return Err(wrong("the number of moves is missing".into()).help(format!(
                "`{body}{}3`; {GRAMMAR}",
                if is_word(goal) { " " } else { "" }
            )));
        }
        if is_word(goal) && head == body {
            return Err(wrong("a blank between the word and the number".into())
                .help(format!("`{body} {number}`")));
        }
        let (whole, half) = match number.split_once('.') {
            None => (number, false),
            Some((whole, "5")) => (whole, true),
            Some(_) => {
                return Err(wrong(format!("`{number}` is not a number of moves"))
                    .help("a whole number, or in help play one that ends in `.5`"));
            }
        };
        let moves = whole_number(whole)
            .then(|| whole.parse::<u32>().ok())
            .flatten()
            .filter(|n| (u32::from(!half)..=MAX_MOVES).contains(n))
            .ok_or_else(|| {
                wrong(format!("`{number}` is not a number of moves")).help(format!(
                    "a whole number from 1 to {MAX_MOVES}{}",
                    if help {
                        ", or one that ends in `.5`"
                    } else {
                        ""
                    }
                ))
            })?;
        if half && !help {
            return Err(
                wrong("half moves exist in help play alone".into()).help(format!(
                    "`{body}{}{}`",
                    if is_word(goal) { " " } else { "" },
                    moves + 1
                )),
            );
        }
        if half && moves == 0 && play != Play::Help(Ending::Goal) {
            return Err(
                wrong("one turn is too short for this play".into()).help(format!("`{body}1`"))
            );
        }
        let found = Stipulation {
            play,
            goal,
            moves,
            half,
            geometry,
        };
        found
            .fits(rule_set)
            .map_err(|(why, help)| wrong(why).help(help))?;
        Ok(found)
    }

    /// Returns whether the goal exists under this rule set; if not, why, and what does.
    fn fits(&self, rule_set: &RuleSet) -> Result<(), (String, String)> {
        let has = |name: Reason| rule_set.reasons().iter().any(|(r, _)| *r == name);
        let needs: &[Reason] = match self.goal {
            Goal::Mate | Goal::DoubleMate | Goal::Check => &[reason::CHECKMATE],
            Goal::Stalemate => &[reason::STALEMATE],
            Goal::MateOrStalemate => &[reason::CHECKMATE, reason::STALEMATE],
            _ => &[],
        };
        for need in needs {
            if !has(need) {
                let known: Vec<&str> = rule_set.reasons().iter().map(|(r, _)| *r).collect();
                let what = if self.goal == Goal::Check {
                    "check"
                } else {
                    need
                };
                return Err((
                    format!("there is no {what} under the rules of `{}`", rule_set.id()),
                    format!(
                        "its games end by {}; `win` is possible, too",
                        known.join(", ")
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Turns of the longest solution, both sides counted.
    pub fn plies(&self) -> u32 {
        let half = u32::from(self.half);
        match self.play {
            Play::Direct => 2 * self.moves - 1,
            Play::Selfplay | Play::Reflex | Play::SemiReflex => 2 * self.moves,
            Play::Help(_) => 2 * self.moves + half,
            Play::Series(Ending::Goal, false) => self.moves,
            Play::Series(..) => self.moves + 1,
        }
    }
}

impl fmt::Display for Stipulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = PLAYS
            .iter()
            .find(|(_, play)| *play == self.play)
            .map_or("", |(prefix, _)| prefix);
        f.write_str(prefix)?;
        match self.goal {
            Goal::Mate => f.write_str("#")?,
            Goal::Stalemate => f.write_str("=")?,
            Goal::MateOrStalemate => f.write_str("#=")?,
            Goal::DoubleMate => f.write_str("##")?,
            Goal::Check => f.write_str("+")?,
            Goal::Capture => f.write_str("x")?,
            Goal::Any => f.write_str("~")?,
            Goal::Target(square) => write!(f, "z{}", self.geometry.name(square))?,
            Goal::Win | Goal::Reason(_) | Goal::Expression => {
                if !prefix.is_empty() && !prefix.ends_with('-') {
                    f.write_str("-")?;
                }
                let word = match self.goal {
                    Goal::Reason(reason) => reason,
                    Goal::Expression => "goal",
                    _ => "win",
                };
                write!(f, "{word} ")?;
            }
        }
        write!(f, "{}", self.moves)?;
        f.write_str(if self.half { ".5" } else { "" })
    }
}

/// A goal as written: a sign still to be read, or a word.
enum GoalText<'a> {
    Sign(&'a str),
    Word(Goal),
}

/// Returns whether the goal is written as a word.
fn is_word(goal: Goal) -> bool {
    matches!(goal, Goal::Win | Goal::Reason(_) | Goal::Expression)
}

/// Returns whether this is a goal's sign (a target square without its digits).
fn is_goal(text: &str) -> bool {
    matches!(text, "#" | "=" | "#=" | "##" | "+" | "x" | "~")
        || text.len() == 2 && text.starts_with('z') && text.as_bytes()[1].is_ascii_lowercase()
}

/// Reads `win`, `goal`, a reason, or one of them after a play and a hyphen.
fn parse_words<'a>(body: &str, rule_set: &RuleSet) -> Option<(Play, GoalText<'a>)> {
    let goal = |word: &str| match word {
        "win" => Some(Goal::Win),
        "goal" => Some(Goal::Expression),
        _ => rule_set
            .reasons()
            .iter()
            .find(|(r, _)| *r == word)
            .map(|(r, _)| Goal::Reason(r)),
    };
    if let Some(found) = goal(body) {
        return Some((Play::Direct, GoalText::Word(found)));
    }
    PLAYS.into_iter().find_map(|(prefix, play)| {
        let rest = body.strip_prefix(prefix)?;
        let rest = match prefix {
            "" => return None,
            _ if prefix.ends_with('-') => rest,
            _ => rest.strip_prefix('-')?,
        };
        Some((play, GoalText::Word(goal(rest)?)))
    })
}

/// Returns the message about a stipulation that cannot be read.
fn unknown(text: &str, body: &str, rule_set: &RuleSet) -> Diagnostic {
    let error = Diagnostic::new(
        format!("stipulation `{text}`"),
        format!("`{body}` is not a play with a goal"),
    );
    let mut known: Vec<String> = vec![
        "#",
        "=",
        "#=",
        "##",
        "+",
        "x",
        "~",
        "s#",
        "r#",
        "semi-r#",
        "h#",
        "h=",
        "hs#",
        "hr#",
        "ser-#",
        "ser-=",
        "ser-h#",
        "ser-h=",
        "ser-s#",
        "ser-r#",
        "win",
        "h-win",
        "s-win",
        "ser-win",
        "ser-h-win",
    ]
    .into_iter()
    .map(String::from)
    .collect();
    for (word, _) in rule_set.reasons() {
        known.push((*word).to_string());
        known.push(format!("h-{word}"));
    }
    let near = nearest(body, known.iter().map(String::as_str));
    let reasons: Vec<&str> = rule_set.reasons().iter().map(|(r, _)| *r).collect();
    error.help(match near {
        Some(near) => format!("did you mean `{near}`? {EXAMPLES}; {GRAMMAR}"),
        None => format!(
            "{EXAMPLES}; {GRAMMAR}; reasons of `{}`: {}",
            rule_set.id(),
            reasons.join(", ")
        ),
    })
}

/// Returns whether an outcome is the end that a goal of this kind requires, for the side `by`.
pub(super) fn ends_well(goal: Goal, outcome: Outcome, by: board::Color) -> bool {
    match (goal, outcome) {
        (Goal::Mate, Outcome::Win(winner, r)) => winner == by && r == reason::CHECKMATE,
        (Goal::Win, Outcome::Win(winner, _)) => winner == by,
        (Goal::Reason(want), Outcome::Win(winner, r) | Outcome::WeakWin(winner, r)) => {
            winner == by && r == want
        }
        (Goal::Reason(want), Outcome::Draw(r)) => r == want,
        (Goal::Stalemate, ended) => ended.reason() == Some(reason::STALEMATE),
        (Goal::MateOrStalemate, ended) => {
            ended.reason() == Some(reason::STALEMATE) || ends_well(Goal::Mate, ended, by)
        }
        _ => false,
    }
}
