// The common parts of all plots over generations, drawn on a canvas by uPlot: axes, size, and colours that follow the theme.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Unit } from './api';
import { grouped } from './words';

/** Scales that are the same for all runs, with a margin. A result goes from −1 (all lost) to 1 (all won). */
export const FIXED: Partial<Record<Unit, [number, number]>> = { share: [-0.03, 1.03], result: [-1.06, 1.06] };
const FONT = '12px system-ui, sans-serif';
/** Possible distances between the marks on the axis of generations. */
const GENERATION_STEPS = [1, 2, 5].flatMap((step) => Array.from({ length: 10 }, (_, zeros) => step * 10 ** zeros)).sort((a, b) => a - b);

/** The current colours of the style's variables. A canvas cannot use the variables themselves. */
export class Palette<Name extends string> {
  #colours = new Map<string, string>();

  constructor(
    readonly element: HTMLElement,
    readonly names: readonly Name[],
  ) {
    this.renew();
  }

  of(name: Name | 'faint' | 'line'): string {
    return this.#colours.get(name) ?? '';
  }

  renew() {
    const probe = this.element.appendChild(document.createElement('i'));
    for (const name of [...this.names, 'faint', 'line']) {
      probe.style.color = `var(--${name})`;
      this.#colours.set(name, getComputedStyle(probe).color);
    }
    probe.remove();
  }
}

/** A line that skips missing values. A single value is drawn as a point. */
export const LINE: uPlot.Series = { spanGaps: true, points: { show: (_, __, first, last) => last - first < 2 } };

/** A plot that is as wide as its element. */
export class Plot {
  readonly uplot: uPlot;
  readonly #watcher: ResizeObserver;

  constructor(
    readonly palette: Palette<string>,
    unit: Unit,
    height: number,
    options: Omit<uPlot.Options, 'width' | 'height' | 'legend' | 'axes'>,
    data: uPlot.AlignedData,
  ) {
    const { element } = palette;
    const [faint, line] = [() => palette.of('faint'), () => palette.of('line')];
    const axis = { stroke: faint, font: FONT, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 } };
    const value = (number: number) => (unit === 'share' ? `${Math.round(100 * number)} %` : String(number).replace('-', '−'));
    const axes: uPlot.Axis[] = [
      { ...axis, size: 30, space: 70, incrs: GENERATION_STEPS, values: (_, ticks) => ticks.map(grouped) },
      { ...axis, size: 58, space: 34, values: (_, ticks) => ticks.map(value) },
    ];
    this.uplot = new uPlot({ ...options, width: element.clientWidth, height, legend: { show: false }, axes }, data, element);
    this.#watcher = new ResizeObserver(() => this.uplot.setSize({ width: element.clientWidth, height }));
    this.#watcher.observe(element);
  }

  recolour() {
    this.palette.renew();
    this.uplot.redraw();
  }

  destroy() {
    this.#watcher.disconnect();
    this.uplot.destroy();
  }
}
