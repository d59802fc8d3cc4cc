// Watches all runs by the server's events.
import { watchRuns, type RunCard } from '../lib/api';
import { inOrder, newsOf } from './states';

export class RunList {
  runs = $state.raw<RunCard[]>([]);
  /** Whether the list has arrived. */
  known = $state(false);
  connected = $state(true);
  /** The last change, for screen readers. */
  news = $state('');

  /** Listens until the returned function is called. */
  watch(): () => void {
    return watchRuns(
      {
        runs: (runs) => {
          this.runs = runs.toSorted(inOrder);
          this.known = true;
        },
        run: (run) => this.#put(run),
        gone: ({ name }) => (this.runs = this.runs.filter((run) => run.name !== name)),
      },
      (yes) => (this.connected = yes),
    );
  }

  #put(run: RunCard) {
    const before = this.runs.find(({ name }) => name === run.name);
    this.news = newsOf(before, run) ?? this.news;
    this.runs = [...this.runs.filter((other) => other !== before), run].sort(inOrder);
  }
}
