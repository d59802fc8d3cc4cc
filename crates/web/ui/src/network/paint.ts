// Paints a network on a canvas: edges, nodes filled by what they are worth, names where there is room.
import type { DrawnEdge, DrawnNode, NetworkDrawing } from '../lib/api';
import { margins, type Camera } from './camera';
import { paintEdges } from './edges';
import { short } from './words';

/** What is painted; made once for each drawing. */
export interface Scene {
  drawing: NetworkDrawing;
  nodes: DrawnNode[];
  /** Edges in groups of one sign and about one strength, the weakest first. */
  groups: Group[];
  /** How many edges there are. */
  count: number;
  /** The strongest edge of each node, from 0 to 1; -1 where it has none here. */
  strengths: number[];
}
export interface Group {
  negative: boolean;
  /** From 0 to 1. */
  strength: number;
  edges: DrawnEdge[];
}

/** What it looks like now. */
export interface Sight {
  camera: Camera;
  width: number;
  height: number;
  /** What each node is worth, and the greatest value of each layer. */
  values: number[] | null;
  scales: number[];
  /** A node whose edges stand out. */
  marked: number | null;
}

export type Colours = Record<'text' | 'faint' | 'card' | 'accent' | 'accent-soft' | 'curve-1' | 'curve-2', string>;

/** So many shades of strength are told apart. */
const SHADES = 8;
/** The least distance of names, in pixels. */
const ROOM = 11.5;
const FONT = '11px system-ui, sans-serif';

/** Colours as the style has them now: a canvas does not know variables. */
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

/** Where a node lies on the canvas. */
export function placeOf({ x, y }: DrawnNode, { camera, width, height }: Sight) {
  const { left, right, top, bottom } = margins(width);
  return { x: camera.x + camera.zoom * (left + x * (width - left - right)), y: camera.y + camera.zoom * (top + y * (height - top - bottom)) };
}

/** The distance of the nodes of a layer. */
const spacing = (layer: number, { drawing }: Scene, { camera, height }: Sight) => (camera.zoom * (height - 28)) / (drawing.layers[layer] ?? 1);

const radiusOf = (node: DrawnNode, scene: Scene, sight: Sight) => Math.max(1.5, Math.min(9, 0.36 * spacing(node.layer, scene, sight)));

/** The node at a point, or close to it. */
export function nodeAt(scene: Scene, sight: Sight, at: { x: number; y: number }): number | null {
  let found: number | null = null;
  let least = Infinity;
  for (const node of scene.nodes) {
    const place = placeOf(node, sight);
    const distance = Math.hypot(place.x - at.x, place.y - at.y);
    if (distance < Math.max(9, radiusOf(node, scene, sight) + 3) && distance < least) [found, least] = [node.id, distance];
  }
  return found;
}

/** Paints on an empty canvas, and so many pixels beyond what is seen. */
export function paint(context: CanvasRenderingContext2D, scene: Scene, sight: Sight, colours: Colours, beyond: number) {
  // Where all nodes lie, x and y in turn.
  const places = new Float32Array(2 * scene.drawing.nodes.length);
  for (const node of scene.nodes) {
    const { x, y } = placeOf(node, sight);
    places[2 * node.id] = x;
    places[2 * node.id + 1] = y;
  }
  const near = (node: DrawnNode) => {
    const [x = 0, y = 0] = [places[2 * node.id], places[2 * node.id + 1]];
    return x > -beyond - 200 && x < sight.width + beyond + 200 && y > -beyond - 12 && y < sight.height + beyond + 12;
  };
  paintEdges(context, scene, places, colours, sight.marked);
  for (const node of scene.nodes.filter(near)) paintNode(context, node, scene, sight, colours);
  for (const node of named(scene, sight, places).filter(near)) paintName(context, node, scene, sight, colours);
}

