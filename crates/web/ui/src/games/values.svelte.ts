// What a player thinks along a game: remarks arrive one by one, and whoever goes elsewhere ends the thinking.
import { remarks, type Remark, type SteppedGame } from '../lib/api';
import { sentence } from '../lib/words';

/** How often, in milliseconds, what has come is drawn. */
const EVERY = 50;

export class Values {
  /** By ply; those still to come are missing. */
  remarks = $state.raw<Remark[]>([]);
  running = $state(false);
  stopped = $state(false);
  error = $state<string | null>(null);
  #question = new AbortController();

  readonly blunders = $derived(this.remarks.filter((remark) => remark.blunder !== null));
  /** Whether there is anything to draw. */
  readonly any = $derived(this.remarks.some((remark) => remark.value !== null));
  readonly bare = $derived(this.remarks.some((remark) => remark.bare && remark.value !== null));

  async ask(game: SteppedGame, player: string) {
    this.clear();
    const { signal } = this.#question;
    this.running = true;
    const asked = { game: game.game, setup: [], start: game.start, moves: game.moves, player };
    // The first is shown at once; after that the page draws no more often than it must.
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
    }
    if (!signal.aborted) this.running = false;
  }

  /** Breaks it off; what is known stays. */
  stop() {
    this.#question.abort();
    this.stopped = this.running;
    this.running = false;
  }

  clear() {
    this.stop();
    this.#question = new AbortController();
    this.remarks = [];
    this.error = null;
    this.stopped = false;
  }
}
