//! The whole search: which question is searched next, on how many threads, for how long.
//!
//! Searches alternate, at first each with the same number of positions. One searches length by length and so shows
//! within how many plies no proof exists: depth first where the goal is one of direct play
//! ([`DirectSearch`]), else by proof numbers. Another searches for a proof of any length, and finds deep
//! narrow ones; a third does so for an attacker restricted to forcing turns, on a table of its own, as what
//! that attacker cannot do says nothing about one who is free. If the graph of all positions is
//! small, it settles the question for games of any length.
//!
//! How long a search of any length takes depends on small differences of its estimates, and varies by orders of
//! magnitude. Where it has estimates and does not find a proof soon, another one with other estimates works beside
//! it (C. Gomes and B. Selman 2001: algorithm portfolios), on a table of its own, so that they stay different.
//!
//! After a first proof the search can continue ([`Limits::improve`]): bounded by two plies less than the best
//! proof, with its positions in the table, beside the search length by length, until both meet.

use crate::certificate::{Certificate, Header, Kind};
use crate::check::{Claim, check};
use crate::extract::extract;
use crate::graph_proof::{Missing, whole};
use crate::limits::{Counter, Limits, MAX_PLIES, Pause, Report, Shared, memory_bytes};
use crate::number_search::{
    DIRECT_POSITIONS, Estimates, LEAF_PLIES, Question, Search, ThreadMarks, after_one,
};
use crate::proof_numbers::{ANY, FOR_EVER, ProofNumbers};
use crate::refutation::{Unrefuted, entries};
use crate::saved::{self, Course, Subject};
use crate::table::{Table, hash};
use board::Color;
use control::{Control, Stopped, counted};
use diagnostics::Diagnostic;
use notation::{fen, turns};
use per_layout::per_layout;
use position::{KEY_WORDS, Layout, Position};
use rules::Game;
use search::{DirectSearch, Goal};
use std::io::{Read, Write};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use values::oracle::Oracle;

/// Plies that a proof may take where nothing is said.
const USUAL_PLIES: u16 = 201;
/// Positions of the first share of a search.
pub(crate) const FIRST_SHARE: u64 = 1 << 16;
/// The greatest share, in positions.
pub(crate) const GREATEST_SHARE: u64 = 1 << 22;
/// Positions of the search of any length after which another one begins. Most mates that the first one finds take
/// fewer.
const SECOND_AFTER: u64 = 1 << 19;
/// The estimates of that one. Measured alone, it finds 7 of 36 mates that the first one does not find, each with 3
/// million positions.
const SECOND_ESTIMATES: Estimates = Estimates {
    flight_weight: 2,
    line_part: Some(4),
};
/// How the positions are shared out from then on: to the search of any length, the second one, the search length
/// by length, and one part to the one with forcing turns.
const FREE_PARTS: u64 = 4;
const SECOND_PARTS: u64 = 4;
const LENGTH_PARTS: u64 = 3;
/// Positions that the search length by length makes by proof numbers where it guides the bounded search.
const GUIDING_POSITIONS: u64 = 1 << 18;
/// A proof is far longer than what is refuted if it takes more than twice as many plies and this many more.
const FAR_PLIES: u16 = 6;
/// Entries that the table gets room for where a refutation is built from it.
const REFUTATION_ENTRIES: usize = 1 << 14;
/// Positions made for each entry that the table takes, at the least.
const POSITIONS_PER_ENTRY: usize = 4;
/// Positions after which the whole graph is tried for the first time.
const FIRST_WHOLE: u64 = 1 << 17;
/// The most states of a graph that is tried.
pub(crate) const MAX_STATES: u64 = 1 << 24;
/// Stack of each thread: lines may be a thousand turns long.
const STACK_BYTES: usize = 64 << 20;
/// The most turns of a line in a report.
const LINE_TURNS: usize = 12;

/// The share of the memory for the table of the attacker restricted to forcing turns, and for the table of the
/// search length by length.
const FORCING_SHARE: usize = 4;
/// The share of the memory for the table of the second search of any length.
const SECOND_SHARE: usize = 8;
/// Time beyond the limit for a certificate that is being built when the limit is reached.
const CERTIFICATE_GRACE: Duration = Duration::from_millis(100);

