// A training from the form that starts it to its end.
import assert from 'node:assert/strict';
import { becomes, beyond, drawnTo, generation, item, overview, picture, plot, state } from './runs.mjs';
import { story, until } from './world.mjs';

/** Opens the form with an experiment. */
async function prepare(world) {
  const page = await world.open('/new?experiment=nim-2x4-direct');
  await page.getByRole('radio', { name: /^nim-2x4 / }).check();
  const text = page.getByLabel('The experiment as text (TOML)');
  await until('the text is there', async () => /The default experiment/.test(await text.inputValue()));
  return { page, text, field: (name) => page.getByLabel(name, { exact: true }), start: page.getByRole('button', { name: 'Start', exact: true }) };
}

story('form and text follow each other, and mistakes are shown', async (world) => {
  const { page, text, field, start } = await prepare(world);
  assert.equal(new URL(page.url()).searchParams.get('experiment'), 'nim-2x4');
  await field('population').fill('321');
  await field('population').press('Enter');
  await until('the text follows the form', async () => /^population = 321$/m.test(await text.inputValue()));
  assert.match(await text.inputValue(), /# from each start or resumption/, 'comments stay');

  await text.fill((await text.inputValue()).replace(/^generations = \d+/m, 'generations = 77'));
  await until('the form follows the text', async () => (await field('generations').inputValue()) === '77');
  assert.equal(await field('population').inputValue(), '321');

  const good = await text.inputValue();
  await text.fill(good.replace('population = 321', 'population = 1'));
  await world.refused(400, '/api/experiments/check');
  const sentence = page.locator('#main .error');
  await sentence.waitFor();
  assert.match(await sentence.innerText(), /population/);
  assert.ok(await start.isDisabled());
  await text.fill(good);
  await sentence.waitFor({ state: 'detached' });
  await until('it can be started', () => start.isEnabled());

  // A text that is not a number is not sent.
  await field('population').fill('many');
  await page.getByText(/^Enter a number/).waitFor();
  assert.ok(await start.isDisabled());
  await page.getByRole('button', { name: 'Reset' }).click();
  await until('everything is as it was', async () => (await field('population').inputValue()) === '500');
  assert.match(await text.inputValue(), /^population = 500$/m);
});

story('a training is started, paused, resumed and finished', async (world) => {
  const { page, text, field, start } = await prepare(world);
  const GENERATIONS = 150;
  // Large enough to be paused before its end, even on fast machines.
  await field('population').fill('5000');
  await field('population').press('Enter');
  await until('the text has it', async () => /^population = 5000$/m.test(await text.inputValue()));
  await text.fill((await text.inputValue()).replace(/^generations = \d+/m, `generations = ${GENERATIONS}`).replace(/^solved = true/m, 'solved = false'));
  await until('the form has it', async () => (await field('generations').inputValue()) === String(GENERATIONS));
  await field('Name of the run').fill('mine');
  await start.click();

  await page.waitForURL('**/runs/mine');
  const run = overview(page);
  await becomes(run, /^training$/);
  const early = await beyond(run, 2);
  const score = plot(page, 'Score');
  await score.locator('canvas').waitFor();
  const [shown, before] = [await drawnTo(score), await picture(score)];
  await beyond(run, early);
  await until('the curve grows', async () => (await drawnTo(score)) > shown);
  await until('the plot is drawn again', async () => (await picture(score)) !== before);

  await page.getByRole('button', { name: 'Pause mine' }).click();
  await becomes(run, /^paused$/);
  const paused = await generation(run);
  assert.ok(paused < GENERATIONS, 'it was on its way');
  const [listed] = (await world.gamete('runs', '--json')).trim().split('\n').map(JSON.parse);
  assert.equal(listed.generation, paused, 'another process sees the same');
  await until('the curve ends there', async () => (await drawnTo(score)) === paused);

  await page.getByRole('button', { name: 'Resume mine' }).click();
  await becomes(run, /^training$/);
  await beyond(run, paused);
  // The training itself takes long on a busy machine.
  await becomes(run, /^finished$/, 120_000);
  assert.equal(await generation(run), GENERATIONS);
  await until('the curve is whole', async () => (await drawnTo(score)) === GENERATIONS);
  const { generations } = JSON.parse(await world.gamete('show', 'mine', '--json'));
  assert.equal(generations.length, GENERATIONS);
  assert.ok((await run.innerText()).includes(generations.at(-1).signature), 'the page shows the signature of the file');
  const champions = page.getByRole('region', { name: 'Champions' });
  await until('its last champion is shown', async () => (await champions.locator('dd').first().innerText()) === String(GENERATIONS));
  await champions.getByRole('link', { name: 'Play against it' }).click();
  await page.locator('[data-board="nim"]').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('against'), `run:mine@${GENERATIONS}`);
});

story('a finished run is continued, stopped, and deleted after a question', async (world) => {
  await world.gamete('train', 'nim-2x4', '--generations', '5', '--set', 'stop.solved=false', '--name', 'mine');
  await world.gamete('train', 'nim-2x4', '--generations', '5', '--name', 'other');
  const page = await world.open('/runs');
  const mine = item(page, 'mine');
  await mine.waitFor();
  assert.equal(await state(mine), 'finished');

  await page.getByRole('button', { name: 'Continue mine…' }).click();
  const far = page.getByRole('dialog').getByLabel('Generations in total');
  await far.fill('5');
  assert.ok(await page.getByRole('button', { name: 'Continue', exact: true }).isDisabled(), 'the run has as many generations already');
  await far.fill('1000000');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await becomes(mine, /^training$/);
  await beyond(mine, 10);
  await page.getByRole('button', { name: 'Stop mine' }).click();
  await becomes(mine, /^paused, nothing lost$/);

  const question = page.getByRole('dialog', { name: 'Delete mine?' });
  await page.getByRole('button', { name: 'Delete mine…' }).click();
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Delete mine…' }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'hidden' });
  assert.ok(await mine.isVisible(), 'nothing happened yet');
  await page.getByRole('button', { name: 'Delete mine…' }).click();
  await question.getByRole('button', { name: 'Delete mine' }).click();
  await mine.waitFor({ state: 'detached' });
  assert.ok(await item(page, 'other').isVisible());
  const left = (await world.gamete('runs', '--json')).trim().split('\n').map((line) => JSON.parse(line).run);
  assert.deepEqual(left, ['other']);
});

story('Elo is measured from the page', async (world) => {
  await world.gamete('train', 'nim-2x4', '--generations', '20', '--name', 'mine');
  const page = await world.open('/runs/mine');
  await page.getByRole('spinbutton', { name: /^Games per pair/ }).fill('4');
  await page.getByRole('spinbutton', { name: /^Champions/ }).fill('3');
  await page.getByRole('button', { name: 'Measure Elo' }).click();
  const elo = plot(page, 'Elo, with 95 % intervals');
  await elo.locator('canvas').waitFor();
  await page.getByText('Elo as a table, and a new measurement').click();
  assert.deepEqual(await page.getByRole('rowheader', { name: /^generation \d+$/ }).allInnerTexts(), ['generation 1', 'generation 10', 'generation 20']);
});
