// The address of the page Compare: the runs whose curves are shown, the lab, and the game and players of a match.

/** The largest number of curves in one plot; more could not be distinguished. */
export const MOST = 8;

/** The runs in the address. Names of runs contain no commas. */
export const runsOf = (query: URLSearchParams) => [...new Set((query.get('runs') ?? '').split(',').filter(Boolean))].slice(0, MOST);

export const compareAddress = (runs: string[]) => (runs.length === 0 ? '/compare' : `/compare?${new URLSearchParams({ runs: runs.join(',') })}`);

/** The same address with other runs. */
export function withRuns(query: URLSearchParams, runs: string[]): string {
  const other = new URLSearchParams(query);
  if (runs.length === 0) other.delete('runs');
  else other.set('runs', runs.join(','));
  return other.size === 0 ? '/compare' : `/compare?${other}`;
}

/** The lab in the address, or null. */
export const labOf = (query: URLSearchParams) => query.get('lab') || null;

/** The address that shows a lab. */
export const labAddress = (lab: string) => withLab(new URLSearchParams(), lab);

/** The same address with another lab. */
export function withLab(query: URLSearchParams, lab: string | null): string {
  const other = new URLSearchParams(query);
  if (lab === null) other.delete('lab');
  else other.set('lab', lab);
  return other.size === 0 ? '/compare' : `/compare?${other}`;
}

/** The address of the form for a match between these players. */
export const matchAddress = (game: string, players: string[]) => `/compare?${new URLSearchParams([['game', game], ...players.map((player) => ['player', player])])}`;
