// States of runs: what each state allows, and texts for the list and for the page of a run.
import type { RunCard } from '../lib/api';
import { grouped, percent, STATES } from '../lib/words';

const BUSY = ['training', 'stopping', 'finals'];
const RESUMABLE = ['paused', 'interrupted', 'killed', 'time'];
const COMPLETE = ['generations', 'solved'];

/** Whether the run is being trained, or plays its final matches, by this server or another process. */
export const busy = (card: RunCard) => BUSY.includes(card.state);
export const canPause = (card: RunCard) => card.here && card.state === 'training';
export const canStop = (card: RunCard) => card.here && (card.state === 'training' || card.state === 'finals');
export const canResume = (card: RunCard) => RESUMABLE.includes(card.state);
/** Whether the run has reached its goal, so that it needs a new number of generations to continue. */
export const canContinue = (card: RunCard) => COMPLETE.includes(card.state);
export const canDelete = (card: RunCard) => !busy(card);
export const hasChampion = (card: RunCard) => card.error === null && card.generation > 0;

/** The state of a run in a few words. */
export function stateWords(card: RunCard): string {
  if (card.error !== null) return 'cannot be read';
  if (card.state === 'training' && !card.here) return 'training elsewhere';
  return STATES[card.state] ?? card.state;
}

/** What `strength` shows: a score, or a grade, with its generation if that is not the newest. */
export function strengthName(card: RunCard): string {
  if (card.grade === null) return 'score';
  return card.older_exam === null ? 'grade' : `grade of generation ${grouped(card.older_exam)}`;
}

/** The grade of the newest exam, or the score of the newest champion if there was no exam. */
export function strength(card: RunCard): string {
  if (card.grade !== null) return percent(card.grade);
  return card.score === null ? '–' : score(card.score);
}

/** A score as text. */
export const score = (value: number) => (Math.abs(value) >= 1000 ? grouped(value) : value.toFixed(2));

/** The address of a game against a run's champion, of the newest generation unless another is given. */
export function playAddress(card: RunCard, generation?: number): string {
  const player = `run:${card.name}${generation === undefined ? '' : `@${generation}`}`;
  return `/play?${new URLSearchParams({ game: card.game, against: player })}`;
}

export const runAddress = (name: string) => `/runs/${encodeURIComponent(name)}`;

/** The order of the list: active runs first, then the newest. */
export const inOrder = (a: RunCard, b: RunCard) => Number(busy(b)) - Number(busy(a)) || b.created - a.created || a.name.localeCompare(b.name);

/** A message for screen readers if a run has ended or failed; otherwise null. */
export function newsOf(before: RunCard | undefined, now: RunCard): string | null {
  if (!before) return null;
  if (now.failed !== null && before.failed === null) return `${now.name} failed: ${now.failed}`;
  return before.state !== now.state && !busy(now) ? `${now.name}: ${stateWords(now)}.` : null;
}
