//! The eight mutations of a graph. Each keeps the rules that are always true for a graph.

use crate::{Edge, Graph, Node};
use chance::Rng;
use serde::{Deserialize, Serialize};

/// A kind of mutation of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// A new random weight for one edge.
    ChangeWeight,
    /// A new random bias for one node.
    ChangeBias,
    /// One weight moves by ±U(0, 1)².
    ShiftWeight,
    /// One bias moves by ±U(0, 1)².
    ShiftBias,
    /// Connects two nodes of different layers that were not connected.
    AddEdge,
    /// Splits an edge by a new node.
    AddNode,
    /// Removes an edge that no node depends on.
    RemoveEdge,
    /// Removes a hidden node that no other depends on.
    RemoveNode,
}

impl Mutation {
    /// All mutations, in the order of [`MutationWeights`].
    pub const ALL: [Mutation; 8] = [
        Mutation::ChangeWeight,
        Mutation::ChangeBias,
        Mutation::ShiftWeight,
        Mutation::ShiftBias,
        Mutation::AddEdge,
        Mutation::AddNode,
        Mutation::RemoveEdge,
        Mutation::RemoveNode,
    ];
}

/// How often each mutation is chosen, relative to the others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct MutationWeights {
    pub change_weight: f64,
    pub change_bias: f64,
    pub shift_weight: f64,
    pub shift_bias: f64,
    pub add_edge: f64,
    pub add_node: f64,
    pub remove_edge: f64,
    pub remove_node: f64,
}

impl MutationWeights {
    /// The same weight for every mutation.
    pub fn all(weight: f64) -> MutationWeights {
        MutationWeights {
            change_weight: weight,
            change_bias: weight,
            shift_weight: weight,
            shift_bias: weight,
            add_edge: weight,
            add_node: weight,
            remove_edge: weight,
            remove_node: weight,
        }
    }

    /// The weights in the order of [`Mutation::ALL`].
    pub fn by_mutation(&self) -> [f64; 8] {
        [
            self.change_weight,
            self.change_bias,
            self.shift_weight,
            self.shift_bias,
            self.add_edge,
            self.add_node,
            self.remove_edge,
            self.remove_node,
        ]
    }
}

impl Graph {
    /// Mutates the graph once. The mutation is drawn by weight among those that are possible; weights and biases stay
    /// within ±limit. Returns the mutation, or `None` if no mutation with a weight is possible.
    pub fn mutate(&mut self, weights: &MutationWeights, limit: f32, rng: &mut Rng) -> Option<Mutation> {
        let mut weights = weights.by_mutation();
        loop {
            let place = rng.weighted(&weights)?;
            if self.apply(Mutation::ALL[place], limit, rng) {
                return Some(Mutation::ALL[place]);
            }
            weights[place] = 0.0;
        }
    }

    /// Applies this mutation. Returns `false` and changes nothing if it is impossible.
    pub fn apply(&mut self, mutation: Mutation, limit: f32, rng: &mut Rng) -> bool {
        match mutation {
            Mutation::ChangeWeight => {
                let edge = rng.below(self.edges.len());
                self.edges[edge].weight = fresh(limit, rng);
                true
            }
            Mutation::ChangeBias => {
                let node = rng.below(self.nodes.len());
                self.nodes[node].bias = fresh(limit, rng);
                true
            }
            Mutation::ShiftWeight => {
                let edge = rng.below(self.edges.len());
                self.edges[edge].weight = shifted(self.edges[edge].weight, limit, rng);
                true
            }
            Mutation::ShiftBias => {
                let node = rng.below(self.nodes.len());
                self.nodes[node].bias = shifted(self.nodes[node].bias, limit, rng);
                true
            }
            Mutation::AddEdge => self.add_edge(limit, rng),
            Mutation::AddNode => self.add_node(limit, rng),
            Mutation::RemoveEdge => self.remove_edge(rng),
            Mutation::RemoveNode => self.remove_node(rng),
        }
    }

    fn add_edge(&mut self, limit: f32, rng: &mut Rng) -> bool {
        // 1. The number of missing sources of each node: the nodes of earlier layers that are not connected to it.
        let mut earlier = self.shape.inputs;
        let (mut layer, mut ends) = (1, 0);
        let mut lacking = Vec::with_capacity(self.nodes.len());
        for (place, node) in self.nodes.iter().enumerate() {
            if node.layer != layer {
                (layer, earlier) = (node.layer, self.shape.inputs + place);
            }
            lacking.push(earlier - node.incoming as usize);
            ends += lacking[place];
        }
        if ends == 0 {
            return false;
        }
        // 2. Choose one of all missing pairs; all are equally likely.
        let mut chosen = rng.below(ends);
        let mut edges = 0;
        for (place, lacks) in lacking.into_iter().enumerate() {
            let incoming = edges..edges + self.nodes[place].incoming as usize;
            edges = incoming.end;
            if chosen >= lacks {
                chosen -= lacks;
                continue;
            }
            let joined = &self.edges[incoming.clone()];
            let free = (0u32..).filter(|&source| joined.iter().all(|edge| edge.source != source)).nth(chosen);
            let source = free.expect("there are as many free sources as were counted");
            self.edges.insert(incoming.end, Edge { source, weight: fresh(limit, rng) });
            self.nodes[place].incoming += 1;
            return true;
        }
        unreachable!("a pair was chosen among those counted")
    }

