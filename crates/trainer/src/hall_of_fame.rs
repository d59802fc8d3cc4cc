//! The hall of fame: the champions of all generations so far. A long run has more of them than fit into memory, so they
//! are read one by one, and those used last are cached.

use crate::Error;
use arena::{Arena, Entrant};
use chance::Rng;
use evolution::{Champions, Network};
use games::Game;
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Where champions of the past are stored.
pub trait Archive {
    /// The champion at a place; the champion of the first generation has place 0.
    fn champion_at(&self, place: usize) -> Result<Arc<Network>, Error>;
}

impl Archive for Vec<Arc<Network>> {
    fn champion_at(&self, place: usize) -> Result<Arc<Network>, Error> {
        Ok(Arc::clone(&self[place]))
    }
}

/// All champions, in the order of their generations.
#[derive(Default)]
pub(crate) struct HallOfFame {
    count: usize,
    newest: Option<Arc<Network>>,
    /// The fingerprints of all champions, 8 bytes each; `None` if the arena does not remember games.
    ids: Option<FxHashSet<u64>>,
    /// The fingerprints of the last different champions, each with its latest place; the newest is last.
    last: Vec<(u64, usize)>,
    /// A cache of networks, by place.
    networks: RefCell<Cache<Arc<Network>>>,
    /// A cache of prepared networks, by place.
    ready: Cache<Entrant>,
}

/// The number of earlier champions that a champion plays against to measure growth.
pub(crate) const GROWTH_CHAMPIONS: usize = 5;

impl HallOfFame {
    /// An empty hall of fame; `remembers_games` says whether [`HallOfFame::holds`] will be used.
    pub fn new(remembers_games: bool) -> HallOfFame {
        HallOfFame { ids: remembers_games.then(FxHashSet::default), ..HallOfFame::default() }
    }

    /// The number of champions.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a champion of the past, of which only the fingerprint is known.
    pub fn push_past(&mut self, fingerprint: u64) {
        if let Some(ids) = &mut self.ids {
            ids.insert(fingerprint);
        }
        self.last.retain(|(known, _)| *known != fingerprint);
        self.last.push((fingerprint, self.count));
        // One more than are needed, because one of them may be the champion that plays against the others.
        if self.last.len() > GROWTH_CHAMPIONS + 1 {
            self.last.remove(0);
        }
        self.count += 1;
    }

    /// Adds the newest champion, which is prepared because it has just played.
    pub fn push(&mut self, entrant: &Entrant) {
        let network = &entrant.prepared.network;
        self.ready.keep(self.count, entrant.clone(), entrant.memory());
        self.networks.get_mut().keep(self.count, Arc::clone(network), network.memory());
        self.newest = Some(Arc::clone(network));
        self.push_past(network.fingerprint());
    }

    /// Whether the network with this fingerprint was a champion.
    pub fn holds(&self, fingerprint: u64) -> bool {
        self.ids.as_ref().is_some_and(|ids| ids.contains(&fingerprint))
    }

    /// The champion at a place.
    pub fn network(&self, place: usize, archive: &dyn Archive) -> Result<Arc<Network>, Error> {
        if let Some(newest) = self.newest.as_ref().filter(|_| place + 1 == self.count) {
            return Ok(Arc::clone(newest));
        }
        if let Some(network) = self.networks.borrow().entries.get(&place) {
            return Ok(Arc::clone(network));
        }
        let network = archive.champion_at(place)?;
        self.networks.borrow_mut().keep(place, Arc::clone(&network), network.memory());
        Ok(network)
    }

