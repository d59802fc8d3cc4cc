//! What a command needs from its surroundings: the folders of its files, notices to the user, and a way to stop.

use crate::engine_clock::EngineClock;
use crate::engines::Engines;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The folders that a command uses, where it sends notices, and how it is stopped.
#[derive(Clone)]
pub struct Context<'a> {
    /// The folder of runs.
    pub runs: &'a Path,
    /// The folder in which endgame tables are saved.
    pub tables: &'a Path,
    /// Receives notices that a person may want to read.
    pub tell: &'a (dyn Fn(Notice) + Sync),
    /// When it is set to `true`, players stop searching and move, and the computation of endgame tables ends. It is set
    /// when nobody waits for the result any more.
    pub halt: Option<Arc<AtomicBool>>,
    /// The clock that limits every search, if the players are engines.
    pub clock: Option<Arc<EngineClock>>,
    /// The engines of other programs that can be players here.
    pub engines: Arc<Engines>,
}

impl<'a> Context<'a> {
    /// A context that is never halted.
    pub fn new(runs: &'a Path, tables: &'a Path, tell: &'a (dyn Fn(Notice) + Sync)) -> Context<'a> {
        Context { runs, tables, tell, halt: None, clock: None, engines: Arc::default() }
    }

    /// Whether work should stop because nobody waits for the result any more.
    pub fn is_halted(&self) -> bool {
        self.halt.as_ref().is_some_and(|halt| halt.load(Ordering::Relaxed))
    }

    /// A context without folders and without notices, for work that needs no files.
    pub fn nowhere() -> Context<'static> {
        Context::new(Path::new(""), Path::new(""), &|_| ())
    }
}

/// A message to the user while work goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// Endgame tables are being computed.
    Building {
        /// The game's name.
        game: &'static str,
        /// The share that is done, from 0 to 1.
        share: f64,
    },
    /// Endgame tables were saved in this file.
    Kept(PathBuf),
    /// Saved tables cannot be used. They are computed again.
    Damaged {
        /// The file of the tables.
        file: PathBuf,
        /// What is wrong with the file.
        why: String,
    },
    /// Tables cannot be saved. The next command will compute them again.
    NotKept {
        /// The file that could not be written.
        file: PathBuf,
        /// The reason.
        why: String,
    },
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Notice::Building { game, share } => {
                write!(f, "working out the endgame tables of {game}: {:.0} %", 100.0 * share)
            }
            Notice::Kept(file) => write!(f, "endgame tables kept in {}", file.display()),
            Notice::Damaged { file, why } => {
                write!(f, "the endgame tables in {} cannot be used ({why}); they are worked out anew", file.display())
            }
            Notice::NotKept { file, why } => {
                write!(f, "the endgame tables cannot be kept in {}: {why}", file.display())
            }
        }
    }
}
