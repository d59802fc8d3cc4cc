// Drawings of networks: moving and zooming, descriptions of nodes, all generations, and values of nodes during a game.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { made, take, yourTurn } from './play.mjs';
import { story, until } from './world.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const network = (page) => page.locator('.network');
const canvas = (page) => network(page).locator('canvas').first();
const painted = async (page) => Number((await canvas(page).getAttribute('data-painted')) ?? 0);
const picture = (page) => canvas(page).evaluate((element) => element.toDataURL());
const outputs = (page) => network(page).locator('[data-outputs]').getAttribute('data-outputs');
const nodes = (page) => network(page).getByLabel('Node', { exact: true });

/** Waits until the network is drawn. */
async function drawn(page) {
  await until('the network is drawn', async () => (await canvas(page).count()) > 0 && (await painted(page)) > 0);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

async function faults(page) {
  // The page allows only its own scripts, but `evaluate` can add one.
  const { violations } = await page.evaluate(`${AXE}; axe.run(document, { resultTypes: ['violations'] })`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

story('the opponent’s network shows its values during a game', async (world) => {
  const page = await world.play('nim', { against: 'champion:nim', side: 'first', start: '7,6' });
  await yourTurn(page);
  assert.equal(await canvas(page).count(), 0, 'the panel is closed at first');
  await page.getByText('The opponent’s network').click();
  await drawn(page);
  await until('it sees the position', async () => (await network(page).locator('[data-outputs]').count()) > 0);
  const [before, looked] = [await outputs(page), await picture(page)];
  await take(page, 1, 2).click();
  await made(page, 2);
  await until('it thinks something else', async () => (await outputs(page)) !== before);
  await until('and looks different', async () => (await picture(page)) !== looked);
  // The label of an input uses the words of the game.
  await nodes(page).selectOption({ label: 'matches in stack 1' });
  assert.match(await network(page).getByRole('status').innerText(), /matches in stack 1: an input; now \d/);
  // An opponent without a network has no panel.
  await page.goto(`${world.origin}/play?game=nim&against=perfect&side=first&start=7%2C6`);
  await yourTurn(page);
  assert.equal(await page.getByText('The opponent’s network').count(), 0);
});

story('a network shows its values in a recorded game', async (world) => {
  await world.gamete('train', 'nim-2x4', '--generations', '5', '--set', 'stop.solved=false', '--name', 'mine');
  const page = await world.open('/games?run=mine');
  await page.locator('[data-board="nim"]').waitFor();
  await page.getByText('Its network').click();
  await drawn(page);
  await until('it sees the position', async () => (await network(page).locator('[data-outputs]').count()) > 0);
  const before = await outputs(page);
  await page.locator('[data-ply="1"]').click();
  await until('it thinks something else', async () => (await outputs(page)) !== before);
});

story('the slider shows the network of each generation, and keeps the zoom', async (world) => {
  await world.gamete('train', 'nim-2x4', '--seed', '1', '--generations', '40', '--set', 'stop.solved=false', '--name', 'mine');
  const page = await world.open('/runs/mine');
  await drawn(page);
  await until('it is the newest', async () => (await network(page).getAttribute('data-player')) === 'run:mine@40');
  const newest = await network(page).locator('p').first().innerText();
  assert.match(newest, /generation 40: 2 inputs/);
  const fit = network(page).getByRole('button', { name: 'Fit' }).first();
  assert.ok(await fit.isDisabled());
  await network(page).getByRole('button', { name: 'Zoom in' }).first().click();
  await until('one can go back', () => fit.isEnabled());
  const slider = page.getByRole('region', { name: 'Champions' }).getByRole('slider');
  await slider.focus();
  await page.keyboard.press('Home');
  await until('it is the first', async () => (await network(page).getAttribute('data-player')) === 'run:mine@1');
  assert.match(await network(page).locator('p').first().innerText(), /generation 1: 2 inputs/);
  assert.ok(await fit.isEnabled(), 'the zoom stays');
});

story('the ancestors of a champion lead to their generations', async (world) => {
  await world.gamete('train', 'nim-2x4-neat', '--seed', '1', '--generations', '30', '--set', 'stop.solved=false', '--name', 'line');
  const page = await world.open('/runs/line');
  await page.getByText('Its ancestors').waitFor();
  const first = page.getByRole('button', { name: /^Generation 1 #/ });
  await first.click();
  await until('the first generation is shown', async () => (await network(page).getAttribute('data-player')) === 'run:line@1');
});

story('the edges of a node are listed, by pointer and by keyboard', async (world) => {
  const page = await world.play('nim', { against: 'champion:nim', side: 'first', start: '7,6' });
  await yourTurn(page);
  await page.getByText('The opponent’s network').click();
  await drawn(page);
  // 1. By keys: the list of nodes.
  await nodes(page).selectOption({ label: 'value' });
  const description = network(page).getByRole('status');
  assert.match(await description.innerText(), /^value: bias/);
  const edges = network(page).locator('li button');
  assert.match(await edges.first().innerText(), /× −?[\d.]+/);
  // An edge leads to the node at its other end.
  const name = (await edges.first().locator('span').first().innerText()).trim();
  await edges.first().click();
  await until('the node at its other end is described', async () => (await description.innerText()).startsWith(name));
  // 2. By pointer: the inputs are at the left, where the names end.
  await nodes(page).selectOption('');
  assert.equal(await description.count(), 0);
  const { x, y, width, height } = await canvas(page).boundingBox();
  const across = await page.evaluate((wide) => Math.min(170, Math.round(0.34 * wide)), width);
  await until('the pointer finds an input', async () => {
    for (let down = 4; down < height; down += 8) {
      await page.mouse.move(x + across, y + down);
      if ((await description.count()) > 0 && /an input/.test(await description.innerText())) return true;
    }
    return false;
  });
  // 3. The drawing moves by keys, and fits again.
  await network(page).getByRole('application').first().focus();
  const fit = network(page).getByRole('button', { name: 'Fit' }).first();
  for (const key of ['+', 'ArrowLeft', 'ArrowDown', '-']) await page.keyboard.press(key);
  await until('it moved', () => fit.isEnabled());
  await page.keyboard.press('0');
  await until('it fits', () => fit.isDisabled());
});

for (const dark of [false, true]) {
  story(`networks pass the checks, also on a phone, ${dark ? 'dark' : 'light'}`, async (world) => {
    await world.gamete('train', 'nim-2x4-neat', '--seed', '1', '--generations', '20', '--set', 'stop.solved=false', '--name', 'mine');
    for (const width of [1280, 360]) {
      const page = await world.open('/runs/mine', { width, dark });
      await drawn(page);
      await nodes(page).selectOption({ label: 'value' });
      assert.deepEqual(await faults(page), []);
      const play = await world.play('tic-tac-toe', { against: 'champion:tic-tac-toe', side: 'first' }, { width, dark });
      await yourTurn(play);
      await play.getByText('The opponent’s network').click();
      await drawn(play);
      assert.deepEqual(await faults(play), []);
      for (const seen of [page, play]) {
        const sideways = await seen.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(sideways, 0, 'nothing to scroll sideways');
      }
    }
  });
}
