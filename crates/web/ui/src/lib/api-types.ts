// The requests and answers of the server. Generated from the Rust types by `UPDATE=1 cargo test -p gamete-web api_types`:
// change them, not this file.

/** Everything that pages offer as choices; it does not change while the server runs. */
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
  /** The experiments that are shipped with the program. */
  experiments: Array<ExperimentInfo>,
  /** All kinds of players. */
  kinds: Array<KindInfo>,
  /** The champions that are shipped with the program. */
  champions: Array<ChampionInfo>,
};

/** The ancestors of a champion, back to the first generation. */
export type Ancestry = {
  /** The number of genomes in the line of ancestors. */
  length: number,
  /** The genomes, beginning with the champion; if there are more than 500, evenly spaced ones. */
  line: Array<Birth>,
};

/** The opponent's answer. */
export type Answer = {
  /** The move that it made; null if it tried an illegal move, which loses the game. */
  move: string | null,
  /** The illegal move that it tried; null if its move was legal. */
  illegal: string | null,
  /** The game after the answer. */
  table: ShownGame,
};

/** A genome and its parents. */
export type Birth = {
  /** Its number, unique in the run. */
  genome: number,
  /** The generation in which it first played. */
  generation: number,
  /** Its parents: the one with the higher score first; the same number twice for a copy, 0 for none. */
  parents: [number, number],
  /** Its species at that time. */
  species: number,
};

/** A move that is proved to be worse than another. */
export type Blunder = {
  /** A better move, as PGN or PDN writes it. */
  better: string,
  /** What the move lost, as a sentence that begins with the move. */
  words: string,
};

/** The champion of a generation. */
export type Champion = {
  /** The generation. */
  generation: number,
  /** The champion's score. */
  score: number,
  /** The champion's grade; null if it took no exam. */
  grade: number | null,
  /** All grades of its exam by name; null if it took no exam. */
  exam: Exam | null,
  /** The number of nodes of each layer of its network. */
  layers: Array<number>,
  /** The number of hidden nodes of its network. */
  hidden: number,
  /** The number of edges of its network. */
  edges: number,
  /** The number of its genome; null if the strategy does not number genomes. */
  genome: number | null,
  /** The champion as a player, such as `run:NAME@7`. */
  player: string,
};

/** A champion that is shipped with the program. */
export type ChampionInfo = {
  /** The player, such as `champion:nim`. */
  player: string,
  /** How it looks ahead if nothing else is asked for, as options of a player; empty if it looks ahead as it was bred. */
  options: string,
  /** Its levels below its usual one, from weak to strong; empty if it has none. */
  levels: Array<string>,
  /** The command, with the seed, that trained the champion. */
  command: string,
  /** The game it plays. */
  game: string,
  /** A sentence about its strength. */
  about: string,
};

/** A request to set one parameter of an experiment. */
export type Change = {
  /** The experiment's name. */
  name: string,
  /** The experiment's text (TOML). */
  toml: string,
  /** The parameter's dotted path, such as `strategy.enn.population`. */
  key: string,
  /** The parameter's new value. */
  value: unknown,
};

/** A valid experiment: its text and its parameters. */
export type CheckedExperiment = {
  /** The experiment's name. */
  name: string,
  /** The description at the head of its text. */
  about: string,
  /** The experiment's text (TOML). */
  toml: string,
  /** All its parameters, in the order of the text. */
  parameters: Array<Parameter>,
};

/** A server with workers, as the page Runs shows it. */
export type ClusterState = {
  /** The server's address. */
  address: string,
  /** Whether the server answers. */
  connected: boolean,
  /** The workers, by name. */
  workers: Array<ClusterWorker>,
  /** The number of tasks that no worker has. */
  waiting: number,
  /** The number of tasks that workers have. */
  begun: number,
  /** The number of these tasks that were given to a worker again, because the first one did not finish them. */
  again: number,
};

/** A worker, as the page Runs shows it. */
export type ClusterWorker = {
  /** Its name. */
  name: string,
  /** The number of its threads. */
  threads: number,
  /** The number of cores of its machine. */
  cores: number,
  /** The names of the tasks that it works on. */
  doing: Array<string>,
  /** The number of tasks that it has finished. */
  tasks: number,
  /** The number of games for trainings that it plays in a second. */
  games_per_second: number,
  /** Its last error; `None` if there was none. */
  error: string | null,
};

