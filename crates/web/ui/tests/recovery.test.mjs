// The server ends and comes back: all pages recover by themselves.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { made, square, yourTurn } from './play.mjs';
import { test } from 'node:test';
import { GAMETE, PATIENCE, until, World } from './world.mjs';

/** Ends the server of a world as Ctrl-C does. */
async function end(world) {
  world.server.kill('SIGINT');
  await world.server.ended;
}

/** Starts another server at the same address. */
async function begin(world) {
  const port = new URL(world.origin).port;
  const server = spawn(GAMETE, ['serve', '--no-open', '--port', port], { env: world.env, stdio: ['ignore', 'pipe', 'ignore'] });
  server.ended = new Promise((resolve) => server.once('close', (code, signal) => resolve(code ?? signal)));
  await once(createInterface({ input: server.stdout }), 'line', { signal: AbortSignal.timeout(PATIENCE) });
  world.server = server;
}

// Requests fail here, so the browser's messages about them are not checked.
test('pages say that the server is gone, and go on when it is back', async () => {
  const world = await World.begin();
  try {
    const home = await world.open('/');
    await until('the game has begun', async () => (await home.locator('[data-live]').getAttribute('data-plies')) > 1);
    const play = await world.play('tic-tac-toe', { side: 'first', against: 'perfect' });
    await yourTurn(play);
    const other = await world.open('/play');
    await yourTurn(other);
    const training = world.spawn('train', 'nim-2x4', '--generations', '1000000', '--set', 'stop.solved=false', '--name', 'elsewhere');
    const runs = await world.open('/runs', { ready: 'li.card' });
    const run = await world.open('/runs/elsewhere');
    const champions = run.getByRole('region', { name: 'Champions' });
    await champions.getByRole('link', { name: 'Play against it' }).waitFor();

    await end(world);
    await champions.getByRole('slider').focus();
    await run.keyboard.press('Home');
    await champions.getByText('Gamete does not answer').first().waitFor();
    await home.getByText('Gamete does not answer. The game goes on when it is back.').waitFor();
    await runs.getByText('The connection to Gamete is lost').waitFor();
    await square(play, 'b2').click();
    await play.getByText(/^Gamete does not answer/).waitFor();
    // The code of this page was not loaded before.
    await other.getByRole('link', { name: 'Compare', exact: true }).click();
    await other.getByRole('heading', { name: 'Gamete does not answer' }).waitFor();

    await begin(world);
    const before = Number(await home.locator('[data-live]').getAttribute('data-plies'));
    await until('the live game goes on', async () => Number(await home.locator('[data-live]').getAttribute('data-plies')) !== before);
    await runs.getByText('The connection to Gamete is lost').waitFor({ state: 'hidden' });
    await until('the first champion is shown', async () => (await champions.locator('dd').first().innerText()).trim() === '1' && (await champions.getByText('Gamete does not answer').count()) === 0);
    await until('the error is gone', async () => (await play.getByText(/^Gamete does not answer/).count()) === 0);
    await square(play, 'b2').click();
    await made(play, 2);
    await other.getByRole('heading', { name: 'Compare', level: 1 }).waitFor();
    training.kill('SIGKILL');
  } finally {
    assert.equal(await world.end(), 0);
  }
});

test('after Ctrl-C a training is paused and nothing is lost', async () => {
  const world = await World.begin();
  try {
    const page = await world.open('/');
    await page.getByRole('button', { name: 'Breed a Nim player now' }).click();
    await page.getByRole('heading', { name: 'nim-2x4-1', level: 1 }).waitFor();
    await page.getByText('training', { exact: true }).first().waitFor();
    await end(world);
    await begin(world);
    const runs = await world.open('/runs', { ready: 'li.card' });
    await runs.getByText('paused, nothing lost').waitFor();
    assert.equal(await runs.locator('.badge.bad').count(), 0);
    await runs.getByRole('button', { name: 'Resume nim-2x4-1' }).click();
    await runs.getByText('solved', { exact: true }).waitFor({ timeout: 120_000 });
  } finally {
    await world.end();
  }
});

test('forms keep everything while the server is gone, and are sent when it is back', async () => {
  const world = await World.begin();
  try {
    const form = await world.open('/new?experiment=nim-2x4');
    await form.getByLabel('population', { exact: true }).fill('60');
    await form.getByLabel('population', { exact: true }).press('Enter');
    const text = form.getByLabel('The experiment as text (TOML)');
    await until('the text follows', async () => /^population = 60$/m.test(await text.inputValue()));
    await form.getByLabel('Name of the run').fill('mine');
    const compare = await world.open('/compare?game=nim&player=random&player=perfect');
    await compare.getByLabel(/^Games/).fill('8');
    const games = await world.open('/games');
    await games.getByLabel('PGN or PDN, as text').fill('1. 11-15 23-19 2. 8-11 *');
    const door = await world.open('/');
    const breed = door.getByRole('button', { name: 'Breed a Nim player now' });
    await breed.waitFor();

    await end(world);
    await form.getByRole('button', { name: 'Start', exact: true }).click();
    await compare.getByRole('button', { name: 'Start match' }).click();
    await games.getByRole('button', { name: 'Read' }).click();
    await breed.click();
    for (const page of [form, compare, door]) await page.getByText('Nothing that you entered is lost').waitFor();
    await games.getByText('Gamete does not answer').waitFor();
    // What is not wanted any more is not sent.
    await door.getByRole('button', { name: 'Do not send it' }).click();
    await door.getByText('Nothing that you entered is lost').waitFor({ state: 'detached' });
    assert.equal(await form.getByLabel('Name of the run').inputValue(), 'mine');

    await begin(world);
    await form.waitForURL('**/runs/mine');
    await compare.getByText(/^finished\s+Nim, 8 of 8 games/).waitFor();
    await games.locator('[data-board="draughts"]').waitFor();
    assert.match(await form.locator('main').textContent(), /^population = 60$/m);
    const names = (await world.gamete('runs', '--json')).trim().split('\n').map((line) => JSON.parse(line).run);
    assert.deepEqual(names, ['mine']);
  } finally {
    await world.end();
  }
});
