//! The games of a generation, all at once: by tables where the game is small, move by move where it is not. Both ways
//! give the same records, on any number of threads.

use crate::decision::SeatScratch;
use crate::game_history::mix;
use crate::referee::play_on;
use crate::threads::crew;
use crate::{
    Atlas, Decision, DecisionTable, EncodedAtlas, Examiner, GameHistory, Pairing, PreparedNetwork, Seating, Starts,
    Techniques, opening,
};
use chance::{Rng, rng_for};
use evolution::Network;
use games::{Game, Outcome, Side, Value};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// One game that was played, as scoring needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The place of the entrant who moved first.
    pub first: u32,
    /// The place of the other.
    pub second: u32,
    /// Turns taken, an illegal attempt included.
    pub turns: u32,
    /// Perfect turns of the first and of the second.
    pub perfect: [u16; 2],
    /// Turns of each of which a solver could tell whether they are perfect.
    pub graded: [u16; 2],
    /// How it ended.
    pub outcome: Outcome,
}

/// A network that is ready to play.
#[derive(Clone)]
pub struct Entrant {
    /// The network, ready for its seat.
    pub prepared: PreparedNetwork,
    /// All its decisions, where the game is small.
    pub(crate) table: Option<Arc<DecisionTable>>,
}

impl Entrant {
    /// About how much memory it takes.
    pub fn memory(&self) -> usize {
        size_of::<Entrant>() + self.prepared.memory() + self.table.as_ref().map_or(0, |table| table.memory())
    }
}

/// Under which conditions games are played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Conditions {
    /// Games begin after at least so many random plies,
    pub least_plies: usize,
    /// and at most so many, each number equally likely.
    pub opening_plies: usize,
    /// The chance that a move is a random one instead: so networks meet what good play avoids, and do not forget what to
    /// do about it. Such games are never remembered.
    pub blunders: f64,
}

/// Everything that the games of an experiment have in common.
pub struct Arena<G: Game> {
    seating: Arc<Seating<G>>,
    starts: Starts<G>,
    examiner: Option<Examiner<G>>,
    sheet: Option<EncodedAtlas<G>>,
    /// Where each listed start is in the atlas.
    start_numbers: Vec<u32>,
    /// Tables of the networks that entered last, by the network's address; the entrant keeps that address taken.
    known: FxHashMap<usize, Entrant>,
    /// Games that were played, so that none is played twice.
    met: FxHashMap<Meeting, GameRecord>,
    reused: u64,
    judged: AtomicU64,
    techniques: Techniques,
    /// The positions of the games played last in which the winner was to move, with the winner's place, if they are kept.
    won: Option<Vec<(u32, Vec<G>)>>,
    /// Helpers, where more than one thread is wanted.
    crew: Option<rayon::ThreadPool>,
    /// One for each of them, or for the only thread; what was decided before lies there.
    desks: Vec<Mutex<SeatScratch<G>>>,
}

/// Who met whom, by fingerprint, and from where, by key: deterministic players play the same game again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Meeting {
    first: u64,
    second: u64,
    start: u64,
}

/// Games that need not be played again, as they are saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(Meeting, GameRecord)>")]
pub struct RememberedGames(Vec<(Meeting, GameRecord)>);

impl TryFrom<Vec<(Meeting, GameRecord)>> for RememberedGames {
    type Error = String;

    /// Refuses games that cannot have been played.
    fn try_from(games: Vec<(Meeting, GameRecord)>) -> Result<RememberedGames, String> {
        let can_be = |GameRecord { turns, perfect, graded, .. }: &GameRecord| {
            *turns <= MOST_TURNS && perfect[0] <= graded[0] && perfect[1] <= graded[1]
        };
        match games.iter().find(|(_, record)| !can_be(record)) {
            Some((_, record)) => Err(format!(
                "a game of {} turns, of {:?} and {:?} perfect ones, where at most {MOST_TURNS} turns are played",
                record.turns, record.graded, record.perfect
            )),
            None => Ok(RememberedGames(games)),
        }
    }
}

/// Games without a cap of their own are broken off as drawn when they are longer; none of today comes near it.
const MOST_TURNS: u32 = 1 << 20;

/// Below this many steps of work (an edge for a block of positions, a game) threads cost more than they save.
const WORTH_THREADS: usize = 200_000;

impl<G: Game> Arena<G> {
    /// Prepares what all games share; small games are drawn and solved.
    pub fn new(seating: Seating<G>) -> Arena<G> {
        Arena::with_tables(seating, true)
    }

