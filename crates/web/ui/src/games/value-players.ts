// The players whose values the page can request, and their names on the server.
import type { About, GameInfo, RunCard } from '../lib/api';
import { chosen, kindOf, plainKinds, write, type Known } from '../play/opponent';
import { playerTitle } from '../lib/players.svelte';
import type { LoadedGames } from './loaded.svelte';

export interface Option {
  who: string;
  words: string;
}
export interface Group {
  label: string;
  options: Option[];
}

/** The champion of the generation whose games are shown. */
const shownChampion = (loaded: LoadedGames) => (loaded.run && loaded.generation !== null ? `run:${loaded.run}@${loaded.generation}` : null);

/** The champion of the run whose games are shown. */
export function ofRun(loaded: LoadedGames): Group {
  const mine = shownChampion(loaded);
  return { label: 'This run', options: mine ? [{ who: mine, words: `Champion of generation ${loaded.generation}` }] : [] };
}

/** The networks that played a game of a match. How far they looked ahead is another choice. */
export function ofMatch(players: string[], { kinds }: Known): Group {
  const networks = players.map((player) => player.split(',')[0] ?? '').filter((player) => kindOf(player, kinds)?.has_network);
  return { label: 'The players of this game', options: [...new Set(networks)].map((who) => ({ who, words: playerTitle(who) })) };
}

/** The default player: one that played the game, or the strongest player of the game. */
export function defaultPlayer(info: GameInfo, about: About, own: Group): string {
  return own.options[0]?.who ?? about.champions.find((champion) => champion.game === info.name)?.player ?? (info.solved ? 'perfect' : 'mcts');
}

export function choices(info: GameInfo, about: About, runs: RunCard[], own: Group): Group[] {
  const isNew = ({ who }: Option) => !own.options.some((option) => option.who === who);
  const shipped = about.champions.filter((champion) => champion.game === info.name).map(({ player }) => ({ who: player, words: playerTitle(player) }));
  const newest = runs.filter((run) => run.game === info.name).map((run) => ({ who: `run:${run.name}`, words: `${run.name}, its newest champion` }));
  return [
    own,
    { label: 'Shipped with Gamete', options: shipped.filter(isNew) },
    { label: 'Runs', options: newest.filter(isNew) },
    {
      label: 'Others',
      // Players that know only endgames have no value for most positions, so they are left out.
      options: plainKinds({ ...info, has_endgames: false }, about.kinds)
        .filter((kind) => kind.has_values)
        .map(({ name, label }) => ({ who: name, words: label })),
    },
  ];
}

/** Whether the number of this kind of player is a depth in plies. */
export const hasPlies = (who: string, { kinds }: Known) => kindOf(who, kinds)?.number?.counts === 'plies';

/** The player as the server and the command line name it. */
export function playerText(who: string, depth: number, known: Known): string {
  const kind = kindOf(who, known.kinds);
  if (!kind?.has_network) {
    const plain = chosen(who, known);
    return write(hasPlies(who, known) ? { ...plain, number: Math.max(kind?.number?.least ?? 0, depth) } : plain, known);
  }
  const [name = who, generation] = who.startsWith('run:') ? who.split('@') : [who];
  // Without options the server searches two plies, or as far as the network can.
  if (depth === 2 && name.startsWith('run:')) return who;
  return write({ ...chosen(name, known), generation: generation === undefined ? null : Number(generation), search: 'depth', depth }, known);
}
