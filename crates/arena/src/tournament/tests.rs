//! Tests of tournaments: tables against plain play, numbers of threads, blunders, and remembered games.

use super::*;
use crate::{Circular, Head, RoundRobin, Schedule};
use evolution::{Activation, Graph, MutationWeights};
use games::minichess;
use games::nim::{self, Nim, Setup, Start};
use games::tic_tac_toe::{self, TicTacToe};
use games::{Encoder, Setup as _};

fn networks<G: Game>(seating: &Seating<G>, count: usize) -> Vec<Arc<Network>> {
    let rng = &mut rng_for(7, &[]);
    let grow = |_| {
        let mut graph = Graph::random(seating.shape(), Activation::Elu(0.1), Activation::Identity, rng);
        for _ in 0..rng.below(40) {
            graph.mutate(&MutationWeights::all(1.0), 1.0, rng);
        }
        Arc::new(Network::Graph(graph))
    };
    (0..count).map(grow).collect()
}

/// Play with and without tables, on one thread and on several, gives the same records.
fn check<G: Game>(setup: G::Setup, encoder: &'static dyn Encoder<G>, depth: u32) {
    for head in Head::<G>::names().into_iter().filter(|head| depth == 0 || ["value", "balanced"].contains(head)) {
        for play in ["strict", "safe"] {
            let seating = || {
                let seating = Seating::new(setup.clone(), encoder);
                seating.with_head(Head::named(head, play).unwrap()).at_depth(depth).unwrap()
            };
            let networks = networks(&seating(), 20);
            let play_all = |tables: bool, threads: usize| {
                let openings = 2 * usize::from(play == "safe");
                let mut arena = Arena::with_tables(seating(), tables).on_threads(threads);
                let conditions = Conditions { opening_plies: openings, ..Conditions::default() };
                assert_eq!(arena.encoded_atlas.is_some(), tables);
                let entrants = arena.enter(&networks);
                let pairings = Circular { opponents: 10 }.pairings(20, &mut rng_for(1, &[]));
                arena.play(&entrants, &pairings, &conditions, &mut rng_for(2, &[]))
            };
            let records = play_all(true, 1);
            assert_eq!(records, play_all(true, 5), "{} {head} {play}", G::NAME);
            assert_eq!(records, play_all(false, 1), "{} {head} {play}", G::NAME);
            assert_eq!(records, play_all(false, 5), "{} {head} {play}", G::NAME);
            assert!(play == "strict" || records.iter().any(|record| record.perfect != [0, 0]));
        }
    }
}

#[test]
fn tables_play_as_networks_do() {
    for start in [Start::Fixed, Start::Random, Start::Single] {
        check::<Nim>(Setup { stacks: vec![4, 4], start }, &nim::Counts, 0);
        check::<Nim>(Setup { stacks: vec![3, 5, 2], start }, &nim::Digits, 0);
        check::<Nim>(Setup { stacks: vec![4, 3], start }, &nim::Counts, 2);
    }
    check::<TicTacToe>(tic_tac_toe::Setup {}, &tic_tac_toe::Squares, 0);
    check::<TicTacToe>(tic_tac_toe::Setup {}, &tic_tac_toe::Squares, 1);
}

/// Games with blunders are the same on any number of threads, but differ from each other.
#[test]
fn games_with_blunders_do_not_depend_on_threads() {
    let setup = minichess::Setup { most_plies: 30, ..minichess::Setup::usual() };
    let seating = || Seating::new(setup.clone(), &minichess::Squares);
    let networks = networks(&seating(), 2);
    let pairings = vec![Pairing { first: 0, second: 1, start: 0 }; 40];
    let play = |threads: usize, blunders: f64| {
        let mut arena = Arena::new(seating()).on_threads(threads);
        let entrants = arena.enter(&networks);
        let conditions = Conditions { blunders, ..Conditions::default() };
        let records = arena.play(&entrants, &pairings, &conditions, &mut rng_for(2, &[]));
        (records, arena.reused())
    };
    let (records, reused) = play(1, 0.2);
    assert_eq!((&records, reused), (&play(5, 0.2).0, 0));
    assert!(records.iter().any(|record| *record != records[0]));
    let (records, reused) = play(1, 0.0);
    assert!(records.iter().all(|record| *record == records[0]) && reused == 39);
}

/// A game of the same two networks from the same start is looked up, also in the next generation.
#[test]
fn no_game_is_played_twice() {
    let setup = minichess::Setup { most_plies: 20, ..minichess::Setup::usual() };
    let seating = || Seating::new(setup.clone(), &minichess::Squares).at_depth(1).unwrap();
    let networks = networks(&seating(), 6);
    let pairings = RoundRobin { double: true }.pairings(6, &mut rng_for(1, &[]));
    for threads in [1, 5] {
        let mut arena = Arena::new(seating()).on_threads(threads);
        let mut play = |networks: &[Arc<Network>]| {
            let entrants = arena.enter(networks);
            (arena.play(&entrants, &pairings, &Conditions::default(), &mut rng_for(2, &[])), arena.reused())
        };
        let (records, reused) = play(&networks);
        assert_eq!((records.len(), reused), (30, 0));
        assert!(records.iter().any(|record| record.outcome != Outcome::Draw));
        // Half of them stay, in other places; two are copies of each other.
        let next = [&networks[3..], &networks[5..], &networks[1..2], &networks[..1]].concat();
        let (again, reused) = play(&next);
        assert_eq!(reused, 29, "all of these had met, but for a network and its copy");
        let mut fresh = Arena::new(seating());
        let entrants = fresh.enter(&next);
        assert_eq!(
            again,
            fresh.play(&entrants, &pairings, &Conditions::default(), &mut rng_for(2, &[])),
            "played anew, the same"
        );
        // Games of networks that are gone are forgotten; the others can be saved.
        arena.forget_except(&networks[..2], |_| false);
        let mut other = Arena::new(seating());
        other.remember(arena.met());
        for arena in [&mut arena, &mut other] {
            let before = arena.reused();
            let entrants = arena.enter(&networks);
            assert_eq!(arena.play(&entrants, &pairings, &Conditions::default(), &mut rng_for(2, &[])), records);
            assert_eq!(arena.reused() - before, 2);
        }
        assert_eq!(arena.met(), other.met());
    }
}

