// Draws the curves of several runs on one canvas with uPlot. Each has a dash pattern of its own and its name at its end.
import uPlot from 'uplot';
import { FIXED, LINE, Palette, Plot } from '../lib/plot';
import type { Unit } from '../lib/api';
import { colourOf, DASHES, type Curve } from './curve';

export interface Shown {
  curve: Curve;
  on: boolean;
}

const HEIGHT = 320;
/** The height of the names at the ends of curves, and the width that is kept free for them, in pixels. */
const LABEL = 12;
const ROOM = 150;
/** Narrower plots show letters instead of names, in pixels. */
const WIDE = 620;
/** Longer names are cut, in characters. */
const LONGEST = 20;

const COLOURS = ['card', 'curve-1', 'curve-2', 'curve-3', 'curve-4'] as const;

export class OverlayDrawing {
  readonly #plot: Plot;
  readonly #palette: Palette<(typeof COLOURS)[number]>;

  /** The set of curves is fixed. Their values, and which of them are visible, may change. */
  constructor(
    readonly element: HTMLElement,
    readonly unit: Unit,
    /** Is called with the generation at the cursor, or null. */
    readonly cursor: (generation: number | null) => void,
    private shown: Shown[],
  ) {
    this.#palette = new Palette(element, COLOURS);
    this.#plot = new Plot(this.#palette, unit, HEIGHT, this.#options(), this.#data());
  }

  show(shown: Shown[]) {
    this.shown = shown;
    const { uplot } = this.#plot;
    shown.forEach(({ on }, place) => {
      if (uplot.series[place + 1]?.show !== on) uplot.setSeries(place + 1, { show: on });
    });
    uplot.setData(this.#data());
  }

  recolour() {
    this.#plot.recolour();
  }

  destroy() {
    this.#plot.destroy();
  }

  /** All generations of all runs. If a run has no value in one of them, its line goes on to its next value. */
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
    return this.#palette.of(`curve-${colourOf(place)}` as 'curve-1');
  }

  #options(): ConstructorParameters<typeof Plot>[3] {
    const fixed = FIXED[this.unit];
    return {
      padding: [12, () => (this.#wide ? ROOM : 2 * LABEL), 0, 0],
      scales: { x: { time: false, range: () => this.#generations() }, ...(fixed ? { y: { range: () => fixed } } : {}) },
      series: [{}, ...this.shown.map(({ curve, on }): uPlot.Series => ({ ...LINE, stroke: () => this.#colour(curve), width: 2, dash: DASHES[curve.place] ?? [], show: on }))],
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      hooks: {
        setCursor: [(plot) => this.cursor(plot.cursor.idx == null ? null : (plot.data[0][plot.cursor.idx] ?? null))],
        draw: [(plot) => this.#drawLabels(plot)],
      },
    };
  }

  /** The places of the names at the ends of the curves, from top to bottom, without overlaps. */
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
    // Names that are too close are moved down, and up again if they would leave the plot.
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
    ctx.strokeStyle = this.#palette.of('card');
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
