//! How those did that came into a generation by each way.

use serde::{Deserialize, Serialize};

/// How a network came into its generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// It is one of the first.
    First,
    /// It was in the last generation already, among its best.
    Elite,
    /// From two parents.
    Crossover,
    /// From one parent, some of its values moved.
    Mutation,
    /// The same, by the try of several that best kept the parent's answers.
    SafeMutation,
    /// From another population.
    Migrant,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 6] = [Way::First, Way::Elite, Way::Crossover, Way::Mutation, Way::SafeMutation, Way::Migrant];

    /// The word for it.
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

/// How those did that came by one way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inheritance {
    /// The way.
    pub way: Way,
    /// How many there were.
    pub count: u32,
    /// How many of them were an improvement: children that scored more than each of their parents in the same games,
    /// elites that rank higher than they did before.
    pub improved: u32,
    /// How many stay in the next generation.
    pub stayed: u32,
    /// By how much their answers differ from their parents' on positions that these remember: the median, where there are
    /// such.
    pub change: Option<f32>,
}

/// Where a network comes from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Descent {
    pub way: Way,
    /// The places of its parents, who are in the same generation; its own for an elite, which is its rank before.
    pub parents: [usize; 2],
    /// By how much its answers differ from its parent's on positions that this remembers, in the mean.
    pub change: Option<f32>,
}

/// How those did that came by each way; so many of the best stay.
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

/// The middle one, or the mean of the middle two.
fn median(mut numbers: Vec<f32>) -> Option<f32> {
    numbers.sort_by(f32::total_cmp);
    let (low, high) = (numbers.get(numbers.len().saturating_sub(1) / 2)?, numbers.get(numbers.len() / 2)?);
    Some((low + high) / 2.0)
}

/// All places, the best first; of equals the lowest place.
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
        // The second elite overtakes the first; one child beats both parents, another one of them, the last its only one.
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
