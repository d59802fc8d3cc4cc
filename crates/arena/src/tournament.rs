//! Plays the games of a whole generation. In small games the decisions of every network are tabulated first; in larger
//! games every move is computed during the game. Both ways give the same records, on any number of threads.

use crate::decision::SeatScratch;
use crate::game_history::mix;
use crate::referee::play_on;
use crate::threads::{in_parallel, thread_pool};
use crate::{
    Atlas, Decision, DecisionTable, EncodedAtlas, Examiner, GameHistory, Pairing, PreparedNetwork, Seating, Starts,
    Techniques, opening,
};
use chance::{Rng, rng_for};
use evolution::Network;
use games::{Game, Outcome, Side, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One game that was played, as scoring needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The place of the entrant who moved first.
    pub first: u32,
    /// The place of the other entrant.
    pub second: u32,
    /// Number of turns, including an illegal attempt.
    pub turns: u32,
    /// Number of perfect turns of the first and of the second entrant.
    pub perfect: [u16; 2],
    /// Number of turns of each entrant for which a solver knows whether they are perfect.
    pub graded: [u16; 2],
    /// The result of the game.
    pub outcome: Outcome,
}

/// A network that is ready to play.
#[derive(Clone)]
pub struct Entrant {
    /// The network, prepared for its seating.
    pub prepared: PreparedNetwork,
    /// The network's decision in every position of a small game; `None` in larger games.
    pub(crate) table: Option<Arc<DecisionTable>>,
}

impl Entrant {
    /// About how much memory the entrant uses, in bytes.
    pub fn memory(&self) -> usize {
        size_of::<Entrant>() + self.prepared.memory() + self.table.as_ref().map_or(0, |table| table.memory())
    }
}

/// The conditions under which games are played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Conditions {
    /// The least number of random plies at the beginning of a game.
    pub least_plies: usize,
    /// The largest number of random plies at the beginning of a game. Every number from `least_plies` to this one is
    /// equally likely.
    pub opening_plies: usize,
    /// The probability that a random move replaces a network's move. So networks also meet positions that good play
    /// avoids, and do not forget what to do there. Games with blunders are never remembered.
    pub blunders: f64,
}

/// Everything that the games of an experiment have in common.
pub struct Arena<G: Game> {
    seating: Arc<Seating<G>>,
    starts: Starts<G>,
    examiner: Option<Examiner<G>>,
    encoded_atlas: Option<EncodedAtlas<G>>,
    /// The number in the atlas of each listed start.
    start_numbers: Vec<u32>,
    /// Entrants of the last generation, by the network's address in memory. Each entrant keeps its network alive, so
    /// that no other network can have the same address.
    known: FxHashMap<usize, Entrant>,
    /// Games that were played, so that no game is played twice.
    remembered: FxHashMap<Meeting, GameRecord>,
    reused: u64,
    judged: AtomicU64,
    techniques: Techniques,
    /// Positions of the games played last in which the winner was to move, with the winner's place; `None` if they are
    /// not kept.
    won: Option<Vec<(u32, Vec<G>)>>,
    /// Worker threads, if more than one thread is used.
    pool: Option<rayon::ThreadPool>,
    /// Scratch memory for each thread. It holds the thread's decision cache.
    scratches: Vec<Mutex<SeatScratch<G>>>,
}

/// Identifies a game: the fingerprints of both networks, and the key of the start. Networks are deterministic, so the
/// game would be the same again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Meeting {
    first: u64,
    second: u64,
    start: u64,
}

/// Games that need not be played again, in the form in which they are saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(Meeting, GameRecord)>")]
pub struct RememberedGames(Vec<(Meeting, GameRecord)>);

impl TryFrom<Vec<(Meeting, GameRecord)>> for RememberedGames {
    type Error = String;

    /// Refuses impossible records, for example more perfect than graded turns.
    fn try_from(games: Vec<(Meeting, GameRecord)>) -> Result<RememberedGames, String> {
        let is_possible = |GameRecord { turns, perfect, graded, .. }: &GameRecord| {
            *turns <= MOST_TURNS && perfect[0] <= graded[0] && perfect[1] <= graded[1]
        };
        match games.iter().find(|(_, record)| !is_possible(record)) {
            Some((_, record)) => Err(format!(
                "a game of {} turns, {:?} of them graded and {:?} perfect: \
                 allowed are at most {MOST_TURNS} turns, and not more perfect than graded turns",
                record.turns, record.graded, record.perfect
            )),
            None => Ok(RememberedGames(games)),
        }
    }
}

