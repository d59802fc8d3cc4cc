// The names of players for people, on pages that receive players as the command line writes them.
import { title } from '../play/opponent';
import { about } from './about';
import type { KindInfo } from './api';

let kinds = $state.raw<KindInfo[]>([]);
let asked = false;

/** A player in words, with its name on the command line behind; only the latter until the list of kinds has arrived. */
export function named(player: string): string {
  if (!asked) {
    asked = true;
    about().then((found) => (kinds = found.kinds), () => (asked = false));
  }
  const words = title(player, kinds);
  return words === player ? player : `${words} (${player})`;
}
