// Stepping through positions with the arrow keys, Home and End.

/** The place to which a key leads, from 0 to `last`, or `undefined` for any other key. Prevents the key's default action. */
export function stepOf(event: KeyboardEvent, place: number, last: number): number | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return undefined;
  if ((event.target as Element).closest('input, select, textarea, dialog')) return undefined;
  const wanted: Record<string, number> = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: last };
  const next = wanted[event.key];
  if (next !== undefined) event.preventDefault();
  return next;
}

/** For boards that only show a position: a click must not focus a square, which would use the arrow keys. Tab still can. */
export function keepFocus(board: HTMLElement) {
  const keep = (event: MouseEvent) => event.preventDefault();
  board.addEventListener('mousedown', keep);
  return () => board.removeEventListener('mousedown', keep);
}
