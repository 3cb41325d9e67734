//! Starts: which side can force a win from the start of each rule set, as far as that is known.
//!
//! Limits are positions, not seconds, and each question is searched on one thread, so that the rows
//! depend on nothing else.

use super::Observer;
use super::table::Row;
use board::Color;
use input::InputError;
use notation::with_setup;
use notation::{Setup, Start, fen, turns};
use prove::check::check;
use prove::{Aim, Certificate, Layout, Limits, Prover, Silent, Status, Stop};
use rayon::prelude::*;
use rules::Variant;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Positions searched for the side that begins, where nothing is said.
pub const USUAL_POSITIONS: u64 = 400_000;

/// For how many positions of the side that begins one is searched after each first turn.
const SHARE_AFTER: u64 = 20;

/// Bytes of the table of one question. Fixed, as answers may depend on it.
const TABLE_BYTES: usize = 256 << 20;

/// The longest certificate that is kept as a file, in bytes.
pub const LONGEST_CERTIFICATE: usize = 200_000;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// Positions searched at most for the side that begins; a twentieth of them for the other side
    /// after each first turn.
    pub positions: u64,
    /// Set from outside to stop.
    pub stop: &'a AtomicBool,
}

/// A question about a start position and its answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StartRow {
    /// The rule set with its options.
    pub variant: String,
    /// The turn made before; none at the start position itself.
    pub after: Option<String>,
    /// The side that is to win; it is to move.
    pub side: &'static str,
    /// What it is to force.
    pub goal: String,
    /// `proven`, `disproven` (it cannot force it, however long it takes), or `open`.
    pub status: &'static str,
    /// Plies to the end in the proof.
    pub plies: Option<u16>,
    /// Plies within which the goal is not forced: this is shown.
    pub none_within_plies: Option<u16>,
    /// The file of the certificate, where there is one and it is short.
    pub certificate: Option<String>,
    /// Positions of the certificate.
    pub certificate_positions: Option<u64>,
    /// Positions searched.
    pub positions: u64,
    /// The limit of the search.
    pub scope: String,
}

impl Row for StartRow {
    const COLUMNS: &'static [&'static str] = &[
        "variant",
        "after",
        "side",
        "goal",
        "status",
        "plies",
        "none_within_plies",
        "certificate",
        "certificate_positions",
        "positions",
        "scope",
    ];
}

impl StartRow {
    /// The row in a line for people.
    pub fn text(&self) -> String {
        let place = match &self.after {
            Some(turn) => format!("after {turn}"),
            None => "at the start".to_string(),
        };
        let shown = match (self.plies, self.none_within_plies) {
            (Some(plies), _) => format!("in {plies} plies"),
            (None, Some(plies)) => format!("none within {plies} plies"),
            (None, None) => String::new(),
        };
        let line = format!(
            "{:<28} {:<16} {:<5} {:<9} {shown}",
            self.variant, place, self.side, self.status
        );
        line.trim_end().to_string()
    }
}

/// A row, and its certificate where that is short enough to be kept: name and bytes of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    /// The row.
    pub row: StartRow,
    /// The file.
    pub file: Option<(String, Vec<u8>)>,
}

/// Every rule set, without options and with each of its flags.
///
/// # Errors
/// If a rule set cannot be opened.
pub fn variants() -> Result<Vec<Variant>, InputError> {
    let mut all = Vec::new();
    for card in sets::all() {
        all.push(sets::parse(card.id)?);
        for option in card.options.iter().filter(|option| option.range.is_none()) {
            all.push(sets::parse(&format!("{}:{}", card.id, option.name))?);
        }
    }
    Ok(all)
}

/// A question: a variant, and the number of a first turn among those in byte order.
#[derive(Clone, Copy)]
struct Question<'v> {
    variant: &'v Variant,
    after: Option<usize>,
}

/// The answers for these variants, in order: for the side that begins, then for the other one after
/// each first turn. Nothing if it was stopped.
///
/// # Errors
/// If a start position cannot be read, or a certificate does not hold (which would be an error of
/// this program).
pub fn answers(
    variants: &[Variant],
    scope: &Scope<'_>,
    observer: &dyn Observer,
) -> Result<Option<Vec<Answered>>, InputError> {
    let mut questions = Vec::new();
    for variant in variants {
        let setup = Setup::read(variant, None)?;
        let first = with_setup!(&setup, start => {
            turns::sorted(start.game.as_ref(), &start.position).len()
        });
        let after = (0..first).map(Some);
        questions.extend(
            std::iter::once(None)
                .chain(after)
                .map(|after| Question { variant, after }),
        );
    }
    let done = AtomicUsize::new(0);
    let answered = |question: &Question<'_>| {
        if scope.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let setup = Setup::read(question.variant, None)?;
        let answer = with_setup!(setup, start => answer(question, start, scope));
        observer.done(done.fetch_add(1, Ordering::Relaxed) + 1, questions.len());
        answer
    };
    questions.par_iter().with_max_len(1).map(answered).collect()
}

fn answer<W: Layout>(
    question: &Question<'_>,
    mut start: Start<W>,
    scope: &Scope<'_>,
) -> Result<Option<Answered>, InputError> {
    let game = start.game.clone();
    let game = game.as_ref();
    let mut after = None;
    let mut positions = scope.positions;
    if let Some(first) = question.after {
        let (text, turn) = turns::sorted(game, &start.position).swap_remove(first);
        let p = game.play(&start.position, &turn);
        // The position as a reader of its FEN has it.
        start.position = fen::read_position(game, &fen::print(game, &p))?;
        after = Some(text);
        positions = (positions / SHARE_AFTER).max(1);
    }
    let side = start.position.side;
    let limits = Limits {
        positions: Some(positions),
        memory_bytes: TABLE_BYTES,
        // So few positions are better spent length by length.
        shortest: question.after.is_some(),
        ..Limits::default()
    };
    let mut prover = Prover::new(game, &start.position, side, Aim::Win, limits, None);
    let found = prover.run(scope.stop, &Silent);
    if found.stopped == Some(Stop::Interrupted) {
        return Ok(None);
    }
    let mut file = None;
    if let Some(certificate) = &found.certificate {
        check(game, &start.position, certificate)?;
        file = bytes(certificate).map(|bytes| {
            let name = question.variant.to_string().replace([':', ','], "+");
            let after = after
                .as_ref()
                .map_or(String::new(), |turn| format!("-{turn}"));
            (format!("proofs/{name}{after}.fpp"), bytes)
        });
    }
    let settled = matches!(found.status, Status::Proven | Status::Disproven);
    let row = StartRow {
        variant: question.variant.to_string(),
        after,
        side: match side {
            Color::White => "white",
            Color::Black => "black",
        },
        goal: Aim::Win.to_string(),
        status: match found.status {
            Status::Proven => "proven",
            Status::Disproven => "disproven",
            Status::NoneWithin | Status::Open => "open",
        },
        plies: found.plies,
        none_within_plies: (found.status != Status::Disproven).then_some(found.none_within_plies),
        certificate: file.as_ref().map(|(name, _)| name.clone()),
        certificate_positions: found.certificate.as_ref().map(|c| c.len() as u64),
        positions: found.report.positions,
        scope: if settled {
            "complete".to_string()
        } else {
            format!("{positions} positions")
        },
    };
    Ok(Some(Answered { row, file }))
}

fn bytes(certificate: &Certificate) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    certificate.write(&mut bytes).ok()?;
    (bytes.len() <= LONGEST_CERTIFICATE).then_some(bytes)
}
