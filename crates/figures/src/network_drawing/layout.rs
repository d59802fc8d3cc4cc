//! Where nodes lie: layers from left to right, and in each an order in which edges cross little.

use evolution::Wiring;

/// How often hidden layers are put in order: to the right by where their edges come from, to the left by where they go.
const SWEEPS: usize = 6;
/// How far hidden layers may be shifted against each other, in distances of nodes: else an edge that passes a layer would
/// pass right through its nodes.
const SHIFT: f32 = 0.8;
/// Multiples of the golden ratio never come close to each other.
const GOLDEN: f32 = 0.618_034;

/// The place of every node, x and y from 0 to 1. Inputs and outputs keep the order of the game, so that one finds them in
/// every network at the same place.
pub(super) fn places(wiring: &Wiring, layers: &[usize]) -> Vec<(f32, f32)> {
    let last = layers.len() - 1;
    let layer_of: Vec<usize> =
        std::iter::repeat_n(0, wiring.inputs).chain(wiring.nodes.iter().map(|node| node.layer)).collect();
    // 1. Everything in its order.
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layers.len()];
    layer_of.iter().enumerate().for_each(|(node, &layer)| rows[layer].push(node));
    let mut heights = vec![0.0; layer_of.len()];
    for (layer, row) in rows.iter().enumerate() {
        spread(row, shift(layer, last), &mut heights);
    }
    // 2. Hidden layers by the middle of what they are joined to: there, and back.
    let mut neighbours: [Vec<Vec<(usize, f32)>>; 2] =
        [vec![Vec::new(); layer_of.len()], vec![Vec::new(); layer_of.len()]];
    for edge in &wiring.edges {
        neighbours[0][edge.to].push((edge.from, edge.weight.abs()));
        neighbours[1][edge.from].push((edge.to, edge.weight.abs()));
    }
    for sweep in 0..SWEEPS {
        let backward = sweep % 2;
        for step in 1..last {
            let layer = if backward == 0 { step } else { last - step };
            let row = &mut rows[layer];
            let middles: Vec<f32> = row.iter().map(|&node| middle(&neighbours[backward][node], &heights)).collect();
            let mut order: Vec<usize> = (0..row.len()).collect();
            order.sort_by(|&one, &two| middles[one].total_cmp(&middles[two]));
            *row = order.iter().map(|&place| row[place]).collect();
            spread(row, shift(layer, last), &mut heights);
        }
    }
    let across = |layer: usize| layer as f32 / last as f32;
    layer_of.iter().zip(heights).map(|(&layer, height)| (across(layer), height)).collect()
}

/// Nodes one above the other, evenly.
fn spread(row: &[usize], shift: f32, heights: &mut [f32]) {
    for (place, &node) in row.iter().enumerate() {
        heights[node] = (place as f32 + 0.5 + shift) / row.len() as f32;
    }
}

fn shift(layer: usize, last: usize) -> f32 {
    if layer == 0 || layer == last { 0.0 } else { SHIFT * ((layer as f32 * GOLDEN).fract() - 0.5) }
}

/// Where its edges pull a node, strong ones more.
fn middle(neighbours: &[(usize, f32)], heights: &[f32]) -> f32 {
    let (sum, weight) = neighbours.iter().fold((0.0, 0.0), |(sum, all), &(node, weight)| {
        let pull = weight + 1e-6;
        (sum + pull * heights[node], all + pull)
    });
    if weight > 0.0 { sum / weight } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolution::Network;

    /// Pairs of edges between neighbouring layers that cross.
    fn crossings(wiring: &Wiring, places: &[(f32, f32)]) -> usize {
        let lines: Vec<_> = wiring.edges.iter().map(|edge| (places[edge.from], places[edge.to])).collect();
        let pairs = lines.iter().enumerate().flat_map(|(at, one)| lines[at + 1..].iter().map(move |two| (one, two)));
        pairs.filter(|((a, b), (c, d))| a.0 == c.0 && b.0 == d.0 && (a.1 - c.1) * (b.1 - d.1) < 0.0).count()
    }

    #[test]
    fn edges_cross_little() {
        // Each hidden node belongs to one input, in the wrong order.
        let network: Network =
            "graph 3 1 relu identity | 1 0 2:1 | 1 0 1:1 | 1 0 0:1 | 2 0 3:1 4:1 5:1".parse().unwrap();
        let wiring = network.wiring();
        let places = places(&wiring, &[3, 3, 1]);
        assert_eq!(crossings(&wiring, &places), 0, "{places:?}");
        assert!(places[5].1 < places[4].1 && places[4].1 < places[3].1);
        assert_eq!((places[0].0, places[3].0, places[6].0), (0.0, 0.5, 1.0));
    }

    #[test]
    fn no_two_nodes_share_a_place() {
        // One node in each of many layers: they do not stand in one line.
        let nodes: Vec<String> = (1..=9).map(|layer| format!("{layer} 0 {}:1 0:1", layer)).collect();
        let network: Network = format!("graph 2 1 relu identity | {}", nodes.join(" | ")).parse().unwrap();
        let wiring = network.wiring();
        let places = places(&wiring, &[2, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        for layer in 1..8 {
            assert!((places[layer + 1].1 - places[layer + 2].1).abs() > 0.05, "{places:?}");
        }
        assert!(places.iter().all(|(_, y)| (0.05..0.95).contains(y)), "{places:?}");
    }
}
