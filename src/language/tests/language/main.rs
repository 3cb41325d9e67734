//! Tests of expressions: the examples of every name, types and errors, values at the edges, and a comparison
//! with a second implementation, the interpreter of the `cel` crate over plain lists.

extern crate fairyproof_language as language;

mod edges;
mod errors;
mod examples;
mod guide;
mod plain;
mod two_ways;

use catalog::Catalog;
use diagnostics::Diagnostic;
use language::{About, Environment, Expression, ExpressionError, Subject};
use notation::{Setup, with_setup};
use rules::{AnyGame, Variant};
use std::sync::OnceLock;

/// Returns the catalog of compiled rule sets and library definitions.
fn catalog() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    CATALOG.get_or_init(Catalog::new)
}

/// Returns a rule set of the catalog.
fn variant(name: &str) -> Result<Variant, Diagnostic> {
    catalog().open(name)
}

/// Opens a position of a rule set. An empty FEN opens the start position.
fn setup(name: &str, fen: &str) -> Setup {
    let variant = variant(name).expect("the rule set exists");
    Setup::read(&variant, Some(fen).filter(|fen| !fen.is_empty())).expect("the FEN is valid")
}

fn open(name: &str, geometry: board::Geometry) -> Result<AnyGame, Diagnostic> {
    catalog().open_on(name, geometry)
}

/// Compiles an expression for the game of a position.
fn compile(setup: &Setup, text: &str, turn: bool) -> Result<Expression, ExpressionError> {
    let game = setup.game();
    let about = match turn {
        true => About::TURN,
        false => About::POSITION,
    };
    Expression::compile(
        text,
        &Environment {
            open: &open,
            ..Environment::new(&game, about)
        },
    )
}

/// Returns the value of an expression as text.
fn value(variant: &str, fen: &str, text: &str) -> String {
    let setup = setup(variant, fen);
    let expression = compile(&setup, text, false)
        .unwrap_or_else(|error| panic!("{text}: {}\n{}", error.why, error.excerpt(text)));
    with_setup!(&setup, s => {
        expression
            .answer(&Subject::new(s.game.as_ref(), &s.position))
            .expect("evaluation is not interrupted")
            .text
    })
}
