// The champion of a generation: of one that is chosen, or of the newest while the run grows.
import { api, type Champion } from '../lib/api';
import { sentence } from '../lib/words';

/** How long a slider rests before its champion is fetched, and how often the newest one is, in milliseconds. */
const REST = 150;
const FOLLOW = 1000;

export class ChampionWatch {
  champion = $state.raw<Champion | null>(null);
  refused = $state<string | null>(null);
  #wanted = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #question = new AbortController();
  #asking = false;
  #asked = false;

  constructor(readonly name: () => string) {}

  /** Asks for a champion soon. One that is chosen replaces the question before; the newest waits for its turn. */
  want(generation: number, following: boolean) {
    this.#wanted = generation;
    if (following && (this.#timer !== undefined || this.#asking)) return;
    this.#later(!this.#asked ? 0 : following ? FOLLOW : REST);
    this.#asked = true;
  }

  stop() {
    clearTimeout(this.#timer);
    this.#question.abort();
  }

  #later(wait: number) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), wait);
  }

  async #ask() {
    this.#timer = undefined;
    this.#question.abort();
    this.#question = new AbortController();
    const { signal } = this.#question;
    const generation = this.#wanted;
    this.#asking = true;
    try {
      const champion = await api.champion(this.name(), generation, signal);
      if (signal.aborted) return;
      this.champion = champion;
      this.refused = null;
    } catch (error) {
      if (signal.aborted) return;
      this.refused = sentence(error);
    }
    this.#asking = false;
    // The run went on meanwhile.
    if (this.#wanted !== generation && this.#timer === undefined) this.#later(FOLLOW);
  }
}
