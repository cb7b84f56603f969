import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { leftMs, withDeadline } from '#engines/deadline.ts';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { syncLedger, untilSynced } from '#features/books/ledger-sync.ts';
import { settleCheckout } from '#features/orders/asking.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { stopInbox, wakeInbox, workInbox } from './inbox.ts';
import { keepEvents, takeEvents } from './inbox-store.ts';

const start = '2026-12-01T12:00:00.000Z';
let app: TestApp;
let shared: SharedAlbum;
let slug: string;
let asked: string[];

/** Of a list only its first page. */
const receive = ({ endpoint, params }: { endpoint: string; params: unknown }) => {
  if (!('starting_after' in (params as object))) asked?.push(endpoint);
};

beforeAll(async () => {
  app = await openTestApp({ workJobs: false, onExchange: receive });
  app.setNow(start);
  app.engines.sandbox?.deliverTo(undefined);
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  ({ slug } = await shared.makeLink(tipToOpen(1000)));
});
beforeEach(async () => {
  app.setNow(start);
  await readRows(app, 'update webhook_inbox set processed_at = now() where processed_at is null returning 1');
  await syncLedger(app.engines);
  asked = [];
});
afterAll(() => app.close());

const count = (endpoint: string) => asked.filter((one) => one === endpoint).length;
const session = 'GET /v1/checkout/sessions/:id';
const books = 'GET /v1/balance_transactions';

/** Some people have paid, and every event of their payments has come; nothing of it was looked at yet. */
async function payMany(many: number): Promise<string[]> {
  const known = new Set((await readRows(app, 'select event_id from webhook_inbox')).map(({ event_id: id }) => id));
  const sessions: string[] = [];
  for (let n = 0; n < many; n++) {
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    const sessionId = sessionOf((await tapPay(app, slug, browser)).body.url);
    await payAt(app, sessionId, { email: `buyer-${n}@example.com` });
    sessions.push(sessionId);
  }
  const { database, payments, linkClock } = app.engines;
  for await (const event of payments.undelivered())
    if (!known.has(event.eventId))
      await keepEvents(database, payments.realm, [{ hook: 'stripe', event, at: new Date(linkClock()) }]);
  asked = [];
  return sessions;
}

const readInbox = () =>
  readRow<{ open: number; tried: number }>(
    app,
    `select (count(*) filter (where processed_at is null))::int as open, coalesce(sum(attempts) filter (where processed_at is null), 0)::int as tried from webhook_inbox`,
  );

describe('work whose time is over', () => {
  it('leaves no inbox behind that cannot act any more', async () => {
    await payMany(1);
    const warn = vi.spyOn(app.engines.log, 'warn');
    await withDeadline(-1, async () => wakeInbox(app.engines));
    await vi.waitFor(async () => expect((await readInbox()).open).toBe(0), { interval: 50 });
    expect(warn, 'nor waits for an answer that it may not hear').not.toHaveBeenCalled();
  });

  it('takes nothing from others who wait for the same run', async () => {
    await payMany(1);
    const hurried = expect(withDeadline(-1, () => workInbox(app.engines))).rejects.toThrow();
    await workInbox(app.engines);
    await hurried;
    expect((await readInbox()).open).toBe(0);
  });
});

describe('payments that come together', () => {
  it('cost one question each and one reading of the books, however many events tell of them', async () => {
    await payMany(6);
    expect((await readInbox()).open, 'three events tell of a payment').toBe(18);
    const before = app.engines.database.statementCount();
    await workInbox(app.engines);
    const statements = app.engines.database.statementCount() - before;
    expect([count(session), count(books), asked.length]).toEqual([6, 1, 7]);
    expect((await readInbox()).open).toBe(0);
    const paid = await readRows(app, `select 1 from checkout_orders where state = 'paid'`);
    expect(paid.length).toBeGreaterThanOrEqual(6);
    // The sandbox's own among them; each is two calls of the system and more.
    expect(statements / 6).toBeLessThanOrEqual(75);
  });

  it('are asked about a few at a time, so that connections are left to people', async () => {
    await payMany(8);
    const own = app.engines.payments;
    let [inside, most] = [0, 0];
    const three = Promise.withResolvers<void>();
    app.engines.payments = {
      ...own,
      async findCheckout(id) {
        most = Math.max(most, ++inside);
        // None goes on before three are here, and a fourth has had its chance: how fast they are decides nothing.
        if (inside === 3) setTimeout(three.resolve, 50);
        await three.promise;
        return own.findCheckout(id).finally(() => inside--);
      },
    };
    await workInbox(app.engines).finally(() => {
      app.engines.payments = own;
    });
    expect([most, (await readInbox()).open]).toEqual([3, 0]);
  });

  it('are nobody else’s while they are acted upon', async () => {
    await payMany(1);
    const own = app.engines.payments;
    const { promise: asking, resolve: isAsking } = Promise.withResolvers<void>();
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    app.engines.payments = {
      ...own,
      async findCheckout(id) {
        isAsking();
        await answer;
        return own.findCheckout(id);
      },
    };
    const working = workInbox(app.engines);
    await asking;
    const soon = new Date(app.engines.linkClock() + 60_000);
    expect(await takeEvents(app.engines.database, own.realm, { now: soon, until: soon, limit: 50 })).toEqual([]);
    resolve();
    await working;
    app.engines.payments = own;
    expect((await readInbox()).open).toBe(0);
  });

  it('are not asked about again where their payer came back when all of it had been told', async () => {
    const [sessionId = ''] = await payMany(1);
    const events = await readRows(app, 'select event_id from webhook_inbox where processed_at is null');
    for (const { event_id: id } of events) wakeInbox(app.engines, String(id));
    await settleCheckout(app.engines, sessionId);
    await workInbox(app.engines);
    expect([count(session), (await readInbox()).open]).toEqual([1, 0]);
  });

  it('have a deadline, however long the provider takes', async () => {
    const own = app.engines.payments;
    const [accountId = ''] = (await readRows(app, 'select acct_id from user_stripe_accounts')).map(({ acct_id }) =>
      String(acct_id),
    );
    const left: number[] = [];
    app.engines.payments = {
      ...own,
      async findAccount(id) {
        left.push(leftMs());
        return own.findAccount(id);
      },
    };
    const about = { type: 'v2.core.account.updated', objectId: accountId, accountId: undefined, livemode: false };
    const event = { ...about, eventId: 'evt_account', createdAt: new Date(start), isActedUpon: true };
    await keepEvents(app.engines.database, own.realm, [{ hook: 'stripe-v2', event, at: new Date(start) }]);
    await workInbox(app.engines).finally(() => {
      app.engines.payments = own;
    });
    expect([left.length, (await readInbox()).open]).toEqual([1, 0]);
    expect(left[0]).toBeLessThanOrEqual(30_000);
  });

  it('wait for a provider who does not answer without being asked about one by one, and are soon done afterwards', async () => {
    await payMany(8);
    const own = app.engines.payments;
    let tries = 0;
    app.engines.payments = {
      ...own,
      async findCheckout() {
        tries++;
        throw new PaymentsAway(new Error('planted'));
      },
    };
    await workInbox(app.engines).finally(() => {
      app.engines.payments = own;
    });
    const { open, tried } = await readInbox();
    expect([open, tries <= 3, tried]).toEqual([24, true, tries]);
    app.setNow('2026-12-01T12:00:20.000Z');
    await workInbox(app.engines);
    expect((await readInbox()).open).toBe(0);
  });
});

