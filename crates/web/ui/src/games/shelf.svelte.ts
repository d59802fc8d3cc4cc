// Where games come from: a run that kept some, or a text. One game of them is on the board.
import { api, type SteppedGame } from '../lib/api';
import { sentence } from '../lib/words';

export class Shelf {
  /** The run whose games these are; empty where they come from a text. */
  run = $state('');
  /** The generation that was found, and those between which there are games. */
  generation = $state<number | null>(null);
  first = $state<number | null>(null);
  last = $state<number | null>(null);
  games = $state.raw<SteppedGame[]>([]);
  /** Which of them is shown. */
  chosen = $state(0);
  /** What else is to be said of them. */
  notes = $state.raw<string[]>([]);
  error = $state<string | null>(null);
  loading = $state(false);
  #question = new AbortController();

  readonly game = $derived<SteppedGame | undefined>(this.games[this.chosen]);

  /** Takes the games of a run: of the generation asked for, or of the last before it that has some; null for the newest. */
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

  /** Takes the games of a text; which game they are is told by it where it is not said here. */
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
    this.#question.abort();
  }

  #put(games: SteppedGame[], notes: string[], chosen: number) {
    this.games = games;
    this.notes = notes;
    this.chosen = Math.max(0, Math.min(chosen, games.length - 1));
  }

  /** Asks, unless somebody asks for something else meanwhile; whether it was answered. */
  async #take(ask: (signal: AbortSignal) => Promise<() => void>): Promise<boolean> {
    this.#question.abort();
    this.#question = new AbortController();
    const { signal } = this.#question;
    this.loading = true;
    try {
      const put = await ask(signal);
      if (signal.aborted) return false;
      this.error = null;
      put();
    } catch (error) {
      if (signal.aborted) return false;
      this.error = sentence(error);
    }
    this.loading = false;
    return this.error === null;
  }
}
