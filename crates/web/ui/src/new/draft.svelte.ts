// An experiment that is being changed: the text is what counts, the form shows what the server reads in it.
import { SvelteSet } from 'svelte/reactivity';
import { api, type CheckedExperiment, type Parameter } from '../lib/api';
import { sentence } from '../lib/words';

/** How long a pause in typing lasts before the text is looked at, in milliseconds. */
const PAUSE = 400;

export class Draft {
  /** The experiment it began with. */
  name = $state('');
  toml = $state('');
  parameters = $state.raw<Parameter[]>([]);
  /** What is wrong with the text. */
  refused = $state<string | null>(null);
  /** Whether the newest text still has to be looked at. */
  checking = $state(true);
  /** Fields that hold something that cannot be sent. */
  wrong = new SvelteSet<string>();
  /** Counts beginnings, so that the form can be built anew. */
  beginnings = $state(0);

  /** Changes with each edit of the text: answers to older questions are dropped. */
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #check = new AbortController();
  #sets: Promise<unknown> = Promise.resolve();

  readonly ready = $derived(!this.checking && this.refused === null && this.wrong.size === 0);

  /** Begins with an experiment as it is shipped. */
  async begin(name: string) {
    const turn = this.#next();
    this.name = name;
    try {
      const experiment = await api.experiment(name);
      if (turn !== this.#turn) return;
      this.beginnings += 1;
      this.wrong.clear();
      this.#take(experiment);
    } catch (error) {
      if (turn === this.#turn) this.#refuse(error);
    }
  }

  /** Takes a text as somebody types it, and looks at it after a pause. */
  edit(toml: string) {
    const turn = this.#next();
    this.toml = toml;
    this.#timer = setTimeout(() => void this.#look(turn), PAUSE);
  }

  /** Sets one parameter in the text; what the server has against it is thrown. */
  set(key: string, value: unknown): Promise<void> {
    const turn = this.#turn;
    // One after the other, as each begins with the text that the one before left.
    const done = this.#sets.then(async () => {
      const experiment = await api.set({ name: this.name, toml: this.toml, key, value });
      if (turn === this.#turn) this.#take(experiment);
    });
    this.#sets = done.catch(() => {});
    return done;
  }

  /** Forgets what was under way. */
  stop() {
    this.#next();
  }

  #next(): number {
    clearTimeout(this.#timer);
    this.#check.abort();
    this.#check = new AbortController();
    this.checking = true;
    this.#turn += 1;
    return this.#turn;
  }

  async #look(turn: number) {
    try {
      const experiment = await api.check({ name: this.name, toml: this.toml }, this.#check.signal);
      if (turn === this.#turn) this.#take(experiment);
    } catch (error) {
      if (turn === this.#turn) this.#refuse(error);
    }
  }

  #take(experiment: CheckedExperiment) {
    this.toml = experiment.toml;
    this.parameters = experiment.parameters;
    this.refused = null;
    this.checking = false;
  }

  #refuse(error: unknown) {
    this.refused = sentence(error);
    this.checking = false;
  }
}