    /// The champion at a place, prepared to play.
    pub fn entrant<G: Game>(
        &mut self,
        place: usize,
        arena: &mut Arena<G>,
        archive: &dyn Archive,
    ) -> Result<Entrant, Error> {
        if let Some(entrant) = self.ready.entries.get(&place) {
            arena.enter_again(entrant);
            return Ok(entrant.clone());
        }
        let network = self.network(place, archive)?;
        if network.shape() != arena.seating().shape() {
            return Err(Error::Refused(format!(
                "the champion of generation {} has another shape than the population; the run cannot go on",
                place + 1
            )));
        }
        let entrant = arena.enter_one(&network);
        self.ready.keep(place, entrant.clone(), entrant.memory());
        Ok(entrant)
    }

    /// `count` places, spread evenly over history; some occur twice if there are fewer champions. Empty without
    /// champions.
    pub fn spread(&self, count: usize) -> Vec<usize> {
        let past = self.count;
        if past == 0 { Vec::new() } else { (0..count).map(|number| number * past / count).collect() }
    }

    /// The places of up to [`GROWTH_CHAMPIONS`] last champions that differ from this network and from each other, the
    /// newest first.
    pub fn last_others(&self, network: &Network) -> Vec<usize> {
        let fingerprint = network.fingerprint();
        let others = self.last.iter().rev().filter(|(known, _)| *known != fingerprint);
        others.map(|(_, place)| *place).take(GROWTH_CHAMPIONS).collect()
    }

    /// `count` places drawn at random without repetition, or all places if there are no more.
    pub fn sample(&self, count: usize, rng: &mut Rng) -> Vec<usize> {
        let past = self.count;
        if count >= past {
            return (0..past).collect();
        }
        // Floyd's algorithm: it draws only `count` numbers, however long history is.
        let mut chosen = Vec::with_capacity(count);
        for last in past - count..past {
            let place = rng.below(last + 1);
            chosen.push(if chosen.contains(&place) { last } else { place });
        }
        chosen
    }
}

/// A cache of items by place, limited in memory.
struct Cache<T> {
    entries: HashMap<usize, T>,
    memory: usize,
}

impl<T> Default for Cache<T> {
    fn default() -> Cache<T> {
        Cache { entries: HashMap::new(), memory: 0 }
    }
}

impl<T> Cache<T> {
    /// The largest memory of a cache in bytes. A cache that would exceed it is emptied.
    const MOST_MEMORY: usize = 24 << 20;
    /// The memory of an entry in addition to the item, in bytes.
    const OVERHEAD: usize = 64;

    fn keep(&mut self, place: usize, item: T, memory: usize) {
        if self.memory + memory + Self::OVERHEAD > Self::MOST_MEMORY {
            self.entries.clear();
            self.memory = 0;
        }
        if self.entries.insert(place, item).is_none() {
            self.memory += memory + Self::OVERHEAD;
        }
    }
}

/// All champions, as a strategy sees them. A strategy cannot handle an error: if a champion cannot be read, it gets the
/// newest one instead, and the caller must discard what it breeds if there was a [failure](Past::failure).
pub(crate) struct Past<'a> {
    pub hall: &'a HallOfFame,
    pub archive: &'a dyn Archive,
    failed: RefCell<Option<Error>>,
}

impl<'a> Past<'a> {
    pub fn new(hall: &'a HallOfFame, archive: &'a dyn Archive) -> Past<'a> {
        Past { hall, archive, failed: RefCell::new(None) }
    }

    /// An error if a champion could not be read.
    pub fn failure(self) -> Result<(), Error> {
        self.failed.into_inner().map_or(Ok(()), Err)
    }
}

