// What a drawing says in words: numbers, nodes, and the edges of a node.
import type { DrawnNode, NetworkDrawing } from '../lib/api';

/** A number as short as it can be told. */
export function short(value: number): string {
  const size = Math.abs(value);
  const text = size === 0 ? '0' : size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : size >= 0.01 ? value.toFixed(2) : value.toPrecision(1);
  return text.replace('-', '−');
}

/** One edge as its node sees it. */
export interface Told {
  /** The node at the other end. */
  other: number;
  label: string;
  weight: number;
  /** What it brings, where there are values: the weight times the value of its source. */
  brings: number | null;
}

/** The edges into a node and out of it, the strongest first. */
export function edgesOf(drawing: NetworkDrawing, node: number, values: number[] | null): { into: Told[]; out: Told[] } {
  const told = (other: number, from: number, weight: number): Told => {
    const value = values?.[from];
    return { other, label: drawing.nodes[other]?.label ?? '', weight, brings: value === undefined ? null : weight * value };
  };
  const strongest = (edges: Told[]) => edges.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return {
    into: strongest(drawing.edges.filter(({ to }) => to === node).map(({ from, weight }) => told(from, from, weight))),
    out: strongest(drawing.edges.filter(({ from }) => from === node).map(({ to, weight }) => told(to, node, weight))),
  };
}

/** What a node does with what comes in. */
export function work(node: DrawnNode): string {
  return node.bias === null || node.activation === null ? 'an input' : `bias ${short(node.bias)}, then ${node.activation}`;
}

/** The whole network in a sentence. */
export function summary(drawing: NetworkDrawing): string {
  const hidden = drawing.nodes.filter(({ kind }) => kind === 'hidden').length;
  const edges = drawing.edges.length + drawing.left_out;
  return `${drawing.layers[0]} inputs, ${hidden} hidden ${hidden === 1 ? 'node' : 'nodes'}, ${drawing.layers.at(-1)} ${drawing.layers.at(-1) === 1 ? 'output' : 'outputs'}, ${edges} edges`;
}
