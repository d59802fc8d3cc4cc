//! A player as an engine: it gets a position and limits, and searches until a limit is reached or it is stopped. The
//! protocols of engines, such as UCI, are in the command-line program.

use crate::Error;
use crate::context::Context;
use crate::engine_clock::EngineClock;
use crate::player_spec::{PlayerSpec, check_game, setup_for};
use arena::{Choice, GameHistory, Player};
use chance::rng_for;
use games::{Game, GameVisitor, Outcome, Protocol, ProtocolForm, Setup, Side, parse_move};
use std::sync::Arc;

/// A player as an engine, for any game. Positions and moves are texts of the protocol that was chosen last.
pub trait Engine: Send {
    /// Chooses the protocol. Returns the game as the protocol sees it, or an error if this game cannot be played by it.
    fn speak(&mut self, protocol: Protocol) -> Result<GameForm, Error>;
    /// Forgets the last game.
    fn begin(&mut self);
    /// Sets the position: a start and the moves after it. `None` is the usual start. After an error there is no
    /// position, and the engine has no move.
    fn set_position(&mut self, start: Option<&str>, moves: &[&str]) -> Result<(), Refusal>;
    /// The side to move.
    fn side_to_move(&self) -> Side;
    /// The depth to which the player looks ahead if there are no other limits.
    fn usual_depth(&self) -> u32;
    /// Sets the seed of random choices.
    fn set_seed(&mut self, seed: u64);
    /// The indices of these moves in the list of legal moves. Texts that are no legal moves are left out.
    fn move_numbers(&self, moves: &[&str]) -> Vec<usize>;
    /// Thinks within the limits of the clock.
    fn think(&mut self) -> Thought;
}

/// Why an engine cannot set a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The number of moves before the one that is not legal; `None` if the start is not possible.
    pub legal: Option<usize>,
    /// The reason in words.
    pub why: String,
}

/// What an engine has decided.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// The move; `None` if the game is over, or if the player knows no legal move.
    pub mv: Option<String>,
    /// The expected answer, if the player has one in mind.
    pub reply: Option<String>,
    /// How the game is over, after the move if there is one; `None` if it goes on.
    pub ending: Option<Ending>,
}

/// How a game is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// The outcome.
    pub outcome: Outcome,
    /// The reason in a few words; it may be empty.
    pub why: String,
}

/// A game as a protocol sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct GameForm {
    /// The name of the rules.
    pub variant: &'static str,
    /// The usual start.
    pub start: String,
}

/// Makes an engine of a player. Its searches obey the clock.
pub fn engine<'a>(
    player: &'a PlayerSpec,
    game: &str,
    setup: &[String],
    context: &'a Context<'a>,
    clock: &Arc<EngineClock>,
) -> Result<Box<dyn Engine + 'a>, Error> {
    check_game(game, &[player], context.runs)?;
    MakeEngine { player, setup, context, clock: Arc::clone(clock) }.in_game(game)?
}

pub(crate) struct MakeEngine<'a, 'b> {
    player: &'a PlayerSpec,
    setup: &'b [String],
    context: &'a Context<'a>,
    clock: Arc<EngineClock>,
}

games::by_name!(MakeEngine<'a, 'b>, 'a, 'b);

impl<'a> GameVisitor for MakeEngine<'a, '_> {
    type Output = Result<Box<dyn Engine + 'a>, Error>;

    fn visit<G: Game>(self) -> Result<Box<dyn Engine + 'a>, Error> {
        let MakeEngine { player, setup, context, clock } = self;
        // Other programs do not know our limit of plies, so an engine plays without it.
        let mut overrides = Vec::from_iter(G::Setup::KEYS.iter().any(|key| key.key == MOST_PLIES).then(unlimited));
        overrides.extend_from_slice(setup);
        let setup = setup_for::<G>(&[player], &overrides, context.runs)?;
        let (spec, usual_depth) = player.as_engine(context.runs)?;
        let context = Context { clock: Some(Arc::clone(&clock)), ..context.clone() };
        let seated = spec.seat::<G>(&setup, &context)?;
        let history = GameHistory::new(G::start(&setup, &mut rng_for(1, &[])), &setup, 0);
        seated.fits(history.game())?;
        let form = &G::PROTOCOLS[0];
        Ok(Box::new(Seat { setup, player: seated.player, form, history: Some(history), usual_depth, seed: 1, clock }))
    }
}

/// The key of setups that limits the plies of a game.
const MOST_PLIES: &str = "most_plies";

fn unlimited() -> String {
    format!("{MOST_PLIES}={}", arena::MOST_MATCH_PLIES)
}

struct Seat<G: Game> {
    setup: G::Setup,
    player: Box<dyn Player<G>>,
    form: &'static ProtocolForm<G>,
    /// `None` after a position that could not be set.
    history: Option<GameHistory<G>>,
    usual_depth: u32,
    seed: u64,
    clock: Arc<EngineClock>,
}

