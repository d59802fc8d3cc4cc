//! Tests of the selective search: without its selective techniques it is exact, and with them it finds more at equal
//! cost.

use super::*;
use crate::search::Leaf;
use crate::{Material, Method, Search};
use chance::rng_for;
use games::draughts::Draughts;
use games::minichess::Minichess;
use games::tic_tac_toe::TicTacToe;
use games::{GameVisitor, Setup as _};

/// Positions after random moves.
fn positions<G: Game>(count: u64) -> Vec<GameHistory<G>> {
    let setup = G::Setup::usual();
    let played = |number: u64| {
        let rng = &mut rng_for(number, &[7]);
        let mut history = GameHistory::new(G::start(&setup, rng), &setup, 0);
        for _ in 0..2 + number % 20 {
            let mut moves = Vec::new();
            history.game().legal_moves(&mut moves);
            let next = history.after(moves[rng.below(moves.len())]);
            if next.outcome().is_some() {
                break;
            }
            history = next;
        }
        history
    };
    (0..count).map(played).collect()
}

fn selective(depth: u32) -> Limits {
    Limits::depth(depth).by(Method::Selective)
}

/// Without what is selective, only the order of moves is left, which cannot change the value.
#[test]
fn without_its_techniques_the_value_is_exact() {
    struct Compare;
    games::by_name!(Compare);
    impl GameVisitor for Compare {
        type Output = ();
        fn visit<G: Game>(self) {
            let (mut exact, mut other) = (Search::<G>::default(), Search::<G>::default());
            let without = |name: &str, selection: Selection| selection.without(name).unwrap();
            let names = ["quiescence", "null-move", "reductions", "transpositions"];
            let selection = names.iter().fold(Selection::ALL_CAPTURES, |selection, name| without(name, selection));
            for history in positions::<G>(30) {
                for depth in 1..=4 {
                    let limits = Limits { selection, ..selective(depth) };
                    let found = other.run(&history, &mut Material, limits, None, None);
                    // A position that returns is a draw for the selective search, and goes on for the exact one.
                    let expected = exact.run(&history, &mut Material, Limits::depth(depth), None, None);
                    assert_eq!(found.value, expected.value, "{} at depth {depth}", history.game());
                }
            }
        }
    }
    games::names().iter().for_each(|name| Compare.in_game(name).unwrap());
}

/// A fork of pieces that hang must not be taken for a gain: the exchange is followed to its end.
#[test]
fn exchanges_are_followed_to_their_end() {
    // The rook can take a pawn that another pawn protects.
    let history = GameHistory::timeless("2k3/6/1p4/p5/6/R2K2 w - - 0 1".parse::<Minichess>().unwrap());
    let mut search = Search::default();
    let exact = search.run(&history, &mut Material, Limits::depth(1), None, None);
    assert_eq!(exact.mv.to_string(), "a1a3");
    let found = search.run(&history, &mut Material, selective(1), None, None);
    assert_ne!(found.mv.to_string(), "a1a3");
    assert!(found.value < exact.value);
}

/// Ties are broken by less than a man, in the same way each time, and only where the evaluator counts.
#[test]
fn ties_are_broken_by_less_than_a_man() {
    let mut search = Selective::<Minichess> { breaks_ties: true, ..Selective::default() };
    let games: Vec<Minichess> = positions(30).iter().map(|history| *history.game()).collect();
    let values: Vec<f32> = games.iter().map(|game| search.judged(game, 0.0)).collect();
    assert!(values.iter().all(|value| value.abs() <= TIE * Minichess::MAN / 2.0));
    let mut different = values.clone();
    different.sort_by(f32::total_cmp);
    different.dedup();
    assert!(different.len() > 20, "{values:?}");
    assert!(games.iter().zip(&values).all(|(game, value)| search.judged(game, 0.0) == *value));
    let limits = |name: &str| Limits { selection: Selection::ALL.without(name).unwrap(), ..selective(2) };
    let mut breaks = |limits: Limits| {
        search.run(&positions(1)[0], &mut Material, limits, None, None);
        search.breaks_ties
    };
    assert!(breaks(selective(2)) && !breaks(limits("ties")));
}