    fn add_node(&mut self, limit: f32, rng: &mut Rng) -> bool {
        // 1. Choose an edge, and find the node it goes to.
        let split = rng.below(self.edges.len());
        let source = self.edges[split].source;
        let target = self.target_of(split);
        // 2. Choose a layer strictly between its ends, or insert a new one.
        let (from, to) = (self.layer_of(source as usize), self.nodes[target].layer);
        let layer = if to - from > 1 {
            from + 1 + rng.below((to - from - 1) as usize) as u32
        } else {
            self.nodes.iter_mut().filter(|node| node.layer >= to).for_each(|node| node.layer += 1);
            to
        };
        // 3. The new node is the last in its layer; the numbers of all later nodes move up.
        let place = self.nodes.partition_point(|node| node.layer <= layer);
        let number = (self.shape.inputs + place) as u32;
        self.edges.iter_mut().filter(|edge| edge.source >= number).for_each(|edge| edge.source += 1);
        // 4. Remove the old edge; the two new edges and the bias are random.
        self.edges[split] = Edge { source: number, weight: fresh(limit, rng) };
        let first_edge = self.first_edge_of(place);
        self.edges.insert(first_edge, Edge { source, weight: fresh(limit, rng) });
        self.nodes.insert(place, Node { bias: fresh(limit, rng), layer, incoming: 1 });
        true
    }

    fn remove_edge(&mut self, rng: &mut Rng) -> bool {
        let outgoing = self.outgoing();
        let mut free = Vec::new();
        let mut edge = 0;
        for (place, node) in self.nodes.iter().enumerate() {
            for _ in 0..node.incoming {
                if node.incoming > 1 && outgoing[self.edges[edge].source as usize] > 1 {
                    free.push((place, edge));
                }
                edge += 1;
            }
        }
        if free.is_empty() {
            return false;
        }
        let (place, edge) = free[rng.below(free.len())];
        self.edges.remove(edge);
        self.nodes[place].incoming -= 1;
        true
    }

    fn remove_node(&mut self, rng: &mut Rng) -> bool {
        // 1. A node can be removed if each node before it has another outgoing edge, and each node behind it another
        // incoming one.
        let outgoing = self.outgoing();
        let mut free = vec![true; self.hidden()];
        let mut edge = 0;
        for (place, node) in self.nodes.iter().enumerate() {
            for _ in 0..node.incoming {
                let source = self.edges[edge].source as usize;
                if place < free.len() && outgoing[source] == 1 {
                    free[place] = false;
                }
                if node.incoming == 1 && source >= self.shape.inputs {
                    free[source - self.shape.inputs] = false;
                }
                edge += 1;
            }
        }
        let free: Vec<usize> = (0..free.len()).filter(|&place| free[place]).collect();
        if free.is_empty() {
            return false;
        }
        let gone = free[rng.below(free.len())];
        // 2. Remove its incoming and outgoing edges; the numbers of all later nodes move down.
        let number = (self.shape.inputs + gone) as u32;
        let mut kept = Vec::with_capacity(self.edges.len());
        let mut edges = self.edges.iter();
        for (place, node) in self.nodes.iter_mut().enumerate() {
            let incoming = node.incoming;
            for &edge in edges.by_ref().take(incoming as usize) {
                if place == gone || edge.source == number {
                    node.incoming -= 1;
                } else {
                    kept.push(Edge { source: edge.source - u32::from(edge.source > number), ..edge });
                }
            }
        }
        self.edges = kept;
        // 3. Remove its layer if it was alone there.
        let layer = self.nodes.remove(gone).layer;
        if self.nodes.iter().all(|node| node.layer != layer) {
            self.nodes.iter_mut().filter(|node| node.layer > layer).for_each(|node| node.layer -= 1);
        }
        true
    }

    /// The place of the node that an edge goes to.
    fn target_of(&self, edge: usize) -> usize {
        let mut end = 0;
        let ends = self.nodes.iter().position(|node| {
            end += node.incoming as usize;
            edge < end
        });
        ends.expect("every edge goes to a node")
    }

