//! The JSON answers of the server.
//!
//! Fields name a position: `variant` (with options), `fen` (the start position if left out) and `line` (turns
//! played from there, separated by commas).
//!
//! | request | answer |
//! |---|---|
//! | `GET /api/variants` | the rows of `fairyproof variants --format json` |
//! | `GET /api/position?variant&fen&line` | the position after the line: `fen`, `squares`, `outcome`, `side`, `svg`, `signature`; `category` and `dtm`, also for each of its `moves`, best first; `table`: why no table can be built, or `null` |
//! | `GET /api/edit?variant&fen&change&square&unit` | the FEN after a change (`put`, `side` or `clear`), which need not be a legal position: `fen`, `squares`; `error`: why it is not legal, or `null` |
//! | `GET /api/rules?variant` | `html`: introduction, outcomes, differences from orthodox chess |
//! | `GET /rules?variant` | the rules and units of a rule set, as a page |
//! | `GET /api/compare?first&second&fen` | `differences` of two rule sets at a position, the rows of `fairyproof compare --format json` |
//! | `GET /api/eval?variant&fen&line&expression` | the value of an expression after the line: `type`, `text`; `squares` of a list of squares or units; `notes` |
//! | `GET /api/states?variant&fen&line&expression` | the states of a solved graph with the position for which a condition holds: `count` of `states`, the first `fens` |
//! | `POST /api/plan {variant, fen}` | `job`; its result, the size of the position's table: `signature`, `indices`, `memory_bytes`, `groups` |
//! | `POST /api/solve {variant, fen, stipulation}` | `job`; its result has the fields of `fairyproof solve --format json`, and `text`, `html` |
//! | `POST /api/table {variant, fen}` | `job`; its result: `solved`, `reused`, `indices` |
//! | `POST /api/graph {variant, fen}` | `job`; its result: `states` |
//! | `POST /api/perft {variant, fen, depth}` | `job`; its result: `turns` with `turn` and `nodes`, and all `nodes` |
//! | `GET /api/job?job&wait` | `state` (`running`, `done`, `failed`, `cancelled`), `done`, `of`, and `result` or `error`; waits up to `wait` milliseconds for the end of the job |
//! | `POST /api/cancel {job}` | the fields of `/api/job`, after the job's stop flag is set |
//!
//! `category` is `win`, `weak-win`, `draw`, `weak-loss`, `loss` or `unknown`, for the side to move in a
//! position or for the side that makes a move. `dtm` is the distance to the end in plies, or `null` if there
//! is none. `uci` is the turn in coordinate notation. Errors have the field `error`, `help` if possible, and
//! `turn` if a turn of the line is wrong. A job that no client requests for 15 seconds is cancelled.

use crate::Config;
use crate::expressions;
use crate::jobs::{ABANDONED_AFTER, JobResult, Jobs, MAX_RUNNING, Shown as ShownJob, Watch};
use crate::request::{Fields, Refusal, given, whole_number};
use crate::session::{MAX_STATES, Opened, Sessions, with_session};
use crate::view::{SquareRow, after, check_client, signature_of_table, view};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::{MethodFilter, MethodRouter, get, on};
use control::Control;
use control::evaluation::armed;
use diagnostics::Diagnostic;
use notation::edit::Change;
use notation::{Start, fen, turns};
use picture::markup::escaped;
use picture::problem::About;
use picture::rule_pages;
use position::Position;
use problems::text;
use problems::tree::{Shown, Want};
use problems::{Deadline, Limits, Problem, Stipulation};
use puzzle::Layout;
use report::compare::{self, Comparison};
use report::variants::VariantRow;
use rules::{Game, Variant};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value as JsonValue, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tables::{build, plan};
use tokio::sync::Semaphore;

/// The maximum number of turns in a line.
const MAX_LINE_TURNS: usize = 2000;

/// The maximum depth in plies for counting lines.
const MAX_DEPTH: u64 = 12;

/// The time limit for solving a problem.
const SOLVE_TIME: Duration = Duration::from_secs(120);

/// The number of expressions that are evaluated at a time. Further ones wait, and leave threads for other
/// requests: an expression may take as long as a request may.
const MAX_EXPRESSIONS: usize = 2;

/// The maximum time that a request waits for the end of a job.
const MAX_WAIT: Duration = ABANDONED_AFTER.checked_div(2).unwrap();

/// The state that all requests share.
pub struct App {
    config: Config,
    sessions: Sessions,
    /// The long computations.
    pub jobs: Jobs,
    /// A permit for each expression that may be evaluated now.
    expressions: Arc<Semaphore>,
}

