// The names of games for people, and their rules in words, with positions that show them.
import type { GameInfo } from '../lib/api';

/** One rule, and a position that shows it. */
export interface Rule {
  text: string;
  position?: string;
  /** The move that shows the rule in this position. */
  move?: string;
}

interface Words {
  title: string;
  /** The aim and the most surprising rule, in one line. */
  line: string;
  rules: Rule[];
}

const WORDS: Record<string, Words> = {
  nim: {
    title: 'Nim',
    line: 'Take any number of matches from one stack. The side that takes the very last match loses.',
    rules: [
      { text: 'There are a few stacks of matches. The two sides take turns. In each turn a side takes one or more matches, all from the same stack.', position: '3,5', move: '2:2' },
      { text: 'The side that takes the last match of all loses. This is the unusual rule: in many places it wins. Here one match is left, so the side to move loses.', position: '1,0' },
    ],
  },
  'tic-tac-toe': {
    title: 'Tic-tac-toe',
    line: 'Put your sign on an empty square. Three in a row, in a column or along a diagonal win.',
    rules: [
      { text: 'X begins. In each turn a side puts its sign on an empty square.', position: '.../.x./...' },
      { text: 'Three own signs in a row, in a column or along a diagonal win. If the board is full and nobody has three, the game is a draw.', position: 'xo./ox./..x' },
    ],
  },
  minichess: {
    title: '6×6 chess',
    line: 'Capture the king to win. Nobody says “check”, pawns move one square, and there are no queens.',
    rules: [
      { text: 'White begins. A king moves one square in any direction. A rook moves along rows and columns, a bishop along diagonals; neither can jump. A knight moves two squares straight and one to the side, and it can jump.', position: '6/6/2R3/6/6/6 w' },
      { text: 'A pawn moves one square straight ahead, never two. It captures one square diagonally ahead.', position: '6/6/3p2/2P3/6/6 w' },
      { text: 'A pawn that reaches the last row becomes a rook. There are no queens.', position: '6/P5/6/6/6/6 w' },
      { text: 'The side that captures the other king wins. Nobody announces check: if your king is attacked, its square is marked red, and you must see to it yourself. Leaving it there is allowed, and loses.', position: '5k/6/6/6/6/K4R b' },
      { text: 'There is no castling and no capturing in passing. The game is a draw if a side has no move, and after 80 moves of both sides together.' },
    ],
  },
  draughts: {
    title: 'Draughts',
    line: 'Capture all pieces of the other side, or leave it without a move. Captures are forced.',
    rules: [
      { text: 'Black begins. A man moves one square diagonally ahead, on the dark squares.', position: 'B:W22:B11' },
      { text: 'A piece captures by jumping over a piece of the other side to the empty square behind it. If you can capture, you must. If the same piece can jump again, it goes on in the same turn.', position: 'B:W15,22:B11' },
      { text: 'A man that reaches the last row becomes a king and its turn ends. A king moves and jumps one step in all four directions.', position: 'W:WK18:B11' },
      { text: 'A side without pieces, or without a legal move, loses. The game is a draw if a position comes up for the third time, after 80 moves of both sides together without a capture or a move of a man, and after 200 moves in all.' },
    ],
  },
};

/** The name of a game for people. */
export const gameTitle = (name: string) => WORDS[name]?.title ?? name.charAt(0).toUpperCase() + name.slice(1);

/** The rules of a game in one line. */
export const rulesLine = (info: GameInfo) => WORDS[info.name]?.line ?? `${info.about.charAt(0).toUpperCase()}${info.about.slice(1)}.`;

/** The rules of a game, one after the other; empty if the page knows only one line. */
export const rulesOf = (name: string): Rule[] => WORDS[name]?.rules ?? [];
