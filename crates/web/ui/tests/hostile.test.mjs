// Pages of other servers in the same browser, while Gamete is open in another window. Whatever they try, they cannot start,
// end, delete or read anything.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { beyond, generation, item, state } from './runs.mjs';
import { STRANGER, story, until } from './world.mjs';

/** A server of somebody else on this machine. */
async function stranger() {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><title>Free prizes</title><p>Hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Requests that change something. Each would work from a page of Gamete. */
const orders = (toml) => [
  { method: 'POST', path: '/api/runs', body: { experiment: 'nim-2x4', toml, name: 'stolen' } },
  { method: 'POST', path: '/api/matches', body: { game: 'nim', players: ['random', 'first'], games: 2, seed: 1 } },
  { method: 'POST', path: '/api/runs/at-work/pause' },
  { method: 'POST', path: '/api/runs/at-work/stop' },
  { method: 'DELETE', path: '/api/runs/mine' },
];

/** Addresses that a stranger must not read. */
const SECRETS = ['/api/about', '/api/runs/events', '/api/runs/mine/events', '/api/runs/mine/champions/1', '/api/runs/mine/champions/1/network', '/api/matches', '/', '/games'];

/** Runs in the stranger's page: sends every order in every way; returns those that seemed to work. */
async function giveOrders({ target, orders }) {
  const worked = [];
  const quietly = (promise) => promise.catch(() => null);
  for (const { method, path, body } of orders) {
    const [url, text] = [target + path, body && JSON.stringify(body)];
    const ways = {
      json: { headers: { 'content-type': 'application/json' } },
      simple: { headers: { 'content-type': 'text/plain' } },
      bare: {},
      blind: { mode: 'no-cors' },
      known: { credentials: 'include', headers: { 'content-type': 'application/json' } },
      lasting: { mode: 'no-cors', keepalive: true, credentials: 'include' },
      hidden: { mode: 'no-cors', referrerPolicy: 'no-referrer' },
    };
    for (const [way, how] of Object.entries(ways)) {
      // Blind requests cannot delete.
      const found = await quietly(fetch(url, { method, body: text, ...how }));
      if (found && found.type !== 'opaque') worked.push(`${way} ${method} ${path}: ${found.status}`);
    }
    await new Promise((done) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      request.withCredentials = true;
      request.onload = () => (worked.push(`XMLHttpRequest ${path}: ${request.status}`), done());
      request.onerror = done;
      request.send(text);
    });
    navigator.sendBeacon(url, new Blob([text ?? ''], { type: 'text/plain' }));
    // A form whose one field is a whole body, into a frame and into a window.
    for (const where of ['frame', '_blank']) {
      const frame = document.createElement('iframe');
      frame.name = 'frame';
      const form = Object.assign(document.createElement('form'), { action: url, method: 'post', enctype: 'text/plain', target: where });
      const [name, value] = text ? [text.slice(0, -1) + ',"', '":0}'] : ['a', 'b'];
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
      document.body.append(frame, form);
      const loaded = new Promise((done) => ((frame.onload = done), setTimeout(done, 150)));
      form.submit();
      await loaded;
      frame.remove();
    }
  }
  return worked;
}

/** Runs in the stranger's page: tries to read every secret in every way; returns what it could read. */
async function look({ target, secrets }) {
  const seen = [];
  const within = (make) =>
    new Promise((done) => {
      make(done);
      setTimeout(done, 2000, null);
    });
  /** Adds an element that loads something; resolves to the element, or to null if it failed. */
  const element = (name, attributes) =>
    within((done) => {
      const made = Object.assign(document.createElement(name), { ...attributes, onload: () => done(made), onerror: () => done(null) });
      document.body.append(made);
    });
  // All at the same time: some ways end only by their time limit.
  const lookAt = async (path) => {
    const url = target + path;
    for (const how of [{}, { credentials: 'include' }, { mode: 'no-cors' }, { mode: 'no-cors', cache: 'force-cache', credentials: 'include' }]) {
      const text = await fetch(url, { ...how, signal: AbortSignal.timeout(5000) }).then((found) => found.text(), () => '');
      if (text) seen.push(`fetch ${path}: ${text.slice(0, 80)}`);
    }
    for (const name of ['img', 'script']) if (await element(name, { src: url })) seen.push(`${name} ${path}`);
    if (await element('link', { rel: 'stylesheet', href: url })) seen.push(`link ${path}`);
    const heard = await within((done) => {
      const source = new EventSource(url, { withCredentials: true });
      for (const event of ['open', 'message', 'runs', 'detail', 'curves']) source.addEventListener(event, () => (source.close(), done(event)));
      source.onerror = () => (source.close(), done(null));
    });
    if (heard) seen.push(`EventSource ${path}: ${heard}`);
    const frame = await element('iframe', { src: url });
    try {
      const text = frame?.contentWindow.document.body.innerText;
      if (text) seen.push(`iframe ${path}: ${text.slice(0, 80)}`);
    } catch {}
    frame?.remove();
  };
  await Promise.all(secrets.map(lookAt));
  const windows = secrets.map((path) => [path, window.open(target + path)]);
  await new Promise((done) => setTimeout(done, 1000));
  for (const [path, opened] of windows) {
    try {
      const text = opened?.document.body.innerText;
      if (text) seen.push(`window ${path}: ${text.slice(0, 80)}`);
    } catch {}
    // Gamete's pages cut the connection to the page that opened them, so it cannot send them to another address.
    if (opened && !opened.closed) seen.push(`window ${path} is within reach`);
  }
  return seen;
}

