// What a run's state allows: one place for the list and for the page of a run.
import type { RunCard } from '../lib/api';
import { grouped, percent, STATES } from '../lib/words';

const BUSY = ['training', 'stopping', 'finals'];
const RESUMABLE = ['paused', 'interrupted', 'killed', 'time'];
const COMPLETE = ['generations', 'solved'];

/** Whether somebody works on it, here or elsewhere. */
export const busy = (card: RunCard) => BUSY.includes(card.state);
export const canPause = (card: RunCard) => card.here && card.state === 'training';
export const canStop = (card: RunCard) => card.here && (card.state === 'training' || card.state === 'finals');
export const canResume = (card: RunCard) => RESUMABLE.includes(card.state);
/** Whether it did all that it was asked for, so that it needs a new goal to go on. */
export const canGoOn = (card: RunCard) => COMPLETE.includes(card.state);
export const canDelete = (card: RunCard) => !busy(card);
export const hasChampion = (card: RunCard) => card.error === null && card.generation > 0;

/** The state in a few words. */
export function stateWords(card: RunCard): string {
  if (card.error !== null) return 'cannot be read';
  if (card.state === 'training' && !card.here) return 'training elsewhere';
  return STATES[card.state] ?? card.state;
}

/** How good the newest champion is, in a few words. */
export function strength(card: RunCard): string {
  if (card.grade !== null) return percent(card.grade);
  return card.score === null ? '–' : score(card.score);
}

/** A score as it is shown everywhere. */
export const score = (value: number) => (Math.abs(value) >= 1000 ? grouped(value) : value.toFixed(2));

/** Where one plays against a run's champion, of the newest generation unless another is given. */
export function playAddress(card: RunCard, generation?: number): string {
  const player = `run:${card.name}${generation === undefined ? '' : `@${generation}`}`;
  return `/play?${new URLSearchParams({ game: card.game, against: player })}`;
}

export const runAddress = (name: string) => `/runs/${encodeURIComponent(name)}`;

/** What somebody works on first, then the newest. */
export const inOrder = (a: RunCard, b: RunCard) => Number(busy(b)) - Number(busy(a)) || b.created - a.created || a.name.localeCompare(b.name);

/** What is worth saying aloud when a run changes: that it ended, or failed. Nothing otherwise. */
export function newsOf(before: RunCard | undefined, now: RunCard): string | null {
  if (!before) return null;
  if (now.failed !== null && before.failed === null) return `${now.name} failed: ${now.failed}`;
  return before.state !== now.state && !busy(now) ? `${now.name}: ${stateWords(now)}.` : null;
}