/// A game that reaches this number of turns ends as a draw. It is a safeguard for games without a cap on plies; no game
/// today comes near it.
const MOST_TURNS: u32 = 1 << 20;

/// With less work than this, threads cost more time than they save. One unit is an edge evaluated for one block of
/// positions, or one game.
const WORTH_THREADS: usize = 200_000;

impl<G: Game> Arena<G> {
    /// Prepares what all games share. For a small game this includes the atlas and its solution.
    pub fn new(seating: Seating<G>) -> Arena<G> {
        Arena::with_tables(seating, true)
    }

    /// Like [`Arena::new`], but `tables` says whether decisions are tabulated. Without tables every decision is
    /// computed when it is needed; tests compare the two ways.
    pub fn with_tables(seating: Seating<G>, tables: bool) -> Arena<G> {
        let starts = Starts::new(&seating.setup);
        let examiner = Examiner::new(&seating.setup);
        let encoded_atlas = examiner.as_ref().filter(|_| tables).and_then(|examiner| {
            let atlas = examiner.atlas()?;
            Some(EncodedAtlas::new(&seating, Arc::clone(atlas), &**examiner.solver()?))
        });
        let start_numbers = match (&encoded_atlas, starts.listed()) {
            (Some(encoded_atlas), Some(listed)) => listed
                .iter()
                .map(|start| encoded_atlas.atlas.number(start).expect("the atlas begins with the starts"))
                .collect(),
            _ => Vec::new(),
        };
        Arena {
            seating: Arc::new(seating),
            starts,
            examiner,
            encoded_atlas,
            start_numbers,
            known: FxHashMap::default(),
            remembered: FxHashMap::default(),
            reused: 0,
            judged: AtomicU64::new(0),
            techniques: Techniques::ALL,
            won: None,
            pool: None,
            scratches: Vec::new(),
        }
        .with_scratches()
    }

    /// Uses this number of threads. Results do not depend on it.
    pub fn on_threads(mut self, threads: usize) -> Arena<G> {
        // If threads cannot be started, all work is done on the current thread.
        self.pool = thread_pool(threads);
        self.with_scratches()
    }

