//! A game in progress, in text: what a person at a terminal, or a page, needs to play against any player.

use crate::Error;
use crate::endgames::endgame_solver;
use crate::home::Home;
use crate::player_spec::{FoundPlayer, PlayerSpec, SearchOptions, Seated, check_game, parse_position, setup_for};
use crate::records::WrittenGame;
use arena::{Choice, Course, Examiner, Limits, Material, Perfect, Player, Prospect, Search, Starts, View};
use chance::{Rng, rng_for};
use games::{Game, GameVisitor, Outcome, Side, Solver, Value, parse_move};
use serde::Serialize;
use std::cell::OnceCell;
use std::sync::Arc;

/// A game between a person and a player. The one place where a game is behind a `dyn`: it runs once per move of a person.
pub trait LiveGame {
    /// The game's name.
    fn name(&self) -> &'static str;
    /// One sentence on the rules.
    fn about(&self) -> &'static str;
    /// The position, in the game's notation.
    fn position(&self) -> String;
    /// The position it began with.
    fn start(&self) -> String;
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
    /// Why it is won, in a few words, where there is something to say.
    fn why_won(&self) -> Option<&'static str>;
    /// The legal moves, in the game's notation.
    fn moves(&self) -> Vec<String>;
    /// How many legal moves there are.
    fn count_moves(&self) -> usize;
    /// The moves so far, as records of whole games write them.
    fn written(&self) -> Vec<String>;
    /// The game so far as records of whole games have it, between players of these names; nothing where the game has no such form.
    fn record(&self, players: [&str; 2]) -> Option<String>;
    /// Makes the person's move.
    fn play(&mut self, text: &str) -> Result<(), Error>;
    /// Lets the player move; its move in text, or the illegal attempt by which it loses.
    fn answer(&mut self) -> Result<String, String>;
    /// Takes back up to so many moves; how many it were.
    fn take_back(&mut self, moves: usize) -> usize;
    /// A best move, where somebody knows, and what is known of it.
    fn hint(&self) -> Option<Hint>;
    /// How the player sees the position where the game goes on; nothing where it does not look, or nobody plays.
    fn view(&mut self) -> Option<LiveView>;
}

/// How a player sees a position, in text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveView {
    /// What the position is worth; nothing where the values of moves only rank them.
    pub value: Option<Prospect>,
    /// How the game would go on, as records of whole games write it.
    pub line: Vec<String>,
    /// What moves are worth: each as it is made, and as records write it.
    pub moves: Vec<(String, String, Prospect)>,
}

/// A best move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hint {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What is known of it, as a sentence that begins with the move.
    pub words: String,
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
    /// A search visits no more positions than this.
    pub most_nodes: Option<u64>,
    /// Where files are.
    pub home: &'a Home<'a>,
}

/// Sets a game up.
pub fn live_game<'a>(params: &LiveParams<'a>) -> Result<Box<dyn LiveGame + 'a>, Error> {
    let found = params.against.map(|player| player.find(params.home.runs)).transpose()?;
    let found = found.map(|found| match params.most_nodes {
        Some(nodes) => found.limited(nodes),
        None => found,
    });
    check_game(params.game, &found.iter().collect::<Vec<_>>())?;
    let visitor = Visitor { params, found: found.as_ref() };
    games::with_game(params.game, visitor).ok_or_else(|| Error::unknown("game", params.game, games::names()))?
}

struct Visitor<'a, 'b> {
    params: &'b LiveParams<'a>,
    found: Option<&'b FoundPlayer>,
}

impl<'a> GameVisitor for Visitor<'a, '_> {
    type Output = Result<Box<dyn LiveGame + 'a>, Error>;

    fn visit<G: Game>(self) -> Result<Box<dyn LiveGame + 'a>, Error> {
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
        let course = Course::new(game, &setup, 0);
        let LiveParams { seed, home, .. } = *self.params;
        Ok(Box::new(Live { past: Vec::new(), course, setup, seated, solver: OnceCell::new(), seed, home }))
    }
}

struct Live<'a, G: Game> {
    /// Every position so far, and the move that was made there.
    past: Vec<(Course<G>, G::Move)>,
    course: Course<G>,
    setup: G::Setup,
    seated: Option<Seated<G>>,
    /// Whoever knows the truth; looked for when it is first asked.
    solver: OnceCell<Option<Arc<dyn Solver<G>>>>,
    seed: u64,
    home: &'a Home<'a>,
}

impl<G: Game> Live<'_, G> {
    fn make(&mut self, mv: G::Move) {
        self.past.push((self.course.clone(), mv));
        self.course.play(mv);
    }

    /// Chance comes from how many moves were made, so that a game that is set up again goes on in the same way.
    fn rng(&self) -> Rng {
        rng_for(self.seed, &[1 + self.past.len() as u64])
    }

    fn solver(&self) -> Option<&Arc<dyn Solver<G>>> {
        // Tables may have to be worked out: only where they would say something.
        let solved = Examiner::<G>::new(&self.setup).is_some_and(|examiner| examiner.solver().is_some());
        if !solved && !G::ENDGAMES.is_some_and(|endgames| endgames.may_know(self.course.game())) {
            return None;
        }
        let find = || {
            let solved = Examiner::<G>::new(&self.setup).and_then(|examiner| examiner.solver().cloned());
            solved.or_else(|| endgame_solver::<G>(&self.setup, self.home))
        };
        self.solver.get_or_init(find).as_ref()
    }
}

