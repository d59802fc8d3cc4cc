//! An experiment: everything that decides a run, in one TOML file, with a seed in it.

use crate::error::Error;
use crate::runs::checked_name;
use crate::shipped::shipped_experiments;
use crate::{override_key, toml_error};
use arena::{
    Circular, Extend, MonteCarloSettings, Opens, Playouts, Points, RoundRobin, Schedule, Scoring, Seating,
    SeatingError, SelfPlay,
};
use evolution::StrategyConfig;
use games::{Game, GameVisitor, Setup};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::path::Path;

mod learning;

/// All parameters of a run; `S` is the game's setup. Every key must be given; there are no hidden defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment<S = toml::Table> {
    /// The game's name.
    pub game: String,
    /// All chance comes from it.
    pub seed: u64,
    /// How many past champions, drawn anew each generation, every network also meets; they get no score.
    pub guests: usize,
    /// Games begin after up to so many random plies.
    pub opening_plies: usize,
    /// The chance that a move in games for scores is a random one instead.
    pub blunders: f64,
    /// How the game is set up.
    pub setup: S,
    /// How networks see and move.
    pub player: PlayerParams,
    /// Who meets whom.
    pub schedule: ScheduleConfig,
    /// What a score is made of.
    pub scoring: Scoring,
    /// How networks are bred.
    pub strategy: StrategyConfig,
    /// When to stop.
    pub stop: Stop,
    /// What to measure and keep.
    pub record: Record,
    /// Where networks come in from another population, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub migration: Option<Migration>,
}

/// How networks see and move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerParams {
    /// How positions become inputs.
    pub encoder: String,
    /// How outputs become a move.
    pub head: String,
    /// What becomes of illegal attempts; `value` makes none.
    pub play: String,
    /// How many plies the value head looks ahead.
    pub depth: u32,
    /// Where it looks on because the mover must capture.
    pub extend: String,
    /// How many Monte Carlo rounds it makes instead; 0 means none.
    pub rounds: u32,
    /// After how many plies playouts stop and the network judges; 0 means that they go to the end.
    pub ept: u32,
    /// How moves of playouts are chosen.
    pub playouts: String,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleConfig {
    /// Circular pairing.
    Circular(CircularParams),
    /// Everybody meets everybody.
    RoundRobin(RoundRobinParams),
    /// Everybody opens games against anybody.
    Opens(OpensParams),
    /// One network plays itself.
    SelfPlay(SelfPlayParams),
}

impl ScheduleConfig {
    /// The schedule itself.
    pub fn create(self) -> Box<dyn Schedule> {
        match self {
            ScheduleConfig::Circular(CircularParams { opponents }) => Box::new(Circular { opponents }),
            ScheduleConfig::RoundRobin(RoundRobinParams { double }) => Box::new(RoundRobin { double }),
            ScheduleConfig::Opens(OpensParams { games }) => Box::new(Opens { games }),
            ScheduleConfig::SelfPlay(SelfPlayParams { games }) => Box::new(SelfPlay { games }),
        }
    }
}

/// Parameters of circular pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CircularParams {
    /// How many different opponents each network meets, twice each.
    pub opponents: usize,
}

/// Parameters of a round robin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundRobinParams {
    /// Whether two networks meet twice, each opening once, or once.
    pub double: bool,
}

/// Parameters of games that everybody opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpensParams {
    /// How many games each network opens, against others drawn by chance.
    pub games: usize,
}

/// Parameters of games against itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayParams {
    /// How many games make a generation.
    pub games: usize,
}

/// When to stop; whichever comes first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// After so many generations.
    pub generations: u64,
    /// When the champion is perfect in every position.
    pub solved: bool,
    /// After so many seconds, counted anew each time training is started or resumed; 0 means no limit.
    pub seconds: f64,
}

/// What to measure and keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Games of each champion against champions of the past, spread evenly over history: an even number.
    pub past_games: usize,
    /// Games of each champion against each of the five champions before it: an even number; 0 plays none.
    pub growth_games: usize,
    /// Games of the last champion, when the run is over, against `random`, Monte Carlo, and the champions of a quarter and
    /// of half-way; 0 plays none.
    pub final_games: u32,
    /// Champions take the exam every so many generations.
    pub exam_every: u64,
    /// Two games of the champion are kept, turn by turn, every so many generations; 0 keeps none.
    pub games_every: u64,
    /// All genomes are kept as text every so many generations, where the strategy has such; 0 keeps none.
    pub genomes_every: u64,
}

