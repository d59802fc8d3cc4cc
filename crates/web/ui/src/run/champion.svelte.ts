// Loads the champion of a chosen generation, or of the newest one while the run grows.
import { api, type Champion } from '../lib/api';
import { drawingOf } from '../network/loader.svelte';
import { recover } from '../lib/recover';
import { sentence } from '../lib/words';

/** How long the slider must rest before its champion is loaded, and how often the newest one is loaded, in milliseconds. */
const REST = 150;
const FOLLOW = 1000;

export class ChampionWatch {
  champion = $state.raw<Champion | null>(null);
  refused = $state<string | null>(null);
  #wanted = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request = new AbortController();
  #asking = false;
  #asked = false;

  constructor(readonly name: () => string) {}

  /** Requests a champion soon. A chosen one cancels the request before; the newest one waits until that is answered. */
  want(generation: number, following: boolean) {
    this.#wanted = generation;
    if (following && (this.#timer !== undefined || this.#asking)) return;
    this.#later(!this.#asked ? 0 : following ? FOLLOW : REST);
    this.#asked = true;
  }

  stop() {
    clearTimeout(this.#timer);
    this.#request.abort();
  }

  #later(wait: number) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), wait);
  }

  async #ask() {
    this.#timer = undefined;
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    const generation = this.#wanted;
    this.#asking = true;
    try {
      const champion = await api.champion(this.name(), generation, signal);
      // Its network is loaded before it is shown, so that figures and drawing are always of one generation.
      await drawingOf(champion.player).catch(() => {});
      if (signal.aborted) return;
      this.champion = champion;
      this.refused = null;
    } catch (error) {
      if (signal.aborted) return;
      this.refused = sentence(error);
      recover(error, signal, () => void this.#ask());
    }
    this.#asking = false;
    // The run has newer generations meanwhile.
    if (this.#wanted !== generation && this.#timer === undefined) this.#later(FOLLOW);
  }
}
