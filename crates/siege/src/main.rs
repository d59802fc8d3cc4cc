//! Attacks `gamete` as crashes, damaged files, strangers and broken disks would, and tells how often it gave way.
//!
//! `cargo run --release -p siege -- storm --minutes 5` kills trainings for five minutes; `all` makes every attack.
//! What happens is decided by `--seed`, as far as clocks and other processes let it. A failure prints the command that
//! shows it again, and keeps its files.

#![allow(clippy::disallowed_methods, reason = "no training runs in this process, so that no lock can be lost")]

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

/// Attacks Gamete, and tells how often it gave way.
#[derive(Parser)]
struct Args {
    /// Which attack
    #[arg(value_enum, default_value = "all")]
    attack: Choice,
    /// How long to attack; `all` gives each attack its share of it
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    minutes: f64,
    /// Where all chance comes from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The program to attack [default: the release build of this workspace, built first]
    #[arg(long, value_name = "PATH")]
    gamete: Option<PathBuf>,
    /// Run this case alone, as a failure asks for
    #[arg(long, value_name = "K")]
    case: Option<u64>,
    /// Attack this point alone, as a failure asks for
    #[arg(long, value_name = "POINT")]
    point: Option<String>,
    /// A small fixed share of every attack but fuzz and soak, within 90 seconds, as `./test` runs it
    #[arg(long)]
    share: bool,
    /// Leave a column out of comparisons; may be given several times
    #[arg(long, value_name = "COLUMN")]
    except: Vec<String>,
    /// How many cases run at a time [default: all cores]
    #[arg(long, value_name = "N")]
    workers: Option<usize>,
    /// Where the files of failed cases are kept
    #[arg(long, value_name = "DIR", default_value = "siege-failures")]
    keep: PathBuf,
    /// Print the figures as one JSON object per line, and nothing else, on standard output
    #[arg(long)]
    json: bool,
}

/// What can be chosen: one attack, or all.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Choice {
    /// SIGKILL at random moments, resumed until done
    Storm,
    /// SIGKILL at each writing system call
    Crashpoints,
    /// Flipped bits, cut, swapped and foreign files
    Damage,
    /// Random inputs for every parser, by fuzz/run
    Fuzz,
    /// Malformed, slow, huge, foreign and many requests, and locks under load
    Web,
    /// Disks that are full, read-only, slow or gone
    Disk,
    /// What a power cut leaves
    Power,
    /// Memory, descriptors, threads and files over a long time
    Soak,
    /// Every attack, one after the other
    All,
}

/// An attack. Its number is a part of its cases' chance.
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
}

impl Attack {
    /// Every attack, with its share of the minutes of `all`.
    const SHARES: [(Attack, f64); 8] = [
        (Attack::Storm, 0.25),
        (Attack::Crashpoints, 0.12),
        (Attack::Damage, 0.15),
        (Attack::Web, 0.15),
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

/// From so many minutes on `all` is a whole siege, which fails where it did less than `LEAST`.
const WHOLE: f64 = 60.0;
/// What a whole siege does at least.
const LEAST: [Goal; 7] = [
    Goal { attack: Attack::Storm, what: "kills", least: 1500 },
    Goal { attack: Attack::Crashpoints, what: "kills", least: 1500 },
    Goal { attack: Attack::Damage, what: damage::VITAL, least: 2000 },
    Goal { attack: Attack::Web, what: "starts", least: 2000 },
    Goal { attack: Attack::Web, what: "requests", least: 100_000 },
    Goal { attack: Attack::Soak, what: soak::JUDGED, least: 3 },
    Goal { attack: Attack::Fuzz, what: "inputs", least: 5_000_000 },
];

/// When the last cases of the share begin at the latest.
const SHARE: Duration = Duration::from_secs(75);

fn main() -> ExitCode {
    match besiege(Args::parse()) {
        Ok(all) if all.iter().all(|figures| figures.failures == 0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("siege: {error}");
            ExitCode::from(2)
        }
    }
}

fn besiege(args: Args) -> Result<Vec<Figures>, String> {
    let told = |error: std::io::Error| format!("cannot make a folder: {error}");
    let scratch = tempfile::Builder::new().prefix("siege-").tempdir().map_err(told)?;
    let words = more_words(&args);
    let program = match args.gamete {
        Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?,
        None => program::build()?,
    };
    // Endgame tables are kept from siege to siege.
    let gamete = Gamete::new(program, std::env::temp_dir().join("siege-tables"));
    let kept = std::env::current_dir().map_err(told)?.join(args.keep);
    let mut siege = Siege::new(gamete, args.seed, scratch.path().to_path_buf(), kept);
    (siege.only, siege.share, siege.except, siege.json) = (args.case, args.share, args.except, args.json);
    (siege.point, siege.words) = (args.point, words);
    if args.attack == Choice::All && args.minutes >= WHOLE && !siege.share && siege.only.is_none() {
        siege.goals = LEAST.to_vec();
    }
    siege.workers = args.workers.unwrap_or(siege.workers).max(1);
    let chosen: Vec<(Attack, f64)> = match args.attack {
        Choice::All => Attack::SHARES.to_vec(),
        one => vec![(named(one), 1.0)],
    };
    let begun = Instant::now();
    let one = |(attack, share): (Attack, f64)| {
        let mut figures = match attack {
            Attack::Fuzz | Attack::Soak if siege.share => Figures::skipped(attack, "not a part of the share"),
            // All cases of the share are run, unless the machine is very slow.
            _ if siege.share => attack.make(&siege, begun + SHARE),
            _ => attack.make(&siege, Instant::now() + Duration::from_secs_f64(60.0 * args.minutes.max(0.0) * share)),
        };
        for missed in siege.missing(&figures) {
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
        // The web's visitors mostly wait: in the share they do it beside the others.
        let (beside, rest): (Vec<_>, Vec<_>) =
            chosen.into_iter().partition(|(attack, _)| siege.share && *attack == Attack::Web);
        let beside = scope.spawn(|| beside.into_iter().map(one).collect::<Vec<_>>());
        let rest: Vec<Figures> = rest.into_iter().map(one).collect();
        let beside = beside.join().map_err(|_| "the attack on the web app broke down".to_string())?;
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

/// The words besides the seed that decide what a case does.
fn more_words(args: &Args) -> String {
    let minutes = (args.attack != Choice::All).then(|| format!(" --minutes {}", args.minutes));
    let gamete = args.gamete.as_ref().map(|path| format!(" --gamete {}", path.display()));
    let except = args.except.iter().map(|column| format!(" --except {column}"));
    let share = args.share.then(|| " --share".to_string());
    minutes.into_iter().chain(gamete).chain(except).chain(share).collect()
}

fn named(choice: Choice) -> Attack {
    match choice {
        Choice::Storm => Attack::Storm,
        Choice::Crashpoints => Attack::Crashpoints,
        Choice::Damage => Attack::Damage,
        Choice::Fuzz => Attack::Fuzz,
        Choice::Web => Attack::Web,
        Choice::Disk => Attack::Disk,
        Choice::Power => Attack::Power,
        Choice::Soak => Attack::Soak,
        Choice::All => unreachable!("all is not one attack"),
    }
}
