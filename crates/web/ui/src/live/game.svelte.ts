// A game between two players that the visitor watches. The page asks the server for one turn after the other, so that
// the pace is that of a person, and a page that nobody looks at asks for nothing.
import { api, Refused, type GameInfo, type Play, type ShownGame, type Side } from '../lib/api';
import { sentence } from '../lib/words';
import { seed } from '../play/address';
import { other, sideTitle, spoken } from '../play/words';
import type { Contest, Rival } from './contest';

/** Milliseconds between two moves, by the name of the pace. */
export const PACES = { slow: 2200, normal: 1100, fast: 350 } as const;
export type Pace = keyof typeof PACES;
/** How long the end of a game stays on the board, in milliseconds. */
const END = 5000;
/** How long to wait before a request is repeated when the server does not answer, in milliseconds. */
const RETRY = 3000;
/** Refusals that pass: no answer, or a server that is busy or about to end. */
const PASSING = [0, 502, 503];

/** The value of a position for the first side. */
export interface Point {
  ply: number;
  value: number;
  /** Whether the game certainly ends in this way. */
  certain: boolean;
  /** Whose opinion it is: that of a player, or the exact theory of a solved game. */
  of: 'one' | 'two' | 'exact';
}

export class LiveGame {
  shown = $state.raw<ShownGame | null>(null);
  moves = $state.raw<string[]>([]);
  points = $state.raw<Point[]>([]);
  /** The contest of this game; the generations of its players stay while the game goes on. */
  contest = $state.raw<Contest | null>(null);
  /** The side of the first player of the contest. */
  side = $state<Side>('first');
  playing = $state(true);
  pace = $state<Pace>('normal');
  /** Games won by each player, and drawn, since the page was opened. */
  score = $state({ one: 0, two: 0, drawn: 0 });
  error = $state<string | null>(null);
  /** Whether the server does not answer; the game goes on when it does. */
  waiting = $state(false);
  /** Whether the values are the exact theory of a solved game, and not opinions of the players. */
  exact = $state(false);
  /** The illegal move that ended the game, or null. */
  illegal = $state<string | null>(null);

  #visible = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | null = null;
  #play: Play | null = null;
  #games = 0;

  constructor(
    readonly wanted: () => Contest,
    readonly info: () => GameInfo | undefined,
  ) {}

  readonly over = $derived(this.illegal !== null || (this.shown?.outcome ?? null) !== null);
  /** The side that has won; `draw`, or null while the game goes on. */
  readonly outcome = $derived<Side | 'draw' | null>(this.illegal !== null && this.shown ? other(this.shown.side) : (this.shown?.outcome ?? null));

  /** The player on a side. */
  on(side: Side): Rival | undefined {
    return side === this.side ? this.contest?.one : this.contest?.two;
  }

  readonly words = $derived.by(() => {
    const info = this.info();
    const { shown } = this;
    if (!shown || !info) return '';
    if (this.outcome === 'draw') return `A draw${shown.why ? `: ${shown.why}` : ''}.`;
    if (this.outcome !== null) {
      const how = this.illegal !== null ? ` ${sideTitle(info, other(this.outcome))} tried ${this.illegal}, which is not legal.` : '';
      return `${sideTitle(info, this.outcome)} wins: ${this.on(this.outcome)?.name ?? ''}.${how}`;
    }
    const last = this.moves.at(-1);
    if (last === undefined) return 'The game begins.';
    const chance = this.moves.length <= (this.contest?.opening ?? 0) ? ' (a random opening move)' : '';
    return `Move ${this.moves.length}, ${sideTitle(info, other(shown.side))}: ${spoken(shown.game, last)}${chance}.`;
  });

