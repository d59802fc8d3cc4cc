// How far a shipped champion looks ahead in an exam. An exam has hundreds of positions, so deep searches would take minutes.
import type { Known } from '../play/opponent';

/** The largest depth that the server allows in an exam. */
const MOST = 4;

export const DEPTHS = [
  { depth: 0, words: 'not at all: the network alone' },
  { depth: 2, words: '2 plies' },
  { depth: MOST, words: `${MOST} plies` },
];

/** The player of an address as the server examines it: a shipped champion that usually looks further ahead does not look ahead. */
export function examined(player: string, { champions }: Known): string {
  const usual = champions.find((champion) => champion.player === player)?.options ?? '';
  return Number(/depth=(\d+)/.exec(usual)?.[1] ?? 0) > MOST ? `${player},depth=0` : player;
}
