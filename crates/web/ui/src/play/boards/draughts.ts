// English draughts: positions in PDN's FEN, squares from 1 to 32, Black at the top.
import type { Grid, Piece } from './grid';

const row = (number: number) =>
  Array.from({ length: 8 }, (_, column) => ((number + column) % 2 ? String(4 * number + Math.floor(column / 2) + 1) : null));
const squares = Array.from({ length: 8 }, (_, number) => row(number));

function pieces(position: string): Piece[] {
  return position
    .split(':')
    .slice(1)
    .flatMap((part) => {
      const colour = part.startsWith('W') ? 'white' : 'black';
      const items = part.slice(1).split(',').filter(Boolean);
      return items.map((item): Piece => ({ colour, kind: item.startsWith('K') ? 'crowned' : 'man', square: item.replace('K', '') }));
    });
}

function place(square: string) {
  const number = Number(square) - 1;
  const row = Math.floor(number / 4);
  return { row, column: 2 * (number % 4) + (row % 2 ? 0 : 1) };
}

/** The square between two squares that are two rows apart; otherwise null. */
function jumped(from: string, to: string): string | null {
  const [a, b] = [place(from), place(to)];
  if (Math.abs(a.row - b.row) !== 2 || Math.abs(a.column - b.column) !== 2) return null;
  return squares[(a.row + b.row) / 2]?.[(a.column + b.column) / 2] ?? null;
}

export const draughts: Grid = {
  size: 8,
  squares,
  bottom: 'second',
  pattern: 'checkered',
  edges: false,
  pieces,
  path: (move) => (/^\d+([-x]\d+)+$/.test(move) ? move.split(/[-x]/) : []),
  jumped,
  becomes: () => null,
  name: (piece) => `${piece.colour} ${piece.kind === 'crowned' ? 'king' : 'man'}`,
};
