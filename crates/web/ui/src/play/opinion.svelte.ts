// The opponent's opinion of the position on the board. It is requested after each move; late answers are dropped.
import { api, type Opinion, type Play, type Side } from '../lib/api';
import { recover } from '../lib/recover';
import { sentence } from '../lib/words';
import { valueTag } from './words';

/** Keys in the browser's storage. */
const SHOWN = 'play-view';
const ON_BOARD = 'play-numbers';

export class OpponentOpinion {
  /** Whether the visitor wants to see the opinion. */
  wanted = $state(localStorage.getItem(SHOWN) === 'yes');
  /** Whether the game is over. Then nothing needs to be hidden any more. */
  over = $state(false);
  /** Whether the opinion is shown. */
  readonly shown = $derived(this.wanted || this.over);
  /** Whether the values of moves are shown on the board, too. */
  onBoard = $state(localStorage.getItem(ON_BOARD) === 'yes');
  opinion = $state.raw<Opinion | null>(null);
  /** The side to move in the position that the opinion is about. */
  side = $state<Side>('first');
  waiting = $state(false);
  error = $state<string | null>(null);
  /** A move of the list under the pointer or with the focus, or null. */
  pointed = $state<string | null>(null);

  /** The visitor's side. */
  you = $state<Side>('first');
  /** 1 if the server's values, which are for the side to move, are for the visitor; numbers that only rank moves stay as they are. */
  readonly sign = $derived<1 | -1>(this.side === this.you || this.opinion?.value === null ? 1 : -1);
  /** Short texts for the board: the value of each move, for the visitor. */
  readonly tags = $derived.by(() => new Map(this.shown && this.onBoard && !this.waiting ? (this.opinion?.moves ?? []).map((at) => [at.move, valueTag(at, this.sign)]) : []));

  /** Saves the visitor's choices in the browser. */
  save() {
    localStorage.setItem(SHOWN, this.wanted ? 'yes' : 'no');
    localStorage.setItem(ON_BOARD, this.onBoard ? 'yes' : 'no');
  }

  /** Requests the opinion; the returned function cancels the request. */
  ask(play: Play, side: Side): () => void {
    const request = new AbortController();
    this.waiting = true;
    this.pointed = null;
    api.opinion(play, request.signal).then(
      (opinion) => {
        if (request.signal.aborted) return;
        Object.assign(this, { opinion, side, waiting: false, error: null });
      },
      (error: unknown) => {
        if (request.signal.aborted) return;
        Object.assign(this, { opinion: null, waiting: false, error: sentence(error) });
        let stop = () => {};
        recover(error, request.signal, () => (stop = this.ask(play, side)));
        request.signal.addEventListener('abort', () => stop());
      },
    );
    return () => request.abort();
  }

  clear() {
    this.opinion = null;
    this.waiting = false;
    this.error = null;
  }
}
