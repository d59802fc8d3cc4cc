// The limits of a match, as the server checks them.
export const MOST_PLAYERS = 12;
export const GAMES = [2, 2000] as const;
export const MOST_SEED = Number.MAX_SAFE_INTEGER;

/** Why a match cannot be played with these values; empty if it can. */
export function problem(players: string[], games: number | null, plies: number | null, seed: number | null): string {
  if (players.length < 2) return `${players.length === 0 ? 'Two players are' : 'One more player is'} needed.`;
  if (games === null || !Number.isInteger(games) || games % 2 === 1 || games < GAMES[0] || games > GAMES[1]) return `Games must be an even number from ${GAMES.join(' to ')}.`;
  if (plies !== null && !(Number.isInteger(plies) && plies >= 0)) return 'Opening plies must be a whole number from 0 up, or empty.';
  if (seed === null || !Number.isSafeInteger(seed) || seed < 0) return 'The seed must be a whole number from 0 up.';
  return '';
}
