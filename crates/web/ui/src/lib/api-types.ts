// What server and pages say to each other. Written from the Rust types by `UPDATE=1 cargo test -p web api_types`:
// change them, not this file.

/** Everything there is to choose from; does not change while the server runs. */
export type About = {
  /** The version of Gamete. */
  version: string,
  /** The folder of runs. */
  runs_folder: string,
  /** All games. */
  games: Array<GameInfo>,
  /** All strategies. */
  strategies: Array<Entry>,
  /** All measures of a generation, in the order in which they are shown. */
  measures: Array<Measure>,
  /** The experiments inside the program. */
  experiments: Array<ExperimentInfo>,
  /** All kinds of players. */
  kinds: Array<KindInfo>,
  /** The champions inside the program. */
  champions: Array<ChampionInfo>,
};

/** A champion's line back to the start. */
export type Ancestry = {
  /** How many genomes it has. */
  length: number,
  /** The genomes, the champion's own first; some are left out where there are more than 500. */
  line: Array<Birth>,
};

/** What the opponent did. */
export type Answer = {
  /** The move it made; null when it tried something illegal, and lost by it. */
  move: string | null,
  /** What it tried, where that is illegal. */
  illegal: string | null,
  /** The game after that. */
  table: ShownGame,
};

/** A genome and where it comes from. */
export type Birth = {
  /** Its number, for the whole run. */
  genome: number,
  /** The generation in which it first played. */
  generation: number,
  /** Its parents: the fitter first; the same twice for a copy, 0 for none. */
  parents: [number, number],
  /** Its species then. */
  species: number,
};

/** A move that gave something away. */
export type Blunder = {
  /** A better one, as records write it. */
  better: string,
  /** What it cost, as a sentence that begins with the move. */
  words: string,
};

/** The champion of a generation. */
export type Champion = {
  /** The generation. */
  generation: number,
  /** Its score. */
  score: number,
  /** Its grade, where it took an exam. */
  grade: number | null,
  /** All grades of its exam by name, where it took one. */
  exam: Exam | null,
  /** How many nodes each layer of its network has. */
  layers: Array<number>,
  /** How many hidden nodes its network has. */
  hidden: number,
  /** How many edges its network has. */
  edges: number,
  /** The number of its genome, where genomes have one. */
  genome: number | null,
  /** The player, such as `run:NAME@7`. */
  player: string,
};

/** A champion inside the program. */
export type ChampionInfo = {
  /** The player, such as `champion:nim`. */
  player: string,
  /** The command, with its seed, that bred it. */
  command: string,
  /** The game it plays. */
  game: string,
  /** How it looks ahead unless it is told otherwise, as options of a player; empty: as it was bred. */
  options: string,
  /** What it can, in a sentence. */
  about: string,
};

/** One parameter to be set. */
export type Change = {
  /** The experiment's name. */
  name: string,
  /** The experiment's text. */
  toml: string,
  /** The parameter's dotted path, such as `strategy.enn.population`. */
  key: string,
  /** The parameter's new value. */
  value: unknown,
};

/** An experiment that can be trained: its text, and every parameter in it. */
export type CheckedExperiment = {
  /** Its name. */
  name: string,
  /** What its text says about it. */
  about: string,
  /** Its text. */
  toml: string,
  /** Its parameters, in the order of the text. */
  parameters: Array<Parameter>,
};

/** One measure: its mean in each place, and the least and the greatest; nothing where it was not measured. */
export type Curve = {
  /** The mean. */
  mean: Array<number | null>,
  /** The least. */
  low: Array<number | null>,
  /** The greatest. */
  high: Array<number | null>,
};

/** All measures that are plotted, of a run over a part of its generations, so many generations to a place. */
export type Curves = {
  /** How many generations make one place. */
  stride: number,
  /** The number of the first place that is here. */
  from: number,
  /** The last generation of each place. */
  generation: Array<number>,
  /** The measures, by key. */
  series: Record<string, Curve>,
};

