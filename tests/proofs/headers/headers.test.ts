import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { openWorld } from '../asking/world.ts';
import { guards, printProof } from '../counts.ts';
import { hearEverything } from './everything.ts';
import {
  type Heard,
  isBuilt,
  type Listener,
  listStaleReasons,
  listUnasked,
  mountBuilt,
  RouteWatch,
} from './listener.ts';

guards('src/app/server/headers.ts', 'src/app/server/site.ts', 'src/app/server/server.ts', 'src/wire/**');

let app: TestApp;
let listener: Listener;
const watch = new RouteWatch();
beforeAll(async () => {
  if (!isBuilt) throw new Error('There are no built pages. Run `npm run build`.');
  const log = { info: () => undefined, warn: () => undefined, error: (about: unknown) => console.error(about) };
  const server = { mountSite: (app: FastifyInstance) => mountBuilt(app, log), onRoute: watch.receive };
  app = await openTestApp({ workJobs: false, isLive: true, log, server });
  const world = await openWorld(app);
  listener = await hearEverything(world, { url: world.viewerApi.url, watch });
});
afterAll(() => app.close());

const policyOf = ({ headers }: Heard) => headers.get('content-security-policy') ?? '';
const directive = (policy: string, name: string) =>
  policy
    .split(';')
    .map((part) => part.trim().split(/\s+/))
    .find(([first]) => first === name)
    ?.slice(1);

/** The fifteen, each with whether an answer keeps it. */
const fifteen: readonly [string, (answer: Heard) => boolean][] = [
  ['1 a policy', (answer) => policyOf(answer) !== ''],
  [
    '2 no inline scripts',
    (answer) =>
      !(directive(policyOf(answer), 'script-src') ?? directive(policyOf(answer), 'default-src') ?? []).some((source) =>
        /unsafe-(inline|eval)|^\*$|^https?:/.test(source),
      ),
  ],
  [
    '3 nothing from elsewhere',
    (answer) => /^'(none|self)'$/.test((directive(policyOf(answer), 'default-src') ?? []).join(' ')),
  ],
  ['4 no frames around it', (answer) => directive(policyOf(answer), 'frame-ancestors')?.join() === "'none'"],
  ['5 trusted types', (answer) => policyOf(answer).includes("require-trusted-types-for 'script'")],
  ['6 nosniff', ({ headers }) => headers.get('x-content-type-options') === 'nosniff'],
  [
    '7 https only',
    ({ headers }) =>
      Number(/max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '')?.[1] ?? 0) >= 31_536_000,
  ],
  [
    '8 where from',
    ({ headers, kind }) =>
      kind === 'door'
        ? headers.get('referrer-policy') === 'no-referrer'
        : /^(no-referrer|same-origin|strict-origin(-when-cross-origin)?)$/.test(headers.get('referrer-policy') ?? ''),
  ],
  ['9 only for our pages', ({ headers }) => headers.get('cross-origin-resource-policy') === 'same-origin'],
  ['10 a window of its own', ({ headers }) => headers.get('cross-origin-opener-policy') === 'same-origin'],
  [
    '11 no camera, microphone, place or screen',
    ({ headers }) =>
      ['camera', 'microphone', 'geolocation', 'display-capture'].every((name) =>
        headers.get('permissions-policy')?.includes(`${name}=()`),
      ),
  ],
  ['12 no name of a program', ({ headers }) => !headers.has('x-powered-by') && !/\d/.test(headers.get('server') ?? '')],
  [
    '13 cookies out of reach',
    ({ headers }) =>
      headers
        .getSetCookie()
        .every((line) => /^__(Host|Secure)-/.test(line) && /; HttpOnly; SameSite=Lax; Secure$/.test(line)),
  ],
  [
    '14 not to be found',
    ({ headers, kind }) =>
      kind === 'page' || kind === 'file'
        ? true
        : kind === 'door'
          ? headers.get('x-robots-tag') === 'noindex, noarchive, nosnippet, noimageindex'
          : headers.get('x-robots-tag')?.includes('noindex') === true,
  ],
  [
    '15 kept by nobody',
    ({ headers, kind, route, status }) => {
      const kept = headers.get('cache-control') ?? '';
      if (kind === 'file') return kept.includes('immutable');
      // The shell holds nothing of anybody; it is asked for again each time.
      const isPage = kind !== 'private' || headers.get('content-type')?.startsWith('text/html');
      if (isPage) return /no-store|private|no-cache/.test(kept);
      return route === 'GET /m/c/:packId/:tag' && status === 200
        ? /private.*immutable/.test(kept)
        : /no-store|private/.test(kept);
    },
  ],
];

test('every kind of answer was really met', () => {
  expect(listener.wrong).toEqual([]);
  expect(new Set(listener.received.map(({ status }) => status))).toEqual(
    new Set([200, 201, 204, 206, 304, 400, 401, 403, 404, 408, 409, 410, 413, 415, 422, 429, 431, 500, 503]),
  );
});

const routeNames = () => watch.names;

test('every route has given an answer that is no refusal, or there is a reason why none can', () => {
  expect(routeNames().size).toBeGreaterThan(60);
  expect(listUnasked(routeNames(), listener.received)).toEqual([]);
  expect(listStaleReasons(routeNames(), listener.received)).toEqual([]);
});

