//! The first inputs of the corpus: files that are shipped with the program, and inputs that once made it fail.

use crate::populations;
use evolution::Network;

/// Networks and genomes as text. Some were once accepted and then ended the program.
const NETWORKS: &[&str] = &[
    "graph 2 1 elu:0.1 identity | 1 0.5 0:1 1:-1 | 2 -0.25 2:0.7",
    "graph 2 1 relu identity | 1 0.5 0:1 1:-1 | 2 0 2:2 | 3 -0.25 3:1 0:0.5",
    "graph 3 2 tanh sigmoid | 1 0 0:1 | 1 0 1:1 2:1e-7 | 2 1 3:1 | 2 1 4:-3",
    "graph 18446744073709551615 1 relu identity | 1 0 0:1",
    "graph 1099511627776 1 relu identity | 1 0 0:1",
    "graph 65536 1 relu identity | 1 0 0:1",
    "layered 2-2-1 1 relu identity | 0 1 0  1 0 -1  0.5 2 3 | 1.25",
    "layered 2-1 0 tanh tanh | 0.5 1 -1",
    "layered 18446744073709551615-1 0 tanh tanh | 1",
    "genome 2 1 nodes tanh identity 57 12 31 | 2:0.25 3:0 | 0:0>2:0.5:split 1:1>2:-1 2:0>3:1 3:3>2:0.5",
    "genome 2 1 input steep:4.9 bilateral:1 1 0 0 | 3:0 4:0 | 0:2>3:1e-7 4:4>3:-3:retired",
    "genome 1 1 nodes relu relu 1 0 0 | 1:0 2:0 3:0 | 0:0>1:1 1:2>3:1 2:3>2:1 3:3>1:1",
    "genome 1 1 input identity unilateral:2 1 0 0 | 2:3e38 3:3e38 | 0:0>2:1 1:1>2:3e38 2:3>2:3e38",
];

const OVERRIDES: &[&str] = &[
    "nim-2x4\nseed=7\nsetup.stacks=[3, 5, 7]\nsetup.start=random\nstrategy.enn.population=60",
    "nim-2x4\nsetup.stacks=[65535,65535,65535,65535,65535,65535,65535,65535]\nplayer.head=slots",
    "nim-2x4-neat\nstrategy.neat.mutation.loops=\"retire\"\nstrategy.neat.species.target=5",
    "minichess\nsetup.start=\"rnbknr/pppppp/6/6/PPPPPP/RNBKNR w\"\nplayer.depth=2\nplayer.encoder=board",
    "draughts\nsetup.blocked=draws\nplayer.extend=leaves\nschedule.circular.opponents=10",
    "minichess-td\nstrategy.td.lambda=0.9\nstrategy.td.hidden=[4096, 4096]\nblunders=1e-3",
    "nim-2x4-ga\nstrategy.ga.crossover=two-point\nstop.seconds=inf\nguests=18446744073709551615",
];

const PARAMETERS: &[&str] = &[
    "nim-2x4\nseed\n7",
    "nim-2x4\nsetup.stacks\n[3, 5, 7]",
    "nim-2x4\nstrategy.enn.exponent\n1e300",
    "nim-2x4\nsetup.start\n\"random\"",
    "minichess\nstrategy.neat.mutation.every_try\ntrue",
    "draughts-blondie24\nstrategy.blondie.genes\n[1.5, null]",
];

const PLAYERS: &[&str] = &[
    "random",
    "first",
    "perfect",
    "material:3,extend=everywhere",
    "mcts:500,seconds=1.5,playouts=captures",
    "champion:draughts,depth=4,nodes=1000,endgames=on",
    "run:a@7,mcts=100,ept=6,playouts=network",
    "file:x.json,depth=0",
    "run:a,depth=4294967296",
];

const SEEDS: &[&str] =
    &["1001-1010", "1001,1005", "0-99999", "7-7", "18446744073709551615-18446744073709551615", "1,1"];

const RANGES: &[&str] = &[
    "nim-2x4\nstrategy.enn.exponent=0.5..4",
    "nim-2x4\nstrategy.enn.population=10..1000",
    "nim-2x4\nstrategy.enn.activation=elu|relu|tanh",
    "nim-2x4\nstrategy.enn.exponent=-1e308..1e308",
    "minichess\nstrategy.neat.mutation.power=1e-300..1e300",
];