/// Champions of another population, trained beside this one, that join it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Migration {
    /// The run they come from, in the same folder.
    pub from: String,
    /// After every so many generations.
    pub every: u64,
    /// How many: the champions of so many last generations.
    pub count: usize,
}

/// An experiment as it was found: its name, where it came from, and its text.
#[derive(Clone, Debug)]
pub struct ExperimentFile {
    /// What runs of it are called after.
    pub name: String,
    /// For messages: the path, or the name of what was shipped.
    pub(crate) place: String,
    /// As it was written, with what was overridden since.
    pub(crate) written: Option<String>,
    pub(crate) table: toml::Table,
}

/// What does not go together, and the key to look at.
struct Problem {
    key: String,
    what: String,
}

fn problem(key: &str, what: String) -> Problem {
    Problem { key: key.to_string(), what }
}

impl Experiment {
    /// Opens an experiment by path, or by the name of one shipped with the program, and checks all of it.
    pub fn open(name: &str) -> Result<ExperimentFile, Error> {
        if shipped_experiments().any(|(shipped, _)| shipped == name) {
            return Experiment::shipped(name);
        }
        let path = Path::new(name);
        if !path.exists() {
            if name.contains('/') || name.ends_with(".toml") {
                return Err(Error::no_file(path));
            }
            return Experiment::shipped(name);
        }
        let text = std::fs::read_to_string(path).map_err(|source| Error::file("cannot read", path, source))?;
        let stem = path.file_stem().map_or_else(|| "run".into(), |stem| stem.to_string_lossy().into_owned());
        ExperimentFile::parse(&stem, name, &text)
    }

    /// Opens an experiment that is shipped with the program.
    pub fn shipped(name: &str) -> Result<ExperimentFile, Error> {
        match shipped_experiments().find(|(shipped, _)| *shipped == name) {
            Some((shipped, text)) => ExperimentFile::parse(shipped, shipped, text),
            None => {
                let known: Vec<&str> = shipped_experiments().map(|(shipped, _)| shipped).collect();
                Err(Error::unknown("experiment", name, &known))
            }
        }
    }
}

impl ExperimentFile {
    /// Reads a text and checks all of it.
    pub fn parse(name: &str, place: &str, text: &str) -> Result<ExperimentFile, Error> {
        let table: toml::Table = read(place, text)?;
        let written = Some(text.to_string());
        let file = ExperimentFile { name: name.to_string(), place: place.to_string(), written, table };
        // Once from the text, so that complaints name line and column.
        file.with_game(CheckText { file: &file, text })??;
        Ok(file)
    }

    /// Overrides one parameter: `KEY=VALUE`, the key as a dotted path, the value in TOML (quotes may be left out).
    pub fn set(&mut self, assignment: &str) -> Result<(), Error> {
        let set = format!("--set {assignment}");
        let (key, value) = override_key::split(assignment).map_err(|what| self.refuse(&format!("{set}: {what}")))?;
        self.put_as(&set, key, value)
    }

    /// Sets one parameter by its dotted path. Whether all values go together is told when all are made.
    pub(crate) fn put(&mut self, key: &str, value: toml::Value) -> Result<(), Error> {
        self.put_as(key, key, value)
    }

    /// The same; complaints begin with what was asked for.
    fn put_as(&mut self, asked: &str, key: &str, value: toml::Value) -> Result<(), Error> {
        let mut table = self.table.clone();
        let told = |what: String| if asked == key { what } else { format!("{asked}: {what}") };
        override_key::put(&mut table, key, value.clone()).map_err(|what| self.refuse(&told(what)))?;
        // In the text, too, so that its comments stay.
        let in_text = |text: &String| override_key::put_in_text(text, key, value.to_string().parse().ok()?);
        let written = self.written.as_ref().and_then(in_text);
        let changed = ExperimentFile { table, written, ..self.clone() };
        changed.with_game(CheckSet { file: &changed, asked })??;
        *self = changed;
        Ok(())
    }

