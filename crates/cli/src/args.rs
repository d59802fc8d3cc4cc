//! What people type.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Breeds neural networks that teach themselves board games from the rules and who won.
#[derive(Parser)]
#[command(name = "gamete", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "Begin with `gamete train`: it breeds a player of misère Nim that makes no mistakes.")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Breed a population
    Train(TrainArgs),
    /// Go on with a run, bit for bit as if it had never stopped
    Resume(ResumeArgs),
    /// List all runs
    Runs(RunsArgs),
    /// Show a run: summary, curves, species and descent, the champion's network
    Show(RunArgs),
    /// Show recorded games of a run's champions, or replay a file of games from elsewhere
    Games(GamesArgs),
    /// Grade a player by what is known to be true
    Exam(ExamArgs),
    /// Play against a player
    Play(PlayArgs),
    /// Open the web app: watch populations learn, and play their champions
    Serve(ServeArgs),
    /// Let two players play a match
    Match(MatchArgs),
    /// Show how much a run has grown: Elo of its champions through time, and the last one's matches
    Growth(GrowthArgs),
    /// List the legal moves of a position
    Moves(MovesArgs),
    /// Count the games of so many moves
    Perft(PerftArgs),
    /// Show what endgame tables know of a game, or of a position
    Endgames(EndgamesArgs),
    /// Find test positions whose right answers are proved, as `exam --questions` reads them
    Questions(QuestionsArgs),
    /// Write the champion of a run to a file
    Export(ExportArgs),
    /// List what there is to choose from
    #[command(after_help = "Examples:\n  gamete list experiments\n  gamete list parameters --experiment draughts")]
    List {
        /// What to list
        what: List,
        /// The experiment whose parameters are listed: a path, or a name [default: nim-2x4]
        #[arg(long, value_name = "NAME")]
        experiment: Option<String>,
        #[command(flatten)]
        json: JsonArg,
    },
    /// Measure fast paths against plain ones, and print the signature of all behaviour
    #[command(after_help = "Example: gamete bench --json")]
    Bench(JsonArg),
}

