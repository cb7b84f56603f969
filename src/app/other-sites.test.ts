import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foreign, listChanging, old, ownPage, type Page } from '#tests/proofs/foreign-calls.ts';
import { fingerprint } from '#tests/proofs/matrix.ts';
import { bodyOf } from '#tests/proofs/matrix-bodies.ts';
import { listRows } from '#tests/proofs/matrix-doors.ts';
import { sendShape, shapeOf } from '#tests/proofs/raw-shapes.ts';
import { openRawWorld, type RawWorld } from '#tests/proofs/raw-things.ts';
import { collectRoutes } from '#tests/support/collect-routes.ts';
import { developerHeaders } from '#tests/support/developer.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let world: RawWorld;
let routes: RouteOptions[];
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openRawWorld(app);
  routes = await collectRoutes(app.engines);
}, 120_000);
afterAll(() => app.close());

/** Everything of ours that her browser keeps: she is signed in, looks at a link, and has opened /dev. */
const everyCookie = (): string => {
  const { publicUrl: url, dataDir } = app.engines.installation;
  const { person } = world.a;
  const kept = [...person.browser.cookies, ...world.viewerOfA.cookies].map((pair) => pair.join('='));
  return [...kept, developerHeaders({ url, dataDir }).cookie].join('; ');
};

interface Call {
  method: string;
  path: string;
  body: object | string;
}
interface Answer {
  status: number;
  code: unknown;
  setsCookie: boolean;
}

/** Whatever changes something: procedures through both doors, and raw routes in their own form; nothing is listed by hand. */
function listCalls(): Call[] {
  const things = world.things('A');
  const procedures = listRows().flatMap(({ name, method, path }) => {
    const body = bodyOf(name, things) as Record<string, unknown>;
    const filled = path.replace(/\{(\w+)\}/g, (_, word: string) => encodeURIComponent(String(body[word])));
    const rpc = { method: 'POST', path: `/rpc/${name.replace('.', '/')}`, body: { json: body } };
    return method === 'GET' ? [rpc] : [rpc, { method, path: `/api/v1${filled}`, body }];
  });
  const raw = listChanging(routes).map((name) => {
    const { path, body = '' } = shapeOf(name, things);
    return { method: name.split(' ')[0] ?? '', path, body };
  });
  return [...procedures, ...raw];
}

const own = { host: 'localhost:3000' };

/** One call as a page makes it; it is asked as a browser would, over a real line where the route answers over one. */
async function ask({ method, path, body }: Call, headers: Record<string, string>): Promise<Answer> {
  const isInjected = /^\/(rpc|api\/v1|dev)\//.test(path);
  if (isInjected) {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await app.fastify.inject({
      method: method as 'POST',
      url: path,
      headers: { ...own, ...headers },
      payload,
    });
    const said = answer.body.startsWith('{') ? answer.json() : {};
    return { status: answer.statusCode, code: (said.json ?? said).code, setsCookie: 'set-cookie' in answer.headers };
  }
  const { status, headers: head, bytes } = await sendShape(world.viewerApi.url, { method, path, body, headers }, {});
  const text = bytes.toString();
  return { status, code: text.startsWith('{') ? JSON.parse(text).code : undefined, setsCookie: head.has('set-cookie') };
}

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
    const { status, code, setsCookie } = await ask(call, headers);
    if (status !== 403 || code !== 'CSRF' || setsCookie)
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
}, 300_000);

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
  expect(await ask(signOut, json)).toMatchObject({ status: 200, setsCookie: false });
  const stale = { cookie: 'pf.session_token=stale', 'x-csrf-token': 'orpc' };
  expect(await ask(signOut, { ...json, ...stale })).toMatchObject({ status: 200, setsCookie: true });
});