impl Champions for Past<'_> {
    fn count(&self) -> usize {
        self.hall.count()
    }

    fn champion(&self, place: usize) -> Arc<Network> {
        self.hall.network(place, self.archive).unwrap_or_else(|error| {
            self.failed.replace(Some(error));
            Arc::clone(self.hall.newest.as_ref().expect("a strategy asks only for places below the count"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    fn hall(count: usize) -> HallOfFame {
        let mut hall = HallOfFame::new(true);
        (0..count).for_each(|_| hall.push_past(1));
        hall
    }

    #[test]
    fn history_is_spread_evenly() {
        assert_eq!(hall(10).spread(5), [0, 2, 4, 6, 8]);
        assert_eq!(hall(2).spread(4), [0, 0, 1, 1]);
        assert!(hall(0).spread(4).is_empty());
    }

    fn network(weight: usize) -> Arc<Network> {
        Arc::new(format!("graph 1 1 relu identity | 1 0 0:{weight}").parse().unwrap())
    }

    #[test]
    fn champions_are_not_paired_with_themselves() {
        let networks: [Arc<Network>; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(network);
        let hall = |places: &[usize]| {
            let mut hall = HallOfFame::new(true);
            places.iter().for_each(|&place| hall.push_past(networks[place].fingerprint()));
            hall
        };
        let few = hall(&[0, 1, 1, 2, 0, 3]);
        assert_eq!(few.last_others(&networks[3]), [4, 3, 2]);
        assert_eq!(few.last_others(&networks[0]), [5, 3, 2]);
        assert!(few.holds(networks[2].fingerprint()) && !few.holds(networks[4].fingerprint()));
        assert!(HallOfFame::default().last_others(&networks[0]).is_empty());
        let many = hall(&[0, 1, 2, 3, 4, 5, 6, 7, 7, 7]);
        assert_eq!(many.last_others(&networks[7]), [6, 5, 4, 3, 2]);
        assert_eq!(many.last_others(&networks[8]), [9, 6, 5, 4, 3]);
    }

    /// Caches stay within their memory, however many champions there are.
    #[test]
    fn memory_does_not_grow_with_the_number_of_champions() {
        let network = network(1);
        let archive = vec![Arc::clone(&network); 400_000];
        let mut hall = HallOfFame::new(false);
        for place in 0..archive.len() {
            hall.push_past(network.fingerprint());
            hall.network(place / 2, &archive).unwrap();
        }
        let cache = hall.networks.borrow();
        let each = network.memory() + Cache::<Arc<Network>>::OVERHEAD;
        let most = Cache::<Arc<Network>>::MOST_MEMORY;
        assert!(each * archive.len() / 2 > most, "the test has too few champions to fill a cache");
        assert!(cache.memory <= most && cache.entries.len() * each <= most, "{} champions", cache.entries.len());
        assert!(hall.last.len() <= GROWTH_CHAMPIONS + 1 && hall.ids.is_none());
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

    #[test]
    fn a_cache_stays_within_its_memory() {
        let mut cache = Cache::default();
        for place in 0..1000 {
            cache.keep(place, place, 1 << 20);
            assert!(cache.memory <= Cache::<usize>::MOST_MEMORY && cache.entries.contains_key(&place));
        }
        assert!(cache.entries.len() > 10);
    }

    /// Champions come from the cache or from the archive, and an error of the archive is kept.
    #[test]
    fn champions_come_from_the_archive() {
        struct Broken;
        impl Archive for Broken {
            fn champion_at(&self, place: usize) -> Result<Arc<Network>, Error> {
                Err(Error::Refused(format!("no champion {place}")))
            }
        }
        let archive: Vec<Arc<Network>> = (1..5).map(network).collect();
        let mut hall = HallOfFame::new(false);
        archive.iter().for_each(|network| hall.push_past(network.fingerprint()));
        hall.newest = archive.last().cloned();
        let past = Past::new(&hall, &archive);
        assert_eq!((past.count(), past.champion(1)), (4, Arc::clone(&archive[1])));
        assert!(past.failure().is_ok());
        let past = Past::new(&hall, &Broken);
        assert_eq!(past.champion(1), archive[1], "it is at hand");
        assert_eq!(past.champion(0), archive[3]);
        assert_eq!(past.failure().unwrap_err().to_string(), "no champion 0");
        assert!(hall.ids.is_none() && !hall.holds(archive[0].fingerprint()));
    }
}
