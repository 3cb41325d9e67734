//! Determines which side can force a win from the start of each rule set, if the search can decide it.
//!
//! Searches are limited by positions, not by time, and each runs on one thread. The rows therefore depend
//! only on these limits and on earlier proofs. If a search leaves a question open that a longer search has
//! proven, the certificate of the earlier proof is checked and used.

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

/// The default number of positions searched for the first side.
pub const USUAL_POSITIONS: u64 = 400_000;

/// After each first turn, the search for the other side may examine `1 / SHARE_AFTER` of the positions that
/// the search for the first side may examine.
const SHARE_AFTER: u64 = 20;

/// The size of the transposition table of one search, in bytes. It is fixed, since answers may depend on it.
const TABLE_BYTES: u64 = 256 << 20;

/// The default maximum size of a certificate that is stored as a file, in bytes.
pub const MAX_CERTIFICATE: usize = 200_000;

/// The name of the folder for certificates, within the folder of the report.
pub const FOLDER: &str = "proofs";

/// The limits of the searches, and the handling of certificates.
#[derive(Clone, Copy, Debug)]
pub struct StartsScope<'a> {
    /// The maximum number of positions searched for the first side. After each first turn, a twentieth of
    /// this number is searched for the other side.
    pub positions: u64,
    /// The folder with the certificates of earlier runs.
    pub proofs: Option<&'a Path>,
    /// Whether to search for proofs of any length after first turns as well. Useful only with many positions.
    pub deep: bool,
    /// The maximum size of a certificate that is stored as a file, in bytes. For a longer one, the row
    /// contains the SHA-256 hash and the command that reproduces it.
    pub longest_certificate: usize,
}

/// A question about a start position, and its answer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, FieldNamesAsSlice)]
pub struct StartRow {
    /// The rule set with its options.
    pub variant: String,
    /// The first turn that was made; `None` for the start position itself.
    pub after: Option<String>,
    /// The side that tries to force the goal. It is the side to move.
    pub side: String,
    /// The goal that the side tries to force.
    pub goal: String,
    /// `proven`, `disproven` (the side cannot force the goal in a game of any length) or `open`.
    pub status: String,
    /// The number of plies to the end in the proof.
    pub plies: Option<u16>,
    /// The number of plies within which it is proven that the side cannot force the goal.
    pub none_within_plies: Option<u16>,
    /// The file with the certificate, if it is short enough to be stored.
    pub certificate: Option<String>,
    /// The number of positions in the certificate.
    pub certificate_positions: Option<u64>,
    /// The number of positions searched.
    pub positions: u64,
    /// The limit of the search, `complete` if the search decided the question, or `an earlier proof` if only
    /// an earlier proof decided it.
    pub scope: String,
    /// The SHA-256 hash of the certificate, if it is too long to be stored.
    #[serde(default)]
    pub certificate_sha256: Option<String>,
    /// The command that reproduces the certificate. For rule sets from files, the user must add `--rules`.
    #[serde(default)]
    pub command: Option<String>,
}

impl StartRow {
    /// Returns the limit of the search in positions, if the search did not decide the question.
    pub fn round(&self) -> Option<u64> {
        let limit = self.scope.strip_suffix(" positions")?;
        limit.parse().ok()
    }

    /// Returns the row as one line of text.
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

/// A row, with the certificate if it is short enough to be stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    /// The row.
    pub row: StartRow,
    /// The name and the content of the certificate's file.
    pub file: Option<(String, Vec<u8>)>,
}

impl Answered {
    /// Adds a certificate to the row: as a file, or only by its SHA-256 hash if it is too long.
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
                options: vec![(option.name, None)],
                ..Variant::from(info)
            });
        }
    }
    all
}

/// The question whether the side to move can force a win, at the start or after a first turn. First turns are
/// numbered in byte order.
#[derive(Clone, Debug)]
pub struct Question<'v> {
    variant: &'v Variant,
    after: Option<(usize, String)>,
}

impl Question<'_> {
    /// Returns the key of the question: the variant, and the first turn or an empty text.
    pub fn name(&self) -> (String, String) {
        let after = self.after.as_ref();
        let after = after.map_or(String::new(), |(_, turn)| turn.clone());
        (self.variant.to_string(), after)
    }

    /// Returns the limit in positions for this question. `positions` is the limit for the first side.
    pub fn limit(&self, positions: u64) -> u64 {
        match self.after {
            Some(_) => (positions / SHARE_AFTER).max(1),
            None => positions,
        }
    }

    /// Returns the file name of the question's certificate.
    fn file(&self) -> String {
        let (variant, after) = self.name();
        let variant = variant.replace([':', ','], "+");
        if after.is_empty() {
            format!("{variant}.fpp")
        } else {
            format!("{variant}-{after}.fpp")
        }
    }

    /// Returns the command that repeats this search and writes the certificate.
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

/// Returns the questions about these variants, in order: first for the first side, then for the other side
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

/// Answers questions. Returns the answers in order, or `None` if `control` stopped the run. Each answer is
/// also passed to `on_answer` as soon as it is found, with the index of its question.
///
/// # Errors
/// If a start position cannot be read, if an earlier or new certificate is invalid (a new one would be an
/// error of this program), or if `on_answer` fails.
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
        // Use the position that readers of the FEN get. It may lack state that the FEN does not contain.
        start.position = fen::read_position(game, &fen::print(game, &p))?;
    }
    let side = start.position.side;
    let limits = Limits {
        positions: Some(positions),
        // Such a small number of positions is best spent on increasing lengths, one after the other.
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

/// Returns the answer of an earlier run after checking its certificate.
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
