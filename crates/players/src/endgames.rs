//! Endgame tables on disk. They are computed once and saved with a checksum; if the checksum is wrong, they are
//! computed again.

use crate::Error;
use crate::context::{Context, Notice};
use games::{Ending, Game, GameVisitor, Solver, Value, Verdict};
use runs::{read_bytes_up_to, write_with};
use serde::Serialize;
use std::any::Any;
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, SystemTime};
use xxhash_rust::xxh3::xxh3_128;

/// What the endgame tables know about a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Probe {
    /// The position.
    pub position: String,
    /// `won`, `drawn` or `lost`, for the side to move.
    pub value: &'static str,
    /// The number of plies to the end; `None` for draws.
    pub plies: Option<u32>,
    /// All moves, the best first.
    pub moves: Vec<ProbedMove>,
}

/// A move and its result for the side that makes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProbedMove {
    /// The move.
    pub mv: String,
    /// `won`, `drawn` or `lost`.
    pub value: &'static str,
    /// The number of plies to the end, including this move; `None` for draws.
    pub plies: Option<u32>,
}

/// All endings in the endgame tables of a game.
pub fn endings(game: &str, context: &Context) -> Result<Vec<Ending>, Error> {
    ListEndings(context).in_game(game)?
}

pub(crate) struct ListEndings<'a>(&'a Context<'a>);

games::by_name!(ListEndings<'a>, 'a);

impl GameVisitor for ListEndings<'_> {
    type Output = Result<Vec<Ending>, Error>;

    fn visit<G: Game>(self) -> Result<Vec<Ending>, Error> {
        let found = G::ENDGAMES.and_then(|endgames| Some(endgames.endings(&bytes::<G>(self.0)?)));
        found.ok_or_else(no_tables::<G>)
    }
}

/// Looks a position up in the endgame tables.
pub fn probe(game: &str, position: &str, context: &Context) -> Result<Probe, Error> {
    ProbeEnding(position, context).in_game(game)?
}

pub(crate) struct ProbeEnding<'a>(&'a str, &'a Context<'a>);

games::by_name!(ProbeEnding<'a>, 'a);

impl GameVisitor for ProbeEnding<'_> {
    type Output = Result<Probe, Error>;

    fn visit<G: Game>(self) -> Result<Probe, Error> {
        let position: G = self.0.parse()?;
        let solver = all_endgames::<G>(self.1).ok_or_else(no_tables::<G>)?;
        let verdict = solver.verdict(&position).ok_or_else(|| unknown_ending(&position))?;
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut known: Vec<(Value, Option<u32>, String)> = Vec::new();
        for mv in moves {
            let next = position.after(mv);
            let after = solver.verdict(&next).ok_or_else(|| unknown_ending(&next))?;
            known.push((after.value.reversed(), after.distance.map(|plies| plies + 1), mv.to_string()));
        }
        // The best move first: the fastest win, or the latest defeat.
        known.sort_by_key(|(value, plies, _)| {
            let plies = i64::from(plies.unwrap_or(0));
            (std::cmp::Reverse(*value), if *value == Value::Won { plies } else { -plies })
        });
        let moves = known.into_iter().map(|(value, plies, mv)| ProbedMove { mv, value: word(value), plies });
        let Verdict { value, distance } = verdict;
        Ok(Probe { position: position.to_string(), value: word(value), plies: distance, moves: moves.collect() })
    }
}

fn word(value: Value) -> &'static str {
    match value {
        Value::Won => "won",
        Value::Drawn => "drawn",
        Value::Lost => "lost",
    }
}

fn no_tables<G: Game>() -> Error {
    Error::refused(format!("there are no endgame tables of {}", G::NAME))
}

/// The error for a position that is not in the tables. It says which positions are.
pub(crate) fn unknown_ending<G: Game>(position: &G) -> Error {
    let known = G::ENDGAMES.map_or("nothing", |endgames| endgames.about());
    Error::refused(format!(
        "{position} is not in the endgame tables, which know {known}; choose such a position, or a setup that begins with one"
    ))
}

/// The error if the computation of tables was stopped.
pub(crate) fn broken_off<G: Game>() -> Error {
    Error::refused(format!("the endgame tables of {} were not computed because nobody waited for them", G::NAME))
}

