//! The trainer: networks play, get scores, and the strategy breeds the next generation.

use crate::Error;
use crate::experiment::TypedExperiment;
use crate::hall_of_fame::{Archive, HallOfFame, Past};
use crate::openings::measuring_plies;
use crate::report::{Birth, GenomeRecord, InheritanceReport, RecordedGame, Report, SpeciesReport};
use arena::{
    Arena, Conditions, Ending, Entrant, Exam, GameRecord, MatchScore, NetworkPlayer, Pairing, RememberedGames, Sharing,
    champion, play_game,
};
use chance::rng_for;
use evolution::{KinEntry, Network, NetworkError, Results, SpeciesEntry, Strategy};
use games::Game;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

mod learning;
mod part;

pub use part::PartPlayer;
pub(crate) use part::TypedPartPlayer;

/// Streams of random numbers, one for each purpose.
mod stream {
    pub const CREATE: u64 = 1;
    pub const PAIR: u64 = 2;
    pub const START: u64 = 3;
    pub const ADVANCE: u64 = 4;
    pub const GUESTS: u64 = 5;
    pub const PAST: u64 = 6;
    pub const SHOW: u64 = 7;
    pub const GROWTH: u64 = 8;
    pub const SCORE: u64 = 9;
}

/// A population in training.
pub struct Trainer<G: Game> {
    experiment: Arc<TypedExperiment<G>>,
    arena: Arena<G>,
    strategy: Box<dyn Strategy>,
    hall: HallOfFame,
    /// Numbers of games for scores, over all generations: games played, and games reused.
    games: u64,
    reused: u64,
    /// The number of positions that were evaluated before this process resumed the run.
    judged_before: u64,
    signature: u128,
    /// The number of random plies before games that measure growth.
    measuring_plies: usize,
    /// Lets other machines play the games for scores; `None` if they are played here.
    sharing: Option<Box<dyn Sharing>>,
}

/// Everything that is needed to continue a run between two generations.
pub struct Checkpoint {
    /// Fingerprints of all champions, in the order of their generations.
    pub fingerprints: Vec<u64>,
    /// The newest champion.
    pub newest: Option<Arc<Network>>,
    /// The population that plays next, as bytes.
    pub population: Vec<u8>,
    /// Games that the population need not play again.
    pub met: RememberedGames,
    /// The number of games played so far.
    pub games: u64,
    /// The number of games that were looked up instead of played.
    pub reused: u64,
    /// The number of positions evaluated so far.
    pub evaluations: u64,
    /// The signature of the last generation.
    pub signature: u128,
}

/// The results of one generation.
pub struct Generation {
    /// All measurements of the generation.
    pub report: Report,
    /// The champion's network.
    pub champion: Arc<Network>,
    /// Games of the champion that are recorded.
    pub games: Vec<RecordedGame>,
    /// The next population, as bytes.
    pub population: Vec<u8>,
    /// Games that the next population need not play again.
    pub met: RememberedGames,
    /// All genomes of the generation; the run file stores those that are new.
    pub births: Vec<Birth>,
    /// The species of the generation, if the strategy has species.
    pub species: Vec<SpeciesReport>,
    /// Genomes as text, in generations in which they are recorded.
    pub genomes: Vec<GenomeRecord>,
    /// How networks did, by the way in which they came into this generation; empty if the strategy does not know.
    pub inheritance: Vec<InheritanceReport>,
}

/// Everything measured about a generation's champion.
struct Champion {
    /// Its place in the population.
    place: usize,
    entrant: Entrant,
    past_share: Option<f64>,
    growth: Option<f64>,
    exam: Option<Exam>,
    /// The number of its genome.
    genome: Option<u64>,
}

/// The results of a generation's games.
struct GenerationGames {
    /// The population, followed by guests if there are any.
    entrants: Vec<Entrant>,
    records: Vec<GameRecord>,
    /// Scores by place, of the population only.
    scores: Vec<f64>,
    /// By place: inputs of positions in won games, if the strategy needs them.
    won: Vec<Vec<Vec<f32>>>,
}

