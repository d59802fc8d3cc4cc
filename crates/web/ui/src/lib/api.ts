// What the server says and is asked: the one place that knows addresses and shapes.

/** Everything there is to choose from; does not change while the server runs. */
export interface About {
  version: string;
  runs_folder: string;
  games: GameInfo[];
  experiments: ExperimentInfo[];
  champions: ShippedChampion[];
}
export interface GameInfo {
  name: string;
  about: string;
  /** What the sides are called, the first to move first. */
  sides: [string, string];
  /** The form in which whole games are kept, if there is one. */
  record: 'pgn' | 'pdn' | null;
  /** Whether pieces can be counted, so that `material:DEPTH` can play. */
  has_material: boolean;
  /** Whether `perfect` can play from the usual start; endings only where it cannot. */
  solved: boolean;
  has_endgames: boolean;
  setup: Record<string, unknown>;
}
export interface ExperimentInfo {
  name: string;
  about: string;
  game: string;
  strategy: string;
}
export interface ShippedChampion {
  /** Such as `champion:nim`. */
  player: string;
  game: string;
  /** How it plays unless told otherwise, such as `depth=4`; empty when it plays alone. */
  options: string;
  about: string;
  /** What bred it. */
  command: string;
}

/** A side of the board. */
export type Side = 'first' | 'second';

/** A run in the list. */
export interface RunCard {
  name: string;
  /** Nothing else is filled in where this is. */
  error: string | null;
  game: string;
  strategy: string;
  experiment: string;
  seed: number;
  generation: number;
  /** How many generations it is to have. */
  generations: number;
  /** Of the newest exam, from 0 to 1. */
  grade: number | null;
  score: number | null;
  /** `training`, `stopping`, `finals`, `paused`; else why it stopped: `solved`, `generations`, `time`, `interrupted`, `killed`. */
  state: string;
  /** Whether this server trains it, so that it can be paused and stopped here. */
  here: boolean;
  /** Seconds since 1970. */
  created: number;
  /** A small curve: grades where there are any, else scores. */
  curve: { what: 'grade' | 'score'; values: number[] };
  /** Generations a second, while it trains. */
  rate: number | null;
  /** Seconds that are left at this rate. */
  left: number | null;
  /** Games of the last champion, while they are played. */
  finals: { done: number; games: number } | null;
  /** Why this server's last training of it failed. */
  failed: string | null;
}

/** What the page of a run knows beside its curves. */
export interface RunDetail {
  card: RunCard;
  /** All parameters, as TOML. */
  parameters: string;
  /** What makes the same run on the command line. */
  command: string;
  first_solved: number | null;
  /** Of the newest champion. */
  hidden: number | null;
  edges: number | null;
  seconds: number;
  cpu_seconds: number;
  games: number;
  evaluations: number;
  signature: string | null;
  finals: Final[];
  ratings: Ratings | null;
  /** A measurement of Elo under way here. */
  growth: { done: number; games: number } | null;
  /** Why the last one failed. */
  growth_failed: string | null;
}
export interface Final {
  opponent: string;
  wins: number;
  draws: number;
  losses: number;
  /** Share of the points, from 0 to 1. */
  score: number;
  elo: number | null;
  elo_low: number | null;
  elo_high: number | null;
}
/** Null where there is no bound. */
export interface Rated {
  elo: number | null;
  elo_low: number | null;
  elo_high: number | null;
}
export interface Ratings {
  champions: (Rated & { generation: number })[];
  yardsticks: (Rated & { player: string })[];
  depth: number | null;
  games_each: number;
}

/** The series of a run's curves. */
export const SERIES = ['grade', 'best_score', 'mean_score', 'past_share', 'growth', 'mean_turns', 'hidden', 'edges'] as const;
export type SeriesName = (typeof SERIES)[number];
/** Means over `stride` generations each, with the least and the greatest; where nothing was measured, null. */
export interface Series {
  mean: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
}
/** A part of the curves: it replaces everything from place `from` on. */
export interface Curves {
  stride: number;
  from: number;
  /** The last generation of each place. */
  generation: number[];
  series: Record<SeriesName, Series>;
}
/** Sizes of species at some generations; whole each time. */
export interface SpeciesStream {
  generation: number[];
  species: { id: number; born: number; /** Place of the first size in `generation`. */ from: number; sizes: number[] }[];
}
export interface Champion {
  generation: number;
  score: number;
  grade: number | null;
  /** All grades of the exam by name, where it took one. */
  exam: Record<string, unknown> | null;
  layers: number[];
  hidden: number;
  edges: number;
  genome: number | null;
  /** Such as `run:NAME@7`. */
  player: string;
}

