//! Predecessors on a shortest line.

use explore::Successors;

/// Returns the lowest key of a state in a block with a turn to `next`, or `least` if that is lower.
/// `successors` has the successors of the block's states.
pub(crate) fn least_predecessor(
    keys: &[u64],
    successors: &Successors,
    next: &[u64],
    least: Option<Vec<u64>>,
) -> Option<Vec<u64>> {
    let words = next.len();
    let mut least = least;
    let mut led_to = successors.keys.chunks_exact(words);
    for (from, &degree) in keys.chunks_exact(words).zip(&successors.degrees) {
        let leads = led_to
            .by_ref()
            .take(degree as usize)
            .filter(|to| *to == next);
        if leads.count() > 0 && least.as_ref().is_none_or(|least| from < &least[..]) {
            least = Some(from.to_vec());
        }
    }
    least
}
