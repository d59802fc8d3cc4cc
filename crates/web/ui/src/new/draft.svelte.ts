// An experiment that the visitor edits. The text decides; the form shows the parameters that the server reads from it.
import { SvelteSet } from 'svelte/reactivity';
import { api, type CheckedExperiment, type Parameter } from '../lib/api';
import { insist, recover } from '../lib/recover';
import { sentence } from '../lib/words';

/** How long the visitor must stop typing before the text is checked, in milliseconds. */
const PAUSE = 400;

export class Draft {
  /** The experiment from which the draft began. */
  name = $state('');
  toml = $state('');
  parameters = $state.raw<Parameter[]>([]);
  /** The error in the text, or null. */
  refused = $state<string | null>(null);
  /** Whether the server has not checked the newest text yet. */
  checking = $state(true);
  /** The keys of fields with a wrong value. */
  wrong = new SvelteSet<string>();
  /** The number of times that an experiment was loaded. Each time the form is built again. */
  beginnings = $state(0);

  /** Changes with each edit of the text, so that answers to older requests can be dropped. */
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #check = new AbortController();
  #sets: Promise<unknown> = Promise.resolve();

  readonly ready = $derived(!this.checking && this.refused === null && this.wrong.size === 0);

  /** Loads a shipped experiment. */
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
      if (turn !== this.#turn) return;
      this.#refuse(error);
      recover(error, this.#check.signal, () => void this.begin(name));
    }
  }

  /** Changes the text; it is checked after a pause. */
  edit(toml: string) {
    const turn = this.#next();
    this.toml = toml;
    this.#timer = setTimeout(() => void this.#checkText(turn), PAUSE);
  }

  /** Sets one parameter in the text; throws the server's error if the value is refused. */
  set(key: string, value: unknown): Promise<void> {
    const turn = this.#turn;
    // One request after the other, because each needs the text that the one before returned.
    const done = this.#sets.then(async () => {
      const { signal } = this.#check;
      // While the server does not answer, the typed value stays in its field.
      const experiment = await insist(() => api.set({ name: this.name, toml: this.toml, key, value }), signal, (error) => (this.refused = sentence(error)));
      if (experiment !== null && turn === this.#turn) this.#take(experiment);
    });
    this.#sets = done.catch(() => {});
    return done;
  }

  /** Cancels what is being checked. */
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

  async #checkText(turn: number) {
    try {
      const experiment = await api.check({ name: this.name, toml: this.toml }, this.#check.signal);
      if (turn === this.#turn) this.#take(experiment);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#refuse(error);
      recover(error, this.#check.signal, () => void this.#checkText(turn));
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
