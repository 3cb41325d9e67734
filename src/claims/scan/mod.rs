//! Sets of positions, and the evaluation of expressions over them.
//!
//! A [`Question`] holds the expressions that a claim evaluates in each position. A scan visits the positions
//! of a set and returns a [`Tally`]. Sets are visited in pieces of a fixed size and in a fixed order, so a
//! tally is the same for any number of threads. A scan ends at the first decisive position.
//!
//! | file | set |
//! |---|---|
//! | `graph.rs` | the reachable positions |
//! | `placements.rs` | all placements of some units |
//! | `table.rs` | an endgame table |
//! | `games.rs` | random games |
//! | `listed.rs` | single positions |
//! | `line.rs` | the turns of a line |
//! | `steps.rs` | every possible single step |

pub mod games;
pub mod graph;
mod line;
mod listed;
pub mod placements;
pub mod steps;
pub mod table;

use crate::file::{SetKind, Text};
use crate::subject::{Subject, compile, on_board};
use control::{Control, parallel};
use diagnostics::Diagnostic;
use language::{About, Expression, Interrupted};
use notation::with_setup;
use position::Layout;
use rules::{AnyGame, with_game};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number of pieces between two reports of progress. It is constant, so results do not depend on the
/// number of threads.
const ROUND: u64 = 128;

/// The expressions that a claim evaluates in each position, as texts.
#[derive(Clone, Default)]
pub struct Wanted<'a> {
    /// A condition that selects positions of the set. All others are skipped.
    pub among: Option<&'a Text>,
    /// A condition. The tally counts the positions in which it holds.
    pub condition: Option<&'a Text>,
    /// The value of `condition` that makes a position decisive. The scan ends at the first such position.
    pub decisive: Option<bool>,
    /// An integer expression whose sum, minimum and maximum are computed.
    pub integer: Option<&'a Text>,
    /// Conditions for which the scan records whether they hold in any position.
    pub somewhere: Vec<String>,
}

/// The expressions that a claim evaluates in each position, compiled for a game.
pub struct Question {
    among: Option<Expression>,
    condition: Option<Expression>,
    decisive: Option<bool>,
    integer: Option<Expression>,
    somewhere: Vec<Option<Expression>>,
    /// One flag for each condition of `somewhere`, set once the condition has held.
    fired: Vec<AtomicBool>,
    reads_graph: bool,
}

impl Question {
    /// Compiles the expressions for a game.
    ///
    /// # Errors
    /// If an expression is wrong, with its place in the file.
    pub fn new(
        wanted: &Wanted<'_>,
        subject: &Subject<'_>,
        game: &AnyGame,
        about: About,
    ) -> Result<Question, Diagnostic> {
        let among = wanted.among;
        let among = among.map(|text| subject.condition(text, game, about));
        let condition = wanted.condition;
        let condition = condition.map(|text| subject.condition(text, game, about));
        let integer = wanted.integer;
        let integer = integer.map(|text| subject.integer(text, game, about));
        let somewhere = wanted.somewhere.iter();
        let somewhere = somewhere.map(|text| compile(subject.catalog, text, game, about).ok());
        let mut question = Question {
            among: among.transpose()?,
            condition: condition.transpose()?,
            decisive: wanted.decisive,
            integer: integer.transpose()?,
            somewhere: somewhere.collect(),
            fired: wanted
                .somewhere
                .iter()
                .map(|_| AtomicBool::new(false))
                .collect(),
            reads_graph: false,
        };
        let somewhere = question.somewhere.iter().flatten();
        let all = question.among.iter().chain(&question.condition);
        let all = all.chain(&question.integer);
        question.reads_graph = all.chain(somewhere).any(Expression::reads_graph);
        Ok(question)
    }

    /// Returns whether an expression uses the values of positions.
    pub fn reads_values(&self) -> bool {
        let all = self.among.iter().chain(&self.condition);
        let all = all.chain(&self.integer);
        all.chain(self.somewhere.iter().flatten())
            .any(Expression::reads_values)
    }

    /// Returns the indices of the conditions of `somewhere` that do not compile.
    pub fn unread(&self) -> Vec<usize> {
        let conditions = self.somewhere.iter().enumerate();
        conditions
            .filter(|(_, expression)| expression.is_none())
            .map(|(at, _)| at)
            .collect()
    }

    /// Returns the indices of the conditions of `somewhere` that have not held in any position.
    pub fn never_held(&self) -> Vec<usize> {
        let conditions = self.somewhere.iter().zip(&self.fired).enumerate();
        conditions
            .filter(|(_, (expression, fired))| {
                expression.is_some() && !fired.load(Ordering::Relaxed)
            })
            .map(|(at, _)| at)
            .collect()
    }

