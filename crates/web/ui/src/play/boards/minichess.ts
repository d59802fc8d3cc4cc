// Chess on 6 by 6 squares. Positions are written in FEN, moves as two squares, such as `b2b3`.
import { lettered, type Grid, type Piece } from './grid';

const KINDS: Record<string, string> = { k: 'king', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };
const squares = lettered(6);

function pieces(position: string): Piece[] {
  const rows = position.split(' ')[0]?.split('/') ?? [];
  return rows.flatMap((text, row) => {
    const spread = text.replace(/\d/g, (digit) => ' '.repeat(Number(digit)));
    return [...spread].flatMap((letter, column): Piece[] => {
      const kind = KINDS[letter.toLowerCase()];
      const square = squares[row]?.[column];
      return kind && square ? [{ colour: letter === letter.toLowerCase() ? 'black' : 'white', kind, square }] : [];
    });
  });
}

const MOVE = /^([a-f][1-6])([a-f][1-6])([a-z]?)$/;

export const minichess: Grid = {
  size: 6,
  squares,
  bottom: 'first',
  pattern: 'checkered',
  edges: true,
  pieces,
  path: (move) => MOVE.exec(move)?.slice(1, 3) ?? [],
  jumped: () => null,
  becomes: (move) => KINDS[MOVE.exec(move)?.[3] ?? ''] ?? null,
  name: (piece) => `${piece.colour} ${piece.kind}`,
};
