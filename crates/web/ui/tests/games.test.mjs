// The page Games: games from runs and from files, move by move, and the values that players give their positions.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { checkPage } from './checks.mjs';
import { story, until } from './world.mjs';

const NIM = ['train', 'nim-2x4', '--seed', '3', '--generations', '30', '--set', 'stop.solved=false', '--name', 'mine'];
const PDN = '[Event "Club"]\n[Black "Ann"]\n[White "Bob"]\n[GameType "21"]\n\n1. 11-15 23-19 2. 8-11 22-17 *';
const ROUND = ['1-6', '32-27', '6-1', '27-32'];
/** A game in which kings move to and fro for the given number of plies. */
const longGame = (plies) =>
  `[GameType "21"]\n[SetUp "1"]\n[FEN "B:WK32,29,30:BK1,3,4"]\n\n${Array.from({ length: plies }, (_, ply) => ROUND[ply % 4]).join(' ')} *`;

const status = (page) => page.locator('[data-status]').innerText();
const current = async (page) => Number(await page.locator('[data-ply][aria-current]').getAttribute('data-ply'));
const at = (page, ply) => until(`ply ${ply} is shown`, async () => (await current(page)) === ply);
const known = async (page) => Number((await page.locator('figure svg').getAttribute('data-known').catch(() => null)) ?? 0);
const button = (page, name) => page.getByRole('button', { name, exact: true });

/** Opens the choice of games, which is folded while a game is on the board. */
const unfold = (page) => page.locator('details.choosers').evaluate((details) => (details.open = true));

async function paste(page, text, game = '') {
  await unfold(page);
  await page.getByLabel('PGN or PDN, as text').fill(text);
  await page.getByLabel('Game', { exact: true }).selectOption(game);
  await button(page, 'Read').click();
}

story('a recorded game is stepped through with the arrow keys', async (world) => {
  await world.gamete(...NIM);
  const page = await world.open('/games?run=mine');
  await page.locator('[data-board="nim"]').waitFor();
  const end = (await page.locator('[data-ply]').count()) - 1;
  assert.ok(end > 1, 'there is something to step through');
  await at(page, 0);
  assert.match(await status(page), /^The start/);
  await page.keyboard.press('ArrowRight');
  await at(page, 1);
  assert.match(await status(page), /^Move 1, First: \d from stack \d/);
  assert.equal(await page.locator('[data-said]').textContent(), await status(page), 'screen readers get the same text');
  await page.keyboard.press('ArrowRight');
  await at(page, 2);
  await page.keyboard.press('ArrowLeft');
  await at(page, 1);
  await page.keyboard.press('End');
  await at(page, end);
  assert.match(await status(page), /has won\.$/);
  await page.keyboard.press('Home');
  await at(page, 0);
  // In a field for numbers, the keys do not step through the game.
  await unfold(page);
  await page.getByLabel('Generation as a number').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  await at(page, 0);
  // Buttons and moves do the same.
  await button(page, 'Forward').click();
  await at(page, 1);
  await page.locator(`[data-ply="${end}"]`).click();
  await at(page, end);
  await button(page, 'Back').click();
  await at(page, end - 1);
  await button(page, 'To the start').click();
  await at(page, 0);
  // Autoplay goes on until the end.
  await page.getByLabel('Speed').selectOption('5 moves per second');
  await button(page, 'Autoplay').click();
  await button(page, 'Pause').click();
  await button(page, 'Autoplay').click();
  await at(page, end);
  await button(page, 'Autoplay').waitFor();
});

story('generations and games are chosen, and the address follows', async (world) => {
  await world.gamete(...NIM);
  const page = await world.open('/games');
  await page.getByText('Choose a run to see the games').waitFor();
  await page.getByLabel('Run', { exact: true }).selectOption('mine');
  await page.locator('[data-board="nim"]').waitFor();
  await until('the address follows', () => new URL(page.url()).searchParams.get('generation') === '30');
  await unfold(page);
  await page.getByLabel('Generation as a number').fill('7');
  await page.getByLabel('Generation as a number').press('Enter');
  await until('an earlier generation is shown', () => Number(new URL(page.url()).searchParams.get('generation')) <= 7);
  await page.getByRole('button', { name: /game 2/ }).click();
  await until('the second game', () => new URL(page.url()).searchParams.get('game') === '2');
  await page.reload();
  await page.locator('[data-board="nim"]').waitFor();
  assert.equal(await page.getByRole('button', { name: /game 2/ }).getAttribute('aria-current'), 'true');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('link', { name: 'Play on from here' }).click();
  await until('the game goes on', () => new URL(page.url()).pathname === '/play');
  const query = new URL(page.url()).searchParams;
  assert.ok(query.get('start') && query.get('against').startsWith('run:mine@'), page.url());
  await page.locator('[data-status]').waitFor();
});