  /** Says whether the visitor can see the board. */
  see(visible: boolean) {
    this.#visible = visible;
    if (visible) this.#soon(200);
    else this.#halt();
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing) this.#soon(0);
    else this.#halt();
  }

  /** Begins another game, also when the contest has changed. */
  again() {
    this.#halt();
    this.#play = null;
    this.error = null;
    if (this.contest?.key !== this.wanted().key) this.score = { one: 0, two: 0, drawn: 0 };
    void this.#step();
  }

  leave() {
    this.#halt();
  }

  #halt() {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.#request = null;
  }

  #soon(wait: number) {
    clearTimeout(this.#timer);
    if (this.#visible && this.playing && this.#request === null && this.error === null) this.#timer = setTimeout(() => void this.#step(), wait);
  }

  async #step() {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    const { signal } = request;
    let wait = 0;
    try {
      if (this.#play === null || this.over) await this.#begin(signal);
      else await this.#turn(this.#play, signal);
      this.waiting = false;
      wait = this.over ? END : this.moves.length < (this.contest?.opening ?? 0) ? PACES.fast : PACES[this.pace];
    } catch (error) {
      if (signal.aborted) return;
      const passes = error instanceof Refused && PASSING.includes(error.status);
      this.waiting = passes;
      if (!passes) this.error = sentence(error);
      wait = RETRY;
    }
    if (this.#request === request) this.#request = null;
    this.#soon(wait);
  }

  async #begin(signal: AbortSignal) {
    const contest = this.wanted();
    // The players take turns to move first.
    const side: Side = this.#games % 2 === 0 ? 'first' : 'second';
    const play: Play = { game: contest.game, setup: [], against: contest.one.player, start: null, moves: [], seed: seed(), person: null };
    const shown = await api.position(play, signal);
    signal.throwIfAborted();
    this.#games += 1;
    // From now on the game begins in this position, also if the other side moves first: the usual start may depend on the player.
    this.#play = { ...play, start: shown.start };
    this.points = [];
    this.moves = [];
    this.illegal = null;
    this.exact = this.info()?.solved === true;
    Object.assign(this, { contest, side, shown });
  }

  async #turn(play: Play, signal: AbortSignal) {
    const { contest, shown } = this;
    if (!contest || !shown) return;
    const mover = shown.side;
    const opening = play.moves.length < contest.opening;
    const asked = { ...play, against: opening ? 'random' : (this.on(mover)?.player ?? null) };
    const turn = await api.turn({ play: asked, judge: this.exact ? 'perfect' : null }, signal).catch((error: unknown) => {
      if (!this.exact || !(error instanceof Refused) || PASSING.includes(error.status)) throw error;
      // The game is solved in its usual setup, but perhaps not in the one of this run.
      this.exact = false;
      return api.turn({ play: asked, judge: null }, signal);
    });
    const { exact } = this;
    signal.throwIfAborted();
    const sign = mover === 'first' ? 1 : -1;
    const of = exact ? 'exact' : mover === this.side ? 'one' : 'two';
    const { value } = turn;
    const points = value && (exact || !opening) ? [...this.points, { ply: play.moves.length, value: sign * value.value, certain: value.ends_in !== null, of } satisfies Point] : this.points;
    this.illegal = turn.illegal;
    const moves = turn.move === null ? play.moves : [...play.moves, turn.move];
    this.#play = { ...play, moves };
    this.moves = moves;
    this.shown = turn.table;
    this.points = this.outcome === null ? points : [...points, ...this.#last(moves.length, exact)];
    this.#count();
  }

  /** The end of each line: the result itself. */
  #last(ply: number, exact: boolean): Point[] {
    const value = this.outcome === 'draw' ? 0 : this.outcome === 'first' ? 1 : -1;
    return (exact ? (['exact'] as const) : (['one', 'two'] as const)).map((of) => ({ ply, value, certain: true, of }));
  }

  #count() {
    if (this.outcome === null) return;
    const winner = this.outcome === 'draw' ? 'drawn' : this.outcome === this.side ? 'one' : 'two';
    this.score = { ...this.score, [winner]: this.score[winner] + 1 };
  }
}
