// Paints a network on a canvas: edges, nodes filled according to their values, and names if there is room.
import type { DrawnEdge, DrawnNode, NetworkDrawing } from '../lib/api';
import { margins, type Camera } from './camera';
import { paintEdges } from './edges';
import { short } from './words';

/** What is painted. It is made once for each drawing. */
export interface Scene {
  drawing: NetworkDrawing;
  nodes: DrawnNode[];
  /** Edges in groups of equal sign and similar strength, the weakest first. */
  groups: Group[];
  /** The number of edges. */
  count: number;
  /** The strength of each node's strongest edge, from 0 to 1; -1 if it has no edge in this drawing. */
  strengths: number[];
}
export interface Group {
  negative: boolean;
  /** From 0 to 1. */
  strength: number;
  edges: DrawnEdge[];
}

/** How it is painted now. */
export interface View {
  camera: Camera;
  width: number;
  height: number;
  /** The value of each node, or null; and the largest absolute value of each layer. */
  values: number[] | null;
  scales: number[];
  /** The node whose edges are highlighted, or null. */
  marked: number | null;
}

export type Colours = Record<'text' | 'faint' | 'card' | 'accent' | 'accent-soft' | 'curve-1' | 'curve-2', string>;

/** The number of different line widths. */
const SHADES = 8;
/** The smallest distance between two names, in pixels. */
const ROOM = 11.5;
const FONT = '11px system-ui, sans-serif';

/** The current colours of the style's variables. A canvas cannot use the variables themselves. */
export function coloursOf(element: HTMLElement): Colours {
  const probe = element.appendChild(document.createElement('i'));
  const resolved = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const names = ['text', 'faint', 'card', 'accent', 'accent-soft', 'curve-1', 'curve-2'] as const;
  const colours = Object.fromEntries(names.map((name) => [name, resolved(name)])) as Colours;
  probe.remove();
  return colours;
}

export function sceneOf(drawing: NetworkDrawing, edges: DrawnEdge[], hidden: boolean): Scene {
  const groups: Group[] = [];
  for (let shade = 1; shade <= SHADES; shade++) for (const negative of [false, true]) groups.push({ negative, strength: shade / SHADES, edges: [] });
  const strengths = drawing.nodes.map(() => -1);
  for (const edge of edges) {
    const strength = drawing.most > 0 ? Math.abs(edge.weight) / drawing.most : 0;
    for (const end of [edge.from, edge.to]) strengths[end] = Math.max(strength, strengths[end] ?? -1);
    const shade = Math.max(0, Math.ceil(strength * SHADES) - 1);
    groups[2 * shade + (edge.weight < 0 ? 1 : 0)]?.edges.push(edge);
  }
  return { drawing, nodes: hidden ? drawing.nodes : drawing.nodes.filter(({ kind }) => kind !== 'hidden'), groups, count: edges.length, strengths };
}

/** The place of a node on the canvas. */
export function placeOf({ x, y }: DrawnNode, { camera, width, height }: View) {
  const { left, right, top, bottom } = margins(width);
  return { x: camera.x + camera.zoom * (left + x * (width - left - right)), y: camera.y + camera.zoom * (top + y * (height - top - bottom)) };
}

/** The distance between neighbouring nodes of a layer, in pixels. */
const spacing = (layer: number, { drawing }: Scene, { camera, height }: View) => (camera.zoom * (height - 28)) / (drawing.layers[layer] ?? 1);

const radiusOf = (node: DrawnNode, scene: Scene, view: View) => Math.max(1.5, Math.min(9, 0.36 * spacing(node.layer, scene, view)));

/** The node at a point or close to it, or null. */
export function nodeAt(scene: Scene, view: View, at: { x: number; y: number }): number | null {
  let found: number | null = null;
  let least = Infinity;
  for (const node of scene.nodes) {
    const place = placeOf(node, view);
    const distance = Math.hypot(place.x - at.x, place.y - at.y);
    if (distance < Math.max(9, radiusOf(node, scene, view) + 3) && distance < least) [found, least] = [node.id, distance];
  }
  return found;
}

/** Paints on an empty canvas that goes beyond the visible part by the given number of pixels. */
export function paint(context: CanvasRenderingContext2D, scene: Scene, view: View, colours: Colours, beyond: number) {
  // The places of all nodes: x and y alternate.
  const places = new Float32Array(2 * scene.drawing.nodes.length);
  for (const node of scene.nodes) {
    const { x, y } = placeOf(node, view);
    places[2 * node.id] = x;
    places[2 * node.id + 1] = y;
  }
  const near = (node: DrawnNode) => {
    const [x = 0, y = 0] = [places[2 * node.id], places[2 * node.id + 1]];
    return x > -beyond - 200 && x < view.width + beyond + 200 && y > -beyond - 12 && y < view.height + beyond + 12;
  };
  paintEdges(context, scene, places, colours, view.marked);
  for (const node of scene.nodes.filter(near)) paintNode(context, node, scene, view, colours);
  for (const node of named(scene, view, places).filter(near)) paintName(context, node, scene, view, colours);
}