type Shared = State<Arc<App>>;
type Reply<T> = Result<T, Refusal>;
type Answer<T> = Reply<Json<T>>;

/// Fields that name a position, for requests that start jobs.
#[derive(Deserialize, Debug)]
pub struct PositionFields {
    variant: String,
    fen: Option<String>,
}

/// Fields of `/api/position`.
#[derive(Deserialize, Debug)]
pub struct LineFields {
    variant: String,
    fen: Option<String>,
    line: Option<String>,
}

/// Fields of `/api/eval` and `/api/states`.
#[derive(Deserialize, Debug)]
pub struct ExpressionFields {
    variant: String,
    fen: Option<String>,
    line: Option<String>,
    expression: String,
}

/// Fields of `/api/rules` and `/rules`.
#[derive(Deserialize, Debug)]
pub struct RulesFields {
    variant: String,
}

/// A change of a position.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "kebab-case")]
enum ChangeKind {
    Put,
    Side,
    Clear,
}

/// Fields of `/api/edit`.
#[derive(Deserialize, Debug)]
pub struct EditFields {
    variant: String,
    fen: String,
    change: ChangeKind,
    /// The square, for `put`.
    square: Option<String>,
    /// The unit for `put` in the notation of a FEN. If left out or empty, the square is cleared.
    unit: Option<String>,
}

/// Fields of `/api/compare`.
#[derive(Deserialize, Debug)]
pub struct CompareFields {
    first: String,
    second: String,
    fen: Option<String>,
}

/// Fields of `/api/solve`.
#[derive(Deserialize, Debug)]
pub struct SolveFields {
    variant: String,
    fen: Option<String>,
    stipulation: String,
}

/// Fields of `/api/perft`.
#[derive(Deserialize, Debug)]
pub struct PerftFields {
    variant: String,
    fen: Option<String>,
    #[serde(deserialize_with = "whole_number")]
    depth: u64,
}

/// Fields of `/api/job` and `/api/cancel`.
#[derive(Deserialize, Debug)]
pub struct JobFields {
    #[serde(deserialize_with = "whole_number")]
    job: u64,
    /// The time to wait for the end of the job, in milliseconds.
    #[serde(default, deserialize_with = "whole_number")]
    wait: u64,
}

/// Sets a flag when dropped. Hyper drops the answer to a client that has disconnected.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl App {
    /// Returns an application without open sessions.
    pub fn new(config: Config) -> App {
        App {
            sessions: Sessions::new(config.store.clone(), config.memory_bytes),
            config,
            jobs: Jobs::default(),
            expressions: Arc::new(Semaphore::new(MAX_EXPRESSIONS)),
        }
    }

    fn open(&self, variant: &str, fen: &Option<String>) -> Reply<(Variant, Opened)> {
        let variant = self.config.catalog.open(variant)?;
        let open = self.sessions.open(&variant, given(fen))?;
        Ok((variant, open))
    }

    /// Returns the resources of a job. The job reports its progress to `watch`.
    fn control<'a>(&self, watch: &'a Watch) -> Control<'a> {
        Control::new()
            .with_stop(&watch.stop)
            .with_memory(self.config.job_bytes())
            .with_threads(self.config.threads)
            .with_observer(watch)
    }

    fn start<T: Serialize>(
        self: &Arc<App>,
        work: impl FnOnce(&App, &Watch) -> JobResult<T> + Send + 'static,
    ) -> Reply<ShownJob> {
        let app = Arc::clone(self);
        let job = move |watch: &Watch| work(&app, watch);
        let number = self.jobs.start(job).ok_or_else(|| {
            let error = format!("{MAX_RUNNING} jobs are running; wait for one to end or cancel it");
            Refusal::new(StatusCode::TOO_MANY_REQUESTS, error)
        })?;
        self.jobs.show(number).ok_or_else(no_such_job)
    }
}

/// Computes an answer on a thread for blocking work. The closure receives a flag that is set once the client
/// has disconnected or the request has timed out.
async fn blocking<T: Send + 'static>(
    app: Arc<App>,
    work: impl FnOnce(&Arc<App>, &AtomicBool) -> Result<T, Refusal> + Send + 'static,
) -> Reply<T> {
    let gone = Arc::new(AtomicBool::new(false));
    let _guard = StopOnDrop(Arc::clone(&gone));
    let answer = tokio::task::spawn_blocking(move || {
        check_client(&gone)?;
        let stop = Arc::clone(&gone);
        armed(Arc::new(move || stop.load(Ordering::Relaxed)), || {
            work(&app, &gone)
        })
    });
    answer.await.unwrap_or_else(|_| {
        let error = "internal error: the computation panicked";
        Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error))
    })
}

