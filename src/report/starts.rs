//! Which side can force a win from the start of each rule set, if that is known.
//!
//! Limits are positions, not seconds, and each question is searched on one thread. The rows depend only on
//! these limits and on earlier proofs: a question that the search leaves open may have been proven by a
//! longer search, whose certificate is then checked.

use board::Color;
use control::{Control, Stopped};
use diagnostics::Diagnostic;
use notation::with_setup;
use notation::{Setup, Start, fen, turns};
use prove::check::check;
use prove::{Certificate, Goal, Kind, Layout, Limits, Prover, Status};
use rayon::prelude::*;
use rules::Variant;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use struct_field_names_as_array::FieldNamesAsSlice;

/// Positions searched for the side that begins, where nothing is said.
pub const USUAL_POSITIONS: u64 = 400_000;

/// For how many positions of the side that begins one is searched after each first turn.
const SHARE_AFTER: u64 = 20;

/// Bytes of the table of one question. Fixed, as answers may depend on it.
const TABLE_BYTES: u64 = 256 << 20;

/// The longest certificate that is kept as a file, in bytes, where nothing is said.
pub const MAX_CERTIFICATE: usize = 200_000;

/// The folder of certificates, in the folder of the report.
pub const FOLDER: &str = "proofs";

/// A question: whether a side can force a win.
#[derive(Clone, Copy, Debug)]
pub struct StartsScope<'a> {
    /// Positions searched at most for the side that begins; a twentieth of them for the other side
    /// after each first turn.
    pub positions: u64,
    /// Where the certificates of earlier runs are, if anywhere.
    pub proofs: Option<&'a Path>,
    /// Whether positions are many, so that proofs of any length are looked for everywhere.
    pub deep: bool,
    /// The longest certificate that is kept as a file, in bytes. Of a longer one the row has the
    /// SHA-256, and the command that makes it again.
    pub longest_certificate: usize,
}

/// A question about a start position and its answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, FieldNamesAsSlice)]
pub struct StartRow {
    /// The rule set with its options.
    pub variant: String,
    /// The turn made before; none at the start position itself.
    pub after: Option<String>,
    /// The side that is to win; it is to move.
    pub side: String,
    /// What it is to force.
    pub goal: String,
    /// `proven`, `disproven` (it cannot force it, however long it takes), or `open`.
    pub status: String,
    /// Plies to the end in the proof.
    pub plies: Option<u16>,
    /// Plies within which the goal is not forced: this is shown.
    pub none_within_plies: Option<u16>,
    /// The file of the certificate, where there is one that is short enough to be kept.
    pub certificate: Option<String>,
    /// Positions of the certificate.
    pub certificate_positions: Option<u64>,
    /// Positions searched.
    pub positions: u64,
    /// The limit of the search; `complete` where it settled the question, `an earlier proof` where
    /// only a longer one did.
    pub scope: String,
    /// The SHA-256 of the certificate's file, where that is too long to be kept.
    #[serde(default)]
    pub certificate_sha256: Option<String>,
    /// The command that writes that file; rule sets of files need their `--rules` again.
    #[serde(default)]
    pub command: Option<String>,
}

impl StartRow {
    /// Returns the limit of the search in positions, where it did not settle the question.
    pub fn round(&self) -> Option<u64> {
        let limit = self.scope.strip_suffix(" positions")?;
        limit.parse().ok()
    }

    /// Returns the row in a line for people.
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

impl Answered {
    /// Takes the certificate as a file, or only notes its SHA-256 if it is too long.
    fn keep(&mut self, question: &Question<'_>, bytes: Vec<u8>, scope: &StartsScope<'_>) {
        if bytes.len() > scope.longest_certificate {
            self.row.certificate_sha256 = Some(format!("{:x}", Sha256::digest(&bytes)));
        } else {
            let name = format!("{FOLDER}/{}", question.file());
            self.row.certificate = Some(name.clone());
            self.file = Some((name, bytes));
        }
    }
}

/// Returns every compiled rule set, without options and with each of its flags.
pub fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for &info in variants::all() {
        all.push(Variant::from(info));
        for option in info
            .options
            .iter()
            .filter(|option| option.range.is_none() && option.is_listed())
        {
            all.push(Variant {
                change: None,
                options: vec![(option.name, None)],
                ..Variant::from(info)
            });
        }
    }
    all
}

