// Nim. Positions are written as `3,5,7`; the move `2:3` takes three matches from the second stack.

/** The number of matches in each stack. */
export function stacks(position: string): number[] {
  return (position.split(' ')[0] ?? '').split(',').map(Number);
}

export interface Take {
  /** Counted from 1. */
  stack: number;
  amount: number;
}

/** The stack and amount of a move, or null if the text is not a move. */
export function take(move: string): Take | null {
  const [, stack, amount] = /^(\d+):(\d+)$/.exec(move) ?? [];
  return stack && amount ? { stack: Number(stack), amount: Number(amount) } : null;
}