const NOTES: &[&str] = &[
    r#"{"lab":"a","kind":"tuning","about":"","measures":["grade"],"last":10,"configurations":[{"name":"b","group":"","is_baseline":true,"experiment":"nim-2x4","parameters":"","seeds":[1,2],"islands":{"every":1,"count":1}}]}"#,
    r#"{"lab":"a","about":"","measures":[],"last":1,"configurations":[{"name":"../b","group":"g","is_baseline":false,"experiment":"x","parameters":"game = \"nim\"","seeds":[]}]}"#,
];

const LABS: &[&str] = &[
    "seeds = 3\nlast = 1\n[[configuration]]\nexperiment = \"nim-2x4-c1\"\nset = { stop.generations = 20 }\ngrid = { \"strategy.enn.exponent\" = [1.0, 2.0], strategy.enn.population = [60, 100] }\n",
    "seeds = \"1001-1002\"\nmeasures = [\"grade\", \"growth\"]\nbaselines = [\"ours\"]\n[[configuration]]\nexperiment = \"nim-2x4\"\nname = \"ours\"\ngroup = \"g\"\nislands = { every = 10, count = 1 }\n",
    "seeds = [1, 2]\n[[configuration]]\nexperiment = \"nim-2x4\"\nstrategy = \"nim-2x4-ga\"\nseeds = 1\n",
    "seeds = 1\n[[configuration]]\nexperiment = \"nim-2x4\"\n[configuration.grid]\nguests = [1, 2, 3]\nopening_plies = []\n",
];

const NIM: &[&str] =
    &["3,5,7\n3:2\n1:3", "3,5,7 second", "0,0", "1", "65535,65535,65535,65535,65535,65535,65535,65535\n8:65535"];

const TIC_TAC_TOE: &[&str] = &[".../.../...\nb2\na1", "x.o/.x./...", "xxx/oo./...", "xox/oxo/oxo"];

const MINICHESS: &[&str] = &[
    "rnbknr/pppppp/6/6/PPPPPP/RNBKNR w\na2a3\nNxc3\nb4",
    "b1kr2/p2pRn/6/P1n2P/3N2/RrB2K w - - 0 1\nNc4\nd2c4",
    "k5/P5/6/6/6/4KR w\na6=R",
    "k5/1P4/6/6/6/5K w\nbxa6=R",
    "RRRRRR/RRRRRR/RRRRRR/RRRRRR/RRRRRR/RRRRKk w",
    "k5/6/6/6/6/5K b",
];

const DRAUGHTS: &[&str] = &[
    "B:W21-32:B1-12\n11-15\n22-18\n15x22",
    "B:W6,7,14,15,23,31:B2\n2x9x27",
    "W:WK22:B9,10,17,18\n22x22",
    "B:WK1-16:BK17-32",
    "W:BK7, 9 : WK1,5.",
    "B:W:BK1",
];

const SETUPS: &[&str] = &[
    "nim\nstacks=[3,5,7]\nstart=single\n1:1",
    "nim\nstacks=[65535,65535,65535,65535,65535,65535,65535,65535]\n1:65535\n2:1",
    "minichess\nstart=diana\nmost_plies=4\nrepetitions=2\na2a3\na5a4",
    "draughts\nstart=\"B:WK9:BK30\"\nking_value=2.5\nquiet_plies=1\nblocked=draws\n30-26",
    "tic-tac-toe\nb2\na1\nc3",
    "nim\nstacks=[3,5]\nmoves\n1:1\nhint\n2:2\nback\nback\nquit",
];

const RECORDS: &[&str] = &[
    "minichess\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. a3 {a comment} a4 (1... b4 2. Nc3) 2. Nc3 $1 b4! 1-0\n",
    "\n[Variant \"minichess\"]\n[FEN \"k5/1P4/6/6/6/5K w - - 0 1\"]\n1. bxa6=R *\n",
    "draughts\n[Event \"x \\\" y\"]\n1. 11-15 22-18 2. 15x22 25x18 1/2-1/2\n\n1. 9-13 *\n",
    "\n[GameType \"21,B,8,8,N1,0\"]\n[FEN \"B:WK9:BK30\"]\n1. 30-26 9-14 0-1\n% line\n; rest\n",
];

const EXAMS: &[&str] = &[
    r#"{"all_positions":1.0,"on_policy":0.5,"positions":24,"sampled":false}"#,
    r#"{"grade":0.5,"points":15.0,"points_low":14.0,"points_high":16.0,"sk":0.5,"mk":1.0,"sp":0.25,"mp":0.0,"positions":400,"searched":[{"depth":2,"grade":0.75,"sk":1.0}],"endgames":0.9}"#,
    r#"{"grade":0.5,"grade_low":0.4,"grade_high":0.6,"quiet":0.5,"captures":0.5,"positions":200,"searched":[{"mcts":100,"ept":6,"grade":0.5}]}"#,
];