/** The curve of one measure, by point. `None` means that no generation of the point has a value. */
export type Curve = {
  /** The mean over the generations of each point. */
  mean: Array<number | null>,
  /** The smallest value in each point. */
  low: Array<number | null>,
  /** The largest value in each point. */
  high: Array<number | null>,
};

/** The curves of all plotted measures over a part of a run. Each point combines `stride` generations. */
export type Curves = {
  /** The number of generations in each point. */
  stride: number,
  /** The number of the first point in this part, counted from 0 at the beginning of the run. */
  from: number,
  /** The last generation of each point. */
  generation: Array<number>,
  /** The curves, by the measure's key. */
  series: Record<string, Curve>,
};

/** An edge. */
export type DrawnEdge = {
  /** The number of the node from which it comes. */
  from: number,
  /** The number of the node to which it leads. */
  to: number,
  /** The weight: the factor for the value of the node from which it comes. */
  weight: number,
  /** Whether it leads directly from an input to an output. If there are many such edges, they get a drawing of their
   * own. */
  direct: boolean,
};

/** A node and its position. */
export type DrawnNode = {
  /** The node's number. */
  id: number,
  /** Whether it is an input, a hidden node or an output. */
  kind: NodeKind,
  /** The number of its layer; inputs are in layer 0. */
  layer: number,
  /** The horizontal position, from 0 (left) to 1 (right). */
  x: number,
  /** The vertical position, from 0 (top) to 1 (bottom). */
  y: number,
  /** The node's name. Inputs and outputs are named in the words of the game. */
  label: string,
  /** The bias; `None` for inputs. */
  bias: number | null,
  /** The name of the activation function; `None` for inputs. */
  activation: string | null,
};

/** A request to check an edited experiment. */
export type Edited = {
  /** The experiment's name. */
  name: string,
  /** The experiment's text (TOML). */
  toml: string,
};

/** Something that can be chosen by name. */
export type Entry = {
  /** The name that users type. */
  name: string,
  /** One sentence about it. */
  about: string,
};

/** The result of an exam. All grades are shares from 0 to 1. */
export type Exam = Truth | TacticsExam;

/** A request to examine a player. */
export type ExamAsked = {
  /** The player, written as on the command line. */
  player: string,
  /** The game's name; needed if the player can play several games. */
  game: string | null,
};

/** The result of an exam. */
export type Examined = {
  /** The player, as in the request. */
  player: string,
  /** The game's name. */
  game: string,
  /** All grades by name. */
  exam: Exam,
  /** The number of positions in which it failed; `failures` lists at most 500 of them. */
  failed: number,
  /** Positions in which it failed. */
  failures: Array<Failure>,
};

/** An experiment that is shipped with the program. */
export type ExperimentInfo = {
  /** The experiment's name. */
  name: string,
  /** The description at the head of its text. */
  about: string,
  /** The game's name. */
  game: string,
  /** The strategy's name. */
  strategy: string,
};

/** A position that was not solved. */
export type Failure = {
  /** The name of the suite; [`Failure::PLAY`] if a solver grades every move. */
  suite: string,
  /** The position. */
  position: string,
  /** The side to move. */
  side: Side,
  /** The move that was played, or the illegal attempt. */
  played: string,
  /** Whether it is legal. */
  legal: boolean,
  /** The right moves. */
  right: Array<string>,
};

/** A match of the last champion. */
export type Final = {
  /** The opponent: a player, or the champion of an earlier generation. */
  opponent: string,
  /** The number of games won. */
  wins: number,
  /** The number of games drawn. */
  draws: number,
  /** The number of games lost. */
  losses: number,
  /** The share of points, from 0 to 1. */
  score: number,
  /** The difference in Elo; `None` at 0 or 100 %. */
  elo: number | null,
  /** The lower end of the 95 % interval. */
  elo_low: number | null,
  /** The upper end of the 95 % interval. */
  elo_high: number | null,
  /** The number of games played. */
  games: number,
};