/// Like [`blocking`], but returns the answer as JSON.
async fn answer<T: Send + 'static>(
    app: Arc<App>,
    work: impl FnOnce(&Arc<App>, &AtomicBool) -> Reply<T> + Send + 'static,
) -> Answer<T> {
    blocking(app, work).await.map(Json)
}

/// Returns the route of a request whose answer depends only on its fields. `work` receives the fields and the
/// flag of [`blocking`].
pub fn route<F: DeserializeOwned + Send + 'static, T: Serialize + Send + 'static>(
    method: MethodFilter,
    work: fn(&Arc<App>, F, &AtomicBool) -> Reply<T>,
) -> MethodRouter<Arc<App>> {
    on(
        method,
        move |State(app): Shared, Fields(fields): Fields<F>| {
            answer(app, move |app: &Arc<App>, gone: &AtomicBool| {
                work(app, fields, gone)
            })
        },
    )
}

/// Like [`route`], for requests that evaluate an expression.
pub fn expression_route(
    work: fn(&Arc<App>, ExpressionFields, &AtomicBool) -> Reply<JsonValue>,
) -> MethodRouter<Arc<App>> {
    get(
        move |State(app): Shared, Fields(fields): Fields<ExpressionFields>| async move {
            // The semaphore is never closed. The permit is returned when the evaluation has ended, which may be
            // after the client has gone.
            let permit = Arc::clone(&app.expressions).acquire_owned().await.ok();
            let evaluate = move |app: &Arc<App>, gone: &AtomicBool| {
                let _permit = permit;
                work(app, fields, gone)
            };
            answer(app, evaluate).await
        },
    )
}

fn no_such_job() -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "there is no such job, or it was forgotten",
    )
}

/// Answers `/api/variants`.
pub async fn variants(State(app): Shared) -> Answer<Vec<VariantRow>> {
    answer(app, |app: &Arc<App>, _: &AtomicBool| {
        Ok(report::variants::rows(&app.config.catalog))
    })
    .await
}

/// Answers `/api/position`.
pub fn position(app: &Arc<App>, fields: LineFields, gone: &AtomicBool) -> Reply<JsonValue> {
    let line = turns_of(&fields.line)?;
    let (variant, open) = app.open(&fields.variant, &fields.fen)?;
    with_session!(open, session, p => view(&variant, &session, &p, &line, gone))
}

/// Returns the turns of a line.
fn turns_of(line: &Option<String>) -> Reply<Vec<&str>> {
    let line: Vec<&str> = given(line).map_or(Vec::new(), |line| line.split(',').collect());
    if line.len() > MAX_LINE_TURNS {
        let turns = line.len();
        let error = format!("the line has {turns} turns; the maximum is {MAX_LINE_TURNS}");
        return Err(Refusal::bad(error));
    }
    Ok(line)
}

/// Answers `/api/eval`.
pub fn eval(app: &Arc<App>, fields: ExpressionFields, gone: &AtomicBool) -> Reply<JsonValue> {
    let line = turns_of(&fields.line)?;
    let (_, open) = app.open(&fields.variant, &fields.fen)?;
    with_session!(open, session, p => {
        let catalog = &app.config.catalog;
        let expression = expressions::compile(catalog, &session, &fields.expression, false)?;
        expressions::value(&session, &p, &line, &expression, gone)
    })
}

/// Answers `/api/states`.
pub fn states(app: &Arc<App>, fields: ExpressionFields, gone: &AtomicBool) -> Reply<JsonValue> {
    let line = turns_of(&fields.line)?;
    let (_, open) = app.open(&fields.variant, &fields.fen)?;
    with_session!(open, session, p => {
        let catalog = &app.config.catalog;
        let condition = expressions::compile(catalog, &session, &fields.expression, true)?;
        let (p, _) = after(session.game.as_ref(), &p, &line, gone)?;
        expressions::states(&session, &p, &condition, gone)
    })
}

/// Answers `/rules`.
pub async fn rules_page(
    State(app): Shared,
    Fields(fields): Fields<RulesFields>,
) -> Reply<Html<String>> {
    let page = move |app: &Arc<App>, _: &AtomicBool| {
        let variant = app.config.catalog.open(&fields.variant)?;
        Ok(format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n<link rel=\"icon\" href=\"/icon.svg\">\n\
             <link rel=\"stylesheet\" href=\"/picture.css\">\n\
             <link rel=\"stylesheet\" href=\"/page.css\">\n</head>\n<body>\n{}</body>\n</html>\n",
            escaped(variant.rule_set.name()),
            rule_pages::rules_body(&variant)?,
        ))
    };
    blocking(app, page).await.map(Html)
}