/// The decision cache changes no record and no count, not even near the cap on plies.
#[test]
fn decisions_are_looked_up() {
    for (most_plies, depth, repetitions) in [(7, 1, 0), (12, 1, 0), (12, 0, 0), (20, 1, 2), (8, 2, 0)] {
        let setup = minichess::Setup { most_plies, repetitions, ..minichess::Setup::usual() };
        let seating = || Seating::new(setup.clone(), &minichess::Squares).at_depth(depth).unwrap();
        let networks = networks(&seating(), 8);
        let pairings = RoundRobin { double: true }.pairings(8, &mut rng_for(1, &[]));
        let play = |memory: bool, threads: usize| {
            let techniques = Techniques { memory, ..Techniques::ALL };
            let mut arena = Arena::new(seating()).with_techniques(techniques).on_threads(threads);
            let entrants = arena.enter(&networks);
            let records = arena.play(&entrants, &pairings, &Conditions::default(), &mut rng_for(2, &[]));
            (records, arena.judged())
        };
        let (records, judged) = play(false, 1);
        assert!(records.iter().any(|record| record.turns >= most_plies.min(8)), "some games last");
        for threads in [1, 3] {
            let (again, counted) = play(true, threads);
            assert_eq!(again, records, "{most_plies} plies at most, depth {depth}");
            // Deeper searches remember the network's values instead, so that they evaluate fewer positions.
            assert!(if depth < 2 { counted == judged } else { counted < judged }, "{counted}, not {judged}");
        }
    }
}

/// Won games are kept with the positions in which the winner was to move, on any number of threads.
#[test]
fn positions_of_won_games_are_kept() {
    let setup = Setup { stacks: vec![4, 4], start: Start::Random };
    let seating = || Seating::new(setup.clone(), &nim::Counts);
    let networks = networks(&seating(), 6);
    let pairings = RoundRobin { double: true }.pairings(6, &mut rng_for(1, &[]));
    let play = |threads: usize, blunders: f64| {
        let mut arena = Arena::new(seating()).on_threads(threads).keeping_won();
        let entrants = arena.enter(&networks);
        let conditions = Conditions { blunders, ..Conditions::default() };
        let records = arena.play(&entrants, &pairings, &conditions, &mut rng_for(2, &[]));
        assert_eq!(arena.reused(), 0);
        (records, arena.won().to_vec())
    };
    for blunders in [0.0, 0.3] {
        let (records, won) = play(1, blunders);
        assert_eq!(won, play(5, blunders).1);
        assert_eq!(won.len(), records.len(), "nobody draws at Nim");
        for (record, (winner, positions)) in records.iter().zip(&won) {
            let first = record.outcome == Outcome::Win(Side::First);
            assert_eq!(*winner, if first { record.first } else { record.second });
            let turns = if first { record.turns.div_ceil(2) } else { record.turns / 2 };
            assert_eq!(positions.len() as u32, turns);
            let mover = |game: &Nim| game.side_to_move();
            assert!(positions.windows(2).all(|pair| mover(&pair[0]) == mover(&pair[1])));
        }
    }
    assert!(Arena::new(seating()).won().is_empty());
}

#[test]
fn tables_are_kept_from_one_generation_to_the_next() {
    let seating = Seating::new(Setup { stacks: vec![4, 4], start: Start::Random }, &nim::Counts);
    let networks = networks(&seating, 10);
    let mut arena = Arena::new(seating);
    let before = arena.enter(&networks);
    let kept = |one: &Entrant, two: &Entrant| Arc::ptr_eq(one.table.as_ref().unwrap(), two.table.as_ref().unwrap());
    assert_eq!(arena.judged(), 250);
    let again = [&networks[..5], &networks[..5]].concat();
    let entrants = arena.enter(&again);
    assert!((0..10).all(|place| kept(&entrants[place], &before[place % 5])));
    assert_eq!((arena.judged(), entrants.len()), (500, 10), "what is looked up counts again");
    let entrants = arena.enter(&networks);
    let found: Vec<bool> = entrants.iter().zip(&before).map(|(entrant, before)| kept(entrant, before)).collect();
    assert_eq!(found, [true, true, true, true, true, false, false, false, false, false]);
    assert_eq!(arena.judged(), 750);
}

/// Remembered games with impossible records are refused.
#[test]
fn impossible_games_are_not_remembered() {
    let meeting = Meeting { first: 1, second: 2, start: 3 };
    let record = GameRecord { first: 0, second: 1, turns: 9, perfect: [1, 2], graded: [3, 4], outcome: Outcome::Draw };
    let read = |record: GameRecord| {
        let text = serde_json::to_string(&RememberedGames(vec![(meeting, record)])).unwrap();
        serde_json::from_str::<RememberedGames>(&text).map_err(|error| error.to_string())
    };
    assert_eq!(read(record), Ok(RememberedGames(vec![(meeting, record)])));
    assert!(read(GameRecord { turns: u32::MAX, ..record }).unwrap_err().contains("a game of 4294967295 turns"));
    assert!(read(GameRecord { perfect: [4, 0], ..record }).unwrap_err().contains("perfect than graded turns"));
}
