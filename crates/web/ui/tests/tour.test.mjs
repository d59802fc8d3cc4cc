// The page First visit, from an empty folder to the last step.
import assert from 'node:assert/strict';
import { checkAddress, checkPage } from './checks.mjs';
import { take, yourTurn } from './play.mjs';
import { story, until } from './world.mjs';

const heading = (page, name) => page.getByRole('heading', { name, level: 2 });

story('the first visit leads from an empty folder through all steps', async (world) => {
  const page = await world.open('/');
  await page.getByRole('link', { name: 'Show me, step by step' }).click();

  // 1. Train.
  await heading(page, /^Step 1 of 5/).waitFor();
  assert.equal(await page.getByRole('link', { name: /^Next/ }).count(), 0, 'the next step needs a run');
  await page.getByRole('button', { name: 'Start the training' }).click();
  await page.getByText(/^nim-2x4-1: generation/).waitFor();
  await page.getByRole('link', { name: 'Next: Watch it learn' }).click();

  // 2. Watch.
  await heading(page, /^Step 2 of 5/).waitFor();
  await until('the new step has the focus', () => page.evaluate(() => document.activeElement?.id === 'step'));
  await page.getByRole('figure', { name: 'Grade', exact: true }).locator('canvas').waitFor();
  await until('it is solved', () => page.getByText(/^It reached 100 % in generation/).isVisible(), 120_000);
  await checkPage(page, 'the curve of the first visit');
  await page.getByRole('link', { name: 'The page of this run' }).click();
  await page.getByRole('heading', { name: 'nim-2x4-1', level: 1 }).waitFor();
  await page.getByRole('link', { name: /Back to the first visit/ }).click();
  await heading(page, /^Step 2 of 5/).waitFor();
  await page.getByRole('link', { name: 'Next: Play against it' }).click();

  // 3. Play.
  await page.getByRole('link', { name: 'Play against it', exact: true }).click();
  await page.locator('[data-board="nim"]').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('against'), 'run:nim-2x4-1');
  await yourTurn(page);
  await take(page, 1, 1).click();
  const bar = page.getByRole('navigation', { name: 'First visit' });
  await bar.getByText('step 3 of 5').waitFor();
  await checkPage(page, 'a game with the way back');
  // The address has the move once it was made.
  await until('it is made', () => new URL(page.url()).searchParams.get('moves') !== null);
  await bar.getByRole('link').click();
  await page.getByText(/^You have played/).waitFor();
  await page.getByRole('link', { name: 'Next: Ask it why' }).click();

  // 4. Ask.
  await page.getByText('They agree: the champion learnt this by playing.').waitFor();
  assert.match(await page.getByRole('table').getByRole('rowheader').first().innerText(), /^1 from stack 2$/);
  await checkPage(page, 'what it thinks');
  await page.getByRole('link', { name: 'Next: Something harder' }).click();

  // 5. Go on.
  await page.getByRole('button', { name: 'Start a training of 6×6 chess' }).click();
  await page.getByText(/^minichess-1: generation/).waitFor();
  await checkPage(page, 'the last step');
  await page.getByRole('link', { name: 'Let your champion play against others' }).click();
  await page.getByRole('button', { name: 'Remove run:nim-2x4-1' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Remove / }).count(), 3);
  await bar.getByRole('link').click();
  await page.getByRole('link', { name: 'Compare runs' }).click();
  await page.getByRole('checkbox', { name: /^nim-2x4-1 / }).waitFor();
  assert.ok(await page.getByRole('checkbox', { name: /^minichess-1 / }).isChecked());
  await bar.getByRole('link').click();
  await page.getByRole('button', { name: 'End the first visit' }).click();
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  assert.equal(await bar.count(), 0);
  await page.reload();
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  assert.equal(await bar.count(), 0, 'it stays ended');
});

story('steps can be reached by address, and survive a reload', async (world) => {
  await checkAddress(world, '/tour', (page) => heading(page, /^Step 1 of 5/).waitFor());
  await checkAddress(world, '/tour?step=3', (page) => page.getByRole('link', { name: 'To the first step' }).waitFor());
  await checkAddress(world, '/tour?step=99', (page) => heading(page, /^Step 1 of 5/).waitFor());
  const page = await world.open('/tour?step=5');
  await page.getByText('What to do next').waitFor();
  await page.goto(`${world.origin}/play?game=tic-tac-toe`);
  const bar = page.getByRole('navigation', { name: 'First visit' });
  await bar.getByText('step 5 of 5').waitFor();
  await page.reload();
  await bar.getByRole('button', { name: 'End the first visit' }).click();
  assert.equal(await bar.count(), 0);
});
