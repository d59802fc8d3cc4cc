// The games of a match that a page shows: the list of the finished ones, and the one on the board.
import { untrack } from 'svelte';
import { api, Refused, type GameOfMatch, type MatchReport, type SteppedGame } from '../lib/api';
import { recover } from '../lib/recover';
import { sentence } from '../lib/words';

/** How often the list, or a game that is being played, is loaded again, in milliseconds. */
const EVERY = 1000;

/** Who won, among the two players of a pair. */
export const RESULTS = ['one', 'draw', 'two'] as const;
export type Result = (typeof RESULTS)[number];

export class GamesOfMatch {
  /** The place of the chosen pair of players. */
  pair = $state(0);
  list = $state.raw<GameOfMatch[]>([]);
  /** The number of games that the server did not keep. */
  dropped = $state(0);
  filter = $state<Result | ''>('');
  /** The game on the board. */
  chosen = $state.raw<{ pair: number; number: number } | null>(null);
  game = $state.raw<SteppedGame | null>(null);
  error = $state<string | null>(null);

  #listing = new AbortController();
  #loading = new AbortController();
  #listed = 0;
  #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(readonly match: () => MatchReport) {}

  /** Whether the game on the board is being played. */
  readonly growing = $derived.by(() => this.game !== null && this.game.outcome === null && this.match().state === 'playing');

  result({ number, outcome }: GameOfMatch): Result {
    if (outcome === 'draw') return 'draw';
    // In games with even numbers, the first player of the pair has the first side.
    return (outcome === 'first') === (number % 2 === 0) ? 'one' : 'two';
  }

  choosePair(pair: number) {
    this.pair = pair;
    this.list = [];
    this.#listed = 0;
    this.refresh();
  }

  /** Loads the list, but not too often. */
  refresh() {
    untrack(() => {
      this.#listing.abort();
      this.#listing = new AbortController();
      const { signal } = this.#listing;
      this.#later(Math.max(0, this.#listed + EVERY - Date.now()), signal, () => void this.#load(signal));
    });
  }

  async #load(signal: AbortSignal) {
    this.#listed = Date.now();
    try {
      const { games, dropped } = await api.matchGames(this.match().id, this.pair, signal);
      if (signal.aborted) return;
      this.list = games;
      this.dropped = dropped;
      this.error = null;
    } catch (error) {
      this.#refuse(error, signal, () => void this.#load(signal));
    }
  }

  /** Shows a game of the chosen pair. */
  watch(number: number) {
    this.#show(this.pair, number);
  }

  /** Shows the game that is being played. */
  watchNow() {
    const { now } = this.match();
    if (!now) return;
    if (now.pair !== this.pair) this.choosePair(now.pair);
    this.#show(now.pair, now.number);
  }

  #show(pair: number, number: number) {
    this.#loading.abort();
    this.#loading = new AbortController();
    this.game = null;
    this.chosen = { pair, number };
    void this.#follow(pair, number, this.#loading.signal);
  }

  async #follow(pair: number, number: number, signal: AbortSignal) {
    try {
      const game = await api.matchGame(this.match().id, pair, number, signal);
      if (signal.aborted) return;
      this.error = null;
      // The same object as before while no move was made, so that the board is not drawn again.
      if (game.moves.length !== this.game?.moves.length || game.outcome !== this.game.outcome) this.game = game;
      if (this.growing) this.#later(EVERY, signal, () => void this.#follow(pair, number, signal));
    } catch (error) {
      // A game that ended with a cancelled match stays on the board as far as it went.
      if (this.game !== null && error instanceof Refused && error.status === 404) return;
      this.#refuse(error, signal, () => void this.#follow(pair, number, signal));
    }
  }

  #refuse(error: unknown, signal: AbortSignal, again: () => void) {
    if (signal.aborted) return;
    this.error = sentence(error);
    recover(error, signal, again);
  }

  #later(wait: number, signal: AbortSignal, action: () => void) {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!signal.aborted) action();
    }, wait);
    this.#timers.add(timer);
  }

  leave() {
    this.#listing.abort();
    this.#loading.abort();
    this.#timers.forEach(clearTimeout);
  }
}
