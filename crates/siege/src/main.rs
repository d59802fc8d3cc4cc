//! Tests `gamete` with crashes, damaged files, hostile requests, bad engines and broken disks, and counts the failures.
//!
//! `cargo run --release -p siege -- storm --minutes 5` kills trainings for five minutes; `all` runs every attack.
//! `--seed` decides what happens, except for what depends on clocks and other processes. A failure prints the command
//! that repeats it, and its files are kept.

#![allow(clippy::disallowed_methods, reason = "no training runs in this process, so no lock can be lost")]

mod cases;
mod compare;
mod crashpoints;
mod damage;
mod disk;
mod figures;
mod fuzz;
mod gamete;
mod power;
mod program;
mod protocols;
mod server;
mod shim;
mod soak;
mod storm;
mod web;

use cases::{Goal, Siege};
use clap::{Parser, ValueEnum};
use figures::{Figures, table};
use gamete::Gamete;
use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Tests Gamete with crashes, damaged files, hostile requests, bad engines and broken disks, and counts the failures.
#[derive(Parser)]
struct Args {
    /// The attack to run
    #[arg(value_enum, default_value = "all")]
    attack: Choice,
    /// Duration in minutes; `all` divides it among the attacks
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    minutes: f64,
    /// The seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The program to attack [default: the release build of this workspace, built first]
    #[arg(long, value_name = "PATH")]
    gamete: Option<PathBuf>,
    /// Run only this case; the command that a failure prints contains it
    #[arg(long, value_name = "K")]
    case: Option<u64>,
    /// Attack only this point; the command that a failure prints contains it
    #[arg(long, value_name = "POINT")]
    point: Option<String>,
    /// Run a small fixed part of every attack except fuzz and soak, within 90 seconds, as `./test` does
    #[arg(long)]
    share: bool,
    /// Do not compare this column of run files; may be given several times
    #[arg(long, value_name = "COLUMN")]
    except: Vec<String>,
    /// Number of cases that run at the same time [default: number of cores]
    #[arg(long, value_name = "N")]
    workers: Option<usize>,
    /// Folder for the files of failed cases
    #[arg(long, value_name = "DIR", default_value = "siege-failures")]
    keep: PathBuf,
    /// Print only the figures on standard output, as one JSON object per line
    #[arg(long)]
    json: bool,
}

/// The attacks that the command line accepts: one attack, or all.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Choice {
    /// SIGKILL at random moments; the work is resumed until it is done
    Storm,
    /// SIGKILL at each system call that writes
    Crashpoints,
    /// Run files with flipped bits, cut, swapped or replaced by other files
    Damage,
    /// Random inputs for every parser (fuzz/run)
    Fuzz,
    /// Malformed, slow, huge, cross-site and many requests, and locks under load
    Web,
    /// Random and mutated lines for engines, and engines that crash, cheat, hang and flood
    Protocols,
    /// Disks that are full, read-only or slow, and files that disappear
    Disk,
    /// Files as a power cut can leave them
    Power,
    /// Memory, descriptors, threads and files over a long time
    Soak,
    /// Every attack, one after the other
    All,
}

/// An attack. Its number is part of the seed of its cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attack {
    /// See `storm.rs`.
    Storm = 1,
    /// See `crashpoints.rs`.
    Crashpoints = 2,
    /// See `damage.rs`.
    Damage = 3,
    /// See `fuzz.rs`.
    Fuzz = 4,
    /// See `web.rs`.
    Web = 5,
    /// See `disk.rs`.
    Disk = 6,
    /// See `power.rs`.
    Power = 7,
    /// See `soak.rs`.
    Soak = 8,
    /// See `protocols.rs`.
    Protocols = 9,
}

impl Attack {
    /// Every attack, with the share of the time that `all` gives to it.
    const SHARES: [(Attack, f64); 9] = [
        (Attack::Storm, 0.20),
        (Attack::Crashpoints, 0.12),
        (Attack::Damage, 0.15),
        (Attack::Web, 0.15),
        (Attack::Protocols, 0.05),
        (Attack::Disk, 0.05),
        (Attack::Power, 0.05),
        (Attack::Soak, 0.08),
        (Attack::Fuzz, 0.15),
    ];

    fn make(self, siege: &Siege, until: Instant) -> Figures {
        match self {
            Attack::Storm => storm::attack(siege, until),
            Attack::Crashpoints => crashpoints::attack(siege, until),
            Attack::Damage => damage::attack(siege, until),
            Attack::Fuzz => fuzz::attack(siege, until),
            Attack::Web => web::attack(siege, until),
            Attack::Protocols => protocols::attack(siege, until),
            Attack::Disk => disk::attack(siege, until),
            Attack::Power => power::attack(siege, until),
            Attack::Soak => soak::attack(siege, until),
        }
    }
}

impl fmt::Display for Attack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}