/** An edge. */
export type DrawnEdge = {
  /** The node it comes from. */
  from: number,
  /** The node it goes to. */
  to: number,
  /** What the value of its source is multiplied with. */
  weight: number,
  /** Whether it leads from an input straight to an output: where there are many, they are drawn apart. */
  direct: boolean,
};

/** A node and its place. */
export type DrawnNode = {
  /** Its number. */
  id: number,
  /** What it is for. */
  kind: NodeKind,
  /** From 0, the inputs. */
  layer: number,
  /** From 0, left, to 1, right. */
  x: number,
  /** From 0, above, to 1, below. */
  y: number,
  /** What it is called: inputs and outputs in the game's words. */
  label: string,
  /** What its sum begins with; inputs have none. */
  bias: number | null,
  /** What it does with its sum; inputs do nothing. */
  activation: string | null,
};

/** An experiment that somebody edits. */
export type Edited = {
  /** Its name. */
  name: string,
  /** Its text. */
  toml: string,
};

/** Something that can be chosen by name. */
export type Entry = {
  /** The name people type. */
  name: string,
  /** One sentence. */
  about: string,
};

/** What a player can do; all grades are shares from 0 to 1. */
export type Exam = Truth | TacticsExam;

/** Who is examined. */
export type ExamAsked = {
  /** The player, as it is named on the command line. */
  player: string,
  /** The game, where the player does not say it. */
  game: string | null,
};

/** The grades of a player. */
export type Examined = {
  /** The player, as it was asked for. */
  player: string,
  /** The game's name. */
  game: string,
  /** All grades by name. */
  exam: Exam,
  /** How many positions it failed; the list of failures has 500 of them at most. */
  failed: number,
  /** Positions that it failed. */
  failures: Array<Failure>,
};

/** An experiment inside the program. */
export type ExperimentInfo = {
  /** Its name. */
  name: string,
  /** What its text says about it. */
  about: string,
  /** The game's name. */
  game: string,
  /** The strategy's name. */
  strategy: string,
};

/** A position that was not solved. */
export type Failure = {
  /** The suite's name; [`Failure::PLAY`] where a solver grades every move. */
  suite: string,
  /** The position. */
  position: string,
  /** Whose move it was. */
  side: Side,
  /** What was played, or attempted. */
  played: string,
  /** Whether that is legal. */
  legal: boolean,
  /** What would have been right. */
  right: Array<string>,
};

/** A match of the last champion. */
export type Final = {
  /** Against whom: a player, or an earlier generation's champion. */
  opponent: string,
  /** Games won. */
  wins: number,
  /** Games drawn. */
  draws: number,
  /** Games lost. */
  losses: number,
  /** Share of the points, from 0 to 1. */
  score: number,
  /** The difference in Elo's points; none at 0 or 100 %. */
  elo: number | null,
  /** The lower end of its 95 % interval. */
  elo_low: number | null,
  /** The upper end. */
  elo_high: number | null,
  /** Games played. */
  games: number,
};

/** What there is to know of a game before it is played. */
export type GameInfo = {
  /** The name people type. */
  name: string,
  /** One sentence on the rules. */
  about: string,
  /** What the sides are called, the first to move first. */
  sides: [string, string],
  /** The form in which whole games are kept, if there is one. */
  record: string | null,
  /** Whether there are pieces to count. */
  has_material: boolean,
  /** Whether the whole game is solved, as it is usually set up. */
  solved: boolean,
  /** Whether there are endgame tables. */
  has_endgames: boolean,
  /** The usual setup. */
  setup: Record<string, unknown>,
};

/** A best move, or why there is none. */
export type HintAnswer = {
  /** The move; null where no solver, table or count of pieces knows one. */
  move: string | null,
  /** What is known of it, in a sentence. */
  words: string,
};

/** The games kept of a generation. */
export type KeptGames = {
  /** The generation; nothing where no games were kept. */
  generation: number | null,
  /** The first generation of which games were kept. */
  first: number | null,
  /** The last. */
  last: number | null,
  /** The games. */
  games: Array<SteppedGame>,
};

/** What kind of value a parameter has. */
export type Kind = "whole" | "number" | "switch" | "choice" | "text" | "numbers";

