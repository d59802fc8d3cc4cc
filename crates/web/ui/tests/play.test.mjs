// The page Play, except moving itself: take back, hint, sides, start positions, earlier positions, copying.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { button, made, moves, named, position, reveal, says, square, take, yourTurn } from './play.mjs';
import { story, until } from './world.mjs';

const GAMES = ['nim', 'tic-tac-toe', 'minichess', 'draughts'];
const NIM = { against: 'perfect', side: 'first', start: '7,6' };

for (const game of GAMES) {
  story(`the shipped champion of ${game} answers`, async (world) => {
    const page = await world.play(game, { side: 'first' });
    await yourTurn(page);
    assert.equal(await page.getByLabel('Opponent', { exact: true }).inputValue(), `champion:${game}`);
    const typed = page.getByLabel('Your move');
    await typed.fill(await typed.getAttribute('placeholder'));
    await button(page, 'Play').click();
    await made(page, 2);
    assert.equal((await moves(page)).length, 2);
  });
}

story('a move is taken back, together with the answer to it', async (world) => {
  const page = await world.play('nim', NIM);
  await yourTurn(page);
  assert.ok(await button(page, 'Take back').isDisabled(), 'there is nothing to take back yet');
  const before = await position(page);
  await take(page, 1, 2).click();
  await made(page, 2);
  const after = await position(page);
  assert.notEqual(after, before);
  await take(page, 1, 1).click();
  await made(page, 4);
  await button(page, 'Take back').click();
  await made(page, 2);
  assert.equal(await position(page), after);
  await button(page, 'Take back').click();
  await made(page, 0);
  assert.equal(await position(page), before);
  assert.equal(await page.locator('[data-take]:not([inert])').count(), 13, 'all matches are back');
});

story('a move that lost the game can be taken back', async (world) => {
  const page = await world.play('nim', { ...NIM, start: '1,1,1' });
  await yourTurn(page);
  await take(page, 1, 1).click();
  await made(page, 2);
  await page.locator('[data-take]:not([inert])').click();
  await says(page, /^You have lost/);
  await button(page, 'Take back').click();
  await says(page, /^Your turn/);
  assert.equal((await moves(page)).length, 2);
  assert.equal(await page.locator('[data-take]:not([inert])').count(), 1);
});

story('a hint names a move and shows it until the next move', async (world) => {
  const page = await world.play('draughts', { against: 'random', side: 'second', start: 'W:W22,32:B1,11,18' });
  await yourTurn(page);
  await button(page, 'Hint').click();
  await page.locator('.hint').waitFor();
  assert.match(await page.locator('.hint').innerText(), /^Hint: 22x8 /);
  assert.equal(await page.locator('[data-board] polyline.shaft').count(), 1);
  await square(page, '22').click();
  await square(page, '8').click();
  await made(page, 2);
  assert.equal(await page.locator('.hint').count(), 0);
  assert.equal(await page.locator('[data-board] .shaft').count(), 0);
});

story('sides are swapped, and a new game begins', async (world) => {
  const page = await world.play('nim', NIM);
  await yourTurn(page);
  await button(page, 'Swap sides').click();
  await made(page, 1);
  assert.equal(await page.getByLabel('You play').inputValue(), 'second');
  await says(page, /^Your turn: you are Second\.$/);
  // The old game has one move as well, so wait for the first move of the new one.
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/play/answer'));
  await button(page, 'New game').click();
  await answered;
  await made(page, 1);
  await button(page, 'Swap sides').click();
  await made(page, 2);
  await button(page, 'New game').click();
  await made(page, 0);
  assert.match(await position(page), /^7,6\b/, 'new games begin where the first one did');
});

story('a game begins from a position given as text, and a wrong position is refused with a sentence', async (world) => {
  const page = await world.play('draughts', { against: 'random', side: 'first' });
  await yourTurn(page);
  const before = await position(page);
  const start = page.getByLabel('Position to begin with');
  await start.fill('B:W50:B1');
  await start.press('Enter');
  await world.refused(400, '/api/play/position');
  const sentence = page.getByRole('alert');
  await sentence.waitFor();
  assert.match(await sentence.innerText(), /50.*\.$/s);
  assert.equal(await position(page), before, 'the game stays as it was');
  await start.fill('B:WK32:B1,K14');
  await start.press('Enter');
  await until('the position is on the board', async () => /^B:WK32:B1,K14/.test(await position(page)));
  assert.equal(await named(page, '14'), '14, black king, can move');
  assert.equal(await sentence.count(), 0);
});

