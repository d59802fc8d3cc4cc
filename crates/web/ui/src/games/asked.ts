// Whose values a page can ask for, and how the server calls them.
import type { About, GameInfo, RunCard } from '../lib/api';
import { chosen, kindOf, plainKinds, write, type Known } from '../play/opponent';
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
      // Who knows endings alone says nothing of most positions.
      options: plainKinds({ ...info, has_endgames: false }, about.kinds)
        .filter((kind) => kind.has_values)
        .map(({ name, label }) => ({ who: name, words: label })),
    },
  ];
}

/** Whether the number behind a kind says how many plies it looks ahead. */
export const hasPlies = (who: string, { kinds }: Known) => kindOf(who, kinds)?.number?.counts === 'plies';

/** A player as the server knows it. */
export function named(who: string, depth: number, known: Known): string {
  const kind = kindOf(who, known.kinds);
  if (!kind?.has_network) {
    const plain = chosen(who, known);
    return write(hasPlies(who, known) ? { ...plain, number: Math.max(kind?.number?.least ?? 0, depth) } : plain, known);
  }
  const [name = who, generation] = who.startsWith('run:') ? who.split('@') : [who];
  // Where nothing is said the server takes two plies, or whatever the network can.
  if (depth === 2 && name.startsWith('run:')) return who;
  return write({ ...chosen(name, known), generation: generation === undefined ? null : Number(generation), look: 'depth', depth }, known);
}
