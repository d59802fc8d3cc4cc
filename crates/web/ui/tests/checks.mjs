// Checks of whole pages: axe finds no violation, and the page does not scroll sideways.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { atRest } from './world.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const WIDTHS = [1280, 360];

/** The violations that axe finds, as short texts; by the given rules, or by all. */
async function violations(page, rules) {
  const { violations } = await page.evaluate((runOnly) => axe.run(document, { resultTypes: ['violations'], ...(runOnly && { runOnly }) }), rules);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} (${failureSummary})`).join(' | ')}`);
}

/** Checks a page with all details open, light and dark. */
export async function checkPage(page, what) {
  await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
  // The page allows only its own scripts, but `evaluate` can add one.
  await page.evaluate(AXE);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    // Some colours change gradually.
    await atRest(page);
    // Dark colours can only break the rules about contrast.
    assert.deepEqual(await violations(page, colorScheme === 'dark' ? ['color-contrast'] : null), [], `${what}, ${colorScheme}`);
    const [content, window] = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
    assert.ok(content <= window, `${what} is ${content} wide in a window of ${window}`);
  }
}

/** Checks the page at an address in all widths. */
export async function checkAddress(world, path, ready, widths = WIDTHS) {
  for (const width of widths) {
    const page = await world.open(path, { width });
    await ready(page);
    await checkPage(page, `${path} at ${width}`);
    await page.context().close();
  }
}
