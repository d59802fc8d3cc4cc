use super::*;
use crate::{Material, MonteCarloPlayer, Player, Random, play_game};
use chance::rng_for;
use games::draughts::Draughts;
use games::minichess::Minichess;
use games::tic_tac_toe::TicTacToe;
use games::{Setup as _, Value, parse_move};
use std::ops::ControlFlow;

fn explore<G: Game>(position: &str, settings: &MonteCarloSettings, seed: u64) -> Explored<G::Move> {
    let game: G = position.parse().unwrap();
    let history = GameHistory::new(game, &G::Setup::usual(), 0);
    MonteCarlo::default().run(&history, &mut Material, settings, None, &mut rng_for(seed, &[]))
}

#[test]
fn logarithms_are_right() {
    for x in [1.0f32, 1.5, 2.0, 3.0, 10.0, 1234.5, 1e6] {
        assert!((ln(x) - x.ln()).abs() < 1e-5 * (1.0 + x.ln()), "{x}");
    }
}

#[test]
fn one_round_and_no_budget_give_a_legal_move() {
    struct Spent;
    impl Budget for Spent {
        fn begin(&mut self) {}
        fn is_spent(&mut self) -> bool {
            true
        }
    }
    for rounds in [0, 1] {
        assert_eq!(explore::<Draughts>("B:W21-32:B1-12", &MonteCarloSettings::plain(rounds), 1).rounds, 1);
    }
    let history = GameHistory::new(
        Draughts::start(&games::draughts::Setup::usual(), &mut rng_for(0, &[])),
        &games::draughts::Setup::usual(),
        0,
    );
    let mut search = MonteCarlo::default();
    let found =
        search.run(&history, &mut Material, &MonteCarloSettings::plain(1000), Some(&mut Spent), &mut rng_for(1, &[]));
    assert_eq!(found.rounds, 1);
    assert!(parse_move(history.game(), &found.mv.to_string()).is_ok());
}

#[test]
fn forced_ends_are_found() {
    for seed in 0..20 {
        // Takes the king; or takes the last man.
        assert_eq!(
            explore::<Minichess>("k5/6/6/6/6/R4K w", &MonteCarloSettings::plain(300), seed).mv.to_string(),
            "a1a6"
        );
        let settings = MonteCarloSettings { playouts: Playouts::Captures, ..MonteCarloSettings::plain(100) };
        assert_eq!(explore::<Minichess>("k5/6/6/6/6/R4K w", &settings, seed).mv.to_string(), "a1a6");
        // The king must step aside, otherwise it is captured.
        let found = explore::<Draughts>("B:WK31:BK22", &MonteCarloSettings::plain(400), seed);
        assert_ne!(found.mv.to_string(), "22-26");
    }
}

#[test]
fn the_same_chance_gives_the_same_move_and_the_tree_is_kept() {
    let settings = MonteCarloSettings::plain(500);
    let start: TicTacToe = TicTacToe::start(&<TicTacToe as Game>::Setup::usual(), &mut rng_for(0, &[]));
    let setup = <TicTacToe as Game>::Setup::usual();
    let mut history = GameHistory::new(start, &setup, 0);
    let mut search = MonteCarlo::default();
    let rng = &mut rng_for(3, &[]);
    let first = search.run(&history, &mut Material, &settings, None, rng);
    let again = MonteCarlo::default().run(&history, &mut Material, &settings, None, &mut rng_for(3, &[]));
    assert_eq!(first, again);
    history.play(first.mv);
    let mut moves = Vec::new();
    history.game().legal_moves(&mut moves);
    history.play(moves[0]);
    let kept = search.run(&history, &mut Material, &MonteCarloSettings::plain(1), None, rng);
    assert!(kept.visits > 1, "{kept:?}");
    // A new game begins with an empty tree.
    search.forget();
    assert_eq!(search.run(&history, &mut Material, &MonteCarloSettings::plain(2), None, rng).visits, 1);
}

/// Rounds end even where no rule ends a game that repeats positions.
#[test]
fn rounds_end_where_positions_repeat() {
    let game: Draughts = "W:WK3:BK32".parse().unwrap();
    let mut search = MonteCarlo::default();
    let settings = MonteCarloSettings::plain(3000);
    let found = search.run(&GameHistory::timeless(game), &mut Material, &settings, None, &mut rng_for(1, &[]));
    assert!((0.3..0.7).contains(&found.share), "{found:?}");
}

/// Won endings of three and four pieces in which not every move wins. The search keeps 59 of 60 wins.
#[test]
fn wins_are_kept() {
    const POSITIONS: usize = 60;
    let endgames = Draughts::ENDGAMES.unwrap();
    let tables = endgames.open(endgames.build(&|_| ControlFlow::Continue(())).unwrap());
    let keeps = |game: &Draughts, mv| tables.perfect(game, mv) == Some(true);
    let setup = <Draughts as Game>::Setup::usual();
    let settings = MonteCarloSettings::plain(20_000);
    let (mut asked, mut kept, mut moves) = (0, 0, Vec::new());
    for number in 0.. {
        if asked == POSITIONS {
            break;
        }
        let game = endgames.draw(&mut rng_for(1, &[number]));
        moves.clear();
        game.legal_moves(&mut moves);
        let won = tables.verdict(&game).is_some_and(|verdict| verdict.value == Value::Won);
        // Positions with two pieces are written without a comma.
        if !won || !game.to_string().contains(',') || moves.iter().all(|&mv| keeps(&game, mv)) {
            continue;
        }
        asked += 1;
        let history = GameHistory::new(game, &setup, 0);
        let rng = &mut rng_for(1, &[number, 1]);
        let found = MonteCarlo::default().run(&history, &mut Material, &settings, None, rng);
        kept += usize::from(keeps(&game, found.mv));
    }
    assert!(kept * 100 >= POSITIONS * 95, "{kept} of {POSITIONS}");
}

#[test]
fn it_beats_random_play() {
    let setup = <Draughts as Game>::Setup::usual();
    let mut score = 0.0;
    for number in 0..10u64 {
        let history = GameHistory::new(Draughts::start(&setup, &mut rng_for(0, &[])), &setup, 0);
        let mut searcher = MonteCarloPlayer::<Draughts>::new(MonteCarloSettings::plain(60), None);
        let (side, played) = match number % 2 {
            0 => (
                Side::First,
                play_game(&history, [&mut searcher as &mut dyn Player<_>, &mut Random], 400, &mut rng_for(number, &[])),
            ),
            _ => (Side::Second, play_game(&history, [&mut Random, &mut searcher], 400, &mut rng_for(number, &[]))),
        };
        score += 0.5 + 0.5 * f64::from(played.ending.outcome().value_for(side));
    }
    assert!(score >= 9.0, "{score} of 10");
}