/// A question: a variant, and the first turn with its number among those in byte order.
#[derive(Clone, Debug)]
pub struct Question<'v> {
    variant: &'v Variant,
    after: Option<(usize, String)>,
}

impl Question<'_> {
    /// Returns what identifies the question: the variant, and the first turn or an empty text.
    pub fn name(&self) -> (String, String) {
        let after = self.after.as_ref();
        let after = after.map_or(String::new(), |(_, turn)| turn.clone());
        (self.variant.to_string(), after)
    }

    /// Returns the limit on positions for this question, if `positions` is the limit for the side that begins.
    pub fn limit(&self, positions: u64) -> u64 {
        match self.after {
            Some(_) => (positions / SHARE_AFTER).max(1),
            None => positions,
        }
    }

    /// Returns the file of its certificate.
    fn file(&self) -> String {
        let (variant, after) = self.name();
        let variant = variant.replace([':', ','], "+");
        if after.is_empty() {
            format!("{variant}.fpp")
        } else {
            format!("{variant}-{after}.fpp")
        }
    }

    /// Returns the command that searches as it is searched here, and writes the certificate.
    fn command(&self, fen: &str, limits: &Limits) -> String {
        let variant = self.variant;
        let fen = match self.after {
            Some(_) => format!(" --fen '{fen}'"),
            None => String::new(),
        };
        let positions = limits.positions.unwrap_or(u64::MAX);
        let shortest = if limits.shortest { " --shortest" } else { "" };
        let memory = TABLE_BYTES >> 20;
        let file = self.file();
        format!(
            "fairyproof prove {variant}{fen} --positions {positions}{shortest} --memory {memory}M \
             --threads 1 --out {file}"
        )
    }
}

/// Returns the questions about these variants, in order: for the side that begins, then for the other one
/// after each first turn.
///
/// # Errors
/// If a start position cannot be read.
pub fn questions(variants: &[Variant]) -> Result<Vec<Question<'_>>, Diagnostic> {
    let mut questions = Vec::new();
    for variant in variants {
        let setup = Setup::read(variant, None)?;
        let first = with_setup!(&setup, start => {
            turns::sorted(start.game.as_ref(), &start.position)
                .into_iter()
                .map(|(text, _)| text)
                .collect::<Vec<_>>()
        });
        questions.push(Question {
            variant,
            after: None,
        });
        questions.extend(first.into_iter().enumerate().map(|after| Question {
            variant,
            after: Some(after),
        }));
    }
    Ok(questions)
}