test('planted: a route that nobody asks, or that only refuses, is named; so is a reason that does not hold', () => {
  const { received } = listener;
  const planted = 'GET /api/planted';
  expect(listUnasked(new Set([...routeNames(), planted]), received)).toEqual([planted]);
  const answered = new Set(
    received.flatMap(({ route, status }) => (route !== undefined && status < 400 ? [route] : [])),
  );
  expect(answered.size).toBeGreaterThan(35);
  for (const name of [...answered].filter((one) => !one.startsWith('HEAD ') || one === 'HEAD /files/:id')) {
    const refused = received.map((one) => (one.route === name ? { ...one, status: 404 } : one));
    expect(listUnasked(routeNames(), refused)).toEqual([name]);
  }
  const [first] = received;
  if (first === undefined) throw new Error('Nobody was heard.');
  const fine = { ...first, route: 'PATCH /rpc/*', status: 200 };
  expect(listStaleReasons(routeNames(), [...received, fine])).toEqual(['PATCH /rpc/*']);
});

/** Those of the fifteen that an answer misses. */
const missingIn = (answer: Heard) => fifteen.filter(([, isKept]) => !isKept(answer)).map(([name]) => name);

test('fifteen headers of fifteen on every kind of answer', () => {
  const missing = listener.received.flatMap((answer) =>
    missingIn(answer).map((name) => `${name}: ${answer.what} (${answer.status})`),
  );
  printProof('headers', listener.received.length, {
    checked: listener.received.length * 15,
    missing: missing.length,
  });
  expect(missing).toEqual([]);
});

const policyName = 'content-security-policy';
const withPolicy = (from: string | RegExp, to: string) => (headers: Headers) =>
  headers.set(policyName, (headers.get(policyName) ?? '').replace(from, to));
const setTo =
  (name: string, value: string) =>
  (headers: Headers): void =>
    headers.set(name, value);
/** For each of the fifteen, how an answer loses it. */
const losses: readonly ((headers: Headers) => void)[] = [
  (headers) => headers.delete(policyName),
  withPolicy("script-src 'self'", "script-src 'self' 'unsafe-inline'"),
  withPolicy(/default-src '\w+'/, 'default-src *'),
  withPolicy("frame-ancestors 'none'", "frame-ancestors 'self'"),
  withPolicy("require-trusted-types-for 'script'", ''),
  (headers) => headers.delete('x-content-type-options'),
  setTo('strict-transport-security', 'max-age=60'),
  setTo('referrer-policy', 'unsafe-url'),
  setTo('cross-origin-resource-policy', 'cross-origin'),
  (headers) => headers.delete('cross-origin-opener-policy'),
  setTo('permissions-policy', 'camera=(), microphone=(), geolocation=()'),
  setTo('x-powered-by', 'Fastify'),
  (headers) => headers.append('set-cookie', 'pf_viewer=1; HttpOnly; SameSite=Lax'),
  (headers) => headers.delete('x-robots-tag'),
  setTo('cache-control', 'public, max-age=60'),
];

test('planted: whichever of the fifteen an answer loses is named', () => {
  const door = listener.received.find(({ what }) => what === 'the page of a link');
  if (door === undefined) throw new Error('Nobody asked for the page of a link.');
  expect(missingIn(door)).toEqual([]);
  for (const [n, lose] of losses.entries()) {
    const headers = new Headers(door.headers);
    lose(headers);
    const missing = missingIn({ ...door, headers });
    expect(missing).toContain(fifteen[n]?.[0]);
    if (n > 0) expect(missing).toHaveLength(1);
  }
  expect(losses).toHaveLength(fifteen.length);
});

/** Ways to have text read as HTML or run as a script, in code that a browser gets. */
const sink =
  /\.(inner|outer)HTML|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML|createContextualFragment|srcdoc|DOMParser|\beval\(|new Function\(/i;
const isSource = (name: string) => /\.tsx?$/.test(name) && !name.includes('.test.');

test('no code of ours hands text over to be read as HTML', () => {
  const files = readdirSync('src', { recursive: true }).map(String).filter(isSource);
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => sink.test(readFileSync(path.join('src', file), 'utf8')))).toEqual([]);
  for (const text of ['box.innerHTML = said', '<p dangerouslySetInnerHTML={{ __html }} />', 'document.write(said)'])
    expect([text, sink.test(text)]).toEqual([text, true]);
});

test('pages add what a policy of scripts needs: no objects, no other base, forms to ourselves', () => {
  for (const answer of listener.received.filter(({ headers }) =>
    headers.get('content-type')?.startsWith('text/html'),
  )) {
    const policy = policyOf(answer);
    expect([answer.what, directive(policy, 'object-src')?.join()]).toEqual([answer.what, "'none'"]);
    expect([answer.what, directive(policy, 'base-uri')?.join()]).toEqual([answer.what, "'none'"]);
    expect([answer.what, directive(policy, 'form-action')?.join()]).toEqual([answer.what, "'self'"]);
    expect([answer.what, policy.includes('stripe')]).toEqual([answer.what, false]);
  }
});

/** 50 and less is what may be wrong; above it stand remarks for browsers of long ago. */
const worthReading = 50;
const judge = (policy: string) =>
  new CspEvaluator(new CspParser(policy).csp)
    .evaluate()
    .filter(({ severity }) => severity <= worthReading)
    .map(({ directive: of, value }) => `${of} ${value}`);

test("Google's evaluator of policies finds nothing but that our own scripts come from ourselves", () => {
  const findings = listener.received.flatMap((answer) => judge(policyOf(answer)));
  expect(new Set(findings)).toEqual(new Set(["script-src 'self'"]));
  expect(judge("script-src 'self' 'unsafe-inline'; object-src *")).toEqual(
    expect.arrayContaining(["script-src 'unsafe-inline'", 'object-src *']),
  );
});