/** What lists and pages say of a kind of players. */
export type KindInfo = {
  /** The name people type. */
  name: string,
  /** What stands behind the colon, such as `DEPTH`; empty where nothing does. */
  argument: string,
  /** The bounds of the argument, where it is a number. */
  number: NumberInfo | null,
  /** One line for lists. */
  about: string,
  /** What a page calls the kind where one chooses. */
  label: string,
  /** What a page calls a player of this kind within a sentence; `{}` stands for the argument. */
  title: string,
  /** The options that may stand behind the argument. */
  options: Array<string>,
  /** What a game must have so that this kind can play it. */
  needs: Needs,
  /** Whether it says what positions are worth. */
  has_values: boolean,
  /** Whether it is a network that can be looked into. */
  has_network: boolean,
  /** Whether visitors of the web app may ask for it: not what reads files that they name or starts programs. */
  in_pages: boolean,
};

/** A lab in a list: many runs compared, several populations of one experiment, or settings tried out. */
export type LabCard = {
  /** The name of its folder. */
  name: string,
  /** What it asks. */
  about: string,
  /** What it was made by. */
  kind: LabKind,
  /** How many runs it has. */
  members: number,
  /** How many of them have come to their end. */
  finished: number,
  /** How many of them are being trained. */
  running: number,
};

/** What a lab is made by. */
export type LabKind = "lab" | "populations" | "tuning";

/** A figure as a picture. */
export type LiveFigure = {
  /** What it shows. */
  title: string,
  /** Units, seeds, and what is drawn. */
  caption: string,
  /** The picture, without these words. */
  svg: string,
};

/** A group, as it stands. */
export type LiveGroup = {
  /** Its name. */
  name: string,
  /** Its figures. */
  figures: Array<LiveFigure>,
  /** Its tables, that of costs last. */
  tables: Array<LiveTable>,
};

/** A move, and what it is worth to the side that makes it. */
export type LiveMove = {
  /** The move in the game's notation. */
  move: string,
  /** The move as records of whole games write it. */
  written: string,
  /** From −1, lost, to 1, won; networks without bounds may say more. */
  value: number,
  /** In how many plies, where it is certain. */
  ends_in: number | null,
  /** How often it was looked at, where that was counted. */
  visits: number | null,
};

/** How a lab stands. */
export type LiveReport = {
  /** The lab's name. */
  lab: string,
  /** What it asks. */
  about: string,
  /** How many members are how: `finished`, `running`, and so on. */
  states: Array<[string, number]>,
  /** What is wrong with which. */
  problems: Array<string>,
  /** Its groups; none while no member has played a generation. */
  groups: Array<LiveGroup>,
};

/** A table as a part of a page. */
export type LiveTable = {
  /** What it shows. */
  title: string,
  /** Units, seeds, and what its columns mean. */
  caption: string,
  /** Heads and rows, as in the report. */
  html: string,
};

/** What is to be played: a match of two players, or a round robin of more. */
export type MatchAsked = {
  /** The game's name. */
  game: string,
  /** The players, as they are named on the command line. */
  players: Array<string>,
  /** How many games each two play; an even number. */
  games: number,
  /** Random plies before each game; as many as measure best when null. */
  plies: number | null,
  /** Seed of all chance. */
  seed: number,
};

/** That a match is gone. */
export type MatchGone = {
  /** Its number, as it was asked for. */
  id: string,
  /** Why it cannot be shown. */
  error: string,
};

/** A match, or a round robin, as far as it is. */
export type MatchReport = {
  /** Its number. */
  id: number,
  /** The game's name. */
  game: string,
  /** The players, as they were named. */
  players: Array<string>,
  /** How many games each two play. */
  games: number,
  /** Random plies before each game, once that is known. */
  plies: number | null,
  /** Seed of all chance. */
  seed: number,
  /** Games played. */
  done: number,
  /** All games. */
  all: number,
  /** How it stands. */
  state: MatchState,
  /** Why it failed. */
  error: string | null,
  /** Every two players, and how it stands for the first of them. */
  pairs: Array<PairScore>,
  /** Strengths on one scale; null unless it is a round robin that is finished. */
  ratings: Array<RatedPlayer> | null,
};

