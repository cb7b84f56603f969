import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { untilSynced } from '#features/books/ledger-sync.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
let asked = 0;
const minute = 60_000;

beforeAll(async () => {
  const isQuestion = (endpoint: string) => endpoint === 'GET /v1/checkout/sessions/:id';
  app = await openTestApp({
    workJobs: false,
    onExchange: ({ endpoint }) => {
      if (isQuestion(endpoint)) asked += 1;
    },
  });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  // No event tells how a payment ended: whoever needs to know has to ask.
  app.engines.sandbox?.deliverTo(undefined);
});
afterAll(() => app.close());

/** A viewer who has come to the page where a link is paid. */
async function startPaying(rules: object = {}, more: object = {}) {
  const { slug, id } = await shared.makeLink({ ...tipToOpen(1000), ...rules }, more);
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  return { slug, id, browser, sessionId: sessionOf((await tapPay(app, slug, browser)).body.url) };
}

const statusOf = (sessionId: string, browser: Browser = newBrowser()) =>
  must(app, 'viewing.checkoutStatus', { sessionId }, browser);
const open = (slug: string, browser: Browser) => post(app, `/api/view/${slug}/open`, {}, browser);

describe('whoever waits for a payment', () => {
  it('waits for no books, and they follow', async () => {
    const { slug, browser, sessionId } = await startPaying();
    const { browser: other, slug: otherSlug, sessionId: otherId } = await startPaying();
    let release: () => void = () => undefined;
    const held = new Promise<void>((over) => {
      release = over;
    });
    const busy = withObjectLock(app.engines, `ledger:${app.engines.payments.realm.provider}`, () => held);
    await payAt(app, sessionId, { email: 'books@example.com' });
    await payAt(app, otherId, { email: 'books2@example.com' });
    expect(await statusOf(sessionId, browser)).toMatchObject({ state: 'done' });
    expect((await open(slug, browser)).body).toBeUndefined();
    expect((await open(otherSlug, other)).body, 'nor at the door').toBeUndefined();
    release();
    await busy;
    await untilSynced(app.engines);
    const charges = `select count(*)::int as n from ledger_transactions t join checkout_orders o on o.charge_id = t.charge_id
      where t.kind = 'charge' and o.session_id = any($1)`;
    expect(await readRow(app, charges, [[sessionId, otherId]])).toEqual({ n: 2 });
  });
});

describe('whoever has paid without anybody having told', () => {
  it('is let in although the link has expired meanwhile', async () => {
    const { slug, browser, sessionId } = await startPaying({}, { expiry: { kind: 'after', hours: 1 } });
    advance(app, 30 * minute);
    await payAt(app, sessionId);
    advance(app, 31 * minute);
    expect((await open(slug, newBrowser())).body).toMatchObject({ reason: 'NOT_FOUND' });
    expect((await open(slug, browser)).body).toBeUndefined();
  });

  it('is let in although the plan of the creator has lapsed meanwhile', async () => {
    const { slug, browser, sessionId } = await startPaying();
    await payAt(app, sessionId);
    const set = 'update users set is_free_user = $2, subscription_status = $3, trial_ends_at = null where id = $1';
    await readRows(app, set, [shared.creator.userId, false, 'inactive']);
    const answers = [await open(slug, newBrowser()), await open(slug, browser)].map(({ body }) => body?.reason);
    await readRows(app, set, [shared.creator.userId, true, 'active']);
    expect(answers).toEqual(['CREATOR_PAUSED', undefined]);
  });

  it('is noticed although the last place went to somebody else meanwhile', async () => {
    const { slug, id, browser, sessionId } = await startPaying();
    const change = { linkId: id, rules: { ...tipToOpen(1000), ageGate: false, bindFirstViewer: true } };
    await must(app, 'links.update', change, shared.creator.browser);
    const other = newBrowser();
    await tapDoor(app, slug, other);
    await payAt(app, sessionOf((await tapPay(app, slug, other)).body.url), { email: 'quicker@example.com' });
    expect((await open(slug, other)).body).toBeUndefined();
    await payAt(app, sessionId);
    await open(slug, browser);
    const state = 'select state from checkout_orders where session_id = $1';
    expect(await readRow(app, state, [sessionId])).toEqual({ state: 'paid' });
  });
});

describe('the provider', () => {
  it('is asked once for all who look at the same time, and not at once again', async () => {
    const { slug, browser, sessionId } = await startPaying();
    asked = 0;
    const look = () =>
      Promise.all([...Array.from({ length: 12 }, () => statusOf(sessionId)), open(slug, { ...browser })]);
    await look();
    await look();
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThanOrEqual(4);
  });

  it('is asked again for whoever comes while an older answer is on its way', async () => {
    const { sessionId } = await startPaying();
    const { payments } = app.engines;
    const ask = payments.findCheckout.bind(payments);
    let later: Promise<unknown> = Promise.resolve();
    vi.spyOn(payments, 'findCheckout').mockImplementationOnce(async (id) => {
      const answer = await ask(id);
      await payAt(app, sessionId);
      later = statusOf(sessionId);
      await wait(100);
      return answer;
    });
    expect(await statusOf(sessionId)).toMatchObject({ state: 'processing' });
    expect(await later).toMatchObject({ state: 'done' });
  });
});
