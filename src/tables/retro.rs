//! Solves a group of classes in memory by [retrograde analysis](values::retro), from the edges of the forward
//! pass.

use super::Failed;
use super::forward::Edges;
use crate::build::report_level;
use control::Control;
use explore::ReverseEdges;
use std::sync::atomic::AtomicU16;
use values::Packed;
use values::retro::{Nodes, Predecessors, Unsettled};

/// Number of packed values, and so of target numbers that denote values outside.
const OUTSIDE: usize = 1 << 16;

/// The turns of a group, by target. A turn that leads out of the group has the value there as its target.
struct Backward {
    edges: ReverseEdges,
    outside: u32,
}

impl Predecessors for Backward {
    #[inline]
    fn of_node(&self, node: u32) -> &[u32] {
        self.edges.origins(node as usize)
    }

    fn of_value(&self, outside: Packed) -> &[u32] {
        self.edges
            .origins(self.outside as usize + usize::from(outside.0))
    }

    fn has_exits(&self) -> bool {
        true
    }
}

/// Returns the values of all positions of a group, the open ones included.
///
/// # Errors
/// If `control` stops the analysis, or if a distance is longer than a table can hold.
pub fn solve(edges: Edges, control: &Control<'_>) -> Result<Vec<u16>, Failed> {
    let forward = |each: &mut dyn FnMut(u32, &[u32])| {
        let mut origin = 0;
        for (list, degrees) in edges.targets.iter().zip(&edges.degrees) {
            let mut at = 0;
            for &degree in degrees {
                each(origin, &list[at..at + usize::from(degree)]);
                at += usize::from(degree);
                origin += 1;
            }
        }
    };
    let targets = edges.outside as usize + OUTSIDE;
    let backward = Backward {
        edges: ReverseEdges::new(targets, &forward, control.threads()),
        outside: edges.outside,
    };
    drop((edges.targets, edges.degrees));
    // Converted in place, because both types have the same size and alignment.
    let values: Vec<AtomicU16> = edges.values.into_iter().map(AtomicU16::new).collect();
    let turns_left: Vec<AtomicU16> = edges.counts.into_iter().map(AtomicU16::new).collect();
    let nodes = Nodes {
        values: &values,
        turns_left: &turns_left,
        predecessors: &backward,
    };
    nodes.settle(control, &|plies, _| {
        report_level(control, plies, u64::from(backward.outside));
    })?;
    Ok(values.into_iter().map(AtomicU16::into_inner).collect())
}

impl From<Unsettled> for Failed {
    fn from(why: Unsettled) -> Failed {
        match why {
            Unsettled::Stopped(stopped) => Failed::Stopped(stopped),
            Unsettled::Distance => Failed::Distance,
        }
    }
}
