// What all boards of squares have in common. Nothing here draws or knows rules: legal moves come from the server.
import type { Side } from '../../lib/api';

export interface Piece {
  colour: 'white' | 'black';
  kind: string;
  square: string;
}

/** A game on squares. Moves are paths: the squares a piece visits, or the one square that is taken. */
export interface Grid {
  size: number;
  /** Names of squares, the top row first; null where nobody ever stands. */
  squares: (string | null)[][];
  /** Whose side is at the bottom of these rows. */
  bottom: Side;
  look: 'checkered' | 'lines';
  /** Whether squares are told by rows and columns at the edge, or each by its own number. */
  edges: boolean;
  pieces(position: string): Piece[];
  /** Empty where the text is no move. */
  path(move: string): string[];
  /** The square that is jumped over by a step. */
  jumped(from: string, to: string): string | null;
  /** What a piece turns into by a move. */
  becomes(move: string): string | null;
  /** A piece in words. */
  name(piece: Piece): string;
}

export interface Place {
  column: number;
  row: number;
}

/** Rows as somebody at the table sees them. */
export function turned(squares: (string | null)[][], flipped: boolean): (string | null)[][] {
  return flipped ? squares.map((row) => [...row].reverse()).reverse() : squares;
}

/** Where each square is. */
export function places(rows: (string | null)[][]): Map<string, Place> {
  const found = new Map<string, Place>();
  rows.forEach((names, row) => names.forEach((name, column) => name && found.set(name, { column, row })));
  return found;
}

/** Squares named by letters and digits, the highest row first. */
export function lettered(size: number): string[][] {
  const row = (number: number) => Array.from({ length: size }, (_, column) => String.fromCharCode(97 + column) + number);
  return Array.from({ length: size }, (_, place) => row(size - place));
}

/** The square next to one in a direction; `column` is where the eye is, as rows may be staggered. */
export function beside(rows: (string | null)[][], from: Place, key: string, column: number): Place | null {
  const size = rows.length;
  const across = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
  if (across) {
    for (let at = from.column + across; at >= 0 && at < size; at += across) {
      if (rows[from.row]?.[at]) return { row: from.row, column: at };
    }
    return null;
  }
  const row = from.row + (key === 'ArrowUp' ? -1 : 1);
  const open = (rows[row] ?? []).flatMap((name, at) => (name ? [at] : []));
  const nearest = open.sort((a, b) => Math.abs(a - column) - Math.abs(b - column))[0];
  return nearest === undefined ? null : { row, column: nearest };
}

export interface Tracked extends Piece {
  id: number;
}

/** Says which piece of a new position is which of the old, so that a piece that moved is seen moving. */
export function follow(before: Tracked[], now: Piece[]): Tracked[] {
  const left = new Set(before);
  const ids = new Map<Piece, number>();
  const match = (same: (old: Tracked, piece: Piece) => boolean) => {
    for (const piece of now) {
      if (ids.has(piece)) continue;
      const old = [...left].find((old) => old.colour === piece.colour && same(old, piece));
      if (!old) continue;
      left.delete(old);
      ids.set(piece, old.id);
    }
  };
  match((old, piece) => old.square === piece.square && old.kind === piece.kind);
  match((old, piece) => old.square === piece.square);
  match((old, piece) => old.kind === piece.kind);
  match(() => true);
  let fresh = Math.max(0, ...before.map((old) => old.id));
  return now.map((piece) => ({ ...piece, id: ids.get(piece) ?? ++fresh }));
}
