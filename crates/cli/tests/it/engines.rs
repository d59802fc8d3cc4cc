//! `gamete engine`: a player in other programs; and engines of other programs as players.

use super::Gamete;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// An engine that is running.
struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// The longest time for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

impl Engine {
    fn start(gamete: &Gamete, words: &str) -> Engine {
        let mut command = gamete.command(&format!("engine {words}"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let (tell, lines) = channel();
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
        Engine { child, input, lines }
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
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("{word} did not come: {error}: {lines:?}"),
            }
            if lines.last().unwrap().starts_with(word) {
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
    let variant = "option name UCI_Variant type combo default gamete-minichess var gamete-minichess";
    assert!(lines.iter().any(|line| line == variant), "{lines:?}");
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
    // The searches of a game share a table, so that a game begins anew.
    engine.say("ucinewgame");
    engine.say("position startpos");
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
    // A new position ends a search that would never end.
    for line in
        ["go infinite", "position startpos moves a2a3", "go ponder", "go infinite", "position startpos", "go depth 1"]
    {
        engine.say(line);
    }
    for _ in 0..4 {
        engine.until("bestmove");
    }
    // Nonsense is answered or skipped.
    for line in [
        "",
        "go go go",
        "stop",
        "position",
        "position fen x",
        "position startpos moves z9z9",
        "setoption name X value 1",
        "setoption name Hash value 4097",
    ] {
        engine.say(line);
    }
    let (mut lines, _) = engine.until("bestmove");
    engine.say("isready");
    lines.extend(engine.until("readyok").0);
    for answer in
        ["info string move 1: `z9z9` is no legal move", "info string Hash is 4097, but it must be at most 4096"]
    {
        assert!(lines.iter().any(|line| line.starts_with(answer)), "{lines:?}");
    }
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
    gamete.refused("engine champion:minichess --game draughts", "champion:minichess plays minichess, not draughts");
    gamete.refused("engine champion:chess", "the champions are champion:nim, ");
}

#[test]
fn a_champion_speaks_hub_and_cecp() {
    let gamete = Gamete::new();
    let mut engine = Engine::start(&gamete, "champion:draughts");
    engine.say("hub");
    let (lines, _) = engine.until("wait");
    assert!(lines.iter().any(|line| line == "param name=variant value=english type=enum values=english"), "{lines:?}");
    for line in ["init", "new-game", "pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves=\"11-15 22-18\"", "level depth=3"]
    {
        engine.say(line);
    }
    engine.say("go think");
    let (lines, _) = engine.until("done");
    // A capture is its ends and the captured square.
    assert_eq!(lines.last().unwrap().split_whitespace().nth(1), Some("move=15x22x18"), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("info depth=3 ") && line.contains(" pv=\"15x22x18 ")),
        "{lines:?}"
    );
    for (line, answer) in [
        ("pos pos=x", "error message="),
        ("go think", "done"),
        ("set-param name=variant value=russian", "error message=\"the variant is russian"),
        ("pos pos=\"x", "error message=\"the quotation marks"),
        ("nonsense", "error message=\"there is no command nonsense"),
    ] {
        engine.say(line);
        engine.until(answer);
    }
    engine.say("quit");
    assert!(engine.child.wait().unwrap().success());

    let mut engine = Engine::start(&gamete, "champion:minichess,search=selective");
    for line in ["xboard", "protover 2"] {
        engine.say(line);
    }
    let (lines, _) = engine.until("feature done=1");
    assert!(lines.iter().any(|line| line.contains("variants=\"gamete-minichess\"")), "{lines:?}");
    for line in ["new", "variant gamete-minichess", "level 0 0:01 0", "post", "time 100", "usermove a2a3"] {
        engine.say(line);
    }
    let (lines, took) = engine.until("move ");
    assert!(lines.iter().any(|line| line.starts_with("setup (PNBR")), "{lines:?}");
    assert!(took < Duration::from_secs(1), "{took:?}");
    // The king is captured: the engine claims its win.
    for line in ["force", "setboard 3k2/6/6/6/6/3R1K w - - 0 1", "sd 1", "go"] {
        engine.say(line);
    }
    engine.until("move d1d6");
    let (lines, _) = engine.until("1-0 ");
    assert_eq!(lines.last().unwrap(), "1-0 {the king is captured}");
    engine.say("usermove z9z9");
    engine.until("Illegal move: z9z9");
    engine.say("new");
    engine.say("analyze");
    engine.until("3 ");
    // An illegal move does not end the analysis, and what follows is obeyed.
    engine.say("usermove z9z9");
    engine.until("Illegal move: z9z9");
    engine.until("3 ");
    for line in ["usermove y9y9", "new", "force", "sd 1", "ping 4", "go"] {
        engine.say(line);
    }
    engine.until("move ");
    engine.say("exit");
    engine.say("ping 5");
    engine.until("pong 5");
    drop(engine.input);
    assert!(engine.child.wait().unwrap().success());
    // A program that speaks a protocol that the game does not have gets a sentence.
    let mut engine = Engine::start(&gamete, "champion:nim");
    engine.say("hub");
    assert_eq!(engine.child.wait().unwrap().code(), Some(2));
    // A script that sends all lines at once gets all answers.
    let mut engine = Engine::start(&gamete, "champion:nim");
    engine.say("uci\nisready\nquit");
    engine.until("readyok");
}

#[test]
fn the_rules_are_written_for_other_programs() {
    let gamete = Gamete::new();
    gamete.ok("engine --variant-file rules.ini");
    let rules = std::fs::read_to_string(gamete.folder().join("rules.ini")).unwrap();
    assert!(rules.contains("[gamete-minichess]") && rules.contains("promotionRank = 6"), "{rules}");
    gamete.refused("engine --variant-file x.ini --game draughts", "draughts has no variant file");
    gamete.refused("engine --variant-file nowhere/x.ini", "nowhere/x.ini");
}

impl Gamete {
    /// Runs the program with these words and `--json`. Words may contain spaces. Returns what it printed.
    #[track_caller]
    fn json_of(&self, words: &[&str]) -> Value {
        let output = self.command("").args(words).arg("--json").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

/// Writes a shell script that speaks UCI and then does something wrong. Returns its path.
fn bad_engine(gamete: &Gamete, name: &str, on_go: &str) -> String {
    let file = gamete.folder().join(name);
    let script = format!(
        "#!/bin/sh\necho $$ > {name}.pid\nwhile read line; do case \"$line\" in\nuci) echo 'option name UCI_Variant type combo default x var gamete-minichess'; echo uciok;;\nisready) echo readyok;;\ngo*) {on_go};;\nquit) exit;;\nesac; done\n"
    );
    std::fs::write(&file, script).unwrap();
    format!("'/bin/sh' {}", file.display())
}

#[test]
fn engines_play_matches_and_bad_ones_lose_their_games() {
    let gamete = Gamete::new();
    let own = env!("CARGO_BIN_EXE_gamete");
    // The same player behind each protocol makes the same moves as without it.
    let alone = gamete.json("match random material:2,search=selective --game minichess --games 4");
    for protocol in ["uci", "cecp"] {
        let words = format!("match random engine:own,depth=2,protocol={protocol} --game minichess --games 4 --engine");
        let definition = format!("own='{own}' engine material:64,search=selective --game minichess");
        let mut words: Vec<&str> = words.split_whitespace().collect();
        words.push(&definition);
        let played = gamete.json_of(&words);
        assert_eq!(played["games"], alone["games"], "{protocol}: {played}");
        assert_eq!(played["forfeits"], serde_json::json!([]), "{protocol}: {played}");
        assert!(played["score"].as_f64().unwrap() < 0.5, "{protocol}: {played}");
    }
    let definition = format!("own='{own}' engine champion:draughts");
    let played = gamete.json_of(&[
        "match",
        "random",
        "engine:own,depth=2",
        "--game",
        "draughts",
        "--games",
        "2",
        "--engine",
        &definition,
    ]);
    assert_eq!((&played["losses"], &played["forfeits"]), (&2.into(), &serde_json::json!([])), "{played}");
    // An engine that cannot be started any more loses its games.
    let once = gamete.folder().join("once");
    let engine = format!("engine:/bin/sh {}", once.display());
    let script = format!(
        "mkdir {0}/started 2>/dev/null || exit 1\necho 'option name UCI_Variant type combo default x var gamete-minichess'\necho uciok; echo readyok; exit\n",
        gamete.folder().display()
    );
    std::fs::write(&once, script).unwrap();
    let played = gamete.json_of(&["match", &engine, "random", "--game", "minichess", "--games", "8", "--threads", "2"]);
    assert_eq!((&played["losses"], &played["games"]), (&8.into(), &8.into()), "{played}");
    assert_eq!(
        (&played["forfeits"][0]["reason"], &played["forfeits"][0]["games"]),
        (&"it has ended".into(), &8.into())
    );
    // Engines that cheat, crash or hang lose these games, and the others go on.
    for (name, on_go, why) in [
        ("cheat", "echo bestmove a1f6", "it made the illegal move `a1f6`"),
        ("crash", "exit 1", "it has ended"),
        ("hang", "sleep 100", "it did not answer within 5.01 s"),
    ] {
        let engine = format!("engine:{},seconds=0.01", bad_engine(&gamete, name, on_go));
        let played = gamete.json_of(&["match", &engine, "random", "--game", "minichess", "--games", "2"]);
        assert_eq!((&played["losses"], &played["games"]), (&2.into(), &2.into()), "{played}");
        assert_eq!((&played["forfeits"][0]["reason"], &played["forfeits"][0]["games"]), (&why.into(), &2.into()));
    }
    gamete.refused("match engine:no-such-program random --game minichess", "there is no program `no-such-program`");
    gamete.refused("match engine: random --game minichess", "the command is missing");
    gamete.refused(
        "match engine:cat,protocol=gtp random --game minichess",
        "protocol is `gtp`, but it must be uci, cecp, hub",
    );
    gamete.refused("match engine:/bin/true random --game minichess", "it has ended");
    gamete.refused("match engine:/bin/true,protocol=hub random --game minichess", "minichess cannot be played by hub");
}

/// Experiments name engines by the names that this machine defines; the last champion plays against them.
#[test]
fn experiments_name_engines_as_yardsticks() {
    let gamete = Gamete::new();
    let definition = format!("own='{}' engine random --game tic-tac-toe", env!("CARGO_BIN_EXE_gamete"));
    let train = "train tic-tac-toe --generations 2 --set record.final_games=4 --set";
    let sets = "record.yardsticks=engine:own mcts:5 engine:nobody";
    let mut words: Vec<&str> = train.split_whitespace().collect();
    words.extend([sets, "--engine", &definition]);
    let trained = gamete.json_of(&words);
    let opponents: Vec<&str> =
        trained["finals"].as_array().unwrap().iter().map(|each| each["opponent"].as_str().unwrap()).collect();
    assert_eq!(opponents[..4], ["random", "mcts:500", "engine:own", "mcts:5"], "{trained}");
    let why = "the opponent engine:nobody was left out: there is no engine `nobody` on this machine";
    assert!(trained["skipped"][0].as_str().unwrap().starts_with(why), "{trained}");
    assert_eq!(trained["skipped"].as_array().unwrap().len(), 1);
    // Commands are not taken from experiments, and neither are options of engines.
    for (player, why) in
        [("engine:own,option.Hash=5", "the option Hash of an engine cannot be set"), ("nobody", "nobody")]
    {
        let sets = format!("record.yardsticks={player}");
        let mut command = gamete.command(train);
        let output = command.args([&sets, "--engine", &definition]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).to_string();
        assert!(
            output.status.code() == Some(2) && said.contains("record.yardsticks: ") && said.contains(why),
            "{said}"
        );
    }
}

/// A network that was bred with a selective search plays with it, and the run repeats.
#[test]
fn networks_are_bred_with_a_selective_search() {
    let gamete = Gamete::new();
    let train = "train minichess --generations 2 --set player.depth=1 --set player.search=selective \
                 --set strategy.neat.population=20 --set schedule.circular.opponents=2";
    let (one, two) = (gamete.json(&format!("{train} --threads 1")), gamete.json(&format!("{train} --threads 2")));
    assert_eq!(one["signature"], two["signature"]);
    assert_ne!(one["signature"], gamete.json(&train.replace("selective", "exact"))["signature"]);
    assert!(gamete.ok(&format!("{train} --print")).contains("search = \"selective\""));
    assert!(!gamete.ok("train minichess --print --set player.search=exact").contains("search = "));
    gamete.ok("export minichess-1 --format text --out bred.txt");
    assert!(std::fs::read_to_string(gamete.folder().join("bred.txt")).unwrap().contains("\nsearch: selective\n"));
    let played = gamete.json("match file:bred.txt run:minichess-1 --games 4");
    assert_eq!(played["score"], 0.5, "{played}");
    gamete.refused("train minichess --set player.search=selective", "a selective search needs a depth of at least 1");
    gamete.refused(
        "train minichess --set player.search=deep",
        "search is `deep`, but it must be one of exact, selective",
    );
}

/// An engine is not started if the program that wanted it has ended in the meantime.
#[cfg(target_os = "linux")]
#[test]
fn no_engine_is_started_for_a_program_that_has_ended() {
    let gamete = Gamete::new();
    gamete.refused("engine-guard 1 -- /bin/true", "the program that wanted it has ended");
    gamete.ok(&format!("engine-guard {} -- /bin/true", std::process::id()));
}

/// A process that was killed takes its engines with it, also if they do not listen.
#[cfg(target_os = "linux")]
#[test]
fn engines_do_not_outlive_the_program() {
    let gamete = Gamete::new();
    let engine = format!("engine:{}", bad_engine(&gamete, "hang", "sleep 100"));
    let mut command = gamete.command("match random");
    let mut child = command.args([&engine, "--game", "minichess"]).stdout(Stdio::null()).spawn().unwrap();
    let file = gamete.folder().join("hang.pid");
    let begun = Instant::now();
    let pid = loop {
        match std::fs::read_to_string(&file).ok().and_then(|text| text.trim().parse::<u32>().ok()) {
            Some(pid) => break pid,
            None if begun.elapsed() > Duration::from_secs(20) => panic!("the engine was not started"),
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    let lives = || std::path::Path::new(&format!("/proc/{pid}")).exists();
    assert!(lives());
    child.kill().unwrap();
    child.wait().unwrap();
    let begun = Instant::now();
    while lives() {
        assert!(begun.elapsed() < Duration::from_secs(5), "the engine {pid} lives");
        std::thread::sleep(Duration::from_millis(10));
    }
}
