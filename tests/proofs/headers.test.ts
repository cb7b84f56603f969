import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { tellProof } from './counts.ts';
import { type Heard, hearEverything, isBuilt, type Listener, openLiveHouse } from './header-answers.ts';

let house: HouseInTest;
let listener: Listener;
let close = async () => {};
beforeAll(async () => {
  if (!isBuilt) throw new Error('There are no built pages. Run `npm run build`.');
  house = await openHouse({ workJobs: false });
  const live = await openLiveHouse(house);
  close = () => live.app.close();
  listener = await hearEverything(house, live.url);
}, 120_000);
afterAll(async () => {
  await close();
  await house.close();
});

const policyOf = ({ headers }: Heard) => headers.get('content-security-policy') ?? '';
const directive = (policy: string, name: string) =>
  policy
    .split(';')
    .map((part) => part.trim().split(/\s+/))
    .find(([first]) => first === name)
    ?.slice(1);

const isReactPage = ({ kind, headers }: Heard) =>
  kind !== 'door' && headers.get('content-type')?.startsWith('text/html') === true;

/** Proving §2.5: the fifteen, each with whether an answer keeps it. */
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
  [
    '5 trusted types',
    // React Router writes its state into script elements, which no policy can tell from others: §2.5 leaves these pages out.
    (answer) => isReactPage(answer) || policyOf(answer).includes("require-trusted-types-for 'script'"),
  ],
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
    ({ headers, kind, what }) => {
      const kept = headers.get('cache-control') ?? '';
      if (kind === 'file') return kept.includes('immutable');
      // The shell holds nothing of anybody; it is asked for anew each time.
      const isPage = kind !== 'private' || headers.get('content-type')?.startsWith('text/html');
      if (isPage) return /no-store|private|no-cache/.test(kept);
      return what === 'bytes' ? /private.*immutable/.test(kept) : /no-store|private/.test(kept);
    },
  ],
];

test('every kind of answer was really met', () => {
  expect(listener.wrong).toEqual([]);
  expect(new Set(listener.heard.map(({ status }) => status))).toEqual(
    new Set([200, 201, 204, 206, 304, 400, 401, 403, 404, 409, 410, 413, 415, 422]),
  );
});

test('fifteen headers of fifteen on every kind of answer', () => {
  const missing = listener.heard.flatMap((answer) =>
    fifteen.filter(([, isKept]) => !isKept(answer)).map(([name]) => `${name}: ${answer.what} (${answer.status})`),
  );
  tellProof('headers', listener.heard.length, { checked: listener.heard.length * 15, missing: missing.length });
  expect(missing).toEqual([]);
});

test('pages add what a policy of scripts needs: no objects, no other base, forms to ourselves', () => {
  for (const answer of listener.heard.filter(({ headers }) => headers.get('content-type')?.startsWith('text/html'))) {
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

test('Google’s evaluator of policies finds nothing but that our own scripts come from ourselves', () => {
  const findings = listener.heard.flatMap((answer) => judge(policyOf(answer)));
  expect(new Set(findings)).toEqual(new Set(["script-src 'self'"]));
  expect(judge("script-src 'self' 'unsafe-inline'; object-src *")).toEqual(
    expect.arrayContaining(["script-src 'unsafe-inline'", 'object-src *']),
  );
});
