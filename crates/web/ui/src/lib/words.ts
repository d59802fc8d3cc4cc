// Numbers as people read them.

/** A share as per cent; what is not all never reads as all. */
export function percent(share: number): string {
  const shown = share < 1 ? Math.min(100 * share, 99.9) : 100 * share;
  return `${shown.toFixed(1)} %`;
}

/** A number with its thousands apart. */
export function grouped(number: number): string {
  return Math.round(number).toString().replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** A time that fits into a line. */
export function span(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${seconds.toFixed(0)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds) % 60).padStart(2, '0')} s`;
  if (seconds < 360_000) return `${Math.floor(seconds / 3600)} h ${String(Math.floor(seconds / 60) % 60).padStart(2, '0')} min`;
  return `${(seconds / 86_400).toFixed(0)} days`;
}

/** What a state of a run means, in a few words. */
export const STATES: Record<string, string> = {
  training: 'training',
  stopping: 'stopping…',
  finals: 'final matches',
  paused: 'paused',
  solved: 'solved',
  generations: 'finished',
  time: 'time is up',
  interrupted: 'stopped',
  killed: 'broken off',
};

/** The sentence in an error. */
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.');
}
