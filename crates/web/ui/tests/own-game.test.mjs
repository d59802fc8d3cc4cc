// A game from outside Gamete in the browser: Connect Four of examples/own-game, which has only a text board.
import assert from 'node:assert/strict';
import { made, moves, position, yourTurn } from './play.mjs';
import { story } from './world.mjs';

const OWN_GAME = process.env.OWN_GAME;
const skip = OWN_GAME ? false : 'OWN_GAME is not set: build examples/own-game, and give the path of its program';

story(
  'a game from outside is chosen, and the opponent answers moves',
  async (world) => {
    const page = await world.open('/play', { ready: '[data-status]' });
    await page.getByLabel('Game', { exact: true }).selectOption('connect-four');
    await page.locator('[data-board="connect-four"]').waitFor();
    await page.getByLabel('You play').selectOption('first');
    await page.getByLabel('Opponent', { exact: true }).selectOption('random');
    assert.ok(await yourTurn(page));
    const board = page.locator('[data-board="connect-four"]');
    assert.deepEqual(await board.getByRole('button').allInnerTexts(), ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    const start = await position(page);
    await board.getByRole('button', { name: 'd', exact: true }).click();
    await made(page, 2);
    const [own, answer] = await moves(page);
    assert.equal(own, 'd');
    assert.match(answer, /^[a-g]$/);
    assert.notEqual(await position(page), start);
  },
  { program: OWN_GAME, skip },
);
