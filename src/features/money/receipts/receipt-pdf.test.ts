import { afterAll, beforeAll, expect, it } from 'vitest';
import { receiptCode } from '#features/orders/receipts.ts';
import { syncSession } from '#features/orders/sync-orders.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { must, readRow } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { readPdf } from '#tests/support/tracing/read-pdf.ts';

let app: TestApp;
let shared: SharedAlbum;
let order: { id: string; number: number };

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2026-11-21T09:00:00.000Z');
  shared = await shareAlbum(app, { count: 1 });
  app.engines.sandbox?.deliverTo(undefined);
  await connectPayouts(app, shared.creator);
  const { slug } = await shared.makeLink(tipToOpen(1000));
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser)).body.url);
  await payAt(app, sessionId, { email: 'buyer@example.com' });
  await syncSession(app.engines, sessionId);
  order = await readRow(
    app,
    'select o.id, r.number from checkout_orders o join receipts r on r.order_id = o.id where o.session_id = $1',
    [sessionId],
  );
});
afterAll(() => app.close());

const fetchPdf = (code: string) => app.fastify.inject({ url: `/api/money/receipts/${code}/receipt.pdf` });

it('a receipt is a PDF for whoever has its address, and says what its page says', async () => {
  const answer = await fetchPdf(receiptCode(app.engines, order.id));
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="receipt-${order.number}.pdf"`,
    'cache-control': 'no-store',
  });
  const { words } = await readPdf(answer.rawPayload);
  const wanted = [
    `Receipt no. ${order.number}`,
    '$10.00 USD',
    '2026-11-21 09:00 UTC',
    'b•••@example.com',
    'PF DIGITAL',
  ];
  for (const part of [...wanted, 'This was a test payment: no real money was taken.']) expect(words).toContain(part);
  for (const part of ['buyer@', 'Refunded']) expect(words).not.toContain(part);
});

it('is nothing for a code that we did not give', async () => {
  const code = receiptCode(app.engines, order.id);
  for (const other of [order.id, code.slice(0, -2), 'nobody']) {
    const answer = await fetchPdf(other);
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'NOT_FOUND']);
  }
});

it('tells what went back since', async () => {
  await must(app, 'money.refund', { orderId: order.id }, shared.creator.browser);
  const { words } = await readPdf((await fetchPdf(receiptCode(app.engines, order.id))).rawPayload);
  for (const part of ['Refunded', 'This payment was refunded to the card.', 'The creator refunded it.'])
    expect(words).toContain(part);
});
