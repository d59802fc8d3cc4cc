// The curves of the chosen runs. They are loaded when a run is chosen, and again when it has grown.
import { api, type Curves, type RunCard } from '../lib/api';
import { sentence } from '../lib/words';

export class Comparison {
  curves = $state.raw<ReadonlyMap<string, Curves>>(new Map());
  refused = $state<string | null>(null);
  /** For each run that was loaded or is being loaded: when it was created, and its generation then. */
  readonly #loaded = new Map<string, string>();
  readonly #leaving = new AbortController();

  /** Loads the curves of runs that are new or have grown. */
  refresh(runs: RunCard[]) {
    for (const run of runs) {
      const now = `${run.created} ${run.generation}`;
      if (run.generation === 0 || this.#loaded.get(run.name) === now) continue;
      this.#loaded.set(run.name, now);
      void this.#load(run);
    }
  }

  leave() {
    this.#leaving.abort();
  }

  async #load({ name, generation }: RunCard) {
    const { signal } = this.#leaving;
    try {
      const found = await api.curves(name, 1, generation, signal);
      this.curves = new Map(this.curves).set(name, found);
      this.refused = null;
    } catch (error) {
      if (signal.aborted) return;
      // The next refresh tries again.
      this.#loaded.delete(name);
      this.refused = `${name}: ${sentence(error)}`;
    }
  }
}
