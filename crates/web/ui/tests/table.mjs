// What hands and eyes do at the table, in words.
import { until } from './world.mjs';

export const status = (page) => page.locator('[data-status]');
export const button = (page, name) => page.getByRole('button', { name, exact: true });
export const square = (page, name) => page.locator(`[data-square="${name}"]`);
export const take = (page, stack, amount) => page.locator(`[data-take="${stack}:${amount}"]:not([inert])`);

/** Waits until the status says so. */
export const says = (page, words) => until(`the status says ${words}`, async () => words.test(await status(page).innerText()));

/** Waits until it is the person's turn, or the game is over; whether it goes on. */
export async function yourTurn(page) {
  await says(page, /^(Your turn|You have|A draw)/);
  return /^Your turn/.test(await status(page).innerText());
}

/** The moves so far as the list has them. */
export async function moves(page) {
  const [, ...made] = await page.locator('[data-ply]').allInnerTexts();
  return made;
}

/** Waits until so many moves were made, and the person is to move. */
export async function made(page, count) {
  await until(`${count} moves are in the list`, async () => (await moves(page)).length === count);
  await yourTurn(page);
}

/** The position that is shown, as text. */
export const position = (page) => page.getByLabel('Moves and positions as text').locator('code').innerText();

/** What the board says about a square to whoever cannot see it. */
export const named = (page, name) => square(page, name).getAttribute('aria-label');
