//! Inheritance: how networks did, grouped by the way in which they were made.

use serde::{Deserialize, Serialize};

/// How a network came into its generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// It is one of the first networks, or new and random.
    First,
    /// It was among the best of the last generation.
    Elite,
    /// It has two parents.
    Crossover,
    /// It has one parent, with some values moved.
    Mutation,
    /// It has one parent and is the one of several mutated copies that best keeps the parent's answers.
    SafeMutation,
    /// It comes from another population.
    Migrant,
}

impl Way {
    /// All ways.
    pub const ALL: [Way; 6] = [Way::First, Way::Elite, Way::Crossover, Way::Mutation, Way::SafeMutation, Way::Migrant];

    /// The name of the way.
    pub fn name(self) -> &'static str {
        match self {
            Way::First => "first",
            Way::Elite => "elite",
            Way::Crossover => "crossover",
            Way::Mutation => "mutation",
            Way::SafeMutation => "safe mutation",
            Way::Migrant => "migrant",
        }
    }
}

/// How the networks made in one way did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inheritance {
    /// The way.
    pub way: Way,
    /// The number of networks.
    pub count: u32,
    /// The number of improvements: children that scored more than each of their parents in the same games, and elites
    /// that rank higher than before.
    pub improved: u32,
    /// The number that stay in the next generation.
    pub stayed: u32,
    /// The median change of their answers from their parents', in positions that the parents remember; `None` if there
    /// are none.
    pub change: Option<f32>,
}

/// The origin of a network.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Descent {
    pub way: Way,
    /// The places of its parents, which are in the same generation. For an elite it is its own place, which is its rank
    /// before.
    pub parents: [usize; 2],
    /// The mean change of its answers from its parent's, in positions that the parent remembers.
    pub change: Option<f32>,
}

/// How the networks made in each way did; the best `stay` networks stay.
pub(crate) fn inheritance(descents: &[Descent], scores: &[f64], stay: usize) -> Vec<Inheritance> {
    let mut ranks = vec![0; scores.len()];
    ranking(scores).into_iter().enumerate().for_each(|(rank, place)| ranks[place] = rank);
    let of_way = |way: Way| {
        let mut found = Inheritance { way, count: 0, improved: 0, stayed: 0, change: None };
        let mut changes = Vec::new();
        for (place, descent) in descents.iter().enumerate().filter(|(_, descent)| descent.way == way) {
            let improved = match way {
                Way::First | Way::Migrant => false,
                Way::Elite => ranks[place] < place,
                _ => descent.parents.iter().all(|&parent| scores[place] > scores[parent]),
            };
            found.count += 1;
            found.improved += u32::from(improved);
            found.stayed += u32::from(ranks[place] < stay);
            changes.extend(descent.change);
        }
        found.change = median(changes);
        found
    };
    Way::ALL.into_iter().map(of_way).filter(|found| found.count > 0).collect()
}

/// The median; `None` if there are no numbers.
fn median(mut numbers: Vec<f32>) -> Option<f32> {
    numbers.sort_by(f32::total_cmp);
    let (low, high) = (numbers.get(numbers.len().saturating_sub(1) / 2)?, numbers.get(numbers.len() / 2)?);
    Some((low + high) / 2.0)
}

/// All places, the highest score first; among equal scores the lowest place first.
pub(crate) fn ranking(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn improvements_are_counted_by_way() {
        let descent = |way, parents| Descent { way, parents, change: None };
        let descents = [
            descent(Way::Elite, [0, 0]),
            descent(Way::Elite, [1, 1]),
            descent(Way::Crossover, [0, 1]),
            descent(Way::Crossover, [0, 1]),
            descent(Way::Mutation, [1, 1]),
        ];
        // The second elite overtakes the first; one child beats both parents, another only one of them, the last its
        // only parent.
        let found = inheritance(&descents, &[3.0, 4.0, 9.0, 3.5, 5.0], 2);
        let expected = [(Way::Elite, 2, 0, 0), (Way::Crossover, 2, 1, 1), (Way::Mutation, 1, 1, 1)];
        let as_listed = |(way, count, improved, stayed)| Inheritance { way, count, improved, stayed, change: None };
        assert_eq!(found, expected.map(as_listed));
        assert_eq!(inheritance(&descents[..2], &[1.0, 2.0], 1)[0].improved, 1);
        let changed = [1.0, 9.0, 2.0].map(|change| Descent { change: Some(change), ..descents[4] });
        assert_eq!(inheritance(&changed, &[0.0; 3], 1)[0].change, Some(2.0));
        assert_eq!((median(vec![4.0, 1.0, 2.0, 9.0]), median(vec![])), (Some(3.0), None));
        assert_eq!(ranking(&[1.0, 3.0, 2.0, 3.0]), [1, 3, 2, 0]);
    }
}