/** A description of a game. */
export type GameInfo = {
  /** The name that users type. */
  name: string,
  /** One sentence about the rules. */
  about: string,
  /** The names of the sides; the first one moves first. */
  sides: [string, string],
  /** The name of the file format for whole games, if there is one. */
  record: string | null,
  /** Whether the game has pieces to count. */
  has_material: boolean,
  /** Whether the whole game is solved in its usual setup. */
  solved: boolean,
  /** Whether there are endgame tables. */
  has_endgames: boolean,
  /** The usual setup. */
  setup: Record<string, unknown>,
};

/** The game of a match that is being played. */
export type GameNow = {
  /** The place of its pair of players in the list of pairs. */
  pair: number,
  /** Its number among the games of the pair, from 0. */
  number: number,
};

/** A finished game of a match, without its moves. */
export type GameOfMatch = {
  /** Its number among the games of the pair, from 0. In games with even numbers, the first player has the first side. */
  number: number,
  /** The number of moves, without the random ones at the beginning. */
  plies: number,
  /** `first`, `second` or `draw`. */
  outcome: Side | "draw",
};

/** A best move, or a sentence that says why there is none. */
export type HintAnswer = {
  /** The move; null if no solver, endgame table or material search knows one. */
  move: string | null,
  /** What is known about the move, in a sentence. */
  words: string,
};

/** The games that a run file keeps of one generation. */
export type KeptGames = {
  /** The generation; `None` if the run keeps no games. */
  generation: number | null,
  /** The first generation with kept games. */
  first: number | null,
  /** The last generation with kept games. */
  last: number | null,
  /** The games. */
  games: Array<SteppedGame>,
};

/** The kind of a parameter's value. */
export type Kind = "whole" | "number" | "switch" | "choice" | "text" | "numbers";

/** The description of a kind of players, for lists and the web app. */
export type KindInfo = {
  /** The name people type. */
  name: string,
  /** The name of the argument after the colon, such as `DEPTH`; empty if the kind has none. */
  argument: string,
  /** The bounds of the argument; `None` if it is not a number. */
  number: NumberInfo | null,
  /** An explanation in one line, for lists. */
  about: string,
  /** The name of the kind where a visitor of the web app chooses a player. */
  label: string,
  /** The name of a player of this kind within a sentence of the web app; `{}` stands for the argument. */
  title: string,
  /** The keys of the options that this kind takes. */
  options: Array<string>,
  /** What a game must have so that this kind can play it. */
  needs: Needs,
  /** Whether its players have an opinion of positions. */
  has_values: boolean,
  /** Whether its players have a network that can be shown. */
  has_network: boolean,
  /** Whether the argument is a command, in which commas within quotation marks belong to the command. */
  is_command: boolean,
  /** Whether visitors of the web app may use it. It must be `false` if the kind reads files or starts programs that a
   * visitor names. */
  in_pages: boolean,
};

/** A lab in a list. It is a comparison of many runs, several populations of one experiment, or a tuning. */
export type LabCard = {
  /** The name of the lab's folder. */
  name: string,
  /** The question that the lab answers. */
  about: string,
  /** Which command made the lab. */
  kind: LabKind,
  /** The number of its runs. */
  members: number,
  /** The number of runs that are finished. */
  finished: number,
  /** The number of runs that are being trained. */
  running: number,
};

/** The command that made a lab. */
export type LabKind = "lab" | "populations" | "tuning";

/** A figure as an SVG picture. */
export type LiveFigure = {
  /** The title. */
  title: string,
  /** The caption: units, seeds, and what is drawn. */
  caption: string,
  /** The picture, without title and caption. */
  svg: string,
};

/** A group of configurations, as of now. */
export type LiveGroup = {
  /** The group's name. */
  name: string,
  /** The group's figures. */
  figures: Array<LiveFigure>,
  /** The group's tables; the table of costs is the last. */
  tables: Array<LiveTable>,
};

/** A move and its value for the side that makes it. */
export type LiveMove = {
  /** The move in the game's notation. */
  move: string,
  /** The move as PGN or PDN writes it. */
  written: string,
  /** From −1 (lost) to 1 (won); networks with unbounded outputs may go beyond. */
  value: number,
  /** The number of plies to the end, if the end is certain. */
  ends_in: number | null,
  /** The number of visits in the search tree, if they were counted. */
  visits: number | null,
};

