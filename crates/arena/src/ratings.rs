//! Elo ratings of many players on one scale.
//!
//! The ratings are the maximum-likelihood strengths for the points of all matches, if the expected share of points is
//! Elo's logistic function of the difference. Inside this file strengths are natural logarithms of odds; 1 is 173.7
//! Elo.

mod anchored;
mod circuit;

pub use anchored::anchored_rating;

use crate::elo::Z;
use crate::{MatchScore, Rating};
use circuit::{Circuit, removals};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A match between two players, by their places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// The player whose score it is.
    pub first: usize,
    /// The opponent.
    pub second: usize,
    /// The first player's score.
    pub score: MatchScore,
}

/// Ratings by place, with 95 % intervals, relative to the anchor, whose rating is 0.
///
/// A player has a lower bound if it won points from the anchor or from a player with a lower bound. It has an upper
/// bound if it lost points to the anchor or to a player with an upper bound. It has a most likely rating if it has
/// both. Matches without games, of a player with itself, or of places that do not exist are ignored.
///
/// The interval is Rao's score interval; Wilson's interval for a single match is its simplest case. It contains all
/// ratings for which the points, with the other players' ratings fitted again, are at most z standard deviations from
/// the expected points. So it is also valid near 0 and 100 %, and if one side won everything.
pub fn ratings(players: usize, anchor: usize, matches: &[Match]) -> Vec<Rating> {
    const ELO: f64 = 400.0 / std::f64::consts::LN_10;
    let scale = Scale::new(players, anchor, &tallies(players, matches));
    let fit = scale.fit();
    let rate = |circuit: &mut Circuit, place: usize| {
        if place == anchor {
            return Rating { elo: Some(0.0), low: Some(0.0), high: Some(0.0) };
        }
        let (above, below) = (scale.above[place], scale.below[place]);
        let mut bound = |node, outward| ELO * scale.bound(&fit, node, outward, circuit);
        Rating {
            elo: above.and(below).map(|node| ELO * fit.strengths[node]),
            low: above.map(|node| bound(node, -1.0)),
            high: below.map(|node| bound(node, 1.0)),
        }
    };
    (0..players).into_par_iter().map_init(|| Circuit::new(&scale.later), rate).collect()
}

/// The pairs of games between two players: their number, and the sums of their shares and of the squared shares.
#[derive(Clone, Copy, Default)]
struct Tally {
    pairs: f64,
    shares: f64,
    squares: f64,
}

impl Tally {
    /// `None` if no game was played.
    fn of(score: &MatchScore) -> Option<Tally> {
        let sum = |part: fn(f64) -> f64| -> f64 {
            let pairs = score.pairs.iter().enumerate();
            pairs.map(|(half_points, &count)| f64::from(count) * part(half_points as f64 / 4.0)).sum()
        };
        let pairs = sum(|_| 1.0);
        (pairs > 0.0).then(|| Tally { pairs, shares: sum(|share| share), squares: sum(|share| share * share) })
    }

    /// The tally from the other player's point of view.
    fn reversed(self) -> Tally {
        Tally { shares: self.pairs - self.shares, squares: self.pairs - 2.0 * self.shares + self.squares, ..self }
    }

    fn plus(self, other: Tally) -> Tally {
        let squares = self.squares + other.squares;
        Tally { pairs: self.pairs + other.pairs, shares: self.shares + other.shares, squares }
    }

    fn share(&self) -> f64 {
        self.shares / self.pairs
    }

    /// The sum of squared deviations of the shares from their mean, and its largest possible value; both 0 for a single
    /// pair.
    fn spread(&self) -> (f64, f64) {
        if self.pairs <= 1.0 {
            return (0.0, 0.0);
        }
        let deviations = (self.squares - self.shares * self.share()).max(0.0);
        (deviations * self.pairs / (self.pairs - 1.0), self.shares * (1.0 - self.share()))
    }
}

/// One tally for each two players who met, by places in ascending order.
fn tallies(players: usize, matches: &[Match]) -> BTreeMap<(usize, usize), Tally> {
    let mut tallies: BTreeMap<_, Tally> = BTreeMap::new();
    for &Match { first, second, ref score } in matches {
        if first == second || first.max(second) >= players {
            continue;
        }
        if let Some(tally) = Tally::of(score) {
            let sum = tallies.entry((first.min(second), first.max(second))).or_default();
            *sum = sum.plus(if first < second { tally } else { tally.reversed() });
        }
    }
    tallies
}

