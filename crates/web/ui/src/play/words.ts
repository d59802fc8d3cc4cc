// Moves, turns and values in words.
import type { GameInfo, Outlook, ShownGame, Side } from '../lib/api';
import { GRIDS } from './boards/board';
import { take } from './boards/nim';

export const other = (side: Side): Side => (side === 'first' ? 'second' : 'first');

export const sideName = (game: GameInfo, side: Side) => game.sides[side === 'first' ? 0 : 1];

/** A side at the beginning of a sentence. */
export const SideName = (game: GameInfo, side: Side) => {
  const name = sideName(game, side);
  return name.charAt(0).toUpperCase() + name.slice(1);
};

/** A move as one would say it. */
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

/** Who won, from where the person sits. */
export function ending(table: ShownGame, you: Side): string {
  const why = table.why ? ` ${table.why.charAt(0).toUpperCase()}${table.why.slice(1).replace(/\.$/, '')}.` : '';
  if (table.outcome === 'draw') return `A draw.${why}`;
  return `${table.outcome === you ? 'You have won.' : 'You have lost.'}${why}`;
}

/** A value with its sign; a certain one by when the game ends. */
export function valueText(value: number): string {
  const shown = Math.abs(value) < 0.005 ? 0 : value;
  return `${shown > 0 ? '+' : shown < 0 ? '−' : ''}${Math.abs(shown).toFixed(2)}`;
}

/** A value as briefly as a square has room for it. */
export function valueTag(outlook: Outlook, sign: 1 | -1): string {
  const value = sign * outlook.value;
  if (outlook.ends_in === null || value === 0) return valueText(value);
  return `${value > 0 ? 'win' : 'loss'} ${outlook.ends_in}`;
}

/** What the opponent makes of a position; `mine` is the value for the opponent. */
export function opinion(mine: number, endsIn: number | null): string {
  const plies = `${endsIn} ${endsIn === 1 ? 'ply' : 'plies'}`;
  if (endsIn !== null && mine > 0) return `It sees that it wins in ${plies}.`;
  if (endsIn !== null && mine < 0) return `It sees that you win in ${plies}.`;
  if (endsIn !== null) return `It sees a draw in ${plies}.`;
  if (Math.abs(mine) < 0.05) return `It thinks that the game is even: ${valueText(mine)}.`;
  const much = Math.abs(mine) > 0.6 ? 'far ' : Math.abs(mine) < 0.2 ? 'a little ' : '';
  const whose = mine > 0 ? ['it is', 'it'] : ['you are', 'you'];
  return `It thinks that ${whose[0]} ${much}ahead: ${valueText(Math.abs(mine))} for ${whose[1]}.`;
}
