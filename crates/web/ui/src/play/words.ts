// Moves, turns and values in words.
import type { GameInfo, Outlook, ShownGame, Side } from '../lib/api';
import { GRIDS } from './boards/board';
import { take } from './boards/nim';

export const other = (side: Side): Side => (side === 'first' ? 'second' : 'first');

export const sideName = (game: GameInfo, side: Side) => game.sides[side === 'first' ? 0 : 1];

/** The name of a side with a capital letter. */
export const sideTitle = (game: GameInfo, side: Side) => {
  const name = sideName(game, side);
  return name.charAt(0).toUpperCase() + name.slice(1);
};

/** A move in words, for messages and screen readers. */
export function spoken(game: string, move: string): string {
  const taken = take(move);
  if (game === 'nim' && taken) return `${taken.amount} from stack ${taken.stack}`;
  const grid = GRIDS[game];
  const path = grid?.path(move) ?? [];
  if (!grid || path.length < 2) return move;
  const becomes = grid.becomes(move);
  const [from, ...to] = path;
  return `${from} ${move.includes('x') ? 'jumps to' : 'to'} ${to.join(', ')}${becomes ? `, becomes a ${becomes}` : ''}`;
}

/** The result of a finished game in words, for the visitor on the given side. */
export function ending(game: ShownGame, you: Side): string {
  const why = game.why ? ` ${game.why.charAt(0).toUpperCase()}${game.why.slice(1).replace(/\.$/, '')}.` : '';
  if (game.outcome === 'draw') return `A draw.${why}`;
  return `${game.outcome === you ? 'You have won.' : 'You have lost.'}${why}`;
}

/** A value with its sign and two decimals. */
export function valueText(value: number): string {
  const shown = Math.abs(value) < 0.005 ? 0 : value;
  return `${shown > 0 ? '+' : shown < 0 ? '−' : ''}${Math.abs(shown).toFixed(2)}`;
}

/** A value as a short text that fits on a square: `+0.35`, or `win 3` if the game certainly ends in 3 plies. */
export function valueTag(outlook: Outlook, sign: 1 | -1): string {
  const value = sign * outlook.value;
  if (outlook.ends_in === null || value === 0) return valueText(value);
  return `${value > 0 ? 'win' : 'loss'} ${outlook.ends_in}`;
}

/** The opponent's opinion of a position in a sentence; `mine` is the value for the opponent. All numbers are for the visitor. */
export function opinionWords(mine: number, endsIn: number | null): string {
  const plies = `${endsIn} ${endsIn === 1 ? 'ply' : 'plies'}`;
  if (endsIn !== null && mine > 0) return `It sees that it wins in ${plies}.`;
  if (endsIn !== null && mine < 0) return `It sees that you win in ${plies}.`;
  if (endsIn !== null) return `It sees a draw in ${plies}.`;
  if (Math.abs(mine) < 0.05) return `It thinks that the game is even: ${valueText(-mine)} for you.`;
  const much = Math.abs(mine) > 0.6 ? 'far ' : Math.abs(mine) < 0.2 ? 'a little ' : '';
  return `It thinks that ${mine > 0 ? 'it is' : 'you are'} ${much}ahead: ${valueText(-mine)} for you.`;
}