impl<G: Game> LiveGame for Live<'_, G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn about(&self) -> &'static str {
        G::ABOUT
    }

    fn position(&self) -> String {
        self.course.game().to_string()
    }

    fn start(&self) -> String {
        self.past.first().map_or(&self.course, |(course, _)| course).game().to_string()
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

    fn why_won(&self) -> Option<&'static str> {
        let why = self.course.game().why_won();
        (matches!(self.course.outcome(), Some(Outcome::Win(_))) && !why.is_empty()).then_some(why)
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.course.game().legal_moves(&mut moves);
        moves.iter().map(|mv| mv.to_string()).collect()
    }

    fn count_moves(&self) -> usize {
        self.course.game().count_moves().unwrap_or_else(|| {
            let mut moves = Vec::new();
            self.course.game().legal_moves(&mut moves);
            moves.len()
        })
    }

    fn written(&self) -> Vec<String> {
        self.past.iter().map(|(course, mv)| course.game().record_move(*mv)).collect()
    }

    fn record(&self, players: [&str; 2]) -> Option<String> {
        let form = G::RECORDS?;
        let record = WrittenGame {
            event: "A game at home".to_string(),
            round: "-".to_string(),
            players: players.map(str::to_string),
            start: self.start(),
            moves: self.past.iter().map(|(_, mv)| mv.to_string()).collect(),
            illegal: None,
            outcome: self.course.outcome(),
        };
        // Its moves were legal, so that it can be written.
        record.write::<G>(form).ok()
    }

    fn play(&mut self, text: &str) -> Result<(), Error> {
        // As records write it will do as well; complaints are about the plain form.
        let game = self.course.game();
        if let Some(why) = self.why_drawn() {
            return Err(Error::Refused(format!("`{text}` cannot be made: the game is over, {why}")));
        }
        let mv = parse_move(game, text).or_else(|error| game.read_record_move(text).map_err(|_| error));
        let mv = mv.map_err(|error| Error::Refused(error.to_string()))?;
        self.make(mv);
        Ok(())
    }

    fn answer(&mut self) -> Result<String, String> {
        let mut rng = self.rng();
        let seated = self.seated.as_mut().expect("there is somebody to play against");
        match seated.player.choose(&self.course, &mut rng) {
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
            self.course = self.past[kept].0.clone();
            self.past.truncate(kept);
        }
        taken
    }

    fn hint(&self) -> Option<Hint> {
        // 1. Who knows the truth tells it.
        let known = self.solver().and_then(|solver| Some((solver, solver.verdict(self.course.game())?)));
        if let Some((solver, verdict)) = known {
            let prospect = match (verdict.value, verdict.distance) {
                (Value::Won, Some(plies)) => format!("wins in {plies} plies"),
                (Value::Won, None) => "wins".to_string(),
                (Value::Drawn, _) => "draws".to_string(),
                (Value::Lost, Some(plies)) => format!("loses latest, in {plies} plies; every move loses"),
                (Value::Lost, None) => "is as good as any: every move loses".to_string(),
            };
            return match Perfect(Arc::clone(solver)).choose(&self.course, &mut self.rng()) {
                Choice::Move(mv) => Some(hint(self.course.game(), mv, &prospect)),
                Choice::Illegal(_) => None,
            };
        }
        // 2. Who can count pieces counts.
        self.course.game().material()?;
        let mut patience = SearchOptions::default().patience(self.home);
        let limits = Limits::depth(HINT_DEPTH);
        let found = Search::default().run(&self.course, &mut Material, limits, patience.as_deref_mut(), None);
        Some(hint(self.course.game(), found.mv, &format!("is best by counting pieces {HINT_DEPTH} plies ahead")))
    }

    fn view(&mut self) -> Option<LiveView> {
        let mut rng = self.rng();
        let View { value, line, moves } = self.seated.as_mut()?.player.view(&self.course, &mut rng)?;
        let game = self.course.game();
        let moves = moves.into_iter().map(|(mv, prospect)| (mv.to_string(), game.record_move(mv), prospect)).collect();
        let line = line.iter().scan(game.clone(), |game, &mv| {
            let text = game.record_move(mv);
            game.play(mv);
            Some(text)
        });
        Some(LiveView { value, line: line.collect(), moves })
    }
}

fn hint<G: Game>(game: &G, mv: G::Move, what: &str) -> Hint {
    Hint { words: format!("{} {what}", game.record_move(mv)), mv: mv.to_string() }
}

/// How far a hint looks ahead.
const HINT_DEPTH: u32 = 4;