/// The searches that take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Length by length.
    ByLength,
    /// Within as many plies as are allowed.
    Within,
    /// Of whatever length.
    Free,
    /// Of whatever length, with turns that force.
    Forcing,
    /// Of whatever length, with other estimates.
    Second,
}

/// What a search has shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The goal is forced.
    Proven,
    /// The goal can be avoided forever.
    Disproven,
    /// The goal is not forced within as many plies as were allowed.
    NoneWithin,
    /// The search was stopped before.
    Open,
}

/// The answer of a search.
#[derive(Clone, Debug)]
pub struct Found {
    /// What has been shown.
    pub status: Status,
    /// Plies to the end in the proof found.
    pub plies: Option<u16>,
    /// Whether no proof is shorter.
    pub shortest: bool,
    /// Plies within which the goal is not forced.
    pub none_within_plies: u16,
    /// Whether `shortest` and `none_within_plies` rely on a saved search that was resumed. A certificate
    /// never does: it is checked by the rules alone.
    pub relies_on_saved: bool,
    /// What stopped the search.
    pub stopped: Option<Stopped>,
    /// The certificate of a proof or disproof. It is missing if its making was interrupted.
    pub certificate: Option<Certificate>,
    /// How far the search was at its end.
    pub report: Report,
}

/// A search for a proof from one position.
pub struct Prover<'g, W: Layout> {
    pub(crate) question: Question<'g, W>,
    pub(crate) root: Position<W>,
    pub(crate) table: Table,
    forcing: Table,
    second: Table,
    /// The search length by length, if the goal is one of direct play.
    direct: Option<DirectSearch<'g, W>>,
    pub(crate) course: Course,
    /// Whether what the tables and the course say comes from a file.
    resumed: bool,
    /// Whether a proof has been found and shorter ones are searched for.
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
    /// Returns a search whether `side` can force the goal from `root`. An oracle is probed where winning is the
    /// goal.
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
        let [table, forcing, second] = new_tables(&question, direct.is_some(), control);
        let second_use = if question.counts_flights() {
            0
        } else {
            u64::MAX
        };
        Prover {
            question,
            root: *root,
            table,
            forcing,
            second,
            direct,
            course: Course {
                share: FIRST_SHARE,
                tried: FIRST_WHOLE / 8,
                spent: [0, 0, 0, 0, second_use],
                ..Course::default()
            },
            resumed: false,
            improving: false,
            aims_lower: false,
            limits,
            control: *control,
        }
    }
}

#[per_layout]
impl<'g, W: Layout> Prover<'g, W> {
    /// Learns the positions of a certificate of the same rule set, side and goal, after it has been
    /// checked; how many are of use. `root` is the position that it is about.
    ///
    /// # Errors
    /// If the certificate does not hold, or is about something else.
    pub fn learn(
        &mut self,
        game: &dyn Game<W>,
        root: &Position<W>,
        certificate: &Certificate,
    ) -> Result<u64, Diagnostic> {
        let claim = Claim::of(game, certificate)?;
        let same = claim.side == self.question.attacker
            && claim.goal == *self.question.goal
            && certificate.header.variant == self.question.game.variant().to_string()
            && game.board().geometry() == self.question.game.board().geometry();
        if !same {
            let why = "it is about another rule set, board, side or goal";
            return Err(Diagnostic::new("certificate", why));
        }
        if claim.kind == Kind::Refute {
            let why = "it shows what is not forced, which helps no proof";
            return Err(Diagnostic::new("certificate", why).help("name a certificate of a proof"));
        }
        check(game, root, certificate)?;
        self.note(game, root, certificate, claim.kind)
    }

