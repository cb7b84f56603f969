import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#kit/ids.ts';
import { collectRoutes } from '#tests/support/collect-routes.ts';
import { hashTables } from '#tests/support/database/tables.ts';
import { readRows, signInQuickly } from '#tests/support/people.ts';
import { type Browser, copyOf, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { countOf, guards, printProof } from '../counts.ts';
import { whileBroken, whileChanged } from '../crashes/break-installation.ts';
import { type Found, judge, nothingFound } from '../judging/fuzz.ts';
import { sendInside, sendOver } from './driver.ts';
import { type FuzzedProcedure, listFuzzed } from './fuzzed-inputs.ts';
import { anyRequest, type FuzzedRequest } from './fuzzed-requests.ts';
import { canaries } from './owners.ts';
import { nouns } from './things.ts';
import { openWorld, type World } from './world.ts';

guards('src/**/*contract.ts', 'src/wire/**', 'src/app/server/server.ts', 'tests/proofs/judging/**');

let app: TestApp;
let world: World;
let ids: string[];
let routes: RouteOptions[];
/** Raw routes of the proof itself, which answer by a status and without a word. */
const plantedRoutes = (status: number) =>
  [{ method: 'GET', url: `/planted/${status}`, config: { who: ['anybody'] } }] as unknown as RouteOptions[];
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  for (const status of [200, 400])
    app.fastify.get(`/planted/${status}`, { config: { who: ['anybody'] } }, async (_, reply) =>
      reply.code(status).send(),
    );
  world = await openWorld(app);
  const unknown = newId(app.engines.clock());
  const [a, b] = [world.a.things, world.b.things];
  ids = [...nouns.map((noun) => a[noun]), ...nouns.map((noun) => b[noun]), unknown, unknown.toUpperCase()];
  routes = await collectRoutes(app.engines);
});
afterAll(() => app.close());

/** All that A has made: she takes no part, so nothing of it may change. */
async function fingerprintOfA(): Promise<unknown> {
  const { userId } = world.a.person;
  const only = ['albums', 'album_items', 'media', 'packs', 'uploads', 'link_policy_log', 'users', 'auth_accounts'];
  const hashes = await hashTables(app, { naming: [userId], only: [...only, 'auth_sessions'] });
  const links =
    'select id, slug, policy, is_revoked, expires_at, password_hash, note from magic_links where user_id = $1 order by 1';
  return { hashes, links: JSON.stringify(await readRows(app, links, [userId])) };
}

/** Sends one request; a stream of news is let go of after its head. */
async function send(request: FuzzedRequest, who: string, browser: Browser, found: Found): Promise<void> {
  const origin = 'http://localhost:3000';
  const isNews = request.path.startsWith('/api/live');
  const over = () =>
    sendOver(world.viewerApi.url, request, { origin, ...headersOf(browser) } as Record<string, string>);
  judge(request, isNews ? await over() : await sendInside(app, request, browser, { origin }), who, found);
}

const seeds = [20_261_121, Math.floor(performance.timeOrigin) % 2 ** 31];

interface Fuzzing {
  total: number;
  seeds: readonly number[];
  procedures: readonly FuzzedProcedure[];
  routes: readonly RouteOptions[];
}

/** Sends all of it as everybody but A. @returns how many were sent */
async function fuzz({ total, seeds: all, procedures, routes: raw }: Fuzzing, found: Found): Promise<number> {
  let sent = 0;
  for (const seed of all) {
    const requests = fc.sample(anyRequest(procedures, raw, ids), { numRuns: total / all.length, seed });
    const visitors = world.actors.filter(({ owns }) => owns !== 'A' && owns !== 'B');
    for (let at = 0; at < requests.length; at += 20) {
      // She may have signed herself out: each twenty come from a browser of their own.
      const browser = await signInQuickly(app, world.b.person.userId);
      const batch = requests.slice(at, at + 20).map((request, n) => {
        const actor = n % 2 === 0 ? undefined : visitors[(at / 20 + n) % visitors.length];
        const one = { ...(actor?.browser ?? browser), address: `10.${seed % 200}.${(at >> 8) & 255}.${at & 255}` };
        return send(request, actor?.name ?? 'creator B', copyOf(one), found);
      });
      await Promise.all(batch);
      sent += batch.length;
    }
  }
  return sent;
}

