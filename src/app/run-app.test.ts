import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { describeAddresses, listenAt, runApp } from './run-app.ts';

/** A server on a machine where listening on some addresses fails. */
const apps: FastifyInstance[] = [];
function serverFailingAt(failures: Record<string, string>): FastifyInstance {
  const app = Fastify();
  apps.push(app);
  const { server } = app;
  const listen = server.listen.bind(server) as (...words: unknown[]) => typeof server;
  server.listen = ((...words: unknown[]) => {
    const code = failures[(words[0] as { host: string }).host];
    if (code === undefined) return listen(...words);
    process.nextTick(() => server.emit('error', Object.assign(new Error(`listen ${code}`), { code })));
    return server;
  }) as typeof server.listen;
  return app;
}
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});
const everywhere = { PORT: 0, host: '::' };

test('a machine without IPv6 is listened to on its other addresses', async () => {
  for (const code of ['EAFNOSUPPORT', 'EADDRNOTAVAIL']) {
    const app = serverFailingAt({ '::': code });
    await listenAt(app, everywhere);
    expect(app.addresses()).toMatchObject([{ address: '0.0.0.0', family: 'IPv4' }]);
  }
});

test('a taken port is said in words, whichever address tells it; everything else stays what it is', async () => {
  for (const failures of [{ '::': 'EADDRINUSE' }, { '::': 'EAFNOSUPPORT', '0.0.0.0': 'EADDRINUSE' }])
    await expect(listenAt(serverFailingAt(failures), everywhere)).rejects.toThrow('Port 0 is in use.');
  await expect(listenAt(serverFailingAt({ '::': 'EACCES' }), everywhere)).rejects.toThrow('listen EACCES');
});

test('it says who can reach it', async () => {
  const app = Fastify();
  apps.push(app);
  await listenAt(app, { PORT: 0, host: '127.0.0.1' });
  expect(describeAddresses(app.addresses())).toMatch(/^listening on 127\.0\.0\.1:\d+$/);
  const reported = (address: string) => describeAddresses([{ address, family: 'IPv6', port: 3000 }]);
  expect(reported('::1')).toBe('listening on [::1]:3000');
  expect(reported('::')).toBe('listening on every address of this machine, port 3000');
});

test('an address that the machine does not have is said in words', async () => {
  const app = serverFailingAt({ '192.0.2.1': 'EADDRNOTAVAIL' });
  await expect(listenAt(app, { PORT: 0, host: '192.0.2.1' })).rejects.toThrow('does not have the address 192.0.2.1');
});

test('a taken port is told before a database is opened or missed', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const secret = randomBytes(32).toString('base64');
  const config = readConfig({
    PORT: String((holder.address() as AddressInfo).port),
    DATA_DIR: path.join(tmpdir(), 'pf-never-made'),
    DATABASE_URL: 'postgres://127.0.0.1:1/pf',
    PF_KEYS: `k1:${secret}`,
    PF_SECRET: secret,
  });
  const log = { level: 'info', info: () => undefined, warn: () => undefined, error: () => undefined };
  await expect(runApp(config, log, process.cwd())).rejects.toThrow(/^Port \d+ is in use/);
  await new Promise((done) => holder.close(done));
});