const REQUESTS: &[&str] = &[
    "GET /api/about",
    "GET /api/experiments/nim-2x4",
    "GET /api/runs/a/curves?from=1&to=18446744073709551615",
    "GET /api/runs/b/champions/3",
    "GET /api/runs/a/champions/2/network",
    "GET /api/runs/b/ancestry?generation=3",
    "GET /api/runs/a/games?generation=2",
    "GET /api/runs/a/events",
    "GET /api/runs/events",
    "GET /api/network?player=run:b@3",
    "GET /api/network?player=champion:minichess",
    "GET /api/labs",
    "GET /api/labs/..%2fa",
    "GET /api/matches",
    "GET /api/matches/1/events",
    "DELETE /api/matches/1",
    "GET /",
    "GET /assets/../index.html\naccept-encoding: gzip",
    "GET /api/about\nhost: evil.example\norigin: null\nsec-fetch-site: cross-site\ncookie: gamete_token=x",
    "POST /api/network/values\n\n{\"player\":\"champion:nim\",\"game\":\"nim\",\"setup\":[\"stacks=[3,5]\"],\"position\":\"3,5\"}",
    "POST /api/games/read\n\n{\"text\":\"1. a3 a4 2. Nc3 *\",\"game\":\"minichess\"}",
    "POST /api/games/values\n\n{\"game\":\"nim\",\"start\":\"3,5\",\"moves\":[\"1:1\"],\"player\":\"run:a,depth=2\"}",
    "POST /api/exam\n\n{\"player\":\"run:a\"}",
    "POST /api/exam\n\n{\"player\":\"random\",\"game\":\"tic-tac-toe\"}",
    "POST /api/play/position\n\n{\"game\":\"nim\",\"setup\":[\"stacks=[3,5,7]\"],\"moves\":[\"1:1\"],\"seed\":7,\"person\":\"first\"}",
    "POST /api/play/answer\n\n{\"game\":\"tic-tac-toe\",\"against\":\"perfect\",\"moves\":[\"b2\"]}",
    "POST /api/play/view\n\n{\"game\":\"minichess\",\"against\":\"material:2\",\"start\":\"k5/6/6/6/6/4KR w\"}",
    "POST /api/play/hint\n\n{\"game\":\"nim\",\"start\":\"3,5,7\"}",
    "POST /api/play/position\n\n{\"game\":\"nim\",\"setup\":[\"stacks=[65535,65535,65535,65535,65535,65535,65535,65535]\"],\"moves\":[\"1:65535\"]}",
    "POST /api/runs\n\n{\"experiment\":\"x\",\"toml\":\"game = \\\"nim\\\"\",\"name\":\"x\"}",
    "POST /api/runs/none/resume\n\n{\"generations\":5}",
    "POST /api/runs/none/growth\n\n{\"games\":2,\"champions\":2,\"depth\":1}",
    "POST /api/runs/none/stop",
    "DELETE /api/runs/none",
    "POST /api/matches\n\n{\"game\":\"nim\",\"players\":[\"random\",\"run:a@2\"],\"games\":2,\"seed\":1}",
    "POST /api/experiments/check\n\n{\"name\":\"x\",\"toml\":\"game = 1\"}",
];

const GATES: &[&str] = &[
    "GET /api/about\ncookie: gamete_token=0123456789abcdef",
    "GET /api/about\ncookie: a=b; gamete_token=0123456789abcdef ;c",
    "GET /api/about\ncookie: gamete_token=0123456789abcdeg",
    "GET /?token=0123456789abcdef",
    "GET /runs/a?x=1&token=0123456789abcdef&token=y",
    "GET /play?token=0123456789",
    "GET /api/about\nhost: evil.example:4263\norigin: http://evil.example:4263",
];

const MEMBER_LINES: &[&str] = &[
    r#"{"generation":7,"aim":20,"grade":0.5,"cpu_seconds":1.25}"#,
    r#"{"generation":18446744073709551615,"aim":0,"grade":null,"cpu_seconds":1e308}"#,
];