/** The nodes whose names are painted: the marked node always, others if there is room, those with strong edges first. */
function named(scene: Scene, view: View, places: Float32Array): DrawnNode[] {
  const strength = ({ id }: DrawnNode) => scene.strengths[id] ?? -1;
  const taken: Record<string, number[]> = { input: [], output: [] };
  const found = scene.nodes.filter(({ id }) => id === view.marked);
  for (const { kind, id } of found) taken[kind]?.push(places[2 * id + 1] ?? 0);
  const others = scene.nodes.filter(({ kind, id }) => kind !== 'hidden' && id !== view.marked);
  for (const node of others.sort((a, b) => strength(b) - strength(a))) {
    const y = places[2 * node.id + 1] ?? 0;
    if (taken[node.kind]?.some((other) => Math.abs(other - y) < ROOM)) continue;
    taken[node.kind]?.push(y);
    found.push(node);
  }
  return found;
}

function paintNode(context: CanvasRenderingContext2D, node: DrawnNode, scene: Scene, view: View, colours: Colours) {
  const { x, y } = placeOf(node, view);
  // Nodes without edges in this drawing are small.
  const joined = (scene.strengths[node.id] ?? -1) >= 0;
  const radius = radiusOf(node, scene, view) * (joined ? 1 : 0.6);
  const value = view.values?.[node.id];
  const marked = view.marked === node.id;
  // A larger value gives a stronger colour.
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colours.card;
  context.fill();
  if (value === undefined) {
    context.fillStyle = node.kind === 'hidden' ? colours.card : colours['accent-soft'];
    context.fill();
  } else {
    context.globalAlpha = Math.min(1, Math.abs(value) / (view.scales[node.layer] || 1));
    context.fillStyle = colours[value < 0 ? 'curve-2' : 'curve-1'];
    context.fill();
    context.globalAlpha = 1;
  }
  context.lineWidth = marked ? 3 : 1;
  context.strokeStyle = marked ? colours.accent : joined ? colours.text : colours.faint;
  context.stroke();
  // A dash marks negative values for people who cannot see the colours.
  if (value !== undefined && value < 0 && radius >= 4) {
    context.beginPath();
    context.moveTo(x - 0.5 * radius, y);
    context.lineTo(x + 0.5 * radius, y);
    context.lineWidth = 1.5;
    context.strokeStyle = colours.text;
    context.stroke();
  }
}

/** Paints the name of a node beside it, with its value. */
function paintName(context: CanvasRenderingContext2D, node: DrawnNode, scene: Scene, view: View, colours: Colours) {
  const { x, y } = placeOf(node, view);
  const radius = radiusOf(node, scene, view);
  const value = view.values?.[node.id];
  const number = value !== undefined && (node.kind === 'output' || value !== 0) ? ` ${short(value)}` : '';
  const text = `${node.label}${number}`;
  context.font = FONT;
  context.textBaseline = 'middle';
  context.textAlign = node.kind === 'input' ? 'right' : node.kind === 'output' ? 'left' : 'center';
  const away = node.kind === 'input' ? -radius - 4 : node.kind === 'output' ? radius + 4 : 0;
  const above = node.kind === 'hidden' ? -radius - 9 : 0;
  const { left, right } = margins(view.width);
  const room = node.kind === 'input' ? left - 12 : node.kind === 'output' ? right - 12 : 160;
  paintText(context, fitting(context, text, number, view.marked === node.id ? 400 : room), x + away, y + above, colours);
}

/** Paints a text with an outline in the background colour, so that edges do not cross it. */
function paintText(context: CanvasRenderingContext2D, text: string, x: number, y: number, colours: Colours) {
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.strokeStyle = colours.card;
  context.strokeText(text, x, y);
  context.fillStyle = colours.text;
  context.fillText(text, x, y);
}

/** Shortens a name to the given width. Its end and the value stay, because names differ at their ends. */
function fitting(context: CanvasRenderingContext2D, text: string, number: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let name = text.slice(0, text.length - number.length);
  while (name.length > 3 && context.measureText(`…${name}${number}`).width > room) name = name.slice(1);
  return `…${name.trimStart()}${number}`;
}
