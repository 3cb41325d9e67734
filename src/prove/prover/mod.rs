//! The whole search: runs several searches in turn, until one of them has an answer or a limit stops them.
//!
//! If the graph of all positions is small, its values settle the question for games of any length.
//!
//! After a first proof, the search can continue ([`Limits::improve`]). A search bounded by two plies less
//! than the best proof, with the positions of that proof in the table, then alternates with the search length
//! by length, until both meet. Short searches of any length find other proofs, which are joined with the best
//! one.
//!
//! * `schedule.rs`: selects the next search, and the number of positions for it.
//! * `share.rs`: runs one share of a search.
//! * `certify.rs`: certificates of proofs, disproofs and refutations.
//! * `learn.rs`: adds certificates and saved searches to the tables.
//! * `progress.rs`: the progress of the search.

mod certify;
mod learn;
mod progress;
mod schedule;
mod share;

pub(crate) use schedule::{FIRST_SHARE, GREATEST_SHARE, MAX_STATES};

use crate::certificate::{Certificate, Kind};
use crate::graph_proof::Missing;
use crate::limits::{Limits, MAX_PLIES, Pause, Report, Shared, memory_bytes};
use crate::proof_numbers::{ANY, FOR_EVER, ProofNumbers};
use crate::question::Question;
use crate::saved::Course;
use crate::table::Table;
use board::Color;
use control::{Control, Stopped, counted};
use per_layout::per_layout;
use position::{Layout, Position};
use rules::Game;
use schedule::{FIRST_WHOLE, Way};
use search::{DirectSearch, Goal};
use values::oracle::Oracle;

/// Maximum number of plies of a proof, if no limit is given.
const USUAL_PLIES: u16 = 201;
/// Stack of each thread in bytes. Lines may be a thousand turns long.
const STACK_BYTES: usize = 64 << 20;
/// Divisor of the memory for the table of the attacker restricted to forcing turns, and for the table of the
/// search length by length.
const FORCING_SHARE: usize = 4;
/// Divisor of the memory for the table of the searches with other estimates.
const OTHER_SHARE: usize = 8;

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The goal is forced.
    Proven,
    /// The goal can be avoided forever.
    Disproven,
    /// The goal is not forced within the allowed plies.
    NoneWithin,
    /// The search was stopped before it had an answer.
    Open,
}

/// The answer of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// The result.
    pub status: Status,
    /// Plies to the end in the proof found.
    pub plies: Option<u16>,
    /// Whether no shorter proof exists.
    pub shortest: bool,
    /// Plies within which the goal is not forced.
    pub none_within_plies: u16,
    /// Whether `shortest` and `none_within_plies` rely on a saved search that was resumed. A certificate
    /// never does: it is checked by the rules alone.
    pub relies_on_saved: bool,
    /// Whether they rely on values of the oracle, read by this search or by the saved one.
    pub relies_on_oracle: bool,
    /// The reason why the search stopped early, if it did.
    pub stopped: Option<Stopped>,
    /// The certificate of a proof or disproof. Missing if its construction was interrupted.
    pub certificate: Option<Certificate>,
    /// The progress of the search at its end.
    pub report: Report,
}

/// A search for a proof from one position.
pub struct Prover<'g, W: Layout> {
    pub(crate) question: Question<'g, W>,
    pub(crate) root: Position<W>,
    pub(crate) table: Table,
    forcing: Table,
    other: Table,
    /// The search length by length, if the goal is one of direct play.
    direct: Option<DirectSearch<'g, W>>,
    pub(crate) course: Course,
    /// Whether the contents of the tables and of `course` come from a file.
    resumed: bool,
    /// Whether a proof has been found and shorter ones are being searched for.
    improving: bool,
    /// Whether the last share of the bounded search was for a proof much shorter than the best.
    aims_lower: bool,
    limits: Limits,
    control: Control<'g>,
}

/// A proof that has been found.
struct Proof {
    certificate: Certificate,
    plies: u16,
}

impl<'g, W: Layout> Prover<'g, W> {
    /// Returns a search that determines whether `side` can force the goal from `root`. The oracle is probed
    /// only if the goal is to win.
    pub fn new(
        game: &'g dyn Game<W>,
        root: &Position<W>,
        side: Color,
        goal: &'g Goal,
        limits: Limits,
        control: &Control<'g>,
        oracle: Option<&'g dyn Oracle<W>>,
    ) -> Prover<'g, W> {
        let codec = game.codec(root);
        let is_mate = goal.is_usual_mate(&game.variant().rule_set);
        let question = Question::new(game, goal, side, codec, oracle);
        let direct = (*goal == Goal::Win || is_mate || question.by_turn)
            .then(|| DirectSearch::new(game, goal, side, root, forcing_bytes(control), oracle));
        let [table, forcing, other] = new_tables(&question, direct.is_some(), control);
        let others_use = if question.counts_flights() {
            0
        } else {
            u64::MAX
        };
        let mut prover = Prover {
            question,
            root: *root,
            table,
            forcing,
            other,
            direct,
            course: Course {
                share: FIRST_SHARE,
                tried: FIRST_WHOLE / 8,
                spent: [0, 0, 0, 0, others_use],
                ..Course::default()
            },
            resumed: false,
            improving: false,
            aims_lower: false,
            limits,
            control: *control,
        };
        prover.begin_run(0);
        prover
    }
}