/** An experiment: its text, and every parameter in it. */
export interface Experiment {
  name: string;
  about: string;
  toml: string;
  parameters: Parameter[];
}
export interface Parameter {
  /** The dotted path, such as `strategy.enn.population`. */
  key: string;
  about: string;
  kind: 'whole' | 'number' | 'switch' | 'choice' | 'text' | 'numbers';
  value: unknown;
  min: number | null;
  max: number | null;
  choices: { name: string; about: string }[];
}

/** A game as it stands, told by its beginning and its moves: the server keeps nothing. */
export interface Play {
  game: string;
  /** Overrides of the usual setup, or of the one the opponent was bred for: `KEY=VALUE`. */
  setup: string[];
  /** The opponent as it is named on the command line, such as `champion:nim`, `run:NAME@7,depth=4`, `mcts:500`; nobody when null. */
  against: string | null;
  /** The position it begins with; drawn by the setup and the seed when null. */
  start: string | null;
  moves: string[];
  seed: number;
  /** The side of the person, for the names in records. */
  person: Side | null;
}
export interface Table {
  game: string;
  /** The position it began with. */
  start: string;
  position: string;
  diagram: string;
  side: Side;
  /** Legal moves in the game's notation; empty where there are more than 300, then `legal` counts them. */
  moves: string[];
  legal: number;
  /** The moves so far, as records of whole games write them. */
  written: string[];
  outcome: Side | 'draw' | null;
  /** Why it is over, in a sentence. */
  why: string | null;
  /** The whole game as PGN or PDN, where there is such a form. */
  record: string | null;
}
export interface Answer {
  /** The move it made; null when it tried something illegal, and lost by it. */
  move: string | null;
  illegal: string | null;
  table: Table;
}
/** How somebody sees a position, for the side to move: from -1, lost, to 1, won. */
export interface Prospect {
  value: number;
  /** Plies to the end, where it is certain. */
  ends_in: number | null;
  /** How often Monte Carlo looked at it. */
  visits: number | null;
}
export interface View {
  /** Null where it has none, such as `random`. */
  value: Prospect | null;
  line: string[];
  /** The best first; `written` as records of whole games write it. */
  moves: ({ move: string; written: string } & Prospect)[];
  /** What there is to say instead or beside. */
  note: string | null;
}
export interface Hint {
  move: string | null;
  words: string;
}

/** A network with a place for each node. */
export interface NetworkDrawing {
  game: string;
  /** Where it comes from, in words. */
  origin: string;
  /** How positions become inputs, in a sentence. */
  sight: string;
  /** Inputs, hidden nodes, outputs; a node's number is its place here. */
  nodes: NetworkNode[];
  edges: NetworkEdge[];
  /** How many nodes each layer has, inputs first. */
  layers: number[];
  /** The greatest weight, whatever its sign. */
  most: number;
  /** How many edges are not drawn, the weakest, where there are too many. */
  left_out: number;
}
export interface NetworkNode {
  id: number;
  kind: 'input' | 'hidden' | 'output';
  layer: number;
  /** From 0, left and above, to 1, right and below. */
  x: number;
  y: number;
  /** What it is called: inputs and outputs in the game's words. */
  label: string;
  /** Inputs have neither. */
  bias: number | null;
  activation: string | null;
}
export interface NetworkEdge {
  from: number;
  to: number;
  weight: number;
  /** Whether it leads from an input straight to an output. */
  direct: boolean;
}
/** A champion's line back to the start, itself first; thinned where it is long. */
export interface Ancestry {
  length: number;
  line: { genome: number; /** In which it first played. */ generation: number; species: number; parents: [number, number] }[];
}
/** A whole game to step through. */
export interface SteppedGame {
  game: string;
  title: string;
  /** Who played the first side, and who the second. */
  players: [string, string];
  start: string;
  /** Whose turn it was at the start. */
  side: Side;
  moves: string[];
  /** The same as records of whole games write them. */
  written: string[];
  /** One more than moves; none where not even the start can be read. */
  positions: string[];
  outcome: Side | 'draw' | null;
  /** What was attempted at the end, and lost. */
  illegal: string | null;
  tags: [string, string][];
  /** What is wrong with it; it is told as far as it can be played. */
  problem: string | null;
}
/** Games that a run kept, of the last generation up to the one asked for; all null where it kept none. */
export interface KeptGames {
  generation: number | null;
  first: number | null;
  last: number | null;
  games: SteppedGame[];
}
export interface ReadGames {
  games: SteppedGame[];
  /** What `1-0` means in the file, where files differ. */
  meaning: string | null;
  note: string | null;
}
/** What there is to say of a position of a game, and of the move that led to it. */
export interface Remark {
  ply: number;
  /** For the first side, from -1 to 1. */
  value: number | null;
  /** Whether the value is a bare number of a network's, whose size means nothing but that more is better. */
  bare: boolean;
  ends_in: number | null;
  best: string | null;
  blunder: { better: string; words: string } | null;
}
export interface Remarked {
  game: string;
  setup: string[];
  start: string;
  moves: string[];
  player: string;
}
/** A position that somebody failed in an exam. */
export interface Failure {
  /** `play` where a solver grades every move. */
  suite: string;
  position: string;
  side: Side;
  played: string;
  /** Whether that can be played at all. */
  legal: boolean;
  right: string[];
}
export interface Examined {
  player: string;
  game: string;
  /** All grades by name. */
  exam: Record<string, unknown>;
  /** How many it failed; not more than some hundred are told. */
  failed: number;
  failures: Failure[];
}
/** What is to be played: two players, or a round robin of more. */
export interface ContestAsked {
  game: string;
  players: string[];
  /** Of each two; an even number. */
  games: number;
  /** Random plies before each game; as many as measure best when null. */
  plies: number | null;
  seed: number;
}
/** A match, or a round robin, as far as it is. */
export interface Contest extends ContestAsked {
  id: number;
  done: number;
  all: number;
  state: 'playing' | 'finished' | 'cancelled' | 'failed';
  error: string | null;
  /** Every two players by their places, and how it stands for the first of them. */
  pairs: (Rated & { one: number; two: number; wins: number; draws: number; losses: number; score: number })[];
  /** Of a round robin that is finished, on one scale; null where that cannot be told. */
  ratings: (Rated & { player: number })[] | null;
}

