// Who plays a live game: champions of a run, champions that are shipped with Gamete, or any two players.
import type { About, GameInfo, RunCard } from '../lib/api';
import { grouped } from '../lib/words';

/** One of the two players of a live game. */
export interface Rival {
  /** The player, as on the command line. */
  player: string;
  /** Its name for people. */
  name: string;
}

export interface Contest {
  /** Changes only if the visitor chooses another contest. A newer champion of the same run does not change it. */
  key: string;
  game: string;
  /** The player whose progress is shown, and the one it is compared with. */
  one: Rival;
  two: Rival;
  /** The number of random moves at the beginning, so that no two games are alike. */
  opening: number;
}

/** Random moves at the beginning. Nim needs none, because every game begins with other stacks or is short. */
const OPENINGS: Record<string, number> = { nim: 0, 'tic-tac-toe': 1 };
export const openingOf = (game: string) => OPENINGS[game] ?? 4;

/** Champions of earlier generations that the newest champion can meet. */
export const ELDERS = {
  first: { words: 'the first generation', of: () => 1 },
  quarter: { words: 'a quarter of the way', of: (now: number) => Math.max(1, Math.round(now / 4)) },
  half: { words: 'half of the way', of: (now: number) => Math.max(1, Math.round(now / 2)) },
} as const;
export type Elder = keyof typeof ELDERS;

/** The newest champion of a run against an earlier one. */
export function withinRun(card: RunCard, elder: Elder = 'first'): Contest {
  const rival = (generation: number): Rival => ({ player: `run:${card.name}@${generation}`, name: `generation ${grouped(generation)}` });
  return { key: `run:${card.name} ${elder}`, game: card.game, one: rival(card.generation), two: rival(ELDERS[elder].of(card.generation)), opening: openingOf(card.game) };
}

/** How far shipped champions look ahead in live games. That costs the server a few milliseconds for each move. */
const SHALLOW: Record<string, [string, string]> = { selective: ['search=selective,depth=4', 'four plies ahead, by a selective search'], exact: ['depth=2', 'two plies ahead'] };

/** Games in which a shipped champion plays against an older one, the most interesting first; of other games, against itself. */
export function shippedContests({ champions, games }: Pick<About, 'champions' | 'games'>): Contest[] {
  const contest = (game: GameInfo): Contest[] => {
    const [newest, ...older] = champions.filter((champion) => champion.game === game.name);
    const elder = older.at(-1);
    if (!newest || !elder) return [];
    const looks = ({ options }: { options: string }) => SHALLOW[options.includes('selective') ? 'selective' : 'exact']?.[0] ?? '';
    const version = (player: string) => /@(.+)$/.exec(player)?.[1];
    const rival = (champion: typeof newest, now: boolean): Rival => ({
      player: `${champion.player},${looks(champion)}`,
      name: now ? 'the champion of today' : `the champion of version ${version(champion.player) ?? '?'}`,
    });
    return [{ key: `champion:${game.name}`, game: game.name, one: rival(newest, true), two: rival(elder, false), opening: openingOf(game.name) }];
  };
  return games.flatMap(contest).reverse();
}

/** The runs that can be watched, the newest first. */
export const watchable = (runs: RunCard[]) => runs.filter((run) => run.error === null && run.generation > 0);
