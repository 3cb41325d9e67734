//! The answers of the server, as JSON. Positions are named by `variant` (with options), `fen` (left
//! out: the start position) and `line` (turns played from there, joined by commas).
//!
//! | request | answer |
//! |---|---|
//! | `GET /api/variants` | the rows of `fairyproof variants --format json` |
//! | `GET /api/position?variant&fen&line` | the position after the line: `fen`, `outcome`, `side`, `svg`, `signature`; `category` and `dtm`, and the same for each of its `moves`, best first |
//! | `GET /api/compare?first&second&fen` | `differences` of two rule sets at a position, the rows of `fairyproof compare --format json` |
//! | `GET /api/plan?variant&fen` | how large the table of a position would be: `signature`, `indices`, `memory_bytes`, `groups` |
//! | `POST /api/solve {variant, fen, stipulation}` | `job`; its result has the fields of `fairyproof solve --format json`, and `text`, `html` |
//! | `POST /api/table {variant, fen}` | `job`; its result: `solved`, `reused`, `indices` |
//! | `POST /api/graph {variant, fen}` | `job`; its result: `states` |
//! | `POST /api/perft {variant, fen, depth}` | `job`; its result: `turns` with `turn` and `nodes`, and all `nodes` |
//! | `GET /api/job?job` | `state` (`running`, `done`, `failed`, `cancelled`), `done`, `of`, and `result` or `error` |
//! | `POST /api/cancel {job}` | the same, once the work has been asked to stop |
//!
//! `category` is `win`, `weak-win`, `draw`, `weak-loss`, `loss` or `unknown`, that of a position for the
//! side to move, that of a move for the player who makes it; `dtm` is the distance to the end in plies,
//! `null` where there is none. `uci` is the turn in coordinate notation. Errors have `error` and maybe
//! `help`.

use crate::Config;
use crate::jobs::{Jobs, Watch};
use crate::session::{Desks, Opened, Session, with_desk};
use board::Color;
use control::Control;
use diagnostics::InputError;
use notation::{Start, fen, turns};
use picture::problem::About;
use picture::{Diagram, svg};
use position::Position;
use problems::text;
use problems::tree::{Shown, Want};
use problems::{Deadline, Limits, Problem, Stipulation};
use puzzle::Layout;
use report::compare;
use rules::{Game, Turn, Variant};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tables::{Signature, build, plan};
use values::Value;

/// The longest line of turns.
const MAX_LINE: usize = 2000;

/// The greatest depth whose lines are counted.
const DEEPEST: u64 = 12;

/// How long a problem is searched.
pub const SOLVE_TIME: Duration = Duration::from_secs(120);

/// Units of a table that is offered.
const TABLE_UNITS: usize = 5;

/// What is asked, apart from what HTTP needs.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Whether something is to be begun or stopped (`POST`).
    pub post: bool,
    /// The path.
    pub path: String,
    /// Names and values, from the address or from the body.
    pub values: BTreeMap<String, String>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The status of HTTP.
    pub status: u16,
    /// What is wrong.
    pub error: String,
    /// What would be right.
    pub help: Option<String>,
}

impl Refusal {
    /// Returns a refusal without help.
    pub fn new(status: u16, error: impl Into<String>) -> Refusal {
        Refusal {
            status,
            error: error.into(),
            help: None,
        }
    }

    /// Returns as JSON.
    pub fn json(&self) -> Json {
        match &self.help {
            Some(help) => json!({"error": self.error, "help": help}),
            None => json!({"error": self.error}),
        }
    }
}

impl From<InputError> for Refusal {
    fn from(error: InputError) -> Refusal {
        Refusal {
            status: 400,
            error: error.to_string(),
            help: error.help,
        }
    }
}

type Answer = Result<Json, Refusal>;

/// A turn with its value for the player who makes it.
#[derive(Serialize, Debug)]
struct MoveRow {
    uci: String,
    category: &'static str,
    dtm: Option<u16>,
}

/// What all requests share.
pub struct App {
    config: Config,
    desks: Arc<Desks>,
    jobs: Jobs,
}