story('a move that is not legal is refused with a sentence', async (world) => {
  const page = await world.play('nim', NIM);
  await yourTurn(page);
  await page.getByLabel('Your move').fill('3:1');
  await button(page, 'Play').click();
  await world.refused(400, '/api/play/position');
  await page.getByRole('alert').waitFor();
  assert.match(await page.getByRole('alert').innerText(), /3:1/);
  assert.deepEqual(await moves(page), []);
});

story('positions and games are copied and downloaded', async (world) => {
  const page = await world.play('draughts', { against: 'random', side: 'first', moves: '11-15' }, { permissions: ['clipboard-read', 'clipboard-write'] });
  await made(page, 2);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await button(page, 'Copy position').click();
  await page.getByText('Position copied.', { exact: true }).first().waitFor();
  assert.equal(await copied(), await position(page));
  await button(page, 'Copy PDN').click();
  await page.getByText('PDN copied.', { exact: true }).first().waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download PDN').click()]);
  assert.equal(download.suggestedFilename(), 'draughts.pdn');
  const kept = await readFile(await download.path(), 'utf8');
  assert.equal(kept, await copied());
  assert.match(kept, /\[Black "you"\][^]*1\. 11-15 /);
});

story('earlier positions are shown by clicks and keys, and the game is played on from there', async (world) => {
  const page = await world.play('minichess', { against: 'random', side: 'first' });
  await yourTurn(page);
  const positions = [await position(page)];
  for (const [from, to] of [['b2', 'b3'], ['f2', 'f3']]) {
    await square(page, from).click();
    await square(page, to).click();
    await made(page, 2 * positions.length);
    positions.push(await position(page));
  }
  await page.locator('[data-ply="2"]').click();
  await page.getByText('This is an earlier position.').waitFor();
  assert.equal(await position(page), positions[1]);
  assert.equal(await named(page, 'b3'), 'b3, white pawn', 'no piece can move in an earlier position');
  await page.keyboard.press('Home');
  await until('the start is shown', async () => (await position(page)) === positions[0]);
  await page.keyboard.press('End');
  await until('the end is shown', async () => (await position(page)) === positions[2]);
  await page.keyboard.press('ArrowLeft');
  await page.locator('[data-ply="3"]:focus').waitFor();
  await page.keyboard.press('ArrowLeft');
  await until('two plies earlier', async () => (await position(page)) === positions[1]);
  await button(page, 'Play on from here').click();
  await made(page, 2);
  assert.equal(await position(page), positions[1]);
  assert.match(await named(page, 'f2'), /can move/);
});

story('a reload keeps the game, and so does leaving the page', async (world) => {
  const page = await world.play('tic-tac-toe', { against: 'perfect', side: 'first' });
  await yourTurn(page);
  await square(page, 'b2').click();
  await made(page, 2);
  const [here, list] = [await position(page), await moves(page)];
  await page.reload();
  await made(page, 2);
  assert.equal(await position(page), here);
  assert.deepEqual(await moves(page), list);
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await made(page, 2);
  assert.equal(await position(page), here);
});

story('the page says if the opponent has no opinion', async (world) => {
  const page = await world.play('nim', { ...NIM, against: 'random' });
  await yourTurn(page);
  const opinion = page.getByRole('region', { name: 'The opponent’s opinion' });
  await reveal(page);
  await opinion.getByText('It has no opinion here.').waitFor();
  assert.equal(await opinion.getByRole('meter').count(), 0);
});

story('the opponent is changed during a game, and one that cannot play it is refused', async (world) => {
  const page = await world.play('nim', NIM);
  await yourTurn(page);
  await take(page, 1, 2).click();
  await made(page, 2);
  const here = await position(page);
  await reveal(page);
  await page.getByLabel('Opponent', { exact: true }).selectOption('random');
  await page.getByText('It has no opinion here.').waitFor();
  assert.equal(await position(page), here, 'the game goes on');
  await page.getByLabel('Opponent', { exact: true }).selectOption('other');
  const other = page.getByLabel('Player, as on the command line');
  await other.fill('champion:draughts');
  await other.press('Tab');
  // The server refuses twice: to continue the game, and to begin a new one.
  await world.refused(400, '/api/play/position');
  await world.refused(400, '/api/play/position');
  await page.getByRole('alert').waitFor();
  assert.match(await page.getByRole('alert').innerText(), /draughts/);
  assert.equal(await position(page), here);
});