    /// The same experiment with networks that come in from another population.
    pub(crate) fn with_migration(&self, migration: &Migration) -> ExperimentFile {
        let mut table = self.table.clone();
        let written = toml::Value::try_from(migration).expect("a migration can be written");
        table.insert("migration".to_string(), written);
        ExperimentFile { table, written: None, ..self.clone() }
    }

    /// The same experiment with another one's strategy. Whether all goes together is told when all is made.
    pub(crate) fn with_strategy_of(&self, other: &ExperimentFile) -> ExperimentFile {
        let mut table = self.table.clone();
        if let Some(strategy) = other.table.get("strategy") {
            table.insert("strategy".to_string(), strategy.clone());
        }
        ExperimentFile { table, written: None, ..self.clone() }
    }

    /// All parameters in the form in which runs keep them, checked as a whole.
    pub(crate) fn canonical(&self) -> Result<String, Error> {
        self.with_game(Canonical(self))?
    }

    /// The game's name.
    pub fn game(&self) -> &str {
        self.table.get("game").and_then(|name| name.as_str()).unwrap_or_default()
    }

    /// How many generations it is to have.
    pub(crate) fn aim(&self) -> Option<u64> {
        let generations = override_key::find(&self.table, "stop.generations").ok()?;
        generations.as_integer().and_then(|number| number.try_into().ok())
    }

    /// Everything as text, comments gone.
    pub fn text(&self) -> String {
        toml::to_string(&self.table).expect("a table that was read can be written")
    }

    /// Everything as text after checking that it goes together; as it was written, comments included.
    pub fn checked_text(&self) -> Result<String, Error> {
        self.with_game(CheckWhole(self))??;
        Ok(self.written.clone().unwrap_or_else(|| self.text()))
    }

    /// Everything typed, for a game that the caller knows to be the right one; checked as a whole.
    pub fn typed<G: Game>(&self) -> Result<Experiment<G::Setup>, Error> {
        let experiment: Experiment<G::Setup> = self.shaped::<G::Setup>().map_err(|what| self.refuse(&what))?;
        experiment.checked::<G>().map_err(|problem| self.refuse_at(&problem))?;
        Ok(experiment)
    }

    fn shaped<S: DeserializeOwned>(&self) -> Result<Experiment<S>, String> {
        self.table.clone().try_into().map_err(|error: toml::de::Error| toml_error::explain("", &error).1)
    }

    fn refuse_at(&self, problem: &Problem) -> Error {
        let at = self.written.as_ref().and_then(|text| toml_error::locate(text, &problem.key));
        Error::Experiment { place: at_line(&self.place, at), what: problem.what.clone() }
    }

    pub(crate) fn refuse(&self, what: &str) -> Error {
        Error::Experiment { place: self.place.clone(), what: what.to_string() }
    }

    fn with_game<V: GameVisitor>(&self, visitor: V) -> Result<V::Output, Error> {
        let name = match self.table.get("game") {
            Some(toml::Value::String(name)) => name,
            Some(_) => return Err(self.refuse("`game` must be a text in quotes, such as game = \"nim\"")),
            None => return Err(self.refuse("the key `game` is missing; every parameter must be given")),
        };
        let unknown = || Error::unknown("game", name, games::names());
        games::with_game(name, visitor).ok_or_else(|| self.refuse_at(&problem("game", unknown().to_string())))
    }
}

/// Checks the text of a file, so that complaints can say where.
struct CheckText<'a> {
    file: &'a ExperimentFile,
    text: &'a str,
}

impl GameVisitor for CheckText<'_> {
    type Output = Result<(), Error>;
    fn visit<G: Game>(self) -> Result<(), Error> {
        read::<Experiment<G::Setup>>(&self.file.place, self.text)?;
        CheckWhole(self.file).visit::<G>()
    }
}

/// Checks that everything goes together.
struct CheckWhole<'a>(&'a ExperimentFile);

impl GameVisitor for CheckWhole<'_> {
    type Output = Result<(), Error>;
    fn visit<G: Game>(self) -> Result<(), Error> {
        self.0.typed::<G>().map(|_| ())
    }
}

/// Checks the shape of an experiment after an override. Whether its values go together is told when all are made.
struct CheckSet<'a> {
    file: &'a ExperimentFile,
    asked: &'a str,
}