#[per_layout]
impl<'g, W: Layout> Prover<'g, W> {
    /// Searches until there is an answer, a limit is reached, or `control` stops the search. The search keeps
    /// its results, so that another call resumes it.
    pub fn run(&mut self) -> Found {
        let shared = Shared::new(&self.limits, self.course.positions, self.control);
        let outcome = self.question.game.outcome(&self.root);
        if !outcome.is_ongoing() {
            let known = self.question.ended(outcome);
            return self.ended(Way::ByLength, Some(known), None, None, None);
        }
        let open_end = self.limits.plies.is_none();
        let most = self
            .limits
            .plies
            .map_or(USUAL_PLIES, |plies| plies.min(MAX_PLIES));
        let most = self.question.plies(self.root.side, most);
        let allowed = if open_end { ANY } else { most };
        let mut best: Option<Proof> = None;
        if !self.limits.shortest
            && let Some(known) = self
                .recall(&self.root, allowed)
                .filter(ProofNumbers::is_proven)
            && let Some(answer) = self.proven(Way::Free, known, &mut best)
        {
            return answer;
        }
        let mut last = (Way::ByLength, None);
        loop {
            if let Err(stopped) = shared.check() {
                self.course.positions = shared.positions();
                let (way, known) = last;
                return self.ended(way, known, Some(stopped), None, best);
            }
            // Once there is a proof, only shorter ones are of use.
            let most = best.as_ref().map_or(most, |best| self.shorter(best));
            let open_end = open_end && best.is_none();
            let states = self.course.tried * 8;
            if self.course.positions >= states && states <= MAX_STATES {
                self.course.tried = match self.whole(2 * states) {
                    Ok(answer) => return answer,
                    Err(Missing::Larger) => states,
                    Err(Missing::Growing) => MAX_STATES,
                };
            }
            let next = self.next_plies(self.course.none_within);
            let way = self.way(next >= most, best.is_some());
            let plies = match way {
                Way::ByLength => next.min(most),
                Way::Within => self.target(most, best.as_ref()),
                Way::Free | Way::Forcing | Way::Other => ANY,
            };
            let share = self.share_positions(way);
            let before = shared.positions();
            let result = self.share(&shared, way, plies, most, share);
            self.spend(way, shared.positions() - before);
            self.course.positions = shared.positions();
            match result {
                Ok(known) if known.is_proven() && (known.plies <= allowed || best.is_some()) => {
                    let answer = self.proven(way, known, &mut best);
                    if let Some(answer) = answer {
                        return answer;
                    }
                }
                // This search is of no more use: the proof is too long, or all lines repeat, or forcing turns
                // do not suffice.
                Ok(known) if known.is_proven() || known.is_open() || way == Way::Forcing => {
                    self.give_up(way);
                    continue;
                }
                Ok(known) => {
                    self.course.none_within = self.course.none_within.max(known.plies);
                    let end = known.plies == FOR_EVER || known.plies >= most;
                    if end && open_end && known.plies != FOR_EVER {
                        // The search ended so early that the complete graph is small, if it is finite at all.
                        if let Ok(answer) = self.whole(MAX_STATES) {
                            return answer;
                        }
                    }
                    if end {
                        let avoided = known.plies == FOR_EVER && best.is_none();
                        let avoided = avoided.then(|| self.certificate(way, known));
                        let mut answer = self.ended(way, Some(known), None, None, best);
                        match avoided {
                            Some(Ok((certificate, _))) => answer.certificate = Some(certificate),
                            Some(Err(stopped)) => answer.stopped = Some(stopped),
                            None => {}
                        }
                        return answer;
                    }
                }
                Err(Pause::Stop(stopped)) => {
                    return self.ended(way, None, Some(stopped), Some(plies), best);
                }
                Err(Pause::Share) if way == Way::Other && self.course.run_positions == 0 => {
                    self.give_up(way);
                }
                Err(Pause::Share) if share < self.course.share => {}
                Err(Pause::Share) => {
                    self.course.share = (self.course.share * 5 / 4).min(GREATEST_SHARE);
                }
            }
            let report = self.report(way, plies);
            let (pn, dn) = (report.proof_number, report.disproof_number);
            last = (way, Some(ProofNumbers::open(pn, dn, plies)));
            report.send(&self.control);
        }
    }
}

impl<'g, W: Layout> Prover<'g, W> {
    /// Returns the maximum number of plies of a shorter proof.
    fn shorter(&self, proof: &Proof) -> u16 {
        self.question.plies(self.root.side, proof.plies - 1)
    }

