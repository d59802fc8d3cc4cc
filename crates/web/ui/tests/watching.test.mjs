// Runs that other processes train, shown live; their champions and curves.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { becomes, beyond, drawnTo, generation, item, overview, plot } from './runs.mjs';
import { story, until } from './world.mjs';

/** A training that goes on until it is stopped. */
const endless = (world, name) => world.spawn('train', 'nim-2x4', '--generations', '1000000', '--set', 'stop.solved=false', '--name', name);

story('a run of another process appears, and advances in the list and on its page', async (world) => {
  const page = await world.open('/runs');
  await page.getByText('There are no runs yet').waitFor();
  const other = endless(world, 'theirs');
  const theirs = item(page, 'theirs');
  await theirs.waitFor();
  await becomes(theirs, /^training elsewhere$/);
  const first = await beyond(theirs, 0);
  await beyond(theirs, first);
  assert.equal(await page.getByRole('button', { name: 'Pause theirs' }).count(), 0, 'a run of another process cannot be paused here');

  const second = await world.open('/runs/theirs');
  const run = overview(second);
  await becomes(run, /^training elsewhere$/);
  const seen = await beyond(run, first);
  const score = plot(second, 'Score');
  await score.locator('canvas').waitFor();
  await until('its curve grows', async () => (await drawnTo(score)) > seen);

  other.kill('SIGINT');
  await other.ended;
  await becomes(run, /^paused, nothing lost$/);
  await becomes(theirs, /^paused, nothing lost$/);
  const [listed] = (await world.gamete('runs', '--json')).trim().split('\n').map(JSON.parse);
  await until('both pages agree with the file', async () => (await generation(run)) === listed.generation && (await generation(theirs)) === listed.generation);
  await until('so does the curve', async () => (await drawnTo(score)) === listed.generation);
});

story('a run whose process was killed is shown as such, and can be resumed', async (world) => {
  const page = await world.open('/runs');
  const other = endless(world, 'theirs');
  const theirs = item(page, 'theirs');
  await beyond(theirs, 5);
  other.kill('SIGKILL');
  await other.ended;
  await becomes(theirs, /^ended unexpectedly$/);
  const before = await generation(theirs);
  await page.getByRole('button', { name: 'Resume theirs' }).click();
  await becomes(theirs, /^training$/);
  await beyond(theirs, before);
});

story('a deleted run leaves the list, and its page says so', async (world) => {
  await world.gamete('train', 'nim-2x4', '--generations', '5', '--name', 'mine');
  const list = await world.open('/runs');
  const page = await world.open('/runs/mine');
  await overview(page).waitFor();
  await list.getByRole('button', { name: 'Delete mine…' }).click();
  await list.getByRole('button', { name: 'Delete mine', exact: true }).click();
  await list.getByText('There are no runs yet').waitFor();
  await page.getByRole('alert').waitFor();
  assert.match(await page.getByRole('alert').innerText(), /deleted/);
});

story('the champion of any generation is found, played and downloaded', async (world) => {
  await world.gamete('train', 'nim-2x4', '--generations', '40', '--set', 'stop.solved=false', '--name', 'mine');
  const page = await world.open('/runs/mine');
  const champions = page.getByRole('region', { name: 'Champions' });
  const slider = champions.getByRole('slider');
  const shown = async () => (await champions.locator('dd').first().innerText()).trim();
  await until('the newest is shown', async () => (await shown()) === '40');
  await slider.focus();
  await page.keyboard.press('Home');
  await until('the first is shown', async () => (await shown()) === '1');
  await page.keyboard.press('ArrowRight');
  await until('the second is shown', async () => (await shown()) === '2');
  await champions.getByLabel('Generation as a number').fill('17');
  await champions.getByLabel('Generation as a number').press('Tab');
  await until('the seventeenth is shown', async () => (await shown()) === '17');
  const [download] = await Promise.all([page.waitForEvent('download'), champions.getByRole('link', { name: 'Download its network' }).click()]);
  assert.equal(download.suggestedFilename(), 'mine@17.json');
  JSON.parse(await readFile(await download.path(), 'utf8'));
  await champions.getByRole('link', { name: 'Play against it' }).click();
  await page.locator('[data-board="nim"]').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('against'), 'run:mine@17');
});

story('dragging zooms into the curves, and a button shows the whole run again', async (world) => {
  await world.gamete('train', 'nim-2x4', '--generations', '60', '--set', 'stop.solved=false', '--name', 'mine');
  const page = await world.open('/runs/mine');
  const score = plot(page, 'Score');
  await score.locator('canvas').waitFor();
  assert.equal(await drawnTo(score), 60);
  await score.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await score.locator('.u-over').boundingBox();
  await page.mouse.move(x + 0.25 * width, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 0.5 * width, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await until('half of the way is shown', async () => (await drawnTo(score)) < 40);
  const to = Number(await page.getByLabel('to', { exact: true }).inputValue());
  assert.equal(await drawnTo(score), to);
  await page.getByRole('button', { name: 'Whole run' }).click();
  await until('all of it is shown', async () => (await drawnTo(score)) === 60);
});
