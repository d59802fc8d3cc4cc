//! A player as an engine: it gets a position and limits, and searches until a limit is reached or it is stopped. The
//! protocols of engines, such as UCI, are in the command-line program.

use crate::Error;
use crate::context::Context;
use crate::player_spec::{PlayerSpec, check_game, setup_for};
use arena::{Choice, GameHistory, Player};
use chance::rng_for;
use games::{Game, GameVisitor, Side, parse_move};

/// A player as an engine, for any game.
pub trait Engine {
    /// Forgets the last game.
    fn begin(&mut self);
    /// Sets the position: a start and the moves after it. `None` is the usual start. After an error the last position
    /// stays.
    fn set_position(&mut self, start: Option<&str>, moves: &[&str]) -> Result<(), Error>;
    /// The side to move.
    fn side_to_move(&self) -> Side;
    /// The depth to which the player looks ahead if there are no other limits.
    fn usual_depth(&self) -> u32;
    /// Sets the seed of random choices.
    fn set_seed(&mut self, seed: u64);
    /// Thinks within the limits of the clock. Returns the move, or `None` if the game is over or the player knows no
    /// legal move.
    fn think(&mut self) -> Option<String>;
}

/// Makes an engine of a player. Its searches obey the clock of the context, which must have one.
pub fn engine<'a>(
    player: &'a PlayerSpec,
    game: &str,
    setup: &[String],
    context: &'a Context<'a>,
) -> Result<Box<dyn Engine + 'a>, Error> {
    check_game(game, &[player], context.runs)?;
    MakeEngine { player, setup, context }.in_game(game)?
}

pub(crate) struct MakeEngine<'a, 'b> {
    player: &'a PlayerSpec,
    setup: &'b [String],
    context: &'a Context<'a>,
}

games::by_name!(MakeEngine<'a, 'b>, 'a, 'b);

impl<'a> GameVisitor for MakeEngine<'a, '_> {
    type Output = Result<Box<dyn Engine + 'a>, Error>;

    fn visit<G: Game>(self) -> Result<Box<dyn Engine + 'a>, Error> {
        let MakeEngine { player, setup, context } = self;
        let setup = setup_for::<G>(&[player], setup, context.runs)?;
        let (spec, usual_depth) = player.as_engine(context.runs)?;
        let seated = spec.seat::<G>(&setup, context)?;
        let history = GameHistory::new(G::start(&setup, &mut rng_for(1, &[])), &setup, 0);
        seated.fits(history.game())?;
        Ok(Box::new(Seat { setup, player: seated.player, history, usual_depth, seed: 1 }))
    }
}

struct Seat<G: Game> {
    setup: G::Setup,
    player: Box<dyn Player<G>>,
    history: GameHistory<G>,
    usual_depth: u32,
    seed: u64,
}

impl<G: Game> Engine for Seat<G> {
    fn begin(&mut self) {
        self.player.begin();
    }

    fn set_position(&mut self, start: Option<&str>, moves: &[&str]) -> Result<(), Error> {
        let start: G = match start {
            Some(text) => text.parse()?,
            None => G::start(&self.setup, &mut rng_for(self.seed, &[])),
        };
        start.fits(&self.setup).map_err(|error| Error::refused(error.to_string()))?;
        let mut history = GameHistory::new(start, &self.setup, 0);
        for (number, text) in moves.iter().enumerate() {
            let refuse = |why: String| Error::refused(format!("move {}: {why}", number + 1));
            if history.outcome().is_some() {
                return Err(refuse("the game is over".to_string()));
            }
            let mv = parse_move(history.game(), text).map_err(|error| refuse(error.to_string()))?;
            history.play(mv);
        }
        self.history = history;
        Ok(())
    }

    fn side_to_move(&self) -> Side {
        self.history.game().side_to_move()
    }

    fn usual_depth(&self) -> u32 {
        self.usual_depth
    }

    fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn think(&mut self) -> Option<String> {
        if self.history.outcome().is_some() {
            return None;
        }
        let rng = &mut rng_for(self.seed, &[1 + u64::from(self.history.plies())]);
        match self.player.choose(&self.history, rng) {
            Choice::Move(mv) => Some(mv.to_string()),
            Choice::Illegal(_) => None,
        }
    }
}
