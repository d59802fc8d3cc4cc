// Curves as data: put together from parts, and told in words.
import { SERIES, type Curves, type Series, type SeriesName } from '../lib/api';
import { grouped, percent } from '../lib/words';
import { score } from '../runs/states';

/** The curves with everything from the part's first place on replaced by it. */
export function joined(whole: Curves | null, part: Curves): Curves {
  if (part.from === 0 || whole === null) return part;
  const { generation, series } = whole;
  const join = <T>(old: T[], more: T[]) => [...old.slice(0, part.from), ...more];
  const joinedSeries = (name: SeriesName): Series => ({
    mean: join(series[name].mean, part.series[name].mean),
    low: join(series[name].low, part.series[name].low),
    high: join(series[name].high, part.series[name].high),
  });
  return {
    stride: part.stride,
    from: 0,
    generation: join(generation, part.generation),
    series: Object.fromEntries(SERIES.map((name) => [name, joinedSeries(name)])) as Record<SeriesName, Series>,
  };
}

/** One line of a plot. */
export interface Line extends Series {
  label: string;
  /** Which of the curves' colours, from 1. */
  colour: 1 | 2;
}

/** How the values of a plot are measured. */
export type Unit = 'share' | 'result' | 'score' | 'count' | 'elo';

/** A value of a plot in words. */
export function told(value: number, unit: Unit): string {
  switch (unit) {
    case 'share':
      return percent(value);
    case 'result':
      return value.toFixed(2).replace('-', '−');
    case 'score':
      return score(value);
    case 'count':
      return Number.isInteger(value) ? grouped(value) : value.toFixed(1);
    case 'elo':
      return Math.round(value).toString().replace('-', '−');
  }
}

export interface PlotOf {
  title: string;
  unit: Unit;
  lines: { series: SeriesName; label: string }[];
}

/** What is drawn of a run, each with its own scale. */
export const PLOTS: PlotOf[] = [
  { title: 'Grade', unit: 'share', lines: [{ series: 'grade', label: 'grade' }] },
  { title: 'Score', unit: 'score', lines: [{ series: 'best_score', label: 'best' }, { series: 'mean_score', label: 'mean' }] },
  { title: 'Wins against the past', unit: 'share', lines: [{ series: 'past_share', label: 'share' }] },
  { title: 'Growth against the last five', unit: 'result', lines: [{ series: 'growth', label: 'result' }] },
  { title: 'Turns per game', unit: 'count', lines: [{ series: 'mean_turns', label: 'turns' }] },
  { title: 'Complexity', unit: 'count', lines: [{ series: 'hidden', label: 'hidden nodes' }, { series: 'edges', label: 'edges' }] },
];

const measured = (series: Series) => series.mean.some((value) => value !== null);

/** The lines of a plot in which anything was measured. */
export function linesOf(plot: PlotOf, curves: Curves): Line[] {
  return plot.lines.map(({ series, label }, place): Line => ({ ...curves.series[series], label, colour: place === 0 ? 1 : 2 })).filter(measured);
}

/** What was measured last, at a place or before it. */
export function valueAt(line: Line, place: number): number | null {
  for (let at = Math.min(place, line.mean.length - 1); at >= 0; at--) {
    const value = line.mean[at];
    if (value !== null && value !== undefined) return value;
  }
  return null;
}

/** A plot in a sentence for each line, for whoever cannot see it. */
export function summary(generation: number[], lines: Line[], unit: Unit): string {
  return lines
    .map((line) => {
      const numbers = (values: (number | null)[]) => values.filter((value) => value !== null);
      const means = numbers(line.mean);
      const [first, last] = [means[0], means.at(-1)];
      if (first === undefined || last === undefined) return '';
      const least = numbers(line.low).reduce((a, b) => Math.min(a, b), first);
      const most = numbers(line.high).reduce((a, b) => Math.max(a, b), first);
      const say = (value: number) => told(value, unit);
      return `Generations ${generation[0]} to ${generation.at(-1)}, ${line.label}: first ${say(first)}, last ${say(last)}, least ${say(least)}, greatest ${say(most)}.`;
    })
    .join(' ');
}
