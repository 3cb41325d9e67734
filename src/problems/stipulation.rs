//! Stipulations: the task of a problem, consisting of play, goal and number of moves.
//!
//! The grammar is that of chess problems, with words for what orthodox chess does not have:
//! `#3`, `s#3`, `r#2`, `semi-r#2`, `h#2.5`, `hs#3`, `hr#2`, `ser-#7`, `ser-h=14`, `ser-s#6`,
//! `ser-r#2`, `2->ser-h#3`; goals `#`, `=`, `#=`, `##`, `+`, `x`, `z` and a square, `~`; `win 3`, `h-win 2`,
//! `marriage 3`, `ser-h-marriage 4` and every other reason of the rule set; `goal 3`, `h-goal 2` for a goal
//! that is an expression.

use board::{Color, Geometry, Square};
use diagnostics::whole_number;
use diagnostics::{Diagnostic, nearest};
use language::Expression;
use rules::{Reason, RuleSet, reason};
use search::{Ending, Goal, MAX_MOVES, Play};
use std::fmt;

/// A stipulation: play, goal and number of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stipulation {
    /// The kind of play.
    pub play: Play,
    /// The goal to reach.
    pub goal: Goal,
    /// The number of whole moves.
    pub moves: u32,
    /// Whether a half move precedes the whole moves; in help play only.
    pub half: bool,
    /// In series play: the maximum number of turns of the introduction, which the other side makes before the
    /// series (`2->ser-h#3`); 0 if there is no introduction. An introduction of at least one turn must be made.
    pub introduction: u32,
    /// The board, for the names of squares.
    geometry: Geometry,
}

/// The kinds of play with their prefixes. A prefix comes after all longer prefixes that begin with it.
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

/// The sign between the number of turns of an introduction and the series after it.
const INTRODUCES: &str = "->";

/// The help for an invalid stipulation. The grammar is in the guide.
const EXAMPLES: &str =
    "for example `#3`, `s#2`, `h#2.5`, `ser-h#4`, `win 3`; all: `fairyproof guide problems`";

impl Stipulation {
    /// Parses a stipulation whose goal is not an expression.
    ///
    /// # Errors
    /// If the text is not such a stipulation, or the rule set does not have its goal.
    pub fn parse(
        text: &str,
        rule_set: &RuleSet,
        geometry: Geometry,
    ) -> Result<Stipulation, Diagnostic> {
        Stipulation::parse_with(text, rule_set, geometry, &|| {
            let error = Diagnostic::new(
                format!("stipulation `{}`", text.trim()),
                "the goal needs an expression",
            );
            Err(error.help("`solve ID --goal EXPR 'goal 2'` states one"))
        })
    }

    /// Parses a stipulation for a rule set on a board of this shape. `expression` is called for the word
    /// `goal` and returns the condition that the word refers to.
    ///
    /// # Errors
    /// If the text is not a stipulation, the rule set does not have its goal, or `expression` fails.
    pub fn parse_with(
        text: &str,
        rule_set: &RuleSet,
        geometry: Geometry,
        expression: &dyn Fn() -> Result<Expression, Diagnostic>,
    ) -> Result<Stipulation, Diagnostic> {
        let text = text.trim();
        let frame = Frame::parse(text, rule_set, geometry)?;
        let goal = match frame.goal {
            Some(goal) => goal,
            None => Goal::expression(expression()?),
        };
        let found = Stipulation {
            play: frame.play,
            goal,
            moves: frame.moves,
            half: frame.half,
            introduction: frame.introduction,
            geometry,
        };
        found
            .check_goal(rule_set)
            .map_err(|(why, help)| wrong(text, why).help(help))?;
        Ok(found)
    }

    /// Returns the side that makes the first turn of a problem by convention, given only the text of its
    /// stipulation: Black in help play of whole moves and in series helpmates, in helpselfmates and
    /// help-reflexmates with a half move; otherwise White. An introduction is made by the other side than the
    /// series after it.
    ///
    /// # Errors
    /// If the text is not a stipulation.
    pub fn first_side(
        text: &str,
        rule_set: &RuleSet,
        geometry: Geometry,
    ) -> Result<Color, Diagnostic> {
        let frame = Frame::parse(text.trim(), rule_set, geometry)?;
        Ok(usual_side(frame.play, frame.half, frame.introduction))
    }

    /// Returns the side that makes the first turn by convention.
    pub fn usual_side(&self) -> Color {
        usual_side(self.play, self.half, self.introduction)
    }

