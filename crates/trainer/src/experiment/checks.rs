//! Whether the parts of an experiment go together; what does not, in one sentence.

use super::{Experiment, Migration, PlayerParams, Record, Stop, TypedExperiment};
use crate::run_name::checked_name;
use arena::{Extend, Head, MonteCarloSettings, Playouts, ScoringConfig, ScoringInfo, Seating, solver_of};
use evolution::StrategyConfig;
use games::{Game, KeyError, Setup};

/// A slip of the finger should not fill the memory.
const MOST_GAMES: u128 = 200_000_000;
/// Nor should measuring take longer than breeding.
const MOST_MEASURING: usize = 10_000;
/// More random plies would take longer than the game after them; games of the theses have fewer plies.
const MOST_OPENING_PLIES: usize = 1000;

impl PlayerParams {
    /// How a network sits that sees and moves so.
    pub fn seating<G: Game>(&self, setup: G::Setup) -> Result<Seating<G>, KeyError> {
        let seating = Seating::with_encoder(setup, &self.encoder)?
            .with_head(Head::named(&self.head, &self.play)?)
            .at_depth(self.depth)?;
        let refuse = |what: String| Err(KeyError::new("extend", what));
        let Some(extend) = Extend::named(&self.extend) else {
            return refuse(format!("extend is `{}`, but there are {}", self.extend, Extend::NAMES.join(", ")));
        };
        if extend != Extend::Off && self.depth == 0 {
            return refuse(format!(
                "extend is {} and depth 0, but only who looks plies ahead can look on",
                self.extend
            ));
        }
        let seating = seating.extended(extend);
        let Some(playouts) = Playouts::named(&self.playouts) else {
            let what = format!("playouts is `{}`, but there are {}", self.playouts, Playouts::NAMES.join(", "));
            return Err(KeyError::new("playouts", what));
        };
        let what = match self {
            PlayerParams { rounds: 0, ept: 0, .. } if playouts == Playouts::Random => return Ok(seating),
            PlayerParams { rounds: 0, .. } => "rounds is 0, but ept and playouts say how they are made".to_string(),
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
                "networks cannot move between populations of {}, whose networks are but a part of what is bred; \
                 without migration would be right",
                strategy.info().name
            );
            return Err(KeyError::new("from", what));
        }
        // A run beside it, or in a folder beside it.
        for name in self.from.splitn(2, '/') {
            checked_name(name).map_err(|error| KeyError::new("from", format!("migration.from: {error}")))?;
        }
        if self.every == 0 {
            return Err(KeyError::new("every", "migration.every is 0, but it must be at least 1"));
        }
        // Who only takes in others breeds nothing.
        let most = (strategy.population() / 2).min(usize::try_from(self.every).unwrap_or(usize::MAX));
        if !(1..=most).contains(&self.count) {
            let what = format!(
                "migration.count is {}, but it must be from 1 to {most}: at most half of the population, and one champion of each generation since the last time",
                self.count
            );
            return Err(KeyError::new("count", what));
        }
        Ok(())
    }
}

impl<S: Setup> Experiment<S> {
    /// The experiment ready for training, if everything goes together; what does not, in one sentence.
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
        // A champion beyond the encoder's bounds could be bred, but would find no seat afterwards.
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
                "scoring.{name} needs a solver, and {} has none that knows every position; {} would be right",
                G::NAME,
                others.join(" or ")
            );
            return Err(KeyError::new("scoring", what));
        }
        let games = self.game_count().each();
        if games > MOST_GAMES {
            let what = format!(
                "{games} games a generation, but {MOST_GAMES} are the most; fewer networks, opponents or guests would be right"
            );
            return Err(KeyError::new(format!("{strategy}.population"), what));
        }
        let most = G::draw_rules(&self.setup).most_plies;
        if self.opening_plies as u64 >= u64::from(most) {
            return refuse("opening_plies", format!("{}, but a game has {most} plies at most", self.opening_plies));
        }
        if self.opening_plies > MOST_OPENING_PLIES {
            let what = format!("{}, but at most {MOST_OPENING_PLIES} can be", self.opening_plies);
            return refuse("opening_plies", what);
        }
        if !(0.0..=1.0).contains(&self.blunders) {
            return refuse("blunders", format!("{}, but a chance is from 0 to 1", self.blunders));
        }
        let Stop { generations, seconds, .. } = self.stop;
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
                    "{past_games}, but it must be even, because each start is played twice, and at most {MOST_MEASURING}"
                ),
            );
        }
        if !growth_games.is_multiple_of(2) || growth_games > MOST_MEASURING {
            let why = format!(
                "{growth_games}, but it must be even, because each opening is played with both sides, and at most {MOST_MEASURING}"
            );
            return refuse("record.growth_games", why);
        }
        if final_games as usize > MOST_MEASURING {
            return refuse("record.final_games", format!("{final_games}, but it must be at most {MOST_MEASURING}"));
        }
        if exam_every == 0 {
            return refuse("record.exam_every", "0, but it must be at least 1".to_string());
        }
        if let Some(migration) = &self.migration {
            migration
                .checked(&self.strategy)
                .map_err(|KeyError { key, what }| KeyError::new(format!("migration.{key}"), what))?;
        }
        Ok(TypedExperiment { experiment: self, seating })
    }
}
