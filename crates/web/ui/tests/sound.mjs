// Whether a page is sound: nothing that axe finds, light and dark, and nothing to scroll sideways.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { atRest } from './world.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function sound(page, what) {
  await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
  // Scripts of the test are none of the page's, which allows no others.
  await page.evaluate(AXE);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await atRest(page);
    const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} (${failureSummary})`).join(' | ')}`);
    assert.deepEqual(found, [], `${what}, ${colorScheme}`);
    const [content, window] = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
    assert.ok(content <= window, `${what} is ${content} wide in a window of ${window}`);
  }
}