/// The share of perfect turns of one entrant, among its turns that could be graded.
fn grade_in_games(place: u32, records: &[GameRecord]) -> f64 {
    let (mut perfect, mut graded) = (0u64, 0u64);
    for record in records {
        for (side, who) in [record.first, record.second].into_iter().enumerate() {
            if who == place {
                perfect += u64::from(record.perfect[side]);
                graded += u64::from(record.graded[side]);
            }
        }
    }
    perfect as f64 / graded.max(1) as f64
}

/// The mean number of turns per game, including illegal attempts.
fn mean_turns(records: &[GameRecord]) -> f64 {
    let turns: u64 = records.iter().map(|record| u64::from(record.turns)).sum();
    mean(turns as f64, records.len())
}

/// The mean; 0 if the count is 0.
fn mean(sum: f64, count: usize) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// The standard deviation of all scores; `None` for a single score.
fn spread(scores: &[f64]) -> Option<f64> {
    let middle = mean(scores.iter().sum(), scores.len());
    let squares = scores.iter().map(|score| (score - middle).powi(2)).sum();
    (scores.len() > 1).then(|| mean(squares, scores.len()).sqrt())
}

/// The conditions of games for scores.
fn conditions_for_scores<G: Game>(experiment: &TypedExperiment<G>) -> Conditions {
    Conditions { opening_plies: experiment.opening_plies, blunders: experiment.blunders, ..Conditions::default() }
}

/// Recorded games between champions are broken off after this number of plies.
const MOST_SHOWN_PLIES: usize = 10_000;

impl<G: Game> Trainer<G> {
    /// Creates the first generation, which has not played yet.
    pub fn create(experiment: Arc<TypedExperiment<G>>, threads: usize) -> Trainer<G> {
        let arena = Self::arena(&experiment, threads);
        let rng = &mut rng_for(experiment.seed, &[stream::CREATE]);
        let strategy = experiment.strategy.create(arena.seating().shape(), rng);
        let mut trainer = Trainer::new(experiment, arena, strategy);
        let mut hasher = Xxh3::new();
        hasher.update(&trainer.strategy.save());
        trainer.signature = hasher.digest128();
        trainer
    }

    /// Continues a run from a checkpoint.
    pub fn restore(
        experiment: Arc<TypedExperiment<G>>,
        threads: usize,
        checkpoint: Checkpoint,
    ) -> Result<Trainer<G>, NetworkError> {
        let arena = Self::arena(&experiment, threads);
        let shape = arena.seating().shape();
        let strategy = experiment.strategy.restore(shape, &checkpoint.population)?;
        // Champions are networks of the same kind as the population.
        let kind = strategy.networks().first().map(|network| std::mem::discriminant(&**network));
        let fits = |champion: &Arc<Network>| {
            champion.shape() == shape && kind.is_none_or(|kind| kind == std::mem::discriminant(&**champion))
        };
        if !checkpoint.newest.iter().all(fits) {
            return Err(NetworkError("a champion has another shape or kind than the population".to_string()));
        }
        let mut trainer = Trainer::new(experiment, arena, strategy);
        checkpoint.fingerprints.iter().for_each(|&fingerprint| trainer.hall.push_past(fingerprint));
        trainer.arena.remember(checkpoint.met);
        trainer.games = checkpoint.games;
        trainer.reused = checkpoint.reused;
        trainer.judged_before = checkpoint.evaluations;
        trainer.signature = checkpoint.signature;
        Ok(trainer)
    }

    fn new(experiment: Arc<TypedExperiment<G>>, arena: Arena<G>, strategy: Box<dyn Strategy>) -> Trainer<G> {
        let measuring_plies = measuring_plies::<G>(&experiment.setup);
        Trainer {
            experiment,
            hall: HallOfFame::new(arena.remembers_games()),
            arena,
            strategy,
            games: 0,
            reused: 0,
            judged_before: 0,
            signature: 0,
            measuring_plies,
            sharing: None,
        }
    }