describe('the books', () => {
  // What was postponed above is looked at by itself, and would read them, too.
  beforeAll(() => stopInbox(app.engines));

  it('are read once for all who wait for them', async () => {
    await payMany(1);
    await Promise.all(Array.from({ length: 20 }, () => syncLedger(app.engines)));
    expect(count(books)).toBe(1);
    const first = syncLedger(app.engines);
    await new Promise((go) => setImmediate(go));
    await Promise.all([first, ...Array.from({ length: 20 }, () => syncLedger(app.engines))]);
    expect(count(books), 'one that runs, and one for all who came later').toBe(3);
    await untilSynced(app.engines);
  });

  it('keep nothing out because of one line that they refuse', async () => {
    await payMany(2);
    const own = app.engines.payments;
    app.engines.payments = {
      ...own,
      async *movements(since) {
        for await (const page of own.movements(since))
          yield page.map((line, n) => (n === 0 ? { ...line, currency: 'none of ours' } : line));
      },
    };
    await expect(syncLedger(app.engines)).rejects.toThrow();
    app.engines.payments = own;
    expect(await syncLedger(app.engines), 'all but the newest are there').toBe(1);
  });
});

/** Somebody else who works with the sandbox's objects until they are told to stop. */
async function holdSandbox(): Promise<pg.Client> {
  const holder = new pg.Client(app.engines.database.connection as pg.ClientConfig);
  await holder.connect();
  await holder.query('begin');
  await holder.query(`select pg_advisory_xact_lock(hashtextextended('sandbox', 0))`);
  return holder;
}

/** The next call of the sandbox's server for a path, as it comes in there. */
const nextCall = (path: string) =>
  new Promise<{ headers: IncomingHttpHeaders; socket: Socket }>((found) => {
    const receive = (message: unknown) => {
      const { request, socket } = message as { request: IncomingMessage; socket: Socket };
      if (!request.url?.startsWith(path)) return;
      unsubscribe('http.server.request.start', receive);
      found({ headers: request.headers, socket });
    };
    subscribe('http.server.request.start', receive);
  });

it('a call of the sandbox that nobody waits for any more does nothing when its turn comes', async () => {
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser)).body.url);
  const known = nextCall('/v1/balance');
  await app.engines.payments.balance();
  const { host, authorization = '' } = (await known).headers;
  const holder = await holdSandbox();
  const before = app.engines.payments.balance();
  const path = `/v1/checkout/sessions/${sessionId}/expire`;
  const [leaving, coming] = [new AbortController(), nextCall(path)];
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  const left = fetch(`http://${host}${path}`, { method: 'POST', headers, signal: leaving.signal });
  const { socket } = await coming;
  for (let turn = 0; turn < 5; turn++) await new Promise((go) => setImmediate(go));
  const closed = once(socket, 'close');
  leaving.abort();
  await expect(left).rejects.toThrow();
  await closed;
  await holder.query('rollback');
  await holder.end();
  await before;
  expect((await app.engines.payments.findCheckout(sessionId)).state).toBe('open');
});

it('calls that wait for the sandbox hold one connection, not all of them', async () => {
  const holder = await holdSandbox();
  const { payments } = app.engines;
  const waiting = Promise.all(Array.from({ length: 12 }, () => payments.balance()));
  const readWaiting = async () => {
    const text = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    return (await holder.query(text)).rows[0].n as number;
  };
  await vi.waitFor(async () => expect(await readWaiting()).toBe(1));
  // Everybody else is served meanwhile.
  const others = await Promise.all(Array.from({ length: 9 }, () => readRows(app, 'select 1 as one')));
  expect([others.flat().length, await readWaiting()]).toEqual([9, 1]);
  await holder.query('rollback');
  await holder.end();
  expect((await waiting).length).toBe(12);
});