    fn with_scratches(self) -> Arena<G> {
        let count = self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads);
        let scratches = (0..count).map(|_| Mutex::new(SeatScratch::new(self.techniques))).collect();
        Arena { scratches, ..self }
    }

    /// Keeps the positions of won games, which [`Arena::won`] returns. The arena then uses no tables and plays every
    /// game anew.
    pub fn keeping_won(self) -> Arena<G> {
        Arena { encoded_atlas: None, start_numbers: Vec::new(), won: Some(Vec::new()), ..self }
    }

    /// The won games among those played last: the winner's place, and all positions in which the winner was to move.
    /// Empty unless [they are kept](Arena::keeping_won).
    pub fn won(&self) -> &[(u32, Vec<G>)] {
        self.won.as_deref().unwrap_or(&[])
    }

    /// Lets searches use these techniques. Results do not depend on them, except which of several moves of equal value
    /// is chosen.
    pub fn with_techniques(self, techniques: Techniques) -> Arena<G> {
        Arena { techniques, ..self }.with_scratches()
    }

    /// The seating that all networks share.
    pub fn seating(&self) -> &Arc<Seating<G>> {
        &self.seating
    }

    /// The positions in which games begin, before any opening.
    pub fn starts(&self) -> &Starts<G> {
        &self.starts
    }

    /// Draws a start and plays a random opening from it.
    pub fn draw_start(&self, conditions: &Conditions, rng: &mut Rng) -> GameHistory<G> {
        let start = GameHistory::new(self.starts.draw(rng), &self.seating.setup, 0);
        let Conditions { least_plies, opening_plies, .. } = *conditions;
        match opening_plies {
            0 => start,
            most => opening(&start, least_plies + rng.below(most - least_plies + 1), rng),
        }
    }

    /// The number of positions that networks have evaluated so far, for tables and in games. Cached results count again
    /// and a table counts whenever its network enters, so that the number depends neither on threads nor on caches.
    pub fn judged(&self) -> u64 {
        self.judged.load(Ordering::Relaxed)
    }

    /// The number of games that were not played because the same two networks had already played from the same start.
    /// It is 0 where decisions are tabulated: there, playing a game costs less than remembering it.
    pub fn reused(&self) -> u64 {
        self.reused
    }

    /// The examiner that grades players of this game; `None` if nothing is known about the game.
    pub fn examiner(&self) -> Option<&Examiner<G>> {
        self.examiner.as_ref()
    }

    /// Prepares all networks of a generation. Networks that were in the last generation keep their tables.
    pub fn enter(&mut self, networks: &[Arc<Network>]) -> Vec<Entrant> {
        let Some(encoded_atlas) = &self.encoded_atlas else {
            let enter = |network| Entrant { prepared: PreparedNetwork::new(&self.seating, network), table: None };
            return networks.iter().map(enter).collect();
        };
        // 1. Find the new networks, each once.
        let mut next: FxHashMap<usize, Option<Entrant>> = FxHashMap::default();
        let mut fresh: Vec<&Arc<Network>> = Vec::new();
        for network in networks {
            next.entry(address(network)).or_insert_with_key(|address| {
                let known = self.known.remove(address);
                if known.is_none() {
                    fresh.push(network);
                }
                known
            });
        }
        // 2. Compute their tables.
        let seating = &self.seating;
        let positions = encoded_atlas.judged(seating);
        let work: usize = fresh.iter().map(|network| network.edges() * positions / evolution::LANES).sum();
        let tabulate = |scratch: &mut SeatScratch<G>, place: usize| {
            let prepared = PreparedNetwork::new(seating, fresh[place]);
            let table = Some(Arc::new(encoded_atlas.tabulate(seating, &prepared, scratch)));
            Entrant { prepared, table }
        };
        let pool = self.pool.as_ref().filter(|_| work > WORTH_THREADS);
        let made: Vec<Entrant> = in_parallel(pool, fresh.len(), SeatScratch::default, tabulate);
        // 3. Put all entrants at their places.
        for (network, entrant) in fresh.into_iter().zip(made) {
            next.insert(address(network), Some(entrant));
        }
        self.known = next.into_iter().filter_map(|(address, entrant)| Some((address, entrant?))).collect();
        let entrants: Vec<Entrant> = networks.iter().map(|network| self.known[&address(network)].clone()).collect();
        entrants.iter().for_each(|entrant| self.enter_again(entrant));
        entrants
    }

    /// Prepares one network, outside any generation.
    pub fn enter_one(&mut self, network: &Arc<Network>) -> Entrant {
        let prepared = PreparedNetwork::new(&self.seating, network);
        let table = self.encoded_atlas.as_ref().map(|encoded_atlas| {
            Arc::new(encoded_atlas.tabulate(&self.seating, &prepared, &mut SeatScratch::default()))
        });
        let entrant = Entrant { prepared, table };
        self.enter_again(&entrant);
        entrant
    }

    /// Counts the evaluations that a prepared network's table took, as if it entered anew; see [`Arena::judged`].
    pub fn enter_again(&self, entrant: &Entrant) {
        let judged = entrant.table.as_ref().map_or(0, |table| table.judged());
        self.judged.fetch_add(judged, Ordering::Relaxed);
    }

    /// Whether the arena remembers games, so that no game is played twice.
    pub fn remembers_games(&self) -> bool {
        self.encoded_atlas.is_none() && self.won.is_none()
    }

    /// Plays all pairings and returns the records in the same order. Starts are drawn in the order of their numbers.
    pub fn play(
        &mut self,
        entrants: &[Entrant],
        pairings: &[Pairing],
        conditions: &Conditions,
        rng: &mut Rng,
    ) -> Vec<GameRecord> {
        let Conditions { opening_plies, blunders, .. } = *conditions;
        if blunders > 0.0 {
            let starts = self.draw_starts(pairings, conditions, rng);
            // Each game has a random generator of its own, so that the thread that plays it does not matter.
            let seeds: Vec<(&Pairing, u64)> =
                pairings.iter().map(|pairing| (pairing, rng.below(usize::MAX) as u64)).collect();
            let played = self.play_all(&seeds, |scratch, &(pairing, seed)| {
                let blunders = Some((blunders, rng_for(seed, &[])));
                self.play_out(entrants, *pairing, &starts[pairing.start as usize], blunders, scratch)
            });
            return self.keep_won(played);
        }
        match &self.encoded_atlas {
            Some(encoded_atlas) => {
                let start = |_| match opening_plies {
                    0 => self.start_numbers[self.starts.draw_place(rng)],
                    _ => encoded_atlas
                        .atlas
                        .number(self.draw_start(conditions, rng).game())
                        .expect("play stays within the atlas"),
                };
                let starts: Vec<u32> = (0..count_of_starts(pairings)).map(start).collect();
                let tables: Vec<&DecisionTable> =
                    entrants.iter().map(|entrant| &**entrant.table.as_ref().expect("all entered this arena")).collect();
                let atlas = &encoded_atlas.atlas;
                let start = |pairing: &Pairing| starts[pairing.start as usize];
                match self.pool.as_ref().filter(|_| pairings.len() > WORTH_THREADS / 4) {
                    pool @ Some(_) => {
                        let walk =
                            |(): &mut (), place: usize| walk(atlas, &tables, pairings[place], start(&pairings[place]));
                        in_parallel(pool, pairings.len(), || (), walk)
                    }
                    None => pairings.iter().map(|pairing| walk(atlas, &tables, *pairing, start(pairing))).collect(),
                }
            }
            None => {
                let starts = self.draw_starts(pairings, conditions, rng);
                if self.won.is_some() {
                    let played = self.play_all(pairings, |scratch, pairing| {
                        self.play_out(entrants, *pairing, &starts[pairing.start as usize], None, scratch)
                    });
                    return self.keep_won(played);
                }
                self.play_new(entrants, pairings, &starts)
            }
        }
    }

    /// Forgets all games except those that may be needed again: between two of these networks, or between one of them
    /// and a champion. `is_champion` says whether a fingerprint belongs to a champion.
    pub fn forget_except(&mut self, networks: &[Arc<Network>], is_champion: impl Fn(u64) -> bool) {
        if self.remembered.is_empty() {
            return;
        }
        let stay: FxHashSet<u64> = networks.iter().map(|network| network.fingerprint()).collect();
        self.remembered.retain(|Meeting { first, second, .. }, _| {
            let known = |id: &u64| stay.contains(id) || is_champion(*id);
            (stay.contains(first) || stay.contains(second)) && known(first) && known(second)
        });
    }

    /// The remembered games, sorted.
    pub fn met(&self) -> RememberedGames {
        let mut games: Vec<(Meeting, GameRecord)> =
            self.remembered.iter().map(|(&meeting, &record)| (meeting, record)).collect();
        games.sort_by_key(|(meeting, _)| *meeting);
        RememberedGames(games)
    }

    /// Adds games that were played before to the remembered games.
    pub fn remember(&mut self, games: RememberedGames) {
        self.remembered.extend(games.0);
    }

    /// The starts of these pairings, in the order of their numbers.
    fn draw_starts(&self, pairings: &[Pairing], conditions: &Conditions, rng: &mut Rng) -> Vec<GameHistory<G>> {
        (0..count_of_starts(pairings)).map(|_| self.draw_start(conditions, rng)).collect()
    }

    /// Plays the games that are not remembered yet, and looks the others up.
    fn play_new(&mut self, entrants: &[Entrant], pairings: &[Pairing], starts: &[GameHistory<G>]) -> Vec<GameRecord> {
        let (keys, fresh) = self.not_remembered(entrants, pairings, starts);
        let played = self.play_all(&fresh, |scratch, pairing| {
            self.play_out(entrants, *pairing, &starts[pairing.start as usize], None, scratch)
        });
        let records = played.into_iter().map(|(record, _)| record).collect();
        self.all_records(entrants, pairings, &keys, &fresh, records)
    }

    /// The keys of the starts, and the games that are not remembered; of equal ones among them, the first. The others
    /// are counted as reused.
    fn not_remembered(
        &mut self,
        entrants: &[Entrant],
        pairings: &[Pairing],
        starts: &[GameHistory<G>],
    ) -> (Vec<u64>, Vec<Pairing>) {
        // The number of opening plies is part of the key, as the cap on plies counts them.
        let key = |start: &GameHistory<G>| start.game().key() ^ mix(start.plies().into());
        let keys: Vec<u64> = starts.iter().map(key).collect();
        let mut asked = FxHashSet::default();
        let is_fresh = |pairing: &&Pairing| {
            let meeting = meeting(entrants, &keys, pairing);
            !self.remembered.contains_key(&meeting) && asked.insert(meeting)
        };
        let fresh: Vec<Pairing> = pairings.iter().filter(is_fresh).copied().collect();
        self.reused += (pairings.len() - fresh.len()) as u64;
        (keys, fresh)
    }

    /// Remembers the records of fresh games; returns the records of all pairings, in their order.
    fn all_records(
        &mut self,
        entrants: &[Entrant],
        pairings: &[Pairing],
        keys: &[u64],
        fresh: &[Pairing],
        records: Vec<GameRecord>,
    ) -> Vec<GameRecord> {
        self.remembered.extend(fresh.iter().map(|pairing| meeting(entrants, keys, pairing)).zip(records));
        let record = |pairing: &Pairing| {
            let Pairing { first, second, .. } = *pairing;
            GameRecord { first, second, ..self.remembered[&meeting(entrants, keys, pairing)] }
        };
        pairings.iter().map(record).collect()
    }

    /// Keeps the positions of won games, and returns the records.
    fn keep_won(&mut self, played: Vec<(GameRecord, Vec<G>)>) -> Vec<GameRecord> {
        if let Some(won) = &mut self.won {
            won.clear();
        }
        let keep = |(record, positions): (GameRecord, Vec<G>)| {
            if let (Outcome::Win(side), Some(won)) = (record.outcome, &mut self.won) {
                won.push((if side == Side::First { record.first } else { record.second }, positions));
            }
            record
        };
        played.into_iter().map(keep).collect()
    }

    /// Plays all games, independently of each other, on all threads.
    fn play_all<T: Sync, R: Send>(
        &self,
        games: &[T],
        play: impl Fn(&mut SeatScratch<G>, &T) -> R + Send + Sync,
    ) -> Vec<R> {
        // No other thread uses this scratch memory, so the lock is always free.
        let begin = || {
            let thread = rayon::current_thread_index().unwrap_or(0);
            self.scratches[thread].lock().unwrap_or_else(PoisonError::into_inner)
        };
        let play = |scratch: &mut MutexGuard<SeatScratch<G>>, place: usize| {
            let before = scratch.eval.judged;
            let record = play(scratch, &games[place]);
            self.judged.fetch_add(scratch.eval.judged - before, Ordering::Relaxed);
            record
        };
        in_parallel(self.pool.as_ref(), games.len(), begin, play)
    }

    /// Plays one game and computes each decision when it is needed. Also returns the positions in which the winner was
    /// to move, if they are kept.
    fn play_out(
        &self,
        entrants: &[Entrant],
        pairing: Pairing,
        start: &GameHistory<G>,
        mut blunders: Option<(f64, Rng)>,
        scratch: &mut SeatScratch<G>,
    ) -> (GameRecord, Vec<G>) {
        let Pairing { first, second, .. } = pairing;
        let mut record =
            GameRecord { first, second, turns: 0, perfect: [0; 2], graded: [0; 2], outcome: Outcome::Draw };
        let mut history = start.clone();
        let mut positions: [Vec<G>; 2] = Default::default();
        scratch.eval.forget();
        // In records the entrant that moves first is `Side::First`, whichever side moves first in the start.
        let opens = start.game().side_to_move();
        let ending = play_on(&mut history, MOST_TURNS as usize, |history| {
            let game = history.game();
            let side = if game.side_to_move() == opens { Side::First } else { Side::Second };
            record.turns += 1;
            if self.won.is_some() {
                positions[side as usize].push(game.clone());
            }
            if let Some((chance, rng)) = &mut blunders
                && rng.unit() < *chance
            {
                return Ok(scratch.any_move(game, rng));
            }
            let place = if side == Side::First { first } else { second };
            let decision = self.seating.look_up_or_decide(&entrants[place as usize].prepared, history, scratch);
            self.grade(game, decision, side, &mut record);
            match decision {
                Decision::Move(mv) => Ok(mv),
                Decision::Illegal => Err(()),
            }
        });
        record.outcome = renamed(ending.outcome(), opens, Side::First);
        let [first, second] = positions;
        match record.outcome {
            Outcome::Win(Side::First) => (record, first),
            Outcome::Win(Side::Second) => (record, second),
            Outcome::Draw => (record, Vec::new()),
        }
    }

    /// Counts a turn as graded, and as perfect, if a solver knows about the position.
    fn grade(&self, game: &G, decision: Decision<G::Move>, side: Side, record: &mut GameRecord) {
        let solver = self.examiner.as_ref().and_then(|examiner| examiner.solver());
        let perfect = solver.and_then(|solver| match decision {
            Decision::Move(mv) => solver.perfect(game, mv),
            Decision::Illegal => solver.illegal_perfect(game),
        });
        let count = |turns: &mut [u16; 2], holds: bool| {
            turns[side as usize] = turns[side as usize].saturating_add(u16::from(holds));
        };
        count(&mut record.perfect, perfect == Some(true));
        count(&mut record.graded, perfect.is_some());
    }
}

