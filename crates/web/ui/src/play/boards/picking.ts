// How clicks on squares make a move: the visitor picks a piece, and then the squares of its path or only the last one.

export interface Way {
  move: string;
  path: string[];
  /** The captured squares. If only the last square is clicked, ways with the same captures count as one. */
  taken: string[];
}

export type Pressed =
  /** The path so far; empty if no piece is picked. */
  | { picked: string[]; ambiguous?: boolean }
  /** A complete move, or several between which the visitor must choose. */
  | { moves: string[] };

const begins = (path: string[], part: string[]) => part.every((square, place) => path[place] === square);

/** The ways that begin with the picked path. */
export const open = (ways: Way[], picked: string[]) => ways.filter((way) => begins(way.path, picked));

/** The squares to which the picked piece can go: the next and the last squares of its ways. */
export function targets(ways: Way[], picked: string[]): Set<string> {
  if (!picked.length) return new Set();
  return new Set(open(ways, picked).flatMap((way) => [way.path[picked.length] ?? '', way.path.at(-1) ?? '']));
}

/** The result of clicking a square when a path is picked. */
export function press(ways: Way[], picked: string[], square: string): Pressed {
  const stepped = [...picked, square];
  const onward = open(ways, stepped);
  const whole = onward.filter((way) => way.path.length === stepped.length);
  if (whole.length) return { moves: whole.map((way) => way.move) };
  if (onward.length) return { picked: stepped };
  if (!picked.length || square === picked.at(-1)) return { picked: [] };
  const ending = open(ways, picked).filter((way) => way.path.at(-1) === square);
  const [first] = ending;
  if (first) {
    const alike = ending.every((way) => [...way.taken].sort().join() === [...first.taken].sort().join());
    return alike ? { moves: [first.move] } : { picked, ambiguous: true };
  }
  return open(ways, [square]).length ? { picked: [square] } : { picked: [] };
}
