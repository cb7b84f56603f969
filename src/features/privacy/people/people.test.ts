import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleOpen } from '#features/money/reconcile.ts';
import { syncSession } from '#features/orders/sync-orders.ts';
import { openDataPeople } from '#tests/support/data-people.ts';
import { fansToOpen, openFanStage } from '#tests/support/money/fans.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, listTemplates, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runData } from '../commands.ts';
import { stopRenewals } from './beginning.ts';
import { eraseDuePeople, erasePerson } from './erasing.ts';

const day = 86_400_000;
let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2026-11-21T12:00:00Z');
  app.engines.sandbox?.deliverTo(undefined);
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  ({ open, buy, look, codeFor, mine } = openDataPeople(app, shared));
});
afterAll(() => app.close());

let { open, buy, look, codeFor, mine } = {} as ReturnType<typeof openDataPeople>;
const erase = async (buyer: { browser: Browser; email: string }) => {
  const answer = await app.call('privacy.eraseMine', { code: await codeFor('erase', buyer) }, buyer.browser);
  expect(answer.status).toBe(200);
  const { id } = await readRow<{ id: string }>(
    app,
    `select id from people_erasures where email = $1 and state <> 'kept'`,
    [buyer.email],
  );
  return id;
};
const stateOf = async (id: string) =>
  (await readRow<{ state: string }>(app, 'select state from people_erasures where id = $1', [id])).state;
const eraseAfterGrace = async () => {
  advance(app, 14 * day);
  await eraseDuePeople(app.engines);
  advance(app, 10 * 60_000);
  await eraseDuePeople(app.engines);
};

describe('what is kept of somebody without an account', () => {
  it('is nothing for a stranger, who cannot have anything mailed, taken along or erased', async () => {
    const stranger = newBrowser();
    expect(await mine(stranger)).toMatchObject({ isKnown: false, address: null, eraseAt: null });
    for (const [name, input] of [
      ['mailDataCode', { act: 'erase' }],
      ['exportMine', {}],
      ['eraseMine', { code: '123456' }],
      ['keepMine', {}],
    ] as const)
      expect([name, (await app.call(`privacy.${name}`, input, stranger)).status]).toEqual([name, 404]);
  });

  it('is downloaded with the code of an email, once a day', async () => {
    const buyer = await buy();
    const other = await buy();
    expect((await app.call('privacy.exportMine', { code: '000000' }, buyer.browser)).status).toBe(410);
    const code = await codeFor('export', buyer);
    const wrong = code === '123456' ? '123457' : '123456';
    expect((await app.call('privacy.exportMine', { code: wrong }, buyer.browser)).status).toBe(422);
    expect((await app.call('privacy.exportMine', { code }, other.browser)).status).toBe(410);
    const { fileName, text } = await must(app, 'privacy.exportMine', { code }, buyer.browser);
    expect(fileName).toBe('privatefans-my-data-2026-11-21.json');
    const file = JSON.parse(text);
    expect(file.address).toBe(buyer.email);
    expect(file.payments).toMatchObject([
      { state: 'paid', amountCents: 1000, receiptAt: expect.stringMatching(/receipt/) },
    ]);
    expect(file.visits).toHaveLength(1);
    expect(file.emails.map(({ what }: { what: string }) => what)).toContain('receipt');
    expect(text).not.toContain(other.email);
    const again = await app.call('privacy.exportMine', { code: await codeFor('export', buyer) }, buyer.browser);
    expect([again.status, again.body.message]).toEqual([429, expect.stringContaining('tomorrow')]);
  });

  it('is taken along without a code by a browser that no address leads to', async () => {
    const { browser } = await look();
    expect((await mine(browser)).address).toBeNull();
    const { text } = await must(app, 'privacy.exportMine', {}, browser);
    expect(JSON.parse(text)).toMatchObject({ address: null, payments: [], visits: [{}] });
    expect((await app.call('privacy.exportMine', {}, browser)).status).toBe(429);
  });

  it('is told before it is erased, with what does not open any more and what stays', async () => {
    const { browser } = await buy();
    const { effects, address } = await mine(browser);
    expect(effects).toMatchObject({
      purchases: 1,
      losing: [{ kind: 'tip' }],
      visits: 1,
      payments: 1,
      isAccount: false,
    });
    expect(address).toMatch(/^b•••@/);
  });
});

