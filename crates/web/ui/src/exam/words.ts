// Suites of test positions, and grades, in words.
import type { Exam } from '../lib/api';
import { gradesOf, SUITES, type Grade } from '../run/exam';

/** The task of each suite. `play` is the name of the suite if a solver grades every move. */
const WORDS: Record<string, string> = { ...SUITES, play: 'best play in every position' };

export const suiteWords = (suite: string) => WORDS[suite] ?? suite;

/** All grades of an exam. Suites have the names of their tasks. */
export const gradesInWords = (exam: Exam): Grade[] =>
  gradesOf(exam)
    .map(({ name, text }) => ({ name: name.split(', ').map(suiteWords).join(', '), text }))
    .sort((a, b) => Number(b.name === 'grade') - Number(a.name === 'grade'));

/** A number with its noun, such as `1 position` or `3 positions`. */
export const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