/** A match that has begun. */
export type MatchStarted = {
  /** Its number. */
  id: number,
};

/** How a match stands. */
export type MatchState = "playing" | "finished" | "cancelled" | "failed";

/** One measure: what it is called, what it is counted in, where it is shown, and where its value comes from. */
export type Measure = {
  /** Its name in lab files and in JSON. */
  key: string,
  /** A title of one to four words. */
  name: string,
  /** What it is, as axes, tables and captions say it. */
  words: string,
  /** What it says, in a sentence. */
  about: string,
  /** What it is counted in. */
  unit: Unit,
  /** Whether more is better. */
  more_is_better: boolean,
  /** The plot of a run's page that has its curve, by title; measures with the same title share a plot. */
  plot: string | null,
};

/** How to measure Elo. */
export type MeasureAsked = {
  /** How many plies champions look ahead; as they were bred when null. */
  depth: number | null,
  /** How many games each two play. */
  games: number,
  /** How many champions take part. */
  champions: number,
};

/** What a kind of players needs of a game. */
export type Needs = "nothing" | "solver" | "pieces";

/** A network with a place for each node. */
export type NetworkDrawing = {
  /** The game it plays. */
  game: string,
  /** Where it comes from, in words. */
  origin: string,
  /** How positions become inputs, in a sentence. */
  sight: string,
  /** Inputs, hidden nodes, outputs; each node's number is its place here. */
  nodes: Array<DrawnNode>,
  /** The edges, by where they lead to. */
  edges: Array<DrawnEdge>,
  /** How many nodes each layer has, inputs first. */
  layers: Array<number>,
  /** The greatest weight, whatever its sign. */
  most: number,
  /** How many edges are not drawn, the weakest, where there are too many. */
  left_out: number,
};

/** What a node is for. */
export type NodeKind = "input" | "hidden" | "output";

/** What a network makes of a position. */
export type NodeValues = {
  /** The value of every node, in the order of the drawing. */
  values: Array<number>,
};

/** An argument that is a whole number. */
export type NumberInfo = {
  /** What it counts. */
  counts: string,
  /** The smallest number. */
  least: number,
  /** The largest number. */
  most: number,
  /** A usual number, for forms and examples. */
  usual: number,
};

/** How the opponent sees a position, for the side to move. */
export type Opinion = {
  /** What the position is worth; null where the opponent has no value for it. */
  value: Outlook | null,
  /** How the game would go on, as records of whole games write it. */
  line: Array<string>,
  /** What moves are worth, the best first. */
  moves: Array<LiveMove>,
  /** What there is to say instead or beside. */
  note: string | null,
};

/** What somebody expects. */
export type Outlook = {
  /** From −1, lost, to 1, won; networks without bounds may say more. */
  value: number,
  /** In how many plies, where it is certain. */
  ends_in: number | null,
  /** How often it was looked at, where that was counted. */
  visits: number | null,
};

/** What the first of two players scored against the second. */
export type PairScore = {
  /** The first player's place among the players. */
  one: number,
  /** The second player's place. */
  two: number,
  /** Games won. */
  wins: number,
  /** Games drawn. */
  draws: number,
  /** Games lost. */
  losses: number,
  /** Share of the points, from 0 to 1. */
  score: number,
  /** The most likely difference. */
  elo: number | null,
  /** The lower end. */
  elo_low: number | null,
  /** The upper end. */
  elo_high: number | null,
};

/** A parameter of an experiment: what it means, what it may be, and what it is. */
export type Parameter = {
  /** The dotted path, such as `strategy.enn.population`. */
  key: string,
  /** What it means, in one phrase. */
  about: string,
  /** What kind of value belongs here. */
  kind: Kind,
  /** Its present value. */
  value: unknown,
  /** The least it may be, or each number of a list. The words tell where the bound itself is refused. */
  min: number | null,
  /** The most it may be, or each number of a list. */
  max: number | null,
  /** What there is to choose from, where it is a choice. */
  choices: Array<Entry>,
};

/** A file of games. */
export type Pasted = {
  /** The file, PGN or PDN. */
  text: string,
  /** The game, where the file does not say it. */
  game: string | null,
};

