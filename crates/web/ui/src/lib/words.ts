// Numbers, times, states of runs and errors as texts.

/** A share in per cent. Shares below 1 are never rounded up to 100 %. */
export function percent(share: number): string {
  const shown = share < 1 ? Math.min(100 * share, 99.9) : 100 * share;
  return `${shown.toFixed(1)} %`;
}

/** A whole number with narrow spaces between thousands. */
export function grouped(number: number): string {
  return Math.round(number).toString().replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** A duration as a short text. */
export function span(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${seconds.toFixed(0)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds) % 60).padStart(2, '0')} s`;
  if (seconds < 360_000) return `${Math.floor(seconds / 3600)} h ${String(Math.floor(seconds / 60) % 60).padStart(2, '0')} min`;
  return `${(seconds / 86_400).toFixed(0)} days`;
}

/** The states of a run in a few words. */
export const STATES: Record<string, string> = {
  training: 'training',
  stopping: 'stopping…',
  finals: 'final matches',
  paused: 'paused',
  solved: 'solved',
  strength: 'strong enough',
  generations: 'finished',
  time: 'time limit reached',
  interrupted: 'paused, nothing lost',
  killed: 'ended unexpectedly',
};

/** An error as a sentence, with a capital letter and a full stop. */
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.');
}
