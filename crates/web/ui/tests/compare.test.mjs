// The page Compare: curves of several runs, labs and matches.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { picture } from './runs.mjs';
import { checkAddress, checkPage } from './checks.mjs';
import { story, until } from './world.mjs';

const train = (world, name, seed, generations, ...more) =>
  world.gamete('train', 'nim-2x4', '--seed', String(seed), '--generations', String(generations), '--set', 'stop.solved=false', '--set', 'strategy.enn.population=60', '--name', name, ...more);

/** The rows of a table by its caption, as texts. */
const cells = (page, caption) => page.getByRole('table', { name: caption }).locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim())));

const figure = (page, name) => page.getByRole('figure', { name, exact: true });

story('the curves of two runs are drawn in one plot', async (world) => {
  await train(world, 'one', 1, 30);
  await train(world, 'two', 2, 20);
  const page = await world.open('/compare');
  await page.getByRole('checkbox', { name: /^one / }).check();
  await page.getByRole('checkbox', { name: /^two / }).check();
  assert.equal(new URL(page.url()).searchParams.get('runs'), 'one,two');
  const grades = figure(page, 'Grade over generations');
  await grades.locator('canvas').waitFor();
  await until('both are there', async () => (await cells(page, 'Grade in numbers')).length === 2);
  const rows = await cells(page, 'Grade in numbers');
  assert.deepEqual(rows.map(([name, generations]) => [name, generations]), [['A one', '30'], ['B two', '20']]);
  for (const row of rows) assert.ok(row.slice(2, 5).every((grade) => /^\d+\.\d %$/.test(grade)), `grades in ${row}`);

  // One curve is hidden and shown by the keyboard.
  const whole = await picture(grades);
  const one = grades.getByRole('button', { name: /one/ });
  await one.focus();
  await page.keyboard.press('Enter');
  assert.equal(await one.getAttribute('aria-pressed'), 'false');
  await until('it is gone', async () => (await picture(grades)) !== whole);
  await page.keyboard.press('Enter');
  await until('it is back', async () => (await picture(grades)) === whole);

  await page.getByLabel('Measure').selectOption('Edges');
  await figure(page, 'Edges over generations').locator('canvas').waitFor();
  assert.match((await cells(page, 'Edges in numbers'))[0].at(-3), /^\d/);
  await page.reload();
  await figure(page, 'Grade over generations').locator('canvas').waitFor();
  assert.equal((await cells(page, 'Grade in numbers')).length, 2, 'the address keeps the choice');
});

story('the curves of a run grow while it is trained', async (world) => {
  await train(world, 'still', 1, 10);
  world.spawn('train', 'nim-2x4', '--generations', '1000000', '--set', 'stop.solved=false', '--name', 'growing');
  const page = await world.open('/compare?runs=still,growing');
  const length = async () => Number((await cells(page, 'Grade in numbers')).find(([name]) => name === 'B growing')?.[1].replace(/\D/g, '') ?? 0);
  await until('it has begun', async () => (await length()) > 1);
  const early = await length();
  await until('it has grown', async () => (await length()) > early);
  // Longer lists have a filter, and at most eight runs can be chosen.
  for (const number of [1, 2, 3, 4, 5, 6, 7]) await train(world, `more-${number}`, number, 3);
  await page.getByRole('searchbox', { name: 'Filter' }).fill('more');
  for (const number of [1, 2, 3, 4, 5, 6]) await page.getByRole('checkbox', { name: new RegExp(`^more-${number} `) }).check();
  await until('there is no room for another', () => page.getByRole('checkbox', { name: /^more-7 / }).isDisabled());
  await until('all eight are in the table', async () => (await cells(page, 'Grade in numbers')).length === 8);
  await checkPage(page, 'eight curves');
});