/// All players that matches connect with the anchor, as nodes, and their matches, as links.
///
/// Nodes are numbered in the order in which [`Circuit`] removes them; the anchor is the last.
struct Scale {
    links: Vec<Link>,
    /// For each node except the last, its neighbours at the time when it is removed, in order.
    later: Vec<Vec<usize>>,
    /// The nodes of players that have a lower bound, by place.
    above: Vec<Option<usize>>,
    /// The nodes of players that have an upper bound, by place.
    below: Vec<Option<usize>>,
}

/// Points won and lost by the first node, converted to independent games without draws.
struct Link {
    first: usize,
    second: usize,
    won: f64,
    lost: f64,
}

/// The most likely strengths by node, and the circuit at these strengths.
struct Fit<'a> {
    strengths: Vec<f64>,
    circuit: Circuit<'a>,
}

/// Derivatives at given strengths.
struct Derivatives {
    /// For each node, the points won minus the points expected.
    pulls: Vec<f64>,
    /// For each link, the derivative of its curvature with respect to the strength of its first node.
    bends: Vec<f64>,
}

impl Scale {
    fn new(players: usize, anchor: usize, tallies: &BTreeMap<(usize, usize), Tally>) -> Scale {
        /// To estimate the variance of a match, this number of even pairs with the variance of all matches together is
        /// added to it. To all matches together, the same number of pairs with the variance of independent games is
        /// added.
        const MORE: f64 = 8.0;
        /// Stands for zero points: it keeps strengths finite, about 3600 Elo apart, and changes no result noticeably.
        const LEAST: f64 = 1e-9;
        // 1. Find the players that can be compared with the anchor, in either direction or in both.
        let takers = tallies.iter().filter(|(_, tally)| tally.shares > 0.0).map(|(&(a, b), _)| (a, b));
        let givers = tallies.iter().filter(|(_, tally)| tally.shares < tally.pairs).map(|(&(a, b), _)| (b, a));
        let took: Vec<(usize, usize)> = takers.chain(givers).collect();
        let gave: Vec<(usize, usize)> = took.iter().map(|&(taker, giver)| (giver, taker)).collect();
        let met = [took.clone(), gave.clone()].concat();
        let connected = reached(players, anchor, &met);
        // 2. Number them.
        let order = removals(players, anchor, &connected, &met);
        let mut nodes = vec![None; players];
        order.iter().enumerate().for_each(|(node, (place, _))| nodes[*place] = Some(node));
        let numbered = |(_, near): &(usize, Vec<usize>)| {
            let mut later: Vec<usize> = near.iter().filter_map(|&place| nodes[place]).collect();
            later.sort_unstable();
            later
        };
        let later = order.iter().filter(|(place, _)| *place != anchor).map(numbered).collect();
        // 3. Weigh the matches: convert each to the number of independent games with the same variance.
        let sum = |(deviations, most), (more, largest)| (deviations + more, most + largest);
        let start = (MORE * 0.5 * 0.25, MORE * 0.25);
        let (deviations, most) = tallies.values().map(Tally::spread).fold(start, sum);
        let usual = deviations / most;
        let link = |(&(a, b), tally): (&(usize, usize), &Tally)| {
            let (deviations, most) = tally.spread();
            let part = (deviations + MORE * usual * 0.25) / (most + MORE * 0.25);
            // The inverse of a variance that is estimated from n values is too large by about 2 / n on average.
            let sure = 1.0 + 2.0 / (tally.pairs + MORE);
            let (worth, share) = (tally.pairs / (part * sure), tally.share());
            let (won, lost) = (worth * share.max(LEAST), worth * (1.0 - share).max(LEAST));
            Some(Link { first: nodes[a]?, second: nodes[b]?, won, lost })
        };
        let links = tallies.iter().filter_map(link).collect();
        let nodes_of = |reached: Vec<bool>| reached.iter().zip(&nodes).map(|(&r, node)| node.filter(|_| r)).collect();
        let above = nodes_of(reached(players, anchor, &gave));
        let below = nodes_of(reached(players, anchor, &took));
        Scale { links, later, above, below }
    }

