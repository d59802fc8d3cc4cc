//! A test of what every game promises, which plays it at random.

use crate::{Attempt, Counters, Game, Inputs, MOVE_SLOTS, Outcome, Setup as _, Solver, Value, encode, parse_move};
use chance::{Rng, rng_for};
use std::collections::{BTreeSet, HashMap};

/// Checks that a game keeps the contract of [`Game`]: plays some hundred random games under the usual setup and checks
/// rules, notation, keys, encoders, decoders and the solver at each ply. For tests of games, in this crate and in
/// others.
///
/// ```
/// games::conformance::<games::tic_tac_toe::TicTacToe>();
/// ```
///
/// # Panics
///
/// Names the position and the broken promise.
pub fn conformance<G: Game>() {
    play_at_random::<G>();
    tell_keys_apart::<G>();
    name_inputs_and_outputs::<G>();
}

/// Plays games to their ends and checks every position.
fn play_at_random<G: Game>() {
    let setup = G::Setup::usual();
    setup.checked().expect("the usual setup passes its own check");
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
                assert!(positions.contains(&game.for_mover()), "{game} is not in the list of all positions");
            }
            assert!(ply < 499, "{}: a random game does not end, and no draw rule ends it", G::NAME);
            let mv = moves[rng.below(moves.len())];
            let side = game.side_to_move();
            if let Some(solver) = &solver {
                let after: Vec<Value> = moves.iter().map(|&mv| truth(&**solver, &game.after(mv)).reversed()).collect();
                assert_eq!(
                    after.iter().max(),
                    Some(&truth(&**solver, &game)),
                    "{game}: the value of the position must be the value of the best move"
                );
            }
            game.play(mv);
            assert_eq!(game.side_to_move(), !side, "{}: the sides take turns", G::NAME);
        }
    }
}

fn truth<G: Game>(solver: &dyn Solver<G>, game: &G) -> Value {
    solver.verdict(game).expect("a game's own solver knows every position").value
}