story('a match is started and cancelled', async (world) => {
  const page = await world.open('/compare');
  await page.getByText('No match has been played').waitFor();
  await page.getByLabel('Game', { exact: true }).selectOption('draughts');
  await page.getByLabel(/^Games/).fill('3');
  await page.getByText('Games must be an even number').waitFor();
  const start = page.getByRole('button', { name: 'Start match' });
  assert.ok(await start.isDisabled());
  await page.getByLabel(/^Games/).fill('2000');
  await page.getByRole('button', { name: 'Remove random' }).click();
  await page.getByLabel('Player', { exact: true }).selectOption('mcts');
  await page.getByLabel('Rounds').fill('200');
  await page.getByLabel('Rounds').press('Enter');
  await page.getByRole('button', { name: 'Add player' }).click();
  await start.click();
  await page.getByRole('heading', { name: /against Monte Carlo with 200 rounds$/ }).waitFor();
  const games = page.getByText(/^playing\s+Draughts, /);
  await games.waitFor();
  await until('some games are played', async () => !/ 0 of/.test(await games.innerText()));
  assert.ok(await page.getByRole('img', { name: /^the shipped champion of Draughts.* won \d+, \d+ drawn, Monte Carlo with 200 rounds won \d+$/ }).isVisible());
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText(/^cancelled\s+Draughts, /).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Cancel', exact: true }).count(), 0);
  const [known] = await page.evaluate(async () => (await fetch('/api/matches')).json());
  assert.equal(known.state, 'cancelled');
  assert.ok(known.done > 0 && known.done < 2000);
});

story('a match has the same result as on the command line', async (world) => {
  await train(world, 'mine', 1, 40);
  const page = await world.open(`/compare?${new URLSearchParams([['game', 'nim'], ['player', 'run:mine'], ['player', 'random']])}`);
  await page.getByLabel(/^Games/).fill('200');
  await page.getByRole('button', { name: 'Start match' }).click();
  await page.getByText(/^finished\s+Nim, 200 of 200 games/).waitFor();
  const same = JSON.parse(await world.gamete('match', 'run:mine', 'random', '--game', 'nim', '--games', '200', '--plies', '0', '--seed', '1', '--json'));
  await page.getByRole('img', { name: `the champion of mine won ${same.wins}, ${same.draws} drawn, chance won ${same.losses}` }).waitFor();
  assert.match(await page.getByText(/95 % interval/).first().innerText(), new RegExp(`^The champion of mine is ${Math.round(Math.abs(same.elo))} Elo points ${same.elo > 0 ? 'stronger' : 'weaker'}`));
  await page.getByText('This match on the command line').click();
  await page.getByText('gamete match run:mine random --game nim --games 200 --plies 0 --seed 1').waitFor();
  // A player that does not exist is refused before the match begins.
  await page.getByLabel('Player', { exact: true }).selectOption('other');
  await page.getByLabel('Player, as on the command line').fill('run:nobody');
  await page.getByLabel('Player, as on the command line').press('Enter');
  await page.getByRole('button', { name: 'Add player' }).click();
  await page.getByRole('button', { name: 'Start round robin' }).click();
  await world.refused(404, '/api/matches');
  await page.getByRole('alert').getByText(/There is no run `nobody`/).waitFor();
});