#[derive(Args)]
pub struct JsonArg {
    /// Print one JSON object per line, and nothing else, on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ThreadsArg {
    /// How many threads share the work, up to 256; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

impl ThreadsArg {
    pub fn count(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}

#[derive(Args)]
pub struct SetupArg {
    /// Override a part of the game's setup, as in `start=random`; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub setup: Vec<String>,
}

#[derive(Args)]
pub struct RunsArg {
    /// The folder of runs
    #[arg(long, value_name = "DIR", env = "GAMETE_RUNS", default_value = "runs")]
    pub runs: PathBuf,
}

impl RunsArg {
    /// What to add to a command so that it finds the same folder.
    pub fn flag(&self) -> String {
        match self.runs.to_str() {
            Some("runs") => String::new(),
            _ if std::env::var_os("GAMETE_RUNS").is_some_and(|folder| folder == self.runs) => String::new(),
            _ => format!(" --runs {}", self.runs.display()),
        }
    }
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete serve\n  gamete serve --host 192.168.1.5 --token $(head -c 12 /dev/urandom | base64 | tr +/ -_)\n\nOnly browsers on this machine can reach it, unless --host opens it to others: whoever reaches it can start trainings and delete runs, hence the token. Ctrl-C stops it; running trainings are saved, and `gamete resume` goes on with them."
)]
pub struct ServeArgs {
    /// Where to listen on 127.0.0.1; 0 for any free port [default: 4263, or one of the next]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Listen on this address of the machine, so that other machines can come in; needs --token
    #[arg(long, value_name = "ADDRESS")]
    pub host: Option<std::net::IpAddr>,
    /// What browsers must know where other machines can come in: at least 16 letters and digits
    #[arg(long, value_name = "SECRET", env = "GAMETE_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,
    #[command(flatten)]
    pub threads: ThreadsArg,
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub tables: TablesArg,
}

#[derive(Args)]
pub struct TablesArg {
    /// The folder in which endgame tables are kept [default: gamete in the user's cache folder]
    #[arg(long, value_name = "DIR", env = "GAMETE_TABLES")]
    tables: Option<PathBuf>,
}

impl TablesArg {
    /// The folder, by the rules of the system where none was given.
    pub fn folder(&self) -> PathBuf {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = || set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
        let folder = || cache().unwrap_or_else(std::env::temp_dir).join("gamete");
        self.tables.clone().unwrap_or_else(folder)
    }
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete train\n  gamete train nim-1-8-c6 --seed 7\n  gamete train nim-2x10 --set strategy.enn.population=1000 --name large\n  gamete train nim-2x4 --print > my.toml\n\n`gamete list experiments` shows what there is; all parameters are in the experiment's file."
)]
pub struct TrainArgs {
    /// An experiment: a path, or the name of one inside the program
    #[arg(default_value = "nim-2x4")]
    pub experiment: String,
    /// Where all chance comes from
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    pub seed: Option<u64>,
    /// Stop after so many generations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    pub generations: Option<u64>,
    #[command(flatten)]
    pub threads: ThreadsArg,
    /// Override a parameter by its dotted path, as in player.head=direct; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub runs: RunsArg,
    /// The run's name [default: the experiment's, and a number]
    #[arg(long)]
    pub name: Option<String>,
    /// Replace the run of that name
    #[arg(long, requires = "name")]
    pub force: bool,
    /// Print the experiment with all its parameters, to be copied and edited, and train nothing
    #[arg(long, conflicts_with = "json")]
    pub print: bool,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  gamete resume nim-2x4-1\n  gamete resume nim-2x4-1 --generations 5000")]
pub struct ResumeArgs {
    /// A run's name, or the path of its file
    pub run: String,
    /// Go on to so many generations in all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    pub generations: Option<u64>,
    #[command(flatten)]
    pub threads: ThreadsArg,
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(after_help = "Example: gamete runs --runs experiments/tuesday")]
pub struct RunsArgs {
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete show nim-2x4-1\n  gamete show minichess-1 --generation 50\n  gamete show nim-2x4-1 --figures figures"
)]
pub struct RunArgs {
    /// A run's name, or the path of its file
    pub run: String,
    /// The generation whose champion, species and genomes are shown [default: the last]
    #[arg(long, value_name = "N")]
    pub generation: Option<u64>,
    /// Also write its curves to this folder as figures, each as SVG and as PNG
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete games nim-2x4-1 --generation 20\n  gamete games minichess-enn-1 --format pgn\n  gamete games --check elsewhere.pdn\n\nIn the PDN that is written, 1-0 means that Black, who moves first, won.\nFiles from elsewhere differ in that: --check tells what it means in them, by the\ngames that ended on the board."
)]
pub struct GamesArgs {
    /// A run's name, or the path of its file
    #[arg(required_unless_present = "check")]
    pub run: Option<String>,
    /// Replay all games of this file and tell what is illegal or ambiguous
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "generation", "format"])]
    pub check: Option<PathBuf>,
    /// The game that the file holds, where neither its tags nor its ending (.pdn: draughts) say it
    #[arg(long, requires = "check")]
    pub game: Option<String>,
    /// Of which generation [default: the last]
    #[arg(long, value_name = "N")]
    pub generation: Option<u64>,
    /// The form of the games
    #[arg(long, value_enum, default_value_t = GameFormat::Text)]
    pub format: GameFormat,
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GameFormat {
    /// Turn by turn
    Text,
    /// As chess players keep them
    Pgn,
    /// As players of draughts keep them
    Pdn,
}

