// Draws a plot of a run with uPlot: lines with bands, horizontal marks, a cursor shared by all plots, zoom by dragging.
import uPlot from 'uplot';
import { FIXED, LINE, Palette, Plot } from '../lib/plot';
import type { Unit } from '../lib/api';
import { formatValue, type Line } from './curves';

/** A horizontal line with a name. */
export interface Mark {
  label: string;
  value: number;
}

/** What a plot shows now. */
export interface Shown {
  generation: number[];
  lines: Line[];
  /** The first and the last generation that are drawn. */
  range: [number, number];
  marks: Mark[];
}

export interface Settings {
  unit: Unit;
  /** Whether a band from low to high is drawn behind each line. */
  banded: boolean;
  /** Whether each value is drawn as a point, too. */
  points: boolean;
  zoom: (from: number, to: number) => void;
  whole: () => void;
  /** Is called with the place at the cursor, or null. */
  cursor: (place: number | null) => void;
}

const HEIGHT = 190;
/** A shorter drag, in pixels, is a click. */
const DRAG = 6;
/** The height of the marks' names, in pixels. */
const LABEL = 11;
const COLOURS = ['curve-1', 'curve-2'] as const;

const faded = (colour: string) => `color-mix(in srgb, ${colour} 22%, transparent)`;

export class Drawing {
  readonly #plot: Plot;
  readonly #palette: Palette<(typeof COLOURS)[number]>;

  constructor(
    readonly element: HTMLElement,
    readonly settings: Settings,
    private shown: Shown,
  ) {
    this.#palette = new Palette(element, COLOURS);
    this.#plot = new Plot(this.#palette, settings.unit, HEIGHT, this.#options(), this.#data());
  }

  show(shown: Shown) {
    this.shown = shown;
    this.#plot.uplot.setData(this.#data());
  }

  recolour() {
    this.#plot.recolour();
  }

  destroy() {
    this.#plot.destroy();
  }

  /** The generations, then the mean of each line, followed by its low and high if there are bands. */
  #data(): uPlot.AlignedData {
    const { generation, lines } = this.shown;
    return [generation, ...lines.flatMap(({ mean, low, high }) => (this.settings.banded ? [mean, low, high] : [mean]))];
  }

  #options(): ConstructorParameters<typeof Plot>[3] {
    const { settings } = this;
    return {
      padding: [10, 30, 0, 0],
      scales: { x: { time: false, range: () => this.#xRange() }, y: { range: (_, least, most) => this.#yRange(least, most) } },
      series: [{}, ...this.shown.lines.flatMap((line) => this.#series(line))],
      bands: settings.banded ? this.shown.lines.map((line, place) => ({ series: [3 * place + 3, 3 * place + 2], fill: () => faded(this.#palette.of(`curve-${line.colour}`)) })) : [],
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: false, dist: DRAG },
        // All plots share the cursor, but only the plot under the pointer handles dragging.
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
    const stroke = () => this.#palette.of(`curve-${line.colour}`);
    // The second line is dashed, so that the two can be distinguished without colours.
    const main: uPlot.Series = { ...LINE, stroke, width: 1.75, ...(line.colour === 2 ? { dash: [6, 3] } : {}), ...(points ? { points: { show: true, size: 6, fill: stroke } } : {}) };
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
    ctx.strokeStyle = this.#palette.of('faint');
    ctx.fillStyle = this.#palette.of('faint');
    ctx.lineWidth = ratio;
    ctx.setLineDash([2 * ratio, 4 * ratio]);
    ctx.font = `${LABEL * ratio}px system-ui, sans-serif`;
    ctx.textAlign = 'right';
    ctx.textBaseline = 'bottom';
    let before = { y: -Infinity, left: 0 };
    for (const { label, value } of this.shown.marks.toSorted((a, b) => b.value - a.value)) {
      const y = plot.valToPos(value, 'y', true);
      const text = `${label} ${formatValue(value, this.settings.unit)}`;
      // A name that would overlap the one above is drawn to the left of it.
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
