//! What every game promises, as a test that plays it at random.

use crate::{Attempt, Game, Inputs, MOVE_SLOTS, Outcome, Setup as _, Solver, Value, encode, parse_move};
use chance::{Rng, rng_for};
use std::collections::{BTreeSet, HashMap};

/// Checks that a game keeps the contract of [`Game`]: plays some hundred games at random under the usual setup and, at each
/// ply, looks at rules, notation, keys, encoders, decoders and the solver. For tests of games, in this crate and in others.
///
/// ```
/// games::conformance::<games::tic_tac_toe::TicTacToe>();
/// ```
///
/// # Panics
///
/// With the position at which a promise is broken, and which it is.
pub fn conformance<G: Game>() {
    play_at_random::<G>();
    tell_keys_apart::<G>();
    name_inputs_and_outputs::<G>();
}

/// Plays games to their ends, and checks every position.
fn play_at_random<G: Game>() {
    let setup = G::Setup::usual();
    setup.checked().expect("the usual setup can be set up");
    let solver = G::solver(&setup);
    let positions = G::positions(&setup, 1 << 20);
    for number in 0..300 {
        let rng = &mut rng_for(1, &[number]);
        let mut game = G::start(&setup, rng);
        for ply in 0..G::draw_rules(&setup).most_plies.min(500) {
            check_position(&game, &setup, rng);
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            if let Some(positions) = &positions {
                assert!(positions.contains(&game.for_mover()), "{game} is not among the positions");
            }
            assert!(ply < 499, "{}: a random game does not end, and nothing ends it", G::NAME);
            let mv = moves[rng.below(moves.len())];
            let side = game.side_to_move();
            if let Some(solver) = &solver {
                let after: Vec<Value> = moves.iter().map(|&mv| truth(&**solver, &game.after(mv)).reversed()).collect();
                assert_eq!(after.iter().max(), Some(&truth(&**solver, &game)), "{game}: the best move decides");
            }
            game.play(mv);
            assert_eq!(game.side_to_move(), !side, "{}: the sides take turns", G::NAME);
        }
    }
}

fn truth<G: Game>(solver: &dyn Solver<G>, game: &G) -> Value {
    solver.verdict(game).expect("a game's own theory knows all of it").value
}

