//! What this layer compiles once for each layout, so that no layer above compiles it again.

use crate::graph::{self, BestLine, Values};
use crate::oracle::Oracle;
use crate::problem::branches::Hear;
use crate::problem::tree::{Tree, Want};
use crate::problem::{check, pass, text};
use crate::table::{
    self, Class, ClassKey, Plan, Probe, SideStats, Signature, Table, Tables, TurnValue,
};
use crate::{
    Branches, Goal, Judge, Limits, Patience, Problem, Progress, Solution, Stipulation, Value,
};
use explore::{Exploration, StateId};
use input::InputError;
use position::Position;
use rules::{Game, Turn};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

position::compiled_for_each_layout! {
    /// The layouts, with the solution of problems, graphs and endings compiled for each.
    pub trait Layout: explore::Layout {
        fn solve(
            problem: &Problem<Self>,
            limits: &Limits,
            want: Want,
            oracle: Option<&dyn Oracle<Self>>,
            stop: &AtomicBool,
            progress: &dyn Progress,
        ) -> Solution = Problem::solve_generic;
        fn first_turns(problem: &Problem<Self>, solution: &Solution) -> Vec<String>
            = Problem::first_turns_generic;
        fn each_line(lines: &Branches, problem: &Problem<Self>, hear: &mut Hear<'_, Self>)
            = Branches::each_generic;
        fn judge<'g>(game: &'g dyn Game<Self>, goal: Goal) -> Judge<'g, Self>
            = Judge::new_generic;
        fn reached(
            judge: &Judge<'_, Self>,
            before: &Position<Self>,
            turn: &Turn,
            after: &Position<Self>,
        ) -> bool = Judge::reached_generic;
        fn find_reaching(
            judge: &Judge<'_, Self>,
            p: &Position<Self>,
            out: &mut Vec<Turn>,
            first: bool,
        ) -> () = Judge::find_generic;
        fn passed(game: &dyn Game<Self>, p: &Position<Self>) -> Option<Position<Self>>
            = pass::passed_generic;
        fn check_lines(
            judge: &Judge<'_, Self>,
            asked: &Stipulation,
            p: &Position<Self>,
            lines: &[&[String]],
        ) -> Result<usize, InputError> = check::lines_generic;
        fn checker<'j, 'g>(
            judge: &'j Judge<'g, Self>,
            asked: &Stipulation,
            p: &Position<Self>,
        ) -> Result<check::Checker<'j, 'g, Self>, InputError> = check::Checker::new_generic;
        fn check_line(
            checker: &mut check::Checker<'_, '_, Self>,
            line: &[&str],
        ) -> Result<(), InputError> = check::Checker::line_generic;
        fn check_tree(
            judge: &Judge<'_, Self>,
            stipulation: &Stipulation,
            p: &Position<Self>,
            tree: &Tree,
            patience: &Patience<'_>,
        ) -> Result<Option<usize>, InputError> = check::tree_generic;
        fn long_notation(judge: &Judge<'_, Self>, p: &Position<Self>, turn: &Turn) -> String
            = text::long_generic;
        fn replay(
            problem: &Problem<Self>,
            solution: &Solution,
            patience: &Patience<'_>,
        ) -> Result<bool, InputError> = text::replay_generic;
        fn write_solution(
            problem: &Problem<Self>,
            solution: &Solution,
            judged: bool,
            out: &mut dyn Write,
            patience: &Patience<'_>,
        ) -> Result<bool, text::Unwritten> = text::write_generic;
        fn all_coordinates(
            problem: &Problem<Self>,
            solution: &Solution,
            patience: &Patience<'_>,
        ) -> Vec<Vec<String>> = text::all_coordinates_generic;
        fn solve_game(
            game: &dyn Game<Self>,
            found: &Exploration,
            memory_bytes: u64,
            stop: Option<&AtomicBool>,
            observer: &dyn graph::Observer,
        ) -> Result<Values, graph::Stopped> = graph::values::solve_game_generic;
        fn certify_game(
            game: &dyn Game<Self>,
            found: &Exploration,
            values: &Values,
            stop: Option<&AtomicBool>,
            observer: &dyn graph::Observer,
        ) -> Result<graph::Certificate, graph::Stopped> = graph::certify::certify_game_generic;
        fn best_line(
            game: &dyn Game<Self>,
            found: &Exploration,
            values: &Values,
            from: StateId,
        ) -> Option<BestLine> = graph::line::best_line_generic;
        fn build(
            tables: &Tables<Self>,
            signature: &Signature,
            limits: &table::Limits<'_>,
            observer: &dyn table::Observer,
        ) -> Result<table::Built, table::Stopped> = table::build::build_generic;
        fn build_here(
            tables: &Tables<Self>,
            signature: &Signature,
            limits: &table::Limits<'_>,
            observer: &dyn table::Observer,
        ) -> Result<table::Built, table::Stopped> = table::build::build_here_generic;
        fn plan(
            tables: &Tables<Self>,
            signature: &Signature,
            limits: &table::Limits<'_>,
        ) -> Result<Vec<Plan>, table::Stopped> = table::build::plan_generic;
        fn certify(
            tables: &Tables<Self>,
            signature: &Signature,
            limits: &table::Limits<'_>,
            observer: &dyn table::Observer,
        ) -> Result<table::Certificate, table::Stopped> = table::certify::certify_generic;
        fn stats(
            tables: &Tables<Self>,
            signature: &Signature,
        ) -> Result<[SideStats; 2], InputError> = table::stats::stats_generic;
        fn endings(
            game: &dyn Game<Self>,
            white: usize,
            black: usize,
            limits: &table::Limits<'_>,
        ) -> Result<Vec<Signature>, table::Stopped> = table::endings::endings_generic;
        fn materials(game: &dyn Game<Self>, white: usize, black: usize) -> Vec<Signature>
            = table::endings::materials_generic;
        fn goes_on(
            game: &dyn Game<Self>,
            signature: &Signature,
            limits: &table::Limits<'_>,
        ) -> Result<bool, table::Stopped> = table::endings::goes_on_generic;
        fn parse_signature(game: &dyn Game<Self>, text: &str) -> Result<Signature, InputError>
            = Signature::parse_generic;
        fn class(game: &dyn Game<Self>, key: ClassKey) -> Class = Class::new_generic;
        fn canonical(key: &ClassKey, game: &dyn Game<Self>) -> (ClassKey, bool)
            = ClassKey::canonical_generic;
        fn table(
            tables: &Tables<Self>,
            key: &ClassKey,
        ) -> Result<Option<Arc<Table>>, InputError> = Tables::table_generic;
        fn kept_tables(tables: &Tables<Self>) -> Vec<Arc<Table>> = Tables::kept_generic;
        fn position_of(
            tables: &Tables<Self>,
            class: &Class,
            index: u64,
            swap: bool,
        ) -> Option<Position<Self>> = Tables::position_generic;
        fn table_value(
            tables: &Tables<Self>,
            p: &Position<Self>,
        ) -> Result<Option<Value>, InputError> = Tables::value_generic;
        fn probe(tables: &Tables<Self>, p: &Position<Self>) -> Result<Option<Probe>, InputError>
            = Tables::probe_generic;
        fn table_line(
            tables: &Tables<Self>,
            p: &Position<Self>,
        ) -> Result<Vec<TurnValue>, InputError> = Tables::line_generic;
    }
}
