// The main paths in Chromium and in Firefox: the front page, breeding, playing, games and the exam. Then ten pages, each in one
// width and in light or dark colours; with EVERY_PAGE=1 in three widths and both colours (about five minutes).
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { DRIVERS } from './driver.mjs';
import { until, World } from './world.mjs';

const VIEWS = [390, 1024, 1440].flatMap((width) => [false, true].map((dark) => ({ width, dark })));
const PATHS = ['/', '/runs', '/runs/nim-2x4-1', '/new', '/play?game=minichess&seed=1', '/games?run=nim-2x4-1', '/exam?player=run:nim-2x4-1@1', '/compare', '/tour', '/glossary'];

/** A newcomer's way: the front page, breeding, the solved run, a game against it, its games, its exam. */
async function mainPath(page) {
  await page.sees('h1', 'Gamete breeds neural networks that teach themselves board games from nothing but the rules and who won.');
  await until('the live game goes on', () => page.evaluate("Number(document.querySelector('[data-live]')?.dataset.plies ?? 0) > 0"));
  await page.click('button', 'Breed a Nim player now');
  await until('the page of the run', async () => (await page.path()) === '/runs/nim-2x4-1');
  await until('it is solved', () => page.evaluate("document.querySelector('#solved') !== null"), 120_000);
  await page.sees('figure canvas, .canvas canvas');
  await page.click('a', 'Play it');
  await page.sees('[data-board="nim"]');
  await page.says(/Your turn: you are First/);
  await page.click('[data-take]');
  await until('the champion has answered', () => page.evaluate("document.querySelectorAll('[data-ply]').length >= 3 || /You have/.test(document.querySelector('[data-status]').textContent)"));
  await page.click('nav a', 'Games');
  await page.sees('h1', 'Games');
  await page.click('nav a', 'Exam');
  await page.sees('h1', 'Exam');
  await page.click('nav a', 'Compare');
  await page.sees('h2', 'Matches');
}

// Both browsers at the same time.
describe('the main paths', { concurrency: 2 }, () => {
  for (const [name, { driver, program }] of Object.entries(DRIVERS)) {
    test(`in ${name}`, { skip: existsSync(program) ? false : `${program} is not installed` }, async () => {
      const world = await World.begin();
      const browser = await driver.begin();
      try {
        const page = await browser.open(world.origin, { width: 1440 });
        await mainPath(page);
        assert.deepEqual(page.noises, [], 'the page is quiet');
        for (const [place, path] of PATHS.entries()) {
          for (const { width, dark } of process.env.EVERY_PAGE ? VIEWS : [VIEWS[place % VIEWS.length]]) {
            const page = await browser.open(world.origin + path, { width, dark });
            await page.sees('main h1, main [data-board]');
            if (/play|games|exam|^.$/.test(path)) await page.sees('[data-board]');
            await page.rests();
            assert.deepEqual(await page.problems(), [], `${path} in ${name}, ${width} wide, ${dark ? 'dark' : 'light'}`);
            assert.equal(await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches"), dark);
            assert.deepEqual(page.noises, [], `${path} in ${name} is quiet`);
            await page.native.close();
          }
        }
      } finally {
        await browser.end();
        assert.equal(await world.end(), 0);
      }
    });
  }
});