story('a round robin is shown as a crosstable', async (world) => {
  await train(world, 'mine', 1, 40);
  const players = ['run:mine@1', 'run:mine', 'random', 'mcts:50'];
  const page = await world.open(`/compare?${new URLSearchParams([['game', 'nim'], ...players.map((player) => ['player', player])])}`);
  await page.getByLabel(/^Games per pair/).fill('20');
  await page.getByText('6 matches, 120 games.').waitFor();
  await page.getByRole('button', { name: 'Start round robin' }).click();
  await page.getByText(/^finished\s+Nim, 120 of 120 games/).waitFor();
  const table = page.getByRole('table', { name: /^Crosstable/ });
  const names = await table.getByRole('rowheader').allInnerTexts();
  const words = ['Chance random', 'Monte Carlo with 50 rounds mcts:50', 'The champion of mine run:mine', 'The champion of mine, generation 1 run:mine@1'];
  assert.deepEqual(names.map((name) => name.replace(/\s+/g, ' ').replace(/^\d+ /, '').replace('\u200b', '')).sort(), words);
  assert.deepEqual((await table.getByRole('columnheader').allInnerTexts()).map((name) => name.trim()), ['Player', 'Points', 'Elo', '95 % interval', '1', '2', '3', '4']);
  const rows = await cells(page, /^Crosstable/);
  const points = rows.map((row) => Number(row[1].replace('½', '.5').split('\n')[0]));
  assert.equal(points.reduce((a, b) => a + b), 120);
  assert.deepEqual(points.toSorted((a, b) => b - a), points, 'the best is first');
  // The shares of two players against each other add up to 100 %.
  const share = (row, column) => Number(rows[row][column + 4].split(' ')[0]);
  for (const [row, column] of [[0, 1], [0, 3], [2, 3]]) assert.ok(Math.abs(share(row, column) + share(column, row) - 100) < 0.2);
  assert.equal(rows.filter((row) => row[2] === '0').length, 1, 'one player has Elo 0');
  const [seen, whole] = await page.getByRole('region', { name: /^Crosstable/ }).evaluate((region) => [region.clientWidth, region.scrollWidth]);
  assert.equal(whole, seen, 'a crosstable of four fits beside the form');
  await checkPage(page, 'a crosstable');

  await page.getByRole('button', { name: /^Remove mcts/ }).click();
  await page.getByRole('button', { name: /^Remove run:mine@1/ }).click();
  await page.getByRole('button', { name: 'Start match' }).click();
  await page.getByRole('heading', { name: 'The champion of mine against chance' }).waitFor();
  const past = page.getByRole('list', { name: 'Matches since Gamete was started' });
  assert.equal(await past.getByRole('listitem').count(), 2);
  await past.getByRole('button', { name: /^Round robin of 4/ }).click();
  await table.waitFor();
  await past.getByRole('button', { name: /^Forget match 1/ }).click();
  await table.waitFor({ state: 'detached' });
});

story('a wide crosstable shows the names of players while it is scrolled', async (world) => {
  const players = ['champion:nim', 'perfect', 'random', 'first', 'mcts:5', 'mcts:10', 'mcts:20', 'mcts:50'];
  const address = `/compare?${new URLSearchParams([['game', 'nim'], ...players.map((player) => ['player', player])])}`;
  for (const width of [1280, 360]) {
    const page = await world.open(address, { width });
    await page.getByLabel('Games per pair').fill('2');
    await page.getByRole('button', { name: 'Start round robin' }).click();
    await page.getByText(/^finished/).first().waitFor();
    const table = page.getByRole('region', { name: /^Crosstable/ });
    const [seen, whole] = await table.evaluate((table) => [table.clientWidth, table.scrollWidth]);
    if (width === 1280) assert.equal(whole, seen, 'the whole table is visible');
    await table.evaluate((table) => (table.scrollLeft = table.scrollWidth));
    const name = await table.getByRole('rowheader').first().boundingBox();
    const last = await table.getByRole('row').nth(1).getByRole('cell').last().boundingBox();
    const card = await table.boundingBox();
    assert.ok(name.x >= card.x && name.x + name.width < last.x && last.x + last.width <= card.x + card.width + 1, `${JSON.stringify({ name, last, card })}`);
    await checkPage(page, `a crosstable of eight at ${width}`);
  }
});

story('the page Compare passes the checks with no runs and with several', async (world) => {
  await checkAddress(world, '/compare', (page) => page.getByText('There are no runs to compare yet').waitFor());
  await train(world, 'a-run-with-a-name-that-is-rather-long-for-a-narrow-window', 1, 30);
  await train(world, 'b', 2, 30);
  await checkAddress(world, '/compare?runs=a-run-with-a-name-that-is-rather-long-for-a-narrow-window,b,gone', async (page) => {
    await figure(page, 'Grade over generations').locator('canvas').waitFor();
    await page.getByText('There is no run gone').waitFor();
    await page.getByRole('button', { name: 'Start match' }).click();
    await page.getByText(/^finished/).first().waitFor();
  });
});

const LAB = `
about = "Which exponent is best?"
seeds = 3
measures = ["grade"]
last = 5
baselines = ["nim-2x4-c1-exponent-1.0"]

[[configuration]]
experiment = "nim-2x4-c1"
set = { stop.generations = 40 }
grid = { strategy.enn.exponent = [1.0, 2.0] }
`;

