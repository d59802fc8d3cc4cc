// Whether a page is sound: no violation that axe finds, and nothing to scroll sideways.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { atRest } from './world.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const WIDTHS = [1280, 360];

/** What axe finds, in short; by all rules, or by some. */
async function violations(page, rules) {
  const { violations } = await page.evaluate((runOnly) => axe.run(document, { resultTypes: ['violations'], ...(runOnly && { runOnly }) }), rules);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} (${failureSummary})`).join(' | ')}`);
}

/** Looks at a page as it stands, in light and dark. */
export async function sound(page, what) {
  await page.evaluate(AXE);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    // Colours fade from one to the other.
    await atRest(page);
    // The other colours change nothing but contrasts.
    assert.deepEqual(await violations(page, colorScheme === 'dark' ? ['color-contrast'] : null), [], `${what}, ${colorScheme}`);
    const [content, window] = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
    assert.ok(content <= window, `${what} is ${content} wide in a window of ${window}`);
  }
}

/** Looks at an address in both widths, with everything unfolded. */
export async function look(world, path, ready) {
  for (const width of WIDTHS) {
    const page = await world.open(path, { width });
    await ready(page);
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
    await sound(page, `${path} at ${width}`);
    await page.context().close();
  }
}
