//! Lines of protocols: well-formed ones, mutated ones, and noise.

use super::scenes::{Scene, draw};
use chance::Rng;
use games::Protocol;

/// A longer line than this, without its end, is not read by the program.
pub const LONGEST_LINE: usize = (1 << 16) - 1;
/// Sizes of tables in megabytes that the attack does not set, because the program would rightly take that much memory.
/// By CECP larger sizes than the largest mean the largest.
const LARGE_TABLES: std::ops::RangeInclusive<u64> = 33..=4096;

/// Numbers that replace a number.
const NUMBERS: [&str; 16] = [
    "0",
    "-1",
    "1",
    "00000007",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "1e308",
    "1e999",
    "NaN",
    "-inf",
    "0.0000001",
    "٣",
];
/// Texts that are inserted.
const ODD: [&[u8]; 14] = [
    b"\"",
    b"=",
    b" moves ",
    b"\0",
    b"\xff\xfe",
    b"\xc3",
    b"\r",
    b"\t",
    b"\x1b[31m",
    "é".as_bytes(),
    "\u{2028}".as_bytes(),
    "🦔".as_bytes(),
    b" fen ",
    b"{",
];

/// A line that a program might send to an engine. Most are well-formed or nearly so. It has no line end and is not `quit`.
pub fn to_engine(protocol: Protocol, game: &str, rng: &mut Rng) -> Vec<u8> {
    let scene = draw(game, protocol, rng);
    let line = command(protocol, &scene, rng);
    let line = match rng.below(20) {
        0..=7 => line.into_bytes(),
        8..=16 => mutated(line.into_bytes(), rng),
        17 => long(line, protocol, rng),
        18 => noise(rng),
        _ => stop(protocol).as_bytes().to_vec(),
    };
    harmless(protocol, line)
}

/// A line that an engine might say while it thinks, perhaps mutated, or noise.
pub fn from_engine(protocol: Protocol, moves: &[String], rng: &mut Rng) -> Vec<u8> {
    let mv = moves.get(rng.below(moves.len().max(1))).map_or("0000", String::as_str);
    let said = |choices: &[String], rng: &mut Rng| choices[rng.below(choices.len())].clone();
    let line = match protocol {
        Protocol::Uci => said(
            &[
                format!("info depth 5 seldepth 9 score cp 31 nodes 1234 nps 99 time 3 pv {mv}"),
                "info string an engine talks".to_string(),
                format!("info currmove {mv} nodes"),
                "option name X type spin default 1 min 0 max 9".to_string(),
                "id name X".to_string(),
            ],
            rng,
        ),
        Protocol::Cecp => said(
            &[
                format!("5 31 3 1234 {mv}"),
                "telluser an engine talks".to_string(),
                "Error (unknown command): x".to_string(),
                "feature option=\"X -spin 1 0 9\"".to_string(),
                format!("Hint: {mv}"),
            ],
            rng,
        ),
        Protocol::Hub => said(
            &[
                format!("info depth=5 score=0.31 nodes=1234 time=0.1 nps=1.0 pv=\"{mv}\""),
                "error message=\"an engine talks\"".to_string(),
                "param name=x value=1 type=int min=0 max=9".to_string(),
                "id name=x version=1".to_string(),
            ],
            rng,
        ),
    };
    let mut line = match rng.below(10) {
        0..=3 => line.into_bytes(),
        4..=7 => mutated(line.into_bytes(), rng),
        8 => long(line, protocol, rng),
        _ => noise(rng),
    };
    line.retain(|byte| *byte != b'\n');
    line
}

/// Whether a line of an engine could be taken for an answer.
pub fn is_answer(line: &[u8]) -> bool {
    const ANSWERS: [&str; 15] = [
        "uciok",
        "readyok",
        "bestmove",
        "pong",
        "move",
        "Illegal",
        "tellusererror",
        "resign",
        "1-0",
        "0-1",
        "1/2-1/2",
        "wait",
        "ready",
        "done",
        "feature",
    ];
    let text = String::from_utf8_lossy(line);
    ANSWERS.iter().any(|answer| text.trim().starts_with(answer))
}

/// The command that ends a search.
pub fn stop(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Cecp => "?",
        Protocol::Uci | Protocol::Hub => "stop",
    }
}