/** The report of a lab, as of now. */
export type LiveReport = {
  /** The lab's name. */
  lab: string,
  /** The question that the lab answers. */
  about: string,
  /** The number of members in each state: `finished`, `running`, and so on. */
  states: Array<[string, number]>,
  /** Members that failed, each with the reason. */
  problems: Array<string>,
  /** The groups; empty while no member has played a generation. */
  groups: Array<LiveGroup>,
};

/** A table as HTML. */
export type LiveTable = {
  /** The title. */
  title: string,
  /** The caption: units, seeds, and the meaning of the columns. */
  caption: string,
  /** The heads and rows, as in the written report. */
  html: string,
};

/** The match to play: between two players, or a round robin of more. */
export type MatchAsked = {
  /** The game's name. */
  game: string,
  /** The players, written as on the command line. */
  players: Array<string>,
  /** The number of games of each pair; it must be even. */
  games: number,
  /** The number of random plies before each game; null for the best number for the game. */
  plies: number | null,
  /** The seed of all random numbers. */
  seed: number,
};

/** The finished games of two players. */
export type MatchGames = {
  /** The games, in the order of their numbers. */
  games: Array<GameOfMatch>,
  /** The number of games that are not kept, because there are too many of them. */
  dropped: number,
};

/** Says that a match does not exist any more. */
export type MatchGone = {
  /** The number in the request. */
  id: string,
  /** Why the match cannot be shown. */
  error: string,
};

/** A match or round robin with its progress. */
export type MatchReport = {
  /** The match's number. */
  id: number,
  /** The game's name. */
  game: string,
  /** The players, as the request named them. */
  players: Array<string>,
  /** The number of games of each pair. */
  games: number,
  /** The number of random plies before each game; null until it is known. */
  plies: number | null,
  /** The seed of all random numbers. */
  seed: number,
  /** The number of games played. */
  done: number,
  /** The number of all games. */
  all: number,
  /** The state of the match. */
  state: MatchState,
  /** The game that is being played; null if none is. */
  now: GameNow | null,
  /** Why the match failed; null if it did not. */
  error: string | null,
  /** All pairs of players, with the score of the first player of each. */
  pairs: Array<PairScore>,
  /** The strengths on one Elo scale; null unless it is a finished round robin. */
  ratings: Array<RatedPlayer> | null,
};

/** The answer to a request that started a match. */
export type MatchStarted = {
  /** The match's number. */
  id: number,
};

/** The state of a match. */
export type MatchState = "playing" | "finished" | "cancelled" | "failed";

/** One measure: its name, its unit, where it is shown, and where its value comes from. */
export type Measure = {
  /** The name in lab files and in JSON. */
  key: string,
  /** A title of one to four words. */
  name: string,
  /** A description for axes, tables and captions. */
  words: string,
  /** An explanation in one sentence. */
  about: string,
  /** The unit of the values. */
  unit: Unit,
  /** Whether a larger value is better. */
  more_is_better: boolean,
  /** The title of the plot on a run's page that shows its curve; measures with the same title share a plot. */
  plot: string | null,
};

/** A request to measure the Elo of a run's champions. */
export type MeasureAsked = {
  /** The number of plies that champions look ahead; null for as many as in training. */
  depth: number | null,
  /** The number of games of each match. */
  games: number,
  /** The number of champions that take part. */
  champions: number,
};

/** What a game must have so that a kind of players can play it. */
export type Needs = "nothing" | "solver" | "pieces";

/** A network with a position for each node. */
export type NetworkDrawing = {
  /** The game that the network plays. */
  game: string,
  /** A sentence about where the network comes from. */
  origin: string,
  /** A sentence about how positions become inputs. */
  sight: string,
  /** The inputs, then the hidden nodes, then the outputs. A node's number is its index here. */
  nodes: Array<DrawnNode>,
  /** The edges, ordered by the node to which they lead. */
  edges: Array<DrawnEdge>,
  /** The number of nodes in each layer, inputs first. */
  layers: Array<number>,
  /** The largest absolute weight. */
  most: number,
  /** The number of edges that are not drawn. If there are too many, the weakest are left out. */
  left_out: number,
};

/** The kind of a node. */
export type NodeKind = "input" | "hidden" | "output";

