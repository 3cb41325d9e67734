//! Verifies claims in parallel lanes, each with a part of the threads.

use crate::args::Threads;
use crate::progress::Bar;
use claims::{self, Effort, Finding, Listed};
use control::evaluation::caught;
use control::{Observer, Progress};
use diagnostics::Diagnostic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

/// The maximum number of claims that are verified at the same time. It does not depend on the number of
/// threads, so neither does the memory for one claim.
pub(super) const MAX_LANES: usize = 2;

/// Parallel lanes. The first lane follows the ledger, so the first verdicts come soon; the other lane begins
/// with the slowest claims.
pub(super) struct Lanes<'a> {
    chosen: &'a [Listed<'a>],
    taken: Vec<AtomicBool>,
    /// The number of threads of each lane.
    pub(super) threads: Vec<usize>,
    bar: &'a Bar,
}

/// An observer that shows the progress of a claim together with its id.
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

    /// Returns the indices of the claims in the order in which a lane takes them.
    fn order(&self, lane: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.chosen.len()).collect();
        if lane > 0 {
            let rank = |id| claims::SLOWEST.iter().position(|long| *long == id);
            order.sort_by_key(|&i| rank(self.chosen[i].id).unwrap_or(usize::MAX));
        }
        order
    }

    /// Verifies the claims that no lane has taken yet. Sends each finding with the index of its claim.
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
                let Ok(finding) = caught(|| self.chosen[i].verify(&effort)) else {
                    break;
                };
                // After a stop, a finding may rest on incomplete work.
                if effort.stopped() || findings.send((i, finding)).is_err() {
                    break;
                }
            }
        });
    }
}
