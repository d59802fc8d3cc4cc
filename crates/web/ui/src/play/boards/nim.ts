// Nim: stacks told as `3,5,7`, and moves as `2:3`, three from the second stack.

/** How many matches each stack holds. */
export function stacks(position: string): number[] {
  return (position.split(' ')[0] ?? '').split(',').map(Number);
}

export interface Take {
  /** Counted from 1. */
  stack: number;
  amount: number;
}

/** Null where the text is no move. */
export function take(move: string): Take | null {
  const [, stack, amount] = /^(\d+):(\d+)$/.exec(move) ?? [];
  return stack && amount ? { stack: Number(stack), amount: Number(amount) } : null;
}
