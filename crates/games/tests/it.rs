//! Every registered game, played at random, keeps the contract of `Game`.

use chance::{Rng, rng_for};
use games::{
    Attempt, Game, GameVisitor, Inputs, MOVE_SLOTS, Outcome, Setup as _, Solver, Value, encode, names, parse_move,
    with_game,
};
use std::collections::{BTreeSet, HashMap};

struct Conformance;

impl GameVisitor for Conformance {
    type Output = ();
    fn visit<G: Game>(self) {
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
                    let after: Vec<Value> =
                        moves.iter().map(|&mv| truth(&**solver, &after(&game, mv)).reversed()).collect();
                    assert_eq!(after.iter().max(), Some(&truth(&**solver, &game)), "{game}: the best move decides");
                }
                game.play(mv);
                assert_eq!(game.side_to_move(), !side, "{}: the sides take turns", G::NAME);
            }
        }
    }
}

fn truth<G: Game>(solver: &dyn Solver<G>, game: &G) -> Value {
    solver.verdict(game).expect("a game's own theory knows all of it").value
}

fn after<G: Game>(game: &G, mv: G::Move) -> G {
    let mut next = game.clone();
    next.play(mv);
    next
}

fn check_position<G: Game>(game: &G, setup: &G::Setup, rng: &mut Rng) {
    // 1. Moves and outcome exclude each other; listing appends, in the same order each time.
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    assert_eq!(moves.is_empty(), game.outcome().is_some(), "{game}");
    assert!(game.count_moves().is_none_or(|count| count == moves.len()), "{game}");
    let first = moves.clone();
    game.legal_moves(&mut moves);
    assert_eq!([&first[..], &first[..]].concat(), moves, "{game}: legal moves are appended");
    // 2. Text says everything, positions and moves.
    let read: G = game.to_string().parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(&read, game);
    assert_eq!(read.key(), game.key());
    assert_eq!(game.fits(setup), Ok(()));
    for (number, &mv) in first.iter().enumerate() {
        assert_eq!(parse_move(game, &mv.to_string()), Ok(mv), "{game}");
        assert_eq!(game.move_number(mv), number, "{game}");
        assert_ne!(after(game, mv).key(), game.key());
        assert_ne!(&after(game, mv), game);
    }
    assert!(parse_move(game, "nonsense").is_err());
    // 3. What searches and records are told of moves and pieces.
    for &mv in &first {
        assert!(G::move_slot(mv) < MOVE_SLOTS);
        assert_eq!(game.read_record_move(&game.record_move(mv)), Ok(mv), "{game}");
        assert_eq!(game.read_record_move(&mv.to_string()), Ok(mv), "{game}");
        let (before, after) = (game.material(), after(game, mv).material());
        assert!(before.is_none_or(|value| value.abs() < 1.0), "{game}");
        assert!(!game.is_capture(mv) || game.promise(mv) > 0, "{game} {mv}: a capture promises something");
        if game.promise(mv) == 0 {
            assert_eq!(after, before.map(|value| -value), "{game} {mv}: a quiet move changes no material");
        }
    }
    // 4. As the mover sees it, it is the same situation.
    let seen = game.for_mover();
    let mut seen_moves = Vec::new();
    seen.legal_moves(&mut seen_moves);
    assert_eq!(seen_moves, first, "{game}");
    let for_mover = |game: &G, outcome: Outcome| outcome.value_for(game.side_to_move());
    assert_eq!(seen.outcome().map(|o| for_mover(&seen, o)), game.outcome().map(|o| for_mover(game, o)));
    assert_eq!(seen.for_mover(), seen);
    // 5. Encoders see only what the mover sees; decoders find legal moves.
    for encoder in G::ENCODERS {
        let alone = encode(*encoder, setup, game);
        assert!(alone.iter().all(|input| input.is_finite()), "{game}: {}", encoder.name());
        assert_eq!(alone, encode(*encoder, setup, &seen));
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
        assert!(together.chunks(3).zip(&alone).all(|(lanes, &input)| lanes == [0.0, input, 0.0]));
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

/// What inputs and outputs are called: something, and each differently.
struct Labels;

impl GameVisitor for Labels {
    type Output = ();
    fn visit<G: Game>(self) {
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
}

#[test]
fn every_input_and_output_has_a_name() {
    for name in names() {
        with_game(name, Labels).expect("a registered name");
    }
}

/// Positions that are alike must not share a key: all those of games, what is after every move, and endings.
struct Keys;

impl GameVisitor for Keys {
    type Output = ();
    fn visit<G: Game>(self) {
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
                moves.iter().for_each(|&mv| check(&after(&game, mv)));
                let Some(&mv) = moves.get(rng.below(moves.len().max(1))) else { break };
                game.play(mv);
            }
        }
        if let Some(endgames) = G::ENDGAMES {
            (0..300_000).for_each(|number| check(&endgames.draw(&mut rng_for(3, &[number]))));
        }
    }
}

#[test]
fn keys_tell_positions_apart() {
    for name in names() {
        with_game(name, Keys).expect("a registered name");
    }
}

#[test]
fn every_game_keeps_the_contract() {
    for name in names() {
        with_game(name, Conformance).expect("a registered name");
    }
    assert!(with_game("no such game", Conformance).is_none());
}
