//! Where files are, and whom to tell of what takes long.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The surroundings of a command.
#[derive(Clone)]
pub struct Context<'a> {
    /// The folder of runs.
    pub runs: &'a Path,
    /// The folder in which endgame tables are kept.
    pub tables: &'a Path,
    /// Hears what a person may want to know.
    pub tell: &'a (dyn Fn(Notice) + Sync),
    /// Where it is set, players stop thinking and move, and tables are worked out no further: nobody waits any more.
    pub halt: Option<Arc<AtomicBool>>,
}

impl<'a> Context<'a> {
    /// Surroundings in which players think for as long as they like.
    pub fn new(runs: &'a Path, tables: &'a Path, tell: &'a (dyn Fn(Notice) + Sync)) -> Context<'a> {
        Context { runs, tables, tell, halt: None }
    }

    /// Whether nobody waits any more.
    pub fn is_halted(&self) -> bool {
        self.halt.as_ref().is_some_and(|halt| halt.load(Ordering::Relaxed))
    }

    /// Where no file is looked for.
    pub fn nowhere() -> Context<'static> {
        Context::new(Path::new(""), Path::new(""), &|_| ())
    }
}

/// Something to know while work goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// Endgame tables are worked out; this share of them is done.
    Building {
        /// The game.
        game: &'static str,
        /// From 0 to 1.
        share: f64,
    },
    /// Endgame tables were kept here.
    Kept(PathBuf),
    /// Kept tables are of no use, for this reason; they are worked out anew.
    Damaged {
        /// Their file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Tables cannot be kept, for this reason; the next command will work them out again.
    NotKept {
        /// Their file.
        file: PathBuf,
        /// What is wrong.
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