/** The values of a network's nodes in a position. */
export type NodeValues = {
  /** The value of every node, in the order of the drawing. */
  values: Array<number>,
};

/** An argument that is a whole number. */
export type NumberInfo = {
  /** What the number counts, such as `plies`. */
  counts: string,
  /** The smallest number. */
  least: number,
  /** The largest number. */
  most: number,
  /** A usual number, for forms and examples. */
  usual: number,
};

/** What the opponent thinks of a position, for the side to move. */
export type Opinion = {
  /** The value of the position; null if the opponent has none. */
  value: Outlook | null,
  /** The line that it expects (principal variation), in the notation of game records. */
  line: Array<string>,
  /** The values of the moves, the best first. */
  moves: Array<LiveMove>,
  /** A sentence that explains missing values; null if there is nothing to explain. */
  note: string | null,
};

/** One value within an opinion. */
export type Outlook = {
  /** From −1 (lost) to 1 (won); networks with unbounded outputs may go beyond. */
  value: number,
  /** The number of plies to the end, if the end is certain. */
  ends_in: number | null,
  /** The number of visits in the search tree, if they were counted. */
  visits: number | null,
};

/** The speed of the machine on which the server runs. */
export type Pace = {
  /** How many times as fast one of its cores is as one on which the ready trainings take their written times. */
  speed: number,
  /** Microseconds of processor time that a network took for a position in the measurement. */
  microseconds: number,
  /** The number of threads of a training. */
  threads: number,
};

/** The score of the first player of a pair against the second. */
export type PairScore = {
  /** The first player's place in the list of players. */
  one: number,
  /** The second player's place. */
  two: number,
  /** The number of games won. */
  wins: number,
  /** The number of games drawn. */
  draws: number,
  /** The number of games lost. */
  losses: number,
  /** The share of points, from 0 to 1. */
  score: number,
  /** The most likely difference. */
  elo: number | null,
  /** The lower end. */
  elo_low: number | null,
  /** The upper end. */
  elo_high: number | null,
};

/** A parameter of an experiment: its meaning, its bounds and its value. */
export type Parameter = {
  /** The dotted path, such as `strategy.enn.population`. */
  key: string,
  /** What it means, in one phrase. */
  about: string,
  /** The kind of value. */
  kind: Kind,
  /** Its present value. */
  value: unknown,
  /** The least value, or the least for each number of a list. `about` says if the bound itself is excluded. */
  min: number | null,
  /** The greatest value, or the greatest for each number of a list. */
  max: number | null,
  /** The names to choose from; empty if the parameter is not a choice. */
  choices: Array<Entry>,
};

/** A request to read a file of games. */
export type Pasted = {
  /** The text of the file, PGN or PDN. */
  text: string,
  /** The game's name; needed if the file does not name it. */
  game: string | null,
};

/** A game, given by its start and all its moves; the server stores no games. */
export type Play = {
  /** The game's name. */
  game: string,
  /** Changes to the setup, each as `KEY=VALUE`. The setup is the usual one, or the one of the opponent's training. */
  setup: Array<string>,
  /** The opponent as on the command line, such as `champion:nim`, `run:NAME@7,depth=4` or `mcts:500`; null for no
   * opponent. */
  against: string | null,
  /** The position in which the game begins; null for a start of the setup, chosen by the seed. */
  start: string | null,
  /** The moves so far, in the game's notation. */
  moves: Array<string>,
  /** The seed of all random numbers. */
  seed: number,
  /** The side that the person plays, for the names in the game record. */
  person: Side | null,
};

/** The progress of a number of games. */
export type Played = {
  /** Games played. */
  done: number,
  /** All games. */
  games: number,
};

/** A champion's strength. */
export type RatedChampion = {
  /** The champion's generation. */
  generation: number,
  /** The most likely difference. */
  elo: number | null,
  /** The lower end. */
  elo_low: number | null,
  /** The upper end. */
  elo_high: number | null,
};

/** The strength of a player. */
export type RatedPlayer = {
  /** The player's place in the list of players. */
  player: number,
  /** The most likely difference. */
  elo: number | null,
  /** The lower end. */
  elo_low: number | null,
  /** The upper end. */
  elo_high: number | null,
};

