//! Reverse edges: the edges of a graph, grouped by their target.
//!
//! Runs on the caller's thread pool. The lists are the same for any number of threads.

use rayon::prelude::*;

/// The origins of the edges to each target, in increasing order, once for each edge.
#[derive(Debug, Default)]
pub struct ReverseEdges {
    starts: Vec<u64>,
    origins: Vec<u32>,
}

/// A function that calls its argument with each origin, in increasing order, and the targets of the origin's
/// edges.
pub type ForwardEdges<'a> = dyn Fn(&mut dyn FnMut(u32, &[u32])) + Sync + 'a;

impl ReverseEdges {
    /// Returns the edges of a graph with this number of targets. Each of `threads` threads reads all edges
    /// and stores the edges to its own range of targets.
    pub fn new(targets: usize, edges: &ForwardEdges<'_>, threads: usize) -> ReverseEdges {
        let mut starts = vec![0u64; targets + 1];
        edges(&mut |_, list| {
            for &target in list {
                starts[target as usize + 1] += 1;
            }
        });
        for i in 0..targets {
            starts[i + 1] += starts[i];
        }
        let total = starts[targets];
        let mut origins = vec![0u32; total as usize];
        let parts = threads.max(1);
        if parts == 1 {
            store(&starts, 0..targets, edges, &mut origins);
            return ReverseEdges { starts, origins };
        }
        let cut = |part: usize| match part {
            0 => 0,
            part if part == parts => targets,
            part => starts
                .partition_point(|&start| start < total * part as u64 / parts as u64)
                .min(targets),
        };
        let mut slices = Vec::with_capacity(parts);
        let mut rest = origins.as_mut_slice();
        for part in 0..parts {
            let range = cut(part)..cut(part + 1);
            let size = (starts[range.end] - starts[range.start]) as usize;
            let (own, others) = rest.split_at_mut(size);
            slices.push((range, own));
            rest = others;
        }
        slices
            .into_par_iter()
            .for_each(|(range, own)| store(&starts, range, edges, own));
        ReverseEdges { starts, origins }
    }

    /// Returns the origins of the edges to a target.
    #[inline]
    pub fn origins(&self, target: usize) -> &[u32] {
        &self.origins[self.starts[target] as usize..self.starts[target + 1] as usize]
    }
}

/// Stores the origins of the edges to a range of targets.
fn store(starts: &[u64], range: std::ops::Range<usize>, edges: &ForwardEdges<'_>, own: &mut [u32]) {
    let base = starts[range.start];
    let mut next: Vec<u64> = starts[range.clone()]
        .iter()
        .map(|start| start - base)
        .collect();
    edges(&mut |origin, list| {
        for &target in list {
            if range.contains(&(target as usize)) {
                let at = &mut next[target as usize - range.start];
                own[*at as usize] = origin;
                *at += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn edges_are_reversed_for_any_number_of_threads(rows: Vec<Vec<u8>>) -> bool {
            let rows: Vec<Vec<u32>> =
                rows.iter().map(|row| row.iter().map(|&to| u32::from(to)).collect()).collect();
            let edges = |each: &mut dyn FnMut(u32, &[u32])| {
                for (origin, row) in rows.iter().enumerate() {
                    each(origin as u32, row);
                }
            };
            (1..=3).all(|threads| {
                let reverse = ReverseEdges::new(256, &edges, threads);
                (0..256).all(|target| {
                    let origins = rows.iter().enumerate().flat_map(|(origin, row)| {
                        row.iter().filter(move |&&to| to == target).map(move |_| origin as u32)
                    });
                    reverse.origins(target as usize) == origins.collect::<Vec<_>>()
                })
            })
        }
    }
}
