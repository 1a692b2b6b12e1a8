//! The graph of all states, as the checks of temporal properties go over it: numbers and edges.

use crate::contract::model::StartId;

/// No rule fires: the run stays in a state without a way on.
pub const STUTTER: u32 = u32::MAX;

/// States of a chunk.
pub const CHUNK: usize = 1 << 12;

/// The edges of some states.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// For each state, where its edges end.
    pub ends: Vec<u32>,
    pub targets: Vec<u32>,
    /// Which rule each edge fires, or [`STUTTER`].
    pub rules: Vec<u32>,
    /// States of which not all successors are known, which have no edges here.
    pub unexpanded: Vec<u32>,
}

impl Chunk {
    pub fn bytes(&self) -> u64 {
        let edges = self.targets.capacity() + self.rules.capacity();
        4 * (self.ends.capacity() + edges + self.unexpanded.capacity()) as u64
    }
}

/// A graph of states. Each state has an edge, unless all of its successors are excluded or some are
/// not known.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub chunks: Vec<Chunk>,
    pub states: usize,
    /// The start states, and which instance makes them.
    pub starts: Vec<(u32, StartId)>,
}

/// An edge: where it leads, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub to: u32,
    pub rule: u32,
}

impl Graph {
    fn range(&self, state: u32) -> (&Chunk, std::ops::Range<usize>) {
        let chunk = &self.chunks[state as usize / CHUNK];
        let at = state as usize % CHUNK;
        let from = at.checked_sub(1).map_or(0, |before| chunk.ends[before] as usize);
        (chunk, from..chunk.ends[at] as usize)
    }

    pub fn degree(&self, state: u32) -> usize {
        self.range(state).1.len()
    }

    pub fn edge(&self, state: u32, at: usize) -> Edge {
        let (chunk, range) = self.range(state);
        Edge { to: chunk.targets[range.start + at], rule: chunk.rules[range.start + at] }
    }

    pub fn edges(&self, state: u32) -> impl Iterator<Item = Edge> + '_ {
        let (chunk, range) = self.range(state);
        let (targets, rules) = (&chunk.targets[range.clone()], &chunk.rules[range]);
        targets.iter().zip(rules).map(|(&to, &rule)| Edge { to, rule })
    }

    /// States of which not all successors are known; none where the search came to its end.
    pub fn unexpanded(&self) -> impl Iterator<Item = u32> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.unexpanded.iter().copied())
    }

    pub fn edge_count(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.targets.len() as u64).sum()
    }

    /// Of these edges, for tests.
    pub fn from_edges(edges: &[Vec<Edge>], starts: Vec<(u32, StartId)>) -> Graph {
        let mut graph = Graph { chunks: Vec::new(), states: edges.len(), starts };
        for states in edges.chunks(CHUNK) {
            let mut chunk = Chunk::default();
            for edges in states {
                chunk.targets.extend(edges.iter().map(|edge| edge.to));
                chunk.rules.extend(edges.iter().map(|edge| edge.rule));
                chunk.ends.push(chunk.targets.len() as u32);
            }
            graph.chunks.push(chunk);
        }
        graph
    }
}