story('the page says if a run does not exist or has no games', async (world) => {
  const page = await world.open('/games?run=nobody');
  await page.getByRole('alert').waitFor();
  assert.match(await page.getByRole('alert').innerText(), /There .*no run/);
  await world.gamete('train', 'nim-2x4', '--generations', '1', '--name', 'young');
  await world.refused(404, '/api/runs/nobody/games');
  const young = await world.open('/games?run=young');
  await young.getByText('This run has kept no games yet').waitFor();
});

story('texts are pasted, and a wrong one gives an error', async (world) => {
  const page = await world.open('/games');
  await paste(page, PDN);
  await page.locator('[data-board="draughts"]').waitFor();
  assert.match(await page.getByRole('button', { name: /Ann – Bob/ }).innerText(), /Game 1: Club.*4 plies/s);
  await page.keyboard.press('End');
  await at(page, 4);
  assert.match(await status(page), /^Move 2, White: 22 to 17\. The record ends here\.$/);

  await paste(page, PDN.replace('8-11', '8-12'));
  const problem = page.getByText('Game 1, move 2 of Black, line 6: `8-12` is no legal move').first();
  await problem.waitFor();
  await page.keyboard.press('End');
  await at(page, 2);
  assert.match(await status(page), /The rest of the game cannot be read/);

  await paste(page, await page.getByLabel('PGN or PDN, as text').getAttribute('placeholder'));
  await until('the example of the page is read without tags', async () => (await page.locator('[data-ply]').count()) === 4);
  await page.keyboard.press('End');
  await at(page, 3);

  await paste(page, 'good morning');
  await page.getByRole('alert').waitFor();
  assert.match(await page.getByRole('alert').innerText(), /choose one of them/);
  await world.refused(400, '/api/games/read');
});

story('files are chosen, and dropped on the page', async (world) => {
  const page = await world.open('/games');
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'a.pdn', mimeType: 'text/plain', buffer: Buffer.from('1. 11-15 23-19 *') });
  await page.locator('[data-board="draughts"]').waitFor();
  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'b.pdn'));
    return data;
  }, PDN);
  await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
  await page.getByRole('button', { name: /Ann – Bob/ }).waitFor();
});

/** Makes the connection slow from now on, so that the test can see values arrive and stop them. */
async function slowly(page) {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.enable');
  await browser.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: 5000, uploadThroughput: -1 });
}

/** Runs in the page: the time until the first value arrives, in milliseconds. Does not wait for the others. */
async function firstLine(asked) {
  const [stop, begun] = [new AbortController(), performance.now()];
  const response = await fetch('/api/games/values', { method: 'POST', body: JSON.stringify(asked), headers: { 'content-type': 'application/json' }, signal: stop.signal });
  const { value } = await response.body.getReader().read();
  stop.abort();
  if (JSON.parse(new TextDecoder().decode(value).split('\n')[0]).ply !== 0) throw new Error(`${response.status} is no first value`);
  return performance.now() - begun;
}

/** Runs in the page: the time from the click on the button to a frame with a board and a value, in milliseconds. */
const untilFirstValue = (read) => {
  const begun = performance.now();
  read.click();
  return new Promise((done) => {
    const look = () => {
      const known = Number(document.querySelector('figure svg')?.dataset.known ?? 0);
      if (known > 0 && document.querySelector('[data-board]')) done(performance.now() - begun);
      else requestAnimationFrame(look);
    };
    look();
  });
};

/** The shortest of up to six measurements, because the machine may be busy. Stops when one is at most `most`. */
async function best(most, measure) {
  let found = Infinity;
  for (let time = 0; time < 6 && found > most; time += 1) found = Math.min(found, await measure());
  return found;
}

