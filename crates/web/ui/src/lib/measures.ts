// The list of measures. The server owns it, and it does not change while the server runs.
import { api, type Measure } from './api';

let known: Promise<Measure[]> | null = null;

/** All measures, in the order in which they are shown. They are requested only once. */
export function measures(): Promise<Measure[]> {
  known ??= api.about().then(
    (about) => about.measures,
    (error: unknown) => {
      known = null;
      throw error;
    },
  );
  return known;
}
