// Helpers for the pages of runs: their parts, and waiting for their states.
import { until } from './world.mjs';

const number = (text) => Number(text.replace(/\D/g, ''));

/** A run in the list. */
export const item = (page, name) => page.locator('li.card', { has: page.getByRole('link', { name, exact: true }) });

/** The generation of a run, in the list or on its page. */
export async function generation(part) {
  const text = await part.getByText(/^Generation .+ of .+$/).innerText();
  return number(/^Generation (.+) of/.exec(text)[1]);
}

/** The state of a run in words. */
export const state = (part) => part.locator('.badge').innerText();

export const becomes = (part, words, patience) => until(`the state becomes ${words}`, async () => words.test(await state(part)), patience);

/** Waits until a run has more generations than `least`; returns its generation then. */
export async function beyond(part, least) {
  let now = 0;
  await until(`generation ${least} is passed`, async () => (now = await generation(part)) > least);
  return now;
}

export const overview = (page) => page.getByRole('region', { name: 'Overview' });
export const plot = (page, title) => page.getByRole('figure', { name: title, exact: true });

/** The last generation that a plot shows, from its summary for screen readers. */
export async function drawnTo(figure) {
  const words = await figure.locator('p.visually-hidden').textContent();
  return number(/^Generations \d+ to (\d+),/.exec(words)[1]);
}

/** The picture of a plot. */
export const picture = (figure) => figure.locator('canvas').evaluate((canvas) => canvas.toDataURL());
