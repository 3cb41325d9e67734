//! The subject of a claim: its rule set, its position, and its expressions compiled for them.

use crate::checks::measure::Measured;
use crate::file::{ClaimSpec, SourceText, Text};
use catalog::Catalog;
use control::Control;
use diagnostics::Diagnostic;
use language::{About, Environment, Expression, ExpressionError, Type};
use notation::{Setup, turns};
use rules::{AnyGame, Variant};
use std::sync::{Mutex, PoisonError};

/// A function that measures another claim of the file by its id. Returns `None` if the control stopped it.
pub type References<'a> =
    dyn Fn(&str, &Control<'_>) -> Result<Option<Measured>, Diagnostic> + Sync + 'a;

/// A claim with its rule set opened and its position set up.
pub struct Subject<'a> {
    /// All rule sets by name, including those of the claims file.
    pub catalog: &'a Catalog,
    /// The text of the claims file, for errors that point into it.
    pub file: &'a SourceText,
    /// The claim.
    pub claim: &'a ClaimSpec,
    /// The rule set.
    pub variant: Variant,
    /// The position before the claim's line is played.
    pub root: Setup,
    /// The turns of the claim's line, in coordinate notation.
    pub line: Vec<String>,
    /// The position after the claim's line.
    pub setup: Setup,
    /// The function that measures other claims of the file.
    pub references: Option<&'a References<'a>>,
    warnings: Mutex<Vec<String>>,
}

impl<'a> Subject<'a> {
    /// Opens the rule set of a claim, sets up its position and plays its line.
    ///
    /// # Errors
    /// If the rule set, the position or a turn is wrong, with its place in the file.
    pub fn open(
        catalog: &'a Catalog,
        file: &'a SourceText,
        claim: &'a ClaimSpec,
    ) -> Result<Subject<'a>, Diagnostic> {
        let variant = catalog
            .open(&claim.variant.value)
            .map_err(|error| file.error_of(&claim.variant, &error))?;
        let root = match &claim.fen {
            Some(fen) => Setup::read(&variant, Some(&fen.value))
                .map_err(|error| file.error_of(fen, &error))?,
            None => Setup::read(&variant, None)
                .map_err(|error| file.error_of(&claim.variant, &error))?,
        };
        let (mut setup, mut line) = (root.clone(), Vec::new());
        if let Some(text) = &claim.line {
            for (at, word) in turns::words(&text.value).enumerate() {
                let played = setup.play_numbered(word, at + 1);
                let (turn, after) = played.map_err(|error| file.error_of(text, &error))?;
                line.push(turn);
                setup = after;
            }
        }
        Ok(Subject {
            catalog,
            file,
            claim,
            variant,
            root,
            line,
            setup,
            references: None,
            warnings: Mutex::new(Vec::new()),
        })
    }

    /// Returns the subject with a function that measures other claims of the file.
    #[must_use]
    pub fn with_references(mut self, references: &'a References<'a>) -> Subject<'a> {
        self.references = Some(references);
        self
    }

    /// Returns the warnings about the expressions compiled so far.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *warnings)
    }

    /// Compiles a condition for a game.
    ///
    /// # Errors
    /// If the condition is wrong, with its column in the file.
    pub fn condition(
        &self,
        text: &Text,
        game: &AnyGame,
        about: About,
    ) -> Result<Expression, Diagnostic> {
        self.typed(
            text,
            game,
            about,
            Type::BOOL,
            "a condition, true or false, is wanted here",
        )
    }

    /// Compiles an integer expression for a game.
    ///
    /// # Errors
    /// If the expression is wrong, with its column in the file.
    pub fn integer(
        &self,
        text: &Text,
        game: &AnyGame,
        about: About,
    ) -> Result<Expression, Diagnostic> {
        self.typed(text, game, about, Type::INT, "an integer is wanted here")
    }

    fn typed(
        &self,
        text: &Text,
        game: &AnyGame,
        about: About,
        wanted: Type,
        why: &str,
    ) -> Result<Expression, Diagnostic> {
        let expression = self.expression(text, game, about)?;
        match expression.result() {
            result if result == wanted => Ok(expression),
            result => {
                let why = format!("{why}; this is of type {result}");
                let error = ExpressionError::new(0..text.value.len(), why);
                Err(self.file.expression_error(text, &error))
            }
        }
    }

    /// Compiles an expression of any type for a game.
    ///
    /// # Errors
    /// If the expression is wrong, with its column in the file.
    pub fn expression(
        &self,
        text: &Text,
        game: &AnyGame,
        about: About,
    ) -> Result<Expression, Diagnostic> {
        let expression = compile(self.catalog, &text.value, game, about)
            .map_err(|error| self.file.expression_error(text, &error))?;
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        for warning in expression.warnings() {
            let warning = format!("claim `{}`: {warning}", self.claim.id);
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        Ok(expression)
    }
}

/// Compiles an expression for a game. The catalog provides the rule sets for `under(...)`.
///
/// # Errors
/// The first error in the expression.
pub fn compile(
    catalog: &Catalog,
    text: &str,
    game: &AnyGame,
    about: About,
) -> Result<Expression, ExpressionError> {
    let environment = Environment {
        game,
        about,
        kinds_elsewhere: definition::predefined_names().collect(),
        text: None,
        open: &|name, geometry| catalog.open_on(name, geometry),
    };
    Expression::compile(text, &environment)
}

/// Returns the rule set of a claim on a board of another size, such as `4x5`. Without a size, returns it on
/// its own board.
///
/// # Errors
/// If the text is not a size, or the rule set cannot be played on a board of this size.
pub fn on_board(subject: &Subject<'_>, board: Option<&Text>) -> Result<AnyGame, Diagnostic> {
    let Some(text) = board else {
        return Ok(subject.setup.game());
    };
    let wrong = |why: String| {
        let error = subject.file.error(&text.span, why);
        error.help("files and ranks, such as `4x5`")
    };
    let number = |digits: &str| digits.parse::<u8>().ok().filter(|n| *n > 0);
    let size = text.value.split_once('x');
    let size = size.and_then(|(files, ranks)| Some((number(files)?, number(ranks)?)));
    let Some((files, ranks)) = size else {
        return Err(wrong(format!(
            "`{}` is not the size of a board",
            text.value
        )));
    };
    let geometry = subject
        .variant
        .rule_set
        .board(files, ranks)
        .map_err(|why| wrong(why.into()))?;
    subject.variant.on(geometry)
}
