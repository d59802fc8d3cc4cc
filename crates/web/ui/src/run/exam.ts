// The grades of an exam, one by one, with their names.
import type { Exam, SearchedGrades, Suite, TacticsGrades } from '../lib/api';
import { grouped, percent } from '../lib/words';

export interface Grade {
  name: string;
  text: string;
}

/** What each suite of test positions asks for, in the order in which they are shown. */
export const SUITES: Record<Suite, string> = {
  sk: 'save the king',
  mk: 'capture the king',
  sp: 'save pieces by value',
  mp: 'capture pieces by value',
  quiet: 'win a man by a quiet move',
  captures: 'win a man by capturing',
};

const share = (name: string, value: number | undefined): Grade[] => (value === undefined ? [] : [{ name, text: percent(value) }]);

const points = (name: string, value: number | undefined): Grade[] =>
  value === undefined ? [] : [{ name, text: Number.isInteger(value) ? grouped(value) : value.toFixed(1) }];

const asked = (positions: number): Grade => ({ name: 'positions asked', text: grouped(positions) });

function tactics(grades: TacticsGrades): Grade[] {
  return [
    ...share('all', grades.grade),
    ...share('grade low', grades.grade_low),
    ...share('grade high', grades.grade_high),
    ...points('points', grades.points),
    ...points('points low', grades.points_low),
    ...points('points high', grades.points_high),
    ...(Object.keys(SUITES) as Suite[]).flatMap((suite) => share(suite, grades[suite])),
  ];
}

/** The grades with search, their names after the way to search. */
function searched(grades: SearchedGrades): Grade[] {
  const way = grades.depth === undefined ? `mcts ${grades.mcts}` : `depth ${grades.depth}`;
  return tactics(grades).map(({ name, text }) => ({ name: `${way}, ${name}`, text }));
}

/** All grades of an exam; suites have their short names. */
export function gradesOf(exam: Exam): Grade[] {
  if ('all_positions' in exam) {
    return [
      ...share('over all positions', exam.all_positions),
      ...share('over positions met', exam.on_policy),
      asked(exam.positions),
      { name: 'a sample', text: exam.sampled ? 'yes' : 'no' },
    ];
  }
  return [...tactics(exam), asked(exam.positions), ...(exam.searched ?? []).flatMap(searched), ...share('endgames', exam.endgames)];
}
