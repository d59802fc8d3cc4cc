// The common parts of all boards of squares. Nothing here draws or knows rules: the server lists the legal moves.
import type { Side } from '../../lib/api';

export interface Piece {
  colour: 'white' | 'black';
  kind: string;
  square: string;
}

/** A game on squares. A move is a path: the squares that a piece visits, or the one square that is occupied. */
export interface Grid {
  size: number;
  /** The names of the squares, the top row first; null for squares that are never used. */
  squares: (string | null)[][];
  /** The side at the bottom of these rows. */
  bottom: Side;
  pattern: 'checkered' | 'lines';
  /** Whether the names are written along the edge, as `a` to `f` and `1` to `6`, or in each square as its number. */
  edges: boolean;
  pieces(position: string): Piece[];
  /** The path of a move; empty if the text is not a move. */
  path(move: string): string[];
  /** The square that a step jumps over, or null. */
  jumped(from: string, to: string): string | null;
  /** The kind of piece into which a move promotes, or null. */
  becomes(move: string): string | null;
  /** A piece in words. */
  name(piece: Piece): string;
  /** The squares of pieces that must not be lost and are attacked. */
  threatened?(pieces: Piece[]): string[];
  /** What ends the game on the board: the squares of a complete line, or a captured king, on the square where it was. */
  ended?(pieces: Piece[], last: string | null): { line?: string[]; fallen?: Piece };
}

export interface Place {
  column: number;
  row: number;
}

/** The rows of squares, turned around if the board is flipped. */
export function turned(squares: (string | null)[][], flipped: boolean): (string | null)[][] {
  return flipped ? squares.map((row) => [...row].reverse()).reverse() : squares;
}

/** The column and row of each square. */
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

/** The next square in the direction of an arrow key, or null. Going up or down finds the square nearest to `column`. */
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

/** A piece with a number that it keeps while it moves. */
export interface Tracked extends Piece {
  id: number;
}

/** Finds each piece of a new position among those of the old one, so that a moved piece can be animated. */
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