impl App {
    /// Nothing open yet.
    pub fn new(config: Config) -> App {
        App {
            desks: Arc::new(Desks::new(config.store.clone())),
            config,
            jobs: Jobs::default(),
        }
    }

    /// Stops all long work.
    pub fn stop(&self) {
        self.jobs.cancel_all();
    }

    /// Answers.
    ///
    /// # Errors
    /// Wrong input (400), a path that there is not (404), a wrong method (405), too much work (429).
    pub fn answer(&self, asked: &Asked) -> Answer {
        match (asked.post, asked.path.as_str()) {
            (false, "/api/variants") => json_of(&report::variants::rows()),
            (false, "/api/position") => self.position(asked),
            (false, "/api/compare") => compared(asked),
            (false, "/api/plan") => self.plan(asked),
            (false, "/api/job") => self.job(number_of(asked, "job")?),
            (true, "/api/solve") => self.solve(asked),
            (true, "/api/table") => self.table(asked),
            (true, "/api/graph") => self.graph(asked),
            (true, "/api/perft") => self.perft(asked),
            (true, "/api/cancel") => {
                let number = number_of(asked, "job")?;
                self.jobs.cancel(number);
                self.job(number)
            }
            (_, path) if PATHS.contains(&path) => {
                Err(Refusal::new(405, "another method is needed"))
            }
            _ => Err(Refusal::new(404, "there is no such path")),
        }
    }

    fn open(&self, asked: &Asked) -> Result<(Variant, Opened), Refusal> {
        let variant = variants::parse(asked.text("variant")?)?;
        let open = self.desks.open(&variant, asked.optional("fen"))?;
        Ok((variant, open))
    }

    fn position(&self, asked: &Asked) -> Answer {
        let (variant, open) = self.open(asked)?;
        let line: Vec<&str> = asked
            .optional("line")
            .map_or(Vec::new(), |line| line.split(',').collect());
        if line.len() > MAX_LINE {
            let error = format!("a line has at most {MAX_LINE} turns");
            return Err(Refusal::new(400, error));
        }
        with_desk!(open, session, p => self.view(&variant, &session, &p, &line))
    }

    fn view<W: Layout>(
        &self,
        variant: &Variant,
        session: &Session<W>,
        start: &Position<W>,
        line: &[&str],
    ) -> Answer {
        let game = session.game.as_ref();
        let (p, last) = after(game, start, line)?;
        let mut diagram = Diagram::new(game, &p);
        if let Some(turn) = last {
            diagram = diagram.with_arrows(&turn);
        }
        let look = svg::Look {
            named: true,
            ..svg::Look::PART
        };
        let value = session.value(&p)?;
        let mut moves: Vec<(Option<Value>, String)> = Vec::new();
        for (text, turn) in turns::sorted(game, &p) {
            let there = session.value(&game.play(&p, &turn))?;
            let worth = there.and_then(|(value, _)| value.before_turn().ok());
            moves.push((worth, text));
        }
        // Best first; what is not known last; equal ones in byte order.
        moves.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let rows: Vec<MoveRow> = moves
            .into_iter()
            .map(|(value, uci)| MoveRow {
                uci,
                category: category(value),
                dtm: value.and_then(Value::distance_plies),
            })
            .collect();
        let men = game.men();
        let names = men
            .kinds()
            .map(|kind| men.name(Color::White, kind).to_string());
        Ok(json!({
            "variant": variant.to_string(),
            "name": variant.rule_set.name(),
            "start_fen": fen::print(game, start),
            "fen": diagram.fen,
            "line": line,
            "side": p.side.letter().to_string(),
            "outcome": diagram.outcome,
            "check": game.in_check(&p, p.side),
            "category": category(value.map(|(value, _)| value)),
            "dtm": value.and_then(|(value, _)| value.distance_plies()),
            "source": value.map(|(_, source)| source),
            "signature": session.signature(&p),
            "units": names.filter(|name| name.len() == 1).collect::<String>(),
            "files": game.board().geometry().files(),
            "ranks": game.board().geometry().ranks(),
            "description": diagram.description(),
            "svg": svg::draw(&diagram, look),
            "moves": rows,
        }))
    }