/** A game as it stands, told by its start and its moves: the server keeps nothing. */
export type Play = {
  /** The game's name. */
  game: string,
  /** Overrides of the usual setup, or of the one the opponent was bred for: `KEY=VALUE`. */
  setup: Array<string>,
  /** The opponent as it is named on the command line, such as `champion:nim`, `run:NAME@7,depth=4` or `mcts:500`; null
   * for none. */
  against: string | null,
  /** The position it begins with; where it is null, the setup and the seed draw one. */
  start: string | null,
  /** The moves so far, in the game's notation. */
  moves: Array<string>,
  /** Seed of all chance. */
  seed: number,
  /** The side of the person, for the names in records. */
  person: Side | null,
};

/** Games played, of how many. */
export type Played = {
  /** Games played. */
  done: number,
  /** All games. */
  games: number,
};

/** A champion's strength. */
export type RatedChampion = {
  /** Of which generation. */
  generation: number,
  /** The most likely difference. */
  elo: number | null,
  /** The lower end. */
  elo_low: number | null,
  /** The upper end. */
  elo_high: number | null,
};

/** A player's strength. */
export type RatedPlayer = {
  /** The player's place among the players. */
  player: number,
  /** The most likely difference. */
  elo: number | null,
  /** The lower end. */
  elo_low: number | null,
  /** The upper end. */
  elo_high: number | null,
};

/** The strength of a player that learns nothing. */
export type RatedYardstick = {
  /** The player. */
  player: string,
  /** The most likely difference. */
  elo: number | null,
  /** The lower end. */
  elo_low: number | null,
  /** The upper end. */
  elo_high: number | null,
};

/** A difference in strength on Elo's scale, with the ends of its 95 % interval; `None` stands for no bound. */
export type Rating = {
  /** The most likely difference. */
  elo: number | null,
  /** The lower end. */
  elo_low: number | null,
  /** The upper end. */
  elo_high: number | null,
};

/** Strengths on one scale, as they are kept. */
export type Ratings = {
  /** Champions through time. */
  champions: Array<RatedChampion>,
  /** Players that learn nothing, `random` first. */
  yardsticks: Array<RatedYardstick>,
  /** How many plies champions looked ahead; nothing where they played as they were bred. */
  depth: number | null,
  /** How many games each two played. */
  games_each: number,
};

/** The games of a file. */
export type ReadGames = {
  /** The first 200 of them at most. */
  games: Array<SteppedGame>,
  /** What `1-0` means in the file, where files differ. */
  meaning: string | null,
  /** That there are more games than these, in a sentence. */
  note: string | null,
};

/** Why a request is refused. */
export type Refusal = {
  /** A sentence that says what is wrong. */
  error: string,
};

/** What there is to say of a position, and of the move that led to it. */
export type Remark = {
  /** How many moves led there. */
  ply: number,
  /** What it is worth to the first side: from −1, lost, to 1, won. */
  value: number | null,
  /** Whether the value is a bare number of a network's, whose size means nothing but that more is better. */
  bare: boolean,
  /** In how many plies that is certain. */
  ends_in: number | null,
  /** What the player would do, as records write it. */
  best: string | null,
  /** What was wrong with the move that led there. */
  blunder: Blunder | null,
};

/** How far to go on. */
export type ResumeAsked = {
  /** How many generations the run is to have in all; as before when null. */
  generations: number | null,
};

/** A run in the list. */
export type RunCard = {
  /** The run's name. */
  name: string,
  /** Why its file cannot be read; then nothing else is filled in. */
  error: string | null,
  /** The game's name. */
  game: string,
  /** The strategy's name. */
  strategy: string,
  /** The experiment's name. */
  experiment: string,
  /** Seed of all chance. */
  seed: number,
  /** How many generations it has. */
  generation: number,
  /** How many generations it is to have. */
  generations: number,
  /** The grade of the newest exam, from 0 to 1. */
  grade: number | null,
  /** The newest champion's score. */
  score: number | null,
  /** `training`, `stopping`, `finals`, `paused`; else why it stopped: `solved`, `generations`, `time`, `interrupted`,
   * `killed`; `broken` where its file cannot be read. */
  state: string,
  /** Whether this server trains it, so that it can be paused and stopped here. */
  here: boolean,
  /** When it was created, in seconds since 1970. */
  created: number,
  /** A small curve of it. */
  curve: SmallCurve,
  /** Generations a second, while it trains. */
  rate: number | null,
  /** Seconds that are left at this rate. */
  left: number | null,
  /** Games of the last champion, while they are played. */
  finals: Played | null,
  /** Why this server's last training of it failed. */
  failed: string | null,
};

