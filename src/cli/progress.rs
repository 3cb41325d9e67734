//! The progress of long commands, on standard error.
//!
//! On a terminal, [`Bar`] redraws a single line. Elsewhere, a command that runs for more than ten seconds
//! prints a line at increasing intervals: the work done, its share of the total, and the estimated time left.
//! Progress never affects a result.

use super::answer::say;
use control::{Control, Observer, Progress, in_words};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time until the first line is printed if standard error is not a terminal. Also the interval between
/// the first two lines.
const FIRST_LINE: Duration = Duration::from_secs(10);
/// The maximum interval between two lines. Intervals double until they reach it.
const MAX_BETWEEN_LINES: Duration = Duration::from_secs(600);

/// An observer that shows the progress of a computation.
pub struct Bar {
    bar: ProgressBar,
    /// The schedule of printed lines; `None` if standard error is a terminal.
    lines: Option<Mutex<Lines>>,
    phase: Mutex<Phase>,
}

/// The current phase of the computation.
struct Phase {
    name: String,
    begun: Instant,
    /// The amount of work that was already done when the phase began. It is not 0 for a resumed computation.
    first_done: u64,
}

/// The schedule of printed lines.
struct Lines {
    next: Instant,
    between: Duration,
}

impl Bar {
    /// Returns a bar that shows nothing until progress is reported.
    pub fn new() -> Bar {
        let now = Instant::now();
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        Bar {
            bar,
            lines: (!std::io::stderr().is_terminal()).then(|| {
                Mutex::new(Lines {
                    next: now + FIRST_LINE,
                    between: FIRST_LINE,
                })
            }),
            phase: Mutex::new(Phase {
                name: String::new(),
                begun: now,
                first_done: 0,
            }),
        }
    }

    /// Shows the progress of a phase.
    pub fn show(&self, phase: &str, done: usize, total: usize, unit: &'static str) {
        let control = Control::new().with_observer(self);
        control.report_done(phase, done as u64, total as u64, unit);
    }

    /// Returns whether the bar is drawn on a terminal.
    pub fn is_drawn(&self) -> bool {
        self.lines.is_none()
    }

    /// Runs `print`, which writes to the terminal, with the bar removed.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the bar from the terminal.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Returns the work that was already done when the current phase began, and the time since then.
    fn since(&self, progress: &Progress<'_>) -> (u64, Duration) {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        if phase.name != progress.phase {
            progress.phase.clone_into(&mut phase.name);
            phase.begun = Instant::now();
            phase.first_done = progress.done;
        }
        (phase.first_done, phase.begun.elapsed())
    }
}

impl Lines {
    /// Returns whether a line is due. If it is, schedules the next line.
    fn are_due(&mut self, now: Instant) -> bool {
        if now < self.next {
            return false;
        }
        self.next = now + self.between;
        self.between = (2 * self.between).min(MAX_BETWEEN_LINES);
        true
    }
}

impl Observer for Bar {
    fn progress(&self, progress: &Progress<'_>) {
        let (first_done, elapsed) = self.since(progress);
        match &self.lines {
            None => {
                self.bar.set_message(line(progress, first_done, elapsed));
                self.bar.tick();
            }
            Some(lines) => {
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                if lines.are_due(Instant::now()) {
                    say(&line(progress, first_done, elapsed));
                }
            }
        }
    }

    fn note(&self, message: &str) {
        self.suspend(|| say(message));
    }
}

/// Returns the progress in words, such as `certifying: 250 of 1000 states (25%), 10 a second, about 2 minutes
/// left, 3 plies`.
fn line(progress: &Progress<'_>, first_done: u64, elapsed: Duration) -> String {
    let Progress {
        phase,
        done,
        total,
        unit,
        detail,
    } = progress;
    let seconds = elapsed.as_secs_f64();
    let rate = done.saturating_sub(first_done) as f64 / seconds.max(0.001);
    let mut text = match total {
        Some(total) => {
            let percent = (*done as f64 / (*total).max(1) as f64 * 100.0) as u64;
            format!("{phase}: {done} of {total} {unit} ({percent}%)")
        }
        None => format!("{phase}: {done} {unit}"),
    };
    if seconds >= 1.0 && rate >= 1.0 {
        text += &format!(", {rate:.0} a second");
    }
    if let Some(total) = total
        && seconds >= 1.0
        && rate > 0.0
    {
        let left = Duration::from_secs_f64((total.saturating_sub(*done) as f64 / rate).min(1e9));
        text += &format!(", about {} left", in_words(left));
    }
    let detail = detail.to_string();
    if !detail.is_empty() {
        text = text + ", " + &detail;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_what_how_far_and_how_much_longer() {
        let progress = |done, total| Progress {
            phase: "certifying",
            done,
            total,
            unit: "states",
            detail: format_args!("3 plies"),
        };
        assert_eq!(
            line(&progress(250, Some(1000)), 50, Duration::from_secs(20)),
            "certifying: 250 of 1000 states (25%), 10 a second, about 1 minute left, 3 plies"
        );
        assert_eq!(
            line(&progress(250, None), 0, Duration::from_millis(500)),
            "certifying: 250 states, 3 plies"
        );
    }

    #[test]
    fn first_line_is_due_after_ten_seconds_and_times_between_lines_double() {
        let begun = Instant::now();
        let mut lines = Lines {
            next: begun + FIRST_LINE,
            between: FIRST_LINE,
        };
        let due: Vec<u64> = (0..100)
            .filter(|&second| lines.are_due(begun + Duration::from_secs(second)))
            .collect();
        assert_eq!(due, [10, 20, 40, 80]);
    }
}
