//! Message exchange between workers, in phases, over timely's channels.
//!
//! A phase ends for a worker once every worker has sent its end-of-phase message, so no worker is
//! more than one phase ahead of another. Flow control: each pair has a window of unacknowledged
//! words. A worker whose window is full stops producing and handles incoming messages.

use super::Failed;
use super::failure_detection::Link;
use super::message::{Kind, Message, pack_json, unpack_json};
use diagnostics::Diagnostic;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::VecDeque;
use std::time::Duration;
use timely_communication::{Allocator, Pull, Push};

/// Words that may be unacknowledged by all other workers together.
const WINDOW: u64 = 1 << 22;
/// Words that may be unacknowledged by one worker, however many workers there are.
const MIN_WINDOW: u64 = 1 << 15;
/// Interval at which a waiting worker checks whether all processes are still connected.
const LOOK: Duration = Duration::from_millis(50);

/// The next step of a worker in a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// The worker has more to do.
    More,
    /// The worker has to wait for a message.
    Wait,
    /// The worker has nothing more to do in this phase.
    Finished,
}

/// The work of a worker in a phase.
pub(super) trait Work {
    /// Does a small piece of the worker's own work.
    fn produce(&mut self, post: &mut Post) -> Result<Next, Failed>;
    /// Handles a message.
    fn handle(&mut self, post: &mut Post, message: Message) -> Result<(), Failed>;
}

/// A worker's end of all channels.
pub(super) struct Post<'p> {
    allocator: Allocator,
    to: Vec<Box<dyn Push<Message>>>,
    from: Box<dyn Pull<Message>>,
    link: &'p Link,
    me: usize,
    phase: u32,
    /// Messages of later phases.
    early: VecDeque<Message>,
    /// Words that are not acknowledged yet, by receiver.
    sent: Vec<u64>,
    /// Words that were handled and not yet acknowledged, by sender.
    handled: Vec<u64>,
    window: u64,
    /// Words sent to other workers in total.
    pub sent_words: u64,
}

impl<'p> Post<'p> {
    /// Returns the channels of a worker.
    pub fn new(mut allocator: Allocator, link: &'p Link) -> Post<'p> {
        let (to, from) = allocator.allocate(0);
        let peers = to.len();
        Post {
            me: allocator.index(),
            allocator,
            from,
            link,
            phase: 0,
            early: VecDeque::new(),
            sent: vec![0; peers],
            handled: vec![0; peers],
            window: (WINDOW / peers as u64).max(MIN_WINDOW),
            to,
            sent_words: 0,
        }
    }

    /// Returns the number of this worker.
    pub fn me(&self) -> usize {
        self.me
    }

    /// Returns the number of workers.
    pub fn peers(&self) -> usize {
        self.to.len()
    }

    /// Sends a message to another worker.
    pub fn send(&mut self, to: usize, kind: Kind, words: Vec<u64>) {
        if kind != Kind::Handled {
            self.sent[to] += words.len() as u64;
        }
        self.sent_words += words.len() as u64;
        self.to[to].send(Message {
            kind,
            from: self.me as u32,
            phase: self.phase,
            words,
        });
    }

    /// Sends a message to all other workers.
    fn send_all(&mut self, kind: Kind, words: &[u64]) {
        for to in 0..self.peers() {
            if to != self.me {
                self.send(to, kind, words.to_vec());
            }
        }
    }

    /// Returns the next message of this phase, if one is there.
    fn poll(&mut self) -> Option<Message> {
        for again in [false, true] {
            while let Some(message) = self.from.recv() {
                if message.phase == self.phase {
                    return Some(message);
                }
                // Messages of earlier phases can only be late acknowledgments.
                if message.phase > self.phase {
                    self.early.push_back(message);
                }
            }
            if !again {
                self.allocator.receive();
                self.allocator.events().borrow_mut().clear();
            }
        }
        None
    }

    /// Flushes the messages sent, and waits briefly for incoming ones.
    fn wait(&mut self) {
        self.allocator.release();
        self.allocator.events().borrow_mut().clear();
        self.allocator.await_events(Some(LOOK));
    }

    /// Returns whether the worker may send more.
    fn room(&self) -> bool {
        self.sent.iter().all(|&words| words < self.window)
    }

    /// Counts a message as handled, and acknowledges handled words once there are enough.
    fn report(&mut self, from: usize, words: u64) {
        self.handled[from] += words;
        if self.handled[from] >= self.window / 4 {
            let words = std::mem::take(&mut self.handled[from]);
            self.send(from, Kind::Handled, vec![words]);
            self.allocator.release();
        }
    }

    /// Runs this worker's part of a phase, until the phase ends.
    pub fn phase(&mut self, work: &mut dyn Work) -> Result<(), Failed> {
        let mut done = 1;
        let mut finished = false;
        let early = std::mem::take(&mut self.early);
        // Other workers are at most one phase ahead, so all early messages belong to this phase.
        let mut early = early.into_iter();
        loop {
            while let Some(message) = early.next().or_else(|| self.poll()) {
                match message.kind {
                    Kind::Handled => {
                        let sent = &mut self.sent[message.from as usize];
                        *sent = sent.saturating_sub(message.words.first().copied().unwrap_or(0));
                    }
                    Kind::Done => done += 1,
                    _ => {
                        let (from, words) = (message.from as usize, message.words.len() as u64);
                        work.handle(self, message)?;
                        self.report(from, words);
                    }
                }
                self.link.check()?;
            }
            self.link.check()?;
            let mut next = Next::Wait;
            if !finished && self.room() {
                next = work.produce(self)?;
                if next == Next::Finished {
                    finished = true;
                    self.send_all(Kind::Done, &[]);
                    self.allocator.release();
                    continue;
                }
            }
            if finished && done == self.peers() {
                break;
            }
            if next == Next::Wait {
                self.wait();
            }
        }
        self.phase += 1;
        self.sent.fill(0);
        self.handled.fill(0);
        Ok(())
    }

    /// Exchanges values. Returns those of all workers, in the order of the workers. Every worker must call this.
    pub fn gather<T: Serialize + DeserializeOwned>(&mut self, own: &T) -> Result<Vec<T>, Failed> {
        // All processes of a run have the same build, so the values have the same form.
        let unread =
            |e: serde_json::Error| Failed::Input(Diagnostic::new("message", e.to_string()));
        struct Gather {
            shares: Vec<Vec<u64>>,
            sent: bool,
        }
        impl Work for Gather {
            fn produce(&mut self, post: &mut Post) -> Result<Next, Failed> {
                if !self.sent {
                    self.sent = true;
                    let words = self.shares[post.me].clone();
                    post.send_all(Kind::Share, &words);
                }
                Ok(Next::Finished)
            }

            fn handle(&mut self, _: &mut Post, message: Message) -> Result<(), Failed> {
                self.shares[message.from as usize] = message.words;
                Ok(())
            }
        }
        let mut gather = Gather {
            shares: vec![Vec::new(); self.peers()],
            sent: false,
        };
        gather.shares[self.me] = pack_json(own).map_err(unread)?;
        self.phase(&mut gather)?;
        let shares = gather.shares.iter();
        shares
            .map(|words| unpack_json(words).map_err(unread))
            .collect()
    }

    /// Exchanges numbers. Returns the sums over all workers, place by place. Every worker must call this.
    pub fn sum(&mut self, numbers: &[u64]) -> Result<Vec<u64>, Failed> {
        let mut sums = vec![0; numbers.len()];
        for share in self.gather(&numbers.to_vec())? {
            for (sum, n) in sums.iter_mut().zip(share) {
                *sum += n;
            }
        }
        Ok(sums)
    }
}
