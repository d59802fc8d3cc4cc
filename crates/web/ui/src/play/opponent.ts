// Opponents as the page lets one choose them, and as they are named on the command line.
import type { GameInfo, ShippedChampion } from '../lib/api';

export interface Opponent {
  /** `champion:nim`, `run:NAME`, `perfect`, `random`, `material`, `mcts`, or `other`. */
  who: string;
  /** Of a run; null for its last. */
  generation: number | null;
  /** How a network looks ahead: as it was bred to, or so many plies, or so many Monte Carlo rounds. */
  look: 'bred' | 'depth' | 'mcts';
  depth: number;
  rounds: number;
  /** Whatever cannot be chosen, as it was written. */
  other: string;
}

export const isNetwork = (who: string) => who.startsWith('champion:') || who.startsWith('run:');

const without = (options: string, key: string) => options.split(',').filter((option) => option && !option.startsWith(`${key}=`));

/** What a champion plays with, if it is one that is shipped. */
const usual = (who: string, champions: ShippedChampion[]) => champions.find((champion) => champion.player === who)?.options ?? '';

export function write(opponent: Opponent, champions: ShippedChampion[]): string {
  const { who, generation, look, depth, rounds, other } = opponent;
  if (who === 'other') return other.trim();
  if (who === 'material') return `material:${depth}`;
  if (who === 'mcts') return `mcts:${rounds}`;
  if (!isNetwork(who)) return who;
  const name = who.startsWith('run:') && generation !== null ? `${who}@${generation}` : who;
  const bred = usual(who, champions);
  // Where it looks on because of captures is kept; alone, it looks nowhere.
  const kept = depth > 0 ? without(bred, 'depth') : [];
  const options = look === 'bred' ? bred : look === 'mcts' ? `mcts=${rounds}` : [`depth=${depth}`, ...kept].join(',');
  return options ? `${name},${options}` : name;
}

export function read(text: string, champions: ShippedChampion[]): Opponent {
  const plain: Opponent = { who: 'other', generation: null, look: 'bred', depth: 3, rounds: 500, other: text };
  const [head = '', ...rest] = text.split(',');
  const options = rest.join(',');
  const [, kind, amount] = /^(material|mcts):(\d+)$/.exec(text) ?? [];
  if (kind === 'material') return { ...plain, who: kind, depth: Number(amount) };
  if (kind === 'mcts') return { ...plain, who: kind, rounds: Number(amount) };
  if (text === 'random' || text === 'perfect') return { ...plain, who: text };
  if (!isNetwork(head)) return plain;
  const [who = head, generation] = head.startsWith('run:') ? head.split('@') : [head];
  const network = { ...plain, who, generation: generation === undefined ? null : Number(generation) };
  const depth = /(?:^|,)depth=(\d+)/.exec(options)?.[1];
  const rounds = /^mcts=(\d+)$/.exec(options)?.[1];
  const looks: Opponent[] = [
    network,
    ...(depth === undefined ? [] : [{ ...network, look: 'depth' as const, depth: Number(depth) }]),
    ...(rounds === undefined ? [] : [{ ...network, look: 'mcts' as const, rounds: Number(rounds) }]),
  ];
  // Only what would be written the same can be shown as chosen.
  return looks.find((look) => write(look, champions) === text) ?? (options === '' ? network : plain);
}

/** Whom one plays unless somebody else is asked for. */
export function first(game: GameInfo, champions: ShippedChampion[]): string {
  const champion = champions.find((champion) => champion.game === game.name);
  if (champion) return write(read(champion.player, champions), champions);
  return game.solved ? 'perfect' : 'mcts:500';
}

/** An opponent in words. */
export function title(text: string): string {
  const [head = '', ...rest] = text.split(',');
  const options = rest.length ? ` (${rest.join(', ')})` : '';
  if (head.startsWith('champion:')) return `the shipped champion${options}`;
  const [, run, generation] = /^run:([^@]+)(?:@(\d+))?$/.exec(head) ?? [];
  if (run) return `the champion of ${run}${generation === undefined ? '' : `, generation ${generation}`}${options}`;
  const [, kind, amount] = /^(material|mcts):(\d+)/.exec(head) ?? [];
  if (kind === 'material') return `a counter of pieces, ${amount} plies ahead`;
  if (kind === 'mcts') return `Monte Carlo with ${amount} rounds`;
  if (head === 'perfect') return 'perfect play';
  if (head === 'random') return 'chance';
  return text;
}
