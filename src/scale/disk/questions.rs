//! Questions about the states of a search on disk: a nearest state for which a condition holds, and the number of
//! states by group. The answers are those of the same questions in memory.

use super::Failed;
use super::search::Search;
use super::states::Block;
use control::{Control, Stopped};
use explore::{GroupCounter, Groups, KeyedStates, Layout, Nearest, Query, count_keys, nearest_key};
use language::{Expression, Interrupted};
use position::Codec;

/// The part of the limit of memory that groups may take: the search has most of it.
pub const GROUPS_SHARE: u64 = 8;

/// The answer to a search for a state.
pub struct Witness {
    /// The keys along a shortest line from the root to the state that was found.
    pub line: Option<Vec<Vec<u64>>>,
    /// The limit that stopped the search before it found a state, if one did.
    pub limit: Option<Stopped>,
}

fn keyed<'b>(codec: &'b Codec, block: &'b Block) -> KeyedStates<'b> {
    KeyedStates {
        codec,
        keys: &block.keys,
        depths: &block.depths,
    }
}

/// Returns the reason why an evaluation was interrupted.
fn stopped(control: &Control<'_>) -> Failed {
    Failed::Stopped(control.check().err().unwrap_or(Stopped::Interrupted))
}

impl Search<'_> {
    /// Explores, then counts the matching states, by the value of a second expression if one is given. `codec`
    /// decodes the keys. Also returns the limit that stopped the exploration, if one did.
    ///
    /// # Errors
    /// As for [`Search::explore`]; or if the groups take more memory than the control allows.
    pub fn count<W: Layout>(
        &mut self,
        query: &Query<'_, W>,
        codec: &Codec,
        by: Option<&Expression>,
    ) -> Result<(Groups, Option<Stopped>), Failed> {
        let limit = self.explore()?.limit;
        let counter = GroupCounter::new(query.control.memory_bytes() / GROUPS_SHARE);
        let mut groups = Groups::new();
        self.each_block(None, &mut |block| {
            let more = count_keys(query, &keyed(codec, block), by, &counter)?;
            groups = counter.joined(std::mem::take(&mut groups), more)?;
            Ok(())
        })?;
        Ok((groups, limit))
    }

    /// Searches for a nearest matching state, level by level. Of several, the state with the lowest key is found.
    ///
    /// # Errors
    /// As for [`Search::explore`]; or if the evaluation is stopped.
    pub fn find<W: Layout>(
        &mut self,
        query: &Query<'_, W>,
        codec: &Codec,
    ) -> Result<Witness, Failed> {
        let nearest = |search: &Search<'_>, depth| {
            let mut nearest: Nearest = None;
            search.each_block(depth, &mut |block| {
                let found = nearest_key(query, &keyed(codec, block));
                let found = found.map_err(|Interrupted| stopped(query.control))?;
                nearest = [nearest.take(), found].into_iter().flatten().min();
                Ok(())
            })?;
            Ok::<Nearest, Failed>(nearest)
        };
        let mut found = nearest(self, None)?;
        while found.is_none() {
            let depth = self.complete_levels() as u32 + 1;
            let limit = self.explore_to(depth)?.limit;
            let is_expanded = self.complete_levels() as u32 == depth;
            if is_expanded || self.cut.is_some() {
                found = nearest(self, Some(depth))?;
            }
            if found.is_none() && (!is_expanded || limit.is_none()) {
                return Ok(Witness { line: None, limit });
            }
        }
        let line = found.map(|(depth, key)| self.line_to(&key, depth));
        Ok(Witness {
            line: line.transpose()?,
            limit: None,
        })
    }
}
