// Stepping through what one board shows, by the arrow keys.

/** The place that a key leads to, from this one among places up to the last; `undefined` for any other key. Takes the key. */
export function stepOf(event: KeyboardEvent, place: number, last: number): number | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return undefined;
  if ((event.target as Element).closest('input, select, textarea, dialog')) return undefined;
  const wanted: Record<string, number> = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: last };
  const next = wanted[event.key];
  if (next !== undefined) event.preventDefault();
  return next;
}

/** For a board whose squares do nothing: pressed ones must not take the arrow keys; Tab still leads to them. */
export function keepFocus(board: HTMLElement) {
  const keep = (event: MouseEvent) => event.preventDefault();
  board.addEventListener('mousedown', keep);
  return () => board.removeEventListener('mousedown', keep);
}
