// The visible part of a drawing: all of it at first. Sizes are in pixels of the page.

export interface Camera {
  zoom: number;
  x: number;
  y: number;
}

/** The camera that shows the whole drawing. */
export const WHOLE: Camera = { zoom: 1, x: 0, y: 0 };
const LEAST = 0.5;
const MOST = 40;

/** Zooms by a factor; the given point does not move. */
export function zoomed({ zoom, x, y }: Camera, factor: number, at: { x: number; y: number }): Camera {
  const next = Math.min(MOST, Math.max(LEAST, zoom * factor));
  const grown = next / zoom;
  return { zoom: next, x: at.x - (at.x - x) * grown, y: at.y - (at.y - y) * grown };
}

export const moved = ({ zoom, x, y }: Camera, right: number, down: number): Camera => ({ zoom, x: x + right, y: y + down });

/** The margins for the names of nodes around a drawing of the given width. */
export function margins(width: number) {
  const names = Math.min(170, Math.round(0.34 * width));
  return { left: names, right: Math.round(names * 0.75), top: 14, bottom: 14 };
}
