// The table of measures, which the server has; it does not change while the server runs.
import { api, type Measure } from './api';

let known: Promise<Measure[]> | null = null;

/** All measures, in the order in which they are shown; asked for once. */
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
