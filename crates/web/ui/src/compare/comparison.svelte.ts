// The curves of the runs that were chosen: loaded when somebody wants them, and again whenever they have grown.
import { api, type Curves, type RunCard } from '../lib/api';
import { sentence } from '../lib/words';

export class Comparison {
  curves = $state.raw<ReadonlyMap<string, Curves>>(new Map());
  refused = $state<string | null>(null);
  /** What was loaded of a run, or is on its way: another run of the same name is another. */
  readonly #loaded = new Map<string, string>();
  readonly #leaving = new AbortController();

  /** Loads what is not known yet, or has grown since. */
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
      // The next look tries again.
      this.#loaded.delete(name);
      this.refused = `${name}: ${sentence(error)}`;
    }
  }
}
