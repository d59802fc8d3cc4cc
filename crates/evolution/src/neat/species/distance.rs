//! The distance between two genomes, by their genes and by the values of the genes they share.

use super::super::genome::Genome;
use super::SpeciesSettings;

/// The compatibility distance of the paper, with optional terms for nodes.
pub(crate) fn distance(one: &Genome, two: &Genome, params: &SpeciesSettings) -> f64 {
    // 1. Connections. Most genomes share their first genes, and that part needs no merging.
    let (a, b) = (&one.connections[..], &two.connections[..]);
    let mut difference = 0.0f32;
    let mut same = 0;
    for (gene, other) in a.iter().zip(b) {
        if gene.innovation != other.innovation {
            break;
        }
        difference += (gene.weight - other.weight).abs();
        same += 1;
    }
    let (mut i, mut j, mut matching, mut disjoint) = (same, same, same, 0);
    while i < a.len() && j < b.len() {
        match a[i].innovation.cmp(&b[j].innovation) {
            std::cmp::Ordering::Equal => {
                difference += (a[i].weight - b[j].weight).abs();
                matching += 1;
                i += 1;
                j += 1;
            }
            std::cmp::Ordering::Less => {
                disjoint += 1;
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                disjoint += 1;
                j += 1;
            }
        }
    }
    let excess = a.len() - i + b.len() - j;
    let whole = |count: usize| if count < params.small { 1.0 } else { count.max(1) as f64 };
    let mut sum = (params.excess * excess as f64 + params.disjoint * disjoint as f64) / whole(a.len().max(b.len()))
        + params.weight * f64::from(difference) / matching.max(1) as f64;
    // 2. Nodes, if they count.
    if params.nodes > 0.0 || params.bias > 0.0 {
        let (a, b) = (&one.nodes[..], &two.nodes[..]);
        let (mut i, mut j, mut shared, mut difference) = (0, 0, 0usize, 0.0f32);
        while i < a.len() && j < b.len() {
            match a[i].number.cmp(&b[j].number) {
                std::cmp::Ordering::Equal => {
                    difference += (a[i].bias - b[j].bias).abs();
                    shared += 1;
                    i += 1;
                    j += 1;
                }
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
            }
        }
        let alone = a.len() + b.len() - 2 * shared;
        sum += params.nodes * alone as f64 / whole(a.len().max(b.len()));
        sum += params.bias * f64::from(difference) / shared.max(1) as f64;
    }
    sum
}
