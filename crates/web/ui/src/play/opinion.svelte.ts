// How the opponent sees the position that is shown. Asked anew after each move; late answers are of no use.
import { api, type Play, type Opinion as Shown, type Side } from '../lib/api';
import { sentence } from '../lib/words';
import { valueTag } from './words';

const KEY = 'play-view';
const NUMBERS = 'play-numbers';

export class Opinion {
  /** Whether the person wants to know. */
  wanted = $state(localStorage.getItem(KEY) !== 'no');
  /** Whether values are shown on the board, too. */
  numbers = $state(localStorage.getItem(NUMBERS) === 'yes');
  view = $state.raw<Shown | null>(null);
  /** Whose turn it is in the position that was looked at. */
  side = $state<Side>('first');
  waiting = $state(false);
  error = $state<string | null>(null);
  /** A move in the list that is pointed at. */
  pointed = $state<string | null>(null);

  /** What moves are worth to the side that makes them, where that is to be on the board. */
  readonly tags = $derived(new Map(this.wanted && this.numbers && !this.waiting ? (this.view?.moves ?? []).map((at) => [at.move, valueTag(at, 1)]) : []));

  keep() {
    localStorage.setItem(KEY, this.wanted ? 'yes' : 'no');
    localStorage.setItem(NUMBERS, this.numbers ? 'yes' : 'no');
  }

  /** Asks; the returned function breaks off. */
  ask(play: Play, side: Side): () => void {
    const work = new AbortController();
    this.waiting = true;
    this.pointed = null;
    api.view(play, work.signal).then(
      (view) => {
        if (work.signal.aborted) return;
        Object.assign(this, { view, side, waiting: false, error: null });
      },
      (error: unknown) => {
        if (work.signal.aborted) return;
        Object.assign(this, { view: null, waiting: false, error: sentence(error) });
      },
    );
    return () => work.abort();
  }

  clear() {
    this.view = null;
    this.waiting = false;
    this.error = null;
  }
}