/// Returns the answers to questions, in order, or `None` if it was stopped. Each answer is also passed to
/// `on_answer` as soon as it is found, with the number of its question.
///
/// # Errors
/// If a start position cannot be read, an earlier certificate does not hold, or a new one does not
/// (which would be an error of this program); and those of `on_answer`.
pub fn answers(
    questions: &[Question<'_>],
    scope: &StartsScope<'_>,
    on_answer: &(dyn Fn(usize, &Answered) -> Result<(), Diagnostic> + Sync),
    control: &Control<'_>,
) -> Result<Option<Vec<Answered>>, Diagnostic> {
    let done = AtomicUsize::new(0);
    let answered = |(at, question): (usize, &Question<'_>)| {
        if control.check().is_err() {
            return Ok(None);
        }
        let setup = Setup::read(question.variant, None)?;
        let answer =
            with_setup!(setup, start => answer(question, start, scope, &control.for_part()))?;
        if let Some(answer) = &answer {
            on_answer(at, answer)?;
        }
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        control.report_done("proving", done as u64, questions.len() as u64, "questions");
        Ok(answer)
    };
    let questions = questions.par_iter().enumerate();
    questions.with_max_len(1).map(answered).collect()
}

fn answer<W: Layout>(
    question: &Question<'_>,
    mut start: Start<W>,
    scope: &StartsScope<'_>,
    control: &Control<'_>,
) -> Result<Option<Answered>, Diagnostic> {
    let game = start.game.clone();
    let game = game.as_ref();
    let positions = question.limit(scope.positions);
    if let Some((first, _)) = question.after {
        let (_, turn) = turns::sorted(game, &start.position).swap_remove(first);
        let p = game.play(&start.position, &turn);
        // The position as a reader of its FEN has it.
        start.position = fen::read_position(game, &fen::print(game, &p))?;
    }
    let side = start.position.side;
    let limits = Limits {
        positions: Some(positions),
        // So few positions are better spent length by length.
        shortest: question.after.is_some() && !scope.deep,
        plies: None,
        ..Limits::default()
    };
    let control = control.with_memory(TABLE_BYTES);
    let mut prover = Prover::new(
        game,
        &start.position,
        side,
        &Goal::Win,
        limits,
        &control,
        None,
    );
    let found = prover.run();
    if found.stopped == Some(Stopped::Interrupted) {
        return Ok(None);
    }
    let row = StartRow {
        variant: question.variant.to_string(),
        after: question.after.as_ref().map(|(_, turn)| turn.clone()),
        side: match side {
            Color::White => "white",
            Color::Black => "black",
        }
        .to_string(),
        goal: Goal::Win.to_string(),
        status: "open".to_string(),
        none_within_plies: Some(found.none_within_plies),
        positions: found.report.positions,
        scope: format!("{positions} positions"),
        ..StartRow::default()
    };
    if !matches!(found.status, Status::Proven | Status::Disproven) {
        let known = scope.proofs.map(|folder| folder.join(question.file()));
        let Some(path) = known.filter(|path| path.exists()) else {
            return Ok(Some(Answered { row, file: None }));
        };
        return known_proof(question, &start, row, &path, scope).map(Some);
    }
    let mut answered = Answered {
        row: StartRow {
            status: match found.status {
                Status::Proven => "proven",
                _ => "disproven",
            }
            .to_string(),
            plies: found.plies,
            none_within_plies: (found.status == Status::Proven).then_some(found.none_within_plies),
            scope: "complete".to_string(),
            ..row
        },
        file: None,
    };
    if let Some(certificate) = &found.certificate {
        check(game, &start.position, certificate)?;
        answered.row.certificate_positions = Some(certificate.len() as u64);
        let mut bytes = Vec::new();
        let written = certificate.write(&mut bytes);
        written.map_err(|e| Diagnostic::new("certificate", e.to_string()))?;
        answered.keep(question, bytes, scope);
        if answered.row.certificate_sha256.is_some() {
            let fen = fen::print(game, &start.position);
            answered.row.command = Some(question.command(&fen, &limits));
        }
    }
    Ok(Some(answered))
}

/// Returns the answer of an earlier run, after its certificate has been checked.
fn known_proof<W: Layout>(
    question: &Question<'_>,
    start: &Start<W>,
    row: StartRow,
    path: &Path,
    scope: &StartsScope<'_>,
) -> Result<Answered, Diagnostic> {
    let wrong = |why: String| {
        Diagnostic::new("earlier proof", format!("`{}`: {why}", path.display()))
            .help("delete it, or name another folder with --proofs")
    };
    let bytes = control::files::read(path).map_err(|e| wrong(e.to_string()))?;
    let certificate =
        Certificate::read(&mut bytes.as_slice(), u64::MAX).map_err(|e| wrong(e.why))?;
    let header = &certificate.header;
    if header.side != row.side || header.goal != row.goal || header.kind != Kind::Force {
        return Err(wrong("it is about another question".to_string()));
    }
    let checked = check(start.game.as_ref(), &start.position, &certificate);
    let checked = checked.map_err(|e| wrong(e.why))?;
    let mut answered = Answered {
        row: StartRow {
            status: "proven".to_string(),
            plies: checked.plies,
            certificate_positions: Some(checked.positions),
            scope: "an earlier proof".to_string(),
            ..row
        },
        file: None,
    };
    answered.keep(question, bytes, scope);
    Ok(answered)
}