/** The strength of a yardstick: a player that does not learn. */
export type RatedYardstick = {
  /** The player's name. */
  player: string,
  /** The most likely difference. */
  elo: number | null,
  /** The lower end. */
  elo_low: number | null,
  /** The upper end. */
  elo_high: number | null,
};

/** A difference in strength on the Elo scale, with its 95 % interval; `None` means that there is no bound. */
export type Rating = {
  /** The most likely difference. */
  elo: number | null,
  /** The lower end. */
  elo_low: number | null,
  /** The upper end. */
  elo_high: number | null,
};

/** Strengths on one Elo scale, as they are saved in a run file. */
export type Ratings = {
  /** Champions of several generations. */
  champions: Array<RatedChampion>,
  /** Players that do not learn, `random` first. */
  yardsticks: Array<RatedYardstick>,
  /** The number of plies that champions looked ahead; `None` if they played as they were bred. */
  depth: number | null,
  /** The number of games between each two players. */
  games_each: number,
};

/** The games of a file. */
export type ReadGames = {
  /** At most the first 200 games. */
  games: Array<SteppedGame>,
  /** What `1-0` means in this file; null if it always means the same in this game. */
  meaning: string | null,
  /** A sentence that says that not all games are shown; null if all are. */
  note: string | null,
};

/** Why a request is refused. */
export type Refusal = {
  /** One sentence that says what is wrong. */
  error: string,
};

/** A remark on a position and on the move that led to it. */
export type Remark = {
  /** The number of moves from the start to the position. */
  ply: number,
  /** The value of the position for the first side, from −1 (lost) to 1 (won); `None` if the player has no opinion. */
  value: number | null,
  /** Whether the value is an unscaled output of a network: a larger one is better, but its size means nothing else. */
  bare: boolean,
  /** The number of plies to the end, if the end is certain. */
  ends_in: number | null,
  /** The move that the player would make, as PGN or PDN writes it. */
  best: string | null,
  /** What was wrong with the move that led to the position, if it was a blunder. */
  blunder: Blunder | null,
};

/** A request to resume a run. */
export type ResumeAsked = {
  /** The new number of generations in all; null keeps the number as it is. */
  generations: number | null,
};

/** A run in the list. */
export type RunCard = {
  /** The run's name. */
  name: string,
  /** Why the run's file cannot be read; then all other fields are empty. Null if it can be read. */
  error: string | null,
  /** The game's name. */
  game: string,
  /** The strategy's name. */
  strategy: string,
  /** The experiment's name. */
  experiment: string,
  /** The seed of all random numbers. */
  seed: number,
  /** The number of generations that it has. */
  generation: number,
  /** The number of generations after which it ends. */
  generations: number,
  /** The grade of the newest exam, from 0 to 1. */
  grade: number | null,
  /** The generation of that exam, if it is not the newest generation; otherwise null. */
  older_exam: number | null,
  /** The score of the newest champion. */
  score: number | null,
  /** `training`, `stopping`, `finals` or `paused`; otherwise why it stopped: `solved`, `strength`, `generations`, `time`,
   * `interrupted` or `killed`; `broken` if its file cannot be read. */
  state: string,
  /** Whether this server trains the run, so that it can be paused and stopped here. */
  here: boolean,
  /** When the run was created, in seconds since 1970. */
  created: number,
  /** A small curve of its grades or scores. */
  curve: SmallCurve,
  /** Generations per second, while it trains; otherwise null. */
  rate: number | null,
  /** The seconds that are left at this rate. */
  left: number | null,
  /** The progress of the last champion's final games, while they are played. */
  finals: Played | null,
  /** Why its last training in this server failed. */
  failed: string | null,
};

