// Alone: it turns the clock of the whole process.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { collectRoutes } from '#tests/support/collect-routes.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { devAddressOf, openDevToken } from './dev-token.ts';
import { turnClock, turnedMs } from './turned-clock.ts';

let app: TestApp;
let person: Person;
let token: string;
const reported: unknown[][] = [];
const note = (...words: unknown[]) => void reported.push(words);
beforeAll(async () => {
  app = await openTestApp({ workJobs: false, log: { info: note, warn: note, error: note } });
  person = await signUpCreator(app);
  token = openDevToken(app.engines.installation.dataDir);
});
afterAll(() => app.close());

const host = 'localhost:3000';
const own = { host, origin: `http://${host}` };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
interface Asked {
  method?: 'GET' | 'POST' | 'HEAD';
  headers?: object;
  remoteAddress?: string;
  payload?: string;
}
const ask = (url: string, { method = 'GET', headers = {}, remoteAddress = '127.0.0.1', payload }: Asked = {}) =>
  app.fastify.inject({
    method,
    url,
    headers: { ...headers },
    remoteAddress,
    ...(payload !== undefined && { payload }),
  });
const withToken = (said = token) => ({ ...own, cookie: `pf_dev=${said}` });
const turn = (headers: object) =>
  ask('/dev/clock', { method: 'POST', headers: { ...form, ...headers }, payload: 'seconds=60' });

/** Everything below /dev, as its routes tell it; nothing is listed by hand. */
async function listAsks(): Promise<{ method: 'GET' | 'POST' | 'HEAD'; url: string }[]> {
  const routes = (await collectRoutes(app.engines)).filter(({ config }) => config?.who?.[0] === 'developer');
  return routes.flatMap(({ method, url }) => [method].flat().map((one) => ({ method: one as 'GET', url })));
}

/** What nobody may hear of: who is here, what was mailed, and the token itself. */
const isQuiet = ({ body, headers }: Awaited<ReturnType<typeof ask>>) =>
  ![person.email, token].some((word) => `${body}${JSON.stringify(headers)}`.includes(word)) &&
  !('set-cookie' in headers);

test('without the token nothing of /dev is there, whatever a caller says of himself', async () => {
  const asks = await listAsks();
  expect(asks.length).toBeGreaterThan(7);
  const wrong = [
    token.slice(0, -1),
    `${token}x`,
    token.toLowerCase(),
    'a'.repeat(32),
    '',
    'undefined',
    '[object Object]',
  ];
  const callers = [
    {},
    { host: '127.0.0.1:3000' },
    { 'sec-fetch-site': 'same-origin' },
    { authorization: `Bearer ${token}` },
    { 'pf-dev': token, 'x-dev-token': token },
    ...wrong.map((said) => ({ cookie: `pf_dev=${said}` })),
    { cookie: `xpf_dev=${token}; pf_devx=${token}; pf_session=${token}` },
  ];
  const queries = ['', '?token=', '?token=a&token=b', ...wrong.map((said) => `?token=${encodeURIComponent(said)}`)];
  const misplaced = `?token=${token}`;
  const payload = `email=${encodeURIComponent(person.email)}&seconds=60`;
  const calls = asks.flatMap(({ method, url }) =>
    [...queries, ...(url === '/dev' ? [] : [misplaced])].flatMap((query) =>
      callers.map((said) => ({ method, url: `${url}${query}`, said })),
    ),
  );
  const open: string[] = [];
  for (const { method, url, said } of calls) {
    const body = method === 'POST' ? { payload } : {};
    const answer = await ask(url, { method, headers: { ...own, ...said, ...(method === 'POST' && form) }, ...body });
    if (answer.statusCode !== 404 || !isQuiet(answer)) open.push(`${method} ${url} ${JSON.stringify(said)}`);
  }
  expect(open).toEqual([]);
  expect(turnedMs()).toBe(0);
});

