//! Expressions in arguments, compiled for the game that they are about. `under(...)` may name any rule set of
//! the catalog.

use super::answer::say;
use super::args::read_setup;
use catalog::Catalog;
use diagnostics::Diagnostic;
use language::{About, Environment, Expression};
use notation::{Setup, fen};
use rules::{AnyGame, Variant, with_game};

/// Compiles expressions for a game and prints their warnings. `what` names an expression in messages.
#[derive(Clone, Copy)]
pub struct Compiler<'a> {
    catalog: &'a Catalog,
    game: &'a AnyGame,
    about: About,
}

impl<'a> Compiler<'a> {
    /// Returns a compiler for expressions with the given features. `under` may name the rule sets of the
    /// catalog.
    pub fn new(catalog: &'a Catalog, game: &'a AnyGame, about: About) -> Compiler<'a> {
        Compiler {
            catalog,
            game,
            about,
        }
    }

    /// Compiles an expression of any type.
    pub fn read(self, what: &str, text: &str) -> Result<Expression, Diagnostic> {
        self.compile(|environment| Expression::read(what, text, environment))
    }

    /// Compiles a condition.
    pub fn condition(self, what: &str, text: &str) -> Result<Expression, Diagnostic> {
        self.compile(|environment| Expression::condition(what, text, environment))
    }

    fn compile(
        self,
        compile: impl FnOnce(&Environment<'_>) -> Result<Expression, Diagnostic>,
    ) -> Result<Expression, Diagnostic> {
        let expression = compile(&Environment {
            game: self.game,
            about: self.about,
            kinds_elsewhere: definition::predefined_names().collect(),
            text: None,
            open: &|name, geometry| self.catalog.open_on(name, geometry),
        })?;
        for warning in expression.warnings() {
            say(&format!("note: {warning}"));
        }
        Ok(expression)
    }
}

/// Compiles a condition about the last turn of a problem. The condition must not depend on the clocks.
pub fn goal(
    catalog: &Catalog,
    what: &str,
    text: &str,
    game: &AnyGame,
) -> Result<Expression, Diagnostic> {
    let goal = Compiler::new(catalog, game, About::TURN).condition(what, text)?;
    if goal.reads_clocks() {
        let error = Diagnostic::new(
            what,
            "a goal cannot read the clocks, as `fen` does, and `under` with rules that count",
        );
        return Err(error.help("positions that differ in their clocks alone are one position"));
    }
    Ok(goal)
}

/// An expression with the games of the positions on which it is evaluated. For each shape of board and each
/// size of hands, a game is opened and the expression is compiled only once.
pub struct Compiled<'a> {
    catalog: &'a Catalog,
    variant: &'a Variant,
    what: &'static str,
    text: &'a str,
    about: About,
    condition: bool,
    games: Vec<(AnyGame, Expression)>,
}

impl<'a> Compiled<'a> {
    /// Returns an expression about positions, which is parsed but not yet compiled. `what` names it in
    /// messages.
    ///
    /// # Errors
    /// If the text cannot be parsed.
    pub fn new(
        catalog: &'a Catalog,
        variant: &'a Variant,
        what: &'static str,
        text: &'a str,
    ) -> Result<Compiled<'a>, Diagnostic> {
        language::parse(text).map_err(|error| error.message(what, text))?;
        Ok(Compiled {
            catalog,
            variant,
            what,
            text,
            about: About::POSITION,
            condition: false,
            games: Vec::new(),
        })
    }

    /// Returns the expression as a condition about turns.
    pub fn on_turns(self) -> Compiled<'a> {
        Compiled {
            about: About::TURN,
            condition: true,
            ..self
        }
    }

    /// Reads one position. Returns it with the expression compiled for its game.
    ///
    /// # Errors
    /// If the text is not a FEN, or the expression is not valid for its game.
    pub fn read(&mut self, fen: Option<&str>) -> Result<(Setup, &Expression), Diagnostic> {
        let setup = read_setup(self.variant, fen)?;
        self.compiled(setup)
    }

    /// Like [`read`](Self::read), but for one of many positions. Notes are not printed.
    ///
    /// # Errors
    /// If the text is not a FEN, or the expression is not valid for its game.
    pub fn read_next(&mut self, fen: &str) -> Result<(Setup, &Expression), Diagnostic> {
        // Skip games that were opened for larger hands, since they have no tables.
        let mut games = self.games.iter().rev().map(|(game, _)| game);
        let known = games
            .find(|game| game.variant() == self.variant)
            .and_then(|game| fen::read_with(game, fen).ok());
        let setup = match known {
            Some(setup) => setup,
            None => Setup::read(self.variant, Some(fen))?,
        };
        self.compiled(setup)
    }

    fn compiled(&mut self, setup: Setup) -> Result<(Setup, &Expression), Diagnostic> {
        let game = setup.game();
        let geometry = |game: &AnyGame| with_game!(game, game => game.board().geometry());
        let shape = geometry(&game);
        let at =
            match self.games.iter().position(|(known, _)| {
                geometry(known) == shape && known.variant() == game.variant()
            }) {
                Some(at) => at,
                None => {
                    let compiler = Compiler::new(self.catalog, &game, self.about);
                    let expression = match self.condition {
                        true => compiler.condition(self.what, self.text)?,
                        false => compiler.read(self.what, self.text)?,
                    };
                    self.games.push((game, expression));
                    self.games.len() - 1
                }
            };
        Ok((setup, &self.games[at].1))
    }
}