/// Answers `/api/rules`.
pub fn rules_summary(app: &Arc<App>, fields: RulesFields, _: &AtomicBool) -> Reply<JsonValue> {
    let html = rule_pages::summary(&app.config.catalog.open(&fields.variant)?)?;
    Ok(json!({ "html": html }))
}

/// Answers `/api/edit`.
pub fn edit(app: &Arc<App>, fields: EditFields, _: &AtomicBool) -> Reply<JsonValue> {
    let change = match (fields.change, given(&fields.square)) {
        (ChangeKind::Side, _) => Change::Side,
        (ChangeKind::Clear, _) => Change::Clear,
        (ChangeKind::Put, Some(square)) => Change::Put {
            square,
            unit: given(&fields.unit),
        },
        (ChangeKind::Put, None) => return Err(Refusal::bad("the parameter `square` is missing")),
    };
    let edited = notation::edit::edit(&fields.fen, change)?;
    let error = app
        .open(&fields.variant, &Some(edited.fen.clone()))
        .err()
        .map(|refusal| refusal.error);
    let squares = edited.units.iter().map(|(square, unit)| SquareRow {
        square: edited.geometry.name(*square),
        unit: unit.trim_end_matches('~').to_ascii_uppercase(),
        side: match unit.contains(|c: char| c.is_ascii_uppercase()) {
            true => 'w',
            false => 'b',
        },
    });
    Ok(json!({
        "fen": edited.fen,
        "squares": squares.collect::<Vec<_>>(),
        "error": error,
    }))
}

/// Answers `/api/compare`.
pub fn compare(app: &Arc<App>, fields: CompareFields, _: &AtomicBool) -> Reply<JsonValue> {
    let variants = [
        app.config.catalog.open(&fields.first)?,
        app.config.catalog.open(&fields.second)?,
    ];
    let start = variants[0].start();
    let fen = given(&fields.fen).unwrap_or(&start);
    let (second, dropped) = compare::known_to(fen, &variants[1]);
    let Comparison {
        variants,
        fen,
        differences,
        ..
    } = compare::at(&variants, [fen, &second])?;
    Ok(json!({
        "variants": variants,
        "fen": fen,
        "dropped": dropped,
        "differences": differences,
    }))
}

/// Answers `/api/job`.
pub async fn job(State(app): Shared, Fields(fields): Fields<JobFields>) -> Answer<ShownJob> {
    let patience = Duration::from_millis(fields.wait).min(MAX_WAIT);
    let shown = app.jobs.wait(fields.job, patience).await;
    shown.map(Json).ok_or_else(no_such_job)
}

/// Answers `/api/cancel`.
pub async fn cancel(State(app): Shared, Fields(fields): Fields<JobFields>) -> Answer<ShownJob> {
    app.jobs.cancel(fields.job);
    app.jobs.show(fields.job).map(Json).ok_or_else(no_such_job)
}

/// Answers `/api/plan`.
pub fn plan_table(app: &Arc<App>, fields: PositionFields, _: &AtomicBool) -> Reply<ShownJob> {
    app.sessions.make_room();
    let (_, open) = app.open(&fields.variant, &fields.fen)?;
    with_session!(open, session, p => {
        let signature = signature_of_table(&session, &p)?;
        app.start(move |app, watch| {
            let groups = plan(&session.tables, &signature, &app.control(watch))?;
            Ok(json!({
                "signature": signature.to_string(),
                "indices": groups.iter().map(|group| group.indices).sum::<u64>(),
                "memory_bytes": groups.iter().map(|group| group.memory_bytes).max().unwrap_or(0),
                "allowed_bytes": app.config.job_bytes(),
                "kept": app.sessions.has_store(),
                "groups": groups.iter().map(|group| json!({
                    "name": group.name,
                    "classes": group.classes,
                    "indices": group.indices,
                    "memory_bytes": group.memory_bytes,
                })).collect::<Vec<_>>(),
            }))
        })
    })
}

/// Answers `/api/table`.
pub fn table(app: &Arc<App>, fields: PositionFields, _: &AtomicBool) -> Reply<ShownJob> {
    app.sessions.make_room();
    let (_, open) = app.open(&fields.variant, &fields.fen)?;
    with_session!(open, session, p => {
        let signature = signature_of_table(&session, &p)?;
        app.start(move |app, watch| {
            let built = build(&session.tables, &signature, &app.control(watch))?;
            Ok(json!({
                "solved": built.solved,
                "reused": built.reused,
                "indices": built.indices,
            }))
        })
    })
}

