// What every board is told, and the boards of squares by the names of their games.
import type { GameInfo } from '../../lib/api';
import { draughts } from './draughts';
import type { Grid } from './grid';
import { minichess } from './minichess';
import { ticTacToe } from './tic-tac-toe';

/** A move with a sign that tells right from wrong without colours. */
export interface Judged {
  move: string;
  right: boolean;
}

export interface BoardProps {
  game: string;
  /** The position the game began with, as what has gone keeps its room. */
  start: string;
  position: string;
  diagram: string;
  /** What can be played here and now; empty when it is not the person's turn. */
  moves: string[];
  /** Whether a move is awaited, also where there are too many to be listed. */
  open: boolean;
  last: string | null;
  /** A move to be pointed at. */
  arrow: string | null;
  flipped: boolean;
  /** What the opponent thinks of moves, as short texts. */
  values: Map<string, string>;
  /** Moves that were judged, and how; drawn apart from the arrow. */
  judged?: Judged[];
  label: string;
  onmove: (move: string) => void;
  /** Something for whoever cannot see the board. */
  onsay: (text: string) => void;
}

export const GRIDS: Record<string, Grid> = { draughts, minichess, 'tic-tac-toe': ticTacToe };

/** Whether the board is to be turned around for somebody on this side. */
export function turnedFor(game: GameInfo['name'], side: 'first' | 'second'): boolean {
  const grid = GRIDS[game];
  return grid !== undefined && grid.look === 'checkered' && grid.bottom !== side;
}
