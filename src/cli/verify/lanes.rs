//! Claims checked in lanes side by side, each with a part of the threads.

use crate::args::Threads;
use crate::progress::Bar;
use claims::{self, Effort, Finding, Listed};
use control::{Observer, Progress};
use diagnostics::Diagnostic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

/// Claims that are checked at the same time at most, whatever the number of threads, so that the
/// memory each may take does not depend on it.
pub(super) const MAX_LANES: usize = 2;

/// Checks in lanes side by side. The first lane goes by the ledger, so that verdicts come soon; the
/// other one begins with what takes longest.
pub(super) struct Lanes<'a> {
    chosen: &'a [Listed<'a>],
    taken: Vec<AtomicBool>,
    /// Threads of each lane.
    pub(super) threads: Vec<usize>,
    bar: &'a Bar,
}

/// Shows the progress of one claim under its id.
struct ClaimObserver<'a> {
    id: &'a str,
    bar: &'a Bar,
}

impl Observer for ClaimObserver<'_> {
    fn progress(&self, progress: &Progress<'_>) {
        let phase = format!("{}: {}", self.id, progress.phase);
        self.bar.progress(&Progress {
            phase: &phase,
            ..*progress
        });
    }

    fn note(&self, message: &str) {
        self.bar.note(&format!("{}: {message}", self.id));
    }
}

impl<'a> Lanes<'a> {
    pub(super) fn new(chosen: &'a [Listed<'a>], threads: usize, bar: &'a Bar) -> Lanes<'a> {
        let lanes = MAX_LANES.min(threads).min(chosen.len());
        Lanes {
            chosen,
            taken: chosen.iter().map(|_| AtomicBool::new(false)).collect(),
            threads: (0..lanes).map(|i| (threads + i) / lanes).collect(),
            bar,
        }
    }

    /// Returns the claims, by their places, in the order of a lane.
    fn order(&self, lane: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.chosen.len()).collect();
        if lane > 0 {
            let rank = |id| claims::SLOWEST.iter().position(|long| *long == id);
            order.sort_by_key(|&i| rank(self.chosen[i].id).unwrap_or(usize::MAX));
        }
        order
    }

    /// Checks what no lane has taken; sends each finding with its place.
    pub(super) fn run(
        &self,
        lane: usize,
        effort: Effort,
        findings: &mpsc::Sender<(usize, Result<Finding, Diagnostic>)>,
    ) {
        let threads = Threads {
            threads: Some(self.threads[lane]),
        };
        let effort = Effort {
            control: effort.control.with_threads(self.threads[lane]),
            ..effort
        };
        threads.install(|| {
            for i in self.order(lane) {
                if self.taken[i].swap(true, Ordering::Relaxed) {
                    continue;
                }
                let observer = ClaimObserver {
                    id: self.chosen[i].id,
                    bar: self.bar,
                };
                let effort = Effort {
                    control: effort.control.with_observer(&observer),
                    ..effort
                };
                let finding = self.chosen[i].verify(&effort);
                // After a stop, a finding may rest on a part of the work.
                if effort.stopped() || findings.send((i, finding)).is_err() {
                    break;
                }
            }
        });
    }
}
