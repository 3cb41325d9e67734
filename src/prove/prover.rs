//! The whole search: which question is searched next, on how many threads, for how long.
//!
//! Searches alternate. One searches for a proof within 1, 2, 3 ... turns and so shows what is not
//! there; another searches for a proof of any length, and finds deep narrow ones; a third does so
//! for an attacker restricted to forcing turns, on a table of its own, as what that attacker cannot do says
//! nothing about the attacker who is free. Where the graph of all positions turns out to be small,
//! it settles the question for ever.

use crate::Aim;
use crate::certificate::{Certificate, Header, Kind};
use crate::check::{Claim, check};
use crate::extract::extract;
use crate::graph_proof::{Missing, whole};
use crate::known::{ANY, FOR_EVER, Known};
use crate::limits::{Counter, Limits, MAX_PLIES, Pause, Report, Shared, memory_bytes};
use crate::saved::{self, Course, Subject};
use crate::search::{Question, Search, ThreadMarks, after_one};
use crate::table::{Table, hash};
use board::Color;
use control::{Control, Stopped};
use diagnostics::InputError;
use notation::{fen, turns};
use per_layout::per_layout;
use position::{KEY_WORDS, Layout, Position};
use rules::Game;
use std::io::{Read, Write};
use std::sync::atomic::Ordering;
use values::oracle::Oracle;

/// Plies that a proof may take where nothing is said.
const USUAL_PLIES: u16 = 201;
/// Positions of the first share of a search.
const FIRST_SHARE: u64 = 1 << 16;
/// The greatest share, in positions.
const GREATEST_SHARE: u64 = 1 << 22;
/// Positions made for each entry that the table takes, at the least.
const POSITIONS_PER_ENTRY: usize = 4;
/// Positions after which the whole graph is tried for the first time.
const FIRST_WHOLE: u64 = 1 << 17;
/// The most states of a graph that is tried.
const MAX_STATES: u64 = 1 << 24;
/// Stack of each thread: lines may be a thousand turns long.
const STACK_BYTES: usize = 64 << 20;
/// The most turns of a line in a report.
const LINE_TURNS: usize = 12;

/// The share of the memory that the table of the attacker who keeps to forcing turns gets.
const FORCING_SHARE: usize = 4;

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
}

/// What a search has shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The aim is forced.
    Proven,
    /// The aim can be avoided for ever.
    Disproven,
    /// The aim is not forced within as many plies as were allowed.
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
    /// Plies within which the aim is not forced.
    pub none_within_plies: u16,
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
    pub(crate) course: Course,
    limits: Limits,
    control: Control<'g>,
}

