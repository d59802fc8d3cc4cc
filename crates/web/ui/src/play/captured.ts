// The pieces that each side has lost since the game began.
import { GRIDS } from './boards/board';
import type { Piece } from './boards/grid';

/** Kinds into which other pieces are promoted, and the kind that is promoted. A promoted piece is not lost. */
const PROMOTED: Record<string, string> = { crowned: 'man', rook: 'pawn' };

/** The lost pieces of a colour, as kinds. */
export function lost(game: string, start: string, position: string, colour: Piece['colour']): string[] {
  const grid = GRIDS[game];
  if (!grid) return [];
  const count = (text: string) => {
    const counts = new Map<string, number>();
    for (const piece of grid.pieces(text)) if (piece.colour === colour) counts.set(piece.kind, (counts.get(piece.kind) ?? 0) + 1);
    return counts;
  };
  const [before, now] = [count(start), count(position)];
  const missing = new Map<string, number>();
  for (const [kind, number] of before) missing.set(kind, number - (now.get(kind) ?? 0));
  for (const [kind, from] of Object.entries(PROMOTED)) {
    const more = (now.get(kind) ?? 0) - (before.get(kind) ?? 0);
    if (more > 0 && missing.has(from)) missing.set(from, (missing.get(from) ?? 0) - more);
  }
  return [...missing].flatMap(([kind, number]) => Array.from({ length: Math.max(0, number) }, () => kind));
}
