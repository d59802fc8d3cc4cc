//! `gamete engine`: a player in other programs, by UCI.

use super::Gamete;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// An engine that is running.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(gamete: &Gamete, words: &str) -> Engine {
        let mut command = gamete.command(&format!("engine {words}"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Engine { child, input, output }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
        self.input.flush().unwrap();
    }

    /// All lines up to the one that begins with this word, and the time until it came.
    #[track_caller]
    fn until(&mut self, word: &str) -> (Vec<String>, Duration) {
        let begun = Instant::now();
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the engine ended before {word}: {lines:?}");
            lines.push(line.trim().to_string());
            if line.starts_with(word) {
                return (lines, begun.elapsed());
            }
        }
    }
}

#[test]
fn a_champion_speaks_uci() {
    let gamete = Gamete::new();
    let mut engine = Engine::start(&gamete, "champion:minichess,search=selective,hash=game");
    engine.say("uci");
    let (lines, _) = engine.until("uciok");
    assert!(lines[0].starts_with("id name Gamete"), "{lines:?}");
    assert!(lines.iter().any(|line| line == "option name UCI_Variant type combo default minichess var minichess"));
    for line in ["setoption name Seed value 7", "ucinewgame", "position startpos", "isready"] {
        engine.say(line);
    }
    engine.until("readyok");
    // A depth, a number of positions, a time.
    engine.say("go depth 4");
    let (lines, _) = engine.until("bestmove");
    let last = &lines[lines.len() - 2];
    for word in ["info depth 4 ", " seldepth ", " score cp ", " nodes ", " nps ", " pv "] {
        assert!(last.contains(word), "{last}");
    }
    let best = lines.last().unwrap().split_whitespace().nth(1).unwrap().to_string();
    assert!(gamete.ok("moves minichess").contains(&best), "{best}");
    engine.say("go nodes 2000");
    let first = engine.until("bestmove").0.pop();
    engine.say("ucinewgame");
    engine.say("go movetime 200");
    let (_, took) = engine.until("bestmove");
    assert!(took < Duration::from_secs(2), "{took:?}");
    // An infinite search ends with `stop`, also if `stop` comes at once.
    for pause in [0, 300] {
        engine.say("position startpos moves a2a3");
        engine.say("go infinite");
        std::thread::sleep(Duration::from_millis(pause));
        engine.say("isready");
        engine.until("readyok");
        engine.say("stop");
        let (_, took) = engine.until("bestmove");
        assert!(took < Duration::from_secs(1), "{took:?}");
    }
    // Pondering ends with the clock that runs after the expected move.
    engine.say("go ponder wtime 1000 btime 1000 winc 10 binc 10");
    std::thread::sleep(Duration::from_millis(100));
    engine.say("ponderhit");
    let (_, took) = engine.until("bestmove");
    assert!(took < Duration::from_secs(1), "{took:?}");
    // The same moves after the same positions, whatever came before.
    engine.say("ucinewgame");
    engine.say("position startpos");
    engine.say("go nodes 2000");
    assert_eq!(engine.until("bestmove").0.pop(), first);
    // Nonsense is answered or skipped.
    for line in [
        "",
        "go go go",
        "stop",
        "position",
        "position fen x",
        "position startpos moves z9z9",
        "setoption name X value 1",
    ] {
        engine.say(line);
    }
    engine.until("bestmove");
    engine.say("isready");
    let (lines, _) = engine.until("readyok");
    assert!(lines.iter().any(|line| line.starts_with("info string move 1: `z9z9` is no legal move")), "{lines:?}");
    engine.say("quit");
    assert!(engine.child.wait().unwrap().success());
}

#[test]
fn an_engine_ends_with_its_input_and_says_why_it_cannot_play() {
    let gamete = Gamete::new();
    let mut engine = Engine::start(&gamete, "material:64,search=selective --game draughts");
    engine.say("go infinite");
    drop(engine.input);
    let begun = Instant::now();
    assert!(engine.child.wait().unwrap().success());
    assert!(begun.elapsed() < Duration::from_secs(5));
    gamete.refused("engine random", "--game: random does not name a game; choose one of nim, ");
    gamete.refused("engine champion:minichess --game draughts", "this network plays minichess, not draughts");
    gamete.refused("engine champion:chess", "there are champions of nim");
}
