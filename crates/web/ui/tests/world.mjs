// What every test needs: a folder of runs that nobody else uses, the program serving it, and a browser that looks at it.
// Whatever a page says in its console, and whatever it asks for in vain or elsewhere, fails the test.
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

/** Nothing takes longer than this, in milliseconds, however loaded the machine is. */
export const PATIENCE = 20_000;
/** The server saves its trainings and ends within this time. */
const FAREWELL = 5_000;
/** A name that leads to this machine, though it is none of ours. */
export const STRANGER = 'evil.example';
const ARGS = [`--host-resolver-rules=MAP ${STRANGER} 127.0.0.1`, '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

export const run = promisify(execFile);

/** Waits until something is true, and says what it was that never happened. */
export async function until(what, happened, patience = PATIENCE) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await happened();
    if (found) return found;
    assert.ok(Date.now() < end, `waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Waits until whatever fades or moves has come to its end, where it has one. */
export const atRest = (page) =>
  page.evaluate(() => {
    const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
    return Promise.all(ending.map((one) => one.finished.catch(() => {})));
  });

// One browser for all tests of a file: each test has windows and storage of its own.
let browser = null;
const theBrowser = () => (browser ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS }));
after(async () => (await browser)?.close());

/** Everything that should not be: messages, faults, requests that fail, are refused, or go elsewhere. */
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
      // What a page makes itself, such as a file to download, is asked of nobody.
      if (origin !== this.origin && protocol !== 'data:' && protocol !== 'blob:') note('elsewhere', request.url(), request.url());
    });
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // Broken off by the page, as nobody waits for the answer any more.
      if (why !== 'net::ERR_ABORTED') note('failed', why, request.url());
    });
    page.on('response', (response) => {
      if (response.status() >= 400) note('refused', String(response.status()), response.url());
    });
  }

  /** Takes note of one refusal that the test provoked, and of the line that Chromium writes about it. */
  async refused(status, path) {
    const about = (kind, text) => this.#found.findIndex((found) => found.kind === kind && found.path === path && found.text.includes(text));
    const line = `responded with a status of ${status}`;
    await until(`${path} refused with ${status}`, () => about('refused', String(status)) >= 0 && about('console', line) >= 0);
    this.#found.splice(about('refused', String(status)), 1);
    this.#found.splice(about('console', line), 1);
  }

  assertQuiet() {
    assert.deepEqual(this.#found, [], 'the browser has something to say');
  }
}

export class World {
  #contexts = [];
  #children = [];

  constructor(program) {
    this.program = program;
  }

  static async begin(program) {
    const world = new World(program);
    world.folder = await mkdtemp(join(tmpdir(), 'gamete-'));
    world.runs = join(world.folder, 'runs');
    world.env = { ...process.env, GAMETE_RUNS: world.runs, GAMETE_TABLES: join(world.folder, 'tables') };
    try {
      world.server = world.spawn('serve', '--no-open', '--port', '0');
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

  /** The program on the same folder of runs, as another process; what it prints. */
  async gamete(...words) {
    return (await run(this.program, words, { env: this.env })).stdout;
  }

  /** The same, while it runs. */
  spawn(...words) {
    const child = spawn(this.program, words, { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#children.push(child);
    child.said = '';
    child.stderr.on('data', (text) => (child.said += text));
    child.stdout.resume();
    child.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
    return child;
  }

  /** A page at an address, in a window of its own; with a script that runs before all others where one is given. */
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

  /** A game, as its address tells it. */
  play(game, options = {}, window = {}) {
    return this.open(`/play?${new URLSearchParams({ game, seed: '1', ...options })}`, { ready: '[data-status]', ...window });
  }

  refused(status, path) {
    return this.watcher.refused(status, path);
  }

  /** What is still on its way arrives, and then there is nothing to complain of. */
  async assertQuiet() {
    for (const context of this.#contexts) for (const page of context.pages()) await page.evaluate(() => new Promise(requestAnimationFrame));
    this.watcher.assertQuiet();
  }

  /** The windows close, the server ends as by Ctrl-C, and the folder goes. */
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

/** A test with a world of its own, of another program than `gamete` where one is given; skipped where there is a reason. */
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
    assert.equal(ended, 0, `the server ends well when it is asked to; it said: ${world.server.said}`);
  });
}