    /// The index of the first incoming edge of a node.
    fn first_edge_of(&self, place: usize) -> usize {
        self.nodes[..place].iter().map(|node| node.incoming as usize).sum()
    }

    /// The number of outgoing edges of each input and hidden node.
    fn outgoing(&self) -> Vec<u32> {
        let mut outgoing = vec![0; self.shape.inputs + self.hidden()];
        self.edges.iter().for_each(|edge| outgoing[edge.source as usize] += 1);
        outgoing
    }
}

/// A new random value in [−1, 1), or within the limit if that is less.
fn fresh(limit: f32, rng: &mut Rng) -> f32 {
    limit.min(1.0) * rng.signed_unit()
}

fn shifted(value: f32, limit: f32, rng: &mut Rng) -> f32 {
    let way = rng.signed_unit();
    (value + way * way.abs()).clamp(-limit, limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activation, Shape};
    use chance::rng_for;

    fn random(inputs: usize, outputs: usize, rng: &mut Rng) -> Graph {
        Graph::random(Shape { inputs, outputs }, Activation::Elu(0.1), Activation::Identity, rng)
    }

    #[test]
    fn no_mutation_breaks_a_graph() {
        let rng = &mut rng_for(1, &[]);
        let mut seen = [0; 8];
        for (inputs, outputs) in [(1, 1), (2, 1), (3, 4), (1, 9)] {
            let mut graph = random(inputs, outputs, rng);
            for _ in 0..3000 {
                let before = graph.clone();
                let mutation =
                    graph.mutate(&MutationWeights::all(1.0), 1.0, rng).expect("something is always possible");
                graph.check().unwrap_or_else(|why| panic!("{mutation:?} of {before}: {why}"));
                assert!(graph.edges().iter().all(|edge| edge.weight.abs() <= 1.0));
                let grown = |after: usize, before: usize| after as i64 - before as i64;
                let nodes = grown(graph.hidden(), before.hidden());
                let edges = grown(graph.edges().len(), before.edges().len());
                match mutation {
                    Mutation::AddEdge => assert_eq!((nodes, edges), (0, 1)),
                    Mutation::AddNode => assert_eq!((nodes, edges), (1, 1)),
                    Mutation::RemoveEdge => assert_eq!((nodes, edges), (0, -1)),
                    Mutation::RemoveNode => assert!(nodes == -1 && edges <= -2),
                    _ => assert_eq!((nodes, edges), (0, 0)),
                }
                seen[mutation as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }

    #[test]
    fn impossible_mutations_give_way_to_possible_ones() {
        let rng = &mut rng_for(2, &[]);
        let mut graph = random(2, 2, rng);
        let weights =
            MutationWeights { add_edge: 1000.0, remove_node: 1000.0, shift_bias: 1e-9, ..MutationWeights::all(0.0) };
        assert_eq!(graph.mutate(&weights, 1.0, rng), Some(Mutation::ShiftBias));
        let nothing = MutationWeights { add_edge: 1.0, ..MutationWeights::all(0.0) };
        assert_eq!(graph.mutate(&nothing, 1.0, rng), None);
    }

    #[test]
    fn every_bias_and_every_pair_can_change() {
        let rng = &mut rng_for(3, &[]);
        let mut graph: Graph =
            "2 2 relu identity | 1 0 0:1 1:1 | 1 0 0:1 | 2 0 2:1 | 3 0 4:1 | 3 0 3:1".parse().unwrap();
        // Missing pairs: 1→3, 0→4, 1→4, 3→4, and each output lacks four of its five sources.
        let mut added = 0;
        while graph.apply(Mutation::AddEdge, 1.0, rng) {
            graph.check().unwrap();
            added += 1;
        }
        assert_eq!(added, 12);
        (0..200).for_each(|_| assert!(graph.apply(Mutation::ShiftBias, 1.0, rng)));
        assert!(graph.nodes().iter().all(|node| node.bias != 0.0));
    }

    #[test]
    fn a_chain_cannot_be_cut() {
        let rng = &mut rng_for(4, &[]);
        let mut chain: Graph = "1 1 relu identity | 1 0 0:1 | 2 0 1:1".parse().unwrap();
        assert!(!chain.apply(Mutation::RemoveEdge, 1.0, rng) && !chain.apply(Mutation::RemoveNode, 1.0, rng));
        let mut detour: Graph = "1 1 relu identity | 1 0 0:1 | 2 0 1:1 0:1".parse().unwrap();
        assert!(detour.apply(Mutation::RemoveNode, 1.0, rng));
        assert_eq!(detour.to_string(), "1 1 relu identity | 1 0 0:1");
    }
}
