import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '#tests/proofs/asking/bodies.ts';
import { type Call, type Heard, restCall, rpcCall, sendInside, sendOver } from '#tests/proofs/asking/driver.ts';
import { foreign, listChanging, old, ownPage, type Page } from '#tests/proofs/asking/foreign-pages.ts';
import { listProcedures } from '#tests/proofs/asking/procedures.ts';
import { shapeOf } from '#tests/proofs/asking/routes.ts';
import { openWorld, type World } from '#tests/proofs/asking/world.ts';
import { fingerprint } from '#tests/proofs/judging/authorization.ts';
import { collectRoutes } from '#tests/support/collect-routes.ts';
import { developerHeaders } from '#tests/support/developer.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let world: World;
let routes: RouteOptions[];
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openWorld(app, { hasActors: false });
  routes = await collectRoutes(app.engines);
});
afterAll(() => app.close());

/** Everything of ours that their browser keeps: they are signed in, look at a link, and have opened /dev. */
const everyCookie = (): string => {
  const { publicUrl: url, dataDir } = app.engines.installation;
  const { person, viewer } = world.a;
  const kept = [...person.browser.cookies, ...viewer.cookies].map((pair) => pair.join('='));
  return [...kept, developerHeaders({ url, dataDir }).cookie].join('; ');
};

/** Whatever changes something: procedures through both doors, and raw routes in their own form; nothing is listed by hand. */
function listCalls(): Call[] {
  const { things } = world.a;
  const procedures = listProcedures().flatMap((procedure) => {
    const body = bodyOf(procedure.name, things);
    const rpc = rpcCall(procedure, body);
    return procedure.method === 'GET' ? [rpc] : [rpc, { ...restCall(procedure, body), body }];
  });
  const raw = listChanging(routes).map((name) => {
    const { path, body = '' } = shapeOf(name, things);
    return { method: name.split(' ')[0] ?? '', path, headers: {}, body };
  });
  return [...procedures, ...raw];
}

/** One call as a page makes it; it is asked as a browser would, over a real connection where the route answers over one. */
function ask(asked: Omit<Call, 'headers'>, headers: Record<string, string>): Promise<Heard> {
  const call = { ...asked, headers };
  return /^\/(rpc|api\/v1|dev)\//.test(call.path)
    ? sendInside(app, call, { cookies: new Map() }, { host: 'localhost:3000' })
    : sendOver(world.viewerApi.url, call, {});
}
const setsCookie = ({ headers }: Heard) => headers.has('set-cookie');

/** A form of another site that the browser goes to, as it goes to a link: what it answers is kept, cookies too. */
const form: Page = {
  origin: 'https://evil.example',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'content-type': 'application/x-www-form-urlencoded',
};

test('no form or script of another site does anything or leaves a cookie, with our cookies and without, at any route', async () => {
  const calls = listCalls();
  expect(calls.length).toBeGreaterThan(120);
  const before = await fingerprint(world);
  const cookie = everyCookie();
  const taken: string[] = [];
  const take = async (call: Call, headers: Record<string, string>) => {
    const received = await ask(call, headers);
    const { status, code } = received;
    if (status !== 403 || code !== 'CSRF' || setsCookie(received))
      taken.push(
        `${call.method} ${call.path} ${JSON.stringify({ ...headers, cookie: 'cookie' in headers })}: ${status}`,
      );
  };
  for (const call of calls) {
    for (const page of [form, ...foreign]) {
      await take(call, { ...page, cookie });
      // SameSite=Lax keeps the cookies back, and what is answered is taken all the same.
      await take(call, { ...page });
      await take({ ...call, body: '' }, { ...page });
    }
    await take(call, { ...old, cookie });
    await take({ ...call, body: '' }, { cookie });
  }
  expect(taken).toEqual([]);
  expect(await fingerprint(world)).toEqual(before);
});

const signOut = { method: 'POST', path: '/api/v1/sign-out', body: {} };

test('what our own page, a program and a bearer of a token ask goes on working', async () => {
  const cookie = [...world.a.person.browser.cookies].map((pair) => pair.join('=')).join('; ');
  const [, signed = ''] = /pf\.session_token=([^;]+)/.exec(cookie) ?? [];
  const json = { 'content-type': 'application/json' };
  const { origin = '' } = ownPage;
  const callers: Record<string, string>[] = [
    { cookie, ...ownPage },
    { cookie, origin },
    { cookie, 'sec-fetch-site': 'same-origin' },
    { cookie, 'x-csrf-token': 'orpc' },
    { authorization: `Bearer ${decodeURIComponent(signed)}` },
    { authorization: `Bearer ${decodeURIComponent(signed)}`, origin: 'https://elsewhere.example' },
  ];
  for (const headers of callers) {
    const made = await ask({ method: 'POST', path: '/api/v1/albums', body: { name: 'New' } }, { ...json, ...headers });
    expect([Object.keys(headers), made.status]).toEqual([Object.keys(headers), 200]);
  }
  const basic = { cookie, authorization: 'Basic bWlhOng=', origin: 'https://evil.example' };
  expect(await ask(signOut, { ...json, ...basic })).toMatchObject({ status: 403, code: 'CSRF' });
});

test('who brings no session takes none from the browser by signing out', async () => {
  const json = { 'content-type': 'application/json' };
  const without = await ask(signOut, json);
  expect([without.status, setsCookie(without)]).toEqual([200, false]);
  const stale = { cookie: 'pf.session_token=stale', 'x-csrf-token': 'orpc' };
  const withStale = await ask(signOut, { ...json, ...stale });
  expect([withStale.status, setsCookie(withStale)]).toEqual([200, true]);
});

test("a page of ours under another name than the installation's is told where to go, and nothing is done", async () => {
  const cookie = [...world.a.person.browser.cookies].map((pair) => pair.join('=')).join('; ');
  const { publicUrl } = app.engines.installation;
  for (const name of ['localhost.:3000', '192.168.0.9:3000', 'fans.example']) {
    const inject = (origin: string) =>
      app.fastify.inject({
        method: 'POST',
        url: '/api/v1/albums',
        payload: { name: 'Elsewhere' },
        headers: { host: name, origin, cookie, 'content-type': 'application/json' },
      });
    const own = await inject(`http://${name}`);
    expect([own.statusCode, own.json().code]).toEqual([403, 'CSRF']);
    expect(own.json().message).toBe(`PrivateFans is set up for ${publicUrl}. Open it there and try again.`);
    expect((await inject('https://evil.example')).json().message).toBe('This request came from another site.');
  }
});
