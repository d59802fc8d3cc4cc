// Curves of several runs on one canvas, by uPlot: each with its own dashes, and its letter at its end.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { grouped } from '../lib/words';
import type { Unit } from '../run/curves';
import { coloursOf, FIXED, FONT, GENERATION_STEPS } from '../run/drawing';
import { colourOf, DASHES, type Curve } from './measures';

export interface Shown {
  curve: Curve;
  on: boolean;
}

const HEIGHT = 320;
/** The height of names at the ends of curves, and the room for them, in pixels. */
const LABEL = 12;
const ROOM = 150;
/** On narrower plots letters must do. */
const WIDE = 620;
const LONGEST = 20;

const COLOURS = ['faint', 'line', 'card', 'curve-1', 'curve-2', 'curve-3', 'curve-4'] as const;

export class OverlayDrawing {
  readonly #plot: uPlot;
  readonly #watcher: ResizeObserver;
  #colours: Record<(typeof COLOURS)[number], string>;

  /** The curves stay the same ones; what is known of them, and which are on, may change. */
  constructor(
    readonly element: HTMLElement,
    readonly unit: Unit,
    /** Hears the generation under the cursor. */
    readonly cursor: (generation: number | null) => void,
    private shown: Shown[],
  ) {
    this.#colours = coloursOf(element, COLOURS);
    this.#plot = new uPlot(this.#options(), this.#data(), element);
    this.#watcher = new ResizeObserver(() => this.#plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    this.#watcher.observe(element);
  }

  show(shown: Shown[]) {
    this.shown = shown;
    shown.forEach(({ on }, place) => {
      if (this.#plot.series[place + 1]?.show !== on) this.#plot.setSeries(place + 1, { show: on });
    });
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

  /** All generations of all runs; where one has no value, its line goes on to the next. */
  #data(): uPlot.AlignedData {
    return uPlot.join(this.shown.map(({ curve }): uPlot.AlignedData => [curve.generation, curve.mean]));
  }

  #generations(): [number, number] {
    const last = Math.max(1, ...this.shown.map(({ curve }) => curve.generation.at(-1) ?? 1));
    return [1, Math.max(2, last)];
  }

  get #wide() {
    return this.element.clientWidth >= WIDE;
  }

  #colour({ place }: Curve) {
    return this.#colours[`curve-${colourOf(place)}` as 'curve-1'];
  }

  #options(): uPlot.Options {
    const axis = { stroke: () => this.#colours.faint, font: FONT, grid: { stroke: () => this.#colours.line, width: 1 }, ticks: { stroke: () => this.#colours.line, width: 1, size: 4 } };
    const fixed = FIXED[this.unit];
    const share = this.unit === 'share';
    return {
      width: this.element.clientWidth,
      height: HEIGHT,
      padding: [12, () => (this.#wide ? ROOM : 2 * LABEL), 0, 0],
      legend: { show: false },
      scales: { x: { time: false, range: () => this.#generations() }, ...(fixed ? { y: { range: () => fixed } } : {}) },
      axes: [
        { ...axis, size: 30, space: 70, incrs: GENERATION_STEPS, values: (_, ticks) => ticks.map(grouped) },
        { ...axis, size: 58, space: 34, values: (_, ticks) => ticks.map((value) => (share ? `${Math.round(100 * value)} %` : String(value).replace('-', '−'))) },
      ],
      series: [{}, ...this.shown.map(({ curve, on }): uPlot.Series => ({ stroke: () => this.#colour(curve), width: 2, dash: DASHES[curve.place] ?? [], spanGaps: true, show: on, points: { show: (_, __, first, last) => last - first < 2 } }))],
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      hooks: {
        setCursor: [(plot) => this.cursor(plot.cursor.idx == null ? null : (plot.data[0][plot.cursor.idx] ?? null))],
        draw: [(plot) => this.#drawLabels(plot)],
      },
    };
  }

  /** Where the curves end, from the top down, none on another. */
  #ends(plot: uPlot, ratio: number) {
    const ends = this.shown.flatMap(({ curve, on }) => {
      const at = curve.mean.findLastIndex((value) => value !== null);
      const [x, y] = [curve.generation[at], curve.mean[at]];
      if (!on || x === undefined || y === undefined || y === null) return [];
      return [{ curve, x: plot.valToPos(x, 'x', true), y: plot.valToPos(y, 'y', true) }];
    });
    ends.sort((a, b) => a.y - b.y);
    const apart = (LABEL + 2) * ratio;
    const bottom = plot.bbox.top + plot.bbox.height;
    // Pushed down where they are too close, and up again where that leaves no room.
    ends.forEach((end, place) => (end.y = Math.max(end.y, (ends[place - 1]?.y ?? -Infinity) + apart)));
    ends.toReversed().forEach((end, place, below) => (end.y = Math.min(end.y, place === 0 ? bottom : (below[place - 1]?.y ?? bottom) - apart)));
    return ends;
  }

  #drawLabels(plot: uPlot) {
    const { ctx } = plot;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.font = `600 ${LABEL * ratio}px system-ui, sans-serif`;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'middle';
    ctx.setLineDash([]);
    ctx.lineJoin = 'round';
    ctx.lineWidth = 4 * ratio;
    ctx.strokeStyle = this.#colours.card;
    for (const { curve, x, y } of this.#ends(plot, ratio)) {
      const name = curve.name.length > LONGEST ? `${curve.name.slice(0, LONGEST - 1)}…` : curve.name;
      const text = this.#wide ? `${curve.letter} ${name}` : curve.letter;
      const left = Math.min(x + 6 * ratio, ctx.canvas.width - ctx.measureText(text).width - 2 * ratio);
      ctx.strokeText(text, left, y);
      ctx.fillStyle = this.#colour(curve);
      ctx.fillText(text, left, y);
    }
    ctx.restore();
  }
}