test("the printed address opens it: at once without the token in it, then by a cookie that no script reads and no other site's page sends", async () => {
  const printed = new URL(devAddressOf(app.engines.installation));
  expect(printed.origin + printed.pathname).toBe('http://localhost:3000/dev');
  expect(token).toMatch(/^[A-Za-z0-9]{32}$/);
  const opened = await ask(`${printed.pathname}${printed.search}`, { headers: { host } });
  expect([opened.statusCode, opened.headers.location, opened.body]).toEqual([303, '/dev', '']);
  const [cookie = '', ...words] = String(opened.headers['set-cookie']).split('; ');
  expect(words).toEqual(['Path=/dev', expect.stringMatching(/^Max-Age=\d+$/), 'HttpOnly', 'SameSite=Strict']);
  const shown = await ask('/dev', { headers: { host, cookie } });
  expect(shown.statusCode).toBe(200);
  for (const to of [
    '/dev/outbox',
    '/dev/mails',
    '/dev/clock',
    '/dev/webhooks',
    '/dev/disputes',
    '/dev/queue',
    '/dev/ui',
  ])
    expect(shown.body).toContain(`href="${to}"`);
  expect(shown.body).not.toContain(token);
  const outbox = await ask('/dev/outbox', { headers: { host, cookie } });
  expect([outbox.statusCode, outbox.body.includes(person.email)]).toEqual([200, true]);
});

test("the token is this installation's: its owner alone reads it, a restart keeps it, and what is none is made again", () => {
  const { dataDir } = app.engines.installation;
  const file = path.join(dataDir, 'dev-token');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(openDevToken(dataDir)).toBe(token);
  const other = mkdtempSync(path.join(tmpdir(), 'pf-dev-'));
  const made = openDevToken(other);
  expect(made).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(made).not.toBe(token);
  for (const damaged of ['', '\n', made.slice(1)]) {
    writeFileSync(path.join(other, 'dev-token'), damaged);
    expect(openDevToken(other)).toMatch(/^[A-Za-z0-9]{32}$/);
  }
  rmSync(other, { recursive: true });
});

test('the log hears of the calls and never of the token', async () => {
  reported.length = 0;
  await ask(`/dev?token=${token}`, { headers: { host } });
  await ask('/dev/outbox', { headers: withToken() });
  await ask(`/dev/outbox?token=${token}`, { headers: withToken() });
  await ask(`/dev?token=${token}`, { headers: { host: 'rebound.example' } });
  await ask(`/nothing?token=${token}`, { headers: withToken() });
  await vi.waitFor(() => expect(reported.length).toBeGreaterThanOrEqual(5));
  expect(JSON.stringify(reported)).toContain('/dev/outbox');
  expect(JSON.stringify(reported)).not.toContain(token);
});

test('with the token /dev is there for this machine alone: not through a proxy, not by another name, not from elsewhere', async () => {
  expect((await ask('/dev/outbox', { headers: withToken() })).statusCode).toBe(200);
  const address = '10.0.0.9';
  const proxies =
    'x-forwarded-for x-forwarded-host x-forwarded forwarded via x-real-ip cf-connecting-ip cf-ray true-client-ip x-client-ip client-ip x-cluster-client-ip fastly-client-ip fly-client-ip x-original-forwarded-for x-amzn-trace-id x-envoy-external-address cdn-loop';
  for (const name of proxies.split(' '))
    for (const url of ['/dev/outbox', `/dev?token=${token}`]) {
      const answer = await ask(url, { headers: { ...withToken(), [name]: address } });
      expect([name, url, answer.statusCode, isQuiet(answer)]).toEqual([name, url, 404, true]);
    }
  for (const asked of [
    { headers: { ...withToken(), host: 'rebound.example' } },
    { headers: withToken(), remoteAddress: '192.168.0.7' },
  ]) {
    const answer = await ask('/dev/outbox', asked);
    expect([answer.statusCode, isQuiet(answer)]).toEqual([404, true]);
  }
});

test('a bare relay that forges our host gets nothing: who asks through it has no token', async () => {
  // So it looks from here: the relay's own socket, the host that we are called by, and nothing of a proxy.
  const through = { headers: own, remoteAddress: '127.0.0.1' };
  const emails = await ask('/dev/outbox.json', through);
  expect([emails.statusCode, isQuiet(emails)]).toEqual([404, true]);
  const payload = `email=${encodeURIComponent(person.email)}`;
  const become = await ask('/dev/become', { ...through, method: 'POST', headers: { ...own, ...form }, payload });
  expect([become.statusCode, isQuiet(become)]).toEqual([404, true]);
});

test("a form of another page in this developer's browser turns no clock and becomes nobody", async () => {
  for (const foreign of [
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ])
    expect((await turn({ host, cookie: `pf_dev=${token}`, ...foreign })).statusCode, JSON.stringify(foreign)).toBe(403);
  expect(turnedMs()).toBe(0);
  expect((await turn(withToken())).statusCode).toBe(303);
  expect(turnedMs()).toBe(60_000);
  turnClock(0);
});