/// The same options and moves give the same moves, with any technique, and a limit of nodes is kept.
#[test]
fn a_limit_of_nodes_gives_the_same_move_again() {
    fn check<G: Game>() {
        let selections = Selection::NAMES.iter().map(|name| Selection::ALL.without(name).unwrap());
        for selection in selections.chain([Selection::ALL]) {
            for history in positions::<G>(5) {
                let limits = Limits { nodes: 3000, selection, ..selective(64) };
                let mut search = Search::<G>::default();
                let found = search.run(&history, &mut Material, limits, None, None);
                assert!(found.nodes < 3000 + 200, "{} nodes", found.nodes);
                assert_eq!(search.run(&history, &mut Material, limits, None, None), found);
                let mut legal = Vec::new();
                history.game().legal_moves(&mut legal);
                assert!(legal.contains(&found.mv));
            }
        }
    }
    check::<Minichess>();
    check::<Draughts>();
    check::<TicTacToe>();
}

/// A table that is kept changes no rule: games end, and the same game gives the same moves.
#[test]
fn a_table_that_is_kept_depends_on_the_game_alone() {
    let play = |search: &mut Search<Minichess>| {
        search.forget();
        let mut history = positions::<Minichess>(1).remove(0);
        let limits = Limits { nodes: 2000, keeps_table: true, ..selective(64) };
        let mut moves = Vec::new();
        while history.outcome().is_none() && moves.len() < 40 {
            let mv = search.run(&history, &mut Material, limits, None, None).mv;
            moves.push(mv);
            history.play(mv);
        }
        moves
    };
    let mut search = Search::default();
    let first = play(&mut search);
    assert_eq!(play(&mut search), first);
    assert_eq!(play(&mut Search::default()), first);
}

/// Every move gets a value, and none is above the best.
#[test]
fn every_move_gets_a_value() {
    for history in positions::<Draughts>(10) {
        let (found, values) = Search::default().run_all(&history, &mut Material, selective(5), None, None);
        let mut legal = Vec::new();
        history.game().legal_moves(&mut legal);
        assert_eq!(values.iter().map(|(mv, _)| *mv).collect::<Vec<_>>(), legal);
        assert!(values.iter().all(|(_, value)| *value <= found.value));
    }
}

/// The leaf has the value of the search: it is the position at which the line of best moves ends.
#[test]
fn the_leaf_has_the_value_of_the_search() {
    struct Leaves;
    games::by_name!(Leaves);
    impl GameVisitor for Leaves {
        type Output = [u32; 2];
        fn visit<G: Game>(self) -> [u32; 2] {
            let mut search = Search::<G>::default();
            let (mut quiet, mut finished) = (0, 0);
            for history in positions::<G>(60) {
                let limits = Limits { selection: Selection::ALL_CAPTURES, ..selective(1) };
                let found = search.run(&history, &mut Material, limits, None, None);
                match search.leaf(&history, &found, &mut Material) {
                    Leaf::Quiet { game, plies } => {
                        let sign = if game.side_to_move() == history.game().side_to_move() { 1.0 } else { -1.0 };
                        assert_eq!(sign, if plies.is_multiple_of(2) { 1.0 } else { -1.0 });
                        let mut value = [0.0];
                        Material.values(&[game], &mut value);
                        assert_eq!(sign * value[0], found.value, "{}", history.game());
                        quiet += 1;
                    }
                    Leaf::Finished(worth) => {
                        let won = super::super::plies_to_end(found.value).map_or(0.0, |plies| plies.signum() as f32);
                        assert_eq!(worth, won, "{}", history.game());
                        finished += 1;
                    }
                }
            }
            [quiet, finished]
        }
    }
    let counts: Vec<[u32; 2]> = games::names().iter().map(|name| Leaves.in_game(name).unwrap()).collect();
    let sum = |place: usize| counts.iter().map(|count| count[place]).sum::<u32>();
    assert!(sum(0) > 100 && sum(1) > 3, "{counts:?}");
}
