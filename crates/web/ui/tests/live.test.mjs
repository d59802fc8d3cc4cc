// Live games: on the front page and on the page of a run.
import assert from 'node:assert/strict';
import { checkAddress, checkPage } from './checks.mjs';
import { yourTurn } from './play.mjs';
import { story, until } from './world.mjs';

const live = (page) => page.locator('[data-live]').first();
const plies = async (page) => Number(await live(page).getAttribute('data-plies'));
const goesOn = async (page) => {
  await live(page).waitFor();
  const before = await plies(page);
  // A new game begins with no plies, so any change counts.
  await until('a move is made', async () => (await plies(page)) !== before);
};

story('the front page shows a live game, and it can be paused and taken over', async (world) => {
  const page = await world.open('/');
  await page.getByRole('heading', { name: /^Gamete breeds neural networks/, level: 1 }).waitFor();
  for (const door of ['Play', 'Breed', 'Watch']) await page.getByRole('heading', { name: door, exact: true, level: 2 }).waitFor();
  await until('the opening is over', async () => (await plies(page)) > 5);
  await until('the curve has values', async () => (await page.locator('[data-points]').getAttribute('data-points')) > 0);
  await page.getByRole('button', { name: 'Pause' }).click();
  const stopped = await plies(page);
  await page.waitForTimeout(1500);
  assert.equal(await plies(page), stopped, 'a paused game does not go on');
  await page.getByRole('button', { name: 'Go on' }).click();
  await goesOn(page);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByLabel('Live game', { exact: true }).selectOption({ index: 1 });
  await page.locator('[data-live="minichess"]').waitFor();
  await goesOn(page);
  await page.getByRole('link', { name: 'Take over' }).click();
  await yourTurn(page);
  assert.ok(new URL(page.url()).searchParams.get('start'));
});

story('the front page passes the checks in all widths', async (world) => {
  await checkAddress(world, '/', (page) => page.locator('[data-board]').waitFor(), [390, 1024, 1440]);
});

story('a live game waits for visitors who prefer less motion, and when nobody can see it', async (world) => {
  const page = await world.open('/', { reducedMotion: 'reduce' });
  await page.locator('[data-board]').waitFor();
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  await page.waitForTimeout(1000);
  assert.equal(await plies(page), 0);
  await page.getByRole('button', { name: 'Go on' }).click();
  await until('it begins', async () => (await plies(page)) > 0);

  const small = await world.open('/', { width: 360, height: 500 });
  await live(small).waitFor({ state: 'attached' });
  const asked = [];
  small.on('request', (request) => request.url().includes('/api/play/') && asked.push(request.url()));
  await small.evaluate(() => document.querySelector('footer').scrollIntoView());
  await small.waitForTimeout(500);
  const before = asked.length;
  await small.waitForTimeout(1500);
  assert.ok(asked.length <= before + 1, 'no requests for a board that is not on the screen');
});

story('a newcomer watches their own population learn with one click, and plays it with one more', async (world) => {
  const page = await world.open('/');
  // How soon it appears is measured in speed.test.mjs.
  await page.getByRole('button', { name: 'Breed a Nim player now' }).click();
  await page.getByRole('heading', { name: 'nim-2x4-1', level: 1 }).waitFor();
  await page.locator('[data-live="nim"] [data-board]').waitFor();
  await page.getByRole('figure', { name: 'Grade so far' }).locator('canvas').waitFor();
  await page.locator('.network canvas').first().waitFor();
  await goesOn(page);
  const name = await page.getByRole('heading', { level: 1 }).innerText();

  const solved = page.getByRole('region', { name: 'Solved' });
  await solved.waitFor({ timeout: 120_000 });
  assert.match(await solved.innerText(), /plays a perfect move in every position[^]*reached 57 to 75 %/);
  await checkPage(page, 'a solved run');
  const generation = Number((await solved.getByRole('button').innerText()).replace(/\D/g, ''));
  await solved.getByRole('link', { name: 'Play it' }).click();
  await page.locator('[data-board="nim"]').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('against'), `run:${name}@${generation}`);

  // The front page shows the newest champion of this run now.
  await page.getByRole('link', { name: 'Gamete', exact: true }).click();
  await page.locator('[data-live="nim"]').waitFor();
  await until('its champion plays', async () => (await live(page).innerText()).includes(`generation ${generation}`));
});

story('the page of a run shows a live game against an earlier champion', async (world) => {
  await world.gamete('train', 'nim-2x4', '--generations', '30', '--set', 'stop.solved=false', '--name', 'mine');
  const page = await world.open('/runs/mine');
  await goesOn(page);
  await page.getByLabel('The earlier one is from').selectOption({ label: 'half of the way' });
  await until('generation 15 plays', async () => /generation 15\b/.test(await live(page).innerText()));
});
