// The open question about a run. Its dialog is outside of the list, because rows of the list move while it is open.
import type { RunCard } from '../lib/api';

export type Question = { kind: 'delete'; card: RunCard; yes: () => void } | { kind: 'continue'; card: RunCard; yes: (generations: number) => void };

class Asked {
  question = $state.raw<Question | null>(null);
}

export const asked = new Asked();
