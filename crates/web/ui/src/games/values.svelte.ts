// A player's values for all positions of a game. They arrive one by one; leaving the page stops the computation.
import { remarks, type Remark, type SteppedGame } from '../lib/api';
import { recover } from '../lib/recover';
import { sentence } from '../lib/words';

/** The least time between two drawings, in milliseconds. */
const EVERY = 50;

export class Values {
  /** The remarks by ply, as far as they have arrived. */
  remarks = $state.raw<Remark[]>([]);
  running = $state(false);
  stopped = $state(false);
  error = $state<string | null>(null);
  #request = new AbortController();

  readonly blunders = $derived(this.remarks.filter((remark) => remark.blunder !== null));
  /** Whether there is a value to draw. */
  readonly any = $derived(this.remarks.some((remark) => remark.value !== null));
  /** Whether values are numbers of a network whose size has no meaning. */
  readonly bare = $derived(this.remarks.some((remark) => remark.bare && remark.value !== null));

  async ask(game: SteppedGame, player: string) {
    this.clear();
    const { signal } = this.#request;
    this.running = true;
    const asked = { game: game.game, setup: [], start: game.start, moves: game.moves, player };
    // The first value is shown at once, the others in groups, so that the page does not draw too often.
    let waiting: Remark[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      if (!signal.aborted) this.remarks = [...this.remarks, ...waiting];
      waiting = [];
    };
    try {
      for await (const remark of remarks(asked, signal)) {
        if (signal.aborted) return;
        waiting.push(remark);
        if (remark.ply === 0) show();
        else timer ??= setTimeout(show, EVERY);
      }
      clearTimeout(timer);
      show();
    } catch (error) {
      if (signal.aborted) return;
      this.error = sentence(error);
      recover(error, signal, () => void this.ask(game, player));
    }
    if (!signal.aborted) this.running = false;
  }

  /** Stops the computation. The values that have arrived stay. */
  stop() {
    this.#request.abort();
    this.stopped = this.running;
    this.running = false;
  }

  clear() {
    this.stop();
    this.#request = new AbortController();
    this.remarks = [];
    this.error = null;
    this.stopped = false;
  }
}
