// Requests to the server. Only this file knows the addresses. The types of requests and answers are in api-types.ts, which
// is generated from the server's types.
import type {
  About, Ancestry, Answer, Champion, Change, CheckedExperiment, ClusterState, Curves, Edited, ExamAsked, Examined, HintAnswer, KeptGames, LabCard, LiveReport, MatchAsked, MatchGames, MatchGone, MatchReport,
  MatchStarted, MeasureAsked, NetworkDrawing, NodeValues, Opinion, Pace, Pasted, Play, ReadGames, Refusal, Remark, ResumeAsked, RunCard, RunDetail, RunGone, ShownGame, Started, SteppedGame, StreamOfSpecies, TrainAsked,
  Turn, TurnAsked, Valued, ValuesAsked,
} from './api-types';

export type * from './api-types';

/** An error with the server's sentence about it, and the status of the answer; 0 if there was no answer. */
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
    throw new Refused('Gamete does not answer. Is `gamete serve` still running?', 0);
  }
  if (!response.ok) {
    const said = (await response.json().catch(() => null)) as Partial<Refusal> | null;
    throw new Refused(said?.error ?? `the server answered with status ${response.status}`, response.status);
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
  /** How fast the machine of the server is. The first request measures it. */
  pace: (signal?: AbortSignal) => ask<Pace>('GET', 'pace', undefined, signal),
  experiment: (name: string) => ask<CheckedExperiment>('GET', `experiments/${encodeURIComponent(name)}`),
  /** Checks a text; throws the server's sentence if it has a mistake. */
  check: (edited: Edited, signal?: AbortSignal) => ask<CheckedExperiment>('POST', 'experiments/check', edited, signal),
  /** Sets one parameter in a text. Comments stay. */
  set: (change: Change) => ask<CheckedExperiment>('POST', 'experiments/set', change),
  /** Starts a training; returns the name of its run. */
  train: (asked: TrainAsked) => ask<Started>('POST', 'runs', asked),
  pause: (name: string) => ask<void>('POST', `${run(name)}/pause`, {}),
  /** Resumes a run, up to the given total number of generations if there is one. */
  resume: (name: string, asked: ResumeAsked) => ask<void>('POST', `${run(name)}/resume`, asked),
  stop: (name: string) => ask<void>('POST', `${run(name)}/stop`, {}),
  remove: (name: string) => ask<void>('DELETE', run(name)),
  measure: (name: string, asked: MeasureAsked) => ask<void>('POST', `${run(name)}/growth`, asked),
  stopMeasuring: (name: string) => ask<void>('DELETE', `${run(name)}/growth`),
  /** The curves of a part of a run. Shorter parts have more detail. */
  curves: (name: string, from: number, to: number, signal?: AbortSignal) => ask<Curves>('GET', `${run(name)}/curves?from=${from}&to=${to}`, undefined, signal),
  champion: (name: string, generation: number, signal?: AbortSignal) => ask<Champion>('GET', `${run(name)}/champions/${generation}`, undefined, signal),
  /** The address from which a champion's network can be downloaded. */
  networkAddress: (name: string, generation: number) => `/api/${run(name)}/champions/${generation}/network`,
  /** The network of a player such as `champion:nim` or `run:NAME@7`. Other players have none. */
  network: (player: string, signal?: AbortSignal) => ask<NetworkDrawing>('GET', `network?player=${encodeURIComponent(player)}`, undefined, signal),
  /** The values of all nodes of a network in a position. */
  networkValues: (asked: ValuesAsked, signal?: AbortSignal) => ask<NodeValues>('POST', 'network/values', asked, signal),
  ancestry: (name: string, generation: number, signal?: AbortSignal) => ask<Ancestry>('GET', `${run(name)}/ancestry?generation=${generation}`, undefined, signal),
  /** The cluster of `gamete serve --on`; `null` without it. */
  cluster: (signal?: AbortSignal) => ask<ClusterState | null>('GET', 'cluster', undefined, signal),
  labs: (signal?: AbortSignal) => ask<LabCard[]>('GET', 'labs', undefined, signal),
  lab: (name: string, signal?: AbortSignal) => ask<LiveReport>('GET', `labs/${encodeURIComponent(name)}`, undefined, signal),
  /** All matches that the server remembers, the newest first. */
  matches: () => ask<MatchReport[]>('GET', 'matches'),
  startMatch: (asked: MatchAsked) => ask<MatchStarted>('POST', 'matches', asked),
  /** Cancels a match that is being played, or removes one that is over. */
  endMatch: (id: number) => ask<void>('DELETE', `matches/${id}`),
  /** The finished games of two players of a match, without their moves. */
  matchGames: (id: number, pair: number, signal?: AbortSignal) => ask<MatchGames>('GET', `matches/${id}/games?pair=${pair}`, undefined, signal),
  /** One game of a match; the one that is being played as far as it has gone. */
  matchGame: (id: number, pair: number, number: number, signal?: AbortSignal) => ask<SteppedGame>('GET', `matches/${id}/games/${pair}/${number}`, undefined, signal),
  position: (play: Play, signal?: AbortSignal) => ask<ShownGame>('POST', 'play/position', play, signal),
  answer: (play: Play, signal?: AbortSignal) => ask<Answer>('POST', 'play/answer', play, signal),
  opinion: (play: Play, signal?: AbortSignal) => ask<Opinion>('POST', 'play/view', play, signal),
  /** One turn of a game between two players, with the value of the position before it. */
  turn: (asked: TurnAsked, signal?: AbortSignal) => ask<Turn>('POST', 'play/turn', asked, signal),
  hint: (play: Play, signal?: AbortSignal) => ask<HintAnswer>('POST', 'play/hint', play, signal),
  games: (name: string, generation: number | null, signal?: AbortSignal) =>
    ask<KeptGames>('GET', `${run(name)}/games${generation === null ? '' : `?generation=${generation}`}`, undefined, signal),
  readGames: (pasted: Pasted, signal?: AbortSignal) => ask<ReadGames>('POST', 'games/read', pasted, signal),
  exam: (asked: ExamAsked, signal?: AbortSignal) => ask<Examined>('POST', 'exam', asked, signal),
};

