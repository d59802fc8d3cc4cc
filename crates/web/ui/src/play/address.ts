// A game in the address, so that it can be shared and survives a reload.
import type { About, GameInfo, Play, Side } from '../lib/api';
import { first } from './opponent';

/** A seed as good as any. */
export const seed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

export const anySide = (): Side => (seed() % 2 ? 'first' : 'second');

export interface Asked {
  play: Play & { against: string };
  you: Side;
}

/** What an address asks for; what it leaves out is filled in. */
export function read(query: URLSearchParams, about: About): Asked {
  const against = query.get('against');
  const named = query.get('game') ?? /^champion:([^,]+)/.exec(against ?? '')?.[1];
  const game = about.games.find((game) => game.name === named) ?? usual(about);
  const side = query.get('side');
  const you = side === 'second' ? 'second' : side === 'chance' ? anySide() : 'first';
  const given = Number(query.get('seed') ?? NaN);
  return {
    play: {
      game: game.name,
      setup: query.getAll('setup'),
      against: against || first(game, about),
      start: query.get('start') || null,
      moves: query.get('moves')?.split(' ').filter(Boolean) ?? [],
      seed: Number.isSafeInteger(given) && given >= 0 ? given : seed(),
      person: you,
    },
    you,
  };
}

function usual(about: About): GameInfo {
  const game = about.games.find((game) => game.name === 'nim') ?? about.games[0];
  if (!game) throw new Error('There are no games.');
  return game;
}

export function write({ play, you }: Asked): string {
  const query = new URLSearchParams({ game: play.game, against: play.against, side: you });
  for (const setup of play.setup) query.append('setup', setup);
  if (play.start) query.set('start', play.start);
  query.set('seed', String(play.seed));
  if (play.moves.length) query.set('moves', play.moves.join(' '));
  return query.toString();
}

const KEY = 'play';
/** The last game of this tab, for whoever comes back without an address. */
export const remember = (query: string) => sessionStorage.setItem(KEY, query);
export const remembered = () => new URLSearchParams(sessionStorage.getItem(KEY) ?? '');
