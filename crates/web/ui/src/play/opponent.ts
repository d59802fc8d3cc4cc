// Opponents as the page lets one choose them, and as they are named on the command line. Which kinds of players there are
// is said by the server.
import type { About, GameInfo, KindInfo } from '../lib/api';

export interface Opponent {
  /** `champion:nim`, `run:NAME`, the name of a kind that needs no name behind it, or `other`. */
  who: string;
  /** Of a run; null for its last. */
  generation: number | null;
  /** How a network looks ahead: as it was bred to, or so many plies, or so many Monte Carlo rounds. */
  look: 'bred' | 'depth' | 'mcts';
  depth: number;
  rounds: number;
  /** The number behind the kind, where it has one. */
  number: number;
  /** Whatever cannot be chosen, as it was written. */
  other: string;
}

/** What the server says of players. */
export type Known = Pick<About, 'kinds' | 'champions'>;

/** The kind of a player, such as `mcts`, `mcts:500` or `run:NAME,depth=4`. */
export const kindOf = (player: string, kinds: KindInfo[]) => kinds.find(({ name }) => name === /^[a-z]*/.exec(player)?.[0]);

/** Whether a network plays that can be looked into. */
export const isNetwork = (player: string, kinds: KindInfo[]) => kindOf(player, kinds)?.has_network === true;

/** The kinds that can play a game and need no name behind them. */
export const plainKinds = (game: GameInfo, kinds: KindInfo[]) =>
  kinds.filter(({ in_pages, argument, number, needs }) => {
    const can = { nothing: true, solver: game.solved || game.has_endgames, pieces: game.has_material }[needs];
    return in_pages && (argument === '' || number !== null) && can;
  });

const without = (options: string, key: string) => options.split(',').filter((option) => option && !option.startsWith(`${key}=`));

/** What a champion plays with, if it is one that is shipped. */
const usual = (who: string, { champions }: Known) => champions.find((champion) => champion.player === who)?.options ?? '';

/** An opponent that was just chosen, as strong as usual. */
export const chosen = (who: string, { kinds }: Known): Opponent => ({
  who,
  generation: null,
  look: 'bred',
  depth: 4,
  rounds: 500,
  number: kindOf(who, kinds)?.number?.usual ?? 0,
  other: '',
});

export function write(opponent: Opponent, known: Known): string {
  const { who, generation, look, depth, rounds, number, other } = opponent;
  if (who === 'other') return other.trim();
  const kind = kindOf(who, known.kinds);
  if (kind?.number) return `${who}:${number}`;
  if (!kind?.has_network) return who;
  const name = who.startsWith('run:') && generation !== null ? `${who}@${generation}` : who;
  const bred = usual(who, known);
  // Where it looks on because of captures is kept; alone, it looks nowhere.
  const kept = depth > 0 ? without(bred, 'depth') : [];
  const options = look === 'bred' ? bred : look === 'mcts' ? `mcts=${rounds}` : [`depth=${depth}`, ...kept].join(',');
  return options ? `${name},${options}` : name;
}

export function read(text: string, known: Known): Opponent {
  const other: Opponent = { ...chosen('other', known), depth: 3, other: text };
  const [head = '', ...rest] = text.split(',');
  const options = rest.join(',');
  const kind = kindOf(head, known.kinds);
  if (!kind?.in_pages) return other;
  if (!kind.has_network) {
    const amount = kind.number && /^[a-z]+:(\d+)$/.exec(text)?.[1];
    const plain = { ...other, who: kind.name, number: Number(amount ?? 0) };
    return write(plain, known) === text ? plain : other;
  }
  const [who = head, generation] = head.startsWith('run:') ? head.split('@') : [head];
  const network = { ...other, who, generation: generation === undefined ? null : Number(generation) };
  const depth = /(?:^|,)depth=(\d+)/.exec(options)?.[1];
  const rounds = /^mcts=(\d+)$/.exec(options)?.[1];
  const looks: Opponent[] = [
    network,
    ...(depth === undefined ? [] : [{ ...network, look: 'depth' as const, depth: Number(depth) }]),
    ...(rounds === undefined ? [] : [{ ...network, look: 'mcts' as const, rounds: Number(rounds) }]),
  ];
  // Only what would be written the same can be shown as chosen.
  return looks.find((look) => write(look, known) === text) ?? (options === '' ? network : other);
}

/** Whom one plays unless somebody else is asked for. */
export function first(game: GameInfo, known: Known): string {
  const champion = known.champions.find((champion) => champion.game === game.name);
  if (champion) return write(read(champion.player, known), known);
  return game.solved ? 'perfect' : 'mcts:500';
}

/** A player in words. */
export function title(text: string, kinds: KindInfo[]): string {
  const [head = '', ...rest] = text.split(',');
  const kind = kindOf(head, kinds);
  if (!kind) return text;
  const argument = head.slice(kind.name.length + 1).replace(/@(\d+)$/, ', generation $1');
  return kind.title.replace('{}', argument) + (rest.length ? ` (${rest.join(', ')})` : '');
}
