//! Species: genomes that are alike share what they win, so that what is new has time to become good.

mod distance;

use super::genome::Genome;
use crate::Network;
use distance::distance;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// When genomes are of one species.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeciesSettings {
    /// What connections beyond the other genome's last one count.
    pub excess: f64,
    /// What other connections that only one has count.
    pub disjoint: f64,
    /// What nodes that only one has count.
    pub nodes: f64,
    /// What the mean difference of weights counts.
    pub weight: f64,
    /// What the mean difference of biases counts.
    pub bias: f64,
    /// Genomes with fewer genes of a kind are compared without dividing by their number.
    pub small: usize,
    /// From this distance on they are of different species.
    pub threshold: f64,
    /// The threshold moves toward so many species; 0: it stays.
    pub target: usize,
    /// By so much each generation.
    pub threshold_step: f64,
    /// A species that did not improve for so many generations has no children; 0: all have.
    pub stagnation: u64,
    /// If nobody improved for so many generations, only the best two species have children; 0: all have.
    pub refocus: u64,
    /// Species that would get fewer places get none.
    pub least: usize,
}

/// A genome in the population, and its network once somebody asked for it.
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
    /// Its number, for the whole run; from 1.
    pub number: u64,
    /// The generation in which it came up.
    pub born: u64,
    /// Its best score so far, and when it was reached.
    pub best: f64,
    pub improved: u64,
    /// Whom newcomers are compared with.
    pub representative: Arc<Member>,
    /// Places in the population.
    pub members: Vec<usize>,
}

/// Sorts a population into species: each genome joins the first whose representative is near enough, or founds a new one.
/// Species without members are gone.
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
            Some(context) => context.members.push(place),
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

/// How many places of the next generation each species gets.
pub(crate) type Quotas = Vec<usize>;

/// Shares places out in proportion to claims, by the largest remainders; the sum is always `places`. Whoever would get
/// fewer than `least` gets none, as long as somebody is left.
pub(crate) fn quotas(claims: &[f64], places: usize, least: usize) -> Quotas {
    let mut claims: Vec<f64> =
        claims.iter().map(|claim| if claim.is_finite() { claim.max(0.0) } else { 0.0 }).collect();
    if claims.iter().sum::<f64>() <= 0.0 {
        claims.fill(1.0);
    }
    loop {
        let quotas = largest_remainders(&claims, places);
        // The smallest goes first, as its places may save the next one.
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