story('a lab is shown with the figures and tables of its report', async (world) => {
  const file = join(world.folder, 'exponents.toml');
  await writeFile(file, LAB);
  await world.gamete('lab', 'run', file);
  const page = await world.open('/compare');
  await page.getByLabel('Lab', { exact: true }).selectOption('exponents');
  await page.getByText('Runs: 6 finished.').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('lab'), 'exponents');
  await page.getByRole('figure').filter({ hasText: "Grade of the champion's exam over generations" }).locator('svg').waitFor();
  // The same numbers as in the report.
  await world.gamete('lab', 'report', 'exponents');
  const written = await readFile(join(world.runs, 'exponents', 'report', 'tables', 'final.csv'), 'utf8');
  const [, first] = written.split('\n');
  const median = Number(first.split(',')[3]);
  const shown = await page.getByRole('region', { name: 'Final values' }).locator('tbody tr').first().locator('td').nth(2).innerText();
  assert.ok(Math.abs(Number(shown) - median) < 1e-4, `${shown} is ${median}`);
  await checkPage(page, 'a lab');
  // A lab with more seeds is loaded again.
  await writeFile(file, LAB.replace('seeds = 3', 'seeds = 4'));
  await world.gamete('lab', 'run', file);
  await page.reload();
  await page.getByText('Runs: 8 finished.').waitFor();
  // Another baseline gives another comparison of the same runs.
  const other = 'nim-2x4-c1-exponent-2.0';
  await page.getByRole('heading', { name: 'Compared with nim-2x4-c1-exponent-1.0' }).waitFor();
  await writeFile(file, LAB.replace('seeds = 3', 'seeds = 4').replace('exponent-1.0"]', 'exponent-2.0"]'));
  await world.gamete('lab', 'run', file);
  await page.reload();
  await page.getByRole('heading', { name: `Compared with ${other}` }).waitFor();
  await page.goto(new URL('/compare?lab=none', page.url()).href);
  await page.getByRole('alert').filter({ hasText: /no lab `none`/ }).waitFor();
  await world.refused(404, '/api/labs/none');
});

story('the page Runs lists labs with their kinds', async (world) => {
  const file = join(world.folder, 'exponents.toml');
  await writeFile(file, LAB);
  await world.gamete('lab', 'run', file);
  await world.gamete('train', 'nim-2x4', '--populations', '2', '--generations', '5', '--name', 'several');
  const page = await world.open('/runs');
  const labs = page.getByRole('region', { name: 'Labs' });
  await labs.getByText('6 of 6 runs done').waitFor();
  assert.match(await labs.getByRole('listitem').filter({ hasText: 'several' }).innerText(), /populations, 2 of 2 runs done/);
  await checkPage(page, 'runs with labs');
  await labs.getByRole('link', { name: 'exponents' }).click();
  await page.getByText('Runs: 6 finished.').waitFor();
  const choice = page.getByLabel('Lab', { exact: true });
  assert.deepEqual(await choice.locator('option').allInnerTexts(), ['None', 'exponents, 6 runs', 'several, populations, 2 runs']);
  await choice.selectOption('several');
  await page.getByText(/gamete train --populations/).waitFor();
});

story("a lab's figures and tables can be read in a narrow window", async (world) => {
  const file = join(world.folder, 'exponents.toml');
  await writeFile(file, LAB);
  await world.gamete('lab', 'run', file);
  const page = await world.open('/compare?lab=exponents', { width: 360 });
  const final = page.getByRole('region', { name: 'Final values' });
  await final.waitFor();
  // Letters are 15 high in a picture of 760, so a width of 560 makes them at least 11 pixels high. The region scrolls.
  const [wide, region] = await page.locator('.picture').first().evaluate((picture) => [picture.scrollWidth, picture.clientWidth]);
  assert.ok(wide >= 560 && region <= 360, `a picture of ${wide} in a region of ${region}`);
  assert.ok(await page.getByText('scroll sideways').first().isVisible());
  const first = await final.locator('tbody th').first().evaluate((head) => head.offsetWidth / head.closest('.scroll').clientWidth);
  assert.ok(first < 0.5, `the first column takes ${first} of the width`);
  // Column heads are aligned with their numbers, and numbers are written as in the report.
  const aligned = (selector) => final.locator(selector).evaluate((cell) => getComputedStyle(cell).textAlign);
  assert.deepEqual([await aligned('thead th:nth-child(4)'), await aligned('tbody tr:first-child td:nth-child(4)')], ['right', 'right']);
  const texts = await page.locator('.scroll td.number').allInnerTexts();
  assert.ok(texts.length > 20 && texts.every((text) => /^(–|−?\d[\d.]*(e[−+]\d+)?)$/.test(text)), texts.join(' '));
  await checkPage(page, 'a lab in a narrow window');
});

