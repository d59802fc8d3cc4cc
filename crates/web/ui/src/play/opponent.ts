// Opponents as the page's form shows them, and as the command line names them. The server lists the kinds of players.
import type { About, GameInfo, KindInfo } from '../lib/api';
import { gameTitle } from './rules';

export interface Opponent {
  /** `champion:nim`, `run:NAME`, the name of a kind that needs no name behind it, or `other`. */
  who: string;
  /** The generation of a run; null for the newest. */
  generation: number | null;
  /** How a network searches: by its default, as it was bred, at a level, to a depth in plies, or by a number of Monte Carlo rounds. */
  search: 'default' | 'as-bred' | 'depth' | 'mcts' | `level=${string}`;
  depth: number;
  rounds: number;
  /** The number after the colon, for kinds that have one, such as 500 in `mcts:500`. */
  number: number;
  /** A player that the form has no fields for, as on the command line. */
  other: string;
}

/** The players that the server knows. */
export type Known = Pick<About, 'kinds' | 'champions'>;

/** The kind of a player, such as `mcts`, `mcts:500` or `run:NAME,depth=4`. */
export const kindOf = (player: string, kinds: KindInfo[]) => kinds.find(({ name }) => name === /^[a-z]*/.exec(player)?.[0]);

/** Whether the player has a network that the page can draw. */
export const isNetwork = (player: string, kinds: KindInfo[]) => kindOf(player, kinds)?.has_network === true;

/** The kinds that can play a game and need no name behind them. */
export const plainKinds = (game: GameInfo, kinds: KindInfo[]) =>
  kinds.filter(({ in_pages, argument, number, needs }) => {
    const can = { nothing: true, solver: game.solved || game.has_endgames, pieces: game.has_material }[needs];
    return in_pages && (argument === '' || number !== null) && can;
  });

const without = (options: string, key: string) => options.split(',').filter((option) => option && !option.startsWith(`${key}=`));

/** The options with which a shipped champion plays by default; empty for other players. */
const defaultOptions = (who: string, { champions }: Known) => champions.find((champion) => champion.player === who)?.options ?? '';

/** The levels of a shipped champion below its usual one, from weak to strong. */
export const levelsOf = (who: string, { champions }: Known) => champions.find((champion) => champion.player === who)?.levels ?? [];

/** Whether a network usually looks ahead as it was bred. Most shipped champions look further ahead. */
export const usuallyAsBred = (who: string, known: Known) => defaultOptions(who, known) === '';

/** An opponent with default options. */
export const chosen = (who: string, { kinds }: Known): Opponent => ({
  who,
  generation: null,
  search: 'default',
  depth: 4,
  rounds: 500,
  number: kindOf(who, kinds)?.number?.usual ?? 0,
  other: '',
});

/** The opponent as the command line names it. */
export function write(opponent: Opponent, known: Known): string {
  const { who, generation, search, depth, rounds, number, other } = opponent;
  if (who === 'other') return other.trim();
  const kind = kindOf(who, known.kinds);
  if (kind?.number) return `${who}:${number}`;
  if (!kind?.has_network) return who;
  const name = who.startsWith('run:') && generation !== null ? `${who}@${generation}` : who;
  const usual = defaultOptions(who, known);
  // Another depth keeps the champion's other search options. Depth 0 means no search, so they are dropped.
  const kept = depth > 0 ? without(usual, 'depth') : [];
  const atDepth = () => [`depth=${depth}`, ...kept].join(',');
  const options = search === 'default' ? usual : search === 'mcts' ? `mcts=${rounds}` : search === 'depth' ? atDepth() : search;
  return options ? `${name},${options}` : name;
}

/** The opponent that the command line names; `other` if the form cannot show it. */
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
  const candidates: Opponent[] = [
    network,
    { ...network, search: 'as-bred' },
    ...(depth === undefined ? [] : [{ ...network, search: 'depth' as const, depth: Number(depth) }]),
    ...(rounds === undefined ? [] : [{ ...network, search: 'mcts' as const, rounds: Number(rounds) }]),
    ...levelsOf(who, known).map((level) => ({ ...network, search: `level=${level}` as const })),
  ];
  // The form may only show what `write` turns into the same text again.
  return candidates.find((candidate) => write(candidate, known) === text) ?? (options === '' ? network : other);
}

/** The default opponent of a game. */
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
  // How far it looks comes first.
  const options = rest.toSorted((a, b) => Number(b.startsWith('depth')) - Number(a.startsWith('depth'))).flatMap((option) => optionWords(option) || []);
  return kind.title.replace('{}', kind.name === 'champion' ? championOf(argument) : argument) + (options.length ? ` (${options.join(', ')})` : '');
}

/** What a shipped champion plays, in words: its game, and its version if it is not the strongest. */
function championOf(argument: string): string {
  const [game = '', version] = argument.split(/@|, generation /);
  return gameTitle(game) + (version === undefined ? '' : version === 'evolved' ? ', bred by evolution alone' : `, of version ${version}`);
}

/** An option of a player in words; empty if it needs none beside the others. */
function optionWords(option: string): string {
  const [key = '', value = ''] = option.split('=');
  switch (key) {
    case 'depth':
      return value === '0' ? 'does not look ahead' : `looks ${value} ${value === '1' ? 'ply' : 'plies'} ahead`;
    case 'mcts':
      return `${value} rounds of Monte Carlo search`;
    case 'as-bred':
      return 'as bred';
    case 'level':
      return `level ${value}`;
    case 'search':
      return value === 'selective' ? 'skips moves that look bad' : '';
    case 'extend':
      return value === 'off' ? '' : 'looks at captures to their end';
    default:
      return `${key} ${value}`;
  }
}

/** A shipped champion as a choice in a list. */
export const shippedWords = (player: string) => `champion of ${championOf(player.replace(/^champion:/, ''))}`;
