// Playing for people: rules, the hidden opinion, attacked kings, endings, captured pieces, resigning, review, levels.
import assert from 'node:assert/strict';
import { checkPage, WIDTHS } from './checks.mjs';
import { button, made, named, reveal, says, square, yourTurn } from './play.mjs';
import { story, until } from './world.mjs';

const opinion = (page) => page.getByRole('region', { name: 'The opponent’s opinion' });

story('games are chosen above the board, and their rules are shown in words and boards', async (world) => {
  for (const width of WIDTHS) {
    const page = await world.play('nim', { side: 'first' }, { width });
    await yourTurn(page);
    await page.getByText('The side that takes the very last match loses.').waitFor();
    for (const [link, line] of [['6×6 chess', 'Capture the king to win.'], ['Draughts', 'Captures are forced.'], ['Tic-tac-toe', 'Three in a row']]) {
      await page.getByRole('navigation', { name: 'Choose a game' }).getByRole('link', { name: link }).click();
      await page.locator('p', { hasText: line }).first().waitFor();
      await yourTurn(page);
      await page.getByText('All rules').click();
      await page.locator('.rules [data-board]').first().waitFor();
      await checkPage(page, `the rules of ${link} at ${width}`);
      await page.getByText('All rules').click();
    }
    await page.context().close();
  }
});

story('the opinion is hidden until the visitor asks for it or the game is over', async (world) => {
  const page = await world.play('tic-tac-toe', { side: 'first' });
  await yourTurn(page);
  await opinion(page).getByText('It is hidden').waitFor();
  const asked = [];
  page.on('request', (request) => request.url().endsWith('/api/play/view') && asked.push(request.url()));
  await square(page, 'b2').click();
  await made(page, 2);
  assert.deepEqual(asked, [], 'nobody asks for what is hidden');
  await reveal(page);
  await opinion(page).getByRole('heading', { name: /^Your moves/ }).waitFor();
  await opinion(page).getByRole('button', { name: 'Hide' }).click();
  await button(page, 'Resign').click();
  await says(page, /^You have resigned/);
  await page.locator('[data-ply="0"]').click();
  await opinion(page).getByRole('heading', { name: /^Your moves/ }).waitFor();
  await button(page, 'Rematch with sides swapped').click();
  await made(page, 1);
  await opinion(page).getByText('It is hidden').waitFor();
});

story('all numbers of the opinion are for the visitor', async (world) => {
  const page = await world.play('draughts', { side: 'first', against: 'champion:draughts,depth=2' });
  await yourTurn(page);
  await reveal(page);
  await opinion(page).getByRole('meter').waitFor();
  const value = Number(await opinion(page).getByRole('meter').getAttribute('aria-valuenow'));
  const [words] = /[+−]?\d\.\d\d for you/.exec(await opinion(page).innerText());
  const said = Number(words.replace('−', '-').replace(' for you', ''));
  assert.ok(Math.abs(said - value) < 0.006, `${words} for a value of ${value}`);
});

story('an attacked king is marked, and a captured one is shown', async (world) => {
  const page = await world.play('minichess', { against: 'random', side: 'first', start: '5k/6/6/6/6/K4R w' });
  await yourTurn(page);
  assert.match(await named(page, 'f6'), /black king, attacked/);
  assert.equal(await page.locator('[data-board] .threatened').count(), 1);
  await square(page, 'f1').click();
  await square(page, 'f6').click();
  await says(page, /^You have won/);
  await page.locator('[data-board] .fallen').waitFor();
  await page.getByText('Black lost').waitFor();
  assert.equal(await button(page, 'New game').count(), 0, 'there is one way to play again');
  await checkPage(page, 'a captured king');
  await button(page, 'Review').click();
  await until('the game is on the page Games', () => new URL(page.url()).pathname === '/games');
  await page.locator('[data-board="minichess"]').waitFor();
  await page.getByRole('heading', { name: 'Values', exact: true }).waitFor();
});

story('a line through three signs ends tic-tac-toe', async (world) => {
  const page = await world.play('tic-tac-toe', { against: 'random', side: 'first', start: 'xx./oo./...' });
  await yourTurn(page);
  await square(page, 'c3').click();
  await says(page, /^You have won/);
  await page.locator('[data-board] polyline.line').waitFor({ state: 'attached' });
});

story('levels have human names, and sounds are off until they are wanted', async (world) => {
  const page = await world.play('minichess', { side: 'first' });
  await yourTurn(page);
  const levels = await page.getByLabel('Level', { exact: true }).locator('option').allInnerTexts();
  assert.deepEqual(levels.slice(0, 4), ['beginner', 'club', 'strong', 'as bred']);
  await page.getByLabel('Level', { exact: true }).selectOption('beginner');
  await until('the address has the level', () => /level=beginner/.test(new URL(page.url()).searchParams.get('against') ?? ''));
  await page.getByLabel('Level', { exact: true }).selectOption('as-bred');
  await until('the address says so', () => new URL(page.url()).searchParams.get('against') === 'champion:minichess,as-bred');
  await page.getByText('Against the shipped champion of 6×6 chess (as bred)').waitFor();
  await page.getByLabel('Your move').fill('b2b3');
  await button(page, 'Play').click();
  await made(page, 2);
  // A champion that looks no further than it was bred has one level.
  await page.getByRole('navigation', { name: 'Choose a game' }).getByRole('link', { name: 'Nim' }).click();
  await until('the champion of Nim plays as it was bred', async () => (await page.getByLabel('Level', { exact: true }).locator('option').allInnerTexts())[0] === 'as bred');
  const sounds = button(page, 'Sounds');
  assert.equal(await sounds.getAttribute('aria-pressed'), 'false');
  await sounds.click();
  assert.equal(await sounds.getAttribute('aria-pressed'), 'true');
});
