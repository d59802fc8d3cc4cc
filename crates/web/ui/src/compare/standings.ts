// The result of a match in words, and the rows of a crosstable.
import type { MatchReport, PairScore, Rating } from '../lib/api';
import { playerHeading, playerTitle } from '../lib/players.svelte';
import { grouped, percent, sentence } from '../lib/words';
import { interval } from '../run/elo';

export type Pair = PairScore;

export const STATES: Record<MatchReport['state'], string> = { playing: 'playing', finished: 'finished', cancelled: 'cancelled', failed: 'failed' };

/** The largest number of players whose names fit into a title. */
const NAMED = 4;

/** The title of a match. */
export function title({ players }: MatchReport): string {
  const [one = '', two = ''] = players;
  if (players.length === 2) return `${playerHeading(one)} against ${playerTitle(two)}`;
  const named = players.slice(0, players.length > NAMED ? NAMED - 1 : NAMED).map(playerTitle).join(', ');
  const more = players.length > NAMED ? ` and ${players.length - NAMED + 1} more` : '';
  return `Round robin of ${players.length}: ${named}${more}`;
}

export const games = (pair: Pair) => pair.wins + pair.draws + pair.losses;

/** Wins, draws and losses, such as `+12 =3 −5`. */
export const tally = ({ wins, draws, losses }: Pick<Pair, 'wins' | 'draws' | 'losses'>) => `+${grouped(wins)} =${grouped(draws)} −${grouped(losses)}`;

/** The difference in strength of two players in a sentence. Elo is null if one player won all games. */
export function verdict(one: string, { elo, elo_low, elo_high }: Rating): string {
  const range = `95 % interval ${interval(elo_low, elo_high)}`;
  if (elo === null) return sentence(`${one} ${elo_low !== null ? 'won' : 'lost'} all games, so the difference in Elo has no bound: ${range}`);
  const points = Math.round(Math.abs(elo));
  const which = points === 0 ? `Both are equally strong` : `${one} is ${points} Elo points ${elo > 0 ? 'stronger' : 'weaker'}`;
  const sure = elo_low !== null && elo_low > 0 ? '' : elo_high !== null && elo_high < 0 ? '' : '; it is not certain yet which player is stronger';
  return sentence(`${which}: ${range}${sure}`);
}

/** The message for screen readers when a match is over. */
export function news(match: MatchReport): string {
  const [pair] = match.pairs;
  const how = match.state === 'finished' && match.players.length === 2 && pair ? ` ${percent(pair.score)} of the points for ${playerTitle(match.players[0] ?? '')}.` : '';
  return `${title(match)}: ${STATES[match.state]}.${how}${match.error === null ? '' : ` ${match.error}`}`;
}

/** A player in the crosstable. */
export interface Row {
  place: number;
  player: string;
  /** The points won, and the number of games. */
  points: number;
  games: number;
  rating: Rating | null;
  /** The result against each player, by place; null against itself. */
  against: (Pick<Pair, 'wins' | 'draws' | 'losses'> | null)[];
}

/** All players in the order of the match; once it is over, the strongest first. */
export function rows({ players, pairs, ratings, state }: MatchReport): Row[] {
  const all = players.map((player, place): Row => {
    const against = players.map((_, other) => {
      const pair = pairs.find(({ one, two }) => (one === place && two === other) || (one === other && two === place));
      if (!pair) return null;
      return pair.one === place ? pair : { wins: pair.losses, draws: pair.draws, losses: pair.wins };
    });
    const results = against.filter((score) => score !== null);
    const points = results.reduce((sum, { wins, draws }) => sum + wins + draws / 2, 0);
    const played = results.reduce((sum, { wins, draws, losses }) => sum + wins + draws + losses, 0);
    return { place, player, points, games: played, rating: ratings?.find((rated) => rated.player === place) ?? null, against };
  });
  if (state === 'playing') return all;
  // If one player has no rating, all are ordered by points.
  const rated = all.every(({ rating }) => rating?.elo != null);
  const strength = ({ rating, points, games }: Row) => (rated ? (rating?.elo ?? 0) : points / (games || 1));
  return all.toSorted((a, b) => strength(b) - strength(a) || a.place - b.place);
}

/** The share of points, or null if no game was played. */
export function share({ wins, draws, losses }: Pick<Pair, 'wins' | 'draws' | 'losses'>): number | null {
  const played = wins + draws + losses;
  return played === 0 ? null : (wins + draws / 2) / played;
}

/** The bound of an Elo scale, from −bound to bound, that shows all of these ratings. */
export function reach(rated: Rating[]): number {
  const values = rated.flatMap(({ elo, elo_low, elo_high }) => [elo, elo_low, elo_high]).filter((value) => value !== null);
  const most = Math.max(100, ...values.map(Math.abs));
  return Math.ceil((1.05 * most) / 100) * 100;
}

/** The command that plays the same match, or null for a round robin. */
export function command({ game, players, games, plies, seed }: MatchReport): string | null {
  const [one, two] = players;
  return players.length === 2 && plies !== null ? `gamete match ${one} ${two} --game ${game} --games ${games} --plies ${plies} --seed ${seed}` : null;
}
