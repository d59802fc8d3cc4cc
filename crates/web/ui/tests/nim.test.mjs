// Whole games of Nim, by clicks on matches. The side that takes the last match loses.
import assert from 'node:assert/strict';
import { button, moves, position, says, status, take, yourTurn } from './play.mjs';
import { story } from './world.mjs';

story('a game is won by following the hints', async (world) => {
  const page = await world.play('nim', { against: 'champion:nim', side: 'first', start: '7,4' });
  let turns = 0;
  while (await yourTurn(page)) {
    await button(page, 'Hint').click();
    await page.locator('.hint').waitFor();
    const words = await page.locator('.hint').innerText();
    assert.match(words, /^Hint: \d:\d wins/, 'after every hint the position is still won');
    // The hint marks the matches to take; pressing the lowest of them takes them all.
    const marked = page.locator('.marked:not([inert])');
    const wanted = await marked.last().getAttribute('data-take');
    assert.ok(words.includes(`${wanted} wins`), `${words}, but ${wanted} is marked`);
    assert.equal(await marked.count(), Number(wanted.split(':')[1]));
    await marked.last().click();
    turns += 1;
    await page.locator(`[data-ply="${2 * turns - 1}"]`).waitFor();
  }
  assert.match(await status(page).innerText(), /^You have won\./);
  assert.match(await position(page), /^0,0\b/);
  const list = await moves(page);
  const taken = list.map((move) => Number(move.split(':')[1])).reduce((a, b) => a + b);
  assert.equal(taken, 11, 'every match was taken by a move in the list');
  assert.equal(list.length, 2 * turns, 'the opponent took the last match');
});

story('a game is lost from a lost position', async (world) => {
  const page = await world.play('nim', { against: 'perfect', side: 'first', start: '2,2' });
  let turns = 0;
  while (await yourTurn(page)) {
    await page.locator('[data-take$=":1"]:not([inert])').first().click();
    turns += 1;
    await page.locator(`[data-ply="${2 * turns - 1}"]`).waitFor();
  }
  assert.match(await status(page).innerText(), /^You have lost\./);
  assert.match(await position(page), /^0,0\b/);
  assert.equal((await moves(page)).length, 2 * turns - 1, 'the person took the last match');
  await button(page, 'Play again').click();
  await says(page, /^Your turn/);
  assert.deepEqual(await moves(page), []);
  assert.match(await position(page), /^2,2\b/);
});

story('matches are taken by keyboard, and high stacks by number', async (world) => {
  const page = await world.play('nim', { against: 'perfect', side: 'first', start: '3,2' });
  await yourTurn(page);
  await take(page, 1, 1).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.take), '2:2');
  await page.keyboard.press('Enter');
  await page.locator('[data-ply="1"]').waitFor();
  assert.equal((await moves(page))[0], '2:2');

  const high = await world.play('nim', { against: 'perfect', side: 'first', start: '500,400' });
  await yourTurn(high);
  await high.getByLabel('Matches to take from stack 1').fill('100');
  await button(high, 'Take').first().click();
  await high.locator('[data-ply="1"]').waitFor();
  assert.equal((await moves(high))[0], '1:100');
});