story('the values of a long game appear one by one, the first at once', async (world) => {
  const games = await readFile(new URL('../../../cli/tests/long_games.txt', import.meta.url), 'utf8');
  const page = await world.open('/games');
  for (const [game, tag] of [['minichess', '[Variant "minichess"]'], ['draughts', '[GameType "21"]']]) {
    const usual = await fetch(`${world.origin}/api/play/position`, { method: 'POST', body: JSON.stringify({ game }), headers: { 'content-type': 'application/json' } });
    const { start } = await usual.json();
    const moves = games.split(`\n${game}\n`)[1].split('\n\n')[0].trim().split(/\s+/);
    assert.equal(moves.length, 300);
    const asked = { game, setup: [], start, moves, player: `champion:${game},depth=2` };
    const arrived = await best(300, () => page.evaluate(firstLine, asked));
    const drawn = await best(300, async () => {
      await page.goto(`${world.origin}/games`);
      await page.getByLabel('PGN or PDN, as text').fill(`${tag}\n\n${moves.join(' ')} *`);
      return button(page, 'Read').evaluate(untilFirstValue);
    });
    console.log(`300 plies of ${game}: the first value arrived after ${arrived.toFixed(0)} ms, and was drawn with the whole page after ${drawn.toFixed(0)} ms`);
    assert.ok(arrived < 300, `the first value of ${game} took ${arrived} ms`);
    assert.ok(drawn < 1000, `the first value of ${game} was drawn after ${drawn} ms`);
    await until('all values are known', async () => (await known(page)) === 301, 60_000);
  }
  // A click on the curve shows that ply.
  const { width } = await page.locator('figure svg').boundingBox();
  await page.locator('figure svg').click({ position: { x: width / 2, y: 20 } });
  // The ply may differ by one or two, because a pixel of the curve is wider than a ply.
  await until('the middle is shown', async () => Math.abs(Number(await page.locator('[data-ply][aria-current]').getAttribute('data-ply')) - 150) <= 2);
  assert.match(await page.locator('[data-opinion]').innerText(), /It would play/);
  // Over a slow connection, the curve grows step by step.
  await slowly(page);
  await page.getByLabel('Depth in plies').selectOption('6');
  const seen = new Set();
  await until('it grows', async () => seen.add((await known(page)) % 301).size > 3);
});

story('the computation of values is stopped, another player is chosen, and blunders are shown for every player', async (world) => {
  await world.gamete(...NIM);
  const page = await world.open('/games');
  await paste(page, longGame(300));
  await slowly(page);
  await page.getByLabel('Depth in plies').selectOption('6');
  await button(page, 'Stop').click();
  await page.getByText(/^Stopped after \d+ of 301 positions/).waitFor();

  // The first generation blunders.
  await page.goto(`${world.origin}/games?run=mine&generation=1`);
  await page.locator('[data-board="nim"]').waitFor();
  await page.getByLabel('Player', { exact: true }).selectOption('perfect');
  const blunder = page.locator('[data-blunder]').first();
  await blunder.waitFor();
  assert.match(await blunder.innerText(), /was right/);
  await blunder.click();
  await at(page, Number(await blunder.getAttribute('data-blunder')));
  assert.match(await page.locator('[data-ply][aria-current]').innerText(), /\?\?$/);
  assert.equal(await page.locator('[data-mark]').count(), await page.locator('[data-blunder]').count(), 'each blunder has its mark in the curve');
});

story('the page Games passes the checks, with and without games, wide and narrow', async (world) => {
  await world.gamete(...NIM);
  for (const width of [1280, 360]) {
    const page = await world.open('/games', { width });
    await page.getByText('Choose a run to see the games').waitFor();
    await checkPage(page, `/games at ${width}`);
    await page.getByLabel('Run', { exact: true }).selectOption('mine');
    await until('values are there', async () => (await page.locator('[data-opinion]').count()) > 0 && (await button(page, 'Stop').count()) === 0);
    await checkPage(page, `games of a run at ${width}`);
    await paste(page, PDN.replace('8-11', '8-12'));
    await page.locator('[data-board="draughts"]').waitFor();
    await until('values are there', async () => (await known(page)) === 3);
    await checkPage(page, `games of a file at ${width}`);
  }
});