impl<G: Game> Engine for Seat<G> {
    fn speak(&mut self, protocol: Protocol) -> Result<GameForm, Error> {
        let refuse = || {
            let known: Vec<&str> = G::PROTOCOLS.iter().map(|form| form.protocol.name()).collect();
            let (game, name) = (G::NAME, protocol.name());
            Error::refused(format!("{game} cannot be played by {name}; it can be played by {}", known.join(", ")))
        };
        self.form = ProtocolForm::of(protocol).ok_or_else(refuse)?;
        let start = G::start(&self.setup, &mut rng_for(self.seed, &[]));
        Ok(GameForm { variant: self.form.variant, start: (self.form.write_position)(&start) })
    }

    fn begin(&mut self) {
        self.player.begin();
    }

    fn set_position(&mut self, start: Option<&str>, moves: &[&str]) -> Result<(), Refusal> {
        self.history = None;
        let no_start = |why: String| Refusal { legal: None, why };
        let start: G = match start {
            Some(text) => (self.form.read_position)(text).map_err(|error| no_start(error.to_string()))?,
            None => G::start(&self.setup, &mut rng_for(self.seed, &[])),
        };
        start.fits(&self.setup).map_err(|error| no_start(error.to_string()))?;
        let mut history = GameHistory::new(start, &self.setup, 0);
        for (number, text) in moves.iter().enumerate() {
            let refuse = |why: String| Refusal { legal: Some(number), why: format!("move {}: {why}", number + 1) };
            if history.game().outcome().is_some() {
                return Err(refuse("the game is over".to_string()));
            }
            let mv = (self.form.read_move)(history.game(), text).map_err(|error| refuse(error.to_string()))?;
            history.play(mv);
        }
        self.history = Some(history);
        Ok(())
    }

    fn side_to_move(&self) -> Side {
        self.history.as_ref().map_or(Side::First, |history| history.game().side_to_move())
    }

    fn usual_depth(&self) -> u32 {
        self.usual_depth
    }

    fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn move_numbers(&self, moves: &[&str]) -> Vec<usize> {
        let Some(game) = self.history.as_ref().map(GameHistory::game) else { return Vec::new() };
        let legal = |text: &&str| (self.form.read_move)(game, text).ok();
        moves.iter().filter_map(legal).map(|mv| game.move_number(mv)).collect()
    }

    fn think(&mut self) -> Thought {
        let Some(history) = &self.history else { return Thought::default() };
        if let Some(ending) = ending(history).filter(|_| history.game().outcome().is_some()) {
            return Thought { ending: Some(ending), ..Thought::default() };
        }
        // The program decides whether a repetition draws the game. If it goes on, the past does not matter any more.
        let timeless = history.outcome().map(|_| GameHistory::timeless(history.game().clone()));
        let history = timeless.as_ref().unwrap_or(history);
        // Lines of moves are written as the protocol writes them.
        let (game, form) = (history.game().clone(), self.form);
        self.clock.write_lines(move |line| written(form, &game, line));
        let rng = &mut rng_for(self.seed, &[1 + u64::from(history.plies())]);
        let mv = match self.player.choose(history, rng) {
            Choice::Move(mv) => mv,
            Choice::Illegal(_) => return Thought::default(),
        };
        let mv = self.allowed(history.game(), mv);
        let (text, after) = ((self.form.write_move)(history.game(), mv), history.after(mv));
        let line = self.clock.last_line();
        let reply = line.get(1).filter(|_| line[0] == text).cloned();
        Thought { mv: Some(text), reply, ending: ending(&after) }
    }
}

impl<G: Game> Seat<G> {
    /// The chosen move, or the first one that is allowed if only some moves are and the player does not obey that.
    fn allowed(&self, game: &G, mv: G::Move) -> G::Move {
        match self.clock.limits().only {
            Some(numbers) if !numbers.contains(&game.move_number(mv)) => {
                let mut legal = Vec::new();
                game.legal_moves(&mut legal);
                numbers.iter().find_map(|number| legal.get(*number)).copied().unwrap_or(mv)
            }
            _ => mv,
        }
    }
}

/// A line of moves in the game's own notation, as a protocol writes it.
fn written<G: Game>(form: &ProtocolForm<G>, game: &G, line: &[String]) -> Vec<String> {
    let mut game = game.clone();
    let mut texts = Vec::with_capacity(line.len());
    for text in line {
        let Ok(mv) = parse_move(&game, text) else { break };
        texts.push((form.write_move)(&game, mv));
        game.play(mv);
    }
    texts
}

/// How a game is over; `None` if it goes on.
fn ending<G: Game>(history: &GameHistory<G>) -> Option<Ending> {
    let outcome = history.outcome()?;
    let why = match outcome {
        Outcome::Win(_) => history.game().why_won().to_string(),
        Outcome::Draw => history.why_drawn().unwrap_or_else(|| "the side to move has no move".to_string()),
    };
    Some(Ending { outcome, why })
}

/// The definition of a game's rules for Fairy-Stockfish and the programs built on it.
pub fn variant_file(game: &str) -> Result<&'static str, Error> {
    let none = || Error::refused(format!("{game} has no variant file, because Fairy-Stockfish cannot play it"));
    VariantFile.in_game(game)?.ok_or_else(none)
}

pub(crate) struct VariantFile;

games::by_name!(VariantFile);

impl GameVisitor for VariantFile {
    type Output = Option<&'static str>;

    fn visit<G: Game>(self) -> Option<&'static str> {
        G::VARIANT_FILE
    }
}
