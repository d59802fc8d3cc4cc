// What a page could not load because the server did not answer is loaded again when it does.
import { Refused } from './api';

/** Milliseconds between two attempts. */
const AGAIN = 2000;

/** Repeats an action a little later if the error only says that the server does not answer, unless it is cancelled. */
export function recover(error: unknown, signal: AbortSignal, action: () => void) {
  if (!(error instanceof Refused) || error.status !== 0) return;
  setTimeout(() => signal.aborted || action(), AGAIN);
}
