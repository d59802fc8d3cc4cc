// How pressing squares makes a move: a piece is picked up, led along its path, and put down.

export interface Way {
  move: string;
  path: string[];
  /** What it captures; ways that capture the same are one to whoever only says where they end. */
  taken: string[];
}

export type Pressed =
  /** The path so far; empty when nothing is held. */
  | { picked: string[]; ambiguous?: boolean }
  /** A whole move, or several that only a question can tell apart. */
  | { moves: string[] };

const begins = (path: string[], part: string[]) => part.every((square, place) => path[place] === square);

/** The ways that go on from what is picked. */
export const open = (ways: Way[], picked: string[]) => ways.filter((way) => begins(way.path, picked));

/** Where the picked piece can be put next: the next squares of its ways, and their ends. */
export function targets(ways: Way[], picked: string[]): Set<string> {
  if (!picked.length) return new Set();
  return new Set(open(ways, picked).flatMap((way) => [way.path[picked.length] ?? '', way.path.at(-1) ?? '']));
}

/** What comes of pressing a square while some path is picked. */
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
