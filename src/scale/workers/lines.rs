//! The summary of the values, with lines of best play. The first worker walks the lines, and the other workers
//! send it values.

use super::certify::{RequestedValues, WorkerValues};
use super::exchange::{Next, Post, Work};
use super::message::{Kind, Message};
use super::{Failed, Shared};
use crate::SolvedSummary;
use crate::summary::Counts;
use values::{Certificate, Packed, SolvedStates, Value, best_line};

/// One request of the first worker. The other workers answer it.
struct Request<'w, 'k> {
    known: &'w mut WorkerValues<'k>,
    keys: &'w [u64],
    requested: Option<RequestedValues>,
}

impl Work for Request<'_, '_> {
    fn produce(&mut self, post: &mut Post<'_>) -> Result<Next, Failed> {
        if post.me() > 0 {
            return Ok(Next::Finished);
        }
        let requested = match self.requested.take() {
            Some(requested) => requested,
            None => self.known.ask(post, 0, self.keys),
        };
        match self.requested.insert(requested).awaited {
            0 => Ok(Next::Finished),
            _ => Ok(Next::Wait),
        }
    }

    fn handle(&mut self, post: &mut Post<'_>, message: Message) -> Result<(), Failed> {
        if message.kind == Kind::Ask {
            self.known.answer(post, &message);
        } else if let Some((_, words)) = message.words.split_first()
            && let Some(requested) = &mut self.requested
        {
            requested.hear(message.from as usize, words);
        }
        Ok(())
    }
}

/// The states of all workers, as the first worker sees them.
struct AllStates<'w, 'p, 'k> {
    post: &'w mut Post<'p>,
    known: &'w mut WorkerValues<'k>,
}

impl AllStates<'_, '_, '_> {
    fn request(&mut self, keys: &[u64]) -> Result<Vec<u16>, Failed> {
        let mut request = Request {
            known: self.known,
            keys,
            requested: None,
        };
        self.post.phase(&mut request)?;
        Ok(request
            .requested
            .map_or(Vec::new(), |requested| requested.values))
    }
}

impl SolvedStates for AllStates<'_, '_, '_> {
    type Error = Failed;

    fn values(&mut self, keys: &[u64]) -> Result<Vec<Option<Value>>, Failed> {
        let goes_on = true;
        self.post.gather(&goes_on)?;
        let values = self.request(keys)?.into_iter();
        Ok(values.map(|packed| Packed(packed).value()).collect())
    }
}

/// Returns the summary of the values. Only that of the first worker has lines of best play.
pub(super) fn summary(
    post: &mut Post<'_>,
    shared: &Shared<'_>,
    known: &mut WorkerValues<'_>,
    root: Value,
    counts: &Counts,
    certificate: Option<&Certificate>,
) -> Result<SolvedSummary, Failed> {
    let game = shared.task.game;
    let root = (game.root(), root);
    let is_first = post.me() == 0;
    let mut states = AllStates { post, known };
    if is_first {
        let line = |key: &[u64]| best_line(game, &mut states, key);
        let summary = SolvedSummary::new(root, counts, certificate, line)?;
        let goes_on = false;
        states.post.gather(&goes_on)?;
        return Ok(summary);
    }
    while states.post.gather(&false)?.first() == Some(&true) {
        states.request(&[])?;
    }
    SolvedSummary::new(root, counts, certificate, |_| Ok(None))
}
