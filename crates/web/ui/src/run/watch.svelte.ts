// One run as the server tells of it.
import { watchRun, type Curves, type RunDetail, type StreamOfSpecies } from '../lib/api';
import { sentence } from '../lib/words';
import { newsOf } from '../runs/states';
import { joined } from './curves';

export class RunWatch {
  detail = $state.raw<RunDetail | null>(null);
  curves = $state.raw<Curves | null>(null);
  species = $state.raw<StreamOfSpecies | null>(null);
  connected = $state(true);
  /** Why there is nothing to look at. */
  missing = $state<string | null>(null);
  /** The last change worth saying aloud. */
  news = $state('');

  // What came since the last frame; it is shown with the next one, however often the server tells something.
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
          this.#soon();
        },
        species: (species) => {
          this.#species = species;
          this.#soon();
        },
        // What is only unreadable for a moment comes back by `detail`.
        gone: ({ error }) => (this.missing = error ? sentence(error) : 'This run was deleted.'),
      },
      (yes) => (this.connected = yes),
    );
    return () => {
      close();
      cancelAnimationFrame(this.#frame);
    };
  }

  #soon() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.curves = this.#curves;
      this.species = this.#species;
    });
  }
}