/** Everything that the page of a run shows except its curves. */
export type RunDetail = {
  /** The same run as lists show it. */
  card: RunCard,
  /** All parameters, as TOML. */
  parameters: string,
  /** The command that makes the same run. */
  command: string,
  /** The first generation whose champion played a perfect move in every position; null if there is none. */
  first_solved: number | null,
  /** The number of hidden nodes of the newest champion. */
  hidden: number | null,
  /** The number of edges of the newest champion. */
  edges: number | null,
  /** Seconds of training (wall time). */
  seconds: number,
  /** Seconds of processor time. */
  cpu_seconds: number,
  /** The number of games played for scores. */
  games: number,
  /** The number of positions judged by networks. */
  evaluations: number,
  /** A hash of the run's whole history. Runs with equal signatures are equal. */
  signature: string | null,
  /** The final matches of the last champion. */
  finals: Array<Final>,
  /** The strengths of champions on one Elo scale; null if they were not measured. */
  ratings: Ratings | null,
  /** The progress of a measurement of strengths in this server; null if there is none. */
  growth: Played | null,
  /** Why the last measurement failed. */
  growth_failed: string | null,
};

/** Says that a run was removed or cannot be read. It may come back. */
export type RunGone = {
  /** The run's name. */
  name: string,
  /** Why the run cannot be shown; only sent to pages that watch this one run. */
  error?: string | null,
};

/** Grades with alpha-beta search or with Monte Carlo tree search. */
export type SearchedGrades = {
  /** The search depth in plies. */
  depth?: number,
  /** The number of Monte Carlo rounds. */
  mcts?: number,
  /** The number of plies after which the network evaluates a playout. */
  ept?: number,
  /** How often a search two plies deeper chooses the same move. */
  consistency?: number,
  /** Points as a share of the maximum; if suites have no points, the share of all positions. */
  grade: number,
  /** The lower end of the grade's 95 % interval; `None` if suites have points, which have an interval of their own. */
  grade_low?: number,
  /** The upper end. */
  grade_high?: number,
  /** Points of all suites together. */
  points?: number,
  /** The lower end of the 95 % interval of the points. */
  points_low?: number,
  /** The upper end. */
  points_high?: number,
} & ({ [key in "sk" | "mk" | "sp" | "mp" | "quiet" | "captures"]?: number });

/** A game as pages show it. */
export type ShownGame = {
  /** The game's name. */
  game: string,
  /** The position in which the game began. */
  start: string,
  /** The current position, in the game's notation. */
  position: string,
  /** The position as a text diagram. */
  diagram: string,
  /** The side to move. */
  side: Side,
  /** The legal moves in the game's notation; empty if there are more than 300. */
  moves: Array<string>,
  /** The number of legal moves. */
  legal: number,
  /** The moves so far, in the notation of game records. */
  written: Array<string>,
  /** `first`, `second` or `draw`; null while the game goes on. */
  outcome: Side | "draw" | null,
  /** Why the game is over, in a sentence. */
  why: string | null,
  /** The game record as PGN or PDN; null if the game has neither. */
  record: string | null,
};

/** One of the two sides: `First` makes the first move of a game. */
export type Side = "first" | "second";

/** A small curve: of grades if there are any, otherwise of scores. */
export type SmallCurve = {
  /** `grade` or `score`. */
  what: string,
  /** Values at evenly spread generations, the newest last. */
  values: Array<number>,
};

/** The sizes of one species. */
export type SpeciesSizes = {
  /** The number of the species. */
  id: number,
  /** The generation in which the species appeared. */
  born: number,
  /** The index of its first size in [`StreamOfSpecies::generation`]. */
  from: number,
  /** Its sizes from there on, until the species has died out. */
  sizes: Array<number>,
};

/** The answer to a request that started a training. */
export type Started = {
  /** The run's name. */
  name: string,
};

/** A game with all its positions. */
export type SteppedGame = {
  /** The game's name. */
  game: string,
  /** The title of this game in a list. */
  title: string,
  /** The players of the first and the second side. */
  players: [string, string],
  /** The position in which the game began. */
  start: string,
  /** The side to move in that position. */
  side: Side,
  /** `first`, `second` or `draw`; `None` if the game is not over or its outcome is not known. */
  outcome: Side | "draw" | null,
  /** The illegal attempt that lost the game, if there was one. */
  illegal: string | null,
  /** The tags of the game in its file, by name and value. */
  tags: Array<[string, string]>,
  /** What is wrong with the game, if something is. It is shown up to the first move that cannot be played. */
  problem: string | null,
  /** The moves in the game's notation. */
  moves: Array<string>,
  /** The moves as PGN or PDN writes them. */
  written: Array<string>,
  /** The positions before each move and after the last one. */
  positions: Array<string>,
};