    /// Without tables, every decision is worked out when it is needed: the plain way, which tests compare with.
    pub fn with_tables(seating: Seating<G>, tables: bool) -> Arena<G> {
        let starts = Starts::new(&seating.setup);
        let examiner = Examiner::new(&seating.setup);
        let sheet = examiner.as_ref().filter(|_| tables).and_then(|examiner| {
            let atlas = examiner.atlas()?;
            Some(EncodedAtlas::new(&seating, Arc::clone(atlas), &**examiner.solver()?))
        });
        let start_numbers = match (&sheet, starts.listed()) {
            (Some(sheet), Some(listed)) => listed
                .iter()
                .map(|start| sheet.atlas.number(start).expect("the atlas begins with the starts"))
                .collect(),
            _ => Vec::new(),
        };
        Arena {
            seating: Arc::new(seating),
            starts,
            examiner,
            sheet,
            start_numbers,
            known: FxHashMap::default(),
            met: FxHashMap::default(),
            reused: 0,
            judged: AtomicU64::new(0),
            techniques: Techniques::ALL,
            won: None,
            crew: None,
            desks: Vec::new(),
        }
        .with_desks()
    }

    /// Lets so many threads share the work; what comes of it does not depend on their number.
    pub fn on_threads(mut self, threads: usize) -> Arena<G> {
        // Where no threads can be had, the work is done without.
        self.crew = crew(threads);
        self.with_desks()
    }

    fn with_desks(self) -> Arena<G> {
        let count = self.crew.as_ref().map_or(1, rayon::ThreadPool::current_num_threads);
        let desks = (0..count).map(|_| Mutex::new(SeatScratch::new(self.techniques))).collect();
        Arena { desks, ..self }
    }

    /// Keeps positions of won games, for who wants to [remember](Arena::won) them; this goes without tables, and every game
    /// is played.
    pub fn keeping_won(self) -> Arena<G> {
        Arena { sheet: None, start_numbers: Vec::new(), won: Some(Vec::new()), ..self }
    }

    /// The games played last that were won: the winner's place, and all positions in which it was to
    /// move. Nothing where they are not [kept](Arena::keeping_won).
    pub fn won(&self) -> &[(u32, Vec<G>)] {
        self.won.as_deref().unwrap_or(&[])
    }

    /// Lets searches use these techniques; what comes of it does not depend on them but for moves of equal value.
    pub fn with_techniques(self, techniques: Techniques) -> Arena<G> {
        Arena { techniques, ..self }.with_desks()
    }

    /// How networks sit here.
    pub fn seating(&self) -> &Arc<Seating<G>> {
        &self.seating
    }

    /// Where games begin, before any opening.
    pub fn starts(&self) -> &Starts<G> {
        &self.starts
    }

    /// Where a game begins, its opening made.
    pub fn draw_start(&self, conditions: &Conditions, rng: &mut Rng) -> GameHistory<G> {
        let start = GameHistory::new(self.starts.draw(rng), &self.seating.setup, 0);
        let Conditions { least_plies, opening_plies, .. } = *conditions;
        match opening_plies {
            0 => start,
            most => opening(&start, least_plies + rng.below(most - least_plies + 1), rng),
        }
    }

    /// How many positions networks have judged in all, for tables and in games. What is looked up counts again, so that the
    /// number depends neither on threads nor on what is remembered: a table counts whenever its network takes a seat.
    pub fn judged(&self) -> u64 {
        self.judged.load(Ordering::Relaxed)
    }

    /// How many games were not played because the same two had met from the same start. Where decisions are tabulated a
    /// game costs less than to remember it, and all are played.
    pub fn reused(&self) -> u64 {
        self.reused
    }

    /// Grades players of this game, where anybody can.
    pub fn examiner(&self) -> Option<&Examiner<G>> {
        self.examiner.as_ref()
    }

