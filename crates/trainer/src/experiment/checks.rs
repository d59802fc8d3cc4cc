//! Checks that the parts of an experiment go together. An error names the key and the problem in one sentence.

use super::{Experiment, Migration, PlayerParams, Record, Stop, TypedExperiment};
use crate::final_champion::FinalChampion;
use crate::run_name::checked_name;
use arena::{Extend, Head, Method, MonteCarloSettings, Playouts, ScoringConfig, ScoringInfo, Seating, solver_of};
use evolution::StrategyConfig;
use games::{Game, KeyError, Setup};

/// The largest number of games per generation. It protects against typing errors that would fill the memory.
const MOST_GAMES: u128 = 200_000_000;
/// The largest number of games for one measurement, so that measuring does not take longer than training.
const MOST_MEASURING: usize = 10_000;
/// The largest number of opening plies. More would take longer than the game after them; games of the theses have
/// fewer plies.
const MOST_OPENING_PLIES: usize = 1000;

impl PlayerParams {
    /// The seating of networks with these parameters.
    pub fn seating<G: Game>(&self, setup: G::Setup) -> Result<Seating<G>, KeyError> {
        let seating = Seating::with_encoder(setup, &self.encoder)?
            .with_head(Head::named(&self.head, &self.play)?)
            .at_depth(self.depth)?;
        let refuse = |what: String| Err(KeyError::new("extend", what));
        let Some(extend) = Extend::named(&self.extend) else {
            let names = Extend::NAMES.join(", ");
            return refuse(format!("extend is `{}`, but it must be one of {names}", self.extend));
        };
        if extend != Extend::Off && self.depth == 0 {
            return refuse(format!(
                "extend is {} and depth 0, but only a search of depth 1 or more can be extended",
                self.extend
            ));
        }
        let Some(method) = Method::named(&self.search) else {
            let what = format!("search is `{}`, but it must be one of {}", self.search, Method::NAMES.join(", "));
            return Err(KeyError::new("search", what));
        };
        if method == Method::Selective && (self.depth == 0 || extend != Extend::Off) {
            let what = format!(
                "search is selective, depth {} and extend {}, but a selective search needs a depth of at least 1 and \
                 extend off: it follows captures by itself",
                self.depth, self.extend
            );
            return Err(KeyError::new("search", what));
        }
        let seating = seating.extended(extend).by(method);
        let Some(playouts) = Playouts::named(&self.playouts) else {
            let names = Playouts::NAMES.join(", ");
            let what = format!("playouts is `{}`, but it must be one of {names}", self.playouts);
            return Err(KeyError::new("playouts", what));
        };
        let what = match self {
            PlayerParams { rounds: 0, ept: 0, .. } if playouts == Playouts::Random => return Ok(seating),
            PlayerParams { rounds: 0, .. } => "rounds is 0, but ept and playouts need at least 1 round".to_string(),
            PlayerParams { rounds, depth: 1.., .. } => {
                format!("rounds is {rounds} and depth {}, but one of them must be 0", self.depth)
            }
            _ => {
                let stop_after = (self.ept > 0).then_some(self.ept);
                return seating.with_monte_carlo(MonteCarloSettings { rounds: self.rounds, stop_after, playouts });
            }
        };
        Err(KeyError::new("rounds", what))
    }
}

impl Migration {
    fn checked(&self, strategy: &StrategyConfig) -> Result<(), KeyError> {
        if !strategy.takes_migrants() {
            let what = format!(
                "networks cannot move between populations of {}, because they are only a part of what it breeds; \
                 remove the migration",
                strategy.info().name
            );
            return Err(KeyError::new("from", what));
        }
        // `from` is a run in the same folder, or FOLDER/RUN for a folder beside it.
        for name in self.from.splitn(2, '/') {
            checked_name(name).map_err(|error| KeyError::new("from", format!("migration.from: {error}")))?;
        }
        if self.every == 0 {
            return Err(KeyError::new("every", "migration.every is 0, but it must be at least 1"));
        }
        // A population that is replaced by migrants would not evolve by itself.
        let most = (strategy.population() / 2).min(usize::try_from(self.every).unwrap_or(usize::MAX));
        if !(1..=most).contains(&self.count) {
            let what = format!(
                "migration.count is {}, but it must be from 1 to {most}: at most half of the population, \
                 and one champion of each generation since the last migration",
                self.count
            );
            return Err(KeyError::new("count", what));
        }
        Ok(())
    }
}

