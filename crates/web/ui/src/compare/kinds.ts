// What labs are made by: each kind in a word, and in a sentence.
import type { LabCard } from '../lib/api';

export const KINDS: Record<LabCard['kind'], { word: string; about: string }> = {
  lab: { word: 'lab', about: 'Many runs compared, by gamete lab run.' },
  populations: { word: 'populations', about: 'Several populations of one experiment, by gamete train --populations; the best of their champions is wanted.' },
  tuning: { word: 'tuning', about: 'Settings of an experiment tried out, by gamete tune; each configuration is one of them.' },
};