describe('an erasure', () => {
  it('takes a code of its own, which works once, however often it is sent at the same moment', async () => {
    const buyer = await buy();
    const code = await codeFor('export', buyer);
    expect((await app.call('privacy.eraseMine', { code }, buyer.browser)).status, 'a code of the other act').toBe(410);
    const right = await codeFor('erase', buyer);
    const both = await Promise.all([1, 2].map(() => app.call('privacy.eraseMine', { code: right }, buyer.browser)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 410]);
    const again = { code: await codeFor('erase', buyer) };
    expect((await app.call('privacy.eraseMine', again, buyer.browser)).status).toBe(409);
    expect(await readRows(app, 'select 1 from people_erasures where email = $1', [buyer.email])).toHaveLength(1);
  });

  it('is called off until its very instant, and changes nothing before', async () => {
    const buyer = await buy();
    await erase(buyer);
    expect((await open(buyer.slug, buyer.browser)).status).toBe(200);
    expect(await listTemplates(app, buyer.email)).toContain('erasure_begun');
    const code = await codeFor('keep', buyer);
    expect((await app.call('privacy.keepMine', { code }, buyer.browser)).status).toBe(200);
    expect(await mine(buyer.browser)).toMatchObject({ eraseAt: null });
    const id = await erase(buyer);
    advance(app, 14 * day - 120_000);
    const late = await codeFor('keep', buyer);
    advance(app, 120_000);
    expect((await app.call('privacy.keepMine', { code: late }, buyer.browser)).status).toBe(409);
    expect(await stateOf(id)).toBe('waiting');
  });

  it('empties what leads to them, keeps the record of the payment, and mails a certificate', async () => {
    const buyer = await buy();
    const { viewer } = await readRow<{ viewer: string }>(
      app,
      'select viewer_id as viewer from checkout_orders where link_id = $1',
      [buyer.linkId],
    );
    const id = await erase(buyer);
    await eraseAfterGrace();
    expect(await stateOf(id)).toBe('done');
    expect(await mine(buyer.browser)).toMatchObject({ isKnown: false });
    const order = await readRow(
      app,
      `select o.state, o.viewer_id as viewer, b.email from checkout_orders o join buyers b on b.id = o.buyer_id where o.link_id = $1`,
      [buyer.linkId],
    );
    expect(order).toEqual({ state: 'paid', viewer: null, email: expect.stringMatching(/@erased\.invalid$/) });
    expect(await readRows(app, 'select 1 from viewer_sessions where viewer_id = $1', [viewer])).toEqual([]);
    expect(await readRows(app, 'select 1 from viewer_devices where viewer_id = $1', [viewer])).toEqual([]);
    expect(await listTemplates(app, buyer.email)).toEqual(['person_erased']);
    const kept = await readRow<{ email: string | null }>(app, 'select email from people_erasures where id = $1', [id]);
    expect(kept.email).toBeNull();
    expect(JSON.parse(await runData(app.engines, ['certificate', id])).subjects).toContainEqual({
      kind: 'viewer',
      id: viewer,
    });
  });

  it('does not bring the address back when the provider is asked about an old payment', async () => {
    const buyer = await buy();
    await erase(buyer);
    await eraseAfterGrace();
    await readRows(app, `update checkout_orders set refunded_cents = 0, charge_id = null where link_id = $1`, [
      buyer.linkId,
    ]);
    const { session } = await readRow<{ session: string }>(
      app,
      'select session_id as session from checkout_orders where link_id = $1',
      [buyer.linkId],
    );
    await syncSession(app.engines, session);
    expect(await readRows(app, 'select 1 from buyers where email = $1', [buyer.email])).toEqual([]);
  });

  it('goes on wherever a process that erased somebody was killed, and is told of it once', async () => {
    const buyer = await buy();
    const id = await erase(buyer);
    advance(app, 14 * day);
    await erasePerson(app.engines, id);
    advance(app, 10 * 60_000);
    const { database } = app.engines;
    const real = database.work.bind(database);
    let rounds = 0;
    while ((await stateOf(id)) !== 'done') {
      let left = rounds++;
      database.work = (async (...args: Parameters<typeof real>) => {
        if (left-- <= 0) throw new Error('killed');
        return real(...args);
      }) as typeof database.work;
      await erasePerson(app.engines, id).catch(() => undefined);
      Object.assign(database, { work: real });
    }
    expect(rounds).toBeGreaterThan(10);
    expect(await listTemplates(app, buyer.email)).toEqual(['person_erased']);
  });

  it('of a browser without an address begins with a tap, and forgets it', async () => {
    const { browser, slug } = await look();
    await must(app, 'privacy.eraseMine', {}, browser);
    expect((await app.call('privacy.eraseMine', {}, browser)).status).toBe(409);
    expect((await mine(browser)).eraseAt).not.toBeNull();
    await eraseAfterGrace();
    expect(await mine(browser)).toMatchObject({ isKnown: false, eraseAt: null });
    expect((await open(slug, browser)).status).toBe(200);
  });
});