impl<S: Setup> Experiment<S> {
    /// Checks that everything goes together, and returns the experiment ready for training. The error is one sentence.
    pub fn checked<G: Game<Setup = S>>(self) -> Result<TypedExperiment<G>, KeyError> {
        self.setup.checked().map_err(|error| KeyError::new("setup", format!("setup: {error}")))?;
        let seating: Seating<G> = self
            .player
            .seating(self.setup.clone())
            .map_err(|error| KeyError::new(format!("player.{}", error.key), format!("player.{error}")))?;
        let strategy = format!("strategy.{}", self.strategy.info().name);
        self.strategy
            .checked()
            .and_then(|()| self.strategy.fits(seating.shape()))
            .map_err(|error| KeyError::new(format!("{strategy}.{}", error.key), format!("{strategy}: {error}")))?;
        let (carried, wanted) = (self.strategy.genes(), seating.genes().len());
        if carried != 0 && carried != wanted {
            let what = format!("{strategy}: networks carry {carried} genes, but the encoder takes {wanted}, or none");
            return Err(KeyError::new(format!("{strategy}.genes"), what));
        }
        // Champions with genes beyond the encoder's bounds could be bred, but could not be seated afterwards.
        if let Some((low, high)) = self.strategy.gene_bounds()
            && let Some(gene) =
                seating.genes().iter().find(|gene| low < f64::from(gene.low) || high > f64::from(gene.high))
        {
            let key = if low < f64::from(gene.low) { "gene_low" } else { "gene_high" };
            let what = format!(
                "{strategy}: genes go from {low} to {high}, but the encoder's {} is from {} to {}",
                gene.name, gene.low, gene.high
            );
            return Err(KeyError::new(format!("{strategy}.{key}"), what));
        }
        self.checked_learning(&seating)?;
        let population = self.strategy.population();
        let refuse = |key: &str, why: String| Err(KeyError::new(key, format!("{key} is {why}")));
        let schedule = self.schedule.part();
        if population < schedule.least_entrants() {
            let least = schedule.least_entrants();
            let what = format!("a population of {population} is too small to pair; it must be at least {least}");
            return Err(KeyError::new(format!("{strategy}.population"), what));
        }
        let name = self.schedule.info().name;
        let in_schedule = |text: String| format!("schedule.{name}.{text}");
        schedule
            .checked(population)
            .map_err(|KeyError { key, what }| KeyError::new(in_schedule(key), in_schedule(what)))?;
        let ScoringInfo { name, grades_moves, .. } = self.scoring.info();
        let refuse_scoring =
            |KeyError { key, what }| KeyError::new(format!("scoring.{name}.{key}"), format!("scoring.{name}: {what}"));
        self.scoring.part().checked().map_err(refuse_scoring)?;
        if grades_moves && solver_of::<G>(&self.setup).is_none() {
            let others = ScoringConfig::ALL.iter().filter(|info| !info.grades_moves);
            let others: Vec<String> = others.map(|info| format!("scoring.{}", info.name)).collect();
            let what = format!(
                "scoring.{name} needs a solver that knows every position, but {} has none; use {}",
                G::NAME,
                others.join(" or ")
            );
            return Err(KeyError::new("scoring", what));
        }
        let games = self.game_count().each();
        if games > MOST_GAMES {
            let what = format!(
                "{games} games a generation, but at most {MOST_GAMES} are allowed; \
                 choose fewer networks, opponents or guests"
            );
            return Err(KeyError::new(format!("{strategy}.population"), what));
        }
        let most = G::draw_rules(&self.setup).most_plies;
        if self.opening_plies as u64 >= u64::from(most) {
            return refuse("opening_plies", format!("{}, but a game has at most {most} plies", self.opening_plies));
        }
        if self.opening_plies > MOST_OPENING_PLIES {
            let what = format!("{}, but it must be at most {MOST_OPENING_PLIES}", self.opening_plies);
            return refuse("opening_plies", what);
        }
        if !(0.0..=1.0).contains(&self.blunders) {
            return refuse("blunders", format!("{}, but it must be from 0 to 1", self.blunders));
        }
        let Stop { generations, seconds, strength, .. } = self.stop;
        if generations == 0 {
            return refuse("stop.generations", "0, but it must be at least 1".to_string());
        }
        if !(seconds >= 0.0 && seconds.is_finite()) {
            return refuse("stop.seconds", format!("{seconds}, but it must be a number from 0 (no limit) up"));
        }
        let Record { past_games, growth_games, final_games, exam_every, .. } = self.record;
        if !past_games.is_multiple_of(2) || past_games > MOST_MEASURING {
            return refuse(
                "record.past_games",
                format!(
                    "{past_games}, but it must be even, because each start is played twice, \
                     and at most {MOST_MEASURING}"
                ),
            );
        }
        if !growth_games.is_multiple_of(2) || growth_games > MOST_MEASURING {
            let why = format!(
                "{growth_games}, but it must be even, because each opening is played with both sides, \
                 and at most {MOST_MEASURING}"
            );
            return refuse("record.growth_games", why);
        }
        if final_games as usize > MOST_MEASURING {
            return refuse("record.final_games", format!("{final_games}, but it must be at most {MOST_MEASURING}"));
        }
        if exam_every == 0 {
            return refuse("record.exam_every", "0, but it must be at least 1".to_string());
        }
        if !(strength >= 0.0 && strength.is_finite()) {
            return refuse("stop.strength", format!("{strength}, but it must be a number from 0 (no limit) up"));
        }
        self.checked_strength::<G>(&seating)?;
        if let Some(migration) = &self.migration {
            migration
                .checked(&self.strategy)
                .map_err(|KeyError { key, what }| KeyError::new(format!("migration.{key}"), what))?;
        }
        Ok(TypedExperiment { experiment: self, seating })
    }