impl GameFormat {
    /// The form of whole games in files.
    pub fn form(self) -> Option<games::RecordForm> {
        match self {
            GameFormat::Text => None,
            GameFormat::Pgn => Some(games::RecordForm::Pgn),
            GameFormat::Pdn => Some(games::RecordForm::Pdn),
        }
    }
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete exam run:nim-2x4-1\n  gamete exam random --game nim --setup stacks=[4,4] --setup start=random\n\n`gamete list players` shows what a player can be."
)]
pub struct ExamArgs {
    /// A player
    pub player: String,
    /// The game, where the player does not say it
    #[arg(long)]
    pub game: Option<String>,
    /// Other test positions than the game's own (`gamete questions` finds some)
    #[arg(long, value_name = "FILE")]
    pub questions: Option<PathBuf>,
    /// Tell the test positions that were not solved, with what was played and what is right
    #[arg(long)]
    pub failed: bool,
    #[command(flatten)]
    pub setup: SetupArg,
    #[command(flatten)]
    pub tables: TablesArg,
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete play nim --against run:nim-2x4-1\n  gamete play nim --against perfect --position 3,5,7 --side second"
)]
pub struct PlayArgs {
    /// The game
    pub game: String,
    /// Whom to play against
    #[arg(long, value_name = "PLAYER")]
    pub against: String,
    /// Your side: first or second, or what the game calls it, as white or black
    #[arg(long, default_value = "first")]
    pub side: String,
    /// Where to begin, in the game's notation
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    #[command(flatten)]
    pub setup: SetupArg,
    /// Where the start, if it is drawn, comes from [default: the clock]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub tables: TablesArg,
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(
    after_help = "Example: gamete match run:nim-2x4-1 random --game nim --games 1000\n         gamete match run:minichess-enn-1,depth=2 material:2 --game minichess --games 400"
)]
pub struct MatchArgs {
    /// A player
    #[arg(value_name = "PLAYER")]
    pub one: String,
    /// Its opponent
    #[arg(value_name = "PLAYER")]
    pub two: String,
    /// The game
    #[arg(long)]
    pub game: String,
    /// How many games; an odd number is rounded up, because every opening is played with both colours
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    pub games: u32,
    /// How many plies of each opening are drawn at random
    #[arg(long, value_name = "K", default_value_t = 2)]
    pub plies: usize,
    /// Where the openings come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub threads: ThreadsArg,
    #[command(flatten)]
    pub setup: SetupArg,
    #[command(flatten)]
    pub tables: TablesArg,
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete growth draughts-1 --depth 4 --picture growth.svg\n  gamete growth minichess-1 --yardstick material:2 --yardstick mcts:1000\n\nEverybody meets all yardsticks, champions also the two before them; random is 0 on the scale.\nThe last champion then meets random, mcts:500 and the champions of a quarter and of half of\nthe run. Strengths are kept in the run, and `gamete show` tells them."
)]
pub struct GrowthArgs {
    /// A run's name, or the path of its file
    pub run: String,
    /// How many plies champions look ahead [default: as they were bred]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: Option<u32>,
    /// How many games each two play; an odd number is rounded up, because every opening is played with both colours
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub games: u32,
    /// How many champions, spread evenly over the run
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u16).range(2..=1000))]
    pub champions: u16,
    /// A player that learns nothing, to compare with; may be given several times [default: some that fit the game]
    #[arg(long, value_name = "PLAYER")]
    pub yardstick: Vec<String>,
    /// Where the openings come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Draw the curve into this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    #[command(flatten)]
    pub threads: ThreadsArg,
    #[command(flatten)]
    pub tables: TablesArg,
    #[command(flatten)]
    pub runs: RunsArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(after_help = "Example: gamete moves nim --position 3,5,7")]
pub struct MovesArgs {
    /// The game
    pub game: String,
    /// The position, in the game's notation [default: a start]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    #[command(flatten)]
    pub setup: SetupArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(after_help = "Example: gamete perft tic-tac-toe 6 --divide")]
pub struct PerftArgs {
    /// The game
    pub game: String,
    /// How many moves, up to 64
    #[arg(value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: u32,
    /// The position, in the game's notation [default: a start]
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Tell the count behind each first move
    #[arg(long)]
    pub divide: bool,
    #[command(flatten)]
    pub setup: SetupArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete endgames minichess\n  gamete endgames minichess --position \"k5/6/6/6/6/4KR w\""
)]
pub struct EndgamesArgs {
    /// The game
    pub game: String,
    /// Tell who wins in this position, and what comes of each move
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub position: Option<String>,
    #[command(flatten)]
    pub tables: TablesArg,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(
    after_help = "Example: gamete questions minichess --seed 7 > other.txt; gamete exam run:minichess-enn-1 --questions other.txt"
)]
pub struct QuestionsArgs {
    /// The game
    pub game: String,
    /// Where the games come from that the positions are taken of
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many positions for each suite of the game
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(2..=10_000))]
    pub each: u16,
    #[command(flatten)]
    pub json: JsonArg,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete export nim-2x4-1 --format json --out champion.json\n  gamete export nim-2x4-1@20 --format text\n  gamete export nim-2x4-1 --format svg --out champion.svg"
)]
pub struct ExportArgs {
    /// A run, or RUN@GENERATION
    pub run: String,
    /// The form of the network
    #[arg(long, value_enum, default_value_t = ExportFormat::Text)]
    pub format: ExportFormat,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub runs: RunsArg,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ExportFormat {
    /// Lines of `key: value`
    Text,
    /// One JSON object
    Json,
    /// A picture of the network
    Svg,
    /// The same for Graphviz
    Dot,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum List {
    Games,
    Experiments,
    Strategies,
    Players,
    Champions,
    Encoders,
    Schedules,
    Parameters,
}