    /// Notes the ranks of a certificate that holds; returns how many are of use.
    fn note(
        &mut self,
        game: &dyn Game<W>,
        root: &Position<W>,
        certificate: &Certificate,
        kind: Kind,
    ) -> Result<u64, Diagnostic> {
        self.table.room(certificate.len());
        let mine = self.question.codec.plan();
        let mut learned = 0;
        crate::walk::each_position(game, root, certificate, &mut |p, at| {
            let plan = game.key_plan(p);
            let fits = plan.units <= mine.units
                && plan.bound <= mine.bound
                && plan.state_bits <= mine.state_bits
                && plan.rights <= mine.rights
                && plan.en_passant <= mine.en_passant;
            if !fits {
                return;
            }
            let known = match kind {
                Kind::Force => ProofNumbers::proven(certificate.rank(at)),
                Kind::Avoid => ProofNumbers::disproven(FOR_EVER),
                Kind::Refute => ProofNumbers::disproven(certificate.rank(at)),
            };
            let mut key = [0; KEY_WORDS];
            self.question.codec.encode(p, &mut key);
            let key = &key[..self.table.key_words()];
            self.table.put(key, hash(key), known, u32::MAX);
            learned += 1;
        });
        Ok(learned)
    }
}

impl<'g, W: Layout> Prover<'g, W> {
    /// Writes what the search knows, for [`resume`](Self::resume).
    ///
    /// # Errors
    /// Those of writing.
    pub fn save(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let tables = [&self.table, &self.forcing, &self.second];
        saved::save(self.subject(), self.course, &tables, out)
    }

    /// Reads what an earlier search for the same knew.
    ///
    /// # Errors
    /// If the file is damaged, or about something else.
    pub fn resume(&mut self, input: &mut dyn Read) -> Result<(), Diagnostic> {
        let subject = self.subject();
        let mut tables = [&mut self.table, &mut self.forcing, &mut self.second];
        match saved::resume(&subject, &mut tables, input) {
            Ok(course) => {
                self.course = course;
                self.resumed = true;
                Ok(())
            }
            Err(error) => {
                // What was read of a damaged file may be wrong.
                let new = new_tables(&self.question, self.direct.is_some(), &self.control);
                [self.table, self.forcing, self.second] = new;
                Err(error)
            }
        }
    }

    fn subject(&self) -> Subject {
        let question = &self.question;
        let variant = question.game.variant();
        Subject {
            variant: variant.to_string(),
            law: question.game.facts().law,
            definition: variant.rule_set.fingerprint(),
            fen: fen::print(question.game, &self.root),
            side: question.attacker,
            goal: question.goal.to_string(),
            key_bits: question.codec.bits(),
        }
    }
}

