// A finished game on its way from the page Play to the page Games. The browser tab keeps it.

const KEY = 'review';

export const keepForReview = (record: string, game: string) => sessionStorage.setItem(KEY, JSON.stringify({ record, game }));

/** The game that was kept last, or null. */
export function keptForReview(): { record: string; game: string } | null {
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? null : (JSON.parse(kept) as { record: string; game: string });
}
