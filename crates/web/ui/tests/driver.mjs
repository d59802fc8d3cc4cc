// A thin driver of browsers, with two implementations: Chromium by playwright-core, and Firefox by puppeteer-core over WebDriver
// BiDi. The main paths are tested with it in both. What BiDi cannot do stays with the tests in Chromium: permissions (the
// clipboard), downloads, a slow network, touch, and frames per second.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { until } from './world.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

/** Runs in the page: the visible element of a kind with this name, or null. */
function find([selector, name]) {
  const named = (element) => (element.getAttribute('aria-label') ?? element.textContent).replace(/\s+/g, ' ').trim();
  const visible = (element) => element.getClientRects().length > 0;
  return [...document.querySelectorAll(selector)].find((element) => visible(element) && (name === '' || named(element) === name)) ?? null;
}

/** A page in either browser. `native` has `evaluate`, `evaluateHandle` and `screenshot`, which are the same in both. */
class DrivenPage {
  constructor(native, noises) {
    this.native = native;
    /** Console messages and errors of the page. */
    this.noises = noises;
  }

  evaluate(action, argument) {
    return this.native.evaluate(action, argument);
  }

  /** Waits for an element with this name; the name is its label or its text, and empty for any. */
  sees(selector, name = '') {
    return until(`${selector} ${name}`, () => this.evaluate(`(${find})(${JSON.stringify([selector, name])}) !== null`));
  }

  /** Waits until the page has these words. */
  says(words) {
    return until(`the page says ${words}`, async () => words.test(await this.evaluate('document.body.innerText')));
  }

  /** Clicks an element by the mouse. */
  async click(selector, name = '') {
    await this.sees(selector, name);
    const element = (await this.native.evaluateHandle(`(${find})(${JSON.stringify([selector, name])})`)).asElement();
    await element.click();
  }

  /** Waits for the end of all animations that have an end. Colours change gradually when a page opens. */
  rests() {
    return this.evaluate(`(async () => {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
      await Promise.all(ending.map((one) => one.finished.catch(() => {})));
    })()`);
  }

  path() {
    return this.evaluate('location.pathname');
  }

  /** The violations that axe finds, as short texts, and how far the page is wider than its window. */
  async problems() {
    // The page allows only its own scripts, but `evaluate` can add one.
    await this.evaluate(AXE);
    const { violations } = await this.evaluate("axe.run(document, { resultTypes: ['violations'] })");
    const wide = await this.evaluate('document.scrollingElement.scrollWidth - innerWidth');
    return [...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' | ')}`), ...(wide > 0 ? [`${wide} pixels too wide`] : [])];
  }
}

class ChromiumDriver {
  static async begin() {
    const driver = new ChromiumDriver();
    driver.browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
    return driver;
  }

  async open(address, { width, height = 800, dark = false }) {
    const context = await this.browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
    const page = await context.newPage();
    const noises = [];
    page.on('console', (message) => noises.push(message.text()));
    page.on('pageerror', (error) => noises.push(String(error)));
    await page.goto(address);
    return new DrivenPage(page, noises);
  }

  end() {
    return this.browser.close();
  }
}

class FirefoxDriver {
  #browsers = new Map();

  static async begin() {
    return new FirefoxDriver();
  }

  /** BiDi cannot emulate dark colours, so each kind of colours has a browser of its own, with a preference. */
  #browser(dark) {
    const known = this.#browsers.get(dark);
    if (known) return known;
    const begun = puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true, extraPrefsFirefox: { 'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1 } });
    this.#browsers.set(dark, begun);
    return begun;
  }

  async open(address, { width, height = 800, dark = false }) {
    const page = await (await this.#browser(dark)).newPage();
    const noises = [];
    page.on('console', (message) => noises.push(message.text()));
    page.on('pageerror', (error) => noises.push(String(error)));
    await page.setViewport({ width, height });
    await page.goto(address);
    return new DrivenPage(page, noises);
  }

  async end() {
    for (const browser of this.#browsers.values()) await (await browser).close();
  }
}

/** The drivers by the names of their browsers. */
export const DRIVERS = { Chromium: { driver: ChromiumDriver, program: CHROMIUM }, Firefox: { driver: FirefoxDriver, program: FIREFOX } };