test("nothing that can be sent makes the server stumble, tell of others or change what is another's", async () => {
  const total = countOf(400, 22_000, 100_000);
  const before = await fingerprintOfA();
  const found = nothingFound();
  const procedures = listFuzzed(ids);
  const sent = await fuzz({ total, seeds, procedures, routes }, found);
  const { statuses, ...faults } = found;
  printProof('fuzz', sent, {
    seed: seeds[1] ?? 0,
    procedures: procedures.length,
    serverErrors: faults.serverErrors.length,
    undeclared: faults.undeclared.length,
    leaks: faults.leaks.length,
    busy: (statuses.get(503) ?? 0) + (statuses.get(408) ?? 0),
    succeeded: statuses.get(200) ?? 0,
    refused: sent - (statuses.get(200) ?? 0),
  });
  expect(faults, `seed ${seeds[1]}`).toEqual({ serverErrors: [], speechless: [], undeclared: [], leaks: [] });
  expect(statuses.get(200) ?? 0).toBeGreaterThan(sent / 50);
  expect((statuses.get(503) ?? 0) + (statuses.get(408) ?? 0)).toBeLessThan(sent / 100);
  expect(await fingerprintOfA()).toEqual(before);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
}, 3_000_000);

/** Finds what a few calls of one kind come to. */
async function fuzzSome(of: Partial<Fuzzing>): Promise<Found> {
  const found = nothingFound();
  await fuzz({ total: 60, seeds: seeds.slice(0, 1), procedures: listFuzzed(ids), routes, ...of }, found);
  return found;
}
const only = (name: string) => listFuzzed(ids).filter((procedure) => procedure.name === name);

test("planted: a bug, a refusal that nobody promised, one without words, A's words and A's changed row are found", async () => {
  const well = await fuzzSome({ procedures: only('albums.list'), routes: plantedRoutes(200) });
  expect([well.serverErrors, well.speechless, well.undeclared, well.leaks]).toEqual([[], [], [], []]);
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const renamed = {
    plant: 'alter table magic_links rename shared_at to planted',
    mend: 'alter table magic_links rename planted to shared_at',
  };
  // It takes no input that could be refused before the database is asked.
  const stumbling = await whileBroken(app, renamed, () => fuzzSome({ procedures: only('dashboard.progress') }));
  expect(stumbling.serverErrors.length).toBeGreaterThan(0);
  expect(said).toHaveBeenCalled();
  said.mockClear();
  const promising = only('links.one').map((one) => ({ ...one, codes: new Set(['PLANTED']) }));
  expect((await fuzzSome({ procedures: promising })).undeclared.length).toBeGreaterThan(0);
  expect((await fuzzSome({ routes: plantedRoutes(400) })).speechless.length).toBeGreaterThan(0);

  const named = (name: string) => `update users set display_name = '${name}' where id = '${world.b.person.userId}'`;
  const telling = { plant: named(canaries.A), mend: named('Berta') };
  const reported = await whileChanged(app, telling, () => fuzzSome({ procedures: only('accounts.me') }));
  expect(reported.leaks.length).toBeGreaterThan(0);
  const before = await fingerprintOfA();
  const ofA = `user_id = '${world.a.person.userId}'`;
  const touched = {
    plant: `update albums set name = name || '.' where ${ofA}`,
    mend: `update albums set name = rtrim(name, '.') where ${ofA}`,
  };
  expect(await fingerprintOfA()).toEqual(before);
  expect(await whileChanged(app, touched, fingerprintOfA)).not.toEqual(before);
});

test('everything is intact afterwards', async () => {
  const { person, things } = world.a;
  const album = await app.call('albums.one', { albumId: things.album }, person.browser);
  expect([album.status, album.body.items.length]).toEqual([200, 2]);
  const opened = await world.viewerApi.tap(things.slug, {}, newBrowser());
  expect([opened.status, opened.pictures.length]).toEqual([200, 2]);
  expect((await app.fastify.inject('/api/health')).json()).toMatchObject({ ready: true });
});

