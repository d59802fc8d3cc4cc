// A game in the address, so that it can be shared and survives a reload.
import type { About, GameInfo, Play, Side } from '../lib/api';
import { first } from './opponent';

/** A random seed. */
export const seed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

export const anySide = (): Side => (seed() % 2 ? 'first' : 'second');

export interface GameRequest {
  play: Play & { against: string };
  you: Side;
}

/** Reads a game from an address. Parts that the address does not name get their defaults. */
export function read(query: URLSearchParams, about: About): GameRequest {
  const against = query.get('against');
  const named = query.get('game') ?? /^champion:([^,]+)/.exec(against ?? '')?.[1];
  const game = about.games.find((game) => game.name === named) ?? defaultGame(about);
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

function defaultGame(about: About): GameInfo {
  const game = about.games.find((game) => game.name === 'nim') ?? about.games[0];
  if (!game) throw new Error('There are no games.');
  return game;
}

export function write({ play, you }: GameRequest): string {
  const query = new URLSearchParams({ game: play.game, against: play.against, side: you });
  for (const setup of play.setup) query.append('setup', setup);
  if (play.start) query.set('start', play.start);
  query.set('seed', String(play.seed));
  if (play.moves.length) query.set('moves', play.moves.join(' '));
  return query.toString();
}

const KEY = 'play';
/** The last game of this browser tab is shown again when the page is opened without a game in the address. */
export const remember = (query: string) => sessionStorage.setItem(KEY, query);
export const remembered = () => new URLSearchParams(sessionStorage.getItem(KEY) ?? '');