/** The sizes of all species in some generations. */
export type StreamOfSpecies = {
  /** The numbers of the generations. */
  generation: Array<number>,
  /** The species, in the order in which they appeared. */
  species: Array<SpeciesSizes>,
};

/** A set of test positions that all ask for the same thing. */
export type Suite = "sk" | "mk" | "sp" | "mp" | "quiet" | "captures";

/** The shares of test positions that were solved. */
export type TacticsExam = {
  /** The number of test positions. */
  positions: number,
  /** How often the network without search chooses the same move as with a search of two plies; `None` if that was not
   * asked. */
  consistency?: number,
  /** The mean of a position's value and its value with the other side to move; `None` if that was not asked. */
  value_of_turn?: number,
  /** Grades of the same network with search. */
  searched?: Array<SearchedGrades>,
  /** The share of moves that keep the result given by endgame tables; `None` if they were not used. */
  endgames?: number,
  /** Points as a share of the maximum; if suites have no points, the share of all positions. */
  grade: number,
  /** The lower end of the grade's 95 % interval; `None` if suites have points, which have an interval of their own. */
  grade_low?: number,
  /** The upper end. */
  grade_high?: number,
  /** Points of all suites together. */
  points?: number,
  /** The lower end of the 95 % interval of the points. */
  points_low?: number,
  /** The upper end. */
  points_high?: number,
} & ({ [key in "sk" | "mk" | "sp" | "mp" | "quiet" | "captures"]?: number });

/** The shares of solved positions in each suite, and the grade over all suites. */
export type TacticsGrades = {
  /** Points as a share of the maximum; if suites have no points, the share of all positions. */
  grade: number,
  /** The lower end of the grade's 95 % interval; `None` if suites have points, which have an interval of their own. */
  grade_low?: number,
  /** The upper end. */
  grade_high?: number,
  /** Points of all suites together. */
  points?: number,
  /** The lower end of the 95 % interval of the points. */
  points_low?: number,
  /** The upper end. */
  points_high?: number,
} & ({ [key in "sk" | "mk" | "sp" | "mp" | "quiet" | "captures"]?: number });

/** A request to train an experiment. */
export type TrainAsked = {
  /** The experiment's name. */
  experiment: string,
  /** The experiment's text. */
  toml: string,
  /** The run's name; if it is null or empty, the name of the experiment and a number. */
  name: string | null,
};

/** The shares of perfect moves. */
export type Truth = {
  /** Over every position that can occur, each counted once. */
  all_positions: number,
  /** Over the positions that the player meets in games against itself, counted as often as it meets them. */
  on_policy: number,
  /** The number of positions in the first grade. */
  positions: number,
  /** Whether these positions are a sample, drawn with a fixed seed because there are too many. */
  sampled: boolean,
};

/** A turn of a player, and the value of the position before it. */
export type Turn = {
  /** The value for the side whose turn it was; null if the judge gives no value here. */
  value: Outlook | null,
  /** The move that it made; null if it tried an illegal move, which loses the game. */
  move: string | null,
  /** The illegal move that it tried; null if its move was legal. */
  illegal: string | null,
  /** The game after the answer. */
  table: ShownGame,
};

/** One turn of a game that a page shows between two players. */
export type TurnAsked = {
  /** The game so far; `against` is the player whose turn it is. */
  play: Play,
  /** The player that gives the value of the position, such as `perfect`; null for the player whose turn it is. */
  judge: string | null,
};

/** The unit of a measure. */
export type Unit = "share" | "result" | "score" | "mean" | "count" | "elo";

/** A request for remarks on a game. */
export type Valued = {
  /** The game's name. */
  game: string,
  /** Changes to the setup, each as `KEY=VALUE`. */
  setup: Array<string>,
  /** The position in which the game begins. */
  start: string,
  /** Its moves, in the game's notation. */
  moves: Array<string>,
  /** The player that judges the positions. */
  player: string,
};

/** A request for the values of a network's nodes in a position. */
export type ValuesAsked = {
  /** The player whose network is used. */
  player: string,
  /** The game's name. */
  game: string,
  /** Changes to the setup, each as `KEY=VALUE`. */
  setup: Array<string>,
  /** The position, in the game's notation. */
  position: string,
};
