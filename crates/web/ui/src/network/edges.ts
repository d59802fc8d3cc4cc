// The edges of a network on a canvas: the stronger, the bolder; by sign in two colours, and dashed where they take away.
import type { DrawnEdge } from '../lib/api';
import type { Colours, Scene } from './paint';

/** More edges than this are painted without dashes, which take long; those of a marked node always have them. */
export const MOST_DASHED = 600;
const DASH = [5, 3];

export function paintEdges(context: CanvasRenderingContext2D, { groups, count }: Scene, places: Float32Array, colours: Colours, marked: number | null) {
  const stroke = (edges: DrawnEdge[], dashed: boolean) => {
    context.setLineDash(dashed ? DASH : []);
    context.beginPath();
    for (const { from, to } of edges) {
      context.moveTo(places[2 * from] ?? 0, places[2 * from + 1] ?? 0);
      context.lineTo(places[2 * to] ?? 0, places[2 * to + 1] ?? 0);
      // Solid lines are fastest all at once, dashed ones one by one: 40 and 1000 ms for 3600 edges, or 110 and 370.
      if (dashed) {
        context.stroke();
        context.beginPath();
      }
    }
    context.stroke();
  };
  context.save();
  const crowd = Math.min(1, 20 / Math.sqrt(Math.max(1, count)));
  for (const { negative, strength, edges } of groups) {
    context.strokeStyle = colours[negative ? 'curve-2' : 'curve-1'];
    context.lineWidth = 0.5 + 1.8 * strength;
    // The weaker, and the more there are, the fainter; faintest while another node stands out.
    context.globalAlpha = (0.2 * crowd + 0.8 * crowd ** 0.7 * strength ** (2 - crowd)) * (marked === null ? 1 : 0.25);
    stroke(edges, negative && count <= MOST_DASHED);
  }
  if (marked !== null) {
    for (const { negative, strength, edges } of groups) {
      context.strokeStyle = colours[negative ? 'curve-2' : 'curve-1'];
      context.lineWidth = 1 + 2.2 * strength;
      context.globalAlpha = 0.35 + 0.65 * strength;
      stroke(
        edges.filter(({ from, to }) => from === marked || to === marked),
        negative,
      );
    }
  }
  context.restore();
}
