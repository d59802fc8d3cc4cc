// The part Cluster of the page Runs, with a real NATS server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkPage, WIDTHS } from './checks.mjs';
import { GAMETE, story, until, World } from './world.mjs';

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), resolve(true))).once('error', () => resolve(false));
  });

story('without --on there is no part Cluster, and one question about it', async (world) => {
  let asked = 0;
  const page = await world.open('/');
  page.on('request', (request) => (asked += Number(new URL(request.url()).pathname === '/api/cluster')));
  await page.goto(`${world.origin}/runs`);
  await page.getByText('There are no runs yet').waitFor();
  await new Promise((resolve) => setTimeout(resolve, 2500));
  assert.equal(await page.getByRole('region', { name: 'Cluster', exact: true }).count(), 0);
  assert.equal(asked, 1);
});

test('the part Cluster shows workers, games and tasks, live', async () => {
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), 'gamete-nats-'))];
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };
  const nats = spawn('nats-server', ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', folder], { env, stdio: 'ignore' });
  const address = `nats://127.0.0.1:${port}`;
  let world;
  try {
    await until('the NATS server answers', () => answers(port));
    world = await World.begin(GAMETE, ['--on', address]);
    const page = await world.open('/runs');
    const cluster = page.getByRole('region', { name: 'Cluster', exact: true });
    await cluster.getByText(`No worker is connected to ${address}`).waitFor();
    world.spawn('worker', address, '--threads', '1', '--name', 'first');
    await cluster.getByRole('row', { name: /^first 1 \d+ waits 0 0$/ }).waitFor();
    assert.equal(await cluster.getByTestId('workers').textContent(), '1 worker');
    world.spawn('train', 'minichess', '--generations', '100000', '--name', 'shared', '--on', address);
    await cluster.getByRole('row', { name: /^first 1 \d+ generation-\d+\/games-[0-9a-f]+ [1-9][\d,]* [1-9][\d,]*$/ }).waitFor();
    world.spawn('worker', address, '--threads', '1', '--name', 'second');
    await until('both workers are there', async () => (await cluster.getByTestId('workers').textContent()) === '2 workers');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await checkPage(page, `the part Cluster at ${width}`);
    }
    nats.kill('SIGKILL');
    await cluster.getByText(`The NATS server at ${address} does not answer`).waitFor();
    await world.assertQuiet();
  } finally {
    nats.kill('SIGKILL');
    await world?.end();
    await rm(folder, { recursive: true, force: true });
  }
});
