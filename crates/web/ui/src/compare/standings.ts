// What a match says, in words and in order.
import type { MatchReport, PairScore, Rating } from '../lib/api';
import { grouped, percent } from '../lib/words';
import { interval } from '../run/elo';

export type Pair = PairScore;

/** A player as briefly as it can be told. */
export const short = (player: string) => player.replace(/^run:/, '');

export const STATES: Record<MatchReport['state'], string> = { playing: 'playing', finished: 'finished', cancelled: 'cancelled', failed: 'failed' };

/** So many players are named in a line; a table names all. */
const NAMED = 4;

/** A match in a line. */
export function title({ players }: MatchReport): string {
  const [one = '', two = ''] = players;
  if (players.length === 2) return `${short(one)} against ${short(two)}`;
  const named = players.slice(0, players.length > NAMED ? NAMED - 1 : NAMED).map(short).join(', ');
  const more = players.length > NAMED ? ` and ${players.length - NAMED + 1} more` : '';
  return `Round robin of ${players.length}: ${named}${more}`;
}

export const games = (pair: Pair) => pair.wins + pair.draws + pair.losses;

/** Wins, draws and losses as they are written beside each other. */
export const tally = ({ wins, draws, losses }: Pick<Pair, 'wins' | 'draws' | 'losses'>) => `+${grouped(wins)} =${grouped(draws)} −${grouped(losses)}`;

/** What a score says of two players' strength. */
export function verdict(one: string, { elo, elo_low, elo_high }: Rating): string {
  const range = `95 % interval ${interval(elo_low, elo_high)}`;
  if (elo === null) return `${one} is ${elo_low !== null ? 'stronger, by more than can be told' : 'weaker, by more than can be told'}: ${range}.`;
  const points = Math.round(Math.abs(elo));
  const which = points === 0 ? `Both are equally strong` : `${one} is ${points} Elo points ${elo > 0 ? 'stronger' : 'weaker'}`;
  const sure = elo_low !== null && elo_low > 0 ? '' : elo_high !== null && elo_high < 0 ? '' : '; who is stronger is not certain yet';
  return `${which}: ${range}${sure}.`;
}

/** What is worth saying aloud when a match is over. */
export function news(match: MatchReport): string {
  const [pair] = match.pairs;
  const how = match.state === 'finished' && match.players.length === 2 && pair ? ` ${percent(pair.score)} of the points for ${short(match.players[0] ?? '')}.` : '';
  return `${title(match)}: ${STATES[match.state]}.${how}${match.error === null ? '' : ` ${match.error}`}`;
}

/** A player in the crosstable. */
export interface Row {
  place: number;
  player: string;
  /** Points won, of how many games. */
  points: number;
  games: number;
  rating: Rating | null;
  /** What it scored against each, by place; nothing against itself. */
  against: (Pick<Pair, 'wins' | 'draws' | 'losses'> | null)[];
}

/** Everybody, as they were named; once it is over, the strongest first. */
export function rows({ players, pairs, ratings, state }: MatchReport): Row[] {
  const all = players.map((player, place): Row => {
    const against = players.map((_, other) => {
      const pair = pairs.find(({ one, two }) => (one === place && two === other) || (one === other && two === place));
      if (!pair) return null;
      return pair.one === place ? pair : { wins: pair.losses, draws: pair.draws, losses: pair.wins };
    });
    const met = against.filter((score) => score !== null);
    const points = met.reduce((sum, { wins, draws }) => sum + wins + draws / 2, 0);
    const played = met.reduce((sum, { wins, draws, losses }) => sum + wins + draws + losses, 0);
    return { place, player, points, games: played, rating: ratings?.find((rated) => rated.player === place) ?? null, against };
  });
  if (state === 'playing') return all;
  // Where anybody has no rating, points must do for all.
  const rated = all.every(({ rating }) => rating?.elo != null);
  const strength = ({ rating, points, games }: Row) => (rated ? (rating?.elo ?? 0) : points / (games || 1));
  return all.toSorted((a, b) => strength(b) - strength(a) || a.place - b.place);
}

/** The share of points of a score; nothing where nothing was played. */
export function share({ wins, draws, losses }: Pick<Pair, 'wins' | 'draws' | 'losses'>): number | null {
  const played = wins + draws + losses;
  return played === 0 ? null : (wins + draws / 2) / played;
}

/** How far a scale of Elo must reach to either side to show all of these. */
export function reach(rated: Rating[]): number {
  const values = rated.flatMap(({ elo, elo_low, elo_high }) => [elo, elo_low, elo_high]).filter((value) => value !== null);
  const most = Math.max(100, ...values.map(Math.abs));
  return Math.ceil((1.05 * most) / 100) * 100;
}

/** The same match on the command line. */
export function command({ game, players, games, plies, seed }: MatchReport): string | null {
  const [one, two] = players;
  return players.length === 2 && plies !== null ? `gamete match ${one} ${two} --game ${game} --games ${games} --plies ${plies} --seed ${seed}` : null;
}
