//! A layered network in whole games of draughts at depth 4: what each way to judge positions gains.

use super::{Ratio, few_rates};
use arena::{
    EvalScratch, GameHistory, Limits, NetworkEvaluator, PreparedNetwork, Search, Seating, Techniques, opening,
};
use chance::rng_for;
use evolution::{Layered, Network};
use games::Game;
use std::sync::Arc;
use trainer::TypedExperiment;

/// How many games, each after so many random plies.
const GAMES: u64 = 6;
const PLIES: usize = 4;
const DEPTH: u32 = 4;
/// Nguyen's network (2018).
const SIZES: [usize; 4] = [91, 40, 10, 1];

pub(super) fn measure<G: Game>(experiment: &TypedExperiment<G>) -> Vec<Ratio> {
    let seating = experiment.seating();
    let network = Layered::random(&SIZES, 0, 0.2, &mut rng_for(7, &[])).expect("these sizes can be");
    let network = Arc::new(Network::Layered(network));
    let (plain, prepared) = (PreparedNetwork::plain(&network), PreparedNetwork::new(seating, &network));
    let ways = Ways { seating, games: Vec::new() };
    let ways = Ways { games: ways.play(&prepared), ..ways };
    let all = Way { prepared: &prepared, techniques: Techniques::ALL, follows: true };
    let batched = Way { prepared: &plain, techniques: Techniques { memory: false, ..Techniques::ALL }, follows: false };
    let single = Way { techniques: Techniques { blocks: false, ..batched.techniques }, ..batched };
    let folded = Way { prepared: &prepared, ..batched };
    let following = Way { follows: true, ..folded };
    let name = |what: &str| format!("games of {} at depth {DEPTH} by 91-40-10-1: {what}", G::NAME);
    [
        ("a position at a time, or eight", single, batched),
        ("eight at a time, or the first layer by facts", batched, folded),
        ("facts from nothing, or by differences", folded, following),
        ("without, or with, a memory of values", following, all),
        ("a position at a time, or all of it", single, all),
    ]
    .into_iter()
    .map(|(what, slow, fast)| {
        let rates = few_rates(GAMES as f64, || ways.search(slow), || ways.search(fast));
        Ratio::new(&name(what), rates, "games")
    })
    .collect()
}

/// How positions are judged.
#[derive(Clone, Copy)]
struct Way<'a> {
    prepared: &'a PreparedNetwork,
    techniques: Techniques,
    follows: bool,
}

struct Ways<'a, G: Game> {
    seating: &'a Seating<G>,
    /// Every position of each game.
    games: Vec<Vec<GameHistory<G>>>,
}

impl<G: Game> Ways<'_, G> {
    /// Lets a network play against itself.
    fn play(&self, prepared: &PreparedNetwork) -> Vec<Vec<GameHistory<G>>> {
        let (mut search, mut room) = (Search::new(Techniques::ALL), EvalScratch::default());
        let mut play = |number| {
            let rng = &mut rng_for(8, &[number]);
            let setup = &self.seating.setup;
            let mut history = opening(&GameHistory::new(G::start(setup, rng), setup, 0), PLIES, rng);
            let mut histories = Vec::new();
            while history.outcome().is_none() {
                histories.push(history.clone());
                let mut evaluator = NetworkEvaluator::new(self.seating, prepared, &mut room);
                history.play(search.run(&history, &mut evaluator, Limits::depth(DEPTH), None, None).mv);
            }
            histories
        };
        (0..GAMES).map(&mut play).collect()
    }

    /// Looks for the move in every position again.
    fn search(&self, way: Way) -> f32 {
        let (mut search, mut room) = (Search::new(way.techniques), EvalScratch::default());
        let mut sum = 0.0;
        for histories in &self.games {
            room.forget();
            for history in histories {
                let mut evaluator = NetworkEvaluator::new(self.seating, way.prepared, &mut room);
                if !way.follows {
                    evaluator = evaluator.from_nothing();
                }
                let mut evaluator = evaluator.remembering(way.techniques.memory);
                sum += search.run(history, &mut evaluator, Limits::depth(DEPTH), None, None).value;
            }
        }
        sum
    }
}