it('a subscription is not renewed once its erasure was asked for, and ends with it', async () => {
  const stage = await openFanStage(app);
  const fan = await stage.makeFan({ tier: stage.tierId, rules: fansToOpen([stage.tierId]), failsNext: false });
  const { email, browser } = fan;
  expect((await mine(browser)).effects.subscriptions).toHaveLength(1);
  const id = await erase({ email, browser });
  await stopRenewals(app.engines, id);
  const fanRow = () =>
    readRow<{ ending: boolean; ended: Date | null }>(
      app,
      `select f.cancel_at_period_end as ending, f.ended_at as ended from fan_subscriptions f join buyers b on b.id = f.buyer_id where b.email = $1`,
      [email],
    );
  expect(await fanRow()).toEqual({ ending: true, ended: null });
  const { id: fanId } = await readRow<{ id: string }>(
    app,
    'select f.id from fan_subscriptions f join buyers b on b.id = f.buyer_id where b.email = $1',
    [email],
  );
  await eraseAfterGrace();
  expect(await stateOf(id)).toBe('done');
  const after = await readRow<{ ended: Date | null; viewer: string | null }>(
    app,
    'select ended_at as ended, viewer_id as viewer from fan_subscriptions where id = $1',
    [fanId],
  );
  expect([after.ended !== null, after.viewer]).toEqual([true, null]);
});

it('an erasure waits while something is being paid, and while a bank decides', async () => {
  const buyer = await buy();
  const id = await erase(buyer);
  advance(app, 14 * day);
  const { slug } = await shared.makeLink(tipToOpen(1000), { expiry: { kind: 'never' } });
  await tapDoor(app, slug, buyer.browser);
  const session = sessionOf((await tapPay(app, slug, buyer.browser)).body.url);
  await erasePerson(app.engines, id);
  expect(await stateOf(id)).toBe('waiting');
  await payAt(app, session, { email: buyer.email });
  await settleOpen(app.engines, 0);
  await readRows(
    app,
    `insert into disputes (id, provider, livemode, dispute_id, charge_id, order_id, creator_id, viewer_id, status, standing, reason, amount_cents, currency, opened_at, created_at)
select gen_random_uuid(), provider, livemode, 'dp_' || id, charge_id, id, creator_id, viewer_id, 'needs_response', 'open', 'fraudulent', amount_cents, currency, now(), now()
from checkout_orders where link_id = $1`,
    [buyer.linkId],
  );
  await erasePerson(app.engines, id);
  expect(await stateOf(id)).toBe('erasing');
  advance(app, 179 * day);
  await erasePerson(app.engines, id);
  expect(await stateOf(id)).toBe('erasing');
  await readRows(
    app,
    `update disputes set decided_at = now(), standing = 'won' where order_id in (select id from checkout_orders where link_id = $1)`,
    [buyer.linkId],
  );
  await erasePerson(app.engines, id);
  expect(await stateOf(id)).toBe('done');
});