/// Answers `/api/graph`.
pub fn graph(app: &Arc<App>, fields: PositionFields, _: &AtomicBool) -> Reply<ShownJob> {
    app.sessions.make_room();
    let (_, open) = app.open(&fields.variant, &fields.fen)?;
    with_session!(open, session, p => app.start(move |app, watch| {
        watch.of.store(MAX_STATES, Ordering::Relaxed);
        let states = session.solve_graph(&p, &app.control(watch))?;
        Ok(json!({"states": states}))
    }))
}

/// Answers `/api/perft`.
pub fn perft(app: &Arc<App>, fields: PerftFields, _: &AtomicBool) -> Reply<ShownJob> {
    let depth = fields.depth;
    if !(1..=MAX_DEPTH).contains(&depth) {
        let error = format!("`depth` is {depth}; it must be a whole number from 1 to {MAX_DEPTH}");
        return Err(Refusal::bad(error));
    }
    let (_, open) = app.open(&fields.variant, &fields.fen)?;
    with_session!(open, session, p => app.start(move |_, watch| {
        let game = session.game.as_ref();
        let mut rows = Vec::new();
        let mut nodes = 0u64;
        for (text, turn) in turns::sorted(game, &p) {
            let count = lines(game, &game.play(&p, &turn), depth as u32 - 1, watch);
            nodes += count;
            rows.push(json!({"turn": text, "nodes": count}));
        }
        Ok(json!({"depth": depth, "turns": rows, "nodes": nodes}))
    }))
}

/// Answers `/api/solve`.
pub fn solve(app: &Arc<App>, fields: SolveFields, _: &AtomicBool) -> Reply<ShownJob> {
    app.sessions.make_room();
    let (variant, open) = app.open(&fields.variant, &fields.fen)?;
    with_session!(open, session, p => {
        let geometry = session.game.board().geometry();
        let stipulation = Stipulation::parse(&fields.stipulation, &variant.rule_set, geometry)?;
        app.start(move |app, watch| {
            let start = Start { game: Arc::clone(&session.game), position: p };
            let control = app.control(watch).with_time(Some(SOLVE_TIME));
            Ok(solved(&Problem::new(start, stipulation), &control)?)
        })
    })
}

/// Counts the lines of `depth` turns. If the job's stop flag is set, returns early with an incomplete count.
fn lines<W: Layout>(game: &dyn Game<W>, p: &Position<W>, depth: u32, watch: &Watch) -> u64 {
    /// The depth up to which lines are counted without checking the stop flag.
    const UNCHECKED_DEPTH: u32 = 2;
    if watch.stop.load(Ordering::Relaxed) {
        return 0;
    }
    if depth <= UNCHECKED_DEPTH {
        let count = game.perft(p, depth);
        watch.done.fetch_add(count, Ordering::Relaxed);
        return count;
    }
    let mut turns = Vec::new();
    game.turns(p, &mut turns);
    let after = turns.iter().map(|turn| game.play(p, turn));
    after
        .map(|after| lines(game, &after, depth - 1, watch))
        .sum()
}

fn solved<W: Layout>(problem: &Problem<W>, control: &Control<'_>) -> Result<JsonValue, Diagnostic> {
    let want = Want {
        tree: true,
        ..Want::default()
    };
    let solution = problem.solve_with(&Limits::default(), want, control);
    let (game, p) = (problem.start.game.as_ref(), &problem.start.position);
    let about = About {
        open: true,
        ..About::default()
    };
    let deadline = &Deadline::new(control);
    let lines = text::all_coordinates(problem, &solution, deadline);
    let text = text::print(problem, &solution, deadline)?;
    let html = picture::problem::html(problem, &solution, about, deadline)?;
    let complete = solution.stopped.is_none() && !deadline.was_over();
    Ok(json!({
        "variant": game.variant().to_string(),
        "fen": fen::print(game, p),
        "stipulation": problem.stipulation.to_string(),
        "verdict": text::verdict(problem, &solution).word(),
        "complete": complete,
        "solutions": solution.count(),
        "keys": problem.first_turns(&solution),
        "lines": lines
            .into_iter()
            .map(|turns| json!({"turns": turns}))
            .collect::<Vec<_>>(),
        "tree": Shown(&solution.tree, deadline),
        "text": text,
        "html": html,
    }))
}