    /// Adds the positions of a new proof of the root to the table, and makes the shortest proof `best`.
    /// Returns the answer if the search must end.
    fn proven(&mut self, way: Way, known: ProofNumbers, best: &mut Option<Proof>) -> Option<Found> {
        let mut proof = match self.proof(way, known) {
            Ok(proof) => proof,
            Err(stopped) => {
                return Some(self.ended(way, Some(known), Some(stopped), None, best.take()));
            }
        };
        if way == Way::Other
            && let Some(shortest) = best.as_ref().map(|best| best.plies)
        {
            // Even if the proof is not shorter as a whole, parts of it may be.
            self.note_proof(&proof);
            self.give_up(way);
            let least = shortest.min(proof.plies);
            let joined = self.proof(Way::Within, ProofNumbers::proven(least));
            let stopped = joined.as_ref().err().copied();
            if let Ok(joined) = joined
                && joined.plies < proof.plies
            {
                proof = joined;
            }
            let is_shorter = proof.plies < shortest;
            if stopped.is_some() {
                let best = if is_shorter { Some(proof) } else { best.take() };
                return Some(self.ended(way, Some(known), stopped, None, best));
            }
            if !is_shorter {
                return None;
            }
        }
        let continues = self.limits.improve || self.limits.shortest;
        let is_shortest = self.shorter(&proof) <= self.course.none_within;
        if !continues || is_shortest {
            return Some(self.ended(way, Some(known), None, None, Some(proof)));
        }
        self.control.note(&format!(
            "proven in {}; none within {}; searching for shorter proofs",
            counted(proof.plies, "ply", "plies"),
            counted(self.course.none_within, "ply", "plies"),
        ));
        self.note_proof(&proof);
        *best = Some(proof);
        if !self.improving {
            self.improving = true;
            self.begin_run(0);
        }
        // All useful searches start from zero, because they have less to search now.
        let others = self.course.spent[Way::Other as usize];
        let others = if others < u64::MAX { 0 } else { u64::MAX };
        self.course.spent = [0, 0, u64::MAX, u64::MAX, others];
        None
    }

    /// Returns the proof that a search has found.
    fn proof(&self, way: Way, known: ProofNumbers) -> Result<Proof, Stopped> {
        let (certificate, plies) = self.certificate(way, known)?;
        let plies = plies.unwrap_or(known.plies);
        Ok(Proof { certificate, plies })
    }

    /// Adds the positions of a proof to the table.
    fn note_proof(&mut self, proof: &Proof) {
        let (game, root) = (self.question.game, self.root);
        // The certificate has just been built from proven positions, so it holds.
        let noted = self.note(game, &root, &proof.certificate, Kind::Force);
        debug_assert!(noted.is_ok());
    }

    /// Returns the answer of a search that has ended, with the best proof, if there is one.
    fn ended(
        &mut self,
        way: Way,
        known: Option<ProofNumbers>,
        stopped: Option<Stopped>,
        plies: Option<u16>,
        best: Option<Proof>,
    ) -> Found {
        let is_false = stopped == Some(Stopped::Contradiction);
        let settled = known.filter(|known| !known.is_open() && !is_false);
        let status = match settled {
            _ if best.is_some() => Status::Proven,
            Some(known) if known.is_proven() => Status::Proven,
            Some(known) if known.plies == FOR_EVER => Status::Disproven,
            Some(_) if self.limits.plies.is_some() => Status::NoneWithin,
            _ => Status::Open,
        };
        let within = plies.or(known.map(|known| known.plies)).unwrap_or(0);
        let report = self.report(way, within);
        let proven = settled
            .filter(ProofNumbers::is_proven)
            .map(|known| known.plies);
        let plies = best.as_ref().map(|best| best.plies).or(proven);
        let none = self.course.none_within;
        let shortest = plies
            .is_some_and(|plies| self.question.plies(self.root.side, plies - plies.min(1)) <= none);
        Found {
            status,
            plies,
            shortest,
            none_within_plies: none,
            relies_on_saved: self.resumed,
            relies_on_oracle: self.relies_on_oracle(),
            stopped,
            certificate: best.map(|best| best.certificate),
            report,
        }
    }

    /// Returns whether the contents of the tables may rest on values of an oracle.
    fn relies_on_oracle(&self) -> bool {
        self.course.relies_on_oracle || self.question.was_told()
    }

    /// Returns the bytes of all tables.
    fn table_bytes(&self) -> usize {
        let direct = self.direct.as_ref().map_or(0, DirectSearch::table_bytes);
        self.table.bytes() + self.forcing.bytes() + self.other.bytes() + direct
    }
}

/// Returns the bytes of the table of the attacker restricted to forcing turns, which are also those of the
/// table of direct play.
fn forcing_bytes(control: &Control<'_>) -> usize {
    memory_bytes(control) / FORCING_SHARE
}

/// Returns the tables of the unrestricted attacker, of the one restricted to forcing turns, and of the
/// searches with other estimates. The last table has the smallest size if these searches are of no use.
fn new_tables<W: Layout>(
    question: &Question<'_, W>,
    has_direct: bool,
    control: &Control<'_>,
) -> [Table; 3] {
    let all = memory_bytes(control);
    let forcing = forcing_bytes(control);
    let other = if question.counts_flights() {
        all / OTHER_SHARE
    } else {
        0
    };
    let free = all - (1 + usize::from(has_direct)) * forcing - other;
    [free, forcing, other].map(|bytes| Table::new(question.codec.words(), bytes))
}
