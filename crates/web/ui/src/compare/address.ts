// What is compared, in the address: runs for curves, a game and players for a match.

/** More curves cannot be told apart. */
export const MOST = 8;

/** Names of runs have no commas. */
export const runsOf = (query: URLSearchParams) => [...new Set((query.get('runs') ?? '').split(',').filter(Boolean))].slice(0, MOST);

export const compareAddress = (runs: string[]) => (runs.length === 0 ? '/compare' : `/compare?${new URLSearchParams({ runs: runs.join(',') })}`);

/** The same address with other runs. */
export function withRuns(query: URLSearchParams, runs: string[]): string {
  const other = new URLSearchParams(query);
  if (runs.length === 0) other.delete('runs');
  else other.set('runs', runs.join(','));
  return other.size === 0 ? '/compare' : `/compare?${other}`;
}

/** The lab that is looked at. */
export const labOf = (query: URLSearchParams) => query.get('lab') || null;

/** Where a lab is looked at. */
export const labAddress = (lab: string) => withLab(new URLSearchParams(), lab);

/** The same address with another lab. */
export function withLab(query: URLSearchParams, lab: string | null): string {
  const other = new URLSearchParams(query);
  if (lab === null) other.delete('lab');
  else other.set('lab', lab);
  return other.size === 0 ? '/compare' : `/compare?${other}`;
}

/** Where a match between these can be started. */
export const matchAddress = (game: string, players: string[]) => `/compare?${new URLSearchParams([['game', game], ...players.map((player) => ['player', player])])}`;
