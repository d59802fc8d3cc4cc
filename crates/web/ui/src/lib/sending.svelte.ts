// Sends forms. If the server does not answer, the form keeps everything, and is sent again when the server is back.
import { insist } from './recover';
import { sentence } from './words';

export class Sending {
  /** Whether a form is being sent. */
  busy = $state(false);
  /** Whether the server does not answer, so that the form waits. */
  waiting = $state(false);
  /** Why the server refused the form; null if it did not. */
  refused = $state<string | null>(null);
  #request = new AbortController();

  /** Sends a form; returns whether the server accepted it. Forms are sent one after the other. */
  async send(action: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.#request = new AbortController();
    const { signal } = this.#request;
    this.busy = true;
    this.refused = null;
    let sent = false;
    try {
      await insist(action, signal, () => (this.waiting = true));
      sent = !signal.aborted;
    } catch (error) {
      this.refused = sentence(error);
    }
    if (!signal.aborted) this.busy = this.waiting = false;
    return sent;
  }

  /** Does not send a waiting form any more; also for pages that are left. */
  cancel() {
    this.#request.abort();
    this.busy = this.waiting = false;
  }
}