impl<'g, W: Layout> Prover<'g, W> {
    /// Returns a search whether `side` can force the aim from `root`. An oracle is probed where winning is the
    /// aim.
    pub fn new(
        game: &'g dyn Game<W>,
        root: &Position<W>,
        side: Color,
        aim: Aim,
        limits: Limits,
        control: &Control<'g>,
        oracle: Option<&'g dyn Oracle<W>>,
    ) -> Prover<'g, W> {
        let codec = game.codec(root);
        Prover {
            question: Question::new(game, aim, side, codec, oracle),
            root: *root,
            table: Table::new(codec.words(), free_bytes(control)),
            forcing: Table::new(codec.words(), forcing_bytes(control)),
            course: Course {
                share: FIRST_SHARE,
                tried: FIRST_WHOLE / 8,
                ..Course::default()
            },
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
    ) -> Result<u64, InputError> {
        let claim = Claim::of(game, certificate)?;
        let same = claim.side == self.question.attacker
            && claim.aim == self.question.aim
            && certificate.header.variant == self.question.game.variant().to_string()
            && game.board().geometry() == self.question.game.board().geometry();
        if !same {
            let why = "it is about another rule set, board, side or goal";
            return Err(InputError::new("certificate", why));
        }
        check(game, root, certificate)?;
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
            let known = match claim.kind {
                Kind::Force => Known::proven(certificate.rank(at)),
                Kind::Avoid => Known::disproven(FOR_EVER),
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
        let tables = [&self.table, &self.forcing];
        saved::save(self.subject(), self.course, &tables, out)
    }

    /// Reads what an earlier search for the same knew.
    ///
    /// # Errors
    /// If the file is damaged, or about something else.
    pub fn resume(&mut self, input: &mut dyn Read) -> Result<(), InputError> {
        let subject = self.subject();
        let mut tables = [&mut self.table, &mut self.forcing];
        match saved::resume(&subject, &mut tables, input) {
            Ok(course) => {
                self.course = course;
                Ok(())
            }
            Err(error) => {
                // What was read of a damaged file may be wrong.
                let words = self.question.codec.words();
                self.table = Table::new(words, free_bytes(&self.control));
                self.forcing = Table::new(words, forcing_bytes(&self.control));
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
            goal: question.aim.to_string(),
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
            return self.found(Way::ByLength, Some(known), None, None);
        }
        let open_end = self.limits.plies.is_none();
        let most = self
            .limits
            .plies
            .map_or(USUAL_PLIES, |plies| plies.min(MAX_PLIES));
        let most = self.question.plies(self.root.side, most);
        let allowed = if open_end { ANY } else { most };
        if !self.limits.shortest
            && let Some(known) = self.recall(&self.root, allowed).filter(Known::is_proven)
        {
            return self.found(Way::Free, Some(known), None, None);
        }
        let mut last = (Way::ByLength, None);
        loop {
            if let Err(stopped) = shared.check() {
                self.course.positions = shared.positions();
                let (way, known) = last;
                return self.found(way, known, Some(stopped), None);
            }
            let states = self.course.tried * 8;
            if self.course.positions >= states && states <= MAX_STATES {
                self.course.tried = match self.whole(2 * states) {
                    Ok(answer) => return answer,
                    Err(Missing::Larger) => states,
                    Err(Missing::Growing) => MAX_STATES,
                };
            }
            let next = self.next_plies(self.course.none_within);
            let way = self.way(next >= most);
            let plies = match way {
                Way::ByLength => next.min(most),
                Way::Within => most,
                Way::Free | Way::Forcing => ANY,
            };
            shared.share(self.course.share);
            let table = match way {
                Way::Forcing => &mut self.forcing,
                _ => &mut self.table,
            };
            table.room(self.course.share as usize / POSITIONS_PER_ENTRY);
            let before = shared.positions();
            let result = self.share(&shared, way, plies);
            self.course.spent[way as usize] += shared.positions() - before;
            self.course.positions = shared.positions();
            match result {
                Ok(known) if known.is_proven() && known.plies <= allowed => {
                    return self.found(way, Some(known), None, None);
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
                        return self.found(way, Some(known), None, None);
                    }
                }
                Err(Pause::Stop(stopped)) => {
                    return self.found(way, None, Some(stopped), Some(plies));
                }
                Err(Pause::Share) => {
                    self.course.share = (self.course.share * 5 / 4).min(GREATEST_SHARE);
                }
            }
            let report = self.report(way, plies);
            let (pn, dn) = (report.proof_number, report.disproof_number);
            last = (way, Some(Known::open(pn, dn, plies)));
            report.send(&self.control);
        }
    }
}

impl<'g, W: Layout> Prover<'g, W> {
    /// Returns the search whose turn it is: the one that has taken least of those that are of use.
    fn way(&self, last_length: bool) -> Way {
        let spent = |way: &Way| self.course.spent[*way as usize];
        let second = match self.limits.plies {
            Some(_) => Way::Within,
            None => Way::Free,
        };
        let ways = [Way::ByLength, second, Way::Free, Way::Forcing];
        let only_lengths = self.limits.shortest || last_length;
        let ways = if only_lengths { &ways[..1] } else { &ways };
        let of_use = ways.iter().filter(|way| spent(way) < u64::MAX);
        of_use
            .min_by_key(|way| spent(way))
            .copied()
            .unwrap_or(Way::ByLength)
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

    /// Returns a share of the search on all threads.
    fn share(&self, shared: &Shared<'_>, way: Way, plies: u16) -> Result<Known, Pause> {
        let busy = (self.control.threads() > 1).then(ThreadMarks::new);
        let work = || {
            let counter = Counter::new(shared);
            let (question, table) = self.part(way);
            let mut search = Search::new(question, table, busy.as_ref(), counter);
            let found = search.solve(&self.root, plies);
            if found.is_ok() {
                shared.answered.store(true, Ordering::Relaxed);
            }
            found
        };
        let results: Vec<Result<Known, Pause>> = std::thread::scope(|scope| {
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
        let settled = |r: &&Result<Known, Pause>| r.is_ok_and(|known| !known.is_open());
        let answer = results.iter().find(settled);
        let answer = answer.or_else(|| results.iter().find(|result| result.is_ok()));
        let stop = |r: &&Result<Known, Pause>| matches!(r, Err(Pause::Stop(_)));
        *answer
            .or_else(|| results.iter().find(stop))
            .or(results.first())
            .unwrap_or(&Err(Pause::Stop(Stopped::Interrupted)))
    }

    /// Returns the question and the table of a search.
    fn part(&self, way: Way) -> (Question<'g, W>, &Table) {
        match way {
            Way::Forcing => (self.question.forcing(), &self.forcing),
            _ => (self.question, &self.table),
        }
    }

    /// Returns the answer of the complete graph, if it stays within the limit on states.
    fn whole(&mut self, max_states: u64) -> Result<Found, Missing> {
        let taken = self.table.bytes() + self.forcing.bytes();
        let bytes = memory_bytes(&self.control).saturating_sub(taken) as u64;
        let control = self.control.with_memory(bytes).with_observer(&());
        let whole = whole(&self.question, &self.root, max_states, &control)?;
        let allowed = self.limits.plies.unwrap_or(u16::MAX);
        let (status, plies) = match whole.kind {
            Kind::Avoid => (Status::Disproven, None),
            Kind::Force if whole.plies <= allowed => (Status::Proven, Some(whole.plies)),
            Kind::Force => (Status::NoneWithin, None),
        };
        self.course.none_within = match whole.kind {
            Kind::Avoid => FOR_EVER,
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
            goal: self.question.aim.to_string(),
            kind,
            plies,
            positions: 0,
            key_bits: self.question.codec.bits(),
            blocks: Vec::new(),
        }
    }

    fn found(
        &mut self,
        way: Way,
        known: Option<Known>,
        stopped: Option<Stopped>,
        plies: Option<u16>,
    ) -> Found {
        let settled = known.filter(|known| !known.is_open());
        let status = match settled {
            Some(known) if known.is_proven() => Status::Proven,
            Some(known) if known.plies == FOR_EVER => Status::Disproven,
            Some(_) => Status::NoneWithin,
            None => Status::Open,
        };
        let within = plies.or(known.map(|known| known.plies)).unwrap_or(0);
        let mut found = Found {
            status,
            plies: None,
            shortest: false,
            none_within_plies: self.course.none_within,
            stopped,
            certificate: None,
            report: self.report(way, within),
        };
        let over = !self.question.game.outcome(&self.root).is_ongoing();
        if let (Some(known), Status::Proven | Status::Disproven, false) = (settled, status, over)
            && let Some((certificate, plies)) = self.certificate(way, known)
        {
            found.certificate = Some(certificate);
            found.plies = plies;
        }
        if status == Status::Proven {
            let plies = found.plies.or(settled.map(|known| known.plies));
            found.plies = plies;
            let none = self.course.none_within;
            found.shortest = plies.is_some_and(|plies| {
                self.question.plies(self.root.side, plies - plies.min(1)) <= none
            });
        }
        found
    }

    /// Returns the certificate of what is known of the root; nothing if it was interrupted.
    fn certificate(&self, way: Way, known: Known) -> Option<(Certificate, Option<u16>)> {
        let shared = Shared::new(&Limits::default(), 0, self.control.with_time(None));
        let work = || {
            let counter = Counter::new(&shared);
            let (question, table) = self.part(way);
            let mut search = Search::new(question, table, None, counter);
            extract(&mut search, &self.root, known)
        };
        let (entries, plies) = std::thread::scope(|scope| {
            std::thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, work)
                .ok()?
                .join()
                .unwrap_or_else(|e| std::panic::resume_unwind(e))
                .ok()
        })?;
        let (kind, plies) = if known.is_proven() {
            (Kind::Force, Some(plies))
        } else {
            (Kind::Avoid, None)
        };
        let header = self.header(kind, plies);
        let words = self.question.codec.words();
        Some((Certificate::new(header, words, entries), plies))
    }

    /// Returns what the table knows of a position.
    fn recall(&self, p: &Position<W>, plies: u16) -> Option<Known> {
        self.recall_of(Way::Free, p, plies)
    }

    fn recall_of(&self, way: Way, p: &Position<W>, plies: u16) -> Option<Known> {
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
            table_bytes: self.table.bytes() + self.forcing.bytes(),
        }
    }
}

/// Bytes of the table of the attacker who keeps to forcing turns.
fn forcing_bytes(control: &Control<'_>) -> usize {
    memory_bytes(control) / FORCING_SHARE
}

/// Bytes of the table of the attacker who is free.
fn free_bytes(control: &Control<'_>) -> usize {
    memory_bytes(control) - forcing_bytes(control)
}