const watched = (page) => page.getByRole('region', { name: /^Game \d+ of the match$/ });

story('any finished game of a match is replayed move by move, with the value curve', async (world) => {
  await train(world, 'mine', 1, 40);
  const players = ['run:mine', 'random', 'mcts:50'];
  const page = await world.open(`/compare?${new URLSearchParams([['game', 'nim'], ...players.map((player) => ['player', player])])}`);
  await page.getByLabel(/^Games per pair/).fill('20');
  await page.getByRole('button', { name: 'Start round robin' }).click();
  await page.getByText(/^finished\s+Nim, 60 of 60 games/).waitFor();
  await page.getByText('Watch the games').click();
  const games = page.getByRole('list', { name: 'Finished games' }).getByRole('listitem');
  await until('all games of the first pair are listed', async () => (await games.count()) === 20);
  // The list agrees with the score, and the filter with the list.
  const [match] = await page.evaluate(async () => (await fetch('/api/matches')).json());
  await page.getByLabel('Result').selectOption({ label: 'the champion of mine won' });
  await until('only games that it won are listed', async () => (await games.count()) === match.pairs[0].wins);
  await page.getByLabel('Result').selectOption({ label: 'all' });
  await page.getByLabel('Players', { exact: true }).selectOption({ label: 'The champion of mine against Monte Carlo with 50 rounds' });
  await until('the games of another pair are listed', async () => (await games.count()) === 20 && /Monte Carlo|champion/.test(await games.first().innerText()));
  await games.nth(3).getByRole('button').click();
  const game = watched(page);
  await game.locator('[data-board="nim"]').waitFor();
  assert.equal(await game.getByRole('heading', { level: 3 }).first().innerText(), 'Game 4: Monte Carlo with 50 rounds against the champion of mine');
  const known = await page.evaluate(async (id) => (await fetch(`/api/matches/${id}/games/1/3`)).json(), match.id);
  await until('all positions have values', async () => Number(await game.locator('[data-known]').getAttribute('data-known')) === known.positions.length);
  await game.getByText(`Ply 0 of ${known.moves.length}.`).waitFor();
  for (const [place, move] of known.moves.entries()) {
    await game.getByRole('button', { name: 'Forward' }).click();
    await game.getByText(`Ply ${place + 1} of ${known.moves.length}.`).waitFor();
    assert.equal((await game.locator('[data-ply][aria-current]').innerText()).replace('??', ''), known.written[place], move);
  }
  assert.match(await game.locator('[data-status]').innerText(), known.outcome === 'first' ? /First has won/ : /Second has won/);
  await checkPage(page, 'a game of a match');
});

story('the game of a match that is being played can be watched', async (world) => {
  const page = await world.open(`/compare?${new URLSearchParams([['game', 'draughts'], ['player', 'mcts:2000'], ['player', 'mcts:1999']])}`, { width: 390 });
  await page.getByLabel(/^Games/).fill('2');
  await page.getByRole('button', { name: 'Start match' }).click();
  await page.getByText('Watch the games').click();
  await page.getByRole('button', { name: 'Watch the game that is being played' }).click();
  const game = watched(page);
  await game.locator('[data-board="draughts"]').waitFor();
  await game.getByText('The values of all positions appear when the game is over.').waitFor();
  const ply = async () => Number(/^Ply (\d+)/.exec(await game.getByText(/^Ply \d+ of/).innerText())[1]);
  const first = await ply();
  await until('the board shows a newer move', async () => (await ply()) > first);
  await checkPage(page, 'a game that is being played');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText(/^cancelled\s+Draughts, /).waitFor();
  await page.getByRole('button', { name: 'Watch the game that is being played' }).waitFor({ state: 'detached' });
});
