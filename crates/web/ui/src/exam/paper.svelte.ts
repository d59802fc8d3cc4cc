// An exam that is taken: one at a time, and nobody waits for one that is not wanted any more.
import { api, type Examined } from '../lib/api';
import { sentence } from '../lib/words';

export class ExamPaper {
  found = $state.raw<Examined | null>(null);
  error = $state<string | null>(null);
  #question = new AbortController();

  async take(player: string, game: string | null) {
    this.#question.abort();
    this.#question = new AbortController();
    const { signal } = this.#question;
    this.found = null;
    this.error = null;
    try {
      const found = await api.exam({ player, game }, signal);
      if (!signal.aborted) this.found = found;
    } catch (error) {
      if (!signal.aborted) this.error = sentence(error);
    }
  }

  leave() {
    this.#question.abort();
  }
}
