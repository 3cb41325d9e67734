//! The functions that this crate compiles once for each layout, so that no crate above compiles them
//! again.

use crate::branches::Hear;
use crate::tree::{Tree, Want};
use crate::{Branches, Deadline, Goal, Judge, Limits, Problem, Progress, Solution, Stipulation};
use crate::{check, null_move, text};
use diagnostics::InputError;
use position::Position;
use rules::{Game, Turn};
use std::io::Write;
use std::sync::atomic::AtomicBool;
use values::oracle::Oracle;

position::compiled_for_each_layout! {
    /// The layouts, with the solution of problems compiled for each.
    pub trait Layout: values::Layout {
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
            = null_move::passed_generic;
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
            deadline: &Deadline<'_>,
        ) -> Result<check::Verified, InputError> = check::tree_generic;
        fn long_notation(judge: &Judge<'_, Self>, p: &Position<Self>, turn: &Turn) -> String
            = text::long_generic;
        fn replay(
            problem: &Problem<Self>,
            solution: &Solution,
            deadline: &Deadline<'_>,
        ) -> Result<bool, InputError> = text::replay_generic;
        fn write_solution(
            problem: &Problem<Self>,
            solution: &Solution,
            judged: bool,
            out: &mut dyn Write,
            deadline: &Deadline<'_>,
        ) -> Result<bool, text::Unwritten> = text::write_generic;
        fn all_coordinates(
            problem: &Problem<Self>,
            solution: &Solution,
            deadline: &Deadline<'_>,
        ) -> Vec<Vec<String>> = text::all_coordinates_generic;
    }
}
