//! Help and series play: searches the lines with each first turn, and passes them on in the order in which they
//! are printed, each as soon as all lines that precede it are known.

use super::line_search::{LineSearch, LinesReceiver, budget};
use super::parallel;
use crate::branches::Branches;
use crate::solution::Solution;
use crate::statement::Problem;
use crate::tree::Want;
use board::Color;
use control::evaluation::inherited;
use control::{Counted, Stopped, parallel as threads};
use notation::turns;
use position::Layout;
use rules::{Turn, with_turns};
use search::{Ending, Limits, Patterns, Play, Shared, TranspositionTable, Watch, memory_bytes};
use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

/// Receives a solution with the next lines in printed order, and returns whether to continue. Lines with the same first
/// turn may come in several parts.
pub type FirstTurnReceiver<'r> = dyn FnMut(&Solution) -> bool + 'r;

/// A message from the search of a first turn.
enum Message {
    /// More lines.
    Lines(Branches),
    /// The end of the search, with the reason why there may be more lines.
    End(Option<Stopped>),
}

/// The search for all lines of a problem.
pub struct Lines<'a, W: Layout> {
    pub problem: &'a Problem<W>,
    pub limits: &'a Limits,
    pub want: Want,
    pub table: &'a TranspositionTable,
    pub shared: &'a Shared<'a>,
    /// Whether patterns prune the search. Without them, the lines are the same; tests compare them.
    pub prunes: bool,
}

/// The lines found so far, in order.
struct Collected<'r, 's> {
    solution: Solution,
    enough: usize,
    only_firsts: bool,
    receive: &'r mut FirstTurnReceiver<'s>,
}

impl Collected<'_, '_> {
    /// Adds what is known next of the first turn. Returns whether to continue.
    fn add(&mut self, message: Message) -> bool {
        match message {
            Message::Lines(lines) => self.add_lines(lines),
            Message::End(stopped) => {
                self.end(stopped);
                true
            }
        }
    }

    /// Adds the next lines in printed order. Returns whether to continue.
    fn add_lines(&mut self, mut lines: Branches) -> bool {
        let solution = &mut self.solution;
        let room = self.enough - solution.lines.len();
        if lines.len() > room {
            lines.truncate(room);
            let more = Stopped::Count(Counted::Solutions);
            solution.stopped = solution.stopped.or(Some(more));
        }
        let part = Solution {
            lines,
            ..Solution::default()
        };
        let continues = part.lines.is_empty() || (self.receive)(&part);
        solution.lines.append(part.lines);
        continues
    }

    /// Records the end of the search of a first turn.
    fn end(&mut self, stopped: Option<Stopped>) {
        let solution = &mut self.solution;
        // If only first turns are wanted, a search that ended after one line is complete.
        let solutions = Some(Stopped::Count(Counted::Solutions));
        let stopped = stopped.filter(|_| stopped != solutions || !self.only_firsts);
        if stopped.is_some() && stopped != solutions || solution.stopped.is_none() {
            solution.stopped = stopped.or(solution.stopped);
        }
    }
}