/** Everything the page of a run shows beside its curves. */
export type RunDetail = {
  /** What lists show of it. */
  card: RunCard,
  /** All parameters, as TOML. */
  parameters: string,
  /** The command that makes the same run. */
  command: string,
  /** The first generation whose champion was perfect. */
  first_solved: number | null,
  /** How many hidden nodes the newest champion has. */
  hidden: number | null,
  /** How many edges the newest champion has. */
  edges: number | null,
  /** Seconds of training. */
  seconds: number,
  /** Seconds of processor time. */
  cpu_seconds: number,
  /** Games played for scores. */
  games: number,
  /** Positions judged by networks. */
  evaluations: number,
  /** Says all that happened: equal signature, equal run. */
  signature: string | null,
  /** Matches of the last champion. */
  finals: Array<Final>,
  /** Strengths of champions on one scale, where they were measured. */
  ratings: Ratings | null,
  /** Games of a measurement of strengths under way here. */
  growth: Played | null,
  /** Why the last measurement failed. */
  growth_failed: string | null,
};

/** That a run is gone, or cannot be read; it may come back. */
export type RunGone = {
  /** The run's name. */
  name: string,
  /** Why the run cannot be shown; only pages that watch this run alone hear it. */
  error?: string | null,
};

/** Grades with search: by depth, or by Monte Carlo. */
export type SearchedGrades = {
  /** Plies looked ahead. */
  depth?: number,
  /** Monte Carlo rounds. */
  mcts?: number,
  /** The plies after which the network judges them. */
  ept?: number,
  /** Points as a share of all that can be had; where there are none, the share of all positions. */
  grade: number,
  /** The lower end of the 95 % interval of that share, over such positions; where there are points, they have theirs. */
  grade_low?: number,
  /** The upper end. */
  grade_high?: number,
  /** Points of all suites. */
  points?: number,
  /** The lower end of their 95 % interval, over such positions. */
  points_low?: number,
  /** The upper end. */
  points_high?: number,
} & ({ [key in "sk" | "mk" | "sp" | "mp" | "quiet" | "captures"]?: number });

/** A game as a page draws it. */
export type ShownGame = {
  /** The game's name. */
  game: string,
  /** The position it began with. */
  start: string,
  /** The position, in the game's notation. */
  position: string,
  /** The position drawn with characters. */
  diagram: string,
  /** The side to move. */
  side: Side,
  /** The legal moves in the game's notation; empty where there are more than 300 of them. */
  moves: Array<string>,
  /** The number of legal moves. */
  legal: number,
  /** The moves so far, as records of whole games write them. */
  written: Array<string>,
  /** `first`, `second` or `draw`; null while the game goes on. */
  outcome: Side | "draw" | null,
  /** Why the game is over, in a sentence. */
  why: string | null,
  /** The whole game as PGN or PDN, where the game has such a form. */
  record: string | null,
};

/** One of the two sides: `First` makes the first move of a game. */
export type Side = "first" | "second";

/** A small curve: grades where there are any, else scores. */
export type SmallCurve = {
  /** `grade` or `score`. */
  what: string,
  /** Evenly spread, the newest last. */
  values: Array<number>,
};

/** Sizes of one species. */
export type SpeciesSizes = {
  /** Its number. */
  id: number,
  /** The generation in which it came up. */
  born: number,
  /** The place of its first size among the generations. */
  from: number,
  /** Its sizes, from there until it is gone. */
  sizes: Array<number>,
};