/** A lab in a list: many runs compared, several populations of one experiment, or settings tried out. */
export interface LabCard {
  name: string;
  about: string;
  kind: 'lab' | 'populations' | 'tuning';
  members: number;
  finished: number;
  running: number;
}

/** How a lab stands. */
export interface LabReport {
  lab: string;
  about: string;
  /** How many members are how. */
  states: [string, number][];
  problems: string[];
  groups: LabGroup[];
}

export interface LabGroup {
  name: string;
  figures: { title: string; caption: string; svg: string }[];
  tables: { title: string; caption: string; html: string }[];
}

/** A sentence from the server that says what is wrong. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, {
      method,
      signal: signal ?? null,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused('Gamete does not answer; is `gamete serve` still running?', 0);
  }
  if (!response.ok) {
    const said = (await response.json().catch(() => null)) as { error?: string } | null;
    throw new Refused(said?.error ?? `the server answered ${response.status}`, response.status);
  }
  return response;
}

async function ask<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const text = await (await send(method, path, body, signal)).text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

const run = (name: string) => `runs/${encodeURIComponent(name)}`;

export const api = {
  about: () => ask<About>('GET', 'about'),
  experiment: (name: string) => ask<Experiment>('GET', `experiments/${encodeURIComponent(name)}`),
  /** Checks a text; whatever is wrong with it is thrown. */
  check: (name: string, toml: string, signal?: AbortSignal) => ask<Experiment>('POST', 'experiments/check', { name, toml }, signal),
  /** The text with one parameter set to another value, comments kept. */
  set: (name: string, toml: string, key: string, value: unknown) => ask<Experiment>('POST', 'experiments/set', { name, toml, key, value }),
  /** Starts a training; the name of its run. */
  train: (experiment: string, toml: string, name: string | null) => ask<{ name: string }>('POST', 'runs', { experiment, toml, name }),
  pause: (name: string) => ask<void>('POST', `${run(name)}/pause`, {}),
  /** Goes on, to so many generations in all where that is given. */
  resume: (name: string, generations: number | null) => ask<void>('POST', `${run(name)}/resume`, { generations }),
  stop: (name: string) => ask<void>('POST', `${run(name)}/stop`, {}),
  remove: (name: string) => ask<void>('DELETE', run(name)),
  measure: (name: string, depth: number | null, games: number, champions: number) => ask<void>('POST', `${run(name)}/growth`, { depth, games, champions }),
  stopMeasuring: (name: string) => ask<void>('DELETE', `${run(name)}/growth`),
  /** The curves of a part of a run, in more detail. */
  curves: (name: string, from: number, to: number, signal?: AbortSignal) => ask<Curves>('GET', `${run(name)}/curves?from=${from}&to=${to}`, undefined, signal),
  champion: (name: string, generation: number, signal?: AbortSignal) => ask<Champion>('GET', `${run(name)}/champions/${generation}`, undefined, signal),
  /** Where a champion's network can be downloaded. */
  networkAddress: (name: string, generation: number) => `/api/${run(name)}/champions/${generation}/network`,
  /** The network of a player such as `champion:nim` or `run:NAME@7`; others have none. */
  network: (player: string, signal?: AbortSignal) => ask<NetworkDrawing>('GET', `network?player=${encodeURIComponent(player)}`, undefined, signal),
  /** What each of its nodes is worth in a position. */
  networkValues: (look: { player: string; game: string; setup: string[]; position: string }, signal?: AbortSignal) => ask<{ values: number[] }>('POST', 'network/values', look, signal),
  ancestry: (name: string, generation: number, signal?: AbortSignal) => ask<Ancestry>('GET', `${run(name)}/ancestry?generation=${generation}`, undefined, signal),
  labs: (signal?: AbortSignal) => ask<LabCard[]>('GET', 'labs', undefined, signal),
  lab: (name: string, signal?: AbortSignal) => ask<LabReport>('GET', `labs/${encodeURIComponent(name)}`, undefined, signal),
  /** All matches that the server remembers, the newest first. */
  contests: () => ask<Contest[]>('GET', 'matches'),
  startContest: (asked: ContestAsked) => ask<{ id: number }>('POST', 'matches', asked),
  /** Cancels what is played, and forgets what is over. */
  endContest: (id: number) => ask<void>('DELETE', `matches/${id}`),
  position: (play: Play, signal?: AbortSignal) => ask<Table>('POST', 'play/position', play, signal),
  answer: (play: Play, signal?: AbortSignal) => ask<Answer>('POST', 'play/answer', play, signal),
  view: (play: Play, signal?: AbortSignal) => ask<View>('POST', 'play/view', play, signal),
  hint: (play: Play, signal?: AbortSignal) => ask<Hint>('POST', 'play/hint', play, signal),
  games: (name: string, generation: number | null, signal?: AbortSignal) =>
    ask<KeptGames>('GET', `${run(name)}/games${generation === null ? '' : `?generation=${generation}`}`, undefined, signal),
  readGames: (text: string, game: string | null, signal?: AbortSignal) => ask<ReadGames>('POST', 'games/read', { text, game }, signal),
  exam: (player: string, game: string | null, signal?: AbortSignal) => ask<Examined>('POST', 'exam', { player, game }, signal),
};

