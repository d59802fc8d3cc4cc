// The properties of every board, and the boards of squares by the names of their games.
import type { GameInfo } from '../../lib/api';
import { draughts } from './draughts';
import type { Grid } from './grid';
import { minichess } from './minichess';
import { ticTacToe } from './tic-tac-toe';

/** A move that is drawn as right or wrong, by signs and not by colours alone. */
export interface Judged {
  move: string;
  right: boolean;
}

export interface BoardProps {
  game: string;
  /** The position in which the game began. Nim leaves room for the matches that were taken. */
  start: string;
  position: string;
  diagram: string;
  /** The legal moves; empty if it is not the visitor's turn. */
  moves: string[];
  /** Whether the visitor can move, even if there are too many legal moves to list them. */
  open: boolean;
  last: string | null;
  /** A move that is drawn as an arrow, or null. */
  arrow: string | null;
  flipped: boolean;
  /** The opponent's values of moves, as short texts. */
  values: Map<string, string>;
  /** Right and wrong moves; they are drawn in addition to the arrow. */
  judged?: Judged[];
  label: string;
  onmove: (move: string) => void;
  /** Gives a message to screen readers. */
  onsay: (text: string) => void;
}

export const GRIDS: Record<string, Grid> = { draughts, minichess, 'tic-tac-toe': ticTacToe };

/** Whether the board must be turned so that this side is at the bottom. */
export function turnedFor(game: GameInfo['name'], side: 'first' | 'second'): boolean {
  const grid = GRIDS[game];
  return grid !== undefined && grid.pattern === 'checkered' && grid.bottom !== side;
}
