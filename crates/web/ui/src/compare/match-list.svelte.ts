// The matches that the server knows, with live results while they are played.
import { api, watchMatch, type MatchAsked, type MatchReport } from '../lib/api';
import { insist } from '../lib/recover';
import { Sending } from '../lib/sending.svelte';
import { sentence } from '../lib/words';
import { news } from './standings';

export class MatchList {
  /** The newest first. */
  all = $state.raw<MatchReport[]>([]);
  known = $state(false);
  /** Why the list cannot be loaded; null if it can. */
  refused = $state<string | null>(null);
  readonly sending = new Sending();
  /** The last change, for screen readers. */
  news = $state('');
  readonly #leaving = new AbortController();
  #shown = $state<number | null>(null);

  /** The match that is shown: the newest, unless the visitor chose another one. */
  readonly shown = $derived.by(() => this.all.find(({ id }) => id === this.#shown) ?? this.all[0] ?? null);
  /** The numbers of the matches that are being played, joined by commas. */
  readonly playing = $derived(this.all.filter(({ state }) => state === 'playing').map(({ id }) => id).join());

  leave() {
    this.#leaving.abort();
  }

  show(id: number) {
    this.#shown = id;
  }

  async load() {
    const { signal } = this.#leaving;
    try {
      const all = await insist(api.matches, signal, (error) => (this.refused = sentence(error)));
      if (all === null) return;
      this.all = all;
      this.refused = null;
    } catch (error) {
      this.refused = sentence(error);
    }
    this.known = true;
  }

  /** Starts a match; returns whether the server accepted it. */
  async start(asked: MatchAsked): Promise<boolean> {
    return this.sending.send(async () => {
      const { id } = await api.startMatch(asked);
      this.all = await api.matches();
      this.show(id);
      // A short match may be over already.
      const begun = this.all.find((match) => match.id === id);
      if (begun && begun.state !== 'playing') this.news = news(begun);
    });
  }

  /** Cancels a match that is being played, or removes one that is over; returns whether that succeeded. */
  async end({ id, state }: MatchReport): Promise<boolean> {
    return this.sending.send(async () => {
      await api.endMatch(id);
      if (state !== 'playing') this.#forget(id);
    });
  }

  /** Follows the matches that are being played, until the returned function is called. */
  follow(playing: string): () => void {
    const ids = playing.split(',').filter(Boolean).map(Number);
    const close = ids.map((id) => watchMatch(id, { match: (match) => this.#put(match), gone: () => this.#forget(id) }));
    return () => close.forEach((stop) => stop());
  }

  #put(match: MatchReport) {
    if (match.state !== 'playing') this.news = news(match);
    this.all = this.all.map((other) => (other.id === match.id ? match : other));
  }

  #forget(id: number) {
    this.all = this.all.filter((other) => other.id !== id);
  }
}
