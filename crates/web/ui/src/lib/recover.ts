// What a page could not load or send because the server did not answer is tried again when it does.
import { Refused } from './api';

/** Milliseconds between two attempts. */
export const AGAIN = 2000;

/** Whether an error only says that the server does not answer. */
export const isGone = (error: unknown) => error instanceof Refused && error.status === 0;

/** Repeats an action a little later if the error only says that the server does not answer, unless it is cancelled. */
export function recover(error: unknown, signal: AbortSignal, action: () => void) {
  if (isGone(error)) setTimeout(() => signal.aborted || action(), AGAIN);
}

/** Repeats an action until the server answers; `waits` is called before each repetition. Returns null if it is cancelled. */
export async function insist<T>(action: () => Promise<T>, signal: AbortSignal, waits: (error: unknown) => void = () => {}): Promise<T | null> {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (signal.aborted) return null;
      if (!isGone(error)) throw error;
      waits(error);
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
      if (signal.aborted) return null;
    }
  }
}