/// The command that sets a position, in as many lines as the protocol needs.
pub fn position(protocol: Protocol, scene: &Scene) -> Vec<String> {
    let Scene { start, moves, .. } = scene;
    let moves_in_one = moves.join(" ");
    match protocol {
        Protocol::Uci if moves.is_empty() => vec![format!("position fen {start}")],
        Protocol::Uci => vec![format!("position fen {start} moves {moves_in_one}")],
        Protocol::Hub => vec![format!("pos pos={start} moves=\"{moves_in_one}\"")],
        Protocol::Cecp => {
            let moves = moves.iter().map(|mv| format!("usermove {mv}"));
            std::iter::once(format!("setboard {start}")).chain(moves).collect()
        }
    }
}

/// A well-formed command.
fn command(protocol: Protocol, scene: &Scene, rng: &mut Rng) -> String {
    let mv = scene.legal[rng.below(scene.legal.len())].clone();
    let small = rng.below(9);
    let number = rng.below(3000);
    let mut list: Vec<String> = Vec::new();
    match protocol {
        Protocol::Uci => {
            list.extend(position(protocol, scene));
            list.extend([
                format!("position startpos moves {mv}"),
                format!("go depth {small}"),
                format!("go nodes {number}"),
                format!("go movetime {}", number / 100),
                format!("go wtime {number} btime {number} winc 10 binc 10 movestogo {small}"),
                "go infinite".to_string(),
                format!("go ponder wtime {number} btime {number}"),
                format!("go searchmoves {mv} depth {small}"),
                format!("setoption name Seed value {number}"),
                format!("setoption name Hash value {small}"),
                format!("setoption name Depth value {small}"),
                format!("setoption name Nodes value {number}"),
                "setoption name UCI_Variant value chess".to_string(),
            ]);
            let words =
                ["uci", "isready", "ucinewgame", "ponderhit", "stop", "debug on", "position startpos", "register"];
            list.extend(words.map(str::to_string));
        }
        Protocol::Cecp => {
            list.extend(position(protocol, scene).into_iter().take(1));
            list.extend([
                format!("usermove {mv}"),
                mv,
                format!("ping {number}"),
                format!("sd {small}"),
                format!("st {small}"),
                format!("time {number}"),
                format!("otim {number}"),
                format!("level {small} 0:0{small} 0.1"),
                format!("memory {small}"),
            ]);
            let words = [
                "new",
                "variant gamete-minichess",
                "variant normal",
                "force",
                "go",
                "go",
                "playother",
                "undo",
                "remove",
                "analyze",
                "exit",
                "?",
                "post",
                "nopost",
                "result 1-0 {x}",
                "hard",
                "easy",
                "random",
                "computer",
                "hint",
                "bk",
                ".",
                "draw",
                "protover 2",
                "accepted setboard",
                "rejected san",
                "name x",
                "rating 1 2",
                "ics -",
            ];
            list.extend(words.map(str::to_string));
        }
        Protocol::Hub => {
            list.extend(position(protocol, scene));
            list.extend([
                format!("pos moves=\"{mv}\""),
                format!("level depth={small}"),
                format!("level nodes={number}"),
                format!("level move-time=0.0{small}"),
                format!("level time={small} inc=0.{small} moves={small}"),
                format!("set-param name=seed value={number}"),
                format!("set-param name=hash value={small}"),
                "set-param name=variant value=\"english\"".to_string(),
            ]);
            let words = [
                "hub",
                "init",
                "ping",
                "new-game",
                "level infinite",
                "go think",
                "go ponder",
                "go analyze",
                "go",
                "stop",
                "ponder-hit",
            ];
            list.extend(words.map(str::to_string));
        }
    }
    list.swap_remove(rng.below(list.len()))
}

