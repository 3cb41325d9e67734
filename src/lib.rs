//! fairyproof: a rule-verification and puzzle-solving workbench for chess variants.
//!
//! # Layers
//! Each layer relies only on layers below it in this table. Without features, the library consists of the
//! rules; the features `solve` and `full` add layers.
//!
//! | layer | responsibility | feature |
//! |---|---|---|
//! | `cli` | arguments, commands, exit codes | program |
//! | `serve` | the local web page and its JSON API | program |
//! | `columns` | answers as Arrow columns and Parquet files | parquet |
//! | [`picture`] | positions, lines and pages as SVG, HTML and terminal output | full |
//! | [`report`] | result rows, and their exporters: text, CSV, JSON | full |
//! | [`claims`] | the claims of the source pages: reading, checking, evidence | full |
//! | [`puzzle`] | problem files: reading, solving, comparing, importing, mining | full |
//! | [`scale`] | exploring and solving on disk and on several processes | full |
//! | [`can_win`] | whether a side can still win with the opponent's help | solve |
//! | [`prove`] | proof-number search for distant forced wins; certificates | solve |
//! | [`problems`] | stipulations and their solution trees | solve |
//! | [`search`] | goals, transposition tables and leaf tests of problems and proofs | solve |
//! | [`tables`] | endgame tables: build, certify, probe | solve |
//! | [`values`] | values of complete graphs, and their certification | solve |
//! | [`explore`] | the reachable graph: states, depths, structure; perft | solve |
//! | [`language`] | expressions about positions and turns | |
//! | [`catalog`] | every rule set by name: compiled, built-in library, user files and texts | |
//! | [`notation`] | reading and printing of positions and turns | |
//! | [`clauses`] | the clauses of rule texts, compiled to expressions and played by the interpreter | |
//! | [`variants`] | the compiled rule sets, each as its difference from orthodox chess | |
//! | [`interpreter`] | the rule set that plays definitions, from tables compiled for a board | |
//! | [`definition`] | definitions in `variants.ini`: reading, checking, printing, explaining | |
//! | [`rules`] | the hooks of a rule set, with orthodox chess as their default | |
//! | [`position`] | units on squares, side to move, rights, the exact key | |
//! | [`board`] | squares, geometry, movement | |
//! | [`control`] | stopping, limiting and observing long computations; files | |
//! | [`diagnostics`] | what is wrong with something that a user wrote | |
//!
//! The manual is in [`guide`]. The chapter [`guide::library`] shows the ten most common tasks of a library
//! user, and describes the features.
//!
//! # Opening a variant, listing its turns, playing one
//! A [`Catalog`] opens variants by name: compiled variants, those of the built-in library, and definitions
//! that the caller adds. A [`Setup`] is a position together with the rules on its board.
//! ```
//! use fairyproof::{Catalog, Setup};
//!
//! let mut catalog = Catalog::new();
//! let start = Setup::read(&catalog.open("bachelor")?, Some("3k3/Q6/7/7/7/3K3 w - - 0 1"))?;
//! assert_eq!(start.turns().first().map(String::as_str), Some("a5a1"));
//!
//! // The queen moves next to its king: a marriage, and White has won.
//! let after = start.play("a5e1")?;
//! assert_eq!(after.fen(), "3k3/7/7/7/7/3KQ2 b - - 1 1");
//! assert_eq!(after.outcome().to_string(), "white-wins marriage");
//!
//! // A variant defined by the caller: a king on one of the four center squares wins.
//! let text = "[hill:chess]\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n";
//! catalog.add_text("my variants", text)?;
//! let hill = Setup::read(&catalog.open("hill")?, Some("k7/8/8/8/8/3K4/8/8 w - - 0 1"))?;
//! assert_eq!(hill.play("Ke4")?.outcome().to_string(), "white-wins flag");
//! # Ok::<(), fairyproof::Diagnostic>(())
//! ```
//!
//! # Solving a problem
//! [`Problem::answer`](problems::Problem::answer) returns the complete solution as text: the key, the threat,
//! the variations and the verdict. [`Problem::solve`](problems::Problem::solve) finds only the keys.
//! ```
//! use fairyproof::catalog::Catalog;
//! use fairyproof::control::Control;
//! use fairyproof::notation::Setup;
//! use fairyproof::problems::{Problem, Stipulation};
//! use fairyproof::with_setup;
//!
//! let variant = Catalog::new().open("fide")?;
//! let setup = Setup::read(&variant, Some("8/8/8/p7/Q7/2Kp4/b2P4/k7 w - - 0 1"))?;
//! with_setup!(setup, start => {
//!     let geometry = start.game.board().geometry();
//!     let stipulation = Stipulation::parse("#2", &variant.rule_set, geometry)?;
//!     let problem = Problem::new(start, stipulation);
//!     let answer = problem.answer(&Control::new())?;
//!     assert!(answer.contains("1.Qa4-a3 ! threat: 2.Qa3-b2 #"), "{answer}");
//! });
//! # Ok::<(), fairyproof::diagnostics::Diagnostic>(())
//! ```