    /// Checks that the goal exists under this rule set. An error is the reason and a remedy.
    fn check_goal(&self, rule_set: &RuleSet) -> Result<(), (String, String)> {
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

    /// Returns the number of turns of the longest solution, of both sides together.
    pub fn plies(&self) -> u32 {
        let half = u32::from(self.half);
        match self.play {
            Play::Direct => 2 * self.moves - 1,
            Play::Selfplay | Play::Reflex | Play::SemiReflex => 2 * self.moves,
            Play::Help(_) => 2 * self.moves + half,
            Play::Series(Ending::Goal, false) => self.introduction + self.moves,
            Play::Series(..) => self.introduction + self.moves + 1,
        }
    }
}

impl fmt::Display for Stipulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = PLAYS
            .iter()
            .find(|(_, play)| *play == self.play)
            .map_or("", |(prefix, _)| prefix);
        if self.introduction > 0 {
            write!(f, "{}{INTRODUCES}", self.introduction)?;
        }
        f.write_str(prefix)?;
        match &self.goal {
            Goal::Target(square) => write!(f, "z{}", self.geometry.name(*square))?,
            Goal::Win | Goal::NotLose | Goal::Reason(_) | Goal::Expression(_) => {
                if !prefix.is_empty() && !prefix.ends_with('-') {
                    f.write_str("-")?;
                }
                match self.goal {
                    Goal::Expression(_) => f.write_str("goal ")?,
                    _ => write!(f, "{} ", self.goal)?,
                }
            }
            sign => write!(f, "{sign}")?,
        }
        write!(f, "{}", self.moves)?;
        f.write_str(if self.half { ".5" } else { "" })
    }
}

/// What the text of a stipulation says without an expression.
struct Frame {
    play: Play,
    /// The goal, unless it is an expression.
    goal: Option<Goal>,
    moves: u32,
    half: bool,
    introduction: u32,
}

impl Frame {
    /// Parses a trimmed text. An expression is read later, so errors in the text around it are reported first.
    fn parse(text: &str, rule_set: &RuleSet, geometry: Geometry) -> Result<Frame, Diagnostic> {
        let Some((turns, series)) = text.split_once(INTRODUCES) else {
            return Frame::parse_main(text, rule_set, geometry);
        };
        let frame = Frame::parse_main(series.trim_start(), rule_set, geometry)?;
        if !matches!(frame.play, Play::Series(..)) {
            let why = "only a series can follow turns of the other side";
            return Err(wrong(text, why).help("for example `2->ser-h#3`"));
        }
        let introduction = parse_count(turns.trim_end(), 1).ok_or_else(|| {
            let why = format!("`{turns}` is not a number of turns before the series");
            wrong(text, why).help(format!("a whole number from 1 to {MAX_MOVES}"))
        })?;
        Ok(Frame {
            introduction,
            ..frame
        })
    }

    /// Parses a trimmed text without an introduction.
    fn parse_main(text: &str, rule_set: &RuleSet, geometry: Geometry) -> Result<Frame, Diagnostic> {
        let wrong = |why: String| wrong(text, why);
        if text.is_empty() {
            return Err(wrong("the text is empty".into()).help(EXAMPLES));
        }
        if !text.is_ascii() {
            return Err(wrong("it contains a character that is not ASCII".into()).help(EXAMPLES));
        }
        // Split off the number at the end. The text before it contains play and goal.
        let head = text.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let (mut body, mut number) = (head.trim_end(), &text[head.len()..]);
        let (play, rest) = parse_play(text, body, rule_set)?;
        let is_word = !matches!(rest, GoalText::Sign(_));
        let goal = match rest {
            GoalText::Word(goal) => Some(goal),
            GoalText::Expression => None,
            GoalText::Sign("") => {
                return Err(wrong("the goal is missing".into()).help(
                    "`#` for checkmate, `=` for stalemate, `win`, or a reason of the rule set",
                ));
            }
            GoalText::Sign(sign) => Some(match sign {
                "#" => Goal::Mate,
                "=" => Goal::Stalemate,
                "#=" => Goal::MateOrStalemate,
                "##" => Goal::DoubleMate,
                "+" => Goal::Check,
                "x" => Goal::Capture,
                "~" => Goal::Any,
                _ => {
                    let square;
                    let start = body.len() - sign.len() + 1;
                    (square, number) = parse_target(text, start, geometry)?;
                    body = &text[..text.len() - number.len()];
                    number = number.trim();
                    Goal::Target(square)
                }
            }),
        };
        let help = matches!(play, Play::Help(_));
        if number.is_empty() {
            return Err(wrong("the number of moves is missing".into())
                .help(format!("`{body}{}3`", if is_word { " " } else { "" })));
        }
        if is_word && head == body {
            return Err(
                wrong("a blank is missing between the word and the number".into())
                    .help(format!("`{body} {number}`")),
            );
        }
        let (moves, half) = parse_moves(text, number, help)?;
        if half && !help {
            return Err(
                wrong("only help play can have half moves".into()).help(format!(
                    "`{body}{}{}`",
                    if is_word { " " } else { "" },
                    moves + 1
                )),
            );
        }
        if half && moves == 0 && play != Play::Help(Ending::Goal) {
            return Err(
                wrong("one turn is too short for this play".into()).help(format!("`{body}1`"))
            );
        }
        Ok(Frame {
            play,
            goal,
            moves,
            half,
            introduction: 0,
        })
    }
}

