//! Damages run files: bits are flipped, files are cut, swapped or replaced. Every command and page that reads such a
//! file must answer as before or refuse with an error message. None may panic, hang, or answer differently without a
//! warning.

mod aimed;
mod forms;
mod others;
mod questions;

use crate::Attack;
use crate::cases::{Case, Siege, copy_folder};
use crate::figures::Figures;
use crate::gamete::Answer;
use crate::server::Server;
use forms::Form;
use questions::{Expected, Target, Verdict, ask, commands, judge_answer, judge_reply, requests, writes};
use std::path::Path;
use std::time::Instant;

/// The runs that are damaged: a NEAT run with births, species and genomes, and a run of 6×6 chess with remembered
/// games, whose exam is slow and only findings for in a few cases.
const TARGETS: [Target; 2] = [
    Target { run: "a", game: "nim", generations: 12, start: "3,4", slow: false },
    Target { run: "b", game: "minichess", generations: 8, start: "rnbknr/pppppp/6/6/PPPPPP/RNBKNR w", slow: true },
];

const TRAININGS: [&str; 3] = [
    "train nim-2x4-neat --generations 12 --set stop.solved=false --set strategy.neat.population=20 \
     --set schedule.circular.opponents=4 --set record.genomes_every=3 --name a",
    "train minichess-ga --generations 8 --set strategy.ga.population=12 --set strategy.ga.elites=4 \
     --set schedule.circular.opponents=4 --set record.past_games=2 --set record.exam_every=4 --set record.games_every=2 \
     --set record.final_games=2 --name b",
    "growth a --games 2 --champions 3",
];

/// The name of the count of bits flipped in champions, populations and games.
pub const VITAL: &str = "flips in champions, populations and games";
/// The number of such flips in one case.
const FLIPS: u64 = 4;

/// Damages runs until the time is over.
pub fn attack(siege: &Siege, until: Instant) -> Figures {
    let expected = Expected::default();
    let most = if siege.share { 24 } else { u64::MAX };
    siege.cases(Attack::Damage, until, most, |case| {
        let pristine = pristine(siege)?;
        let target = TARGETS[case.rng.below(TARGETS.len())];
        let target = Target { slow: target.slow && (siege.share || case.rng.below(40) > 0), ..target };
        let damage = DamageCase { pristine: &pristine, expected: &expected, target };
        // Most cases change single values, because only such damage can pass SQLite's own checks, and then run the
        // commands that read these values.
        match case.number % 8 {
            0 => damage.damage_file(case),
            1 => damage.damage_value(case),
            2 => others::damage(case),
            _ => (0..FLIPS).try_for_each(|_| damage.flip_vital(case)),
        }
    })
}

/// A folder with undamaged runs.
fn pristine(siege: &Siege) -> Result<std::path::PathBuf, String> {
    siege.once("damage", |folder| {
        for words in TRAININGS {
            siege.gamete.run(folder, words).check_success()?;
        }
        Ok(())
    })
}

/// Checks that a salvaged file holds no damage. Lost parts are allowed.
fn check_salvaged(answer: &Answer) -> Result<(), String> {
    answer.check_proper_end()?;
    let found = answer.json()?;
    match found["damaged_rows"] == 0 && found["structure"].is_null() {
        true => Ok(()),
        false => Err(format!("the salvaged file is damaged: {found}")),
    }
}

/// The result of asking everything about a damaged run.
struct Findings {
    /// Whether an answer changed without a warning.
    is_silent: bool,
    /// The first command that noticed the damage; `None` if no command did.
    noticed: Option<String>,
}

/// A run to damage, with its undamaged files and its answers before the damage.
struct DamageCase<'a> {
    pristine: &'a Path,
    expected: &'a Expected,
    target: Target,
}

