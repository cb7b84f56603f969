// Alone: it measures how busy the process is.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { statement, statementPlannedOnce } from '#engines/database/work.ts';
import { hashKey } from '#features/audit/store.ts';
import { shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { usualSlowLimits } from './slow-clients.ts';

/** As many as the turnstile holds. */
const crowd = 128;
const bodyMs = 400;
let app: TestApp;
let url: string;
beforeAll(async () => {
  const patience = { loopMs: 600_000, poolMs: 600_000 };
  app = await openTestApp({ workJobs: false, server: { patience, slow: { ...usualSlowLimits, bodyMs } } });
  url = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

const headers = { origin: 'http://localhost:3000', 'content-type': 'application/json' };
const networkOf = (n: number) => `10.1.${n >> 8}.${n & 255}`;
/** A tap from a network of its own, unless `network` says from which. */
const open = (n: number, { slug = `nobody-${n}`, network = networkOf(n), payload = {}, cookie = '' } = {}) =>
  app.fastify.inject({
    method: 'POST',
    url: `/api/view/${slug}/open`,
    headers: { ...headers, cookie },
    payload,
    remoteAddress: network,
  });
const statusOf = async (answer: ReturnType<typeof open>) => (await answer).statusCode;

const turnsTaken = statement<{ count: number }>(
  'turns_taken',
  'select count(*)::int as count from password_tries where wrong > 20',
);
const waitForLock = statementPlannedOnce<object>('wait_for_lock', 'select pg_advisory_xact_lock_shared(7)');

/** The same with as many as there are places. */
const whileFull = (run: () => Promise<void>) =>
  whileHeld(run, crowd, () => Array.from({ length: crowd }, (_, n) => open(n)));

/** Runs something while so many places are taken by calls that decide, because the database lets none of them get on. */
async function whileHeld(
  run: () => Promise<void>,
  places: number,
  begin: () => ReturnType<typeof open>[],
): Promise<void> {
  const gate = Promise.withResolvers<void>();
  const { database } = app.engines;
  const holding = [
    database.work({ kind: 'system' }, async ({ client }) => {
      await client.query('select pg_advisory_xact_lock(7)');
      await gate.promise;
    }),
  ];
  await wait(100);
  for (let n = 0; n < 4; n++) holding.push(database.query(waitForLock, []).then(() => undefined));
  await wait(100);
  const before = database.statementCount();
  const deciding = begin();
  try {
    // Whoever has a place asks the database, and waits for it.
    await expect.poll(() => database.statementCount() - before).toBeGreaterThanOrEqual(places);
    await run();
  } finally {
    gate.resolve();
    await Promise.all(holding);
  }
  await Promise.all(deciding);
}

it('tells whoever comes when it is full to come again, with the headers of the app and without asking anybody', async () => {
  const other = await fetch(`${url}/api/nothing`);
  await whileFull(async () => {
    const before = app.engines.database.statementCount();
    for (const path of ['/api/view/nobody/open', '/api/view/leases', '/rpc/viewing/renew?x=1']) {
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: '{}' });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await answer.json()).toMatchObject({ code: 'UNAVAILABLE', data: { retryAfter: 1 } });
      for (const [name, value] of other.headers)
        if (!['content-length', 'date'].includes(name)) expect([name, answer.headers.get(name)]).toEqual([name, value]);
    }
    expect(app.engines.database.statementCount()).toBe(before);
    // Health is answered, and another kind of call is not kept waiting by those who decide.
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
  expect((await fetch(`${url}/api/view/nobody/open`, { method: 'POST', headers, body: '{}' })).status).not.toBe(503);
});

it('goes on when the process can open no more: who cannot be taken is passed over, and the log says so once', async () => {
  const logged = vi.spyOn(app.engines.log, 'error').mockImplementation(() => undefined);
  const full = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE', syscall: 'accept' });
  for (let n = 0; n < 3; n++) app.fastify.server.emit('error', full);
  expect(logged.mock.calls.map(([, words]) => words)).toEqual([
    'too many files are open: some callers are not answered',
  ]);
  logged.mockRestore();
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

it('cuts a body that it has refused and that does not come', async () => {
  await whileFull(async () => {
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      'POST /api/view/nobody/open HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    );
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 503 /);
    await once(socket, 'close');
  });
});

it('gives no place to a call whose body has not come', async () => {
  const head = `POST /api/view/nobody/open HTTP/1.1\r\nHost: localhost\r\nOrigin: ${headers.origin}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
  const sockets = Array.from({ length: crowd + 7 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  for (const socket of sockets) socket.on('error', () => undefined).write(head);
  await wait(100);
  for (let n = 0; n < 20; n++) expect(await statusOf(open(n))).toBe(410);
  for (const socket of sockets) socket.destroy();
});

/** The first line of the answer to a tap whose body never comes whole; nothing when the tap is cut instead. */
async function answerBeforeBody(slug: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const head = `POST /api/view/${slug}/open HTTP/1.1\r\nHost: localhost\r\nOrigin: ${headers.origin}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
  socket.write(head);
  let said = '';
  socket.on('data', (bytes) => {
    said += bytes.toString();
    socket.destroy();
  });
  await once(socket, 'close');
  return said.split('\r\n', 1)[0] ?? '';
}

it('leaves places for others when one network, or the guests of one link, want all of them, and says no by the head', async () => {
  const others: ReturnType<typeof open>[] = [];
  expect(await answerBeforeBody('busy')).toBe('');
  for (const of of [{ network: '127.0.0.1' }, { slug: 'busy' }])
    await whileHeld(
      async () => {
        others.push(open(9001), open(9002));
        expect(await statusOf(open(9003, of))).toBe(503);
        expect(await answerBeforeBody(of.slug ?? 'another')).toContain(' 503 ');
      },
      crowd / 2,
      () => Array.from({ length: crowd }, (_, n) => open(n, of)),
    );
  expect(await Promise.all(others.map(statusOf))).toEqual([410, 410, 410, 410]);
});
it('tells the guests behind a proxy apart by what it says of them', async () => {
  const usual = app;
  app = await openTestApp({
    workJobs: false,
    server: { patience: { loopMs: 600_000, poolMs: 600_000 }, trustedProxies: '127.0.0.1' },
  });
  try {
    const behind = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    const forwarded = (address: string) =>
      fetch(`${behind}/api/view/nobody/open`, {
        method: 'POST',
        headers: { ...headers, 'x-forwarded-for': address },
        body: '{}',
      });
    let other: Promise<Response> | undefined;
    await whileHeld(
      async () => {
        other = forwarded('10.9.9.9');
        await wait(100);
      },
      crowd / 2,
      () => Array.from({ length: crowd }, (_, n) => open(n, { network: '127.0.0.1' })),
    );
    expect((await other)?.status).toBe(410);
  } finally {
    await app.close();
    app = usual;
  }
});

it('gives no place to who waits at a password', async () => {
  const shared = await shareAlbum(app, { count: 1 });
  const links = await Promise.all(
    Array.from({ length: 7 }, () => shared.makeLink({}, { password: 'three calm rivers' })),
  );
  const payload = { isAdult: true, password: 'a wrong password' };
  const guessers = links.flatMap((link, l) =>
    Array.from({ length: 20 }, (_, n) => ({ ...link, n: 1000 + 30 * l + n, secret: randomBytes(32) })),
  );
  // From the twentieth wrong one on the tries of a network come five seconds apart, from browsers that have proven an address.
  await app.engines.database.work({ kind: 'system' }, async ({ client }) => {
    for (const { id, n, secret } of guessers) {
      const network = hashKey(app.engines.keys, 'viewing.network', `${id} ${networkOf(n)}`);
      const values = [id, network, new Date(app.engines.clock() + 5000)];
      await client.query('insert into password_tries values ($1, $2, 1, 20, $3)', values);
      const proven = [id, createHash('sha256').update(secret).digest(), new Date(app.engines.clock())];
      await client.query(`insert into password_proofs values ($1, $2, '', 5, $3, $3, 20)`, proven);
    }
  });
  const waiting: ReturnType<typeof open>[] = [];
  const taken = async () => (await app.engines.database.query(turnsTaken, []))[0]?.count;
  for (const { slug, n, secret } of guessers) {
    waiting.push(open(n, { slug, payload, cookie: `pf_viewer=${secret.toString('base64url')}` }));
    if (waiting.length % 20 === 0) await expect.poll(taken).toBe(waiting.length);
  }
  for (let n = 0; n < 20; n++) expect(await statusOf(open(n))).toBe(410);
  const tried = await Promise.all(waiting.map(statusOf));
  expect(tried.length).toBeGreaterThan(crowd);
  expect(new Set(tried)).toEqual(new Set([200]));
});
