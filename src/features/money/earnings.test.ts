import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  connectPayouts,
  payAt,
  payToOpen,
  sessionOf,
  tapDoor,
  tapPay,
  tipToOpen,
} from '#tests/support/money/selling.ts';
import { must, pass, readRow } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { projectSession } from './project.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
let app: TestApp;
let shared: SharedAlbum;
const links: Record<string, string> = {};
const hour = 3_600_000;
/** Her day is another one than that of UTC. */
const timeZone = 'Pacific/Auckland';

/** Somebody pays for a link of its own. @returns the order */
async function sell(name: string, rules: object, more: object): Promise<string> {
  const { slug, id } = await shared.makeLink(rules);
  links[name] = id;
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser, 1000, more)).body.url);
  await payAt(app, sessionId);
  await projectSession(app.engines, sessionId);
  return (await readRow<{ id: string }>(app, 'select id from checkout_orders where session_id = $1', [sessionId])).id;
}

const list = async (filter: string) =>
  (await must(app, 'money.listEarnings', { filter }, shared.creator.browser)).rows.map(
    ({ kind, link }: { kind: string; link: { id: string } }) =>
      `${kind} ${Object.keys(links).find((name) => links[name] === link.id)}`,
  );

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2026-11-21T09:00:00.000Z');
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  await app.engines.database.work({ kind: 'system' }, ({ db }) =>
    db.updateTable('users').set({ time_zone: timeZone }).where('id', '=', shared.creator.userId).execute(),
  );
  await sell('tip', tipToOpen(1000), {});
  pass(app, 3 * hour);
  const sold = { offerId: 'pay', amountCents: 2500 };
  await sell('album', payToOpen(2500), sold);
  pass(app, hour);
  const orderId = await sell('returned', payToOpen(2500), sold);
  pass(app, hour);
  await must(app, 'money.refund', { orderId }, shared.creator.browser);
});
afterAll(() => app.close());

it('the list shows what was asked for, newest first, each with its link, page by page', async () => {
  expect(await list('all')).toEqual(['refund returned', 'album returned', 'album album', 'tip tip']);
  expect(await list('tips')).toEqual(['tip tip']);
  expect(await list('albums')).toEqual(['album returned', 'album album']);
  expect(await list('refunds')).toEqual(['refund returned']);
  const pages: number[] = [];
  let cursor: string | null = null;
  do {
    const wish: object = { limit: 1, ...(cursor !== null && { cursor }) };
    const page = await must(app, 'money.listEarnings', wish, shared.creator.browser);
    pages.push(...page.rows.map(({ amountCents }: { amountCents: number }) => amountCents));
    cursor = page.nextCursor;
  } while (cursor !== null && pages.length < 9);
  expect(pages).toEqual([-2250, 2250, 2250, 900]);
});

it('the chart counts by day and month where she is, and adds up to what she earned', async () => {
  const chart = (span: string) => must(app, 'money.chart', { span }, shared.creator.browser);
  const { by, parts } = await chart('30d');
  expect([by, parts.length]).toEqual(['day', 30]);
  // Nine in the morning in UTC is ten in the evening there; three hours later it is tomorrow.
  expect(parts.slice(-2)).toEqual([
    { day: '2026-11-21', tips: 900, albums: 0, refunds: 0 },
    { day: '2026-11-22', tips: 0, albums: 4500, refunds: -2250 },
  ]);
  const { parts: months, ...about } = await chart('12m');
  expect([about.by, months.length, months.at(-1)]).toEqual([
    'month',
    12,
    { day: '2026-11-01', tips: 900, albums: 4500, refunds: -2250 },
  ]);
  expect((await chart('90d')).parts).toHaveLength(90);
  const { earnings } = await must(app, 'money.earnings', {}, shared.creator.browser);
  expect(earnings).toMatchObject({ totalEarned: 3150, monthlyTips: 900, monthlyPurchases: 2250 });
});
