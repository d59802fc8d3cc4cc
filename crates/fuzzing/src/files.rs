//! Checks the other things that files contain: notes of labs, questions, exams, remembered games and endgame tables.

use arena::{Arena, Exam, Question, RememberedGames, Seating, read_questions, write_questions};
use games::nim::{self, Nim};
use games::{Game, Setup, draughts::Draughts, minichess::Minichess};
use std::cell::RefCell;
use xxhash_rust::xxh3::xxh3_128;

pub fn lab_note(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Some(written) = lab::fuzzing::lab_note(text) {
        assert_eq!(lab::fuzzing::lab_note(&written).as_ref(), Some(&written));
    }
}

pub fn questions(bytes: &[u8]) {
    fn check<G: Game>(text: &str) {
        let Ok(questions) = read_questions::<G>(text) else { return };
        let again: Vec<Question<G>> =
            read_questions(&write_questions(&questions)).expect("what was written can be read");
        assert!(again == questions, "{text}");
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    check::<Minichess>(text);
    check::<Draughts>(text);
}

pub fn exam(bytes: &[u8]) {
    let Ok(exam) = serde_json::from_slice::<Exam>(bytes) else { return };
    let written = serde_json::to_string(&exam).expect("an exam can be written");
    let again: Exam = serde_json::from_str(&written).expect("what was written can be read");
    assert_eq!(serde_json::to_string(&again).expect("an exam can be written"), written);
    let _ = (exam.grade(), exam.parts(), exam.solved());
}

pub fn met(bytes: &[u8]) {
    let Ok(met) = postcard::from_bytes::<RememberedGames>(bytes) else { return };
    let again = postcard::to_allocvec(&met).expect("games can be written");
    assert_eq!(postcard::from_bytes::<RememberedGames>(&again).as_ref(), Ok(&met));
    // An arena takes long to prepare, so one is reused; it forgets the games after each input.
    thread_local! {
        static ARENA: RefCell<Arena<Nim>> = RefCell::new({
            let setup = <Nim as Game>::Setup::usual();
            let seating = Seating::new(setup, &nim::Counts);
            Arena::with_tables(seating, false)
        });
    }
    ARENA.with_borrow_mut(|arena| {
        arena.remember(met);
        let kept = postcard::to_allocvec(&arena.met()).expect("games can be written");
        assert!(postcard::from_bytes::<RememberedGames>(&kept).is_ok());
        arena.forget_except(&[], |_| false);
        assert_eq!(arena.met(), RememberedGames::default());
    });
}

/// If the first byte is odd, the rest gets a valid head, so that the fuzzer also reaches the code behind the head.
pub fn tables(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let file = match first % 2 {
        0 => rest.to_vec(),
        _ => [&b"gamete tables 1\n"[..], &xxh3_128(rest).to_le_bytes(), rest].concat(),
    };
    for size in [rest.len(), 0, 4_000_000] {
        if let Ok(tables) = lab::fuzzing::endgame_tables(file.clone(), size) {
            assert_eq!(tables.len(), size);
            assert!(first % 2 == 0 || tables == rest);
        }
    }
}
