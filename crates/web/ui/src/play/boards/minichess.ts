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

const STRAIGHT = [[0, 1], [0, -1], [1, 0], [-1, 0]] as const;
const DIAGONAL = [[1, 1], [1, -1], [-1, 1], [-1, -1]] as const;
const LEAPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]] as const;

/** The squares that a piece attacks. Its own pieces stop it, but are listed, too. */
function attacks(piece: Piece, taken: Set<string>): string[] {
  const [column, row] = [piece.square.charCodeAt(0), Number(piece.square.slice(1))];
  const at = (dx: number, dy: number) => {
    const name = String.fromCharCode(column + dx) + (row + dy);
    return /^[a-f][1-6]$/.test(name) ? name : null;
  };
  const near = (steps: readonly (readonly [number, number])[]) => steps.flatMap(([dx, dy]) => at(dx, dy) ?? []);
  const far = (steps: readonly (readonly [number, number])[]) =>
    steps.flatMap(([dx, dy]) => {
      const found: string[] = [];
      for (let length = 1; ; length++) {
        const name = at(dx * length, dy * length);
        if (name === null) return found;
        found.push(name);
        if (taken.has(name)) return found;
      }
    });
  const ahead = piece.colour === 'white' ? 1 : -1;
  switch (piece.kind) {
    case 'pawn':
      return near([[-1, ahead], [1, ahead]]);
    case 'knight':
      return near(LEAPS);
    case 'bishop':
      return far(DIAGONAL);
    case 'rook':
      return far(STRAIGHT);
    default:
      return near([...STRAIGHT, ...DIAGONAL]);
  }
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
  threatened: (pieces) => {
    const taken = new Set(pieces.map(({ square }) => square));
    const attacked = (king: Piece) => pieces.some((piece) => piece.colour !== king.colour && attacks(piece, taken).includes(king.square));
    return pieces.filter((piece) => piece.kind === 'king' && attacked(piece)).map(({ square }) => square);
  },
  ended: (pieces, last) => {
    const square = MOVE.exec(last ?? '')?.[2];
    const colour = (['white', 'black'] as const).find((colour) => !pieces.some((piece) => piece.kind === 'king' && piece.colour === colour));
    return square && colour ? { fallen: { kind: 'king', colour, square } } : {};
  },
};
