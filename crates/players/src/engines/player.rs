//! A player whose moves come from an engine.

use super::Engines;
use super::cecp::CecpClient;
use super::client::{Asked, Client, Rules, shown};
use super::hub::HubClient;
use super::process::EngineProcess;
use super::uci::UciClient;
use arena::{Choice, GameHistory, Player};
use chance::Rng;
use games::{Game, Protocol, ProtocolForm};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How an engine is started, and the limits of its searches.
pub struct EngineSettings {
    /// The engine's name or command, for messages.
    pub name: String,
    /// The words of its command.
    pub words: Vec<String>,
    /// The names and values of its options.
    pub options: Vec<(String, String)>,
    /// The file that defines the rules, if the game has one.
    pub variant_file: Option<PathBuf>,
    /// The limits of each move. If all are `None`, it is one second.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub seconds: Option<f64>,
    pub engines: Arc<Engines>,
}

/// A player whose moves come from an engine. A game in which the engine crashes, does not answer or makes an illegal move
/// is lost; the next game begins with a new process.
pub struct EnginePlayer<G: Game> {
    settings: EngineSettings,
    form: &'static ProtocolForm<G>,
    running: Option<Running>,
    /// The position from which the engine knows the game, and the moves since then in the notation of the protocol.
    start: Option<G>,
    moves: Vec<String>,
    /// The position after the engine's last move.
    last: Option<G>,
    positions: u64,
    /// The processor time of earlier processes, and of all until now.
    earlier: Duration,
    spent: Duration,
}

struct Running {
    process: EngineProcess,
    client: Box<dyn Client>,
}

/// The time for a move if there is no limit.
const USUAL_SECONDS: f64 = 1.0;

impl<G: Game> EnginePlayer<G> {
    /// Starts the engine. The error says what is wrong with it. An engine that could be started before and now cannot is
    /// no error: it loses the games that begin without it.
    pub fn start(settings: EngineSettings, form: &'static ProtocolForm<G>) -> Result<EnginePlayer<G>, String> {
        let mut player = EnginePlayer {
            settings,
            form,
            running: None,
            start: None,
            moves: Vec::new(),
            last: None,
            positions: 0,
            earlier: Duration::ZERO,
            spent: Duration::ZERO,
        };
        let EngineSettings { words, options, engines, .. } = &player.settings;
        let (engines, engine) = (Arc::clone(engines), format!("{words:?} {options:?} {}", form.protocol.name()));
        match player.running() {
            Ok(_) => engines.note_started(&engine),
            Err(why) if !engines.has_started(&engine) => return Err(why),
            Err(_) => {}
        }
        Ok(player)
    }

    /// The running engine, which is started if necessary.
    fn running(&mut self) -> Result<&mut Running, String> {
        if self.running.is_none() {
            let EngineSettings { words, options, variant_file, engines, .. } = &self.settings;
            let mut client: Box<dyn Client> = match self.form.protocol {
                Protocol::Uci => Box::new(UciClient),
                Protocol::Cecp => Box::<CecpClient>::default(),
                Protocol::Hub => Box::new(HubClient),
            };
            let mut process = EngineProcess::start(engines.start(words))?;
            let rules = Rules { variant: self.form.variant, variant_file: variant_file.as_deref(), options };
            client.greet(&mut process, &rules)?;
            self.running = Some(Running { process, client });
        }
        Ok(self.running.as_mut().expect("it was just started"))
    }

    /// Notes the moves that were made since the engine's last move.
    fn follow(&mut self, game: &G) {
        let made = self.last.take().and_then(|before| {
            let mut legal = Vec::new();
            before.legal_moves(&mut legal);
            let mv = legal.into_iter().find(|&mv| before.after(mv) == *game)?;
            Some((self.form.write_move)(&before, mv))
        });
        match made {
            Some(text) => self.moves.push(text),
            // Another game, or one that began in the middle: the engine gets the position alone.
            None => {
                self.start = Some(game.clone());
                self.moves.clear();
            }
        }
    }

    /// The engine's move. The error says what it did wrong.
    fn ask(&mut self, game: &G) -> Result<G::Move, String> {
        let is_new = self.start.is_none();
        self.follow(game);
        let start = self.start.as_ref().map_or_else(String::new, |start| (self.form.write_position)(start));
        let EngineSettings { depth, nodes, seconds, .. } = self.settings;
        let is_limited = depth.is_some() || nodes.is_some() || seconds.is_some();
        let seconds = if is_limited { seconds } else { Some(USUAL_SECONDS) };
        let asked = Asked { start, moves: self.moves.clone(), depth, nodes, seconds };
        let Running { process, client } = self.running()?;
        if is_new {
            client.begin(process)?;
        }
        let answer = client.ask(process, &asked)?;
        self.positions += answer.positions;
        let illegal = |_| format!("it made the illegal move `{}`", shown(&answer.mv));
        let mv = (self.form.read_move)(game, &answer.mv).map_err(illegal)?;
        self.moves.push((self.form.write_move)(game, mv));
        self.last = Some(game.after(mv));
        Ok(mv)
    }
}

impl<G: Game> Player<G> for EnginePlayer<G> {
    fn begin(&mut self) {
        (self.start, self.last) = (None, None);
    }

    fn choose(&mut self, history: &GameHistory<G>, _: &mut Rng) -> Choice<G::Move> {
        let asked = self.ask(history.game());
        let now = self.running.as_ref().and_then(|running| running.process.cpu_time());
        self.spent = self.spent.max(self.earlier + now.unwrap_or_default());
        match asked {
            Ok(mv) => Choice::Move(mv),
            Err(why) => {
                self.settings.engines.forfeit(&self.settings.name, &why);
                // An engine that did something wrong is not trusted with another game.
                (self.running, self.earlier) = (None, self.spent);
                Choice::Illegal(why)
            }
        }
    }

    fn positions(&self) -> u64 {
        self.positions
    }

    fn outside_nanoseconds(&self) -> u64 {
        self.spent.as_nanos() as u64
    }
}
