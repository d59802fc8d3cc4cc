// New trainings from presets, and the search fields of the advanced form.
import assert from 'node:assert/strict';
import { checkPage, WIDTHS } from './checks.mjs';
import { beyond, overview } from './runs.mjs';
import { story, until } from './world.mjs';

story('each game has three presets with a time, and one click starts one', async (world) => {
  const page = await world.open('/new');
  for (const game of ['Nim', 'Tic-tac-toe', '6×6 chess', 'Draughts']) {
    await page.getByRole('group', { name: 'Game', exact: true }).getByRole('button', { name: game, exact: true }).click();
    for (const length of ['a minute', 'a coffee', 'a night']) await page.getByRole('button', { name: `Start ${length} of ${game}` }).waitFor();
    await until('each has a time', async () => (await page.getByText(/^Time: .+ on \d+ cores? \(.+ of processor time\)\.$/).count()) === 3);
  }
  await page.getByText(/^The times are estimates for this machine\. A short measurement found that one of its cores is \d+(\.\d)? times as fast/).waitFor();
  await page.getByRole('button', { name: 'Start a minute of Draughts' }).click();
  await page.waitForURL('**/runs/draughts-1');
  const run = overview(page);
  await run.getByText(/of 15$/).waitFor();
  await beyond(run, 0);
});

story('the advanced form finds experiments and parameters', async (world) => {
  for (const width of WIDTHS) {
    const page = await world.open('/new', { width });
    await page.getByRole('button', { name: 'Change it first: nim-2x4' }).click();
    // Long comments are wrapped, and each line has its number beside it.
    const text = page.getByRole('textbox', { name: /as text/ });
    await until('the text is there', async () => (await text.inputValue()) !== '');
    const [hidden, numbers, lines] = await text.evaluate((area) => {
      const odd = [...area.previousElementSibling.children].filter((_, place) => place % 2 === 0);
      return [area.scrollHeight - area.clientHeight + area.scrollWidth - area.clientWidth, odd.length, area.value.split('\n').length];
    });
    assert.deepEqual([hidden, numbers], [0, lines], `the whole text is visible at ${width}`);
    await page.getByLabel('Find an experiment').fill('neat');
    await until('only experiments with these words are listed', async () => (await page.getByRole('radio').count()) === 2);
    await page.getByLabel('Find a parameter').fill('number of networks');
    await page.getByLabel('population', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('generations', { exact: true }).count(), 0);
    await page.getByLabel('Find a parameter').fill('');
    await checkPage(page, `the advanced form at ${width}`);
  }
});