/** Nodes whose names have room: those with strong edges first, and the marked one in any case. */
function named(scene: Scene, sight: Sight, places: Float32Array): DrawnNode[] {
  const strength = ({ id }: DrawnNode) => scene.strengths[id] ?? -1;
  const taken: Record<string, number[]> = { input: [], output: [] };
  const found = scene.nodes.filter(({ id }) => id === sight.marked);
  for (const { kind, id } of found) taken[kind]?.push(places[2 * id + 1] ?? 0);
  const others = scene.nodes.filter(({ kind, id }) => kind !== 'hidden' && id !== sight.marked);
  for (const node of others.sort((a, b) => strength(b) - strength(a))) {
    const y = places[2 * node.id + 1] ?? 0;
    if (taken[node.kind]?.some((other) => Math.abs(other - y) < ROOM)) continue;
    taken[node.kind]?.push(y);
    found.push(node);
  }
  return found;
}

function paintNode(context: CanvasRenderingContext2D, node: DrawnNode, scene: Scene, sight: Sight, colours: Colours) {
  const { x, y } = placeOf(node, sight);
  // Who has no edges here is but a dot.
  const joined = (scene.strengths[node.id] ?? -1) >= 0;
  const radius = radiusOf(node, scene, sight) * (joined ? 1 : 0.6);
  const value = sight.values?.[node.id];
  const marked = sight.marked === node.id;
  // Filled as much as it is worth.
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colours.card;
  context.fill();
  if (value === undefined) {
    context.fillStyle = node.kind === 'hidden' ? colours.card : colours['accent-soft'];
    context.fill();
  } else {
    context.globalAlpha = Math.min(1, Math.abs(value) / (sight.scales[node.layer] || 1));
    context.fillStyle = colours[value < 0 ? 'curve-2' : 'curve-1'];
    context.fill();
    context.globalAlpha = 1;
  }
  context.lineWidth = marked ? 3 : 1;
  context.strokeStyle = marked ? colours.accent : joined ? colours.text : colours.faint;
  context.stroke();
  // A stroke says that it is less than nothing, also without colours.
  if (value !== undefined && value < 0 && radius >= 4) {
    context.beginPath();
    context.moveTo(x - 0.5 * radius, y);
    context.lineTo(x + 0.5 * radius, y);
    context.lineWidth = 1.5;
    context.strokeStyle = colours.text;
    context.stroke();
  }
}

/** A node's name beside it, and its number. */
function paintName(context: CanvasRenderingContext2D, node: DrawnNode, scene: Scene, sight: Sight, colours: Colours) {
  const { x, y } = placeOf(node, sight);
  const radius = radiusOf(node, scene, sight);
  const value = sight.values?.[node.id];
  const number = value !== undefined && (node.kind === 'output' || value !== 0) ? ` ${short(value)}` : '';
  const text = `${node.label}${number}`;
  context.font = FONT;
  context.textBaseline = 'middle';
  context.textAlign = node.kind === 'input' ? 'right' : node.kind === 'output' ? 'left' : 'center';
  const away = node.kind === 'input' ? -radius - 4 : node.kind === 'output' ? radius + 4 : 0;
  const above = node.kind === 'hidden' ? -radius - 9 : 0;
  const { left, right } = margins(sight.width);
  const room = node.kind === 'input' ? left - 12 : node.kind === 'output' ? right - 12 : 160;
  written(context, fitting(context, text, number, sight.marked === node.id ? 400 : room), x + away, y + above, colours);
}

/** A name on a ground of its own, so that edges do not run through it. */
function written(context: CanvasRenderingContext2D, text: string, x: number, y: number, colours: Colours) {
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.strokeStyle = colours.card;
  context.strokeText(text, x, y);
  context.fillStyle = colours.text;
  context.fillText(text, x, y);
}

/** As much of a name as there is room for: its end, which tells names apart, and its number. */
function fitting(context: CanvasRenderingContext2D, text: string, number: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let name = text.slice(0, text.length - number.length);
  while (name.length > 3 && context.measureText(`…${name}${number}`).width > room) name = name.slice(1);
  return `…${name.trimStart()}${number}`;
}
