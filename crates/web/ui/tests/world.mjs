// The environment of every test: a folder of runs of its own, the program that serves it, and a browser.
// A test fails if a page writes to the console, if a request fails, or if a request goes to another server.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const built = (path) => fileURLToPath(new URL(`../../../../target/release/${path}`, import.meta.url));
export const GAMETE = process.env.GAMETE ?? built('gamete');
export const LONG_RUN = process.env.LONG_RUN ?? built('examples/long_run');

/** The longest time to wait for anything, in milliseconds, even on a busy machine. */
export const PATIENCE = 20_000;
/** The server must save its trainings and end within this time, in milliseconds. */
const FAREWELL = 5_000;
/** A host name of somebody else that leads to this machine. */
export const STRANGER = 'evil.example';
const ARGS = [`--host-resolver-rules=MAP ${STRANGER} 127.0.0.1`, '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

export const run = promisify(execFile);

/** Waits until something is true; fails with its description if that never happens. Returns the value that was found. */
export async function until(what, happened, patience = PATIENCE) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await happened();
    if (found) return found;
    assert.ok(Date.now() < end, `waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Waits for the end of all animations that have an end. */
export const atRest = (page) =>
  page.evaluate(() => {
    const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
    return Promise.all(ending.map((one) => one.finished.catch(() => {})));
  });

// All tests of a file share one browser. Each test has windows and storage of its own.
let browser = null;
const theBrowser = () => (browser ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS }));
after(async () => (await browser)?.close());

/** Collects console messages, errors, and requests that fail, are refused, or go to another server. */
class Watcher {
  #found = [];

  constructor(origin) {
    this.origin = origin;
  }

  watch(page) {
    const note = (kind, text, address) => this.#found.push({ kind, text, path: new URL(address || this.origin, this.origin).pathname });
    page.on('console', (message) => note('console', `${message.type()}: ${message.text()}`, message.location().url));
    page.on('pageerror', (error) => note('fault', String(error.stack ?? error), page.url()));
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      // The page itself makes these, such as a file to download. They are not requests to a server.
      if (origin !== this.origin && protocol !== 'data:' && protocol !== 'blob:') note('elsewhere', request.url(), request.url());
    });
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // The page cancelled the request.
      if (why !== 'net::ERR_ABORTED') note('failed', why, request.url());
    });
    page.on('response', (response) => {
      if (response.status() >= 400) note('refused', String(response.status()), response.url());
    });
  }

  /** Waits for a refusal that the test expects, and forgets it together with Chromium's console message about it. */
  async refused(status, path) {
    const about = (kind, text) => this.#found.findIndex((found) => found.kind === kind && found.path === path && found.text.includes(text));
    const line = `responded with a status of ${status}`;
    await until(`${path} refused with ${status}`, () => about('refused', String(status)) >= 0 && about('console', line) >= 0);
    this.#found.splice(about('refused', String(status)), 1);
    this.#found.splice(about('console', line), 1);
  }

  assertQuiet() {
    assert.deepEqual(this.#found, [], 'the browser found problems');
  }
}

export class World {
  #contexts = [];
  #children = [];

  constructor(program) {
    this.program = program;
  }

  /** Starts the web app; `words` are more options of `gamete serve`. */
  static async begin(program = GAMETE, words = []) {
    const world = new World(program);
    world.folder = await mkdtemp(join(tmpdir(), 'gamete-'));
    world.runs = join(world.folder, 'runs');
    world.env = { ...process.env, GAMETE_RUNS: world.runs, GAMETE_TABLES: join(world.folder, 'tables') };
    try {
      world.server = world.spawn('serve', '--no-open', '--port', '0', ...words);
      const lines = createInterface({ input: world.server.stdout });
      const [line] = await once(lines, 'line', { signal: AbortSignal.timeout(PATIENCE) });
      world.origin = new URL(line).origin;
      world.watcher = new Watcher(world.origin);
      return world;
    } catch (error) {
      await world.end();
      throw error;
    }
  }

  /** Runs the program as another process with the same folder of runs; returns its output. */
  async gamete(...words) {
    return (await run(this.program, words, { env: this.env })).stdout;
  }

  /** Starts the program as another process with the same folder of runs; does not wait for its end. */
  spawn(...words) {
    const child = spawn(this.program, words, { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#children.push(child);
    child.said = '';
    child.stderr.on('data', (text) => (child.said += text));
    child.stdout.resume();
    child.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
    return child;
  }

  /** Opens an address in a window of its own. `script` runs before the page's own scripts, if it is given. */
  async open(path, { width = 1280, height = 800, dark = false, ready = 'main h1', script, ...options } = {}) {
    const context = await (await theBrowser()).newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', ...options });
    this.#contexts.push(context);
    context.setDefaultTimeout(PATIENCE);
    if (script) await context.addInitScript(script);
    const page = await context.newPage();
    this.watcher.watch(page);
    await page.goto(this.origin + path);
    await page.locator(ready).first().waitFor({ state: 'attached' });
    return page;
  }

  /** Opens the page Play with a game in its address. */
  play(game, options = {}, window = {}) {
    return this.open(`/play?${new URLSearchParams({ game, seed: '1', ...options })}`, { ready: '[data-status]', ...window });
  }

  refused(status, path) {
    return this.watcher.refused(status, path);
  }

  /** Waits for a frame of every page, and checks that there were no problems. */
  async assertQuiet() {
    for (const context of this.#contexts) for (const page of context.pages()) await page.evaluate(() => new Promise(requestAnimationFrame));
    this.watcher.assertQuiet();
  }

  /** Closes the windows, ends the server as by Ctrl-C, and deletes the folder. Returns how the server ended. */
  async end() {
    for (const context of this.#contexts) await context.close();
    for (const child of this.#children) if (child !== this.server) child.kill('SIGKILL');
    this.server?.kill('SIGTERM');
    const late = new Promise((resolve) => setTimeout(resolve, FAREWELL, 'too late').unref());
    const ended = await Promise.race([this.server?.ended, late]);
    this.server?.kill('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
    return ended;
  }
}

/** A test with a world of its own. `program` may replace `gamete`; `skip` gives a reason not to run the test. */
export function story(name, tell, { program = GAMETE, skip = false } = {}) {
  test(name, { skip }, async () => {
    const world = await World.begin(program);
    let ended;
    try {
      await tell(world);
      await world.assertQuiet();
    } finally {
      ended = await world.end();
    }
    assert.equal(ended, 0, `the server must end with status 0; its messages: ${world.server.said}`);
  });
}
