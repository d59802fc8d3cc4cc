// The games that are loaded, from a run or from a text. One of them is on the board.
import { api, type SteppedGame } from '../lib/api';
import { recover } from '../lib/recover';
import { sentence } from '../lib/words';

export class LoadedGames {
  /** The run whose games these are; empty if they come from a text. */
  run = $state('');
  /** The generation of these games, and the first and last generation that have games. */
  generation = $state<number | null>(null);
  first = $state<number | null>(null);
  last = $state<number | null>(null);
  games = $state.raw<SteppedGame[]>([]);
  /** The place of the game that is shown. */
  chosen = $state(0);
  /** Remarks of the server on these games. */
  notes = $state.raw<string[]>([]);
  error = $state<string | null>(null);
  loading = $state(false);
  #request = new AbortController();

  readonly game = $derived<SteppedGame | undefined>(this.games[this.chosen]);

  /** Loads games of a run: of the given generation, or of the last one before it that has games; null for the newest. */
  open(run: string, generation: number | null, chosen = 0) {
    return this.#take(async (signal) => {
      const kept = await api.games(run, generation, signal);
      return () => {
        this.run = run;
        ({ generation: this.generation, first: this.first, last: this.last } = kept);
        this.#put(kept.games, [], chosen);
      };
    });
  }

  /** Loads the games of a text. `game` is null if the text itself names the game. */
  read(text: string, game: string | null) {
    return this.#take(async (signal) => {
      const read = await api.readGames({ text, game }, signal);
      return () => {
        this.run = '';
        this.generation = this.first = this.last = null;
        this.#put(read.games, [read.note, read.meaning].flatMap((note) => (note ? [sentence(note)] : [])), 0);
      };
    });
  }

  leave() {
    this.#request.abort();
  }

  #put(games: SteppedGame[], notes: string[], chosen: number) {
    this.games = games;
    this.notes = notes;
    this.chosen = Math.max(0, Math.min(chosen, games.length - 1));
  }

  /** Sends a request, which cancels the one before; returns whether it succeeded. */
  async #take(ask: (signal: AbortSignal) => Promise<() => void>): Promise<boolean> {
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    this.loading = true;
    try {
      const put = await ask(signal);
      if (signal.aborted) return false;
      this.error = null;
      put();
    } catch (error) {
      if (signal.aborted) return false;
      this.error = sentence(error);
      recover(error, signal, () => void this.#take(ask));
    }
    this.loading = false;
    return this.error === null;
  }
}
