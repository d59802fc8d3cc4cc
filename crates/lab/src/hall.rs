//! The champions of all generations so far, and those of them that are ready to play.

use arena::{Arena, Entrant};
use chance::Rng;
use evolution::Network;
use games::Game;
use rustc_hash::FxHashSet;
use std::collections::HashMap;
use std::sync::Arc;

/// Champions in the order of their generations.
#[derive(Default)]
pub(crate) struct Hall {
    champions: Vec<Arc<Network>>,
    /// Their fingerprints.
    ids: FxHashSet<u64>,
    /// Some of them, ready to play, by place.
    ready: HashMap<usize, Entrant>,
    bytes: usize,
}

/// More memory is not spent on readiness; then it starts afresh.
const MOST_BYTES: usize = 64 << 20;

impl Hall {
    pub fn new(champions: Vec<Arc<Network>>) -> Hall {
        let ids = champions.iter().map(|champion| champion.fingerprint()).collect();
        Hall { champions, ids, ..Hall::default() }
    }

    pub fn champions(&self) -> &[Arc<Network>] {
        &self.champions
    }

    /// The newest champion, who is ready as it just played.
    pub fn push(&mut self, entrant: &Entrant) {
        self.keep(self.champions.len(), entrant);
        self.champions.push(Arc::clone(&entrant.mind.network));
        self.ids.insert(entrant.mind.network.fingerprint());
    }

    /// The fingerprints of all champions.
    pub fn ids(&self) -> &FxHashSet<u64> {
        &self.ids
    }

    /// A champion, made ready if it is not.
    pub fn entrant<G: Game>(&mut self, place: usize, arena: &mut Arena<G>) -> Entrant {
        if let Some(entrant) = self.ready.get(&place) {
            return entrant.clone();
        }
        let entrant = arena.enter_one(&self.champions[place]);
        self.keep(place, &entrant);
        entrant
    }

    fn keep(&mut self, place: usize, entrant: &Entrant) {
        if self.bytes > MOST_BYTES {
            self.ready.clear();
            self.bytes = 0;
        }
        self.bytes += entrant.table_bytes();
        self.ready.insert(place, entrant.clone());
    }

    /// Up to so many places, spread evenly over history.
    pub fn spread(&self, count: usize) -> Vec<usize> {
        let past = self.champions.len();
        if past == 0 { Vec::new() } else { (0..count).map(|number| number * past / count).collect() }
    }

    /// The places of the last so many champions that are neither this network nor each other, the newest first.
    pub fn last_others(&self, network: &Network, count: usize) -> Vec<usize> {
        let mut seen = vec![network.fingerprint()];
        let mut places = Vec::with_capacity(count);
        for (place, champion) in self.champions.iter().enumerate().rev() {
            if places.len() == count {
                break;
            }
            let fingerprint = champion.fingerprint();
            if !seen.contains(&fingerprint) {
                seen.push(fingerprint);
                places.push(place);
            }
        }
        places
    }

    /// So many places drawn at random, none twice; all of them if there are no more.
    pub fn sample(&self, count: usize, rng: &mut Rng) -> Vec<usize> {
        let past = self.champions.len();
        if count >= past {
            return (0..past).collect();
        }
        // Floyd's way: draws no more numbers than are wanted, however long history is.
        let mut chosen = Vec::with_capacity(count);
        for last in past - count..past {
            let place = rng.below(last + 1);
            chosen.push(if chosen.contains(&place) { last } else { place });
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    fn hall(count: usize) -> Hall {
        let network: Arc<Network> = Arc::new("graph 1 1 relu identity | 1 0 0:1".parse().unwrap());
        Hall::new((0..count).map(|_| Arc::clone(&network)).collect())
    }

    #[test]
    fn history_is_spread_evenly() {
        assert_eq!(hall(10).spread(5), [0, 2, 4, 6, 8]);
        assert_eq!(hall(2).spread(4), [0, 0, 1, 1]);
        assert!(hall(0).spread(4).is_empty());
    }

    #[test]
    fn nobody_meets_itself() {
        let network = |weight: usize| Arc::new(format!("graph 1 1 relu identity | 1 0 0:{weight}").parse().unwrap());
        let networks: [Arc<Network>; 4] = [1, 2, 3, 4].map(network);
        let hall = Hall::new([0, 1, 1, 2, 0, 3].map(|place| Arc::clone(&networks[place])).to_vec());
        assert_eq!(hall.last_others(&networks[3], 5), [4, 3, 2]);
        assert_eq!(hall.last_others(&networks[0], 2), [5, 3]);
        assert!(Hall::default().last_others(&networks[0], 5).is_empty());
    }

    #[test]
    fn samples_are_distinct_and_reach_everybody() {
        let (hall, rng) = (hall(6), &mut rng_for(1, &[]));
        let mut seen = [0; 6];
        for _ in 0..3000 {
            let mut sample = hall.sample(2, rng);
            sample.iter().for_each(|&place| seen[place] += 1);
            sample.sort();
            sample.dedup();
            assert_eq!(sample.len(), 2);
        }
        assert!(seen.iter().all(|&count| (900..1100).contains(&count)), "{seen:?}");
        assert_eq!(hall.sample(9, rng), [0, 1, 2, 3, 4, 5]);
    }
}
