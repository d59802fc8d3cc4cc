// A plot on a canvas, by uPlot: lines over generations, with bands, marks, a cursor shared by all plots, and zooming by dragging.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { grouped } from '../lib/words';
import { told, type Line, type Unit } from './curves';

/** A horizontal line with a name. */
export interface Mark {
  label: string;
  value: number;
}

/** What a plot shows now. */
export interface Shown {
  generation: number[];
  lines: Line[];
  /** Generations from and to which it is drawn. */
  range: [number, number];
  marks: Mark[];
}

export interface Settings {
  unit: Unit;
  /** Whether low and high are drawn behind the lines. */
  banded: boolean;
  /** Whether each place is drawn as a point, too. */
  points: boolean;
  zoom: (from: number, to: number) => void;
  whole: () => void;
  /** The place under the cursor. */
  cursor: (place: number | null) => void;
}

const HEIGHT = 190;
/** A shorter drag, in pixels, is a click. */
const DRAG = 6;
/** Scales that are the same for all runs, with room for a line at their ends; a result is from −1, all lost, to 1, all won. */
export const FIXED: Partial<Record<Unit, [number, number]>> = { share: [-0.03, 1.03], result: [-1.06, 1.06] };
/** The height of names of marks, in pixels. */
const LABEL = 11;
export const FONT = '12px system-ui, sans-serif';

/** Steps between generations that are marked on an axis. */
export const GENERATION_STEPS = [1, 2, 5].flatMap((step) => Array.from({ length: 10 }, (_, zeros) => step * 10 ** zeros)).sort((a, b) => a - b);

const COLOURS = ['faint', 'line', 'curve-1', 'curve-2'] as const;

/** Colours as the style has them now, by their variables: a canvas does not know these. */
export function coloursOf<Name extends string>(element: HTMLElement, names: readonly Name[]): Record<Name, string> {
  const probe = element.appendChild(document.createElement('i'));
  const resolved = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries(names.map((name) => [name, resolved(name)])) as Record<Name, string>;
  probe.remove();
  return colours;
}

const faded = (colour: string) => `color-mix(in srgb, ${colour} 22%, transparent)`;

export class Drawing {
  readonly #plot: uPlot;
  readonly #watcher: ResizeObserver;
  #colours: Record<(typeof COLOURS)[number], string>;

  constructor(
    readonly element: HTMLElement,
    readonly settings: Settings,
    private shown: Shown,
  ) {
    this.#colours = coloursOf(element, COLOURS);
    this.#plot = new uPlot(this.#options(), this.#data(), element);
    this.#watcher = new ResizeObserver(() => this.#plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    this.#watcher.observe(element);
  }

  show(shown: Shown) {
    this.shown = shown;
    this.#plot.setData(this.#data());
  }

  recolour() {
    this.#colours = coloursOf(this.element, COLOURS);
    this.#plot.redraw();
  }

  destroy() {
    this.#watcher.disconnect();
    this.#plot.destroy();
  }

  /** The generations, then each line, with its low and high where there is a band. */
  #data(): uPlot.AlignedData {
    const { generation, lines } = this.shown;
    return [generation, ...lines.flatMap(({ mean, low, high }) => (this.settings.banded ? [mean, low, high] : [mean]))];
  }

  #options(): uPlot.Options {
    const { settings } = this;
    const axis = { stroke: () => this.#colours.faint, font: FONT, grid: { stroke: () => this.#colours.line, width: 1 }, ticks: { stroke: () => this.#colours.line, width: 1, size: 4 } };
    return {
      width: this.element.clientWidth,
      height: HEIGHT,
      padding: [10, 30, 0, 0],
      legend: { show: false },
      scales: { x: { time: false, range: () => this.#xRange() }, y: { range: (_, least, most) => this.#yRange(least, most) } },
      axes: [
        { ...axis, size: 30, space: 70, incrs: GENERATION_STEPS, values: (_, ticks) => ticks.map(grouped) },
        { ...axis, size: 58, space: 34, values: (_, ticks) => ticks.map((value) => (settings.unit === 'share' ? `${Math.round(100 * value)} %` : String(value).replace('-', '−'))) },
      ],
      series: [{}, ...this.shown.lines.flatMap((line) => this.#series(line))],
      bands: settings.banded ? this.shown.lines.map((line, place) => ({ series: [3 * place + 3, 3 * place + 2], fill: () => faded(this.#colours[`curve-${line.colour}`]) })) : [],
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: false, dist: DRAG },
        // Others follow the cursor; what is dragged is told by this plot alone.
        sync: { key: 'run', filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' } },
        bind: { dblclick: () => () => (settings.whole(), null) },
      },
      hooks: {
        setCursor: [(plot) => settings.cursor(plot.cursor.idx ?? null)],
        setSelect: [(plot) => this.#select(plot)],
        draw: [(plot) => this.#drawMarks(plot)],
      },
    };
  }

  #series(line: Line): uPlot.Series[] {
    const { banded, points } = this.settings;
    const stroke = () => this.#colours[`curve-${line.colour}`];
    // The second line is dashed, so that both can be told apart without colours.
    const main: uPlot.Series = { stroke, width: 1.75, spanGaps: true, ...(line.colour === 2 ? { dash: [6, 3] } : {}), points: points ? { show: true, size: 6, fill: stroke } : { show: (_, __, first, last) => last - first < 2 } };
    const edge: uPlot.Series = { spanGaps: true, points: { show: false } };
    return banded ? [main, edge, edge] : [main];
  }

  #xRange(): [number, number] {
    const [from, to] = this.shown.range;
    return from < to ? [from, to] : [from - 1, to + 1];
  }

  #yRange(least: number | null, most: number | null): [number, number] {
    const fixed = FIXED[this.settings.unit];
    if (fixed) return fixed;
    const values = [least ?? 0, most ?? 1, ...this.shown.marks.map(({ value }) => value)];
    const [low, high] = uPlot.rangeNum(Math.min(...values), Math.max(...values), 0.1, true);
    return [low ?? 0, high ?? 1];
  }

  #select(plot: uPlot) {
    const { left, width } = plot.select;
    if (width < DRAG) return;
    this.settings.zoom(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  #drawMarks(plot: uPlot) {
    const { ctx, bbox } = plot;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.strokeStyle = this.#colours.faint;
    ctx.fillStyle = this.#colours.faint;
    ctx.lineWidth = ratio;
    ctx.setLineDash([2 * ratio, 4 * ratio]);
    ctx.font = `${LABEL * ratio}px system-ui, sans-serif`;
    ctx.textAlign = 'right';
    ctx.textBaseline = 'bottom';
    let before = { y: -Infinity, left: 0 };
    for (const { label, value } of this.shown.marks.toSorted((a, b) => b.value - a.value)) {
      const y = plot.valToPos(value, 'y', true);
      const text = `${label} ${told(value, this.settings.unit)}`;
      // A name that would lie on the one above goes to its left.
      const right = y - before.y < LABEL * ratio ? before.left - 2 * LABEL * ratio : bbox.left + bbox.width - 4 * ratio;
      before = { y, left: right - ctx.measureText(text).width };
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      ctx.fillText(text, right, y - 2 * ratio);
    }
    ctx.restore();
  }
}