impl GameVisitor for CheckSet<'_> {
    type Output = Result<(), Error>;
    fn visit<G: Game>(self) -> Result<(), Error> {
        let shaped = self.file.shaped::<G::Setup>();
        shaped.map(|_| ()).map_err(|what| self.file.refuse(&format!("{}: {what}", self.asked)))
    }
}

/// Writes an experiment out as runs keep it.
struct Canonical<'a>(&'a ExperimentFile);

impl GameVisitor for Canonical<'_> {
    type Output = Result<String, Error>;
    fn visit<G: Game>(self) -> Result<String, Error> {
        Ok(written::<G>(&self.0.typed::<G>()?))
    }
}

/// An experiment as runs keep it.
pub(crate) fn written<G: Game>(experiment: &Experiment<G::Setup>) -> String {
    toml::to_string(experiment).expect("an experiment can be written")
}

/// Reads TOML; complaints name file, line and column.
fn read<T: DeserializeOwned>(place: &str, text: &str) -> Result<T, Error> {
    toml::from_str(text).map_err(|error| {
        let (at, what) = toml_error::explain(text, &error);
        Error::Experiment { place: at_line(place, at), what }
    })
}

fn at_line(place: &str, at: Option<(usize, usize)>) -> String {
    match at {
        Some((line, column)) => format!("{place}, line {line}, column {column}"),
        None => place.to_string(),
    }
}

/// A slip of the finger should not fill the memory.
const MOST_GAMES: u128 = 200_000_000;
/// Nor should measuring take longer than breeding.
const MOST_MEASURING: usize = 10_000;

impl PlayerParams {
    /// How a network sits that sees and moves so.
    pub fn seating<G: Game>(&self, setup: G::Setup) -> Result<Seating<G>, SeatingError> {
        let seating = Seating::new(setup, &self.encoder, &self.head, &self.play, self.depth)?;
        let refuse = |what: String| Err(SeatingError { key: "extend", what });
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
            return Err(SeatingError { key: "playouts", what });
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
        Err(SeatingError { key: "rounds", what })
    }
}

impl Migration {
    fn checked(&self, strategy: &StrategyConfig) -> Result<(), (&'static str, String)> {
        if !strategy.takes_migrants() {
            let what = format!(
                "networks cannot move between populations of {}, whose networks are but a part of what is bred; \
                 without migration would be right",
                strategy.info().name
            );
            return Err(("from", what));
        }
        checked_name(&self.from).map_err(|error| ("from", format!("migration.from: {error}")))?;
        if self.every == 0 {
            return Err(("every", "migration.every is 0, but it must be at least 1".to_string()));
        }
        // Who only takes in others breeds nothing.
        let most = (strategy.population() / 2).min(usize::try_from(self.every).unwrap_or(usize::MAX));
        if !(1..=most).contains(&self.count) {
            let what = format!(
                "migration.count is {}, but it must be from 1 to {most}: at most half of the population, and one champion of each generation since the last time",
                self.count
            );
            return Err(("count", what));
        }
        Ok(())
    }
}

impl<S: Setup> Experiment<S> {
    /// How networks of this experiment sit at the table.
    pub fn seating<G: Game<Setup = S>>(&self) -> Result<Seating<G>, SeatingError> {
        self.player.seating(self.setup.clone())
    }

