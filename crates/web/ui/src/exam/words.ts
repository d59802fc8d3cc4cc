// Suites of test positions, and grades, in words.
import type { Exam } from '../lib/api';
import { gradesOf, SUITES, type Grade } from '../run/exam';

/** What a suite asks for; where a solver grades every move, `play` stands for the suite. */
const WORDS: Record<string, string> = { ...SUITES, play: 'best play in every position' };

export const suiteWords = (suite: string) => WORDS[suite] ?? suite;

/** All grades; those of suites by what they ask for. */
export const gradesInWords = (exam: Exam): Grade[] =>
  gradesOf(exam)
    .map(({ name, text }) => ({ name: name.split(', ').map(suiteWords).join(', '), text }))
    .sort((a, b) => Number(b.name === 'all') - Number(a.name === 'all'));

/** Some of a kind, counted. */
export const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
