// Paints the edges of a network: larger weights are thicker, the sign decides the colour, and negative weights are dashed.
import type { DrawnEdge } from '../lib/api';
import type { Colours, Scene } from './paint';

/** If there are more edges than this, they have no dashes, which are slow to paint. Edges of the marked node always have. */
export const MOST_DASHED = 600;
const DASH = [5, 3];

export function paintEdges(context: CanvasRenderingContext2D, { groups, count }: Scene, places: Float32Array, colours: Colours, marked: number | null) {
  const stroke = (edges: DrawnEdge[], dashed: boolean) => {
    context.setLineDash(dashed ? DASH : []);
    context.beginPath();
    for (const { from, to } of edges) {
      context.moveTo(places[2 * from] ?? 0, places[2 * from + 1] ?? 0);
      context.lineTo(places[2 * to] ?? 0, places[2 * to + 1] ?? 0);
      // Measured with 3600 edges. All in one path: 40 ms solid, 1000 ms dashed. One by one: 110 ms solid, 370 ms dashed.
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
    // Edges are fainter if they are weak or many, and faintest while a node is marked.
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