    /// Checks the keys that measure strength.
    fn checked_strength<G: Game>(&self, seating: &Seating<G>) -> Result<(), KeyError> {
        let Record { strength_every, strength_games, strength_nodes, final_champion, .. } = self.record;
        let refuse = |key: &str, why: String| Err(KeyError::new(key, format!("{key} is {why}")));
        if !(2..=MOST_MEASURING as u32).contains(&strength_games) {
            let why = format!("{strength_games}, but it must be from 2 to {MOST_MEASURING}");
            return refuse("record.strength_games", why);
        }
        if strength_every == 0 {
            let needs = "but record.strength_every is 0, so that no strength is measured";
            if self.stop.strength > 0.0 {
                return refuse("stop.strength", format!("{}, {needs}", self.stop.strength));
            }
            if final_champion == FinalChampion::Strength {
                return refuse("record.final", format!("strength, {needs}"));
            }
            return Ok(());
        }
        if G::LADDER.is_none() {
            let why = format!("{strength_every}, but {} has no ladder on which strength is measured; use 0", G::NAME);
            return refuse("record.strength_every", why);
        }
        if strength_nodes > 0 && (!seating.judges() || self.player.rounds > 0) {
            let why = format!("{strength_nodes}, but these networks have no search of positions to limit; use 0");
            return refuse("record.strength_nodes", why);
        }
        Ok(())
    }
}
