// The page Exam: the positions that a champion fails, on the board.
import assert from 'node:assert/strict';
import { checkPage } from './checks.mjs';
import { story, until } from './world.mjs';

const NIM = ['train', 'nim-2x4', '--seed', '3', '--generations', '3', '--set', 'stop.solved=false', '--name', 'mine'];
const status = (page) => page.locator('[data-status]').innerText();
const opened = (page, place) => until(`failure ${place} is open`, async () => (await page.locator('[data-failure][aria-current]').getAttribute('data-failure')) === String(place));

story('a failed position is opened, from the run to the board', async (world) => {
  await world.gamete(...NIM);
  const page = await world.open('/runs/mine');
  await page.getByRole('link', { name: 'Its mistakes in the exam' }).click();
  await page.locator('[data-board="nim"]').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('player'), 'run:mine@3');
  await opened(page, 0);
  // The name of the side to move appears when the list of games has arrived.
  await until('whose move it is', async () => (await status(page)).startsWith('First'));
  const first = await status(page);
  assert.match(first, /^First is to move\. It played .+\. (The right move is|Right moves are) .+\.$/);
  assert.ok((await page.locator('.judged').count()) >= 2, 'the move and the right moves have their signs');
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

story('failed positions are filtered by suite, and arrows show the move and the right moves', async (world) => {
  const page = await world.open('/exam?player=champion%3Aminichess%2Cdepth%3D0');
  await page.locator('[data-board="minichess"]').waitFor();
  const all = await page.locator('[data-failure]').count();
  const choice = page.getByLabel('Task');
  await choice.selectOption({ label: await choice.locator('option').nth(1).innerText() });
  await until('fewer are listed', async () => (await page.locator('[data-failure]').count()) < all);
  await opened(page, 0);
  assert.equal(await page.locator('[data-judged]:not(.right)').count(), 1, 'one arrow is the move that it played');
  assert.ok((await page.locator('[data-judged].right').count()) > 0, 'the other arrows are right moves');
});

story('the page says if no player is chosen, no position failed, or the player does not exist', async (world) => {
  const page = await world.open('/exam');
  await page.getByText('Choose a champion to examine').waitFor();
  await page.getByLabel('Champion').selectOption('champion:tic-tac-toe');
  await page.getByText(/^(No position failed|It failed)/).first().waitFor();
  await page.goto(`${world.origin}/exam?player=run:nobody`);
  await page.getByRole('alert').waitFor();
  await world.refused(404, '/api/exam');
});

story('the page Exam passes the checks, wide and narrow', async (world) => {
  await world.gamete(...NIM);
  for (const width of [1280, 360]) {
    const page = await world.open('/exam', { width });
    await page.getByText('Choose a champion to examine').waitFor();
    await checkPage(page, `/exam at ${width}`);
    for (const player of ['run:mine@1', 'champion:draughts,depth=0', 'perfect&game=nim']) {
      await page.goto(`${world.origin}/exam?player=${player}`);
      await page.getByRole('heading', { name: /^Grades/ }).waitFor();
      await checkPage(page, `${player} at ${width}`);
    }
  }
});

story('every choice of the list can be examined', async (world) => {
  const page = await world.open('/exam');
  const choice = page.getByLabel('Champion');
  await until('the list is there', async () => (await choice.locator('option').count()) > 4);
  const players = (await choice.locator('option').evaluateAll((options) => options.map((option) => option.value))).filter(Boolean);
  for (const player of players) {
    await choice.selectOption(player);
    await until(`${player} is examined`, async () => (await page.getByRole('heading', { name: /^Grades in/ }).count()) > 0 && (new URL(page.url()).searchParams.get('player') ?? '').startsWith(player), 120_000);
    assert.equal(await page.getByRole('alert').count(), 0, player);
  }
});
