// The generations that the plots show: the whole run while it grows, or a part of it in more detail.
import { api, type Curves } from '../lib/api';
import { recover } from '../lib/recover';
import { sentence } from '../lib/words';

export class CurveView {
  range = $state.raw<[number, number] | null>(null);
  refused = $state<string | null>(null);
  #detail = $state.raw<Curves | null>(null);
  #request = new AbortController();

  constructor(
    readonly name: () => string,
    readonly all: () => Curves,
  ) {}

  /** The curves to draw. Until the details of a part arrive, these are the curves of the whole run. */
  readonly curves = $derived.by(() => this.#detail ?? this.all());
  readonly last = $derived.by(() => this.all().generation.at(-1) ?? 1);
  readonly shown = $derived.by<[number, number]>(() => this.range ?? [1, this.last]);

  async zoom(from: number, to: number) {
    const first = Math.max(1, Math.floor(from));
    const last = Math.min(this.last, Math.ceil(to));
    if (!(first < last)) return;
    this.whole();
    this.range = [first, last];
    const { signal } = this.#request;
    try {
      const detail = await api.curves(this.name(), first, last, signal);
      if (signal.aborted) return;
      this.#detail = detail;
    } catch (error) {
      if (signal.aborted) return;
      this.refused = sentence(error);
      recover(error, signal, () => void this.zoom(first, last));
    }
  }

  /** Shows the whole run. */
  whole() {
    this.#request.abort();
    this.#request = new AbortController();
    this.range = null;
    this.#detail = null;
    this.refused = null;
  }
}
