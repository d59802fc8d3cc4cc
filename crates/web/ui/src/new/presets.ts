// Three trainings for each game: a minute, a coffee, a night. The times are those that docs/results and docs/champions.md
// measured, or follow from them by the number of generations.
import { api } from '../lib/api';

export interface Preset {
  length: 'A minute' | 'A coffee' | 'A night';
  experiment: string;
  /** Another number of generations than the experiment's own. */
  generations?: number;
  /** Processor time in seconds, on a machine as fast as REFERENCE in crates/web/src/pace.rs says. */
  seconds: number;
  /** What is learnt, and what to expect. */
  about: string;
}

export const PRESETS: Record<string, Preset[]> = {
  nim: [
    { length: 'A minute', experiment: 'nim-2x4', seconds: 1, about: 'Two stacks of up to four matches. In ten of ten measured runs the champion ended perfect, after about 330 generations.' },
    { length: 'A coffee', experiment: 'nim-4x8', seconds: 65, about: 'Four stacks of eight: much harder. Expect about half of the moves in its own games to be perfect. None of our runs has solved it.' },
    { length: 'A night', experiment: 'nim-4x8', generations: 300_000, seconds: 19_500, about: 'The same for 300 times as long. Nobody has tried that yet, so nobody knows the result.' },
  ],
  'tic-tac-toe': [
    { length: 'A minute', experiment: 'tic-tac-toe', seconds: 18, about: 'Bred by evolution. Expect a perfect move in nearly 60 % of all positions; with a short search, in 99 %.' },
    { length: 'A coffee', experiment: 'tic-tac-toe-td', seconds: 26, about: 'One network learns after every game. Expect a perfect move in about 90 % of all positions.' },
    { length: 'A night', experiment: 'tic-tac-toe', generations: 500_000, seconds: 18_000, about: 'Evolution for 1000 times as long. Nobody has tried that yet, so nobody knows the result.' },
  ],
  minichess: [
    { length: 'A minute', experiment: 'minichess', generations: 60, seconds: 60, about: 'The first tenth of a run. Champions learn to capture pieces that nobody defends.' },
    { length: 'A coffee', experiment: 'minichess-bootstrap', seconds: 870, about: 'One network learns the values that its own searches find. This training made the champion that is shipped with Gamete.' },
    { length: 'A night', experiment: 'minichess-bootstrap', generations: 4000, seconds: 17_400, about: 'The same for 20 times as long. Nobody has tried that yet, so nobody knows the result.' },
  ],
  draughts: [
    { length: 'A minute', experiment: 'draughts', generations: 15, seconds: 65, about: 'The first 15 generations of a run. Champions win nearly all games against random moves, and still blunder.' },
    { length: 'A coffee', experiment: 'draughts-bootstrap', seconds: 490, about: 'One network learns the values that its own searches find. This training made the champion that is shipped with Gamete.' },
    { length: 'A night', experiment: 'draughts-bootstrap', generations: 5000, seconds: 12_300, about: 'The same for 25 times as long. Nobody has tried that yet, so nobody knows the result.' },
  ],
};

/** Starts the training of a preset; returns the name of the new run. */
export async function startPreset({ experiment, generations }: Preset): Promise<string> {
  const shipped = await api.experiment(experiment);
  const { toml } = generations === undefined ? shipped : await api.set({ name: experiment, toml: shipped.toml, key: 'stop.generations', value: generations });
  return (await api.train({ experiment, toml, name: null })).name;
}
