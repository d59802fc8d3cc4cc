// Watches one run by the server's events.
import { watchRun, type Curves, type RunDetail, type StreamOfSpecies } from '../lib/api';
import { sentence } from '../lib/words';
import { newsOf } from '../runs/states';
import { joined } from './curves';

export class RunWatch {
  detail = $state.raw<RunDetail | null>(null);
  curves = $state.raw<Curves | null>(null);
  species = $state.raw<StreamOfSpecies | null>(null);
  connected = $state(true);
  /** Why the run cannot be shown, or null. */
  missing = $state<string | null>(null);
  /** The last change, for screen readers. */
  news = $state('');

  // Events that arrived since the last frame. They are shown together with the next frame.
  #curves: Curves | null = null;
  #species: StreamOfSpecies | null = null;
  #frame = 0;

  constructor(readonly name: () => string) {}

  /** Listens until the returned function is called. */
  watch(): () => void {
    const close = watchRun(
      this.name(),
      {
        detail: (detail) => {
          this.news = newsOf(this.detail?.card, detail.card) ?? this.news;
          this.detail = detail;
          this.missing = null;
        },
        curves: (part) => {
          this.#curves = joined(this.#curves, part);
          this.#showNextFrame();
        },
        species: (species) => {
          this.#species = species;
          this.#showNextFrame();
        },
        // A run that can be read again sends `detail`.
        gone: ({ error }) => (this.missing = error ? sentence(error) : 'This run was deleted.'),
      },
      (yes) => (this.connected = yes),
    );
    return () => {
      close();
      cancelAnimationFrame(this.#frame);
    };
  }

  #showNextFrame() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.curves = this.#curves;
      this.species = this.#species;
    });
  }
}