fn check_position<G: Game>(game: &G, setup: &G::Setup, rng: &mut Rng) {
    // 1. A position has moves or an outcome, not both; `legal_moves` appends, in the same order each time.
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    assert_eq!(moves.is_empty(), game.outcome().is_some(), "{game}: a position must have either moves or an outcome");
    assert!(
        game.count_moves().is_none_or(|count| count == moves.len()),
        "{game}: `count_moves` must be the number of legal moves"
    );
    let first = moves.clone();
    game.legal_moves(&mut moves);
    assert_eq!(
        [&first[..], &first[..]].concat(),
        moves,
        "{game}: `legal_moves` must append, in the same order each time"
    );
    // 2. The texts of positions and moves are complete.
    let read: G = game.to_string().parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(&read, game, "{game}: the text must contain everything");
    assert_eq!(read.key(), game.key(), "{game}: equal positions must have equal keys");
    assert_eq!(game.fits(setup), Ok(()), "{game}: the position must fit its setup");
    for (number, &mv) in first.iter().enumerate() {
        assert_eq!(
            parse_move(game, &mv.to_string()),
            Ok(mv),
            "{game}: a move's text must be read back as the same move"
        );
        assert_eq!(game.move_number(mv), number, "{game} {mv}: `move_number` must be the index in the list");
        assert_ne!(game.after(mv).key(), game.key(), "{game} {mv}: a move must change the key");
        assert_ne!(&game.after(mv), game, "{game} {mv}: a move must change the position");
    }
    assert!(parse_move(game, "nonsense").is_err(), "{game}: `nonsense` must not be a move");
    // 3. The methods for searches and records.
    for &mv in &first {
        assert!(G::move_slot(mv) < MOVE_SLOTS, "{game} {mv}: `move_slot` must be below {MOVE_SLOTS}");
        assert_eq!(game.read_record_move(&game.record_move(mv)), Ok(mv), "{game}");
        assert_eq!(game.read_record_move(&mv.to_string()), Ok(mv), "{game}");
        let (before, after) = (game.material(), game.after(mv).material());
        assert!(before.is_none_or(|value| value.abs() < 1.0), "{game}: material must be between -1 and 1");
        assert!(
            !game.is_capture(mv) || game.promise(mv) > 0,
            "{game} {mv}: the `promise` of a capture must be above 0"
        );
        let wins = |game: &G| game.outcome().is_some_and(|outcome| outcome == Outcome::Win(!game.side_to_move()));
        assert!(
            !game.can_win_at_once() || first.iter().any(|&mv| wins(&game.after(mv))),
            "{game}: `can_win_at_once` must be false if no move wins the game"
        );
        if game.promise(mv) == 0 {
            assert_eq!(after, before.map(|value| -value), "{game} {mv}: a quiet move must not change the material");
        }
    }
    // 4. The position as the mover sees it has the same moves and the same outcome.
    let seen = game.for_mover();
    let mut seen_moves = Vec::new();
    seen.legal_moves(&mut seen_moves);
    assert_eq!(seen_moves, first, "{game}: `for_mover` must not change the moves");
    let for_mover = |game: &G, outcome: Outcome| outcome.value_for(game.side_to_move());
    assert_eq!(
        seen.outcome().map(|o| for_mover(&seen, o)),
        game.outcome().map(|o| for_mover(game, o)),
        "{game}: `for_mover` must not change the outcome"
    );
    assert_eq!(seen.for_mover(), seen, "{game}: calling `for_mover` twice must be the same as calling it once");
    // 5. Encoders see only what the mover sees; decoders find legal moves.
    for encoder in G::ENCODERS {
        let alone = encode(*encoder, setup, game);
        assert!(alone.iter().all(|input| input.is_finite()), "{game}: {}", encoder.name());
        assert_eq!(
            alone,
            encode(*encoder, setup, &seen),
            "{game}: {} must encode the position as the mover sees it",
            encoder.name()
        );
        // The facts and counters must add up to the same inputs.
        if let Some(facts) = encoder.facts() {
            let (held, mut sum) = (facts.hold(game), vec![0.0; alone.len()]);
            for fact in (0..facts.count()).filter(|fact| held[fact / 64] >> (fact % 64) & 1 == 1) {
                facts.add(setup, &[], fact, &mut |input, value| sum[input] += value);
            }
            let mut counters = Counters::default();
            facts.count_in(game, &mut counters);
            assert!(
                counters.iter().map(|counter| counter.abs()).sum::<i32>() <= 400
                    && counters[facts.counters()..].iter().all(|&counter| counter == 0),
                "{game}: {} must count at most 400 in all, and only in its own counters",
                encoder.name()
            );
            for (counter, &units) in counters[..facts.counters()].iter().enumerate() {
                facts.add_unit(setup, counter, &mut |input, value| sum[input] += units as f32 * value);
            }
            assert!(
                sum.iter().zip(&alone).all(|(sum, input)| (sum - input).abs() < 1e-4),
                "{game}: {}",
                encoder.name()
            );
        }
        // Among several positions the encoder must write the same inputs, and only its own.
        let mut together = vec![0.0; 3 * encoder.width(setup)];
        encoder.encode(setup, game, &mut Inputs::new(&mut together, 3, 1));
        let is_apart = together.chunks(3).zip(&alone).all(|(lanes, &input)| lanes == [0.0, input, 0.0]);
        assert!(is_apart, "{game}: {} must write only its own inputs", encoder.name());
        // The same for several positions in one call: this one, and those after its first moves.
        let games: Vec<G> =
            std::iter::once(game.clone()).chain(first.iter().take(6).map(|&mv| game.after(mv))).collect();
        let mut together = vec![0.0; 8 * encoder.width(setup)];
        encoder.encode_all(setup, &[], &games, &mut together, 8);
        let lane = |lane: usize| together.chunks(8).map(move |lanes| lanes[lane]);
        assert!(
            games.iter().enumerate().all(|(number, game)| lane(number).eq(encode(*encoder, setup, game)))
                && (games.len()..8).all(|number| lane(number).all(|input| input == 0.0)),
            "{game}: {} must encode several positions as it encodes each of them",
            encoder.name()
        );
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

/// Different positions must have different keys. Checks all positions of some games, those after every legal move, and
/// endings.
fn tell_keys_apart<G: Game>() {
    let setup = G::Setup::usual();
    let mut known: HashMap<u64, G> = HashMap::new();
    let mut check = |game: &G| {
        let other = known.entry(game.key()).or_insert_with(|| game.clone());
        assert_eq!(other, game, "two different positions have the same key");
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

/// Every input and every output must have a label of its own.
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
