// Every page, light and dark, wide and narrow: nothing in the console, no request that fails or goes elsewhere (world.mjs sees
// to that), no violation that axe finds, and nothing to scroll sideways on a phone.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { plot } from './runs.mjs';
import { yourTurn } from './table.mjs';
import { atRest, story, until, World } from './world.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WIDTHS = [1280, 360];

/** What axe finds, in short; by all rules, or by some. */
async function violations(page, rules) {
  const { violations } = await page.evaluate((runOnly) => axe.run(document, { resultTypes: ['violations'], ...(runOnly && { runOnly }) }), rules);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} (${failureSummary})`).join(' | ')}`);
}

async function sound(page, what) {
  await page.evaluate(AXE);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    // Colours fade from one to the other.
    await atRest(page);
    // The other colours change nothing but contrasts.
    assert.deepEqual(await violations(page, colorScheme === 'dark' ? ['color-contrast'] : null), [], `${what}, ${colorScheme}`);
    const [content, window] = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
    assert.ok(content <= window, `${what} is ${content} wide in a window of ${window}`);
  }
}

/** Looks at an address in both widths, with everything unfolded. */
async function look(world, path, ready) {
  for (const width of WIDTHS) {
    const page = await world.open(path, { width });
    await ready(page);
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
    await sound(page, `${path} at ${width}`);
    await page.context().close();
  }
}

const sees = (text) => (page) => page.getByText(text).first().waitFor();

story('a folder without runs, an unknown run, and the form of a new training', async (world) => {
  await look(world, '/', sees('There are no runs yet'));
  await look(world, '/runs/nobody', (page) => page.getByRole('alert').waitFor());
  await look(world, '/new', (page) => until('the text is there', async () => (await page.getByRole('textbox', { name: /as text/ }).inputValue()) !== ''));
});

story('an address that is none', async (world) => {
  for (const width of WIDTHS) {
    const page = await world.open('/nowhere', { width });
    await page.getByText('There is nothing here').waitFor();
    // The page itself is what is not found.
    await world.refused(404, '/nowhere');
    await sound(page, `/nowhere at ${width}`);
  }
});

story('runs, in the list and each on its page', async (world) => {
  await world.gamete('train', 'nim-2x4', '--generations', '100', '--set', 'stop.solved=false', '--set', 'record.final_games=4', '--name', 'plain');
  await world.gamete('growth', 'plain', '--games', '4', '--champions', '4');
  await world.gamete('train', 'nim-2x4-neat', '--generations', '60', '--set', 'stop.solved=false', '--name', 'species-and-a-name-that-is-rather-long-for-a-narrow-window');
  await look(world, '/', sees('plain'));
  await look(world, '/runs/plain', (page) => plot(page, 'Elo, with 95 % intervals').locator('canvas').waitFor());
  await look(world, '/runs/species-and-a-name-that-is-rather-long-for-a-narrow-window', async (page) => {
    await plot(page, 'Complexity').locator('canvas').waitFor();
    await page.getByLabel('Sizes of species over generations').waitFor();
  });
  const page = await world.open('/', { width: 360 });
  await page.getByRole('button', { name: 'Delete plain…' }).click();
  await page.getByRole('dialog').waitFor();
  await sound(page, 'the question before a run is deleted');
});

for (const [game, moves] of [['nim', '1:1'], ['tic-tac-toe', 'b2'], ['minichess', 'b2b3'], ['draughts', '11-15']]) {
  story(`the table of ${game}`, async (world) => {
    await look(world, `/play?${new URLSearchParams({ game, moves, seed: '1' })}`, async (page) => {
      await yourTurn(page);
      await page.getByRole('heading', { name: /^Your moves/ }).waitFor();
    });
  });
}

story('colours follow the system, or what one chooses, also after a reload', async (world) => {
  const page = await world.open('/', { dark: true });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.getByRole('button', { name: 'Colours: system. Change' }).click();
  await page.getByRole('button', { name: 'Colours: light. Change' }).waitFor();
  await until('it is light', async () => (await background()) !== dark);
  const light = await background();
  await page.reload();
  await page.getByRole('button', { name: 'Colours: light. Change' }).click();
  await page.getByRole('button', { name: 'Colours: dark. Change' }).waitFor();
  assert.equal(await background(), dark);
  await page.getByRole('button', { name: 'Colours: dark. Change' }).click();
  await page.emulateMedia({ colorScheme: 'light' });
  await until('it follows the system', async () => (await background()) === light);
});

test('whatever a page says or asks elsewhere is noticed', async () => {
  const world = await World.begin();
  try {
    const page = await world.open('/');
    await world.assertQuiet();
    await page.evaluate(() => console.log('a word'));
    await page.evaluate(() => fetch('/api/nothing'));
    await page.goto(world.origin.replace('127.0.0.1', 'localhost'));
    await assert.rejects(world.assertQuiet(), (error) => {
      const kinds = error.actual.map(({ kind }) => kind);
      return ['console', 'elsewhere', 'refused'].every((kind) => kinds.includes(kind));
    });
  } finally {
    await world.end();
  }
});