    fn plan(&self, asked: &Asked) -> Answer {
        let (_, open) = self.open(asked)?;
        with_desk!(open, session, p => {
            let signature = tabled(&session, &p)?;
            let groups = plan(&session.tables, &signature, &Control::new().with_memory(self.config.memory_bytes).with_threads(self.config.threads))
                .map_err(|stopped| Refusal::new(400, stopped.to_string()))?;
            Ok(json!({
                "signature": signature.to_string(),
                "indices": groups.iter().map(|group| group.indices).sum::<u64>(),
                "memory_bytes": groups.iter().map(|group| group.memory_bytes).max().unwrap_or(0),
                "allowed_bytes": self.config.memory_bytes,
                "kept": self.desks.has_store(),
                "groups": groups.iter().map(|group| json!({
                    "name": group.name,
                    "classes": group.classes,
                    "indices": group.indices,
                    "memory_bytes": group.memory_bytes,
                })).collect::<Vec<_>>(),
            }))
        })
    }

    fn begin(&self, work: impl FnOnce(&Watch) -> Result<Json, String> + Send + 'static) -> Answer {
        match self.jobs.start(work) {
            Some(number) => self.job(number),
            None => Err(Refusal::new(429, "other work has to end first")),
        }
    }

    fn job(&self, number: u64) -> Answer {
        match self.jobs.show(number) {
            Some(shown) => json_of(&shown),
            None => Err(Refusal::new(404, "there is no such job, or no more")),
        }
    }

    fn table(&self, asked: &Asked) -> Answer {
        let (_, open) = self.open(asked)?;
        let (memory_bytes, threads) = (self.config.memory_bytes, self.config.threads);
        with_desk!(open, session, p => {
            let signature = tabled(&session, &p)?;
            self.begin(move |watch| {
                let told = Told(watch);
                let control = Control::new()
                    .with_stop(&watch.stop)
                    .with_memory(memory_bytes)
                    .with_threads(threads)
                    .with_observer(&told);
                let built = build(&session.tables, &signature, &control)
                    .map_err(|stopped| stopped.to_string())?;
                Ok(json!({
                    "solved": built.solved,
                    "reused": built.reused,
                    "indices": built.indices,
                }))
            })
        })
    }

    fn graph(&self, asked: &Asked) -> Answer {
        let (_, open) = self.open(asked)?;
        let memory_bytes = self.config.memory_bytes;
        with_desk!(open, session, p => self.begin(move |watch| {
            watch.of.store(crate::session::MAX_STATES, Ordering::Relaxed);
            let states = session.solve_graph(&p, &Control::new()
                .with_stop(&watch.stop)
                .with_memory(memory_bytes)
                .with_observer(&Told(watch)))?;
            Ok(json!({"states": states}))
        }))
    }

