// Suites of test positions, and grades, in words.
import { gradesOf, type Grade } from '../run/exam';

/** What a suite asks for. */
const SUITES: Record<string, string> = {
  sk: 'save the king',
  mk: 'capture the king',
  sp: 'save pieces by value',
  mp: 'capture pieces by value',
  quiet: 'win a man by a quiet move',
  captures: 'win a man by capturing',
  play: 'best play in every position',
};

export const suiteWords = (suite: string) => SUITES[suite] ?? suite;

/** All grades; those of suites by what they ask for. */
export const gradesInWords = (exam: Record<string, unknown>): Grade[] =>
  gradesOf(exam)
    .map(({ name, text }) => ({ name: name.split(', ').map(suiteWords).join(', '), text }))
    .sort((a, b) => Number(b.name === 'all') - Number(a.name === 'all'));

/** Some of a kind, counted. */
export const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
