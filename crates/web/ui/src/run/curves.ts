// Curves as data: joined from parts, and their values as texts.
import type { Curve, Curves, Measure, Unit } from '../lib/api';
import { grouped, percent } from '../lib/words';
import { score } from '../runs/states';

/** Joins a new part to the known curves. The part replaces everything from its first place on. */
export function joined(whole: Curves | null, part: Curves): Curves {
  if (part.from === 0 || whole === null) return part;
  const { generation, series } = whole;
  const join = <T>(old: T[], more: T[]) => [...old.slice(0, part.from), ...more];
  const joinedCurve = (old: Curve, more: Curve): Curve => ({ mean: join(old.mean, more.mean), low: join(old.low, more.low), high: join(old.high, more.high) });
  return {
    stride: part.stride,
    from: 0,
    generation: join(generation, part.generation),
    series: Object.fromEntries(Object.entries(part.series).map(([key, more]) => [key, joinedCurve(series[key] ?? { mean: [], low: [], high: [] }, more)])),
  };
}

/** One line of a plot. */
export interface Line extends Curve {
  label: string;
  /** The number of the line's colour. */
  colour: 1 | 2;
}

/** A value of a plot as text. */
export function formatValue(value: number, unit: Unit): string {
  switch (unit) {
    case 'share':
      return percent(value);
    case 'result':
      return value.toFixed(2).replace('-', '−');
    case 'score':
      return score(value);
    case 'mean':
    case 'count':
      return Number.isInteger(value) ? grouped(value) : value.toFixed(1);
    case 'elo':
      return Math.round(value).toString().replace('-', '−');
  }
}

/** A plot, and the measures that share it. */
export interface PlotOf {
  title: string;
  unit: Unit;
  measures: Measure[];
}

/** The plots of a run. Measures with the same plot title share a plot. */
export function plotsOf(measures: Measure[]): PlotOf[] {
  const plots = new Map<string, PlotOf>();
  for (const measure of measures) {
    if (measure.plot === null) continue;
    const plot = plots.get(measure.plot) ?? { title: measure.plot, unit: measure.unit, measures: [] };
    plot.measures.push(measure);
    plots.set(plot.title, plot);
  }
  return [...plots.values()];
}

/** The lines of a plot that have at least one value. */
export function linesOf(plot: PlotOf, curves: Curves): Line[] {
  return plot.measures.flatMap(({ key, name }, place): Line[] => {
    const curve = curves.series[key];
    return curve?.mean.some((value) => value !== null) ? [{ ...curve, label: name.toLowerCase(), colour: place === 0 ? 1 : 2 }] : [];
  });
}

/** The last value at a place or before it, or null. */
export function valueAt(line: Line, place: number): number | null {
  for (let at = Math.min(place, line.mean.length - 1); at >= 0; at--) {
    const value = line.mean[at];
    if (value !== null && value !== undefined) return value;
  }
  return null;
}

/** A summary of a plot for screen readers, with a sentence for each line. */
export function summary(generation: number[], lines: Line[], unit: Unit): string {
  return lines
    .map((line) => {
      const numbers = (values: (number | null)[]) => values.filter((value) => value !== null);
      const means = numbers(line.mean);
      const [first, last] = [means[0], means.at(-1)];
      if (first === undefined || last === undefined) return '';
      const least = numbers(line.low).reduce((a, b) => Math.min(a, b), first);
      const most = numbers(line.high).reduce((a, b) => Math.max(a, b), first);
      const say = (value: number) => formatValue(value, unit);
      return `Generations ${generation[0]} to ${generation.at(-1)}, ${line.label}: first ${say(first)}, last ${say(last)}, smallest ${say(least)}, largest ${say(most)}.`;
    })
    .join(' ');
}