fn check_position<G: Game>(game: &G, setup: &G::Setup, rng: &mut Rng) {
    // 1. Moves and outcome exclude each other; listing appends, in the same order each time.
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    assert_eq!(moves.is_empty(), game.outcome().is_some(), "{game}: a position has moves or an outcome");
    assert!(game.count_moves().is_none_or(|count| count == moves.len()), "{game}: moves are counted right");
    let first = moves.clone();
    game.legal_moves(&mut moves);
    assert_eq!([&first[..], &first[..]].concat(), moves, "{game}: legal moves are appended");
    // 2. Text says everything, positions and moves.
    let read: G = game.to_string().parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(&read, game, "{game}: the text says everything");
    assert_eq!(read.key(), game.key(), "{game}: equal positions have equal keys");
    assert_eq!(game.fits(setup), Ok(()), "{game}: it fits the setup that it came up under");
    for (number, &mv) in first.iter().enumerate() {
        assert_eq!(parse_move(game, &mv.to_string()), Ok(mv), "{game}: moves are read as they are written");
        assert_eq!(game.move_number(mv), number, "{game} {mv}: its number in the list of moves");
        assert_ne!(game.after(mv).key(), game.key(), "{game} {mv}: a move changes the key");
        assert_ne!(&game.after(mv), game, "{game} {mv}: a move changes the position");
    }
    assert!(parse_move(game, "nonsense").is_err(), "{game}: `nonsense` is no move");
    // 3. What searches and records are told of moves and pieces.
    for &mv in &first {
        assert!(G::move_slot(mv) < MOVE_SLOTS, "{game} {mv}: slots are below {MOVE_SLOTS}");
        assert_eq!(game.read_record_move(&game.record_move(mv)), Ok(mv), "{game}");
        assert_eq!(game.read_record_move(&mv.to_string()), Ok(mv), "{game}");
        let (before, after) = (game.material(), game.after(mv).material());
        assert!(before.is_none_or(|value| value.abs() < 1.0), "{game}: material lies between -1 and 1");
        assert!(!game.is_capture(mv) || game.promise(mv) > 0, "{game} {mv}: a capture promises something");
        if game.promise(mv) == 0 {
            assert_eq!(after, before.map(|value| -value), "{game} {mv}: a quiet move changes no material");
        }
    }
    // 4. As the mover sees it, it is the same situation.
    let seen = game.for_mover();
    let mut seen_moves = Vec::new();
    seen.legal_moves(&mut seen_moves);
    assert_eq!(seen_moves, first, "{game}: as the mover sees it, the moves are the same");
    let for_mover = |game: &G, outcome: Outcome| outcome.value_for(game.side_to_move());
    assert_eq!(
        seen.outcome().map(|o| for_mover(&seen, o)),
        game.outcome().map(|o| for_mover(game, o)),
        "{game}: as the mover sees it, the outcome is the same"
    );
    assert_eq!(seen.for_mover(), seen, "{game}: seen twice, it is as seen once");
    // 5. Encoders see only what the mover sees; decoders find legal moves.
    for encoder in G::ENCODERS {
        let alone = encode(*encoder, setup, game);
        assert!(alone.iter().all(|input| input.is_finite()), "{game}: {}", encoder.name());
        assert_eq!(alone, encode(*encoder, setup, &seen), "{game}: {} shows what the mover sees", encoder.name());
        // Facts, where it has them, add up to the same.
        if let Some(facts) = encoder.facts() {
            let (held, mut sum) = (facts.hold(game), vec![0.0; alone.len()]);
            for fact in (0..facts.count()).filter(|fact| held[fact / 64] >> (fact % 64) & 1 == 1) {
                facts.add(setup, &[], fact, &mut |input, value| sum[input] += value);
            }
            assert!(
                sum.iter().zip(&alone).all(|(sum, input)| (sum - input).abs() < 1e-4),
                "{game}: {}",
                encoder.name()
            );
        }
        // In company it sees the same, and touches nobody else's inputs.
        let mut together = vec![0.0; 3 * encoder.width(setup)];
        encoder.encode(setup, game, &mut Inputs::new(&mut together, 3, 1));
        let is_apart = together.chunks(3).zip(&alone).all(|(lanes, &input)| lanes == [0.0, input, 0.0]);
        assert!(is_apart, "{game}: {} writes by `Inputs` alone", encoder.name());
    }
    if first.is_empty() {
        return;
    }
    for decoder in G::DECODERS {
        let outputs: Vec<f32> = (0..decoder.width(setup)).map(|_| 6.0 * rng.signed_unit()).collect();
        match decoder.decode(setup, game, &outputs) {
            Attempt::Legal(mv) => {
                assert!(first.contains(&mv), "{game}: {mv}");
                assert_eq!(decoder.attempt_text(setup, &outputs), mv.to_string());
            }
            Attempt::Illegal { nearest } => assert!(first.contains(&nearest), "{game}: {nearest}"),
        }
    }
}

/// Positions that differ must not share a key: all those of some games, what is after every move, and endings.
fn tell_keys_apart<G: Game>() {
    let setup = G::Setup::usual();
    let mut known: HashMap<u64, G> = HashMap::new();
    let mut check = |game: &G| {
        let other = known.entry(game.key()).or_insert_with(|| game.clone());
        assert_eq!(other, game, "one key for both");
    };
    let mut moves = Vec::new();
    let most = G::draw_rules(&setup).most_plies.min(500);
    for number in 0..200 {
        let rng = &mut rng_for(2, &[number]);
        let mut game = G::start(&setup, rng);
        for _ in 0..most {
            moves.clear();
            game.legal_moves(&mut moves);
            moves.iter().for_each(|&mv| check(&game.after(mv)));
            let Some(&mv) = moves.get(rng.below(moves.len().max(1))) else { break };
            game.play(mv);
        }
    }
    if let Some(endgames) = G::ENDGAMES {
        (0..300_000).for_each(|number| check(&endgames.draw(&mut rng_for(3, &[number]))));
    }
}

/// Every input and every output is called something, and each differently.
fn name_inputs_and_outputs<G: Game>() {
    let setup = G::Setup::usual();
    let check = |coder: &str, width: usize, label: &dyn Fn(usize) -> String| {
        let labels: BTreeSet<String> = (0..width).map(label).collect();
        assert!(labels.len() == width && !labels.contains(""), "{}, {coder}: {labels:?}", G::NAME);
    };
    for encoder in G::ENCODERS {
        check(encoder.name(), encoder.width(&setup), &|input| encoder.label(&setup, input));
    }
    for decoder in G::DECODERS {
        check(decoder.name(), decoder.width(&setup), &|output| decoder.label(&setup, output));
    }
}