pub use board;
pub use catalog;
pub use catalog::Catalog;
pub use clauses;
pub use control;
pub use definition;
pub use diagnostics;
pub use diagnostics::Diagnostic;
pub use interpreter;
pub use language;
pub use notation;
pub use notation::{Setup, with_setup};
pub use position;
pub use rules;
pub use rules::with_game;
pub use variants;

#[cfg(feature = "solve")]
pub mod any_board;
#[cfg(feature = "solve")]
pub use can_win;
#[cfg(feature = "solve")]
pub use explore;
#[cfg(feature = "solve")]
pub use problems;
#[cfg(feature = "solve")]
pub use prove;
#[cfg(feature = "solve")]
pub use search;
#[cfg(feature = "solve")]
pub use tables;
#[cfg(feature = "solve")]
pub use values;

#[cfg(feature = "full")]
pub use claims;
#[cfg(feature = "full")]
pub use picture;
#[cfg(feature = "full")]
pub use puzzle;
#[cfg(feature = "full")]
pub use report;
#[cfg(feature = "full")]
pub use scale;

/// The manual, which `fairyproof guide` prints, too.
pub mod guide {
    #[doc = include_str!("guide/own-variants.md")]
    pub mod own_variants {}
    #[doc = include_str!("guide/rule-texts.md")]
    pub mod rule_texts {}
    #[doc = include_str!("guide/expressions.md")]
    pub mod expressions {}
    #[doc = include_str!("guide/exploring.md")]
    pub mod exploring {}
    #[doc = include_str!("guide/notation.md")]
    pub mod notation {}
    #[doc = include_str!("guide/problems.md")]
    pub mod problems {}
    #[doc = include_str!("guide/tables.md")]
    pub mod tables {}
    #[doc = include_str!("guide/proofs.md")]
    pub mod proofs {}
    #[doc = include_str!("guide/claims.md")]
    pub mod claims {}
    #[doc = include_str!("guide/python.md")]
    pub mod python {}
    #[doc = include_str!("guide/pictures.md")]
    pub mod pictures {}
    #[doc = include_str!("guide/scale.md")]
    pub mod scale {}
    #[doc = include_str!("guide/reports.md")]
    pub mod reports {}
    #[doc = include_str!("guide/variants.md")]
    pub mod variants {}
    #[doc = include_str!("guide/guarantees.md")]
    pub mod guarantees {}
    #[doc = include_str!("guide/measurements.md")]
    pub mod measurements {}
    // The examples of this chapter use all features except `program`.
    #[cfg_attr(feature = "solve", doc = include_str!("guide/library.md"))]
    pub mod library {}
    #[doc = include_str!("guide/contributing.md")]
    pub mod contributing {}
}