    /// Whether everything goes together; what does not, in one sentence.
    fn checked<G: Game<Setup = S>>(&self) -> Result<(), Problem> {
        self.setup.checked().map_err(|error| problem("setup", format!("setup: {error}")))?;
        let seating = self
            .seating::<G>()
            .map_err(|error| problem(&format!("player.{}", error.key), format!("player.{error}")))?;
        let strategy = format!("strategy.{}", self.strategy.info().name);
        self.strategy
            .checked()
            .and_then(|()| self.strategy.fits(seating.shape()))
            .map_err(|error| problem(&format!("{strategy}.{}", error.key), format!("{strategy}: {error}")))?;
        let (carried, wanted) = (self.strategy.genes(), seating.genes().len());
        if carried != 0 && carried != wanted {
            let what = format!("{strategy}: networks carry {carried} genes, but the encoder takes {wanted}, or none");
            return Err(problem(&format!("{strategy}.genes"), what));
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
            return Err(problem(&format!("{strategy}.{key}"), what));
        }
        self.checked_learning(&seating)?;
        let population = self.strategy.population();
        let refuse = |key: &str, why: String| Err(problem(key, format!("{key} is {why}")));
        let too_small = |least: usize| {
            let what = format!("a population of {population} is too small to pair; it must be at least {least}");
            Err(problem(&format!("{strategy}.population"), what))
        };
        let scheduled = match self.schedule {
            ScheduleConfig::Circular(CircularParams { opponents }) => {
                let most = Circular::most_opponents(population);
                if most == 0 {
                    return too_small(3);
                }
                if opponents == 0 || !opponents.is_multiple_of(2) || opponents > most {
                    let why = format!(
                        "{opponents}, but it must be an even number from 2 to {most}, because a population of {population} meets in a circle"
                    );
                    return refuse("schedule.circular.opponents", why);
                }
                population as u128 * opponents as u128
            }
            ScheduleConfig::RoundRobin(_) | ScheduleConfig::Opens(_) if population < 2 => return too_small(2),
            ScheduleConfig::Opens(OpensParams { games: 0 }) => {
                return refuse("schedule.opens.games", "0, but it must be at least 1".to_string());
            }
            ScheduleConfig::SelfPlay(SelfPlayParams { games: 0 }) => {
                return refuse("schedule.self-play.games", "0, but it must be at least 1".to_string());
            }
            ScheduleConfig::Opens(OpensParams { games }) | ScheduleConfig::SelfPlay(SelfPlayParams { games }) => {
                population as u128 * games as u128
            }
            ScheduleConfig::RoundRobin(RoundRobinParams { double }) => {
                (population as u128) * (population as u128 - 1) / if double { 1 } else { 2 }
            }
        };
        match self.scoring {
            Scoring::Points(Points { win, draw, loss, .. }) => {
                const MOST_POINTS: f64 = 1e6;
                let finite = [win, draw, loss].iter().all(|points| points.abs() <= MOST_POINTS);
                if !finite || win <= draw || draw < loss {
                    let what = format!(
                        "scoring.points: win {win}, draw {draw} and loss {loss} must fall from win to draw, not rise to loss, and stay within a million"
                    );
                    return Err(problem("scoring.points.win", what));
                }
            }
            Scoring::Exam {} => {
                if arena::Examiner::<G>::new(&self.setup).is_none_or(|examiner| examiner.solver().is_none()) {
                    let what = format!(
                        "scoring.exam needs a solver, and {} has none that knows every position; scoring.points would be right",
                        G::NAME
                    );
                    return Err(problem("scoring", what));
                }
            }
        }
        let games = scheduled + population as u128 * 2 * self.guests as u128;
        if games > MOST_GAMES {
            let what = format!(
                "{games} games a generation, but {MOST_GAMES} are the most; fewer networks, opponents or guests would be right"
            );
            return Err(problem(&format!("{strategy}.population"), what));
        }
        let most = G::draw_rules(&self.setup).most_plies;
        if self.opening_plies as u64 >= u64::from(most) {
            return refuse("opening_plies", format!("{}, but a game has {most} plies at most", self.opening_plies));
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
            migration.checked(&self.strategy).map_err(|(key, what)| problem(&format!("migration.{key}"), what))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        let (_, text) = shipped_experiments().find(|(name, _)| *name == "nim-2x4-c1").unwrap();
        text.to_string()
    }

    #[track_caller]
    fn check(from: &str, to: &str, expected: &str) {
        let changed = text().replacen(from, to, 1);
        assert_ne!(changed, text(), "nothing was replaced");
        let error = ExperimentFile::parse("x", "x.toml", &changed).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n{changed}");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        check(
            "game = \"nim\"",
            "game = \"nym\"",
            "x.toml, line 3, column 8: there is no game `nym`; did you mean `nim`?",
        );
        check("game = \"nim\"", "game = 3", "`game` must be a text in quotes");
        check("sharing = ", "sharink = ", "unknown key `sharink`; did you mean `sharing`?");
        check("sharing = ", "sharink = ", "x.toml, line ");
        check(
            "population = 100",
            "population = \"many\"",
            "found string \"many\", but a whole number from 0 up belongs here",
        );
        check("population = 100", "population = \"many\"", "column 14:");
        check("population = 100", "population = 0", ", column 14: strategy.enn: population is 0");
        check("population = 100", "population = 2", "a population of 2 is too small");
        check("population = 100", "populaton = 100", "unknown key `populaton`; did you mean `population`?");
        check("newcomers = 0.0", "newcomers = 1.2", "newcomers is 1.2, but a share is from 0 to 1");
        check("opponents = 50", "opponents = 51", "opponents is 51, but it must be an even number from 2 to 98");
        check("opponents = 50", "opponents = 100", "opponents is 100, but it must be an even number from 2 to 98");
        check("stacks = [4, 4]", "stacks = [4, 0]", "setup: stack 2 has 0 matches");
        check("stacks = [4, 4]", "stacks = [4, 70000]", "but a whole number from 0 to 65535 belongs here");
        check("start = \"random\"", "start = \"randm\"", "unknown choice `randm`; did you mean `random`?");
        check("start = \"random\"", "", "the key `start` is missing");
        check("head = \"direct\"", "head = \"dirct\"", "player.head is `dirct`, but nim has value, direct, slots");
        check("win = 1.0", "win = 0.5", "scoring.points: win 0.5, draw 0.5 and loss 0 must fall");
        check("win = 1.0", "win = nan", "scoring.points: win NaN");
        check("[scoring.points]", "[scoring.exm]", "unknown choice `exm`; did you mean `exam`?");
        check("depth = 0", "depth = 1", "player.depth is 1, but the head `direct` names moves");
        check("depth = 0", "depth = -1", "a whole number from 0");
        check("rounds = 0", "rounds = 9", "player.rounds is 9, but the head `direct` names moves");
        check("ept = 0", "ept = 6", "player.rounds is 0, but ept and playouts say how they are made");
        check(
            "playouts = \"random\"",
            "playouts = \"wild\"",
            "player.playouts is `wild`, but there are random, captures, network",
        );
        check("past_games = 50", "past_games = 51", "past_games is 51, but it must be even");
    }

