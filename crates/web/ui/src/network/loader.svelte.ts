// Loads a player's network and the values of its nodes in a position. Late answers are dropped.
import { api, type NetworkDrawing } from '../lib/api';
import { recover } from '../lib/recover';
import { sentence } from '../lib/words';

/** How long a drawing is kept, in milliseconds. It is kept so that a page can load it before it shows the network. */
const KEPT = 3000;
const kept = new Map<string, Promise<NetworkDrawing>>();

/** The drawing of a player's network. */
export function drawingOf(player: string): Promise<NetworkDrawing> {
  const known = kept.get(player);
  if (known) return known;
  const drawing = api.network(player);
  kept.set(player, drawing);
  const forget = () => kept.delete(player);
  setTimeout(forget, KEPT);
  drawing.catch(forget);
  return drawing;
}

export class NetworkLoader {
  drawing = $state.raw<NetworkDrawing | null>(null);
  /** The player whose network is drawn. */
  player = $state('');
  #values = $state.raw<{ player: string; values: number[] } | null>(null);
  /** Why there is no drawing, or null. */
  refused = $state<string | null>(null);
  /** Why there are no values for the position, or null. The network is still drawn. */
  valuesError = $state<string | null>(null);

  /** The values of the drawn network's nodes, or null. */
  readonly values = $derived.by(() => (this.drawing && this.#values?.player === this.player ? this.#values.values : null));

  /** Requests a network; the one before stays until the answer arrives. The returned function cancels the request. */
  loadDrawing(player: string): () => void {
    const request = new AbortController();
    drawingOf(player).then(
      (drawing) => {
        if (request.signal.aborted) return;
        Object.assign(this, { player, drawing, refused: null });
      },
      (error: unknown) => {
        if (request.signal.aborted) return;
        Object.assign(this, { drawing: null, refused: sentence(error) });
        let stop = () => {};
        recover(error, request.signal, () => (stop = this.loadDrawing(player)));
        request.signal.addEventListener('abort', () => stop());
      },
    );
    return () => request.abort();
  }

  /** Requests the values of the nodes in a position; null removes the values. The returned function cancels the request. */
  loadValues(player: string, game: string, setup: string[], position: string | null): () => void {
    if (position === null) {
      this.#values = null;
      this.valuesError = null;
      return () => {};
    }
    const request = new AbortController();
    api.networkValues({ player, game, setup, position }, request.signal).then(
      ({ values }) => {
        if (request.signal.aborted) return;
        this.#values = { player, values };
        this.valuesError = null;
      },
      (error: unknown) => {
        if (request.signal.aborted) return;
        this.#values = null;
        this.valuesError = sentence(error);
      },
    );
    return () => request.abort();
  }
}
