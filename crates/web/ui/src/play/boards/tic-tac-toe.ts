// Tic-tac-toe. Positions are rows of `x`, `o` and dots, the top row first; a move is a square, such as `b2`.
import { lettered, type Grid, type Piece } from './grid';

const squares = lettered(3);

function pieces(position: string): Piece[] {
  return position.split('/').flatMap((text, row) =>
    [...text].flatMap((mark, column): Piece[] => {
      const square = squares[row]?.[column];
      if (!square || (mark !== 'x' && mark !== 'o')) return [];
      return [{ colour: mark === 'x' ? 'white' : 'black', kind: mark === 'x' ? 'cross' : 'ring', square }];
    }),
  );
}

const LINES = [
  ...squares,
  ...squares.map((_, column) => squares.map((row) => row[column] ?? '')),
  squares.map((row, place) => row[place] ?? ''),
  squares.map((row, place) => row[squares.length - 1 - place] ?? ''),
];

export const ticTacToe: Grid = {
  size: 3,
  squares,
  bottom: 'first',
  pattern: 'lines',
  edges: true,
  pieces,
  path: (move) => (/^[a-c][1-3]$/.test(move) ? [move] : []),
  jumped: () => null,
  becomes: () => null,
  name: (piece) => (piece.kind === 'cross' ? 'x' : 'o'),
  ended: (pieces) => {
    const sign = (square: string) => pieces.find((piece) => piece.square === square)?.kind;
    const line = LINES.find(([first = '', ...others]) => sign(first) !== undefined && others.every((square) => sign(square) === sign(first)));
    return line ? { line } : {};
  },
};
