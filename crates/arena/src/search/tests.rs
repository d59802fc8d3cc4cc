//! Tests of the search: it agrees with plain minimax, keeps its limits, and draws among equal moves.

use super::ends::{MOST_JUDGED, WON};
use super::*;
use crate::{EvalScratch, Material, NetworkEvaluator, PreparedNetwork, Seating};
use chance::rng_for;
use evolution::{Activation, Graph, MutationWeights, Network};
use games::draughts::{self, Blocked, Draughts};
use games::minichess::{self, Minichess};
use games::{GameVisitor, Setup as _};

/// The value by plain minimax, without cutoffs.
fn minimax<G: Game, E: Evaluator<G>>(history: &GameHistory<G>, limits: Limits, ply: u32, evaluator: &mut E) -> f32 {
    if let Some(outcome) = history.outcome() {
        return end_value(outcome, history.game().side_to_move(), ply);
    }
    if limits.depth == 0 && !(limits.extend != Extend::Off && history.game().must_capture()) {
        let mut value = [0.0];
        evaluator.values(std::slice::from_ref(history.game()), &mut value);
        return judged(value[0]);
    }
    let mut moves = Vec::new();
    history.game().legal_moves(&mut moves);
    let after = |&mv: &G::Move| -minimax(&history.after(mv), one_less(limits, history.game()), ply + 1, evaluator);
    moves.iter().map(after).fold(f32::NEG_INFINITY, f32::max)
}

/// The limits after one more move: a forced capture does not count where extensions are on.
fn one_less<G: Game>(limits: Limits, game: &G) -> Limits {
    let free = limits.extend == Extend::Everywhere && game.must_capture();
    Limits { depth: if free { limits.depth } else { limits.depth.saturating_sub(1) }, ..limits }
}

/// A pseudo-random value for each position: no two lines have the same value, so that every mistake shows.
struct Noise;

