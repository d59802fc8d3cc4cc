// Minichess in the browser: promotion, the capture of a king, and the opponent's opinion.
import assert from 'node:assert/strict';
import { made, moves, named, position, reveal, says, square, yourTurn } from './play.mjs';
import { story, until } from './world.mjs';

story('a pawn becomes a rook', async (world) => {
  const page = await world.play('minichess', { against: 'random', side: 'first', start: '3k2/P5/6/6/6/4K1 w' });
  await yourTurn(page);
  assert.equal(await named(page, 'a5'), 'a5, white pawn, can move');
  await square(page, 'a5').click();
  await square(page, 'a6').click();
  await made(page, 2);
  assert.equal((await moves(page))[0], 'a6=R');
  assert.match(await named(page, 'a6'), /^a6, white rook/);
  assert.equal(await named(page, 'a5'), 'a5, empty');
  assert.match(await position(page), /^R/);
});

story('the capture of a king wins the game', async (world) => {
  const page = await world.play('minichess', { against: 'random', side: 'first', start: '3k2/6/6/6/6/3RK1 w' });
  await yourTurn(page);
  await square(page, 'd1').click();
  await square(page, 'd6').click();
  await says(page, /^You have won\. .*king/);
});

story('the opponent’s opinion has a value, a best line, and a value for each move', async (world) => {
  const page = await world.play('minichess', { against: 'champion:minichess,depth=4', side: 'first' });
  await yourTurn(page);
  const opinion = page.getByRole('region', { name: 'The opponent’s opinion' });
  await reveal(page);
  await opinion.getByText(/^Best line: \S+/).waitFor();
  const value = Number(await opinion.getByRole('meter').getAttribute('aria-valuenow'));
  assert.ok(value >= -1 && value <= 1, `${value} is a value`);
  assert.match(await opinion.innerText(), /It (thinks|sees) that/);
  const all = opinion.getByRole('button', { name: /^All \d+$/ });
  const count = Number((await all.innerText()).split(' ')[1]);
  await all.click();
  const listed = await opinion.locator('li [data-move]').evaluateAll((buttons) => buttons.map((button) => button.dataset.move));
  const legal = JSON.parse(await world.gamete('moves', 'minichess', '--json')).moves;
  assert.equal(count, legal.length);
  assert.deepEqual([...listed].sort(), [...legal].sort(), 'every legal move has a value');
  for (const number of await opinion.locator('li .number').allInnerTexts()) assert.match(number, /^([+−]?\d\.\d\d|win \d+|loss \d+)$/);

  // The board shows the move under the pointer, and can show values, too.
  await opinion.locator('li button').first().hover();
  await page.locator('[data-board] .head').waitFor();
  await page.mouse.move(0, 0);
  await page.locator('[data-board] .head').waitFor({ state: 'detached' });
  await opinion.getByLabel('On the board').check();
  await square(page, 'b1').click();
  await page.locator('[data-board] .value').first().waitFor();
  await opinion.getByRole('button', { name: 'Hide' }).click();
  await until('nothing of it is left', async () => (await opinion.getByRole('meter').count()) === 0);
});
