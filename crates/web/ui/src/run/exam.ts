// The grades of an exam, whatever they are called.
import { grouped, percent } from '../lib/words';

export interface Grade {
  name: string;
  text: string;
}

const NAMES: Record<string, string> = { all_positions: 'over all positions', on_policy: 'over positions met', grade: 'all', positions: 'positions asked', sampled: 'a sample' };
/** Told before what is inside of them, and not themselves. */
const SILENT = ['shares', 'searched', 'scored'];

const nameOf = (key: string) => NAMES[key] ?? key.replaceAll('_', ' ');

function text(key: string, value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return null;
  if (value >= 0 && value <= 1 && !/^(positions|points)/.test(key)) return percent(value);
  return Number.isInteger(value) ? grouped(value) : value.toFixed(1);
}

/** Where grades belong to a way to search, its name. */
function search(found: Record<string, unknown>): string | null {
  if (typeof found.depth === 'number') return `depth ${found.depth}`;
  return typeof found.mcts === 'number' ? `mcts ${found.mcts}` : null;
}

/** All grades in an exam, those inside of others with both names. */
export function gradesOf(exam: Record<string, unknown>, within: string[] = []): Grade[] {
  const way = search(exam);
  const path = way === null ? within : [...within, way];
  return Object.entries(exam).flatMap(([key, value]): Grade[] => {
    if (way !== null && ['depth', 'mcts', 'ept'].includes(key)) return [];
    const said = text(key, value);
    if (said !== null) return [{ name: [...path, nameOf(key)].join(', '), text: said }];
    const inside = SILENT.includes(key) ? path : [...path, nameOf(key)];
    if (Array.isArray(value)) return value.flatMap((one) => (isRecord(one) ? gradesOf(one, inside) : []));
    return isRecord(value) ? gradesOf(value, inside) : [];
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
