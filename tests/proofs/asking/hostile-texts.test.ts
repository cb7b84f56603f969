import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectRoutes } from '#tests/support/collect-routes.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { openViewerApi } from '#tests/support/viewer-api.ts';
import { countOf, guards, printProof } from '../counts.ts';
import { type Call, sendInside } from './driver.ts';
import { fill, headerBytes, hostileTexts, listTextFields, readHeaders } from './hostile-texts.ts';

guards('src/**/*contract.ts', 'src/wire/**', 'src/kit/bounded-text.ts', 'src/app/server/server.ts');

/** What a raw route is sent, whatever it takes: bodies end at a megabyte. */
const textBytes = 990_000;
const everyMs = 20;
/** So many callers at once have waited for two seconds; a text that holds the process keeps thousands waiting. */
const mostWaiting = 100;

let app: TestApp;
let person: Person;
let url: string;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.fastify.post('/planted', { config: { who: ['anybody'] }, bodyLimit: textBytes }, async ({ body }) => ({
    isAddress: /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test((body as { text: string }).text),
  }));
  person = await signUpCreator(app);
  ({ url } = await openViewerApi(app));
});
afterAll(() => app.close());

/** Sends the calls one after another while somebody else calls steadily. @returns how many were answered, and the most that ever waited */
async function sendMeanwhile(calls: Iterable<Call>) {
  const counters = new SharedArrayBuffer(12);
  const file = new URL('../../support/servers/steady-caller.ts', import.meta.url);
  const caller = new Worker(file, { workerData: { url: `${url}/healthz`, everyMs, counters } });
  const counts = new Int32Array(counters);
  await expect.poll(() => counts[0]).toBeGreaterThan(5);
  let sent = 0;
  const statuses = new Set<number>();
  for (const call of calls) {
    const browser = { ...person.browser, address: `10.8.${(sent >> 8) & 255}.${sent & 255}` };
    const said = { 'content-type': 'application/json', origin: 'http://localhost:3000', 'x-csrf-token': 'orpc' };
    statuses.add((await sendInside(app, call, browser, said)).status);
    sent++;
  }
  caller.postMessage('end');
  await new Promise((done) => setTimeout(done, 2 * everyMs));
  await caller.terminate();
  const [answered = 0, , worst = 0] = counts;
  return { sent, statuses, answered, worst };
}

function* hostileCalls(): Generator<Call> {
  for (const [n, field] of listTextFields().entries())
    for (const [t, text] of hostileTexts.entries()) {
      // In the short form each field meets half of the texts, and each text half of the fields.
      if ((n + t) % countOf(2, 1) !== 0) continue;
      const [own, other = own] = field.callsOf(fill(text, field.mostBytes));
      yield (n + t) % 4 === 0 ? other : own;
    }
}

test('whatever stands in a text, everybody else is answered meanwhile', async () => {
  const { sent, statuses, answered, worst } = await sendMeanwhile(hostileCalls());
  printProof('hostile-texts', sent, { answered, worst });
  expect(sent).toBeGreaterThan(200);
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  expect(worst).toBeLessThan(mostWaiting);
}, 600_000);

test('so they are whatever stands in an address, in a header or in the body of a raw route', async () => {
  const routes = (await collectRoutes(app.engines)).filter(({ url: to }) => !/^\/(rpc|api\/v1|api\/live)/.test(to));
  function* calls(): Generator<Call> {
    for (const [n, route] of routes.entries())
      for (const method of [route.method].flat()) {
        const text = hostileTexts[n % hostileTexts.length] ?? hostileTexts[0];
        if (text === undefined) continue;
        const address = route.url.replaceAll(/:\w+|\*/g, () => encodeURIComponent(fill(text, 80)));
        const name = readHeaders[n % readHeaders.length] ?? 'cookie';
        const header = fill(text, headerBytes).replaceAll(/[^\x20-\x7e]/g, '?');
        const path = `${address}?cursor=${encodeURIComponent(fill(text, 2000))}`;
        yield { method, path, headers: { [name]: header } };
        yield { method, path: address, body: fill(text, textBytes), headers: { 'content-type': 'text/plain' } };
      }
    // What oRPC unfolds beside the values themselves.
    for (const [kind, text] of [
      [0, '9'.repeat(textBytes)],
      [5, `/${'('.repeat(textBytes)}/`],
      [4, `http://${'a.'.repeat(textBytes / 2)}`],
    ])
      yield {
        method: 'POST',
        path: '/rpc/accounts/signIn',
        headers: {},
        body: { json: { email: text }, meta: [[kind, 'email']] },
      };
  }
  const { sent, statuses, worst } = await sendMeanwhile(calls());
  expect(sent).toBeGreaterThan(50);
  expect([...statuses].filter((status) => status >= 500 && status !== 503)).toEqual([]);
  expect(worst).toBeLessThan(mostWaiting);
}, 600_000);

test('planted: a pattern that runs before the length keeps everybody waiting', async () => {
  const [dots] = hostileTexts;
  if (dots === undefined) throw new Error('There is no hostile text.');
  // Its time grows with the square: far above the bound also where a machine is several times as fast.
  const { worst } = await sendMeanwhile([
    { method: 'POST', path: '/planted', headers: {}, body: { text: fill(dots, 120_000) } },
  ]);
  expect(worst).toBeGreaterThan(mostWaiting);
}, 600_000);