    /// Evaluates the expressions in a position and adds the results to `tally`. `mark` returns an
    /// identification of the position. Returns whether the position is decisive.
    ///
    /// # Errors
    /// If the evaluation was interrupted.
    #[inline]
    pub fn examine<W: Layout, T: Clone>(
        &self,
        subject: &language::Subject<'_, W>,
        tally: &mut Tally<T>,
        mark: &mut dyn FnMut() -> T,
    ) -> Result<bool, Interrupted> {
        if let Some(among) = &self.among
            && !among.holds(subject)?
        {
            return Ok(false);
        }
        tally.positions += 1;
        if let Some(condition) = &self.condition {
            let holds = condition.holds(subject)?;
            tally.hits += u64::from(holds);
            if self.decisive == Some(holds) {
                tally.first = Some(mark());
                return Ok(true);
            }
        }
        if let Some(integer) = &self.integer {
            let number = integer.number(subject)?;
            tally.sum += i128::from(number);
            if tally.min.as_ref().is_none_or(|(min, _)| number < *min) {
                tally.min = Some((number, mark()));
            }
            if tally.max.as_ref().is_none_or(|(max, _)| number > *max) {
                tally.max = Some((number, mark()));
            }
        }
        for (expression, fired) in self.somewhere.iter().zip(&self.fired) {
            if let Some(expression) = expression
                && !fired.load(Ordering::Relaxed)
                && expression.holds(subject)?
            {
                fired.store(true, Ordering::Relaxed);
            }
        }
        Ok(false)
    }
}

/// The figures of a scan. `T` identifies a position.
#[derive(Clone, Debug)]
pub struct Tally<T> {
    /// The number of positions visited.
    pub positions: u64,
    /// The number of positions in which the condition holds.
    pub hits: u64,
    /// The sum of the integer expression.
    pub sum: i128,
    /// The smallest value of the integer expression, with the first position that has it.
    pub min: Option<(i64, T)>,
    /// The greatest value of the integer expression, with the first position that has it.
    pub max: Option<(i64, T)>,
    /// The first decisive position.
    pub first: Option<T>,
}

impl<T> Default for Tally<T> {
    fn default() -> Tally<T> {
        Tally {
            positions: 0,
            hits: 0,
            sum: 0,
            min: None,
            max: None,
            first: None,
        }
    }
}

impl<T> Tally<T> {
    /// Adds the figures of positions that follow the positions of this tally.
    pub fn add(&mut self, later: Tally<T>) {
        self.positions += later.positions;
        self.hits += later.hits;
        self.sum += later.sum;
        if let Some(min) = later.min
            && self.min.as_ref().is_none_or(|own| min.0 < own.0)
        {
            self.min = Some(min);
        }
        if let Some(max) = later.max
            && self.max.as_ref().is_none_or(|own| max.0 > own.0)
        {
            self.max = Some(max);
        }
        if self.first.is_none() {
            self.first = later.first;
        }
    }

    /// Returns the tally with each position's identification replaced.
    pub fn map<U>(self, mut mark: impl FnMut(T) -> U) -> Tally<U> {
        Tally {
            positions: self.positions,
            hits: self.hits,
            sum: self.sum,
            min: self.min.map(|(number, at)| (number, mark(at))),
            max: self.max.map(|(number, at)| (number, mark(at))),
            first: self.first.map(mark),
        }
    }
}

/// A position that others can set up, with a line to it if there is one.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Witness {
    /// The position from which the line begins; empty without a line.
    pub root: String,
    /// The turns in coordinate notation. If the expression is about a turn or step, that one comes last.
    pub line: Vec<String>,
    /// The position as a FEN. If the expression is about a turn, this is the position before the turn.
    pub fen: String,
    /// The turn, if the expression is about a turn.
    pub turn: Option<String>,
}

/// The result of a scan.
#[derive(Debug)]
pub struct Scanned {
    /// The figures.
    pub tally: Tally<Witness>,
    /// The limit that ended the scan early, with its number. `None` if the set is complete or a position was
    /// decisive.
    pub limit: Option<String>,
    /// The set in words, with its size.
    pub set: String,
    /// The sums over random games, for estimates.
    pub games: Option<games::Moments>,
}

/// A scan with the indices of the conditions of [`Wanted::somewhere`] that never held, and of those that do not
/// compile; `None` if the scan was stopped.
pub type ScanResult = Result<Option<(Scanned, Vec<usize>, Vec<usize>)>, Diagnostic>;

/// The function that visits the positions of one piece and adds them to a tally.
pub type PieceWork<'w, T> = dyn Fn(u64, &mut Tally<T>) -> Result<(), Interrupted> + Sync + 'w;

/// Runs `work` on the pieces of a set in order, round by round. Ends after the first piece with a decisive
/// position. Returns `None` if `control` stopped it.
pub fn in_pieces<T: Send>(
    pieces: u64,
    control: &Control<'_>,
    work: &PieceWork<'_, T>,
) -> Option<Tally<T>> {
    let mut all = Tally::default();
    let mut from = 0;
    while from < pieces && all.first.is_none() {
        let to = (from + ROUND).min(pieces);
        let decided = AtomicUsize::new(usize::MAX);
        let results = parallel::map_long((to - from) as usize, |at| {
            let mut tally = Tally::default();
            if decided.load(Ordering::Relaxed) < at {
                return Ok(tally);
            }
            if control.check().is_err() {
                return Err(Interrupted);
            }
            work(from + at as u64, &mut tally)?;
            if tally.first.is_some() {
                decided.fetch_min(at, Ordering::Relaxed);
            }
            Ok(tally)
        });
        for result in results {
            all.add(result.ok()?);
            if all.first.is_some() {
                break;
            }
        }
        from = to;
        control.report_done("verifying", from, pieces, "parts");
    }
    Some(all)
}

