// A network in words: numbers, nodes, and the edges of a node.
import type { DrawnNode, NetworkDrawing } from '../lib/api';

/** A number with few digits. */
export function short(value: number): string {
  const size = Math.abs(value);
  const text = size === 0 ? '0' : size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : size >= 0.01 ? value.toFixed(2) : value.toPrecision(1);
  return text.replace('-', '−');
}

/** An edge of a node. */
export interface NodeEdge {
  /** The node at the other end. */
  other: number;
  label: string;
  weight: number;
  /** The weight times the value of the node where the edge begins; null if there are no values. */
  contribution: number | null;
}

/** The edges into a node and out of it, the strongest first. */
export function edgesOf(drawing: NetworkDrawing, node: number, values: number[] | null): { into: NodeEdge[]; out: NodeEdge[] } {
  const edge = (other: number, from: number, weight: number): NodeEdge => {
    const value = values?.[from];
    return { other, label: drawing.nodes[other]?.label ?? '', weight, contribution: value === undefined ? null : weight * value };
  };
  const strongest = (edges: NodeEdge[]) => edges.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return {
    into: strongest(drawing.edges.filter(({ to }) => to === node).map(({ from, weight }) => edge(from, from, weight))),
    out: strongest(drawing.edges.filter(({ from }) => from === node).map(({ to, weight }) => edge(to, node, weight))),
  };
}

/** What a node computes, in words. */
export function nodeText(node: DrawnNode): string {
  return node.bias === null || node.activation === null ? 'an input' : `bias ${short(node.bias)}, then ${node.activation}`;
}

/** The whole network in a sentence. */
export function summary(drawing: NetworkDrawing): string {
  const hidden = drawing.nodes.filter(({ kind }) => kind === 'hidden').length;
  const edges = drawing.edges.length + drawing.left_out;
  return `${drawing.layers[0]} inputs, ${hidden} hidden ${hidden === 1 ? 'node' : 'nodes'}, ${drawing.layers.at(-1)} ${drawing.layers.at(-1) === 1 ? 'output' : 'outputs'}, ${edges} edges`;
}