/** Remarks on every position of a game, each as soon as there is one. */
export async function* remarks(asked: Remarked, signal: AbortSignal): AsyncGenerator<Remark> {
  const { body } = await send('POST', 'games/values', asked, signal);
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Remark;
  }
}

/**
 * Listens to events, by name, until the returned function is called. The browser connects again by itself.
 * A page that nobody sees does not listen: browsers allow six connections at a time, all pages together.
 */
function listen(path: string, handlers: Record<string, (data: never) => void>, connected: (yes: boolean) => void): () => void {
  let source: EventSource | null = null;
  function follow() {
    if (document.hidden) {
      source?.close();
      source = null;
      return;
    }
    if (source) return;
    source = new EventSource(`/api/${path}`);
    source.onopen = () => connected(true);
    source.onerror = () => connected(false);
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handle(JSON.parse((event as MessageEvent<string>).data) as never));
    }
  }
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    source?.close();
  };
}

/** All runs, now and whenever one changes. Opens with `runs`. */
export const watchRuns = (
  handlers: { runs: (runs: RunCard[]) => void; run: (run: RunCard) => void; gone: (gone: { name: string }) => void },
  connected: (yes: boolean) => void = () => {},
) => listen('runs/events', handlers, connected);

/** One run, now and whenever it changes. Opens with `detail`, `curves` (from 0) and, where there are any, `species`. */
export const watchRun = (
  name: string,
  handlers: {
    detail: (detail: RunDetail) => void;
    curves: (curves: Curves) => void;
    species: (species: SpeciesStream) => void;
    /** Deleted, or no longer to be read, with the reason; it may come back. */
    gone: (gone: { name: string; error?: string | null }) => void;
  },
  connected: (yes: boolean) => void = () => {},
) => listen(`${run(name)}/events`, handlers, connected);

/** One match, now and whenever it changes. */
export const watchContest = (
  id: number,
  handlers: { match: (contest: Contest) => void; gone: (gone: { id: string; error: string }) => void },
  connected: (yes: boolean) => void = () => {},
) => listen(`matches/${id}/events`, handlers, connected);
