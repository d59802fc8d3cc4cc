// The visitor's progress in the first visit. The browser tab remembers it.
import { breed } from '../lib/breed';
import { Sending } from '../lib/sending.svelte';

export const STEPS = ['Train a network', 'Watch it learn', 'Play against it', 'Ask it why', 'Something harder'] as const;

const KEY = 'tour';

interface Kept {
  step: number;
  run: string | null;
  harder: string | null;
}

function remembered(): Kept | null {
  try {
    const { step, run, harder } = JSON.parse(sessionStorage.getItem(KEY) ?? '') as Partial<Kept>;
    const name = (found: unknown) => (typeof found === 'string' ? found : null);
    return { step: STEPS.find((_, place) => place + 1 === step) ? Number(step) : 1, run: name(run), harder: name(harder) };
  } catch {
    return null;
  }
}

class Tour {
  #kept = $state.raw<Kept | null>(remembered());
  readonly sending = new Sending();

  /** Whether the visitor has begun the first visit and not ended it. */
  readonly begun = $derived(this.#kept !== null);
  readonly step = $derived(this.#kept?.step ?? 1);
  /** The runs that were started in the first and in the last step, or null. */
  readonly run = $derived(this.#kept?.run ?? null);
  readonly harder = $derived(this.#kept?.harder ?? null);

  reach(step: number) {
    if (step !== this.#kept?.step) this.#keep({ step });
  }

  leave() {
    this.#kept = null;
    sessionStorage.removeItem(KEY);
  }

  /** Starts a training of a shipped experiment. */
  train(experiment: string, which: 'run' | 'harder') {
    return this.sending.send(async () => this.#keep({ [which]: await breed(experiment) }));
  }

  #keep(change: Partial<Kept>) {
    this.#kept = { step: this.step, run: this.run, harder: this.harder, ...change };
    sessionStorage.setItem(KEY, JSON.stringify(this.#kept));
  }
}

export const tour = new Tour();

export const stepAddress = (step: number) => `/tour?step=${step}`;