/// See [`Stipulation::usual_side`].
fn usual_side(play: Play, half: bool, introduction: u32) -> Color {
    let black = match play {
        Play::Help(Ending::Goal) => !half,
        Play::Help(_) => half,
        Play::Series(Ending::Goal, true) => true,
        _ => false,
    };
    if black != (introduction > 0) {
        Color::Black
    } else {
        Color::White
    }
}

/// A goal as written: a sign that is not parsed yet, a word, or the word for an expression.
enum GoalText<'a> {
    Sign(&'a str),
    Word(Goal),
    Expression,
}

/// Returns whether a text is the sign of a goal. A target square is given without its digits.
fn is_goal(text: &str) -> bool {
    matches!(text, "#" | "=" | "#=" | "##" | "+" | "x" | "~")
        || text.len() == 2 && text.starts_with('z') && text.as_bytes()[1].is_ascii_lowercase()
}

/// Parses play and goal from `body`, the text before the number of moves.
fn parse_play<'t>(
    text: &str,
    body: &'t str,
    rule_set: &RuleSet,
) -> Result<(Play, GoalText<'t>), Diagnostic> {
    if let Some(found) = parse_words(body, rule_set) {
        return Ok(found);
    }
    let (prefix, play) = PLAYS
        .into_iter()
        .find(|(prefix, _)| {
            body.strip_prefix(prefix)
                .is_some_and(|rest| is_goal(rest) || rest.is_empty() && !prefix.is_empty())
        })
        .ok_or_else(|| unknown(text, body, rule_set))?;
    Ok((play, GoalText::Sign(&body[prefix.len()..])))
}

/// Returns the square at `start`, and the text after it. The rank takes as many digits as the board needs: on
/// eight ranks, `zh35` is h3 in 5 moves.
fn parse_target(
    text: &str,
    start: usize,
    geometry: Geometry,
) -> Result<(Square, &str), Diagnostic> {
    let whole = &text[start..];
    let digits = if geometry.ranks() < 10 { 1 } else { 2 };
    (1..=digits)
        .rev()
        .filter_map(|n| Some((whole.get(..1 + n)?, whole.get(1 + n..)?)))
        .find_map(|(name, left)| Some((geometry.named(name)?, left)))
        .ok_or_else(|| {
            let why = format!("`{whole}` does not begin with a square of this board");
            let size = geometry.size();
            wrong(text, why).help(format!(
                "`z`, a square of the {size} board, the number of moves: `zd46`"
            ))
        })
}

/// Parses a number of moves. Also returns whether a half move precedes them.
fn parse_moves(text: &str, number: &str, help: bool) -> Result<(u32, bool), Diagnostic> {
    let (whole, half) = match number.split_once('.') {
        None => (number, false),
        Some((whole, "5")) => (whole, true),
        Some(_) => {
            return Err(wrong(text, format!("`{number}` is not a number of moves"))
                .help("a whole number, or in help play one that ends in `.5`"));
        }
    };
    let moves = parse_count(whole, u32::from(!half)).ok_or_else(|| {
        wrong(text, format!("`{number}` is not a number of moves")).help(format!(
            "a whole number from 1 to {MAX_MOVES}{}",
            if help {
                ", or one that ends in `.5`"
            } else {
                ""
            }
        ))
    })?;
    Ok((moves, half))
}

/// Parses a whole number from `min` to [`MAX_MOVES`].
fn parse_count(text: &str, min: u32) -> Option<u32> {
    let number = whole_number(text).then(|| text.parse().ok()).flatten()?;
    (min..=MAX_MOVES).contains(&number).then_some(number)
}

fn wrong(text: &str, why: impl Into<String>) -> Diagnostic {
    Diagnostic::new(format!("stipulation `{text}`"), why)
}

/// Parses `win`, `goal` or a reason, alone or after a play and a hyphen.
fn parse_words<'a>(body: &str, rule_set: &RuleSet) -> Option<(Play, GoalText<'a>)> {
    let goal = |word: &str| match word {
        "win" => Some(GoalText::Word(Goal::Win)),
        "goal" => Some(GoalText::Expression),
        _ => rule_set
            .reasons()
            .iter()
            .find(|(r, _)| *r == word)
            .map(|(r, _)| GoalText::Word(Goal::Reason(r))),
    };
    if let Some(found) = goal(body) {
        return Some((Play::Direct, found));
    }
    PLAYS.into_iter().find_map(|(prefix, play)| {
        let rest = body.strip_prefix(prefix)?;
        let rest = match prefix {
            "" => return None,
            _ if prefix.ends_with('-') => rest,
            _ => rest.strip_prefix('-')?,
        };
        Some((play, goal(rest)?))
    })
}

/// Returns the error about a text that is not a play with a goal.
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
    error.help(match near {
        Some(near) => format!("did you mean `{near}`? all: `fairyproof guide problems`"),
        None => EXAMPLES.to_string(),
    })
}
