//! fairyproof: a rule-verification and puzzle-solving workbench for chess variants.
//!
//! # Layers
//! Each layer relies on those below it and on no other:
//!
//! | layer | responsibility |
//! |---|---|
//! | `cli` | arguments, commands, exit codes; part of the program, not of the library |
//! | `serve` | the local web page and its JSON API; part of the program |
//! | [`picture`] | positions, lines and pages as SVG, HTML and terminal output |
//! | [`report`] | result rows, and their exporters: text, CSV, JSON |
//! | [`claims`] | the claims of the source pages, and whether they hold |
//! | [`puzzle`] | problem files: read, solved, compared, imported, mined |
//! | [`scale`] | exploring and solving on disk and on several processes |
//! | [`prove`] | proof-number search for distant forced wins; certificates |
//! | [`problems`] | stipulations and their solution trees |
//! | [`tables`] | endgame tables: build, certify, probe |
//! | [`values`] | values of complete graphs, and their certification |
//! | [`explore`] | the reachable graph: states, depths, structure; perft |
//! | [`catalog`] | every rule set by name: compiled, library, files and texts |
//! | [`notation`] | text to positions and turns, and back |
//! | [`variants`] | the compiled rule sets: each as its difference from orthodox chess |
//! | [`interpreter`] | definitions compiled to tables and played |
//! | [`definition`] | `variants.ini`: read, checked, printed, explained |
//! | [`rules`] | the hooks of a rule set, with orthodox chess as their default |
//! | [`position`] | units on squares, side to move, rights, the exact key |
//! | [`board`] | squares, geometry, movement |
//! | [`control`] | threads that share a job, files that users name |
//! | [`diagnostics`] | what is wrong with something that a user wrote |
//!
//! The manual is in [`guide`].
//!
//! # Opening a variant, listing its turns, playing one
//! A [`Variant`](rules::Variant) is a rule set with its options. A [`Setup`](notation::Setup) is a
//! position with the rules on its board. Boards of different sizes have positions of different
//! types; [`with_setup!`] does the same with all of them.
//! ```
//! use fairyproof::catalog::Catalog;
//! use fairyproof::notation::{Setup, fen, turns};
//! use fairyproof::with_setup;
//!
//! let variant = Catalog::new().open("bachelor")?;
//! let setup = Setup::read(&variant, Some("3k3/Q6/7/7/7/3K3 w - - 0 1"))?;
//! with_setup!(setup, start => {
//!     let game = start.game.as_ref();
//!     let legal = turns::sorted(game, &start.position);
//!     assert_eq!(legal.first().map(|(text, _)| text.as_str()), Some("a5a1"));
//!
//!     // The queen moves next to its king: a marriage, and White has won.
//!     let turn = turns::find(game, &start.position, "a5e1", 1)?;
//!     let after = game.play(&start.position, &turn);
//!     assert_eq!(fen::print(game, &after), "3k3/7/7/7/7/3KQ2 b - - 1 1");
//!     assert_eq!(game.outcome(&after).to_string(), "white-wins marriage");
//! });
//! # Ok::<(), fairyproof::diagnostics::InputError>(())
//! ```

pub use board;
pub use catalog;
pub use claims;
pub use control;
pub use definition;
pub use diagnostics;
pub use explore;
pub use interpreter;
pub use notation;
pub use notation::with_setup;
pub use picture;
pub use position;
pub use problems;
pub use prove;
pub use puzzle;
pub use report;
pub use rules;
pub use rules::with_game;
pub use scale;
pub use tables;
pub use values;
pub use variants;

/// The manual, as `fairyproof guide` prints it.
pub mod guide {
    #[doc = include_str!("guide/own-variants.md")]
    pub mod own_variants {}
    #[doc = include_str!("guide/problems.md")]
    pub mod problems {}
    #[doc = include_str!("guide/tables.md")]
    pub mod tables {}
    #[doc = include_str!("guide/proofs.md")]
    pub mod proofs {}
    #[doc = include_str!("guide/claims.md")]
    pub mod claims {}
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
    #[doc = include_str!("guide/contributing.md")]
    pub mod contributing {}
}