/// Changes of run files: bytes for run, table, row, column and type, then the value.
fn rows() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 6] = [
        b"{\"wins\":1,\"draws\":0,\"losses\":1,\"games\":2,\"score\":0.5}",
        b"{\"all_positions\":1.0,\"on_policy\":0.5,\"positions\":24,\"sampled\":false}",
        "\u{1}\u{2}\u{d7ff}\u{e000}\u{10ffff}".as_bytes(),
        b"graph 18446744073709551615 1 relu identity | 1 0 0:1",
        b"1:1 2:3",
        &[0xff; 8],
    ];
    let places = (0..12u8).flat_map(|table| [(0, table), (1, table), (2, table)]);
    let row = |(number, (base, table)): (usize, (u8, u8))| {
        let kind = [3, 1, 4, 2][number % 4];
        [&[base, table, number as u8 % 3, number as u8 % 9, kind][..], texts[number % texts.len()]].concat()
    };
    places.enumerate().map(row).collect()
}

/// The first inputs of a target's corpus.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let bytes = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    let networks = || NETWORKS.iter().filter_map(|text| text.parse::<Network>().ok());
    let generations = |strategy: &str| [0, 1, 3].map(|generations| populations::saved(strategy, generations)).to_vec();
    let lines = |text: Option<&str>, from: usize| {
        let lines: Vec<&str> = text.unwrap_or_default().lines().skip(from).take(3).collect();
        lines.join("\n").into_bytes()
    };
    match target {
        "network-text" => bytes(NETWORKS),
        "genome-text" => bytes(&NETWORKS.iter().copied().filter(|text| text.starts_with("genome")).collect::<Vec<_>>()),
        "network-json" => networks().filter_map(|network| serde_json::to_vec(&network).ok()).collect(),
        "network-blob" => networks().filter_map(|network| postcard::to_allocvec(&network).ok()).collect(),
        "network-file" => {
            let json = |game: &&str| {
                let file = format!("{}/../players/champions/{game}.json", env!("CARGO_MANIFEST_DIR"));
                runs::read_text(file.as_ref()).ok()
            };
            let read = |text: &String| players::PortableNetwork::parse(std::path::Path::new("champion"), text).ok();
            let all: Vec<String> = games::names().iter().filter_map(json).collect();
            let texts = all.iter().filter_map(read).map(|network| network.write(players::Format::Text));
            texts.chain(all.iter().cloned()).map(String::into_bytes).collect()
        }
        "experiment" => {
            let some = [
                "nim-2x4",
                "nim-2x4-neat",
                "nim-2x4-ga",
                "nim-2x4-cma-es",
                "nim-2x4-openai-es",
                "nim-2x4-random",
                "nim-2x4-td",
                "nim-1-8-c6",
                "nim-2x4-c2-graded",
                "tic-tac-toe",
                "minichess-tt1",
                "draughts",
                "draughts-blondie24",
                "draughts-mcts",
            ];
            // Without comments, which would only make inputs longer.
            let open = |name: &&str| Some(runs::open_experiment(name).ok()?.canonical().into_bytes());
            some.iter().filter_map(open).collect()
        }
        "override" => bytes(OVERRIDES),
        "parameter" => bytes(PARAMETERS),
        "player" => bytes(PLAYERS),
        "seeds" => bytes(SEEDS),
        "range" => bytes(RANGES),
        "lab" => bytes(LABS),
        "lab-note" => bytes(NOTES),
        "position-nim" => bytes(NIM),
        "position-tic-tac-toe" => bytes(TIC_TAC_TOE),
        "position-minichess" => bytes(MINICHESS),
        "position-draughts" => bytes(DRAUGHTS),
        "setup" => bytes(SETUPS),
        "records" => bytes(RECORDS),
        "questions" => {
            use games::Game;
            let (chess, draughts) = (games::minichess::Minichess::QUESTIONS, games::draughts::Draughts::QUESTIONS);
            [0, 100, 300].iter().flat_map(|&from| [lines(chess, from), lines(draughts, from / 2)]).collect()
        }
        "exam" => bytes(EXAMS),
        // No games; then one game of two networks, with a start and 5 turns, in two variants.
        "met" => vec![vec![0], vec![1, 7, 9, 3, 0, 1, 5, 1, 0, 2, 1, 0, 0], vec![1, 7, 9, 3, 0, 1, 5, 1, 0, 2, 1, 1]],
        "tables" => vec![b"\x00gamete tables 1\n0123456789abcdef".to_vec(), b"\x01table".to_vec(), vec![1]],
        "request" => bytes(REQUESTS),
        "cluster-message" => cluster::fuzzing::messages(),
        "gate" => bytes(GATES),
        "member-line" => bytes(MEMBER_LINES),
        "run-row" => rows(),
        _ => target.strip_prefix("population-").map(generations).unwrap_or_default(),
    }
}