/// Returns the features that expressions may use in the positions of a set.
pub fn about(set: &SetKind) -> About {
    match set {
        SetKind::Graph { depth } => About {
            graph: true,
            values: depth.is_none(),
            ..About::POSITION
        },
        SetKind::Table { .. } => About::VALUED,
        SetKind::Steps | SetKind::Line(_) => About::TURN,
        _ => About::POSITION,
    }
}

/// Returns the games for which the expressions of a set are compiled.
///
/// # Errors
/// If a board, a position, a signature or a list of units is wrong, with its place in the file.
pub fn games_of(set: &SetKind, subject: &Subject<'_>) -> Result<Vec<AnyGame>, Diagnostic> {
    match set {
        SetKind::Positions(texts) => {
            let setups = listed::setups(subject, texts)?;
            let mut games: Vec<AnyGame> = Vec::new();
            for setup in setups {
                let game = setup.game();
                if !games.iter().any(|known| is_same_board(known, &game)) {
                    games.push(game);
                }
            }
            Ok(games)
        }
        SetKind::Placements { units, board, .. } => {
            let game = on_board(subject, board.as_ref())?;
            with_game!(&game, game => placements::materials(game.as_ref(), &units.value))
                .map_err(|error| subject.file.error(&units.span, error.why))?;
            Ok(vec![game])
        }
        SetKind::Table { signature, board } => {
            let game = on_board(subject, board.as_ref())?;
            with_game!(&game, game => tables::Signature::parse(game.as_ref(), &signature.value).map(drop))
                .map_err(|error| subject.file.error_of(signature, &error))?;
            Ok(vec![game])
        }
        SetKind::Line(text) => {
            with_setup!(&subject.setup, start => line::replayed(start, text, subject).map(drop))?;
            Ok(vec![subject.setup.game()])
        }
        _ => Ok(vec![subject.setup.game()]),
    }
}

/// Returns whether two games of the same rule set are played on boards of the same shape.
fn is_same_board(one: &AnyGame, other: &AnyGame) -> bool {
    let geometry = |game: &AnyGame| with_game!(game, game => game.board().geometry());
    geometry(one) == geometry(other)
}

/// Compiles all expressions for every game of a set, without evaluating them.
///
/// # Errors
/// If an expression or the set is wrong, with its place in the file.
pub fn validate(
    set: &SetKind,
    wanted: &Wanted<'_>,
    subject: &Subject<'_>,
) -> Result<(), Diagnostic> {
    for game in games_of(set, subject)? {
        Question::new(wanted, subject, &game, about(set))?;
    }
    Ok(())
}

/// Visits the positions of a set. Returns `None` if `control` stopped it.
///
/// # Errors
/// The errors of [`validate`].
pub fn scan(
    set: &SetKind,
    wanted: &Wanted<'_>,
    subject: &Subject<'_>,
    control: &Control<'_>,
) -> ScanResult {
    if let SetKind::Positions(texts) = set {
        let setups = listed::setups(subject, texts)?;
        return listed::scan(&setups, wanted, subject, control);
    }
    let games = games_of(set, subject)?;
    let Some(game) = games.first() else {
        return Ok(None);
    };
    let question = Question::new(wanted, subject, game, about(set))?;
    let limits = &subject.claim.limits;
    let scanned = match set {
        SetKind::One => {
            let setups = [subject.setup.clone()];
            return listed::scan(&setups, wanted, subject, control);
        }
        SetKind::Positions(_) => None,
        SetKind::Graph { depth } => with_setup!(&subject.setup, start => {
            graph::scan(start, &question, *depth, limits, control)
        }),
        SetKind::Games { games, ends } => with_setup!(&subject.setup, start => {
            let plan = games::Plan {
                games: limits.games.map_or(*games, |limit| limit.min(*games)),
                stated: *games,
                ends: *ends,
            };
            games::scan(start.game.as_ref(), &start.position, &question, &plan, control)
        }),
        SetKind::Placements { units, legal, .. } => with_game!(game, game => {
            let materials = placements::materials(game.as_ref(), &units.value)
                .map_err(|error| subject.file.error(&units.span, error.why))?;
            let plan = placements::Plan {
                units: &units.value,
                materials,
                legal: *legal,
                max_positions: limits.positions,
            };
            placements::scan(game.as_ref(), &question, &plan, control)
        }),
        SetKind::Table { signature, .. } => with_game!(game, game => {
            table::scan(game, &signature.value, &question, limits, control)
                .map_err(|error| subject.file.error_of(signature, &error))?
        }),
        SetKind::Line(text) => with_setup!(&subject.setup, start => {
            line::scan(start, text, &question, subject, control)?
        }),
        SetKind::Steps => with_setup!(&subject.setup, start => {
            steps::scan(start, &question, control)
        }),
    };
    Ok(scanned.map(|scanned| (scanned, question.never_held(), question.unread())))
}