/// A line that is changed at up to four places.
fn mutated(mut line: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    for _ in 0..1 + rng.below(4) {
        let place = rng.below(line.len() + 1);
        let words = |line: &[u8]| String::from_utf8_lossy(line).split(' ').map(str::to_string).collect::<Vec<_>>();
        match rng.below(9) {
            0 if place < line.len() => line[place] ^= 1 << rng.below(8),
            1 => line.insert(place, rng.below(256) as u8),
            2 if place < line.len() => drop(line.remove(place)),
            3 => line.truncate(place),
            4 => drop(line.splice(place..place, ODD[rng.below(ODD.len())].iter().copied())),
            5 => {
                let mut words = words(&line);
                let word = words[rng.below(words.len())].clone();
                words.insert(rng.below(words.len() + 1), word);
                line = words.join(" ").into_bytes();
            }
            6 => {
                let mut words = words(&line);
                words.remove(rng.below(words.len()));
                line = words.join(" ").into_bytes();
            }
            _ => {
                let text = String::from_utf8_lossy(&line).into_owned();
                let digits: Vec<usize> = text.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
                if !digits.is_empty() {
                    let from = digits[rng.below(digits.len())];
                    let rest = text[from..].trim_start_matches(|c: char| c.is_ascii_digit());
                    line = format!("{}{}{rest}", &text[..from], NUMBERS[rng.below(NUMBERS.len())]).into_bytes();
                }
            }
        }
    }
    line
}

/// A line of up to three times the longest that is read: a part of it is repeated, or a game that goes on and on.
fn long(line: String, protocol: Protocol, rng: &mut Rng) -> Vec<u8> {
    let most = [300, 3000, LONGEST_LINE, 3 * LONGEST_LINE][rng.below(4)];
    let length = rng.below(most);
    let (before, part) = match (rng.below(3), protocol) {
        (0, Protocol::Uci) => ("position startpos moves".to_string(), " b1a3 b6a4 a3b1 a4b6".to_string()),
        (1, _) => (line, "x".to_string()),
        _ => (line.clone(), format!(" {line}")),
    };
    let times = length / part.len().max(1);
    format!("{before}{}", part.repeat(times)).into_bytes()
}

/// Random bytes.
fn noise(rng: &mut Rng) -> Vec<u8> {
    let text = rng.below(2) == 0;
    (0..rng.below(200)).map(|_| if text { 32 + rng.below(95) as u8 } else { rng.below(256) as u8 }).collect()
}

/// The line without a line end, and without what would make the checks of the attack wrong: `quit`, large tables, and
/// quotation marks in lines of Hub that must be answered.
fn harmless(protocol: Protocol, mut line: Vec<u8>) -> Vec<u8> {
    line.retain(|byte| *byte != b'\n');
    let Ok(text) = std::str::from_utf8(&line) else { return line };
    let first = text.split_whitespace().next().unwrap_or_default();
    let small = text.to_ascii_lowercase();
    let sets_table = small.contains("hash") || small.contains("memory");
    let is_large = |digits: &str| {
        let number = digits.parse::<u64>();
        number.is_ok_and(|number| LARGE_TABLES.contains(&number) || (protocol == Protocol::Cecp && number > 32))
    };
    if first == "quit" || (sets_table && text.split(|c: char| !c.is_ascii_digit()).any(is_large)) {
        return b"nonsense".to_vec();
    }
    if protocol == Protocol::Hub && (first == "go" || first == "ping") {
        line.retain(|byte| *byte != b'"');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    #[test]
    fn lines_have_no_end_and_do_not_quit() {
        let rng = &mut rng_for(1, &[]);
        let (mut odd, mut longest) = (0, 0);
        for (protocol, game) in
            [(Protocol::Uci, "minichess"), (Protocol::Cecp, "minichess"), (Protocol::Hub, "draughts")]
        {
            for _ in 0..3000 {
                let line = to_engine(protocol, game, rng);
                assert!(!line.contains(&b'\n') && line.trim_ascii() != b"quit");
                odd += usize::from(std::str::from_utf8(&line).is_err());
                longest = longest.max(line.len());
                assert!(!from_engine(protocol, &[], rng).contains(&b'\n'));
            }
        }
        assert!(odd > 100 && longest > LONGEST_LINE, "{odd} lines are no text, the longest has {longest} bytes");
    }

    #[test]
    fn answers_are_known() {
        for (line, expected) in [("bestmove a2a3", true), (" done", true), ("info depth 3", false), ("", false)] {
            assert_eq!(is_answer(line.as_bytes()), expected, "{line}");
        }
    }
}