/// With at least this many minutes `all` is a whole siege, which fails if a goal of `GOALS` is missed.
const WHOLE_SIEGE_MINUTES: f64 = 60.0;
/// The smallest counts that a whole siege must reach.
const GOALS: [Goal; 13] = [
    Goal { attack: Attack::Storm, what: "kills", least: 1500 },
    Goal { attack: Attack::Crashpoints, what: "kills", least: 1500 },
    Goal { attack: Attack::Damage, what: damage::VITAL, least: 2000 },
    Goal { attack: Attack::Web, what: "starts", least: 2000 },
    Goal { attack: Attack::Web, what: "requests", least: 100_000 },
    Goal { attack: Attack::Protocols, what: "lines to uci", least: 20_000 },
    Goal { attack: Attack::Protocols, what: "lines to cecp", least: 20_000 },
    Goal { attack: Attack::Protocols, what: "lines to hub", least: 20_000 },
    Goal { attack: Attack::Protocols, what: "lines from uci", least: 20_000 },
    Goal { attack: Attack::Protocols, what: "lines from cecp", least: 20_000 },
    Goal { attack: Attack::Protocols, what: "lines from hub", least: 20_000 },
    Goal { attack: Attack::Soak, what: soak::JUDGED, least: 3 },
    Goal { attack: Attack::Fuzz, what: "inputs", least: 5_000_000 },
];

/// With `--share` no case begins later than this after the start.
const SHARE_TIME: Duration = Duration::from_secs(75);

fn main() -> ExitCode {
    // The attack on the protocols starts this program as an engine.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some((_, rest)) = arguments.split_first().filter(|(first, _)| *first == protocols::bad_engine::WORD) {
        return match protocols::bad_engine::run(rest) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::from(2)
            }
        };
    }
    match run(Args::parse()) {
        Ok(all) if all.iter().all(|figures| figures.failures == 0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("siege: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: Args) -> Result<Vec<Figures>, String> {
    let to_message = |error: std::io::Error| format!("cannot create a folder: {error}");
    let scratch = tempfile::Builder::new().prefix("siege-").tempdir().map_err(to_message)?;
    let words = extra_arguments(&args);
    let program = match args.gamete {
        Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?,
        None => program::build()?,
    };
    // Endgame tables are reused by the next siege.
    let gamete = Gamete::new(program, std::env::temp_dir().join("siege-tables"));
    let kept = std::env::current_dir().map_err(to_message)?.join(args.keep);
    let mut siege = Siege::new(gamete, args.seed, scratch.path().to_path_buf(), kept);
    (siege.only, siege.share, siege.except, siege.json) = (args.case, args.share, args.except, args.json);
    (siege.point, siege.words) = (args.point, words);
    if args.attack == Choice::All && args.minutes >= WHOLE_SIEGE_MINUTES && !siege.share && siege.only.is_none() {
        siege.goals = GOALS.to_vec();
    }
    siege.workers = args.workers.unwrap_or(siege.workers).max(1);
    let chosen: Vec<(Attack, f64)> = match args.attack {
        Choice::All => Attack::SHARES.to_vec(),
        one => vec![(attack_of(one), 1.0)],
    };
    let begun = Instant::now();
    let one = |(attack, share): (Attack, f64)| {
        let mut figures = match attack {
            Attack::Fuzz | Attack::Soak if siege.share => Figures::skipped(attack, "not part of the share"),
            // With `--share` all cases run, unless the machine is very slow.
            _ if siege.share => attack.make(&siege, begun + SHARE_TIME),
            _ => attack.make(&siege, Instant::now() + Duration::from_secs_f64(60.0 * args.minutes.max(0.0) * share)),
        };
        for missed in siege.missed_goals(&figures) {
            eprintln!("FAILED {attack}: {missed}");
            figures.fail(&missed);
        }
        match siege.json {
            true => println!("{}", figures.json()),
            false if args.attack == Choice::All => eprint!("{}", table(std::slice::from_ref(&figures))),
            false => {}
        }
        figures
    };
    let all: Vec<Figures> = std::thread::scope(|scope| {
        // Clients of the web attack mostly wait, so with `--share` it runs at the same time as the other attacks.
        let (beside, rest): (Vec<_>, Vec<_>) =
            chosen.into_iter().partition(|(attack, _)| siege.share && *attack == Attack::Web);
        let beside = scope.spawn(|| beside.into_iter().map(one).collect::<Vec<_>>());
        let rest: Vec<Figures> = rest.into_iter().map(one).collect();
        let beside = beside.join().map_err(|_| "the attack on the web app panicked".to_string())?;
        Ok::<_, String>(rest.into_iter().chain(beside).collect())
    })?;
    if !siege.json {
        print!("{}", table(&all));
    }
    if all.iter().any(|figures| figures.failures > 0) {
        eprintln!("files of failed cases: {}", siege.kept.display());
    }
    Ok(all)
}

/// The arguments other than the seed that decide what a case does.
fn extra_arguments(args: &Args) -> String {
    let minutes = (args.attack != Choice::All).then(|| format!(" --minutes {}", args.minutes));
    let gamete = args.gamete.as_ref().map(|path| format!(" --gamete {}", path.display()));
    let except = args.except.iter().map(|column| format!(" --except {column}"));
    let share = args.share.then(|| " --share".to_string());
    minutes.into_iter().chain(gamete).chain(except).chain(share).collect()
}

fn attack_of(choice: Choice) -> Attack {
    match choice {
        Choice::Storm => Attack::Storm,
        Choice::Crashpoints => Attack::Crashpoints,
        Choice::Damage => Attack::Damage,
        Choice::Fuzz => Attack::Fuzz,
        Choice::Web => Attack::Web,
        Choice::Protocols => Attack::Protocols,
        Choice::Disk => Attack::Disk,
        Choice::Power => Attack::Power,
        Choice::Soak => Attack::Soak,
        Choice::All => unreachable!("the caller handles `all`"),
    }
}