/** One request in bytes that no honest program would send, over a connection of its own. @returns the status line */
function shout(bytes: string): Promise<string> {
  const { port } = app.fastify.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')));
    socket.setTimeout(15_000, () => reject(new Error(`no answer to ${JSON.stringify(bytes.slice(0, 80))}`)));
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1');
      socket.end();
    });
    socket.on('error', () => resolve('cut'));
    socket.on('close', () => resolve(said.split('\r\n')[0] ?? ''));
  });
}

test('what is no HTTP is refused, and the next is served', async () => {
  const host = 'host: localhost\r\n';
  const shouts = [
    'GARBAGE\r\n\r\n',
    `GET / HTTP/9.9\r\n${host}\r\n`,
    `GET /\u0000 HTTP/1.1\r\n${host}\r\n`,
    `GET http://evil.example/ HTTP/1.1\r\n${host}connection: close\r\n\r\n`,
    `GET //[ HTTP/1.1\r\n${host}connection: close\r\n\r\n`,
    `GET /api/%ff%fe HTTP/1.1\r\n${host}connection: close\r\n\r\n`,
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
    `GET / HTTP/1.1\r\n${host}${'x: y\r\n'.repeat(5000)}\r\n`,
    `POST /rpc/links/list HTTP/1.1\r\n${host}content-length: 5\r\ncontent-length: 6\r\n\r\nabcde`,
    `POST /rpc/links/list HTTP/1.1\r\n${host}transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\nGET /api/me HTTP/1.1\r\n\r\n`,
    `POST /rpc/links/list HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\nZZ\r\n`,
    `POST /rpc/links/list HTTP/1.1\r\n${host}content-length: -1\r\n\r\n`,
    `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`,
    `TRACE / HTTP/1.1\r\n${host}connection: close\r\n\r\n`,
    `GET / HTTP/1.1\r\n${host}upgrade: websocket\r\nconnection: upgrade\r\n\r\n`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ];
  for (const bytes of shouts) {
    const line = await shout(bytes);
    expect([bytes.slice(0, 60), line]).toEqual([bytes.slice(0, 60), expect.not.stringMatching(/ 5\d\d /)]);
    if (!/^(cut|)$/.test(line)) expect(line).toMatch(/^HTTP\/1\.1 [234]\d\d /);
  }
  const { length } = shouts;
  printProof('fuzz', length, { noHttp: length });
  expect((await fetch(`${world.viewerApi.url}/healthz`)).status).toBe(200);
});

test('a body of 10 MB is refused by every door, and nothing of it is kept', async () => {
  const huge = JSON.stringify({ json: { note: 'x'.repeat(10_000_000) } });
  const browser = await signInQuickly(app, world.b.person.userId);
  const headers = { ...headersOf(browser), 'content-type': 'application/json', 'x-csrf-token': 'orpc' };
  for (const url of [
    '/rpc/links/create',
    '/api/v1/links',
    '/api/media/leases',
    `/api/view/${world.b.things.slug}/open`,
  ]) {
    const answer = await app.fastify.inject({ method: 'POST', url, headers, payload: huge });
    expect([url, answer.statusCode, answer.json().code ?? answer.json().json.code]).toEqual([url, 413, 'VALIDATION']);
  }
});

test('a text that no database can keep is refused by every door', async () => {
  const { person, things } = world.b;
  const browser = await signInQuickly(app, person.userId);
  for (const evil of ['a\u0000b', '\ud800']) {
    const made = await app.call('albums.create', { name: evil, peopleConsent: 'only_me' }, browser);
    expect([made.status, made.body.code]).toEqual([422, 'VALIDATION']);
    const data = encodeURIComponent(JSON.stringify({ json: { search: evil } }));
    const headers = { ...headersOf(browser), 'x-csrf-token': 'orpc' };
    const listed = await app.fastify.inject({ method: 'GET', url: `/rpc/links/list?data=${data}`, headers });
    expect([listed.statusCode, listed.json().json.code]).toEqual([422, 'VALIDATION']);
    const body = { timeZone: evil, screen: evil };
    expect((await world.viewerApi.tap(things.slug, body, newBrowser())).status).toBe(422);
  }
  const listed = await app.fastify.inject({
    method: 'GET',
    url: '/api/v1/links?search=%00',
    headers: headersOf(browser),
  });
  expect(listed.statusCode).toBe(422);
});