/// The solver that uses a game's endgame tables, which are computed if necessary. Returns `None` if the game has no
/// tables, if they are not valid for this setup, or if nobody waits for them any more.
pub(crate) fn endgame_solver<G: Game>(setup: &G::Setup, context: &Context) -> Option<Arc<dyn Solver<G>>> {
    G::ENDGAMES.filter(|endgames| endgames.holds(setup).is_ok())?;
    all_endgames(context)
}

/// The solver that uses a game's endgame tables, or `None` if they are not yet saved on disk: tables that exist are
/// used, missing ones are not computed.
pub(crate) fn kept_endgames<G: Game>(setup: &G::Setup, context: &Context) -> Option<Arc<dyn Solver<G>>> {
    G::ENDGAMES.filter(|endgames| endgames.holds(setup).is_ok())?;
    if table_file::<G>(context)?.exists() { all_endgames(context) } else { None }
}

/// The tables that are open, by file.
static OPENED: Mutex<BTreeMap<PathBuf, Opened>> = Mutex::new(BTreeMap::new());

/// Tables that are open.
struct Opened {
    /// When the file was last written; `None` if it could not be written.
    written: Option<SystemTime>,
    /// The `Arc<dyn Solver<G>>` of the game.
    solver: Box<dyn Any + Send>,
}

/// The solver that uses a game's endgame tables, for every setup. A server needs it again and again, so it is kept in
/// memory until the file changes. Two threads that need it at the same time wait for the same tables.
fn all_endgames<G: Game>(context: &Context) -> Option<Arc<dyn Solver<G>>> {
    let endgames = G::ENDGAMES?;
    let file = table_file::<G>(context)?;
    let written = || std::fs::metadata(&file).and_then(|found| found.modified()).ok();
    let mut opened = turn(context)?;
    if let Some(kept) = opened.get(&file)
        && kept.written == written()
        && let Some(solver) = kept.solver.downcast_ref::<Arc<dyn Solver<G>>>()
    {
        return Some(Arc::clone(solver));
    }
    let solver = endgames.open(bytes::<G>(context)?);
    opened.insert(file.clone(), Opened { written: written(), solver: Box::new(Arc::clone(&solver)) });
    Some(solver)
}