    /// Makes a whole generation ready. Networks that were in the last one keep their tables.
    pub fn enter(&mut self, networks: &[Arc<Network>]) -> Vec<Entrant> {
        let Some(sheet) = &self.sheet else {
            let enter = |network| Entrant { prepared: PreparedNetwork::new(&self.seating, network), table: None };
            return networks.iter().map(enter).collect();
        };
        // 1. Who is new, each once.
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
        // 2. Their tables.
        let seating = &self.seating;
        let positions = sheet.judged(seating);
        let work: usize = fresh.iter().map(|network| network.edges() * positions / evolution::LANES).sum();
        let tabulate = |scratch: &mut SeatScratch<G>, network: &&Arc<Network>| {
            let prepared = PreparedNetwork::new(seating, network);
            let table = Some(Arc::new(sheet.tabulate(seating, &prepared, scratch)));
            Entrant { prepared, table }
        };
        let made: Vec<Entrant> = match &self.crew {
            Some(crew) if work > WORTH_THREADS => {
                crew.install(|| fresh.par_iter().map_init(SeatScratch::default, tabulate).collect())
            }
            _ => {
                let mut scratch = SeatScratch::default();
                fresh.iter().map(|network| tabulate(&mut scratch, network)).collect()
            }
        };
        // 3. Everybody at their places.
        for (network, entrant) in fresh.into_iter().zip(made) {
            next.insert(address(network), Some(entrant));
        }
        self.known = next.into_iter().filter_map(|(address, entrant)| Some((address, entrant?))).collect();
        let entrants: Vec<Entrant> = networks.iter().map(|network| self.known[&address(network)].clone()).collect();
        entrants.iter().for_each(|entrant| self.enter_again(entrant));
        entrants
    }

    /// Makes one network ready, outside any generation.
    pub fn enter_one(&mut self, network: &Arc<Network>) -> Entrant {
        let prepared = PreparedNetwork::new(&self.seating, network);
        let table = self
            .sheet
            .as_ref()
            .map(|sheet| Arc::new(sheet.tabulate(&self.seating, &prepared, &mut SeatScratch::default())));
        let entrant = Entrant { prepared, table };
        self.enter_again(&entrant);
        entrant
    }

    /// Notes that a network that is ready takes a seat: what it [judged](Arena::judged) for its table counts.
    pub fn enter_again(&self, entrant: &Entrant) {
        let judged = entrant.table.as_ref().map_or(0, |table| table.judged());
        self.judged.fetch_add(judged, Ordering::Relaxed);
    }

    /// Whether games are remembered, so that none is played twice.
    pub fn remembers_games(&self) -> bool {
        self.sheet.is_none() && self.won.is_none()
    }

