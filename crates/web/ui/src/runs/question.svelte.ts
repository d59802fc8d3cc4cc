// What somebody is asked about a run before something happens; asked outside of the list, whose rows move while it is open.
import type { RunCard } from '../lib/api';

export type Question = { kind: 'delete'; card: RunCard; yes: () => void } | { kind: 'go on'; card: RunCard; yes: (generations: number) => void };

class Asked {
  question = $state.raw<Question | null>(null);
}

export const asked = new Asked();
