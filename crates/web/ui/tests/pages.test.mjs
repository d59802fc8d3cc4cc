// Every page, light and dark, wide and narrow: no console message and no failed or foreign request (world.mjs checks that),
// no violation that axe finds, and no sideways scrolling on a phone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plot } from './runs.mjs';
import { checkAddress, checkPage, WIDTHS } from './checks.mjs';
import { reveal, yourTurn } from './play.mjs';
import { story, until, World } from './world.mjs';

const sees = (text) => (page) => page.getByText(text).first().waitFor();

story('a folder without runs, an unknown run, and the form of a new training', async (world) => {
  await checkAddress(world, '/runs', sees('There are no runs yet'));
  await checkAddress(world, '/runs/nobody', (page) => page.getByRole('alert').waitFor());
  await checkAddress(world, '/new', (page) => page.getByRole('button', { name: 'Start a minute of Nim' }).waitFor());
  await checkAddress(world, '/new?experiment=nim-2x4', (page) => until('the text is there', async () => (await page.getByRole('textbox', { name: /as text/ }).inputValue()) !== ''));
});

story('an address without a page', async (world) => {
  for (const width of WIDTHS) {
    const page = await world.open('/nowhere', { width });
    await page.getByText('Page not found').waitFor();
    // The server answers with 404 and the app.
    await world.refused(404, '/nowhere');
    await checkPage(page, `/nowhere at ${width}`);
  }
});

story('runs, in the list and each on its page', async (world) => {
  await world.gamete('train', 'nim-2x4', '--generations', '100', '--set', 'stop.solved=false', '--set', 'record.final_games=4', '--name', 'plain');
  await world.gamete('growth', 'plain', '--games', '4', '--champions', '4');
  await world.gamete('train', 'nim-2x4-neat', '--generations', '60', '--set', 'stop.solved=false', '--name', 'species-and-a-name-that-is-rather-long-for-a-narrow-window');
  await checkAddress(world, '/runs', sees('plain'));
  await checkAddress(world, '/runs/plain', (page) => plot(page, 'Elo, with 95 % intervals').locator('canvas').waitFor());
  await checkAddress(world, '/runs/species-and-a-name-that-is-rather-long-for-a-narrow-window', async (page) => {
    await plot(page, 'Complexity').locator('canvas').waitFor();
    await page.getByLabel('Sizes of species over generations').waitFor();
  });
  const page = await world.open('/runs', { width: 360 });
  await page.getByRole('button', { name: 'Delete plain…' }).click();
  await page.getByRole('dialog').waitFor();
  await checkPage(page, 'the question before a run is deleted');
});

for (const [game, moves] of [['nim', '1:1'], ['tic-tac-toe', 'b2'], ['minichess', 'b2b3'], ['draughts', '11-15']]) {
  story(`a game of ${game}`, async (world) => {
    await checkAddress(world, `/play?${new URLSearchParams({ game, moves, seed: '1' })}`, async (page) => {
      await yourTurn(page);
      await reveal(page);
      await page.getByRole('heading', { name: /^Your moves/ }).waitFor();
    });
  });
}

story('colours follow the system or the visitor’s choice, also after a reload', async (world) => {
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

test('console messages and failed or foreign requests are noticed', async () => {
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
