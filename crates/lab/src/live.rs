//! A game in progress, in text: what a person at a terminal, or a page, needs to play against any player.

use crate::Error;
use crate::endgames::endgame_solver;
use crate::home::Home;
use crate::player_spec::{FoundPlayer, PlayerSpec, Seated, check_game, parse_position, setup_for};
use arena::{Choice, Course, Examiner, Limits, Material, Perfect, Player, Search, Starts};
use chance::{Rng, rng_for};
use games::{Game, GameVisitor, Outcome, Side, Solver, Value, parse_move};
use std::sync::Arc;

/// A game between a person and a player. The one place where a game is behind a `dyn`: it runs once per move of a person.
pub trait LiveGame {
    /// The game's name.
    fn name(&self) -> &'static str;
    /// One sentence on the rules.
    fn about(&self) -> &'static str;
    /// The position, in the game's notation.
    fn position(&self) -> String;
    /// The position drawn with characters.
    fn diagram(&self) -> String;
    /// Whose turn it is.
    fn side(&self) -> Side;
    /// What the game calls a side.
    fn side_name(&self, side: Side) -> &'static str;
    /// How it ended, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// Why it is drawn, where its past draws it.
    fn why_drawn(&self) -> Option<String>;
    /// The legal moves, in the game's notation.
    fn moves(&self) -> Vec<String>;
    /// Makes the person's move.
    fn play(&mut self, text: &str) -> Result<(), Error>;
    /// Lets the player move; its move in text, or the illegal attempt by which it loses.
    fn answer(&mut self) -> Result<String, String>;
    /// Takes back up to so many moves; how many it were.
    fn take_back(&mut self, moves: usize) -> usize;
    /// A best move, where somebody knows, and what is known of it.
    fn hint(&self) -> Option<String>;
}

/// A game to be played against a player, or to be looked at without one.
pub struct LiveParams<'a> {
    /// The game's name.
    pub game: &'a str,
    /// Whom to play against.
    pub against: Option<&'a PlayerSpec>,
    /// Where to begin; a start of the setup when not given.
    pub position: Option<&'a str>,
    /// Overrides of the setup, `KEY=VALUE`.
    pub setup: &'a [String],
    /// Of all chance.
    pub seed: u64,
    /// Where files are.
    pub home: &'a Home<'a>,
}

/// Sets a game up.
pub fn live_game(params: &LiveParams) -> Result<Box<dyn LiveGame>, Error> {
    let found = params.against.map(|player| player.find(params.home.runs)).transpose()?;
    check_game(params.game, &found.iter().collect::<Vec<_>>())?;
    let visitor = Visitor { params, found: found.as_ref() };
    games::with_game(params.game, visitor).ok_or_else(|| Error::unknown("game", params.game, games::names()))?
}

struct Visitor<'a> {
    params: &'a LiveParams<'a>,
    found: Option<&'a FoundPlayer>,
}

impl GameVisitor for Visitor<'_> {
    type Output = Result<Box<dyn LiveGame>, Error>;

    fn visit<G: Game>(self) -> Result<Box<dyn LiveGame>, Error> {
        let players: Vec<&FoundPlayer> = self.found.into_iter().collect();
        let setup = setup_for::<G>(&players, self.params.setup)?;
        let mut rng = rng_for(self.params.seed, &[]);
        let game: G = match self.params.position {
            Some(text) => parse_position(text)?,
            None => Starts::new(&setup).draw(&mut rng),
        };
        let seated = self.found.map(|found| found.seat::<G>(&setup, self.params.home)).transpose()?;
        if let Some(seated) = &seated {
            seated.fits(&game)?;
        }
        // Endings are worth hints only where somebody plays.
        let solver = || {
            let solved = Examiner::<G>::new(&setup).and_then(|examiner| examiner.solver().cloned());
            solved.or_else(|| endgame_solver::<G>(&setup, self.params.home))
        };
        let solver = if seated.is_some() { solver() } else { None };
        let course = Course::new(game, &setup, 0);
        Ok(Box::new(Live { past: Vec::new(), course, seated, solver, rng }))
    }
}

struct Live<G: Game> {
    past: Vec<Course<G>>,
    course: Course<G>,
    seated: Option<Seated<G>>,
    solver: Option<Arc<dyn Solver<G>>>,
    rng: Rng,
}

impl<G: Game> Live<G> {
    fn make(&mut self, mv: G::Move) {
        self.past.push(self.course.clone());
        self.course.play(mv);
    }
}

impl<G: Game> LiveGame for Live<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        G::ABOUT
    }

    fn position(&self) -> String {
        self.course.game().to_string()
    }

    fn diagram(&self) -> String {
        self.course.game().diagram()
    }

    fn side(&self) -> Side {
        self.course.game().side_to_move()
    }

    fn side_name(&self, side: Side) -> &'static str {
        G::SIDES[side as usize]
    }

    fn why_drawn(&self) -> Option<String> {
        self.course.why_drawn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.course.outcome()
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.course.game().legal_moves(&mut moves);
        moves.iter().map(|mv| mv.to_string()).collect()
    }

    fn play(&mut self, text: &str) -> Result<(), Error> {
        // As records write it will do as well; complaints are about the plain form.
        let game = self.course.game();
        let mv = parse_move(game, text).or_else(|error| game.read_record_move(text).map_err(|_| error));
        let mv = mv.map_err(|error| Error::Refused(error.to_string()))?;
        self.make(mv);
        Ok(())
    }

    fn answer(&mut self) -> Result<String, String> {
        let seated = self.seated.as_mut().expect("there is somebody to play against");
        match seated.player.choose(&self.course, &mut self.rng) {
            Choice::Move(mv) => {
                self.make(mv);
                Ok(mv.to_string())
            }
            Choice::Illegal(attempt) => Err(attempt),
        }
    }

    fn take_back(&mut self, moves: usize) -> usize {
        let kept = self.past.len().saturating_sub(moves);
        let taken = self.past.len() - kept;
        if taken > 0 {
            self.course = self.past[kept].clone();
            self.past.truncate(kept);
        }
        taken
    }

    fn hint(&self) -> Option<String> {
        // 1. Who knows the truth tells it.
        let known = self.solver.as_ref().and_then(|solver| Some((solver, solver.verdict(self.course.game())?)));
        if let Some((solver, verdict)) = known {
            let prospect = match (verdict.value, verdict.distance) {
                (Value::Won, Some(plies)) => format!("wins in {plies} plies"),
                (Value::Won, None) => "wins".to_string(),
                (Value::Drawn, _) => "draws".to_string(),
                (Value::Lost, Some(plies)) => format!("loses latest, in {plies} plies; every move loses"),
                (Value::Lost, None) => "is as good as any: every move loses".to_string(),
            };
            return match Perfect(Arc::clone(solver)).choose(&self.course, &mut self.rng.clone()) {
                Choice::Move(mv) => Some(format!("{mv} {prospect}")),
                Choice::Illegal(_) => None,
            };
        }
        // 2. Who can count pieces counts.
        self.course.game().material()?;
        let found = Search::default().run(&self.course, &mut Material, Limits::depth(HINT_DEPTH), None, None);
        Some(format!("{} is best by counting pieces {HINT_DEPTH} plies ahead", found.mv))
    }
}

/// How far a hint looks ahead.
const HINT_DEPTH: u32 = 4;