/** Remarks on the positions of a game, each as soon as the server has computed it. */
export async function* remarks(asked: Valued, signal: AbortSignal): AsyncGenerator<Remark> {
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

/** Milliseconds after which a lost connection is made again, if the browser does not do that itself. */
const LISTEN_AGAIN = 2000;

/**
 * Listens to events of the server, by name, until the returned function is called. The browser reconnects automatically.
 * A hidden page does not listen, because browsers allow only six connections at a time for all pages together.
 */
function listen(path: string, handlers: Record<string, (data: never) => void>, connected: (yes: boolean) => void): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function follow() {
    clearTimeout(timer);
    if (document.hidden) {
      source?.close();
      source = null;
      return;
    }
    if (source) return;
    source = new EventSource(`/api/${path}`);
    source.onopen = () => connected(true);
    source.onerror = () => {
      connected(false);
      // Some browsers give up when nobody listens at the address.
      if (source?.readyState !== EventSource.CLOSED) return;
      source = null;
      timer = setTimeout(follow, LISTEN_AGAIN);
    };
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handle(JSON.parse((event as MessageEvent<string>).data) as never));
    }
  }
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    clearTimeout(timer);
    source?.close();
  };
}

/** Watches all runs. The first event is `runs`. */
export const watchRuns = (
  handlers: { runs: (runs: RunCard[]) => void; run: (run: RunCard) => void; gone: (gone: RunGone) => void },
  connected: (yes: boolean) => void = () => {},
) => listen('runs/events', handlers, connected);

/** Watches one run. The first events are `detail`, `curves` (from 0) and, if the run has species, `species`. */
export const watchRun = (
  name: string,
  handlers: {
    detail: (detail: RunDetail) => void;
    curves: (curves: Curves) => void;
    species: (species: StreamOfSpecies) => void;
    /** The run was deleted or cannot be read. It may come back. */
    gone: (gone: RunGone) => void;
  },
  connected: (yes: boolean) => void = () => {},
) => listen(`${run(name)}/events`, handlers, connected);

/** Watches one match. */
export const watchMatch = (
  id: number,
  handlers: { match: (match: MatchReport) => void; gone: (gone: MatchGone) => void },
  connected: (yes: boolean) => void = () => {},
) => listen(`matches/${id}/events`, handlers, connected);
