// The kinds of labs: each in a word and in a sentence.
import type { LabCard } from '../lib/api';

export const KINDS: Record<LabCard['kind'], { word: string; about: string }> = {
  lab: { word: 'lab', about: 'A comparison of many runs (gamete lab run).' },
  populations: { word: 'populations', about: 'Several populations of one experiment (gamete train --populations), to find the best of their champions.' },
  tuning: { word: 'tuning', about: 'A search for better parameters of an experiment (gamete tune). Each configuration is one candidate.' },
};
