// The curves of several runs as data: each has a letter and a dash pattern of its own, and its first, last and best value.
import type { Curves, Measure } from '../lib/api';

/** One curve of the comparison. */
export interface Curve {
  name: string;
  /** A short name, for plots without room for the whole name. */
  letter: string;
  /** Its place among the chosen runs, from 0. It decides the colour and the dashes. */
  place: number;
  generation: number[];
  mean: (number | null)[];
  /** The first, last and best value, and the generation of the best; null if nothing was measured. */
  figures: { first: number; last: number; best: number; at: number } | null;
}

/** Dash patterns by place, in pixels, so that curves can be distinguished without colours. */
export const DASHES: number[][] = [[], [8, 4], [2, 3], [11, 3, 2, 3], [16, 5], [5, 2], [2, 7], [11, 3, 2, 3, 2, 3]];
/** The number of the colour, from 1 to 4. */
export const colourOf = (place: number) => (place % 4) + 1;
export const letterOf = (place: number) => String.fromCharCode(65 + place);

export function curveOf(name: string, place: number, { generation, series }: Curves, measure: Measure): Curve {
  const { mean, high } = series[measure.key] ?? { mean: [], high: [] };
  const measured = mean.flatMap((value, at) => (value === null ? [] : [{ value, most: high[at] ?? value, at: generation[at] ?? 0 }]));
  const [first, last] = [measured[0], measured.at(-1)];
  const best = measured.reduce((best, other) => (other.most > best.most ? other : best), { most: -Infinity, at: 0 });
  const figures = first && last ? { first: first.value, last: last.value, best: best.most, at: best.at } : null;
  return { name, letter: letterOf(place), place, generation, mean, figures };
}

/** The last value that was measured up to a generation, or null. */
export function valueAt(curve: Curve, generation: number): number | null {
  for (let at = curve.mean.length - 1; at >= 0; at--) {
    const value = curve.mean[at];
    if ((curve.generation[at] ?? 0) <= generation && value !== null && value !== undefined) return value;
  }
  return null;
}
