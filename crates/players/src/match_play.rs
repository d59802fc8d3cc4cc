//! A match between two players: many games, every opening with both colours.

use crate::Error;
use crate::context::Context;
use crate::move_cost::{CostSums, Measured, MoveCost};
use crate::player_spec::{PlayerSpec, check_game, setup_for};
use arena::{Ending, GameHistory, MOST_MATCH_PLIES, MatchScore, MatchTerms, MatchWatch, Played, Player, Starts};
use games::{Game, GameVisitor, Outcome, Side};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// A match to be played.
pub struct MatchParams<'a> {
    /// The game's name.
    pub game: &'a str,
    /// The two players.
    pub players: [&'a PlayerSpec; 2],
    /// The number of games; an odd number is rounded up.
    pub games: u32,
    /// The number of random plies at the beginning of each game.
    pub plies: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Overrides of the setup, `KEY=VALUE`.
    pub setup: &'a [String],
    /// The number of threads; `None` means all cores. The result does not depend on it.
    pub threads: Option<usize>,
    /// The folders of runs and tables, and how to stop.
    pub context: &'a Context<'a>,
}

/// A match that was played.
pub struct PlayedMatch {
    /// The score of the first player, in pairs of games.
    pub score: MatchScore,
    /// Whether games are missing because the match was interrupted.
    pub interrupted: bool,
    /// What the moves of each player cost on average.
    pub costs: [MoveCost; 2],
}

/// A game of a match, in the game's notation. It begins after the random plies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchGame {
    /// Its number in the match, from 0. In games with even numbers, the first player has the first side.
    pub number: u32,
    /// The position in which it began.
    pub start: String,
    /// The moves so far.
    pub moves: Vec<String>,
    /// The illegal attempt that lost the game, if there was one.
    pub illegal: Option<String>,
    /// How it ended; `None` while it goes on.
    pub outcome: Option<Outcome>,
}

impl MatchGame {
    /// The place of the player with a side, among the two players of the match.
    pub fn player(&self, side: Side) -> usize {
        (side as usize + self.number as usize) % 2
    }
}

/// What happens in a match.
pub(crate) enum MatchNews<'a> {
    /// The score after another pair of games.
    Score(&'a MatchScore),
    /// A finished game.
    Game(MatchGame),
    /// The oldest of the games that are being played, after another move.
    Turn(&'a MatchGame),
}

/// Plays a match. `progress` receives the score after every pair of games.
pub fn play_match(
    params: &MatchParams,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(&MatchScore) + Send),
) -> Result<PlayedMatch, Error> {
    check_game(params.game, &params.players, params.context.runs)?;
    PlayMatch { params, stop, progress }.in_game(params.game)?
}

pub(crate) struct PlayMatch<'a> {
    params: &'a MatchParams<'a>,
    stop: &'a AtomicBool,
    progress: &'a mut (dyn FnMut(&MatchScore) + Send),
}

games::by_name!(PlayMatch<'a>, 'a);

impl GameVisitor for PlayMatch<'_> {
    type Output = Result<PlayedMatch, Error>;

    fn visit<G: Game>(self) -> Result<PlayedMatch, Error> {
        let PlayMatch { params, stop, progress } = self;
        let &MatchParams { players, games, plies, seed, threads, context, .. } = params;
        let setup = setup_for::<G>(&players, params.setup, context.runs)?;
        let seats = Seats::<G>::new(&setup, &players, plies, context)?;
        let tell = &mut |news: MatchNews| {
            if let MatchNews::Score(score) = news {
                progress(score);
            }
        };
        let terms = MatchTerms { games, plies, seed, threads };
        let (score, interrupted) = seats.play([0, 1], &terms, stop, false, tell);
        Ok(PlayedMatch { score, interrupted, costs: [0, 1].map(|place| seats.cost(place)) })
    }
}

/// A player that is ready and that no thread has taken yet.
type FirstSeat<G> = Mutex<Option<Box<dyn Player<G>>>>;

/// Players that can play matches against each other. Each thread of a match gets players of its own.
pub(crate) struct Seats<'a, G: Game> {
    setup: &'a G::Setup,
    /// Each player, with the first instance of it, which was made to check that it can play. The first thread takes it.
    players: Vec<(&'a PlayerSpec, FirstSeat<G>)>,
    /// What the moves of each player cost so far.
    costs: Vec<Arc<CostSums>>,
    context: &'a Context<'a>,
}