impl<W: Layout> Lines<'_, W> {
    fn goal_side(&self) -> Color {
        let side = self.problem.start.position.side;
        let stipulation = &self.problem.stipulation;
        let own_goal = match stipulation.play {
            // The other side makes the introduction.
            Play::Series(ending, helped) => {
                (ending == Ending::Goal && !helped) != (stipulation.introduction > 0)
            }
            // With whole moves only, the side to move helps the side that ends the line.
            _ => stipulation.half,
        };
        if own_goal { side } else { !side }
    }

    /// Returns the number of turns of the longest line that are searched.
    fn length(&self) -> u32 {
        let stipulation = &self.problem.stipulation;
        match stipulation.play {
            Play::Series(..) => stipulation.introduction + stipulation.moves,
            _ => stipulation.plies(),
        }
    }

    /// Returns the search of one thread.
    fn search(&self) -> LineSearch<'_, W> {
        let problem = self.problem;
        let (ending, series, helped) = match problem.stipulation.play {
            Play::Series(ending, helped) => (ending, Some(problem.stipulation.moves), helped),
            Play::Help(ending) => (ending, None, false),
            _ => (Ending::Goal, None, false),
        };
        let goal_side = self.goal_side();
        let reaches = ending == Ending::Goal && !helped;
        let (turns, helps) = budget(series, reaches, self.length());
        LineSearch {
            judge: problem.judge(),
            ending,
            series,
            helped,
            goal_side,
            table: self.table,
            watch: Watch::new(self.shared),
            memory_bytes: memory_bytes(self.shared.control) as u64,
            patterns: self
                .prunes
                .then(|| Patterns::new(problem.judge(), goal_side, turns, helps))
                .flatten(),
            first: None,
            path: Vec::new(),
            introduced: 0,
            found: Branches::default(),
            lines: 0,
            holds: false,
            max_lines: match self.want.firsts {
                true => 1,
                false => self.limits.solutions.unwrap_or(usize::MAX),
            },
        }
    }

    /// Returns the turns with which lines may begin, in printed order.
    fn first_turns(&self) -> Vec<Turn> {
        let (game, p) = (
            self.problem.start.game.as_ref(),
            &self.problem.start.position,
        );
        let lines = self.search();
        let mut firsts = Vec::new();
        game.turns(p, &mut firsts);
        let introduced = self.problem.stipulation.introduction > 0;
        if p.side == lines.goal_side && lines.ending != Ending::Forced && !introduced {
            with_turns(|turns| {
                lines.judge.reaching(p, turns);
                turns.retain(|turn| !firsts.contains(turn));
                firsts.append(turns);
            });
        }
        turns::sort(game, p, &mut firsts);
        firsts
    }

    /// Finds all lines. `receive` is called with lines as soon as those that are printed before them are known.
    pub fn solve(&self, receive: &mut FirstTurnReceiver<'_>) -> Solution {
        let firsts = self.first_turns();
        // Searches are reused, because their tables of patterns stay valid.
        let idle = Mutex::new(Vec::new());
        let idle = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = AtomicBool::new(false);
        // Searches the lines with a first turn. Returns the lines that have not been received, and the reason why there
        // may be more.
        let one = |n: usize, receive: &mut LinesReceiver<'_>| {
            let reused = idle().pop();
            let mut lines = reused.unwrap_or_else(|| self.search());
            (lines.first, lines.lines, lines.holds) = (Some(firsts[n]), 0, false);
            // A search that has been stopped must not find anything more, not even in a few positions.
            let stopped = match refused.load(Ordering::Relaxed) {
                true => Err(Stopped::Interrupted),
                false => lines.watch.check_now(),
            };
            let p = &self.problem.start.position;
            let search = |()| lines.search(p, self.length(), receive);
            let stopped = stopped.and_then(search).err();
            let found = std::mem::take(&mut lines.found);
            idle().push(lines);
            [Message::Lines(found), Message::End(stopped)]
        };
        let mut collected = Collected {
            solution: Solution::default(),
            enough: self.limits.solutions.unwrap_or(usize::MAX),
            only_firsts: self.want.firsts,
            receive,
        };
        // After a refusal, no more lines are received, however many the threads have found.
        let mut add = |message: Message| {
            let continues = match refused.load(Ordering::Relaxed) {
                true => matches!(message, Message::End(_)) && collected.add(message),
                false => collected.add(message),
            };
            if !continues {
                refused.store(true, Ordering::Relaxed);
            }
            continues
        };
        match self.shared.control.threads() {
            1 if parallel() => {
                let all = |n| {
                    let mut messages = Vec::new();
                    let rest = one(n, &mut |lines| {
                        messages.push(Message::Lines(lines));
                        Ok(())
                    });
                    messages.extend(rest);
                    messages
                };
                let parts = threads::map_long(firsts.len(), all);
                parts.into_iter().flatten().for_each(|part| {
                    add(part);
                });
            }
            1 => {
                for n in 0..firsts.len() {
                    let rest = one(n, &mut |lines| match add(Message::Lines(lines)) {
                        true => Ok(()),
                        false => Err(Stopped::Interrupted),
                    });
                    for message in rest {
                        add(message);
                    }
                }
            }
            count => in_order(count, firsts.len(), &one, &mut add),
        }
        collected.solution
    }
}

/// Calls `work` for each piece on `count` threads, and `receive` on the caller's thread with the messages in the order
/// of the pieces, each as soon as those before it are known.
fn in_order(
    count: usize,
    pieces: usize,
    work: &(dyn Fn(usize, &mut LinesReceiver<'_>) -> [Message; 2] + Sync),
    receive: &mut dyn FnMut(Message) -> bool,
) {
    let (sender, messages) = mpsc::channel();
    // The closure owns the first sender, so that no sender is left once all pieces are done.
    let all = move || {
        threads::in_pool(count, || {
            threads::map_long(pieces, |n| {
                let sender = sender.clone();
                // The messages are received until all senders are gone.
                let send = |message| drop(sender.send((n, message)));
                let rest = work(n, &mut |lines| {
                    send(Message::Lines(lines));
                    Ok(())
                });
                rest.into_iter().for_each(send);
            })
        });
    };
    std::thread::scope(|scope| {
        let worker = scope.spawn(inherited(all));
        let mut waiting: BTreeMap<usize, Vec<Message>> = BTreeMap::new();
        let mut next = 0;
        for (n, message) in messages {
            waiting.entry(n).or_default().push(message);
            while let Some(ready) = waiting.remove(&next) {
                let ended = matches!(ready.last(), Some(Message::End(_)));
                for message in ready {
                    receive(message);
                }
                if !ended {
                    break;
                }
                next += 1;
            }
        }
        if let Err(panic) = worker.join() {
            resume_unwind(panic);
        }
    });
}