    /// From now on, other machines play the games for scores. The experiment must be
    /// [one that can be shared](crate::ExperimentFile::why_not_shared).
    pub fn share(&mut self, sharing: Box<dyn Sharing>) {
        self.sharing = Some(sharing);
    }

    fn arena(experiment: &TypedExperiment<G>, threads: usize) -> Arena<G> {
        let arena = Arena::new(experiment.seating().clone()).on_threads(threads);
        if experiment.strategy.remembers() > 0 { arena.keeping_won() } else { arena }
    }

    /// The conditions of games between champions: no blunders.
    fn conditions(&self) -> Conditions {
        Conditions { opening_plies: self.experiment.opening_plies, ..Conditions::default() }
    }

    /// The population as bytes, before its first game.
    pub fn population(&self) -> Vec<u8> {
        self.strategy.save()
    }

    /// A hash of everything that has happened so far.
    pub fn signature(&self) -> u128 {
        self.signature
    }

    /// The number of generations played so far.
    pub fn generation(&self) -> u64 {
        self.hall.count() as u64
    }

    /// The exam of the newest champion; `None` before the first generation, or if nothing is known about the game.
    pub fn examine_champion(&mut self, archive: &dyn Archive) -> Result<Option<Exam>, Error> {
        let Some(last) = self.hall.count().checked_sub(1) else { return Ok(None) };
        let entrant = self.hall.entrant(last, &mut self.arena, archive)?;
        Ok(self.arena.examine(&entrant))
    }

    /// Takes in networks of another population, which play in the next generation. Returns whether they fit.
    pub fn receive(&mut self, migrants: &[Arc<Network>]) -> bool {
        let networks = self.strategy.networks();
        let fits = |migrant: &Arc<Network>| {
            let kind = std::mem::discriminant(&**migrant);
            migrant.shape() == networks[0].shape() && kind == std::mem::discriminant(&*networks[0])
        };
        let all = migrants.len() < networks.len() && migrants.iter().all(fits);
        match self.strategy.host() {
            Some(host) if all => {
                host.receive(migrants);
                true
            }
            _ => false,
        }
    }

    /// Plays, scores, measures and breeds one generation. Champions of the past come from the archive. After an error
    /// the trainer must not be used any more.
    pub fn step(&mut self, archive: &dyn Archive) -> Result<Generation, Error> {
        let generation = self.generation() + 1;
        // Steps 1 to 4: games and scores.
        let played = match self.experiment.strategy.learns() {
            true => self.learn(generation, archive)?,
            false => self.compete(generation, archive)?,
        };
        // 5. Measure the champion.
        let (births, species, genomes) = self.kin(generation, &played.scores);
        let place = self.strategy.chosen().unwrap_or_else(|| champion(&played.scores));
        let entrant = played.entrants[place].clone();
        let past_share = self.past_share(&entrant, generation, archive)?;
        let games = self.shown_games(&entrant, generation, archive)?;
        let growth = self.growth(&entrant, generation, archive)?;
        let due = generation.is_multiple_of(self.experiment.record.exam_every) || generation == 1;
        let exam = if due { self.arena.examine(&entrant) } else { None };
        let genome = births.get(place).map(|birth| birth.genome);
        let champion = Champion { place, entrant, past_share, growth, exam, genome };
        // 6. Breed the next generation.
        self.hall.push(&champion.entrant);
        let past = Past::new(&self.hall, archive);
        let results = Results { scores: &played.scores, champions: &past, won: &played.won };
        self.strategy.advance(&results, &mut rng_for(self.experiment.seed, &[stream::ADVANCE, generation]));
        past.failure()?;
        let inherited = |found| InheritanceReport::new(generation, found);
        let inheritance = self.strategy.inheritance().iter().map(inherited).collect();
        self.arena.forget_except(self.strategy.networks(), |fingerprint| self.hall.holds(fingerprint));
        let population = self.strategy.save();
        self.sign(&played, &champion, &games, &population);
        Ok(Generation {
            report: self.report(generation, &played, &champion),
            champion: champion.entrant.prepared.network,
            games,
            population,
            met: self.arena.met(),
            births,
            species,
            genomes,
            inheritance,
        })
    }

