import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syncSession } from '#features/orders/sync-orders.ts';
import {
  connectPayouts,
  payAt,
  payToOpen,
  post,
  sessionOf,
  tapDoor,
  tapPay,
  tipToOpen,
} from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { readPdf } from '#tests/support/tracing/read-pdf.ts';

let app: TestApp;
let shared: SharedAlbum;
const links: Record<string, string> = {};
const hour = 3_600_000;
/** Their day is another one than that of UTC. */
const timeZone = 'Pacific/Auckland';

/** Somebody pays for a link of its own. @returns the order */
async function sell(name: string, rules: object, more: object): Promise<string> {
  const { slug, id } = await shared.makeLink(rules);
  links[name] = id;
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser, 1000, more)).body.url);
  await payAt(app, sessionId);
  await syncSession(app.engines, sessionId);
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
  advance(app, 3 * hour);
  const sold = { offerId: 'pay', amountCents: 2500 };
  await sell('album', payToOpen(2500), sold);
  advance(app, hour);
  const orderId = await sell('returned', payToOpen(2500), sold);
  advance(app, hour);
  await must(app, 'money.refund', { orderId }, shared.creator.browser);
});
afterAll(() => app.close());

it('the list shows what was asked for, newest first, each with its link, page by page', async () => {
  expect(await list('all')).toEqual(['refund returned', 'album returned', 'album album', 'tip tip']);
  expect(await list('tips')).toEqual(['tip tip']);
  expect(await list('albums')).toEqual(['album returned', 'album album']);
  expect(await list('refunds')).toEqual(['refund returned']);
  const { rows: fees } = await must(app, 'money.listEarnings', { filter: 'fees' }, shared.creator.browser);
  expect(fees).toMatchObject([
    { kind: 'fee', amountCents: 250, grossCents: 2500, canRefund: false },
    { kind: 'fee', amountCents: -250, grossCents: 2500, canRefund: false },
    { kind: 'fee', amountCents: -250, grossCents: 2500, canRefund: false },
    { kind: 'fee', amountCents: -100, grossCents: 1000, canRefund: false },
  ]);
  expect(await list('payouts')).toEqual([]);
  const pages: number[] = [];
  let cursor: string | null = null;
  do {
    const params: object = { limit: 1, ...(cursor !== null && { cursor }) };
    const page = await must(app, 'money.listEarnings', params, shared.creator.browser);
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
    { day: '2026-11-21', tips: 900, albums: 0, subscriptions: 0, customs: 0, refunds: 0 },
    { day: '2026-11-22', tips: 0, albums: 4500, subscriptions: 0, customs: 0, refunds: -2250 },
  ]);
  const { parts: months, ...about } = await chart('12m');
  expect([about.by, months.length, months.at(-1)]).toEqual([
    'month',
    12,
    { day: '2026-11-01', tips: 900, albums: 4500, subscriptions: 0, customs: 0, refunds: -2250 },
  ]);
  expect((await chart('90d')).parts).toHaveLength(90);
  const { earnings } = await must(app, 'money.earnings', {}, shared.creator.browser);
  expect(earnings).toMatchObject({ totalEarned: 3150, monthlyTips: 900, monthlyPurchases: 2250 });
});

it('what is pending is told with the days from which it is available, and is available then', async () => {
  const ask = () => must(app, 'money.payouts', {}, shared.creator.browser);
  // A new creator's part rests for seven days; what goes back is taken from what rests, the first day first.
  expect(await ask()).toMatchObject({
    account: 'complete',
    isRestricted: false,
    missing: [],
    available: 0,
    currency: 'usd',
    isSandbox: true,
    pending: [{ on: '2026-11-29', cents: 3150 }],
    made: [],
  });
  const now = new Date(app.engines.clock()).toISOString();
  advance(app, 8 * 24 * hour);
  expect(await ask()).toMatchObject({ available: 3150, pending: [] });
  app.setNow(now);
});

