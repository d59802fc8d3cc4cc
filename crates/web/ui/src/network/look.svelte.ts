// A player's network, and what its nodes are worth in a position. Asked anew when either changes; late answers are of no use.
import { api, type NetworkDrawing } from '../lib/api';
import { sentence } from '../lib/words';

export class Look {
  drawing = $state.raw<NetworkDrawing | null>(null);
  /** Whose drawing it is. */
  player = $state('');
  #values = $state.raw<{ player: string; values: number[] } | null>(null);
  refused = $state<string | null>(null);
  /** What is wrong with the position alone: the network can still be looked at. */
  blind = $state<string | null>(null);

  /** The values that belong to the drawing. */
  readonly values = $derived.by(() => (this.drawing && this.#values?.player === this.player ? this.#values.values : null));

  /** Asks for a network; the one before stays until the answer comes. The returned function breaks off. */
  draw(player: string): () => void {
    const work = new AbortController();
    api.network(player, work.signal).then(
      (drawing) => {
        if (work.signal.aborted) return;
        Object.assign(this, { player, drawing, refused: null });
      },
      (error: unknown) => {
        if (!work.signal.aborted) Object.assign(this, { drawing: null, refused: sentence(error) });
      },
    );
    return () => work.abort();
  }

  /** Shows it a position, or nothing. */
  see(player: string, game: string, setup: string[], position: string | null): () => void {
    if (position === null) {
      this.#values = null;
      this.blind = null;
      return () => {};
    }
    const work = new AbortController();
    api.networkValues({ player, game, setup, position }, work.signal).then(
      ({ values }) => {
        if (work.signal.aborted) return;
        this.#values = { player, values };
        this.blind = null;
      },
      (error: unknown) => {
        if (work.signal.aborted) return;
        this.#values = null;
        this.blind = sentence(error);
      },
    );
    return () => work.abort();
  }
}