    /// Finds the most likely strengths by Newton's method.
    fn fit(&self) -> Fit<'_> {
        let mut circuit = Circuit::new(&self.later);
        let mut strengths = vec![0.0; self.later.len() + 1];
        for _ in 0..1000 {
            let pulls = self.derivatives(&strengths, &mut circuit).pulls;
            let step = circuit.tensions(pulls);
            let length = self.length(&step);
            add(&mut strengths, &step, damping(length));
            if length < 1e-6 {
                break;
            }
        }
        Fit { strengths, circuit }
    }

    /// One end of a node's interval: the upper end if `outward` is 1, the lower end if it is −1.
    fn bound(&self, fit: &Fit, node: usize, outward: f64, circuit: &mut Circuit) -> f64 {
        let (follow, variance) = fit.circuit.follow(node);
        let mut strengths = fit.strengths.clone();
        add(&mut strengths, &follow, outward * (Z * variance.sqrt()).min(1.0));
        // Distances from the fitted strength that are known to be inside and outside of the interval.
        let (mut within, mut beyond) = (0.0, f64::INFINITY);
        for _ in 0..200 {
            // 1. The derivatives at the current strengths, and how the other nodes follow this one.
            let derivatives = self.derivatives(&strengths, circuit);
            let (follow, variance) = circuit.follow(node);
            // 2. Move the others toward their best strengths, with this node fixed.
            let mut step = circuit.tensions(derivatives.pulls);
            let back = step[node];
            add(&mut step, &follow, -back);
            let length = self.length(&step);
            add(&mut strengths, &step, damping(length));
            if length > 0.1 {
                continue;
            }
            // 3. The deviation of the points in standard deviations, and its derivative in the outward direction.
            let deviation = variance.sqrt();
            let off = -outward * back / deviation;
            let slope = (1.0 + 0.5 * back * variance * self.bend(&derivatives.bends, &follow)) / deviation;
            if (off - Z).abs() < 1e-4 && length < 1e-2 {
                break;
            }
            // 4. A Newton step for the logarithm of the deviation, which is nearly linear if one side won everything.
            let distance = (strengths[node] - fit.strengths[node]) * outward;
            if off < Z - 0.01 {
                within = distance;
            } else if off > Z + 0.01 {
                beyond = distance;
            }
            let newton = ((Z / off).ln() * off / slope).clamp(-4.0, 4.0);
            let mut target = distance + if off > 0.0 && slope > 0.0 { newton } else { 1.0 };
            if target <= within || target >= beyond {
                target = if beyond.is_finite() { 0.5 * (within + beyond) } else { within + 1.0 };
            }
            add(&mut strengths, &follow, (target - distance) * outward);
        }
        strengths[node]
    }

    /// The derivatives at these strengths; also builds the circuit, whose conductances are the links' curvatures.
    fn derivatives(&self, strengths: &[f64], circuit: &mut Circuit) -> Derivatives {
        let mut pulls = vec![0.0; strengths.len()];
        let mut bends = Vec::with_capacity(self.links.len());
        circuit.clear();
        for link in &self.links {
            let lead = strengths[link.first] - strengths[link.second];
            // Never 0, so that the circuit stays connected.
            let odds = (-lead.abs()).exp().max(1e-200);
            let (more, less) = (1.0 / (1.0 + odds), odds / (1.0 + odds));
            let (expected, rest) = if lead > 0.0 { (more, less) } else { (less, more) };
            let (pull, curvature) = (link.won * rest - link.lost * expected, (link.won + link.lost) * more * less);
            pulls[link.first] += pull;
            pulls[link.second] -= pull;
            bends.push(curvature * (rest - expected));
            circuit.connect(link.first, link.second, curvature);
        }
        circuit.reduce();
        Derivatives { pulls, bends }
    }

    /// The largest change that a step makes to the difference between two opponents.
    fn length(&self, step: &[f64]) -> f64 {
        self.links.iter().map(|link| (step[link.first] - step[link.second]).abs()).fold(0.0, f64::max)
    }

    /// The derivative of the curvature along this direction.
    fn bend(&self, bends: &[f64], direction: &[f64]) -> f64 {
        let parts = self.links.iter().zip(bends);
        parts.map(|(link, bend)| bend * (direction[link.first] - direction[link.second]).powi(3)).sum()
    }
}

/// Which places can be reached from the start by these steps; none if the start does not exist.
fn reached(players: usize, start: usize, steps: &[(usize, usize)]) -> Vec<bool> {
    let mut next = vec![Vec::new(); players];
    steps.iter().for_each(|&(from, to)| next[from].push(to));
    let mut reached = vec![false; players];
    let mut open = Vec::from_iter((start < players).then_some(start));
    while let Some(place) = open.pop() {
        if !std::mem::replace(&mut reached[place], true) {
            open.extend(&next[place]);
        }
    }
    reached
}

/// The factor for a Newton step of this length that surely increases the likelihood; near 1 for a short step.
///
/// With it Newton's method finds the maximum from everywhere (Sun and Tran-Dinh, Generalized self-concordant functions,
/// 2019).
fn damping(length: f64) -> f64 {
    if length > 0.0 { length.ln_1p() / length } else { 1.0 }
}

fn add(to: &mut [f64], step: &[f64], times: f64) {
    to.iter_mut().zip(step).for_each(|(to, step)| *to += times * step);
}

#[cfg(test)]
mod tests;
