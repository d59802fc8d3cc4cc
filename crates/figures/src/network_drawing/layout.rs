//! Finds positions for the nodes of a network: layers from left to right, and in each layer an order with few crossings
//! of edges.

use evolution::Wiring;

/// How often hidden layers are sorted: alternately from left to right by the nodes from which their edges come, and
/// from right to left by the nodes to which they lead.
const SWEEPS: usize = 6;
/// How far hidden layers may be shifted vertically, as a multiple of the distance of nodes. Without a shift, an edge
/// that passes a layer could go through its nodes.
const SHIFT: f32 = 0.8;
/// The golden ratio less 1. The fractional parts of its multiples are well spread.
const GOLDEN: f32 = 0.618_034;

/// The position of every node, x and y from 0 to 1. Inputs and outputs keep the order of the game, so that they have
/// the same position in every network.
pub(super) fn places(wiring: &Wiring, layers: &[usize]) -> Vec<(f32, f32)> {
    let last = layers.len() - 1;
    let layer_of: Vec<usize> =
        std::iter::repeat_n(0, wiring.inputs).chain(wiring.nodes.iter().map(|node| node.layer)).collect();
    // 1. All nodes in the order of their numbers.
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layers.len()];
    layer_of.iter().enumerate().for_each(|(node, &layer)| rows[layer].push(node));
    let mut heights = vec![0.0; layer_of.len()];
    for (layer, row) in rows.iter().enumerate() {
        spread(row, shift(layer, last), &mut heights);
    }
    // 2. The nodes of hidden layers are sorted by the mean height of their neighbours, forward and back.
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

/// Places the nodes of a layer at equal vertical distances.
fn spread(row: &[usize], shift: f32, heights: &mut [f32]) {
    for (place, &node) in row.iter().enumerate() {
        heights[node] = (place as f32 + 0.5 + shift) / row.len() as f32;
    }
}

/// The vertical shift of a layer. Inputs and outputs are not shifted.
fn shift(layer: usize, last: usize) -> f32 {
    if layer == 0 || layer == last { 0.0 } else { SHIFT * ((layer as f32 * GOLDEN).fract() - 0.5) }
}

/// The mean height of a node's neighbours, weighted by the strength of the edges.
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

    /// The number of pairs of edges between the same layers that cross.
    fn crossings(wiring: &Wiring, places: &[(f32, f32)]) -> usize {
        let lines: Vec<_> = wiring.edges.iter().map(|edge| (places[edge.from], places[edge.to])).collect();
        let pairs = lines.iter().enumerate().flat_map(|(at, one)| lines[at + 1..].iter().map(move |two| (one, two)));
        pairs.filter(|((a, b), (c, d))| a.0 == c.0 && b.0 == d.0 && (a.1 - c.1) * (b.1 - d.1) < 0.0).count()
    }

    #[test]
    fn layers_are_sorted_to_avoid_crossings() {
        // Each hidden node has an edge from one input, in reverse order.
        let network: Network =
            "graph 3 1 relu identity | 1 0 2:1 | 1 0 1:1 | 1 0 0:1 | 2 0 3:1 4:1 5:1".parse().unwrap();
        let wiring = network.wiring();
        let places = places(&wiring, &[3, 3, 1]);
        assert_eq!(crossings(&wiring, &places), 0, "{places:?}");
        assert!(places[5].1 < places[4].1 && places[4].1 < places[3].1);
        assert_eq!((places[0].0, places[3].0, places[6].0), (0.0, 0.5, 1.0));
    }

    #[test]
    fn nodes_of_neighbouring_layers_have_different_heights() {
        // There is one node in each of many layers. They are not on one horizontal line.
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
