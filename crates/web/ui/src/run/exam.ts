// The grades of an exam as a list of names and values.
import type { Exam, SearchedGrades, Suite, TacticsGrades } from '../lib/api';
import { grouped, percent } from '../lib/words';

export interface Grade {
  name: string;
  text: string;
}

/** The task of each suite of test positions, in the order in which they are shown. */
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

const value = (name: string, value: number | undefined): Grade[] => (value === undefined ? [] : [{ name, text: value.toFixed(2) }]);

/** How often a search two plies deeper chooses the same move. */
const DEEPER = 'same move two plies deeper';

const positionCount = (positions: number): Grade => ({ name: 'number of positions', text: grouped(positions) });

function tactics(grades: TacticsGrades): Grade[] {
  return [
    ...share('grade', grades.grade),
    ...share('grade (95 % low)', grades.grade_low),
    ...share('grade (95 % high)', grades.grade_high),
    ...points('points', grades.points),
    ...points('points (95 % low)', grades.points_low),
    ...points('points (95 % high)', grades.points_high),
    ...(Object.keys(SUITES) as Suite[]).flatMap((suite) => share(suite, grades[suite])),
  ];
}

/** The grades with search. Their names begin with the kind of search. */
function searched(grades: SearchedGrades): Grade[] {
  const way = grades.depth === undefined ? `mcts ${grades.mcts}` : `depth ${grades.depth}`;
  const grade = [...tactics(grades), ...share(DEEPER, grades.consistency)];
  return grade.map(({ name, text }) => ({ name: `${way}, ${name}`, text }));
}

/** All grades of an exam. Suites have their short names. */
export function gradesOf(exam: Exam): Grade[] {
  if ('all_positions' in exam) {
    return [
      ...share('all positions', exam.all_positions),
      ...share('positions in its own games', exam.on_policy),
      positionCount(exam.positions),
      { name: 'only a sample', text: exam.sampled ? 'yes' : 'no' },
    ];
  }
  return [
    ...tactics(exam),
    positionCount(exam.positions),
    ...share(DEEPER, exam.consistency),
    ...(exam.searched ?? []).flatMap(searched),
    ...value('value of the turn', exam.value_of_turn),
    ...share('endgames', exam.endgames),
  ];
}
