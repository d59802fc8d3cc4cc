// Whose values a page can ask for, and how the server calls them.
import type { About, GameInfo, RunCard, ShippedChampion } from '../lib/api';
import { isNetwork, write } from '../play/opponent';
import type { Shelf } from './shelf.svelte';

export interface Option {
  who: string;
  words: string;
}
export interface Group {
  label: string;
  options: Option[];
}

/** The champion of the generation whose games are shown. */
const own = (shelf: Shelf) => (shelf.run && shelf.generation !== null ? `run:${shelf.run}@${shelf.generation}` : null);

/** Whom to ask unless somebody else is chosen: who played, or the strongest there is. */
export function usual(info: GameInfo, about: About, shelf: Shelf): string {
  return own(shelf) ?? about.champions.find((champion) => champion.game === info.name)?.player ?? (info.solved ? 'perfect' : 'mcts');
}

export function choices(info: GameInfo, about: About, runs: RunCard[], shelf: Shelf): Group[] {
  const mine = own(shelf);
  const shipped = about.champions.filter((champion) => champion.game === info.name).map(({ player }) => ({ who: player, words: player }));
  const newest = runs.filter((run) => run.game === info.name).map((run) => ({ who: `run:${run.name}`, words: `${run.name}, its newest champion` }));
  return [
    { label: 'This run', options: mine ? [{ who: mine, words: `Champion of generation ${shelf.generation}` }] : [] },
    { label: 'Shipped', options: shipped },
    { label: 'Runs', options: newest },
    {
      label: 'Others',
      options: [
        ...(info.solved ? [{ who: 'perfect', words: 'Perfect play' }] : []),
        ...(info.has_material ? [{ who: 'material', words: 'A counter of pieces' }] : []),
        { who: 'mcts', words: 'Monte Carlo, 500 rounds' },
      ],
    },
  ];
}

/** A player as the server knows it. */
export function named(who: string, depth: number, champions: ShippedChampion[]): string {
  if (who === 'perfect') return who;
  if (who === 'mcts') return 'mcts:500';
  if (who === 'material') return `material:${Math.max(1, depth)}`;
  const [name = who, generation] = who.startsWith('run:') ? who.split('@') : [who];
  // Where nothing is said the server takes two plies, or whatever the network can.
  if (isNetwork(name) && depth === 2 && name.startsWith('run:')) return who;
  return write({ who: name, generation: generation === undefined ? null : Number(generation), look: 'depth', depth, rounds: 0, other: '' }, champions);
}