    #[test]
    fn genes_stay_within_the_encoders_bounds() {
        let check = |key: &str, value: f64, expected: &str| {
            let file = Experiment::open("draughts-blondie24").unwrap();
            let error = file.with_value(key, &value.into()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        let low =
            "line 44, column 12: strategy.blondie: genes go from 0.5 to 3, but the encoder's king_value is from 1 to 3";
        check("strategy.blondie.gene_low", 0.5, low);
        check("strategy.blondie.gene_high", 3.5, "genes go from 1 to 3.5, but the encoder's king_value is from 1 to 3");
    }

    #[track_caller]
    fn check_set(assignment: &str, expected: &str) {
        let mut file = ExperimentFile::parse("x", "x.toml", &text()).unwrap();
        let found = match file.set(assignment) {
            Ok(()) => file.text(),
            Err(error) => error.to_string(),
        };
        assert!(found.contains(expected), "{found}");
    }

    #[test]
    fn parameters_can_be_overridden() {
        check_set("strategy.enn.population=500", "population = 500");
        check_set("player.head=value", "head = \"value\"");
        check_set("setup.stacks=[3, 5]", "stacks = [3, 5]");
        check_set("strategy.enn.weights.add_edge=1", "add_edge = 1");
        check_set(
            "strategy.enn.populaton=500",
            "unknown key `strategy.enn.populaton`; did you mean `strategy.enn.population`?",
        );
        check_set("population=500", "did you mean `strategy.enn.population`?");
        check_set("strategy.enn=5", "`strategy.enn` is a table");
        check_set("seed", "right would be KEY=VALUE");
        check_set("seed=x", "found string \"x\", but a whole number");
        check_set("game=go", "there is no game `go`");
    }

    #[test]
    fn what_does_not_go_together_is_told_in_the_end() {
        let mut file = ExperimentFile::parse("x", "x.toml", &text()).unwrap();
        file.set("strategy.enn.population=20").unwrap();
        let error = file.typed::<games::nim::Nim>().unwrap_err().to_string();
        assert!(error.contains("even number from 2 to 18"), "{error}");
        file.set("schedule.circular.opponents=10").unwrap();
        file.typed::<games::nim::Nim>().unwrap();
    }
}