/** A world with a finished run, and a training that another window watches. */
async function prepared(world) {
  await world.gamete('train', 'nim-2x4', '--generations', '3', '--set', 'stop.solved=false', '--name', 'mine');
  const print = (generations) => world.gamete('train', 'nim-2x4', '--generations', String(generations), '--set', 'stop.solved=false', '--print');
  const ours = async (path, body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(world.origin + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {});
    assert.ok(answer.ok, `${path}: ${answer.status}`);
    return answer.json();
  };
  await ours('/api/runs', { experiment: 'nim-2x4', toml: await print(1_000_000), name: 'at-work' });
  const app = await world.open('/runs', { ready: 'li.card' });
  /** Checks with the server and the folder that nothing has changed. */
  const unharmed = async () => {
    const files = (await readdir(world.runs)).filter((name) => name.endsWith('.db')).sort();
    assert.deepEqual(files, ['at-work.db', 'mine.db']);
    assert.deepEqual(await ours('/api/matches'), []);
    assert.equal(await state(item(app, 'at-work')), 'training');
    await beyond(item(app, 'at-work'), await generation(item(app, 'at-work')));
  };
  await unharmed();
  return { app, unharmed, orders: orders(await print(3)) };
}

story('pages of strangers start, end, delete and read nothing', async (world) => {
  const { app, unharmed, orders } = await prepared(world);
  const server = await stranger();
  const { port } = server.address();
  try {
    // Another port is the same site; another name is another.
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      const page = await app.context().newPage();
      const refused = new Set();
      app.context().on('response', (response) => {
        if (response.status() === 403) refused.add(`${response.request().method()} ${new URL(response.url()).pathname}`);
      });
      await page.goto(origin);
      assert.deepEqual(await page.evaluate(giveOrders, { target: world.origin, orders }), [], origin);
      assert.deepEqual(await page.evaluate(look, { target: world.origin, secrets: SECRETS }), [], origin);
      // The server refused these. DELETE is missing: browsers ask first whether they may send it, unseen by pages.
      const asked = [...orders.filter(({ method }) => method === 'POST'), ...SECRETS.filter((path) => path.startsWith('/api/')).map((path) => ({ method: 'GET', path }))];
      for (const { method, path } of asked) assert.ok(refused.has(`${method} ${path}`), `${method} ${path} is not among ${[...refused]}`);
      for (const other of app.context().pages()) if (other !== app) await other.close();
      await unharmed();
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
  // The same orders work from a page of Gamete, so the refusals above mean something.
  const answers = await app.evaluate(answered, orders);
  assert.deepEqual(answers.map(({ status }) => status), [201, 201, 204, 204, 204], JSON.stringify(answers));
  await until('all was done', async () => (await readdir(world.runs)).includes('stolen.db') && !(await readdir(world.runs)).includes('mine.db'));
});

/** Runs in a page: sends orders to the server of that page; returns the answers. */
async function answered(orders) {
  const answers = [];
  for (const { method, path, body } of orders) {
    const answer = await fetch(path, { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body), signal: AbortSignal.timeout(5000) });
    answers.push({ status: answer.status, text: await answer.text() });
  }
  return answers;
}

story('a foreign host name that leads to this machine is refused', async (world) => {
  const { app, unharmed, orders } = await prepared(world);
  // The page came from the stranger. Since then its name leads here, so the browser treats both as one site (DNS rebinding).
  const rebound = `http://${STRANGER}:${new URL(world.origin).port}`;
  const server = await stranger();
  const page = await app.context().newPage();
  await page.route(`${rebound}/prizes`, (route) => route.continue({ url: `http://127.0.0.1:${server.address().port}/` }));
  await page.goto(`${rebound}/prizes`);
  assert.equal(await page.title(), 'Free prizes');
  const secrets = SECRETS.map((path) => ({ method: 'GET', path }));
  for (const { status, text } of await page.evaluate(answered, [...orders, ...secrets])) {
    assert.equal(status, 403, text);
    assert.match(text, new RegExp(`the host \`${STRANGER}:\\d+\` is not this server;`));
  }
  assert.equal((await page.goto(`${rebound}/`)).status(), 403);
  await unharmed();
  server.close();
  server.closeAllConnections();
});
