// A double jump in draughts by clicks, keyboard and dragging; and an ordinary move by dragging.
import assert from 'node:assert/strict';
import { made, moves, named, position, square, yourTurn } from './play.mjs';
import { story, until } from './world.mjs';

const WHITE = { against: 'random', side: 'second', start: 'W:W22,32:B1,11,18' };

/** Opens a game in which the visitor has to jump twice. */
async function toJump(world, options = WHITE) {
  const page = await world.play('draughts', options);
  await yourTurn(page);
  return page;
}

/** The first move in the address, with its whole path. */
const first = (page) => new URL(page.url()).searchParams.get('moves').split(' ')[0];

/** Checks that the jump was made as one move and captured both men. */
async function jumped(page) {
  await made(page, 2);
  assert.equal(first(page), '22x15x8');
  assert.equal((await moves(page))[0], '22x8');
  assert.equal(await named(page, '8'), '8, white man, can move');
  for (const taken of ['11', '18']) assert.doesNotMatch(await named(page, taken), /black man/);
  assert.match(await position(page), /^W:W8,32:B/);
}

story('a double jump by clicking every square of it', async (world) => {
  const page = await toJump(world);
  assert.equal(await named(page, '32'), '32, white man', 'a capture is forced, so this one cannot move');
  await square(page, '22').click();
  await until('the next square can be reached', async () => /can be reached/.test(await named(page, '15')));
  await square(page, '15').click();
  await until('half of the way is gone', async () => /picked up/.test(await named(page, '15')));
  assert.deepEqual(await moves(page), [], 'nothing is moved half-way');
  await square(page, '8').click();
  await jumped(page);
});

story('a double jump by clicking only its end', async (world) => {
  const page = await toJump(world);
  await square(page, '22').click();
  await square(page, '8').click();
  await jumped(page);
});

story('a double jump by keyboard alone', async (world) => {
  const page = await toJump(world);
  const here = () => page.evaluate(() => document.activeElement.dataset.square);
  await until('Tab leads to the board', async () => (await page.keyboard.press('Tab'), (await here()) !== undefined));
  assert.equal(await here(), '22', 'the cursor begins where something can move');
  const go = async (keys, to) => {
    for (const key of keys) await page.keyboard.press(`Arrow${key}`);
    assert.equal(await here(), to);
    await page.keyboard.press('Enter');
  };
  await go([], '22');
  await go(['Up', 'Up', 'Right'], '15');
  // Escape goes one step back, and the step is made again.
  await until('half of the way is gone', async () => /picked up/.test(await named(page, '15')));
  await page.keyboard.press('Escape');
  await until('it is back', async () => /picked up/.test(await named(page, '22')));
  await go([], '15');
  await go(['Up', 'Up', 'Right'], '8');
  await jumped(page);
});

story('a double jump by dragging from square to square, as Black on a turned board', async (world) => {
  const page = await toJump(world, { against: 'random', side: 'first', start: 'B:W15,22,32:B1,11' });
  const top = async (name) => (await square(page, name).boundingBox()).y;
  assert.ok((await top('11')) > (await top('22')), 'the visitor’s side is at the bottom');
  await square(page, '11').dragTo(square(page, '18'));
  await square(page, '18').dragTo(square(page, '25'));
  await made(page, 2);
  assert.equal(first(page), '11x18x25');
});

story('an ordinary move by dragging; a piece dropped on a wrong square goes back', async (world) => {
  const page = await world.play('draughts', { against: 'random', side: 'first' });
  await yourTurn(page);
  const before = await position(page);
  await square(page, '9').dragTo(square(page, '20'));
  assert.equal(await named(page, '9'), '9, black man, can move');
  assert.equal(await position(page), before);
  await square(page, '9').dragTo(square(page, '14'));
  await made(page, 2);
  assert.equal((await moves(page))[0], '9-14');
  assert.match(await named(page, '14'), /black man/);
});