    /// Plays all pairings; the records are in their order. Starts are drawn one after the other, by number.
    pub fn play(
        &mut self,
        entrants: &[Entrant],
        pairings: &[Pairing],
        conditions: &Conditions,
        rng: &mut Rng,
    ) -> Vec<GameRecord> {
        let Conditions { opening_plies, blunders, .. } = *conditions;
        let starts = pairings.iter().map(|pairing| pairing.start as usize + 1).max().unwrap_or(0);
        if blunders > 0.0 {
            let starts: Vec<GameHistory<G>> = (0..starts).map(|_| self.draw_start(conditions, rng)).collect();
            // Each game has its own chance, whoever plays it.
            let seeds: Vec<(&Pairing, u64)> =
                pairings.iter().map(|pairing| (pairing, rng.below(usize::MAX) as u64)).collect();
            let played = self.play_all(&seeds, |scratch, &(pairing, seed)| {
                let blunders = Some((blunders, rng_for(seed, &[])));
                self.play_out(entrants, *pairing, &starts[pairing.start as usize], blunders, scratch)
            });
            return self.keep_won(played);
        }
        match &self.sheet {
            Some(sheet) => {
                let start = |_| match opening_plies {
                    0 => self.start_numbers[self.starts.draw_place(rng)],
                    _ => sheet
                        .atlas
                        .number(self.draw_start(conditions, rng).game())
                        .expect("play stays within the atlas"),
                };
                let starts: Vec<u32> = (0..starts).map(start).collect();
                let tables: Vec<&DecisionTable> =
                    entrants.iter().map(|entrant| &**entrant.table.as_ref().expect("all entered this arena")).collect();
                let walk = |pairing: &Pairing| walk(&sheet.atlas, &tables, *pairing, starts[pairing.start as usize]);
                match &self.crew {
                    Some(crew) if pairings.len() > WORTH_THREADS / 4 => {
                        crew.install(|| pairings.par_iter().with_min_len(1024).map(walk).collect())
                    }
                    _ => pairings.iter().map(walk).collect(),
                }
            }
            None => {
                let starts: Vec<GameHistory<G>> = (0..starts).map(|_| self.draw_start(conditions, rng)).collect();
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

    /// Forgets all games but those of networks that will play again, with each other and with champions, who may.
    /// `is_champion` tells by fingerprint.
    pub fn forget_except(&mut self, networks: &[Arc<Network>], is_champion: impl Fn(u64) -> bool) {
        if self.met.is_empty() {
            return;
        }
        let stay: FxHashSet<u64> = networks.iter().map(|network| network.fingerprint()).collect();
        self.met.retain(|Meeting { first, second, .. }, _| {
            let known = |id: &u64| stay.contains(id) || is_champion(*id);
            (stay.contains(first) || stay.contains(second)) && known(first) && known(second)
        });
    }

    /// The games that need not be played again, always in the same order.
    pub fn met(&self) -> RememberedGames {
        let mut met: Vec<(Meeting, GameRecord)> =
            self.met.iter().map(|(&meeting, &record)| (meeting, record)).collect();
        met.sort_by_key(|(meeting, _)| *meeting);
        RememberedGames(met)
    }

    /// Remembers games that were played before.
    pub fn remember(&mut self, met: RememberedGames) {
        self.met.extend(met.0);
    }

    /// Plays what has not been played yet, and looks the rest up.
    fn play_new(&mut self, entrants: &[Entrant], pairings: &[Pairing], starts: &[GameHistory<G>]) -> Vec<GameRecord> {
        // 1. Who has not met; of those that are the same here, the first.
        // The cap counts the opening's plies, so that they make a difference.
        let key = |start: &GameHistory<G>| start.game().key() ^ mix(start.plies().into());
        let keys: Vec<u64> = starts.iter().map(key).collect();
        let meeting = |pairing: &Pairing| Meeting {
            first: entrants[pairing.first as usize].prepared.id,
            second: entrants[pairing.second as usize].prepared.id,
            start: keys[pairing.start as usize],
        };
        let mut asked = FxHashSet::default();
        let fresh: Vec<&Pairing> = pairings
            .iter()
            .filter(|pairing| {
                let meeting = meeting(pairing);
                !self.met.contains_key(&meeting) && asked.insert(meeting)
            })
            .collect();
        self.reused += (pairings.len() - fresh.len()) as u64;
        // 2. Their games.
        let played = self.play_all(&fresh, |scratch, pairing| {
            self.play_out(entrants, **pairing, &starts[pairing.start as usize], None, scratch)
        });
        // 3. All records, at their places.
        let records = played.into_iter().map(|(record, _)| record);
        self.met.extend(fresh.iter().map(|pairing| meeting(pairing)).zip(records));
        let record = |pairing: &Pairing| {
            let Pairing { first, second, .. } = *pairing;
            GameRecord { first, second, ..self.met[&meeting(pairing)] }
        };
        pairings.iter().map(record).collect()
    }

    /// Puts the positions of won games aside.
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

    /// Plays games, each by itself, on as many threads as there are.
    fn play_all<T: Sync, R: Send>(
        &self,
        games: &[T],
        play: impl Fn(&mut SeatScratch<G>, &T) -> R + Send + Sync,
    ) -> Vec<R> {
        // Nobody else sits at a thread's desk.
        let play = |thread: usize, game: &T| {
            let mut scratch = self.desks[thread].lock().unwrap_or_else(PoisonError::into_inner);
            let before = scratch.room.judged;
            let record = play(&mut scratch, game);
            self.judged.fetch_add(scratch.room.judged - before, Ordering::Relaxed);
            record
        };
        match &self.crew {
            Some(crew) => {
                let play = |game| play(rayon::current_thread_index().unwrap_or(0), game);
                crew.install(|| games.par_iter().map(play).collect())
            }
            None => games.iter().map(|game| play(0, game)).collect(),
        }
    }

    /// One game, each decision worked out when it is needed; with the positions in which the winner was to move, if they
    /// are kept.
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
        scratch.room.forget();
        // The first mover is called first, whatever the start calls it.
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

    /// Counts whether a side's turn is perfect, where anybody can tell.
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

/// How a game ended, where the mover is called that side.
fn renamed(outcome: Outcome, mover: Side, side: Side) -> Outcome {
    match outcome {
        Outcome::Win(winner) if winner == mover => Outcome::Win(side),
        Outcome::Win(_) => Outcome::Win(!side),
        Outcome::Draw => Outcome::Draw,
    }
}

/// Tells networks apart without looking into them.
fn address(network: &Arc<Network>) -> usize {
    Arc::as_ptr(network).addr()
}

/// One game as a walk through two tables.
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
    // The first side takes every other turn, beginning with the first; an atlas is small enough to count in 16 bits.
    let graded = [turns.div_ceil(2) as u16, (turns / 2) as u16];
    GameRecord { first, second, turns, perfect, graded, outcome }
}

mod examination;
mod self_play;
#[cfg(test)]
mod tests;