/** A training that has begun. */
export type Started = {
  /** The run's name. */
  name: string,
};

/** A game with all its positions. */
export type SteppedGame = {
  /** The game's name. */
  game: string,
  /** What it is called in a list. */
  title: string,
  /** Who played the first side, and who the second. */
  players: [string, string],
  /** The position it began with. */
  start: string,
  /** Whose turn it was there. */
  side: Side,
  /** `first`, `second` or `draw`; nothing where it goes on, or nobody knows. */
  outcome: Side | "draw" | null,
  /** What was attempted at the end, and lost. */
  illegal: string | null,
  /** What its file says of it. */
  tags: Array<[string, string]>,
  /** What is wrong with it; it is shown as far as it can be played. */
  problem: string | null,
  /** In the game's notation. */
  moves: Array<string>,
  /** As records of whole games write them. */
  written: Array<string>,
  /** Before each move, and behind the last. */
  positions: Array<string>,
};

/** Sizes of all species at some generations. */
export type StreamOfSpecies = {
  /** The generations. */
  generation: Array<number>,
  /** The species, in the order in which they came up. */
  species: Array<SpeciesSizes>,
};

/** A set of test positions that all ask for the same. */
export type Suite = "sk" | "mk" | "sp" | "mp" | "quiet" | "captures";

/** The shares of test positions solved. */
export type TacticsExam = {
  /** How many test positions there were. */
  positions: number,
  /** The same network with search. */
  searched?: Array<SearchedGrades>,
  /** The share of moves that keep what endgame tables promise, where they were asked. */
  endgames?: number,
  /** Points as a share of all that can be had; where there are none, the share of all positions. */
  grade: number,
  /** The lower end of the 95 % interval of that share, over such positions; where there are points, they have theirs. */
  grade_low?: number,
  /** The upper end. */
  grade_high?: number,
  /** Points of all suites. */
  points?: number,
  /** The lower end of their 95 % interval, over such positions. */
  points_low?: number,
  /** The upper end. */
  points_high?: number,
} & ({ [key in "sk" | "mk" | "sp" | "mp" | "quiet" | "captures"]?: number });

/** Shares of each suite that were solved, and what they come to. */
export type TacticsGrades = {
  /** Points as a share of all that can be had; where there are none, the share of all positions. */
  grade: number,
  /** The lower end of the 95 % interval of that share, over such positions; where there are points, they have theirs. */
  grade_low?: number,
  /** The upper end. */
  grade_high?: number,
  /** Points of all suites. */
  points?: number,
  /** The lower end of their 95 % interval, over such positions. */
  points_low?: number,
  /** The upper end. */
  points_high?: number,
} & ({ [key in "sk" | "mk" | "sp" | "mp" | "quiet" | "captures"]?: number });

/** What to train. */
export type TrainAsked = {
  /** The experiment's name. */
  experiment: string,
  /** The experiment's text. */
  toml: string,
  /** The run's name; where it is null or empty, one is made of the experiment's. */
  name: string | null,
};

/** The shares of perfect moves. */
export type Truth = {
  /** Over every position that can come up, each counted once. */
  all_positions: number,
  /** Over the positions that the player meets when it plays against itself, as often as it meets them. */
  on_policy: number,
  /** How many positions the first grade is made of. */
  positions: number,
  /** Whether those are a sample, drawn by a fixed seed because there are too many. */
  sampled: boolean,
};

/** What a measure is counted in. */
export type Unit = "share" | "result" | "score" | "mean" | "count";

/** A game to be remarked on. */
export type Valued = {
  /** The game's name. */
  game: string,
  /** Overrides of the setup: `KEY=VALUE`. */
  setup: Array<string>,
  /** The position it begins with. */
  start: string,
  /** Its moves, in the game's notation. */
  moves: Array<string>,
  /** The player whose values they are. */
  player: string,
};

/** A network and what it looks at. */
export type ValuesAsked = {
  /** The player whose network it is. */
  player: string,
  /** The game's name. */
  game: string,
  /** Overrides of the setup: `KEY=VALUE`. */
  setup: Array<string>,
  /** The position, in the game's notation. */
  position: string,
};
