import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAdministrator, type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  admin = await signUpCreator(app);
  await makeAdministrator(app, admin);
});
afterAll(() => app.close());

const lcp = {
  metric: 'LCP',
  value: 3200,
  id: 'v6-1',
  navigationType: 'navigate',
  timestamp: 1_795_000_000_000,
  url: '/',
};
const send = (data: unknown, { browser }: { browser: Browser } = admin) =>
  app.fastify.inject({
    method: 'POST',
    url: '/api/webhook_events',
    headers: { ...headersOf(browser), origin: app.engines.installation.publicUrl },
    payload: { provider: 'web-vitals', event_type: 'performance_metrics', data },
  });

it("keeps an administrator's measurements with what they are worth", async () => {
  expect((await send([lcp, { ...lcp, metric: 'CLS', value: 0.02 }])).statusCode).toBe(204);
  const rows = await readRows(
    app,
    'select metric, value, rating, url, measured_at from performance_metrics order by metric',
  );
  expect(rows).toEqual([
    { metric: 'CLS', value: 0.02, rating: 'good', url: '/', measured_at: new Date(lcp.timestamp) },
    { metric: 'LCP', value: 3200, rating: 'needs-improvement', url: '/', measured_at: new Date(lcp.timestamp) },
  ]);
});

it('takes them of nobody else, whatever their page says', async () => {
  const creator = await signUpCreator(app);
  expect((await send([lcp], creator)).statusCode).toBe(403);
  expect((await send([lcp], { browser: newBrowser() })).statusCode).toBe(401);
});

it('takes what it knows, in small lots, so many a minute', async () => {
  for (const data of [[], [{ ...lcp, metric: 'FID' }], [{ ...lcp, value: -1 }], 'x'])
    expect((await send(data)).statusCode).toBe(422);
  expect((await send(Array.from({ length: 200 }, () => ({ ...lcp, url: '/x'.repeat(60) })))).statusCode).toBe(413);
  const answers = await Promise.all(Array.from({ length: 40 }, () => send([lcp])));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([204, 429]));
});
