//! Checks positions and moves of every game: the contract of `Game` must hold from any position that can be read.

use chance::{Rng, rng_for};
use games::{Attempt, Game, MOVE_SLOTS, Outcome, Setup, encode, parse_move};

pub fn nim(bytes: &[u8]) {
    check::<games::nim::Nim>(bytes);
}

pub fn tic_tac_toe(bytes: &[u8]) {
    check::<games::tic_tac_toe::TicTacToe>(bytes);
}

pub fn minichess(bytes: &[u8]) {
    check::<games::minichess::Minichess>(bytes);
}

pub fn draughts(bytes: &[u8]) {
    check::<games::draughts::Draughts>(bytes);
}

/// The largest number of moves that are checked in a position.
const LOOKED_AT: usize = 40;
/// The number of random plies after the moves of the input.
const PLIES: usize = 6;

fn check<G: Game>(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut lines = text.lines();
    let Ok(mut game) = lines.next().unwrap_or("").parse::<G>() else { return };
    let rng = &mut rng_for(1, &[bytes.len() as u64, game.key()]);
    check_position(&game, rng);
    for line in lines {
        let mv = match (parse_move(&game, line), game.read_record_move(line)) {
            (Ok(mv), Ok(recorded)) => {
                assert_eq!(mv, recorded, "{game}: {line}");
                mv
            }
            (Ok(mv), Err(error)) => panic!("{game}: {mv} is a move, but not in records: {error}"),
            (Err(_), Ok(mv)) => mv,
            (Err(_), Err(_)) => return,
        };
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        assert!(moves.contains(&mv), "{game}: {line} was read as {mv}");
        play(&mut game, mv);
        check_position(&game, rng);
    }
    for _ in 0..PLIES {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        if moves.is_empty() {
            return;
        }
        play(&mut game, moves[rng.below(moves.len())]);
        check_position(&game, rng);
    }
}

fn play<G: Game>(game: &mut G, mv: G::Move) {
    let side = game.side_to_move();
    game.play(mv);
    assert_eq!(game.side_to_move(), !side, "{game}: the sides take turns");
}

fn check_position<G: Game>(game: &G, rng: &mut Rng) {
    // 1. Moves and outcome exclude each other.
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    assert_eq!(moves.is_empty(), game.outcome().is_some(), "{game}");
    assert!(game.count_moves().is_none_or(|count| count == moves.len()), "{game}");
    // 2. Text restores an equal position, and moves can be written and read.
    let read: G = game.to_string().parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(&read, game);
    assert_eq!(read.key(), game.key());
    assert!(!game.diagram().is_empty());
    assert!(game.material().is_none_or(|value| value.abs() < 1.0), "{game}");
    for number in (0..moves.len()).step_by(1 + moves.len() / LOOKED_AT) {
        let mv = moves[number];
        assert_eq!(parse_move(game, &mv.to_string()), Ok(mv), "{game}");
        assert_eq!(game.move_number(mv), number, "{game}");
        assert!(G::move_slot(mv) < MOVE_SLOTS);
        assert_eq!(game.read_record_move(&game.record_move(mv)), Ok(mv), "{game}");
        assert!(!game.is_capture(mv) || game.promise(mv) > 0, "{game} {mv}: a capture promises something");
        let after = game.after(mv);
        assert_ne!(after.key(), game.key());
        if game.promise(mv) == 0 {
            assert_eq!(after.material(), game.material().map(|value| -value), "{game} {mv}");
        }
    }
    // 3. Seen from the side to move, moves and outcome are the same.
    let seen = game.for_mover();
    let mut seen_moves = Vec::new();
    seen.legal_moves(&mut seen_moves);
    assert_eq!(seen_moves, moves, "{game}");
    let for_mover = |game: &G, outcome: Outcome| outcome.value_for(game.side_to_move());
    assert_eq!(seen.outcome().map(|o| for_mover(&seen, o)), game.outcome().map(|o| for_mover(game, o)));
    if let Some(passed) = game.passed() {
        assert_eq!(passed.side_to_move(), !game.side_to_move());
    }
    if let Some(endgames) = G::ENDGAMES {
        endgames.may_know(game);
    }
    // 4. Encoders give finite numbers, and decoders name legal moves.
    let setup = G::Setup::usual();
    if game.fits(&setup).is_err() {
        return;
    }
    for encoder in G::ENCODERS {
        let inputs = encode(*encoder, &setup, game);
        assert_eq!(inputs.len(), encoder.width(&setup));
        assert!(inputs.iter().all(|input| input.is_finite()), "{game}: {}", encoder.name());
    }
    if moves.is_empty() {
        return;
    }
    for decoder in G::DECODERS {
        let outputs: Vec<f32> = (0..decoder.width(&setup)).map(|_| 6.0 * rng.signed_unit()).collect();
        match decoder.decode(&setup, game, &outputs) {
            Attempt::Legal(mv) | Attempt::Illegal { nearest: mv } => assert!(moves.contains(&mv), "{game}: {mv}"),
        }
    }
}