impl<'a, G: Game> Seats<'a, G> {
    /// Makes every player once. Returns an error before any game begins if a player cannot play, or if there are too
    /// many random plies.
    pub fn new(
        setup: &'a G::Setup,
        players: &[&'a PlayerSpec],
        plies: usize,
        context: &'a Context<'a>,
    ) -> Result<Seats<'a, G>, Error> {
        let starts = Starts::<G>::new(setup);
        let mut seats = Vec::with_capacity(players.len());
        for &player in players {
            let seated = player.seat::<G>(setup, context)?;
            seated.fits_starts(&starts)?;
            seats.push((player, Mutex::new(Some(seated.player))));
        }
        let most = (G::draw_rules(setup).most_plies as usize).min(MOST_MATCH_PLIES);
        if plies >= most {
            let what = format!("{plies} random plies at the beginning, but a game has at most {most}");
            return Err(Error::parameter("plies", what));
        }
        let costs = players.iter().map(|_| Arc::default()).collect();
        Ok(Seats { setup, players: seats, costs, context })
    }

    /// Plays a match between two of the players, given by their places. Returns the score of the first one, and whether
    /// the match was interrupted. `shown` says whether `tell` receives games and turns, not only scores.
    pub fn play(
        &self,
        [one, two]: [usize; 2],
        terms: &MatchTerms,
        stop: &AtomicBool,
        shown: bool,
        tell: &mut (dyn FnMut(MatchNews) + Send),
    ) -> (MatchScore, bool) {
        let watch = Watch { context: self.context, stop, shown, now: Mutex::default(), tell: Mutex::new(tell) };
        arena::watch_match(&|| self.take(one), &|| self.take(two), self.setup, terms, &watch)
    }

    /// What the moves of a player cost so far.
    fn cost(&self, place: usize) -> MoveCost {
        self.costs[place].mean()
    }

    /// The first instance of a player, or a new one if that is already in use. Its moves are measured.
    fn take(&self, place: usize) -> Box<dyn Player<G>> {
        let (player, first) = &self.players[place];
        let first = first.lock().expect("no thread panics while it takes the player").take();
        let seat = || player.seat::<G>(self.setup, self.context).expect("it could be seated before").player;
        Box::new(Measured { player: first.unwrap_or_else(seat), sums: Arc::clone(&self.costs[place]) })
    }
}

/// Stops a match when `stop` is set, and passes on what happens in it.
struct Watch<'a> {
    context: &'a Context<'a>,
    stop: &'a AtomicBool,
    /// Whether games and turns are passed on.
    shown: bool,
    /// The games that are being played, by number; each thread plays one.
    now: Mutex<BTreeMap<u32, MatchGame>>,
    tell: Mutex<&'a mut (dyn FnMut(MatchNews) + Send)>,
}

impl Watch<'_> {
    fn tell(&self, news: MatchNews) {
        (self.tell.lock().expect("no thread panics while it tells"))(news);
    }

    fn now(&self) -> MutexGuard<'_, BTreeMap<u32, MatchGame>> {
        self.now.lock().expect("no thread panics while it writes a move down")
    }
}

impl<G: Game> MatchWatch<G> for Watch<'_> {
    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    /// A game in which a player's search was stopped early does not count.
    fn counts(&self) -> bool {
        !self.context.is_halted()
    }

    fn turn(&self, number: u32, history: &GameHistory<G>, mv: G::Move) {
        if !self.shown {
            return;
        }
        let mut now = self.now();
        let begin =
            || MatchGame { number, start: history.game().to_string(), moves: Vec::new(), illegal: None, outcome: None };
        let game = now.entry(number).or_insert_with(begin);
        game.moves.push(mv.to_string());
        // The oldest of the games that are being played is the one that is shown.
        if let Some((_, first)) = now.first_key_value()
            && first.number == number
        {
            self.tell(MatchNews::Turn(first));
        }
    }

    fn game(&self, number: u32, played: &Played<G>) {
        if !self.shown {
            return;
        }
        // Without a move there is no entry: the game ended in its first turn by an illegal attempt.
        let moves = self.now().remove(&number).map_or_else(Vec::new, |game| game.moves);
        self.tell(MatchNews::Game(MatchGame {
            number,
            start: played.start.to_string(),
            moves,
            illegal: match &played.ending {
                Ending::Illegal { attempt, .. } => Some(attempt.clone()),
                Ending::Rules(_) | Ending::BrokenOff => None,
            },
            outcome: Some(played.ending.outcome()),
        }));
    }

    fn pair(&self, score: &MatchScore) {
        self.tell(MatchNews::Score(score));
    }
}
