// The sizes of species as stacked areas, the oldest species at the bottom.
import type { StreamOfSpecies } from '../lib/api';

export interface Area {
  id: number;
  born: number;
  /** The outline in a box that is WIDTH wide and HEIGHT high. */
  outline: string;
  colour: string;
  from: number;
  sizes: number[];
}

export const WIDTH = 1000;
export const HEIGHT = 260;

/** The lightness alternates, so that neighbouring areas can be distinguished without colours. */
const LIGHTNESS = [45, 78, 58, 88];
/** The golden angle in degrees: many species have different hues. */
const HUE_STEP = 137.5;

const colourOf = (id: number) => `oklch(${LIGHTNESS[id % LIGHTNESS.length]}% 0.11 ${((id * HUE_STEP) % 360).toFixed(0)})`;

/** All areas, and the largest number of networks in a generation. */
export function areas({ generation, species }: StreamOfSpecies): { areas: Area[]; most: number } {
  const totals = generation.map(() => 0);
  for (const { from, sizes } of species) sizes.forEach((size, place) => (totals[from + place] = (totals[from + place] ?? 0) + size));
  const most = Math.max(1, ...totals);
  const first = generation[0] ?? 0;
  const length = Math.max((generation.at(-1) ?? 0) - first, 1);
  const x = (place: number) => ((((generation[place] ?? first) - first) / length) * WIDTH).toFixed(1);
  const y = (height: number) => (HEIGHT - (height / most) * HEIGHT).toFixed(1);

  const filled = generation.map(() => 0);
  const drawn = species
    .filter(({ sizes }) => sizes.length > 0)
    .sort((a, b) => a.born - b.born || a.id - b.id)
    .map(({ id, born, from, sizes }) => {
      const below: string[] = [];
      const above: string[] = [];
      // The area begins and ends as a point, unless the stream begins or ends there.
      const begins = from - 1;
      const ends = from + sizes.length;
      if (begins >= 0) below.push(`${x(begins)},${y(filled[begins] ?? 0)}`);
      sizes.forEach((size, offset) => {
        const place = from + offset;
        const base = filled[place] ?? 0;
        below.push(`${x(place)},${y(base)}`);
        above.push(`${x(place)},${y(base + size)}`);
        filled[place] = base + size;
      });
      if (ends < generation.length) below.push(`${x(ends)},${y(filled[ends] ?? 0)}`);
      return { id, born, outline: `M${[...below, ...above.reverse()].join('L')}Z`, colour: colourOf(id), from, sizes };
    });
  return { areas: drawn, most };
}

/** A species in a sentence, with its size at a place of the stream if one is given. */
export function words(area: Area, generation: number[], place: number | null): string {
  const last = area.from + area.sizes.length - 1;
  const alive = last === generation.length - 1;
  const now = place === null ? undefined : area.sizes[place - area.from];
  const parts = [`born in generation ${area.born}`];
  if (now !== undefined && place !== null) parts.push(`${now} networks in generation ${generation[place]}`);
  parts.push(`${Math.max(...area.sizes)} at most`);
  parts.push(alive ? `${area.sizes.at(-1)} now` : `died out after generation ${generation[last]}`);
  return `Species ${area.id}: ${parts.join(', ')}.`;
}