    /// Plays the games of a generation of networks that compete with each other.
    fn compete(&mut self, generation: u64, archive: &dyn Archive) -> Result<GenerationGames, Error> {
        let seed = self.experiment.seed;
        let rng_of = |stream: u64| rng_for(seed, &[stream, generation]);
        // 1. Prepare the networks and the guests.
        let mut entrants = self.arena.enter(self.strategy.networks());
        let population = entrants.len();
        for place in self.hall.sample(self.experiment.guests, &mut rng_of(stream::GUESTS)) {
            entrants.push(self.hall.entrant(place, &mut self.arena, archive)?);
        }
        // 2. Pair them. 3. Play the games.
        let pairings = self.pairings(population, entrants.len(), &mut rng_of(stream::PAIR));
        let before = self.arena.reused();
        let conditions = conditions_for_scores(&self.experiment);
        let rng = &mut rng_of(stream::START);
        let records = match &mut self.sharing {
            Some(sharing) => self
                .arena
                .play_shared(generation, &entrants, &pairings, &conditions, rng, &mut **sharing)
                .map_err(Error::Sharing)?,
            None => self.arena.play(&entrants, &pairings, &conditions, rng),
        };
        let won = self.won(&entrants[..population]);
        let reused = self.arena.reused() - before;
        self.reused += reused;
        self.games += records.len() as u64 - reused;
        // 4. Compute scores; guests get none.
        let mut scores = self.experiment.scoring.part().scores(entrants.len(), &records);
        scores.truncate(population);
        Ok(GenerationGames { entrants, records, scores, won })
    }

    /// Inputs that each network saw in games that it won, by place, if the strategy remembers positions. The number of
    /// positions is limited; they are spread evenly over all won games, the newest first.
    fn won(&self, entrants: &[Entrant]) -> Vec<Vec<Vec<f32>>> {
        let wanted = self.experiment.strategy.remembers();
        if wanted == 0 {
            return Vec::new();
        }
        let remembered = |(place, entrant): (usize, &Entrant)| {
            let games = self.arena.won().iter().filter(|(winner, _)| *winner as usize == place);
            let positions: Vec<&G> = games.flat_map(|(_, positions)| positions).collect();
            let count = wanted.min(positions.len());
            let spread = (0..count).rev().map(|number| positions[number * positions.len() / count]);
            spread.map(|game| self.arena.seating().inputs(&entrant.prepared.network, game)).collect()
        };
        entrants.iter().enumerate().map(remembered).collect()
    }

    fn pairings(&self, population: usize, entrants: usize, rng: &mut chance::Rng) -> Vec<Pairing> {
        let mut pairings = self.experiment.schedule.part().pairings(population, rng);
        let mut start = pairings.last().map_or(0, |pairing| pairing.start + 1);
        for guest in population as u32..entrants as u32 {
            for place in 0..population as u32 {
                pairings.extend(Pairing::both(place, guest, start));
                start += 1;
            }
        }
        pairings
    }

    /// The champion's share of points against champions of the past; `None` in the first generation.
    fn past_share(&mut self, winner: &Entrant, generation: u64, archive: &dyn Archive) -> Result<Option<f64>, Error> {
        let mut entrants = vec![winner.clone()];
        for place in self.hall.spread(self.experiment.record.past_games / 2) {
            entrants.push(self.hall.entrant(place, &mut self.arena, archive)?);
        }
        if entrants.len() == 1 {
            return Ok(None);
        }
        let both = |other: u32| Pairing::both(0, other, other - 1);
        let pairings: Vec<Pairing> = (1..entrants.len() as u32).flat_map(both).collect();
        let rng = &mut rng_for(self.experiment.seed, &[stream::PAST, generation]);
        let mut score = MatchScore::default();
        for two in self.arena.play(&entrants, &pairings, &self.conditions(), rng).chunks_exact(2) {
            score.add_pair([two[0].outcome, two[1].outcome]);
        }
        Ok(Some(score.share()))
    }

