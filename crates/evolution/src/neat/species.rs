//! Species: similar genomes compete mainly with each other, so that new structures have time to improve.

mod distance;

use super::genome::Genome;
use crate::Network;
use distance::distance;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// How genomes are divided into species.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeciesSettings {
    /// The weight of excess connections: those beyond the other genome's last one.
    pub excess: f64,
    /// The weight of disjoint connections: other connections that only one genome has.
    pub disjoint: f64,
    /// The weight of nodes that only one genome has.
    pub nodes: f64,
    /// The weight of the mean difference of connection weights.
    pub weight: f64,
    /// The weight of the mean difference of biases.
    pub bias: f64,
    /// Genomes with fewer genes of a kind than this are compared without dividing by the number of genes.
    pub small: usize,
    /// The distance from which genomes are in different species.
    pub threshold: f64,
    /// The number of species toward which the threshold moves; 0 keeps it constant.
    pub target: usize,
    /// How far the threshold moves in a generation.
    pub threshold_step: f64,
    /// The number of generations without improvement after which a species has no children; 0 switches the rule off.
    pub stagnation: u64,
    /// The number of generations without any improvement after which only the best two species have children; 0
    /// switches the rule off.
    pub refocus: u64,
    /// Species that would get fewer places than this get none.
    pub least: usize,
}

/// A genome of the population, and its network once it has been made.
pub(crate) struct Member {
    pub genome: Genome,
    pub network: OnceLock<Arc<Network>>,
}

impl Member {
    pub fn new(genome: Genome) -> Arc<Member> {
        Arc::new(Member { genome, network: OnceLock::new() })
    }
}

/// A species.
#[derive(Clone)]
pub(crate) struct Species {
    /// The species' number, unique in the run, from 1.
    pub number: u64,
    /// The generation in which it was formed.
    pub born: u64,
    /// Its best score so far, and the generation in which it was reached.
    pub best: f64,
    pub improved: u64,
    /// The genome with which others are compared.
    pub representative: Arc<Member>,
    /// The places of its members in the population.
    pub members: Vec<usize>,
}

/// Divides a population into species: each genome joins the first species whose representative is near enough, or
/// founds a new one. Species without members are removed.
pub(crate) fn speciate(
    population: &[Arc<Member>],
    mut species: Vec<Species>,
    params: &SpeciesSettings,
    threshold: f64,
    generation: u64,
    next_number: &mut u64,
) -> Vec<Species> {
    species.iter_mut().for_each(|species| species.members.clear());
    for (place, member) in population.iter().enumerate() {
        let near = |species: &&mut Species| {
            Arc::ptr_eq(&species.representative, member)
                || distance(&member.genome, &species.representative.genome, params) < threshold
        };
        match species.iter_mut().find(near) {
            Some(home) => home.members.push(place),
            None => {
                species.push(Species {
                    number: *next_number,
                    born: generation,
                    best: f64::NEG_INFINITY,
                    improved: generation,
                    representative: Arc::clone(member),
                    members: vec![place],
                });
                *next_number += 1;
            }
        }
    }
    species.retain(|species| !species.members.is_empty());
    species
}

/// The number of places of each species in the next generation.
pub(crate) type Quotas = Vec<usize>;

/// Divides places in proportion to claims, by the largest remainders; the sum is always `places`. A species that would
/// get fewer than `least` gets none, but at least one species remains.
pub(crate) fn quotas(claims: &[f64], places: usize, least: usize) -> Quotas {
    let mut claims: Vec<f64> =
        claims.iter().map(|claim| if claim.is_finite() { claim.max(0.0) } else { 0.0 }).collect();
    if claims.iter().sum::<f64>() <= 0.0 {
        claims.fill(1.0);
    }
    loop {
        let quotas = largest_remainders(&claims, places);
        // The smallest is dropped first, because its places may raise the next one to `least`.
        let small = (0..quotas.len()).filter(|&place| claims[place] > 0.0 && quotas[place] < least);
        let weakest = small.min_by(|&a, &b| claims[a].total_cmp(&claims[b]));
        match weakest {
            Some(weakest) if claims.iter().filter(|claim| **claim > 0.0).count() > 1 => claims[weakest] = 0.0,
            _ => return quotas,
        }
    }
}

fn largest_remainders(claims: &[f64], places: usize) -> Quotas {
    let total: f64 = claims.iter().sum();
    let exact: Vec<f64> = claims.iter().map(|claim| claim / total * places as f64).collect();
    let mut quotas: Quotas = exact.iter().map(|share| share.floor() as usize).collect();
    let mut order: Vec<usize> = (0..claims.len()).filter(|&place| claims[place] > 0.0).collect();
    order.sort_by(|&a, &b| (exact[b] - exact[b].floor()).total_cmp(&(exact[a] - exact[a].floor())).then(a.cmp(&b)));
    let given: usize = quotas.iter().sum();
    for &place in order.iter().cycle().take(places.saturating_sub(given)) {
        quotas[place] += 1;
    }
    quotas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotas_always_sum_to_the_population() {
        let rng = &mut chance::rng_for(1, &[]);
        for _ in 0..5000 {
            let species = 1 + rng.below(20);
            let places = 1 + rng.below(200);
            let claims: Vec<f64> = (0..species)
                .map(|_| if rng.below(4) == 0 { 0.0 } else { rng.unit() * 10f64.powi(rng.below(9) as i32) })
                .collect();
            let least = rng.below(4);
            let quotas = quotas(&claims, places, least);
            assert_eq!(quotas.iter().sum::<usize>(), places, "{claims:?}");
            let alive = quotas.iter().filter(|quota| **quota > 0).count();
            assert!(alive == 1 || quotas.iter().all(|&quota| quota == 0 || quota >= least), "{quotas:?} {least}");
        }
        assert_eq!(quotas(&[3.0, 1.0], 4, 0), [3, 1]);
        assert_eq!(quotas(&[0.0, 0.0, f64::NAN], 5, 2), [3, 2, 0]);
        assert_eq!(quotas(&[5.0, 5.0, 1.0], 10, 2), [5, 5, 0]);
    }
}