#[per_layout]
impl<'g, W: Layout> Prover<'g, W> {
    /// Searches within the limits, unless `control` stops the search. What it knows is kept, and calling this
    /// again resumes.
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
            // With a proof at hand only shorter ones are of use.
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
                Way::Free | Way::Forcing | Way::Second => ANY,
            };
            let share = self.share_positions(way);
            let before = shared.positions();
            let result = self.share(&shared, way, plies, most, share);
            self.course.spent[way as usize] += shared.positions() - before;
            self.course.positions = shared.positions();
            match result {
                Ok(known) if known.is_proven() && (known.plies <= allowed || best.is_some()) => {
                    let answer = self.proven(way, known, &mut best);
                    if let Some(answer) = answer {
                        return answer;
                    }
                }
                // Nothing more will come of it: the proof is too long, or all lines repeat, or the
                // turns that force do not suffice.
                Ok(known) if known.is_proven() || known.is_open() || way == Way::Forcing => {
                    self.course.spent[way as usize] = u64::MAX;
                    continue;
                }
                Ok(known) => {
                    self.course.none_within = self.course.none_within.max(known.plies);
                    let end = known.plies == FOR_EVER || known.plies >= most;
                    if end && open_end && known.plies != FOR_EVER {
                        // So little was found that the whole is small, if it has an end at all.
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
    /// Returns the plies within which a shorter proof than this one would be.
    fn shorter(&self, proof: &Proof) -> u16 {
        self.question.plies(self.root.side, proof.plies - 1)
    }

    /// Takes in that the root is proven: `best` becomes the proof, and its positions enter the table. Returns the
    /// answer if the search is to end.
    fn proven(&mut self, way: Way, known: ProofNumbers, best: &mut Option<Proof>) -> Option<Found> {
        let (certificate, plies) = match self.certificate(way, known) {
            Ok(certificate) => certificate,
            Err(stopped) => {
                return Some(self.ended(way, Some(known), Some(stopped), None, best.take()));
            }
        };
        let plies = plies.unwrap_or(known.plies);
        let proof = Proof { certificate, plies };
        let continues = self.limits.improve || self.limits.shortest;
        let is_shortest = self.shorter(&proof) <= self.course.none_within;
        if !continues || is_shortest {
            return Some(self.ended(way, Some(known), None, None, Some(proof)));
        }
        self.control.note(&format!(
            "proven in {}; none within {}; searching for shorter proofs",
            counted(plies, "ply", "plies"),
            counted(self.course.none_within, "ply", "plies"),
        ));
        let (game, root) = (self.question.game, self.root);
        // The certificate has just been built from proven positions, so it holds.
        let noted = self.note(game, &root, &proof.certificate, Kind::Force);
        debug_assert!(noted.is_ok());
        *best = Some(proof);
        self.improving = true;
        self.course.spent = [0, 0, u64::MAX, u64::MAX, u64::MAX];
        None
    }

    /// Returns whether the second search of any length works beside the first one.
    fn has_second(&self) -> bool {
        let free = self.course.spent[Way::Free as usize];
        let second = self.course.spent[Way::Second as usize];
        (SECOND_AFTER..u64::MAX).contains(&free) && second < u64::MAX
    }

    /// Returns the positions of the next share. Where one of several searches is to find a proof soon, none of them
    /// works long before the next; the search length by length repeats something of its work in each share.
    fn share_positions(&self, way: Way) -> u64 {
        let part = match way {
            _ if !self.has_second() => return self.course.share,
            Way::ByLength => 8,
            _ => 32,
        };
        self.course.share.min(self.course.positions / part)
    }

    /// Returns the search whose turn it is: the one that has taken least of those that are of use, for its part.
    fn way(&self, last_length: bool, has_proof: bool) -> Way {
        let spent = |way: Way| self.course.spent[way as usize];
        let second = match self.limits.plies {
            None if !has_proof => Way::Free,
            _ => Way::Within,
        };
        let ways = [Way::ByLength, second, Way::Free, Way::Forcing, Way::Second];
        let only_lengths = self.limits.shortest || last_length;
        let ways = if only_lengths { &ways[..1] } else { &ways };
        let is_long = self.has_second();
        // Positions since the search has been long, by the parts that are then made in turn.
        let taken = |way: Way| match (is_long, way) {
            (false, _) => spent(way),
            (true, Way::Second) => spent(way) / SECOND_PARTS,
            (true, Way::Free) => (spent(way) - SECOND_AFTER) / FREE_PARTS,
            (true, Way::ByLength | Way::Within) => {
                spent(way).saturating_sub(SECOND_AFTER) / LENGTH_PARTS
            }
            (true, Way::Forcing) => spent(way).saturating_sub(SECOND_AFTER),
        };
        let of_use = ways
            .iter()
            .copied()
            .filter(|&way| spent(way) < u64::MAX && (way != Way::Second || is_long));
        of_use
            .min_by_key(|&way| taken(way))
            .unwrap_or(Way::ByLength)
    }

    /// Returns the plies within which the bounded search searches for a proof: at most `most`. While the best proof
    /// is far longer than what is refuted, every second share aims at two thirds of its length, because steps of
    /// two plies take long to come down from there. On ten mates whose proof stayed long, this found two as short as
    /// known and shortened two more, where steps alone found none; to aim there with every share lost others.
    fn target(&mut self, most: u16, best: Option<&Proof>) -> u16 {
        let none = self.course.none_within;
        let Some(best) = best.filter(|best| best.plies > 2 * none + FAR_PLIES) else {
            return most;
        };
        self.aims_lower = !self.aims_lower;
        if !self.aims_lower {
            return most;
        }
        let lower = (2 * best.plies + none) / 3;
        self.question.plies(self.root.side, lower | 1).min(most)
    }

    /// Returns the smallest useful number of plies above a given one.
    fn next_plies(&self, plies: u16) -> u16 {
        let side = self.root.side;
        let next = plies.saturating_add(1);
        if self.question.plies(side, next) > plies {
            next
        } else {
            next.saturating_add(1)
        }
    }

    /// Runs a share of a search, of `share` positions, for a proof within `plies`; none longer than `most` plies is
    /// of use.
    fn share(
        &mut self,
        shared: &Shared<'_>,
        way: Way,
        plies: u16,
        most: u16,
        share: u64,
    ) -> Result<ProofNumbers, Pause> {
        let positions = share.min(shared.positions_left()) / DIRECT_POSITIONS;
        let steps = positions / DirectSearch::<W>::POSITION_STEP;
        if way == Way::ByLength
            && !self.guides_bounded_search()
            && steps > 0
            && let Some(moves) = self.moves(plies, most)
        {
            // The share ends at the first step beyond its limit.
            let limit = steps * DirectSearch::<W>::POSITION_STEP - 1;
            return self.direct_share(shared, moves, limit);
        }
        shared.share(share);
        let table = match way {
            Way::Forcing => &mut self.forcing,
            Way::Second => &mut self.second,
            _ => &mut self.table,
        };
        table.room(share as usize / POSITIONS_PER_ENTRY);
        self.number_share(shared, way, plies)
    }

    /// Returns whether the search length by length is still by proof numbers because it guides the bounded search
    /// for a first proof: what is open within few plies says where to search within more. Without it, the mate in
    /// 8 of the guide took 35 times as many positions. Searches of any length find less with it.
    fn guides_bounded_search(&self) -> bool {
        let spent = self.course.spent[Way::ByLength as usize];
        self.limits.plies.is_some()
            && !self.limits.shortest
            && !self.improving
            && spent < GUIDING_POSITIONS
    }

    /// Returns the fewest moves of direct play that take `plies` plies or more, if they can be searched and take
    /// no more than `most` plies.
    fn moves(&self, plies: u16, most: u16) -> Option<u32> {
        let direct = self.direct.as_ref()?;
        let takes = |moves: &u32| direct.plies(self.root.side, *moves);
        let moves = (1..=DirectSearch::<W>::MAX_MOVES).find(|moves| takes(moves) >= plies)?;
        (takes(&moves) <= most).then_some(moves)
    }

    /// Runs a share of the search of direct play. A proof enters the table.
    fn direct_share(
        &mut self,
        shared: &Shared<'_>,
        moves: u32,
        max_positions: u64,
    ) -> Result<ProofNumbers, Pause> {
        let pause = |stopped: Stopped| match stopped {
            Stopped::Count(_) => Pause::Share,
            stopped => Pause::Stop(stopped),
        };
        let Some(direct) = &self.direct else {
            return Err(Pause::Share);
        };
        let limits = search::Limits {
            positions: Some(max_positions),
            ..search::Limits::default()
        };
        // This search reports its own progress.
        let control = self.control.with_observer(&());
        let share = direct.forces(&self.root, moves, &limits, &control);
        shared.add(share.positions * DIRECT_POSITIONS);
        if !share.forced.map_err(pause)? {
            return Ok(ProofNumbers::disproven(direct.plies(self.root.side, moves)));
        }
        let unbounded = search::Limits::default();
        let proof = direct
            .proof(&self.root, moves, &unbounded, &control)
            .map_err(pause)?;
        self.table.room(proof.len());
        let direct = self.direct.as_ref().expect("it has just been searched");
        let mut key = [0; KEY_WORDS];
        for found in &proof {
            let p = &found.position;
            let plies = self
                .question
                .plies(p.side, direct.plies(p.side, found.moves));
            self.question.codec.encode(p, &mut key);
            let key = &key[..self.table.key_words()];
            self.table
                .put(key, hash(key), ProofNumbers::proven(plies), u32::MAX);
        }
        let plies = direct.plies(self.root.side, moves);
        Ok(ProofNumbers::proven(
            self.question.plies(self.root.side, plies),
        ))
    }

    /// Runs a share of a search by proof numbers on all threads.
    fn number_share(
        &self,
        shared: &Shared<'_>,
        way: Way,
        plies: u16,
    ) -> Result<ProofNumbers, Pause> {
        let busy = (self.control.threads() > 1).then(ThreadMarks::new);
        let work = || {
            let counter = Counter::new(shared);
            let (question, table) = self.part(way);
            let mut search =
                Search::new(question, table, busy.as_ref(), counter, self.leaf_test(way));
            let found = search.solve(&self.root, plies);
            if found.is_ok() {
                shared.answered.store(true, Ordering::Relaxed);
            }
            found
        };
        let results: Vec<Result<ProofNumbers, Pause>> = std::thread::scope(|scope| {
            let spawn = |_| {
                std::thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, work)
            };
            let workers: Vec<_> = (0..self.control.threads()).map(spawn).collect();
            workers
                .into_iter()
                .flatten()
                .map(|worker| {
                    worker
                        .join()
                        .unwrap_or_else(|e| std::panic::resume_unwind(e))
                })
                .collect()
        });
        let settled = |r: &&Result<ProofNumbers, Pause>| r.is_ok_and(|known| !known.is_open());
        let answer = results.iter().find(settled);
        let answer = answer.or_else(|| results.iter().find(|result| result.is_ok()));
        let stop = |r: &&Result<ProofNumbers, Pause>| matches!(r, Err(Pause::Stop(_)));
        *answer
            .or_else(|| results.iter().find(stop))
            .or(results.first())
            .unwrap_or(&Err(Pause::Stop(Stopped::Threads)))
    }

    /// Returns a leaf test for one thread of a search. It serves searches for shorter proofs; those for a first
    /// proof find less with it in the same time, as measured, because it doubles the work at each leaf.
    fn leaf_test(&self, way: Way) -> Option<search::LeafTest<'_, W>> {
        let direct = self
            .direct
            .as_ref()
            .filter(|_| self.improving && way == Way::Within)?;
        // Elsewhere two turns may take more plies.
        let takes_three = direct.plies(self.question.attacker, 2) == LEAF_PLIES;
        takes_three.then(|| direct.leaf_test())
    }

    /// Returns the question and the table of a search.
    fn part(&self, way: Way) -> (Question<'g, W>, &Table) {
        match way {
            Way::Forcing => (self.question.forcing(), &self.forcing),
            Way::Second => (self.question.estimated(SECOND_ESTIMATES), &self.second),
            _ => (self.question, &self.table),
        }
    }

    /// Returns the answer of the complete graph, if it stays within the limit on states.
    fn whole(&mut self, max_states: u64) -> Result<Found, Missing> {
        if self.question.by_turn {
            // States have values; the turns between them do not.
            return Err(Missing::Growing);
        }
        let bytes = memory_bytes(&self.control).saturating_sub(self.table_bytes()) as u64;
        let control = self.control.with_memory(bytes).with_observer(&());
        let whole = whole(&self.question, &self.root, max_states, &control)?;
        let allowed = self.limits.plies.unwrap_or(u16::MAX);
        let (status, plies) = match whole.kind {
            Kind::Avoid | Kind::Refute => (Status::Disproven, None),
            Kind::Force if whole.plies <= allowed => (Status::Proven, Some(whole.plies)),
            Kind::Force => (Status::NoneWithin, None),
        };
        self.course.none_within = match whole.kind {
            Kind::Avoid | Kind::Refute => FOR_EVER,
            Kind::Force => whole.plies - 1,
        };
        let certificate = (status != Status::NoneWithin).then(|| {
            let words = self.question.codec.words();
            Certificate::new(self.header(whole.kind, plies), words, whole.entries)
        });
        Ok(Found {
            status,
            plies,
            shortest: plies.is_some(),
            none_within_plies: self.course.none_within,
            relies_on_saved: false,
            stopped: None,
            certificate,
            report: self.report(Way::ByLength, plies.unwrap_or(0)),
        })
    }

    fn header(&self, kind: Kind, plies: Option<u16>) -> Header {
        let game = self.question.game;
        Header {
            format: 0,
            variant: game.variant().to_string(),
            fen: fen::print(game, &self.root),
            side: match self.question.attacker {
                Color::White => "white",
                Color::Black => "black",
            }
            .to_string(),
            goal: self.question.goal.to_string(),
            kind,
            plies,
            positions: 0,
            key_bits: self.question.codec.bits(),
            blocks: Vec::new(),
        }
    }

    /// Returns the answer at the end of a search that has last gone `way` and shown what is `known` of the root;
    /// with the best proof, if there is one.
    fn ended(
        &mut self,
        way: Way,
        known: Option<ProofNumbers>,
        stopped: Option<Stopped>,
        plies: Option<u16>,
        best: Option<Proof>,
    ) -> Found {
        let settled = known.filter(|known| !known.is_open());
        let status = match settled {
            _ if best.is_some() => Status::Proven,
            Some(known) if known.is_proven() => Status::Proven,
            Some(known) if known.plies == FOR_EVER => Status::Disproven,
            Some(_) => Status::NoneWithin,
            None => Status::Open,
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
            stopped,
            certificate: best.map(|best| best.certificate),
            report,
        }
    }

    /// Returns the certificate of what is known of the root.
    ///
    /// # Errors
    /// If the search is stopped meanwhile, or no thread can be started for it.
    fn certificate(
        &self,
        way: Way,
        known: ProofNumbers,
    ) -> Result<(Certificate, Option<u16>), Stopped> {
        let left = self.control.deadline();
        let left = left.map(|at| at.saturating_duration_since(Instant::now()) + CERTIFICATE_GRACE);
        let shared = Shared::new(&Limits::default(), 0, self.control.with_time(left));
        let work = || {
            let counter = Counter::new(&shared);
            let (question, table) = self.part(way);
            let mut search = Search::new(question, table, None, counter, self.leaf_test(way));
            extract(&mut search, &self.root, known)
        };
        let (entries, plies) = std::thread::scope(|scope| {
            std::thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, work)
                .map_err(|_| Stopped::Threads)?
                .join()
                .unwrap_or_else(|e| std::panic::resume_unwind(e))
                .map_err(|pause| match pause {
                    Pause::Stop(stopped) => stopped,
                    Pause::Share => Stopped::Interrupted,
                })
        })?;
        let (kind, plies) = if known.is_proven() {
            (Kind::Force, Some(plies))
        } else {
            (Kind::Avoid, None)
        };
        let header = self.header(kind, plies);
        let words = self.question.codec.words();
        let certificate = Certificate::new(header, words, entries);
        Ok((certificate.with_goal(self.question.goal), plies))
    }

    /// Returns a certificate that the goal is not forced within `plies`, as a search before may have shown
    /// ([`Found::none_within_plies`]). Positions of which the tables have forgotten the answer are searched
    /// again, until `control` stops it. The certificate has been checked.
    ///
    /// # Errors
    /// If it takes too much memory, is stopped, or has not been shown.
    pub fn refutation(
        &mut self,
        plies: u16,
        control: &Control<'_>,
    ) -> Result<Certificate, Unrefuted> {
        let question = self.question;
        let plies = question.plies(self.root.side, plies.min(MAX_PLIES));
        if !question.game.outcome(&self.root).is_ongoing() {
            return Err(Unrefuted::NotShown);
        }
        if self.direct.is_none() {
            self.table.room(REFUTATION_ENTRIES);
        }
        let control = control.with_observer(&());
        let work = || {
            // Where the last turn is the attacker's, the plies left determine its turns.
            let direct = self.direct.as_ref();
            if let Some(direct) = direct.filter(|direct| direct.plies(question.attacker, 1) == 1) {
                let shared = search::Shared::new(&search::Limits::default(), &control);
                let mut refuter = direct.refuter(&shared);
                return entries(&question, &self.root, plies, &mut |p, plies| {
                    refuter.answer(p, u32::from(plies / 2)).map_err(Pause::Stop)
                });
            }
            let shared = Shared::new(&Limits::default(), 0, control);
            let counter = Counter::new(&shared);
            let mut search = Search::new(question, &self.table, None, counter, None);
            entries(&question, &self.root, plies, &mut |p, plies| {
                search.answer(p, plies)
            })
        };
        let entries = std::thread::scope(|scope| {
            std::thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, work)
                .map_err(|_| Unrefuted::Stopped(Stopped::Threads))?
                .join()
                .unwrap_or_else(|e| std::panic::resume_unwind(e))
        })?;
        let header = self.header(Kind::Refute, Some(plies));
        let certificate = Certificate::new(header, question.codec.words(), entries);
        let certificate = certificate.with_goal(question.goal);
        // Positions near the end have no entry: the check tries their answers.
        match check(question.game, &self.root, &certificate) {
            Ok(_) => Ok(certificate),
            Err(_) => Err(Unrefuted::NotShown),
        }
    }

    /// Returns the bytes of all tables.
    fn table_bytes(&self) -> usize {
        let direct = self.direct.as_ref().map_or(0, DirectSearch::table_bytes);
        self.table.bytes() + self.forcing.bytes() + self.second.bytes() + direct
    }

    /// Returns what the table knows of a position.
    fn recall(&self, p: &Position<W>, plies: u16) -> Option<ProofNumbers> {
        self.recall_of(Way::Free, p, plies)
    }

    fn recall_of(&self, way: Way, p: &Position<W>, plies: u16) -> Option<ProofNumbers> {
        let (question, table) = self.part(way);
        let plies = question.plies(p.side, plies);
        let mut key = [0; KEY_WORDS];
        question.codec.encode(p, &mut key);
        let key = &key[..table.key_words()];
        table.get(key, hash(key), plies)
    }

    /// Returns how far the search for a proof within a number of plies is.
    fn report(&self, way: Way, plies: u16) -> Report {
        let root = self.recall_of(way, &self.root, plies);
        let game = self.question.game;
        let mut line = Vec::new();
        let (mut p, mut left) = (self.root, plies);
        while line.len() < LINE_TURNS && left > 0 {
            left = after_one(left);
            let attacks = p.side == self.question.attacker;
            let best = turns::sorted(game, &p)
                .into_iter()
                .filter_map(|(text, turn)| {
                    let after = game.play(&p, &turn);
                    let known = self.recall_of(way, &after, left)?;
                    let number = if attacks { known.pn } else { known.dn };
                    Some((number, text, after))
                })
                .min_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
            let Some((_, text, after)) = best else {
                break;
            };
            line.push(text);
            p = after;
        }
        Report {
            positions: self.course.positions,
            plies: (plies != ANY).then_some(plies),
            forcing: way == Way::Forcing,
            proof_number: root.map_or(1, |known| known.pn),
            disproof_number: root.map_or(1, |known| known.dn),
            none_within_plies: self.course.none_within,
            line,
            table_bytes: self.table_bytes(),
        }
    }
}

/// Returns the bytes of the table of the attacker restricted to forcing turns, and of the table of the search of
/// direct play.
fn forcing_bytes(control: &Control<'_>) -> usize {
    memory_bytes(control) / FORCING_SHARE
}

/// Returns the tables of the attacker who is free, of the one restricted to forcing turns, and of the second search
/// of any length, which is smallest where that search is of no use.
fn new_tables<W: Layout>(
    question: &Question<'_, W>,
    has_direct: bool,
    control: &Control<'_>,
) -> [Table; 3] {
    let all = memory_bytes(control);
    let forcing = forcing_bytes(control);
    let second = if question.counts_flights() {
        all / SECOND_SHARE
    } else {
        0
    };
    let free = all - (1 + usize::from(has_direct)) * forcing - second;
    [free, forcing, second].map(|bytes| Table::new(question.codec.words(), bytes))
}