    /// The champion's mean result against the last five other champions before it, from different openings and with
    /// both sides. A win is 1 and a defeat −1, so that above 0 is progress. `None` if there is no other champion.
    fn growth(&mut self, winner: &Entrant, generation: u64, archive: &dyn Archive) -> Result<Option<f64>, Error> {
        let games = self.experiment.record.growth_games;
        let others = match games {
            0 => Vec::new(),
            _ => self.hall.last_others(&winner.prepared.network),
        };
        if others.is_empty() {
            return Ok(None);
        }
        let mut entrants = vec![winner.clone()];
        for place in others {
            entrants.push(self.hall.entrant(place, &mut self.arena, archive)?);
        }
        let mut pairings = Vec::new();
        for other in 1..entrants.len() as u32 {
            for pair in 0..(games / 2) as u32 {
                pairings.extend(Pairing::both(0, other, (other - 1) * (games / 2) as u32 + pair));
            }
        }
        let plies = self.measuring_plies;
        let conditions = Conditions { least_plies: plies, opening_plies: plies, blunders: 0.0 };
        let rng = &mut rng_for(self.experiment.seed, &[stream::GROWTH, generation]);
        // All opponents have the same number of games, so that the mean over games is the mean of the five means.
        let mut score = MatchScore::default();
        for two in self.arena.play(&entrants, &pairings, &conditions, rng).chunks_exact(2) {
            score.add_pair([two[0].outcome, two[1].outcome]);
        }
        Ok(Some(2.0 * score.share() - 1.0))
    }

    /// Games of the champion against the last champion and against a random earlier one, move by move.
    fn shown_games(
        &mut self,
        winner: &Entrant,
        generation: u64,
        archive: &dyn Archive,
    ) -> Result<Vec<RecordedGame>, Error> {
        let every = self.experiment.record.games_every;
        let past = self.hall.count();
        if past == 0 || every == 0 || !generation.is_multiple_of(every) {
            return Ok(Vec::new());
        }
        let rng = &mut rng_for(self.experiment.seed, &[stream::SHOW, generation]);
        let mut games = Vec::with_capacity(2);
        for (number, other) in [past - 1, rng.below(past)].into_iter().enumerate() {
            let start = self.arena.draw_start(&self.conditions(), rng);
            let seat =
                |network: &Arc<Network>| NetworkPlayer::new(Arc::clone(self.arena.seating()), Arc::clone(network));
            let other_network = self.hall.network(other, archive)?;
            let mut sides = [(generation, seat(&winner.prepared.network)), (other as u64 + 1, seat(&other_network))];
            if rng.below(2) == 1 {
                sides.reverse();
            }
            let [(first, one), (second, two)] = &mut sides;
            let played = play_game(&start, [one, two], MOST_SHOWN_PLIES, rng);
            let illegal = match &played.ending {
                Ending::Illegal { attempt, .. } => Some(attempt.clone()),
                Ending::Rules(_) | Ending::BrokenOff => None,
            };
            games.push(RecordedGame {
                generation,
                number: number as u64,
                first: *first,
                second: *second,
                start: start.game().to_string(),
                moves: played.moves.iter().map(|mv| mv.to_string()).collect(),
                illegal,
                outcome: played.ending.outcome().name().to_string(),
            });
        }
        Ok(games)
    }