/// Identifies the game of a pairing; `keys` are the keys of the starts.
fn meeting(entrants: &[Entrant], keys: &[u64], pairing: &Pairing) -> Meeting {
    Meeting {
        first: entrants[pairing.first as usize].prepared.id,
        second: entrants[pairing.second as usize].prepared.id,
        start: keys[pairing.start as usize],
    }
}

/// The number of different starts of these pairings.
fn count_of_starts(pairings: &[Pairing]) -> usize {
    pairings.iter().map(|pairing| pairing.start as usize + 1).max().unwrap_or(0)
}

/// The outcome with the sides renamed, so that `mover` becomes `side`.
fn renamed(outcome: Outcome, mover: Side, side: Side) -> Outcome {
    match outcome {
        Outcome::Win(winner) if winner == mover => Outcome::Win(side),
        Outcome::Win(_) => Outcome::Win(!side),
        Outcome::Draw => Outcome::Draw,
    }
}

/// The network's address in memory, which identifies it without comparing contents.
fn address(network: &Arc<Network>) -> usize {
    Arc::as_ptr(network).addr()
}

/// Plays one game by looking up all decisions in two tables. Inlined, it takes a third less time.
#[inline(always)]
fn walk<G: Game>(atlas: &Atlas<G>, tables: &[&DecisionTable], pairing: Pairing, start: u32) -> GameRecord {
    let Pairing { first, second, .. } = pairing;
    let seats = [tables[first as usize], tables[second as usize]];
    let (mut position, mut turns, mut perfect, mut mover) = (start as usize, 0u32, [0; 2], 0);
    let sides = [Side::First, Side::Second];
    let outcome = loop {
        let Some(step) = seats[mover].step(position) else {
            break match atlas.ending(position) {
                Value::Won => Outcome::Win(sides[mover]),
                Value::Lost => Outcome::Win(sides[1 - mover]),
                Value::Drawn => Outcome::Draw,
            };
        };
        turns += 1;
        perfect[mover] += step.perfect();
        if step.illegal() {
            break Outcome::Win(sides[1 - mover]);
        }
        position = step.next();
        mover = 1 - mover;
    };
    // The two sides take turns, beginning with the first. An atlas is so small that 16 bits suffice.
    let graded = [turns.div_ceil(2) as u16, (turns / 2) as u16];
    GameRecord { first, second, turns, perfect, graded, outcome }
}

pub use sharing::{SharedGame, SharedRecords, Sharing, SharingError};

mod examination;
mod self_play;
mod sharing;
mod study;
#[cfg(test)]
mod tests;
