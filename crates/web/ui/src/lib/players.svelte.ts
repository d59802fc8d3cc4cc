// The names of players for people, on pages that receive players as the command line writes them.
import { title } from '../play/opponent';
import { about } from './about';
import type { KindInfo } from './api';

let kinds = $state.raw<KindInfo[]>([]);
let asked = false;

/** A player in words; its name on the command line until the list of kinds has arrived. */
export function playerTitle(player: string): string {
  if (!asked) {
    asked = true;
    about().then((found) => (kinds = found.kinds), () => (asked = false));
  }
  return title(player, kinds);
}

/** A player in words, with its name on the command line behind. */
export function named(player: string): string {
  const words = playerTitle(player);
  return words === player ? player : `${words} (${player})`;
}

/** The same for the beginning of a sentence or for a list. */
export function playerHeading(player: string): string {
  const words = playerTitle(player);
  return words === player ? player : words.charAt(0).toUpperCase() + words.slice(1);
}
