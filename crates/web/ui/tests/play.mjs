// Helpers for the page Play: its parts, and waiting for its states.
import { until } from './world.mjs';

export const status = (page) => page.locator('[data-status]');
export const button = (page, name) => page.getByRole('button', { name, exact: true });
export const square = (page, name) => page.locator(`[data-square="${name}"]`);
export const take = (page, stack, amount) => page.locator(`[data-take="${stack}:${amount}"]:not([inert])`);

/** Waits until the status matches. */
export const says = (page, words) => until(`the status says ${words}`, async () => words.test(await status(page).innerText()));

/** Waits until it is the visitor's turn or the game is over; returns whether the game goes on. */
export async function yourTurn(page) {
  await says(page, /^(Your turn|You have|A draw)/);
  return /^Your turn/.test(await status(page).innerText());
}

/** The moves in the list. */
export async function moves(page) {
  const [, ...made] = await page.locator('[data-ply]').allInnerTexts();
  return made;
}

/** Waits until the given number of moves was made and it is the visitor's turn, or the game is over. */
export async function made(page, count) {
  await until(`${count} moves are in the list`, async () => (await moves(page)).length === count);
  await yourTurn(page);
}

/** The position on the board as text. */
export const position = (page) => page.getByLabel('Moves and positions as text').locator('code').innerText();

/** The label of a square for screen readers. */
export const named = (page, name) => square(page, name).getAttribute('aria-label');

/** Shows the opponent's opinion, which is hidden at first. */
export const reveal = (page) => page.getByRole('region', { name: 'The opponent’s opinion' }).getByRole('button', { name: 'Reveal' }).click();
