// Takes pictures of every page, light and dark, for the documentation: `SCREENSHOTS=$PWD/../../../docs/pages npm test`.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { overview, plot } from './runs.mjs';
import { button, reveal, yourTurn } from './play.mjs';
import { atRest, story, until } from './world.mjs';

const FOLDER = process.env.SCREENSHOTS;
const COLOURS = ['light', 'dark'];

const GAMES = {
  nim: { against: 'champion:nim', side: 'first', start: '9,6', moves: '1:1' },
  'tic-tac-toe': { side: 'first', moves: 'b2' },
  minichess: { side: 'first', moves: 'b1c3' },
  draughts: { side: 'second', start: 'B:W18,19,21,23,24,26,27,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12', moves: '' },
};

const LAB = `about = "Does the exponent matter?"
seeds = 6
baselines = ["nim-2x4-c1-exponent-1.0"]

[[configuration]]
experiment = "nim-2x4-c1"
set = { stop.generations = 300 }
grid = { strategy.enn.exponent = [1.0, 2.0, 4.0] }
`;

async function picture(page, name) {
  for (const colorScheme of COLOURS) {
    await page.emulateMedia({ colorScheme });
    await atRest(page);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`), animations: 'disabled' });
  }
}

async function photograph(world) {
  await mkdir(FOLDER, { recursive: true });
  const train = (experiment, generations, name, ...more) => world.gamete('train', experiment, '--generations', String(generations), '--name', name, ...more);
  await train('nim-2x4', 3000, 'first-steps');
  await train('tic-tac-toe', 15, 'noughts', '--set', 'record.final_games=0');
  await train('nim-2x4-neat', 120, 'species', '--set', 'stop.solved=false');
  await world.gamete('growth', 'species', '--games', '4', '--champions', '6');
  const long = world.spawn('train', 'nim-2x4', '--generations', '400', '--set', 'stop.solved=false', '--set', 'strategy.enn.population=5000', '--name', 'at-work');

  const runs = await world.open('/runs', { ready: 'li.card' });
  await runs.getByText(/left$/).waitFor();
  await picture(runs, 'runs');
  long.kill('SIGINT');
  await long.ended;

  const home = await world.open('/');
  await home.getByLabel('Live game', { exact: true }).selectOption({ label: 'Draughts: champions of two versions' });
  await home.locator('[data-live="draughts"]').waitFor();
  await until('some moves are made', async () => (await home.locator('[data-live]').getAttribute('data-plies')) > 10);
  await home.getByRole('button', { name: 'Pause' }).click();
  await home.evaluate(() => scrollTo(0, 0));
  await picture(home, 'home');

  const solved = await world.open('/runs/first-steps');
  await solved.getByRole('region', { name: 'Solved' }).waitFor();
  await until('its champion plays', async () => (await solved.locator('[data-live]').getAttribute('data-plies')) > 0);
  await solved.getByRole('button', { name: 'Pause' }).click();
  await solved.locator('.network canvas').first().waitFor();
  await solved.evaluate(() => scrollTo(0, 0));
  await picture(solved, 'run-solved');

  const presets = await world.open('/new');
  await presets.getByRole('button', { name: 'Start a minute of Nim' }).waitFor();
  await picture(presets, 'new-presets');

  const one = await world.open('/runs/species');
  await overview(one).waitFor();
  await plot(one, 'Elo, with 95 % intervals').locator('canvas').waitFor();
  await picture(one, 'run');
  await one.getByRole('heading', { name: 'Species', exact: true }).evaluate((heading) => heading.scrollIntoView({ block: 'center' }));
  await picture(one, 'run-species');

  const form = await world.open('/new?experiment=nim-2x4', { ready: 'textarea' });
  await form.getByLabel('population', { exact: true }).waitFor();
  await picture(form, 'new');

  const compare = await world.open(`/compare?${new URLSearchParams([['runs', 'first-steps,species'], ['game', 'nim'], ...['run:first-steps', 'run:species', 'mcts:50', 'random'].map((player) => ['player', player])])}`);
  await compare.getByRole('button', { name: 'Start round robin' }).click();
  await compare.getByText(/^finished/).first().waitFor();
  await compare.locator('canvas').waitFor();
  await compare.evaluate(() => scrollTo(0, 0));
  await picture(compare, 'compare');
  await compare.getByRole('heading', { name: 'Matches', exact: true }).evaluate((heading) => heading.scrollIntoView());
  await picture(compare, 'compare-crosstable');

  const watched = await world.open(`/compare?${new URLSearchParams([['game', 'minichess'], ['player', 'champion:minichess,level=club'], ['player', 'champion:minichess,level=beginner']])}`);
  await watched.getByLabel(/^Games/).fill('10');
  await watched.getByRole('button', { name: 'Start match' }).click();
  await watched.getByText(/^finished/).first().waitFor();
  await watched.getByText('Watch the games').click();
  await watched.getByRole('list', { name: 'Finished games' }).getByRole('button').first().click();
  const game = watched.getByRole('region', { name: 'Game 1 of the match' });
  await game.getByText('It would play').first().waitFor();
  for (let step = 0; step < 8; step++) await game.getByRole('button', { name: 'Forward' }).click();
  await until('all values are there', async () => (await game.getByRole('progressbar').count()) === 0);
  await watched.getByText('Watch the games').evaluate((summary) => summary.scrollIntoView({ block: 'start' }));
  await picture(watched, 'compare-game');

  const file = join(world.folder, 'exponents.toml');
  await writeFile(file, LAB);
  await world.gamete('lab', 'run', file);
  const lab = await world.open('/compare?lab=exponents');
  const curves = lab.getByRole('figure').filter({ hasText: "Grade of the champion's exam over generations" });
  await curves.locator('svg').waitFor();
  await curves.evaluate((figure) => figure.scrollIntoView({ block: 'start' }));
  await picture(lab, 'compare-lab');
  await lab.getByRole('heading', { name: /^Which won/ }).evaluate((heading) => heading.scrollIntoView({ block: 'start' }));
  await picture(lab, 'compare-lab-tables');

  const games = await world.open('/games?run=first-steps', { ready: '[data-board="nim"]' });
  await games.getByRole('heading', { name: 'Values', exact: true }).waitFor();
  await games.locator('[data-board]').evaluate((board) => board.scrollIntoView({ block: 'start' }));
  await picture(games, 'games');

  const exam = await world.open(`/exam?${new URLSearchParams({ player: 'run:species' })}`, { ready: '[data-board="nim"]' });
  await picture(exam, 'exam');

  const network = await world.open('/runs/species', { ready: '.network canvas' });
  await network.getByRole('heading', { name: 'Its network', exact: true }).evaluate((heading) => heading.scrollIntoView({ block: 'start' }));
  await picture(network, 'network');

  const tour = await world.open('/tour');
  await tour.getByRole('button', { name: 'Start the training' }).click();
  await tour.getByRole('link', { name: 'Next: Watch it learn' }).click();
  await tour.getByText(/^It reached 100 % in generation/).waitFor({ timeout: 120_000 });
  await picture(tour, 'first-visit');

  for (const [game, options] of Object.entries(GAMES)) {
    const page = await world.play(game, options, { reducedMotion: 'reduce' });
    await yourTurn(page);
    await reveal(page);
    await page.getByRole('heading', { name: /^Your moves/ }).waitFor();
    if (game !== 'tic-tac-toe') await button(page, 'Hint').click();
    if (game !== 'tic-tac-toe') await page.locator('.hint').waitFor();
    await picture(page, `play-${game}`);
  }
}

if (FOLDER) story('every page is photographed', photograph);
else test('every page is photographed', { skip: 'SCREENSHOTS names no folder' }, () => {});