describe('a statement', () => {
  const fetchFile = (name: string, browser = shared.creator.browser) =>
    app.fastify.inject({ url: `/api/money/statement.${name}`, headers: headersOf(browser) });
  const tableOf = ({ body }: { body: string }) =>
    body
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));

  it('of a month has every sale, fee and refund, and adds up to the balance', async () => {
    const answer = await fetchFile('csv?period=2026-11');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="statement-2026-11.csv"',
      'cache-control': 'no-store',
    });
    const [head, ...lines] = tableOf(answer);
    expect(head?.slice(1)).toEqual(['What', 'Link', 'Order', 'Amount', 'Balance', 'Currency']);
    expect(lines.map(([, what, , , amount, balance]) => `${what} ${amount} ${balance}`)).toEqual([
      'Balance before  0.00',
      'Tip 10.00 10.00',
      'Platform fee -1.00 9.00',
      'Album 25.00 34.00',
      'Platform fee -2.50 31.50',
      'Album 25.00 56.50',
      'Platform fee -2.50 54.00',
      ...['Platform fee returned 2.50 56.50', 'Refund -25.00 31.50'],
      'Balance after  31.50',
    ]);
    expect(lines[1]?.[0]).toMatch(/^2026-11-21 2/);
    const { earnings, balance } = await must(app, 'money.earnings', {}, shared.creator.browser);
    expect([earnings.lifetimeEarned, balance.available + balance.pending]).toEqual([3150, 3150]);
  });

  it('of the month after begins with what is owed, and a year tells its months', async () => {
    const lines = tableOf(await fetchFile('csv?period=2026-12')).map(([, what, , , , balance]) => `${what} ${balance}`);
    expect(lines.slice(1)).toEqual(['Balance before 31.50', 'Balance after 31.50']);
    const year = tableOf(await fetchFile('csv?period=2026'));
    expect(year).toHaveLength(13);
    expect(year[11]).toEqual([
      '2026-11',
      '60.00',
      '-6.00',
      '-25.00',
      '2.50',
      '0.00',
      '0.00',
      '0.00',
      '31.50',
      '31.50',
      'USD',
    ]);
    expect(year[12]?.slice(-3)).toEqual(['0.00', '31.50', 'USD']);
  });

  it('is pages as well, with the same lines', async () => {
    for (const [period, title] of [
      ['2026-11', 'Statement for Nov 2026'],
      ['2026', 'Earnings in 2026'],
    ] as const) {
      const { rawPayload, headers } = await fetchFile(`pdf?period=${period}`);
      expect(headers['content-type']).toBe('application/pdf');
      const { words } = await readPdf(rawPayload);
      for (const part of [title, 'Test payments: no real money.', '$31.50', '-$25.00']) expect(words).toContain(part);
    }
  });

  it('is for whoever is signed in, of her own books, and of a period that there is', async () => {
    for (const kind of ['csv', 'pdf']) {
      expect((await fetchFile(`${kind}?period=2026-11`, newBrowser())).statusCode).toBe(401);
      for (const period of ['', '2026-13', '26', '2026-11-01'])
        expect((await fetchFile(`${kind}?period=${period}`)).statusCode).toBe(422);
    }
    const eve = await signUpCreator(app);
    const lines = tableOf(await fetchFile('csv?period=2026-11', eve.browser)).map(
      ([, what, , , , balance]) => `${what} ${balance}`,
    );
    expect(lines.slice(1)).toEqual(['Balance before 0.00', 'Balance after 0.00']);
  });
});

describe('a payment', () => {
  const orderOf = async (name: string) => {
    const { rows } = await must(app, 'money.listEarnings', { filter: 'all' }, shared.creator.browser);
    return rows.find(
      ({ link, kind }: { link: { id: string }; kind: string }) => link.id === links[name] && kind !== 'refund',
    ).orderId as string;
  };
  const ask = (orderId: string, browser = shared.creator.browser) =>
    app.call('money.earningOrder', { orderId }, browser);

  it('tells what was paid, the fee, what is hers, how it stands and its receipt', async () => {
    const about = { receiptNumber: expect.any(Number), currency: 'usd', requestId: null };
    expect((await ask(await orderOf('tip'))).body).toMatchObject({
      ...about,
      kind: 'tip',
      state: 'paid',
      amountCents: 1000,
      feeCents: 100,
      refundedCents: 0,
      keptCents: 900,
      link: { id: links.tip },
      visit: null,
    });
    expect((await ask(await orderOf('returned'))).body).toMatchObject({
      ...about,
      state: 'refunded',
      amountCents: 2500,
      refundedCents: 2500,
      keptCents: 0,
    });
  });

  it('leads to the first visit since, and to none of an anonymous payment; it is shown to its creator alone', async () => {
    const { slug, id } = await shared.makeLink(tipToOpen(1000));
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    const sessionId = sessionOf((await tapPay(app, slug, browser, 1000)).body.url);
    await payAt(app, sessionId);
    await syncSession(app.engines, sessionId);
    advance(app, 60_000);
    for (let n = 0; n < 2; n++) {
      await post(app, `/api/view/${slug}/open`, {}, browser);
      advance(app, hour);
    }
    const { id: orderId } = await readRow<{ id: string }>(app, 'select id from checkout_orders where session_id = $1', [
      sessionId,
    ]);
    const { visit } = (await ask(orderId)).body;
    expect(visit).toMatchObject({ linkId: id, device: 'a browser' });
    const params = { linkId: id, cursor: visit.cursor, limit: 9 };
    const { visits } = await must(app, 'insights.visitsOfLink', params, shared.creator.browser);
    expect(visits.map(({ startedAt }: { startedAt: string }) => startedAt)).toEqual([visit.at]);
    expect((await ask(orderId, (await signUpCreator(app)).browser)).status).toBe(404);
    await readRows(app, 'update checkout_orders set is_anonymous = true where id = $1', [orderId]);
    expect((await ask(orderId)).body.visit).toBe(null);
  });
});
