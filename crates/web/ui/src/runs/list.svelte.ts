// All runs as the server tells of them.
import { watchRuns, type RunCard } from '../lib/api';
import { inOrder, newsOf } from './states';

export class RunList {
  runs = $state.raw<RunCard[]>([]);
  /** Whether the server has told what there is. */
  known = $state(false);
  connected = $state(true);
  /** The last change worth saying aloud. */
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
