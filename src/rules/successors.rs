//! Generates the keys of the positions after turns, for searches that need only the keys. Most keys are
//! computed without playing the turn.

use super::{Action, Consumer, Each, Flow, Rules, Turn, before};
use board::{Kind, Square, Squares};
use position::{BoardOf, Codec, KEY_WORDS, Key, Layout, ListedKey, Position};

/// A consumer that appends the key of the position after each turn. Precondition for receiving targets in
/// sets: the rule set promises that a step only moves a unit ([`Plain`](super::Plain)), so the key can be
/// derived from the key of the position before.
pub struct Successors<'a, W: Layout, R> {
    rules: &'a R,
    board: &'a BoardOf<W>,
    before: &'a Position<W>,
    codec: &'a Codec,
    keys: &'a mut Vec<u64>,
    /// The key of the position before, if keys after a step can be derived from it.
    listed: Option<ListedKey<W::Set>>,
    key: Key,
    after: Position<W>,
    /// The number of keys appended.
    pub count: u32,
}

impl<'a, W: Layout, R: Rules<W>> Successors<'a, W, R> {
    /// Returns a consumer that appends the keys of the positions after `before` to `keys`.
    pub fn new(
        rules: &'a R,
        board: &'a BoardOf<W>,
        before: &'a Position<W>,
        codec: &'a Codec,
        keys: &'a mut Vec<u64>,
    ) -> Self {
        Successors {
            rules,
            board,
            before,
            codec,
            keys,
            listed: codec.listed(before),
            key: [0; KEY_WORDS],
            after: *before,
            count: 0,
        }
    }

    /// Plays a turn and appends the key of the position after it.
    #[inline]
    pub fn push_after(&mut self, turn: &Turn) {
        self.after = *self.before;
        self.rules
            .effect(self.board, self.before, turn, &mut self.after);
        self.codec.encode(&self.after, &mut self.key);
        match self.codec.words() {
            // A special case, because copying a slice of unknown length would cost more than the rest of this
            // function.
            1 => self.keys.push(self.key[0]),
            words => self.keys.extend_from_slice(&self.key[..words]),
        }
        self.count += 1;
    }

    fn each(&mut self) -> Each<impl FnMut(Turn) -> Flow + '_> {
        Each(|turn| {
            self.push_after(&turn);
            Flow::Continue(())
        })
    }
}

impl<W: Layout, R: Rules<W>> Consumer<W::Set> for Successors<'_, W, R> {
    #[inline(always)]
    fn unit(&mut self, kind: Kind, from: Square, targets: W::Set) -> Flow {
        let Some(listed) = &self.listed else {
            return self.each().unit(kind, from, targets);
        };
        if targets.is_empty() {
            return Flow::Continue(());
        }
        let lifted = listed.lifted(from);
        self.keys.extend(targets.iter().map(|to| lifted.put(to)));
        self.count += targets.len();
        Flow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, offset: i32, targets: W::Set, action: Action) -> Flow {
        match &self.listed {
            Some(listed) if action == Action::Go => {
                for to in targets.iter() {
                    self.keys.push(listed.lifted(before(to, offset)).put(to));
                }
                self.count += targets.len();
                Flow::Continue(())
            }
            _ => self.each().pawns(offset, targets, action),
        }
    }

    fn unit_becoming(&mut self, kind: Kind, from: Square, targets: W::Set, kinds: &[Kind]) -> Flow {
        self.each().unit_becoming(kind, from, targets, kinds)
    }

    fn pawns_becoming(&mut self, offset: i32, targets: W::Set, kinds: &[Kind]) -> Flow {
        self.each().pawns_becoming(offset, targets, kinds)
    }

    fn turn(&mut self, turn: Turn) -> Flow {
        self.push_after(&turn);
        Flow::Continue(())
    }
}