impl<G: Game> Evaluator<G> for Noise {
    fn block(&self) -> usize {
        3
    }
    fn values(&mut self, games: &[G], values: &mut [f32]) {
        for (game, value) in games.iter().zip(values) {
            *value = (mix(game.key()) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        }
    }
}

fn searches<G: Game>() -> Vec<Search<G>> {
    let technique = |ordering, table, blocks| Search::new(Techniques { ordering, table, blocks, memory: false });
    vec![
        technique(true, true, true),
        technique(true, false, true),
        technique(false, true, false),
        technique(false, false, false),
    ]
}

/// Searches with all combinations of techniques and extensions find minimax's value and a move that has it.
fn compare<G: Game, E: Evaluator<G>>(
    history: &GameHistory<G>,
    depth: u32,
    searches: &mut [Search<G>],
    evaluator: &mut E,
) {
    for extend in [Extend::Off, Extend::Leaves, Extend::Everywhere] {
        let limits = Limits::depth(depth).extended(extend);
        let expected = minimax(history, limits, 0, evaluator);
        for search in &mut *searches {
            let found = search.run(history, evaluator, limits, None, None);
            let context = || format!("{}, {limits:?}, {:?}", history.game(), search.techniques);
            assert_eq!(found.value, expected, "{}", context());
            let left = one_less(limits, history.game());
            assert_eq!(-minimax(&history.after(found.mv), left, 1, evaluator), expected, "{}: {}", context(), found.mv);
        }
    }
}

/// A position after some random moves in which the game is not over.
fn wander<G: Game>(start: G, setup: &G::Setup, most: usize, rng: &mut Rng) -> GameHistory<G> {
    loop {
        let mut history = GameHistory::new(start.clone(), setup, 0);
        for _ in 0..rng.below(most + 1) {
            let mut moves = Vec::new();
            history.game().legal_moves(&mut moves);
            if history.outcome().is_some() {
                break;
            }
            history.play(moves[rng.below(moves.len())]);
        }
        if history.outcome().is_none() {
            return history;
        }
    }
}

struct EveryGame;

impl GameVisitor for EveryGame {
    type Output = ();
    fn visit<G: Game>(self) {
        let setup = G::Setup::usual();
        let seating = Seating::new(setup.clone(), G::ENCODERS[0]);
        let mut graph = Graph::random(seating.shape(), Activation::Tanh, Activation::Tanh, &mut rng_for(1, &[]));
        for number in 0..30 {
            graph.mutate(&MutationWeights::all(1.0), 1.0, &mut rng_for(2, &[number]));
        }
        let prepared = PreparedNetwork::new(&seating, &std::sync::Arc::new(Network::Graph(graph)));
        let (mut searches, mut scratch) = (searches::<G>(), EvalScratch::default());
        for number in 0..1500 {
            let rng = &mut rng_for(3, &[number]);
            let history = wander(G::start(&setup, rng), &setup, 79, rng);
            let depth = 1 + rng.below(3) as u32;
            compare(&history, depth, &mut searches, &mut Noise);
            if number % 5 == 0 {
                compare(&history, depth, &mut searches, &mut Material);
                compare(&history, depth, &mut searches, &mut NetworkEvaluator::new(&seating, &prepared, &mut scratch));
            }
        }
    }
}

#[test]
fn it_finds_what_minimax_finds_in_every_game() {
    for name in games::names() {
        games::with_built_in(name, EveryGame);
    }
}

/// Endings with few pieces, where repetitions and the cap on plies decide many games.
#[test]
fn it_finds_what_minimax_finds_where_the_past_counts() {
    let mut searches = searches::<Minichess>();
    for number in 0..1500 {
        let rng = &mut rng_for(4, &[number]);
        let start = ["k5/6/6/6/6/4KR w", "k5/6/6/6/6/4KN w", "1k4/6/6/6/6/5K w", "kp4/6/6/6/4P1/5K w"][rng.below(4)];
        let most_plies = [12, 20, 80][rng.below(3)];
        let setup = minichess::Setup { start: start.into(), most_plies, repetitions: [2, 3, 3, 0][rng.below(4)] };
        let Ok(game) = start.parse::<Minichess>() else { continue };
        let history = wander(game, &setup, 40, rng);
        compare(&history, 1 + rng.below(4) as u32, &mut searches, &mut Noise);
        if number % 20 == 0 {
            compare(&history, 5, &mut searches, &mut Material);
        }
    }
}

/// Two kings and blocked pawns have few moves. The same positions are reached in many ways, and the game ends at
/// different depths.
#[test]
fn it_finds_what_minimax_finds_where_lines_meet_again() {
    let mut searches = searches::<Minichess>();
    for number in 0..250 {
        let rng = &mut rng_for(6, &[number]);
        let start = ["k5/6/p5/P5/6/K5 w", "kB4/1p4/1P4/6/6/5K w", "k5/6/6/6/6/5K w"][rng.below(3)];
        let repetitions = [0, 2, 3][rng.below(3)];
        let setup = minichess::Setup { start: start.into(), most_plies: 12, repetitions };
        let history = wander(start.parse::<Minichess>().unwrap(), &setup, 11, rng);
        compare(&history, 5 + rng.below(2) as u32, &mut searches, &mut Noise);
    }
}

/// Endings of draughts with rules about repetitions and quiet plies, and captures that reach the cap on plies.
#[test]
fn it_finds_what_minimax_finds_where_captures_are_forced() {
    let mut searches = searches::<Draughts>();
    for number in 0..400 {
        let rng = &mut rng_for(8, &[number]);
        let start = ["B:WK32,K31:BK1,K2,5", "B:W21,22,K30:B9,10,K3", "B:W18,26,27,K32:B2,10,11,K1"][rng.below(3)];
        let setup = draughts::Setup {
            start: start.into(),
            most_plies: [12, 16, 200][rng.below(3)],
            repetitions: [0, 2, 3][rng.below(3)],
            quiet_plies: [0, 4, 7][rng.below(3)],
            blocked: [Blocked::Loses, Blocked::Draws][rng.below(2)],
            ..draughts::Setup::usual()
        };
        let history = wander(start.parse::<Draughts>().unwrap(), &setup, 11, rng);
        compare(&history, 1 + rng.below(4) as u32, &mut searches, &mut Noise);
    }
}

/// Wins and defeats are far beyond evaluations, and carry the number of plies.
#[test]
fn wins_and_defeats_carry_their_plies() {
    let check = |position: &str, depth, expected: &str, plies| {
        let setup = minichess::Setup::usual();
        let history = GameHistory::new(position.parse::<Minichess>().unwrap(), &setup, 0);
        let found = Search::default().run(&history, &mut Material, Limits::depth(depth), None, None);
        assert_eq!((found.mv.to_string().as_str(), plies_to_end(found.value)), (expected, plies), "{position}");
    };
    check("k5/6/6/6/6/R4K w", 4, "a1a6", Some(1));
    check("k5/6/1K4/6/6/5R w", 4, "f1f6", Some(3));
    check("k5/6/6/6/6/1R3K b", 1, "a6b6", None);
    check("k5/6/6/6/6/1R3K b", 2, "a6a5", None);
    assert_eq!([plies_to_end(0.0), plies_to_end(-3e6), plies_to_end(4.0 - WON)], [None, None, Some(-4)]);
    assert_eq!([judged(f32::NAN), judged(f32::INFINITY), judged(0.25)], [-MOST_JUDGED, MOST_JUDGED, 0.25]);
}

#[test]
fn limits_are_kept() {
    let setup = minichess::Setup::usual();
    let history = GameHistory::new(Minichess::start(&setup, &mut rng_for(1, &[])), &setup, 0);
    let mut search = Search::default();
    let mut run = |limits, mut budget: Option<Box<dyn Budget>>| {
        search.run(&history, &mut Material, limits, budget.as_deref_mut(), None)
    };
    let few = run(Limits { nodes: 20_000, ..Limits::depth(20) }, None);
    assert!(few.nodes <= 20_100 && (3..10).contains(&few.depth), "{few:?}");
    let one = run(Limits { nodes: 0, ..Limits::depth(20) }, None);
    assert_eq!(one.depth, 1);
    struct Asked(u32);
    impl Budget for Asked {
        fn begin(&mut self) {
            self.0 = 0;
        }
        fn is_spent(&mut self) -> bool {
            self.0 += 1;
            self.0 > 10
        }
    }
    let asked = run(Limits::depth(20), Some(Box::new(Asked(0))));
    assert!(asked.depth > 1 && asked.nodes < 20_000, "{asked:?}");
    assert_eq!(run(Limits::depth(4), None), run(Limits::depth(4), None));
}

/// Limits also hold while captures are followed.
#[test]
fn limits_are_kept_where_captures_are_forced() {
    let setup = draughts::Setup::usual();
    for number in 0..50 {
        let rng = &mut rng_for(9, &[number]);
        let history = wander(Draughts::start(&setup, rng), &setup, 60, rng);
        let mut search = Search::<Draughts>::default();
        for nodes in [0, 10, 3000] {
            let limits = Limits { nodes, ..Limits::depth(20).extended(Extend::Everywhere) };
            let found = search.run(&history, &mut Noise, limits, None, None);
            assert!(found.depth == 1 || found.nodes <= nodes.max(100) + 100, "{}: {found:?}", history.game());
            // A stopped search leaves the searcher in order.
            let whole = Limits::depth(3).extended(Extend::Everywhere);
            let value = search.run(&history, &mut Noise, whole, None, Some(rng)).value;
            assert_eq!(value, minimax(&history, whole, 0, &mut Noise), "{}", history.game());
        }
    }
}

#[test]
fn all_equal_moves_are_chosen() {
    let setup = minichess::Setup::usual();
    let history = GameHistory::new(Minichess::start(&setup, &mut rng_for(1, &[])), &setup, 0);
    let choose = |number| {
        let rng = &mut rng_for(5, &[number]);
        Search::default().run(&history, &mut Material, Limits::depth(2), None, Some(rng)).mv.to_string()
    };
    let chosen: std::collections::BTreeSet<String> = (0..200).map(choose).collect();
    assert_eq!(chosen.len(), 10, "all first moves are worth the same: {chosen:?}");
}

/// The chosen move is always one of minimax's best moves, and each of these is chosen about equally often.
#[test]
fn only_best_moves_are_chosen() {
    let setup = minichess::Setup::usual();
    let mut search = Search::default();
    for number in 0..60 {
        let rng = &mut rng_for(7, &[number]);
        let history = wander(Minichess::start(&setup, rng), &setup, 40, rng);
        let depth = 1 + rng.below(3) as u32;
        let limits = Limits::depth(depth);
        let best = minimax(&history, limits, 0, &mut Material);
        let mut moves = Vec::new();
        history.game().legal_moves(&mut moves);
        let left = one_less(limits, history.game());
        moves.retain(|&mv| -minimax(&history.after(mv), left, 1, &mut Material) == best);
        let mut chosen = vec![0; moves.len()];
        for _ in 0..40 * moves.len() {
            let found = search.run(&history, &mut Material, limits, None, Some(rng));
            chosen[moves.iter().position(|&mv| mv == found.mv).expect("it is one of the best")] += 1;
        }
        assert!(chosen.iter().all(|count| (12..=80).contains(count)), "{}: {chosen:?}", history.game());
    }
}