    fn perft(&self, asked: &Asked) -> Answer {
        let (_, open) = self.open(asked)?;
        let depth = number_of(asked, "depth")?;
        if !(1..=DEEPEST).contains(&depth) {
            let error = format!("depth: it takes a whole number from 1 to {DEEPEST}");
            return Err(Refusal::new(400, error));
        }
        with_desk!(open, session, p => self.begin(move |watch| {
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

    fn solve(&self, asked: &Asked) -> Answer {
        let (variant, open) = self.open(asked)?;
        let (memory_bytes, threads) = (self.config.memory_bytes, self.config.threads);
        let asked = asked.text("stipulation")?.to_string();
        with_desk!(open, session, p => {
            let geometry = session.game.board().geometry();
            let stipulation = Stipulation::parse(&asked, &variant.rule_set, geometry)?;
            self.begin(move |watch| {
                let start = Start { game: Arc::clone(&session.game), position: p };
                let told = Told(watch);
                let control = Control::new()
                    .with_stop(&watch.stop)
                    .with_time(Some(SOLVE_TIME))
                    .with_memory(memory_bytes)
                    .with_threads(threads)
                    .with_observer(&told);
                solved(&Problem { start, stipulation }, &control)
                    .map_err(|error| error.to_string())
            })
        })
    }
}

const PATHS: [&str; 10] = [
    "/api/variants",
    "/api/position",
    "/api/compare",
    "/api/plan",
    "/api/job",
    "/api/solve",
    "/api/table",
    "/api/graph",
    "/api/perft",
    "/api/cancel",
];

impl Asked {
    fn optional(&self, name: &str) -> Option<&str> {
        let value = self.values.get(name).map(String::as_str);
        value.filter(|value| !value.is_empty())
    }

    fn text(&self, name: &str) -> Result<&str, Refusal> {
        self.optional(name)
            .ok_or_else(|| Refusal::new(400, format!("`{name}` is missing")))
    }
}

fn number_of(asked: &Asked, name: &str) -> Result<u64, Refusal> {
    let text = asked.text(name)?;
    Some(text)
        .filter(|text| diagnostics::whole_number(text))
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| Refusal::new(400, format!("`{name}`: it takes a whole number")))
}

fn json_of(value: &impl Serialize) -> Answer {
    serde_json::to_value(value).map_err(|e| Refusal::new(500, e.to_string()))
}

fn category(value: Option<Value>) -> &'static str {
    value.map_or("unknown", Value::word)
}

/// Returns the position after a line, and its last turn.
fn after<W: Layout>(
    game: &dyn Game<W>,
    start: &Position<W>,
    line: &[&str],
) -> Result<(Position<W>, Option<Turn>), InputError> {
    let mut p = *start;
    let mut last = None;
    for (n, text) in line.iter().enumerate() {
        let turn = turns::read(game, &p, text, n + 1)?;
        p = game.play(&p, &turn);
        last = Some(turn);
    }
    Ok((p, last))
}

/// Returns the signature of the table that would hold a position.
fn tabled<W: Layout>(session: &Session<W>, p: &Position<W>) -> Result<Signature, Refusal> {
    let refused = |why: String| Refusal::new(400, why);
    if p.rights.0 != 0 {
        return Err(refused(
            "positions with castling rights are in no table".into(),
        ));
    }
    if p.bound_len() > 0 {
        return Err(refused(
            "tables with bound units are built by `fairyproof table build`".into(),
        ));
    }
    let signature = Signature::parse(session.game.as_ref(), &session.signature(p))?;
    let units = signature.keys()[0].total();
    if units > TABLE_UNITS {
        let why = format!("{units} units; tables of up to {TABLE_UNITS} are built here");
        return Err(refused(why));
    }
    Ok(signature)
}

fn compared(asked: &Asked) -> Answer {
    let variants = [
        variants::parse(asked.text("first")?)?,
        variants::parse(asked.text("second")?)?,
    ];
    let start = variants[0].start();
    let fen = asked.optional("fen").unwrap_or(&start);
    let (second, dropped) = compare::known_to(fen, &variants[1]);
    let comparison = compare::at(&variants, [fen, &second])?;
    Ok(json!({
        "variants": comparison.variants,
        "fen": comparison.fen,
        "dropped": dropped,
        "differences": comparison.differences,
    }))
}

/// Returns how many lines there are, as far as nobody asks to stop.
fn lines<W: Layout>(game: &dyn Game<W>, p: &Position<W>, depth: u32, watch: &Watch) -> u64 {
    /// Lines this short are counted at one go.
    const AT_ONCE: u32 = 2;
    if watch.stop.load(Ordering::Relaxed) {
        return 0;
    }
    if depth <= AT_ONCE {
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

/// Tells those who watch how the work comes on.
struct Told<'a>(&'a Watch);

impl control::Observer for Told<'_> {
    fn progress(&self, progress: &control::Progress<'_>) {
        self.0.done.store(progress.done, Ordering::Relaxed);
        if let Some(total) = progress.total {
            self.0.of.store(total, Ordering::Relaxed);
        }
    }
}

fn solved<W: Layout>(problem: &Problem<W>, control: &Control<'_>) -> Result<Json, InputError> {
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