impl DamageCase<'_> {
    /// Puts undamaged copies of all runs into a folder.
    fn copy_undamaged(&self, folder: &Path) -> Result<(), String> {
        let runs = folder.join("runs");
        let _ = std::fs::remove_dir_all(&runs);
        copy_folder(&self.pristine.join("runs"), &runs)
    }

    /// Damages the file from outside, without knowledge of its contents.
    fn damage_file(&self, case: &mut Case) -> Result<(), String> {
        let damaged = case.folder.join("damaged");
        self.copy_undamaged(&damaged)?;
        let form = Form::ALL[case.rng.below(Form::ALL.len())];
        let file = damaged.join(format!("runs/{}.db", self.target.run));
        let words = forms::damage(case, form, &file)?;
        case.count(if matches!(form, Form::Flip | Form::FlipHeader) { "flips" } else { "damaged files" }, 1);
        let generation = 1 + case.rng.below(self.target.generations as usize) as u64;
        let findings = self.ask_all(case, &damaged, generation, &format!("{form:?}"), &words)?;
        case.count("accepted silently", u64::from(findings.is_silent));
        match findings.noticed {
            Some(command) if matches!(form, Form::Flip | Form::FlipHeader) => {
                self.check_finds(case, &damaged, &format!("{form:?}, which `{command}` notices"), &words)
            }
            _ => Ok(()),
        }
    }

    /// Changes a value, a definition or two rows through SQLite.
    fn damage_value(&self, case: &mut Case) -> Result<(), String> {
        let damaged = case.folder.join("damaged");
        self.copy_undamaged(&damaged)?;
        let file = damaged.join(format!("runs/{}.db", self.target.run));
        let change = match case.rng.below(8) {
            0 => aimed::exchange_rows(case, &file)?,
            1 | 2 => aimed::flip_definition(case, &file)?,
            _ => aimed::flip_value(case, &file, false)?,
        };
        case.count(if change.what.starts_with("rows") { "exchanged rows" } else { "flips" }, 1);
        case.count(VITAL, u64::from(aimed::is_vital(&change.what)));
        let generation = self.generation_of(case, &change);
        let findings = self.ask_all(case, &damaged, generation, &change.what, &change.words)?;
        case.count("accepted silently", u64::from(findings.is_silent));
        self.check_finds(case, &damaged, &change.what, &change.words)
    }

    /// Flips a bit of a champion, the population or a game. Then it runs `check`, the command that reads the value, and
    /// a command for another generation, which must still work.
    fn flip_vital(&self, case: &mut Case) -> Result<(), String> {
        let damaged = case.folder.join("damaged");
        self.copy_undamaged(&damaged)?;
        let Target { run, generations, .. } = self.target;
        let file = damaged.join(format!("runs/{run}.db"));
        let change = aimed::flip_value(case, &file, true)?;
        case.count("flips", 1);
        case.count(VITAL, 1);
        let generation = self.generation_of(case, &change);
        self.check_finds(case, &damaged, &change.what, &change.words)?;
        let reading = match change.what.split('.').next() {
            Some("champion") => format!("export {run}@{generation} --json"),
            Some("game") => format!("games {run} --generation {generation} --json"),
            _ => format!("resume {run} --generations {} --json", generations + 2),
        };
        let verdict = self.ask_command(case, &damaged, &reading)?;
        let with_change = |how: String| format!("{} ({})", how, change.words);
        match verdict {
            // `Same` is allowed: a changed key can be that of another row, and nothing else of the changed row is read.
            Verdict::Noticed | Verdict::Same => {}
            Verdict::Silent(how) => {
                case.count("accepted silently", 1);
                case.check(Err(with_change(format!("accepted silently in {}: `{reading}`: {how}", change.what))));
            }
        }
        if change.what == "champion.generation" {
            return Ok(());
        }
        let other = 1 + generation % generations;
        let usable = format!("export {run}@{other} --json");
        match self.ask_command(case, &damaged, &usable)? {
            Verdict::Same => Ok(()),
            found => Err(with_change(format!(
                "other generations are not usable: `{usable}` after {}: {found:?}",
                change.what
            ))),
        }
    }

    /// The generation whose row was changed. If the row has none, or a number out of range, a random one.
    fn generation_of(&self, case: &mut Case, change: &aimed::Change) -> u64 {
        let drawn = 1 + case.rng.below(self.target.generations as usize) as u64;
        change.generation.filter(|number| (1..=self.target.generations).contains(number)).unwrap_or(drawn)
    }

    /// Checks that `gamete check` finds the damage.
    fn check_finds(&self, case: &mut Case, damaged: &Path, what: &str, words: &str) -> Result<(), String> {
        case.count("questions", 1);
        let answer = case.siege.gamete.run(damaged, &format!("check {}", self.target.run));
        answer.check_proper_end()?;
        match answer.code {
            Some(1 | 2) if !answer.end().is_empty() => Ok(()),
            code => Err(format!("check finds nothing in {what}: exit code {code:?} ({words})")),
        }
    }

    /// Runs one command on the damaged run, or on a copy of it if the command writes.
    fn ask_command(&self, case: &mut Case, damaged: &Path, command: &str) -> Result<Verdict, String> {
        let gamete = &case.siege.gamete;
        let (written, undamaged) = (case.folder.join("written"), case.folder.join("undamaged"));
        let expected = self.expected.command(gamete, command, || self.copy_undamaged(&undamaged), &undamaged)?;
        let folder = if writes(command) { &written } else { damaged };
        if writes(command) {
            let _ = std::fs::remove_dir_all(&written);
            copy_folder(damaged, &written)?;
        }
        let answer = gamete.run(folder, command);
        case.count("questions", 1);
        let verdict = judge_answer(&expected, &answer)?;
        if command.contains("--salvage") && written.join("runs/saved.db").exists() {
            check_salvaged(&gamete.run(&written, "check saved --json"))?;
        }
        Ok(verdict)
    }

    /// Runs every command and sends every request that reads the damaged run.
    fn ask_all(
        &self,
        case: &mut Case,
        damaged: &Path,
        generation: u64,
        what: &str,
        words: &str,
    ) -> Result<Findings, String> {
        let (mut silent, mut noticed) = (None, None);
        for command in commands(self.target, generation) {
            match self.ask_command(case, damaged, &command) {
                Ok(Verdict::Silent(how)) => silent = silent.or(Some(format!("`{command}`: {how}"))),
                Ok(Verdict::Noticed) => noticed = noticed.or(Some(command)),
                Ok(Verdict::Same) => {}
                Err(error) => case.check(Err(format!("{error} ({what}: {words})"))),
            }
        }
        let found = self.ask_pages(case, damaged, generation, what, words)?;
        silent = silent.or(found);
        let is_silent = silent.is_some();
        case.check(silent.map_or(Ok(()), |how| Err(format!("accepted silently in {what}: {words}: {how}"))));
        Ok(Findings { is_silent, noticed })
    }

    /// Sends every request that reads the damaged run; returns the first answer that changed without a warning.
    fn ask_pages(
        &self,
        case: &mut Case,
        damaged: &Path,
        generation: u64,
        what: &str,
        words: &str,
    ) -> Result<Option<String>, String> {
        let gamete = case.siege.gamete.clone();
        let undamaged = case.folder.join("undamaged");
        let mut server = Server::start(&gamete, damaged)?;
        let mut silent = None;
        for (method, path, body) in requests(self.target, generation) {
            let question = format!("{method} {path} {}", body.as_ref().map(ToString::to_string).unwrap_or_default());
            let expected = self.expected.request(
                || {
                    self.copy_undamaged(&undamaged)?;
                    ask(&Server::start(&gamete, &undamaged)?, method, &path, body.as_ref())
                },
                &question,
            )?;
            case.count("requests", 1);
            let judged =
                ask(&server, method, &path, body.as_ref()).and_then(|reply| judge_reply(&expected, &reply, &question));
            match judged {
                Ok(Verdict::Silent(how)) => silent = silent.or(Some(format!("{question}: {how}"))),
                Ok(Verdict::Same | Verdict::Noticed) => {}
                Err(error) => case.check(Err(format!("{error} ({what}: {words})"))),
            }
        }
        let alive = server.check_alive(damaged);
        case.check(alive.map_err(|error| format!("{error} ({what}: {words})")));
        Ok(silent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_in_a_salvaged_file_is_a_failure() {
        let check =
            |stdout: &str| check_salvaged(&Answer { code: Some(1), stdout: stdout.to_string(), ..Answer::default() });
        assert_eq!(check(r#"{"damaged_rows":0,"lost_things":1,"structure":null}"#), Ok(()));
        assert!(check(r#"{"damaged_rows":2,"structure":null}"#).is_err());
        assert!(check(r#"{"damaged_rows":0,"structure":"page 3 is torn"}"#).is_err());
        assert!(check("").is_err());
    }
}
