// Everything that the server offers as choices. It does not change while the server runs.
import { api, type About } from './api';

let known: Promise<About> | null = null;

/** All games, players, measures and experiments. They are requested only once; after an error, again. */
export function about(): Promise<About> {
  known ??= api.about().catch((error: unknown) => {
    known = null;
    throw error;
  });
  return known;
}