    /// All measurements of a finished generation. Reports are made only here.
    fn report(&self, generation: u64, played: &GenerationGames, champion: &Champion) -> Report {
        let GenerationGames { entrants, records, scores, .. } = played;
        let networks: Vec<&Network> =
            entrants[..scores.len()].iter().map(|entrant| &*entrant.prepared.network).collect();
        let layers: usize = networks.iter().map(|network| network.hidden_layers()).sum();
        let grown: Vec<&&Network> = networks.iter().filter(|network| network.hidden() > 0).collect();
        let nodes: f64 = grown.iter().map(|network| network.hidden() as f64 / network.hidden_layers() as f64).sum();
        let solver = self.arena.examiner().and_then(|examiner| examiner.solver());
        let network = &champion.entrant.prepared.network;
        // Measures without a field of their own in the report, by key; `None` if they were not taken.
        let added = [("score_spread", spread(scores))];
        Report {
            generation,
            best_score: scores[champion.place],
            mean_score: mean(scores.iter().sum(), scores.len()),
            past_share: champion.past_share,
            growth: champion.growth,
            exam: champion.exam.clone(),
            grade_in_games: solver.map(|_| grade_in_games(champion.place as u32, records)),
            mean_turns: mean_turns(records),
            mean_layers: mean(layers as f64, networks.len()),
            mean_nodes: mean(nodes, grown.len()),
            champion_place: champion.place as u64,
            champion_layers: network.layer_sizes(),
            champion_hidden: network.hidden() as u64,
            champion_edges: network.edges() as u64,
            champion_genome: champion.genome,
            games: self.games,
            reused: self.reused,
            evaluations: self.judged_before + self.arena.judged(),
            signature: format!("{:032x}", self.signature),
            added: added.into_iter().filter_map(|(key, value)| Some((key, value?))).collect(),
        }
    }

    /// Ancestry and species of all genomes, if the strategy has them.
    fn kin(&self, generation: u64, scores: &[f64]) -> (Vec<Birth>, Vec<SpeciesReport>, Vec<GenomeRecord>) {
        let Some(kin) = self.strategy.kin() else { return Default::default() };
        let birth = |entry: &KinEntry| {
            let KinEntry { number, parents, species } = *entry;
            Birth { genome: number, generation, parents, species }
        };
        let species = kin.species.iter().map(|species| {
            let members = kin.genomes.iter().zip(scores).filter(|(entry, _)| entry.species == species.number);
            let (mut size, mut best_score) = (0, f64::NEG_INFINITY);
            members.for_each(|(_, &score)| (size, best_score) = (size + 1, best_score.max(score)));
            let SpeciesEntry { number, born, representative } = *species;
            SpeciesReport { generation, species: number, born, size, best_score, representative }
        });
        let every = self.experiment.record.genomes_every;
        let due = every > 0 && generation.is_multiple_of(every);
        let genomes = kin.genomes.iter().enumerate().filter(|_| due).filter_map(|(place, entry)| {
            let text = self.strategy.genome_text(place)?;
            let (genome, species) = (entry.number, entry.species);
            Some(GenomeRecord { place: place as u64, genome, species, score: scores[place], text })
        });
        (kin.genomes.iter().map(birth).collect(), species.collect(), genomes.collect())
    }

    /// Adds a generation to the signature. Times and counts of work are not part of it.
    fn sign(&mut self, played: &GenerationGames, champion: &Champion, games: &[RecordedGame], population: &[u8]) {
        let mut hasher = Xxh3::new();
        hasher.update(&self.signature.to_le_bytes());
        played.scores.iter().for_each(|score| hasher.update(&score.to_bits().to_le_bytes()));
        let grades = champion.exam.as_ref().map_or_else(Vec::new, |exam| exam.parts());
        let grades = if grades.is_empty() { vec![("", 0.0); 2] } else { grades };
        grades.iter().for_each(|(_, grade)| hasher.update(&grade.to_bits().to_le_bytes()));
        let past_share = champion.past_share.unwrap_or(-1.0);
        let measured = [past_share.to_bits(), mean_turns(&played.records).to_bits(), champion.place as u64];
        measured.iter().for_each(|number| hasher.update(&number.to_le_bytes()));
        for game in games {
            [&game.start]
                .into_iter()
                .chain(&game.moves)
                .chain(&game.illegal)
                .for_each(|text| hasher.update(text.as_bytes()));
        }
        hasher.update(population);
        self.signature = hasher.digest128();
    }
}