/// Waits until no other thread opens or computes tables. Returns `None` if nobody waits for the result any more.
fn turn(context: &Context) -> Option<MutexGuard<'static, BTreeMap<PathBuf, Opened>>> {
    loop {
        match OPENED.try_lock() {
            Ok(opened) => return Some(opened),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if context.is_halted() => return None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

fn table_file<G: Game>(context: &Context) -> Option<PathBuf> {
    Some(context.tables.join(format!("{}.tables", G::ENDGAMES?.name())))
}

/// The tables, read from their file, or computed and saved. Returns `None` if nobody waits for them any more.
fn bytes<G: Game>(context: &Context) -> Option<Vec<u8>> {
    let endgames = G::ENDGAMES?;
    let file = table_file::<G>(context)?;
    match read(&file, endgames.size()) {
        Ok(bytes) => return Some(bytes),
        Err(Unread::Missing) => {}
        Err(Unread::Damaged(why)) => (context.tell)(Notice::Damaged { file: file.clone(), why }),
    }
    let bytes = endgames.build(&|share| {
        (context.tell)(Notice::Building { game: G::NAME, share });
        if context.is_halted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    (context.tell)(match write(&file, &bytes) {
        Ok(()) => Notice::Kept(file),
        Err(error) => Notice::NotKept { file, why: error.to_string() },
    });
    Some(bytes)
}

/// The first bytes of a file of tables. The checksum of the tables follows, then the tables.
const MARK: &[u8; 16] = b"gamete tables 1\n";

/// The number of bytes before the tables.
const HEAD: usize = MARK.len() + size_of::<u128>();

/// Why tables could not be read from their file.
enum Unread {
    Missing,
    Damaged(String),
}

/// Reads the tables from a file. They have `size` bytes.
fn read(file: &Path, size: usize) -> Result<Vec<u8>, Unread> {
    // Reading one byte too many is enough to notice that a file is too long.
    match read_bytes_up_to(file, (HEAD + size + 1) as u64) {
        Ok(bytes) => unpacked(bytes, size).map_err(|why| Unread::Damaged(why.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Unread::Missing),
        Err(error) => Err(Unread::Damaged(error.to_string())),
    }
}

/// Checks the bytes of a file and returns the tables in it, which have `size` bytes.
pub fn unpacked(mut bytes: Vec<u8>, size: usize) -> Result<Vec<u8>, &'static str> {
    if bytes.len() < HEAD || !bytes.starts_with(MARK) {
        return Err("it is not a file of endgame tables");
    }
    if bytes.len() != HEAD + size {
        return Err("its length is wrong");
    }
    if xxh3_128(&bytes[HEAD..]).to_le_bytes() != bytes[MARK.len()..HEAD] {
        return Err("its checksum does not fit");
    }
    bytes.drain(..HEAD);
    Ok(bytes)
}

/// Saves tables with their checksum. The file is replaced as a whole, so that no process reads a half-written file.
#[allow(clippy::disallowed_methods, reason = "a draft is not a run")]
fn write(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = file.parent().expect("a table's file lies in a folder");
    std::fs::create_dir_all(folder)?;
    let write = |draft: &Path| -> std::io::Result<()> {
        let mut out = std::fs::File::create(draft)?;
        out.write_all(MARK)?;
        out.write_all(&xxh3_128(bytes).to_le_bytes())?;
        out.write_all(bytes)
    };
    write_with(file, |draft| write(draft).map_err(|source| Error::file("cannot write", file, source))).map_err(
        |error| match error {
            Error::File { source, .. } => source,
            error => std::io::Error::other(error.to_string()),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// One test for everything, because the computation of the tables takes a while.
    #[test]
    fn tables_are_saved_and_damaged_ones_are_computed_again() {
        let folder = tempfile::tempdir().unwrap();
        let heard = Mutex::new(Vec::new());
        let tell = |notice: Notice| heard.lock().unwrap().push(notice);
        let tables = folder.path().join("tables");
        let context = Context::new(folder.path(), &tables, &tell);
        let file = context.tables.join("minichess-4-pieces-1.tables");
        let known = || probe("minichess", "k5/6/6/6/6/4KR w", &context).unwrap();
        let take = || std::mem::take(&mut *heard.lock().unwrap());
        // 1. The tables are computed and saved. The second time there are no notices.
        let first = known();
        assert_eq!((first.value, first.moves[0].value), ("won", "won"));
        assert_eq!(first.plies, first.moves[0].plies);
        let told = take();
        assert_eq!(told.last(), Some(&Notice::Kept(file.clone())));
        assert!(told.contains(&Notice::Building { game: "minichess", share: 1.0 }), "{told:?}");
        assert_eq!((known(), take()), (first.clone(), vec![]));
        // 2. After damage to the file there is a notice, and the file is replaced.
        let whole = std::fs::read(&file).unwrap();
        let mut wrong = whole.clone();
        wrong[1_000_000] ^= 1;
        // Tables that are too short or too long, with a correct checksum.
        let packed = |bytes: &[u8]| [&MARK[..], &xxh3_128(bytes).to_le_bytes(), bytes].concat();
        let (short, long) = (packed(&whole[HEAD + 1..]), packed(&[&whole[HEAD..], &[0]].concat()));
        for (bytes, why) in [
            (&wrong[..], "checksum"),
            (&whole[..10], "not a file of endgame tables"),
            (&short, "its length is wrong"),
            (&long, "its length is wrong"),
        ] {
            std::fs::write(&file, bytes).unwrap();
            assert_eq!(known(), first);
            let told = take();
            assert!(told[0].to_string().contains(why) && told[0].to_string().contains("anew"), "{told:?}");
            assert_eq!(std::fs::read(&file).unwrap(), whole);
        }
        // 3. Positions that are refused.
        let refused = |game: &str, position: &str| probe(game, position, &context).unwrap_err().to_string();
        assert!(refused("nim", "3,4").contains("no endgame tables of nim"));
        assert!(refused("minichess", "k5/pp4/6/6/6/4KR w").contains("up to four pieces"));
        assert!(refused("minichess", "k5/pp4/6/6/6 w").contains("5 ranks"));
    }
}
