// The page Glossary: its words, the links to it, and the checks of all pages.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { checkAddress } from './checks.mjs';
import { story, until } from './world.mjs';

const GLOSSARY = new URL('../../../../docs/glossary.md', import.meta.url);

story('the glossary has every word of docs/glossary.md, and its links lead to words', async (world) => {
  const page = await world.open('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Glossary' }).click();
  await page.getByRole('heading', { name: 'Glossary', level: 1 }).waitFor();
  const words = (await readFile(GLOSSARY, 'utf8')).match(/^## .+$/gm).map((line) => line.slice(3));
  assert.deepEqual(await page.getByRole('heading', { level: 2 }).allInnerTexts(), words);
  assert.doesNotMatch(await page.getByRole('main').innerText(), /`|\]\(|##/, 'no Markdown is left');
  const dead = await page.locator('main a[href^="#"]').evaluateAll((links) => links.filter((link) => !document.getElementById(link.hash.slice(1))).map((link) => link.hash));
  assert.deepEqual(dead, []);
});

story('words of other pages lead to their explanation', async (world) => {
  await world.gamete('train', 'nim-2x4', '--generations', '2', '--name', 'mine');
  const page = await world.open('/runs/mine');
  await page.getByRole('link', { name: 'Grade', exact: true }).click();
  await until('the word is visible', async () => {
    const box = await page.locator('h2#grade').boundingBox();
    return box !== null && box.y >= 0 && box.y < page.viewportSize().height;
  });
  assert.equal(new URL(page.url()).hash, '#grade');
});

story('the page Glossary passes the checks, wide and narrow', async (world) => {
  await checkAddress(world, '/glossary', (page) => page.getByRole('heading', { name: 'Yardstick' }).waitFor());
  await checkAddress(world, '/glossary#yardstick', (page) => page.getByRole('heading', { name: 'Yardstick' }).waitFor());
});
