// Requests an exam from the server. A new request cancels the one before.
import { api, type Examined } from '../lib/api';
import { recover } from '../lib/recover';
import { sentence } from '../lib/words';

export class ExamRequest {
  found = $state.raw<Examined | null>(null);
  error = $state<string | null>(null);
  #request = new AbortController();

  async take(player: string, game: string | null) {
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    this.found = null;
    this.error = null;
    try {
      const found = await api.exam({ player, game }, signal);
      if (!signal.aborted) this.found = found;
    } catch (error) {
      if (signal.aborted) return;
      this.error = sentence(error);
      recover(error, signal, () => void this.take(player, game));
    }
  }

  /** Cancels the request. */
  cancel() {
    this.#request.abort();
  }
}
