// Exams: what a champion fails, on the board.
import assert from 'node:assert/strict';
import { sound } from './sound.mjs';
import { story, until } from './world.mjs';

const NIM = ['train', 'nim-2x4', '--seed', '3', '--generations', '3', '--set', 'stop.solved=false', '--name', 'mine'];
const status = (page) => page.locator('[data-status]').innerText();
const opened = (page, place) => until(`failure ${place} is open`, async () => (await page.locator('[data-failure][aria-current]').getAttribute('data-failure')) === String(place));

/** Whether a page is sound, with everything in it to be seen. */
async function unfolded(page, what) {
  await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
  await sound(page, what);
}

story('a failed position is opened, from the run to the board', async (world) => {
  await world.gamete(...NIM);
  const page = await world.open('/runs/mine');
  await page.getByRole('link', { name: 'What it fails' }).click();
  await page.locator('[data-board="nim"]').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('player'), 'run:mine@3');
  await opened(page, 0);
  // Whose move it is comes with what is known of the game.
  await until('whose move it is', async () => (await status(page)).startsWith('First'));
  const first = await status(page);
  assert.match(first, /^First is to move\. It played .+\. Right would have been .+\.$/);
  assert.ok((await page.locator('.judged').count()) >= 2, 'what was played and what was right have their signs');
  await page.keyboard.press('ArrowRight');
  await opened(page, 1);
  assert.notEqual(await status(page), first);
  assert.equal(await page.locator('[data-said]').textContent(), await status(page));
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await opened(page, 0);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await opened(page, 1);
  await page.locator('[data-failure="2"]').click();
  await opened(page, 2);
  await page.getByRole('link', { name: 'Play from here' }).click();
  await until('the game is there', async () => new URL(page.url()).pathname === '/play' && (await page.locator('[data-status]').count()) > 0);
  assert.ok(new URL(page.url()).searchParams.get('start'), page.url());
});

story('suites are filtered, and arrows tell right from wrong', async (world) => {
  const page = await world.open('/exam?player=champion%3Aminichess%2Cdepth%3D0');
  await page.locator('[data-board="minichess"]').waitFor();
  const all = await page.locator('[data-failure]').count();
  const choice = page.getByLabel('It was to');
  await choice.selectOption({ label: await choice.locator('option').nth(1).innerText() });
  await until('fewer are listed', async () => (await page.locator('[data-failure]').count()) < all);
  await opened(page, 0);
  assert.equal(await page.locator('[data-judged]:not(.right)').count(), 1, 'one arrow is what it played');
  assert.ok((await page.locator('[data-judged].right').count()) > 0, 'the others are right');
});

story('nothing failed, nobody chosen, and nobody there', async (world) => {
  const page = await world.open('/exam');
  await page.getByText('Choose a champion to examine').waitFor();
  await page.getByLabel('Champion').selectOption('champion:tic-tac-toe');
  await page.getByText(/^(Nothing failed|It failed)/).first().waitFor();
  await page.goto(`${world.origin}/exam?player=run:nobody`);
  await page.getByRole('alert').waitFor();
  await world.refused(404, '/api/exam');
});

story('the exam page is sound, wide and narrow', async (world) => {
  await world.gamete(...NIM);
  for (const width of [1280, 360]) {
    const page = await world.open('/exam', { width });
    await page.getByText('Choose a champion to examine').waitFor();
    await unfolded(page, `/exam at ${width}`);
    for (const player of ['run:mine@1', 'champion:draughts,depth=0', 'perfect&game=nim']) {
      await page.goto(`${world.origin}/exam?player=${player}`);
      await page.getByRole('heading', { name: /^Grades/ }).waitFor();
      await unfolded(page, `${player} at ${width}`);
    }
  }
});
