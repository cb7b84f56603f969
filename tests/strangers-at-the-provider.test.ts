import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Payments } from '#engines/payments/payments.ts';
import { heldTerms, pageTipRule, refundPromise, renewalTerms } from '#features/notices/refund-promise.ts';
import { fansToOpen, subscribe } from '#tests/support/money/fans.ts';
import { sessionOfSecret } from '#tests/support/money/planning.ts';
import { askAtLink } from '#tests/support/money/requests.ts';
import { openSaleStage, type SaleStage } from '#tests/support/money/sale-scenes.ts';
import { post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { must, readRow } from '#tests/support/people.ts';
import { type Browser, copyOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { bodyOf } from './proofs/asking/bodies.ts';
import { listProcedures } from './proofs/asking/procedures.ts';
import type { Things } from './proofs/asking/things.ts';

const trial = { email: 'first@example.com', mode: 'embedded', trialCode: 'FREE7' };
let app: TestApp;
let stage: SaleStage;
/** A link that asks for a tip, and one that asks for a subscription. */
let slugs: { tip: string; fan: string };
/** What other people have begun or bought, by its name. */
let others: { order: string; plan: string; orderId: string; fanId: string; requestId: string; code: string };
let [buyer, planner, fan, asker]: Browser[] = [];
let calls: string[] = [];
/** The addresses that checkouts were asked for with. */
let emails: unknown[] = [];
/** What the provider waits for before it answers. */
let gate: Promise<void> | undefined;

/** A provider that writes down what it is asked; that a signature is checked asks nobody. */
const recording = (own: Payments): Payments =>
  new Proxy(own, {
    get(target, name: keyof Payments) {
      const value = target[name];
      if (typeof value !== 'function' || name === 'verifyHook' || name === 'browser') return value;
      return (...words: unknown[]) => {
        calls.push(name);
        emails.push((words[0] as { email?: string } | undefined)?.email);
        const ask = () => (value as (...words: unknown[]) => unknown)(...words);
        return gate === undefined ? ask() : gate.then(ask);
      };
    },
  });

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.engines.sandbox?.deliverTo(undefined);
  stage = await openSaleStage(app);
  slugs = {
    tip: (await stage.shared.makeLink(tipToOpen(1000))).slug,
    fan: (await stage.shared.makeLink(fansToOpen())).slug,
  };
  [buyer, planner, fan] = [newBrowser(), newBrowser(), newBrowser()];
  await tapDoor(app, slugs.tip, buyer);
  const order = sessionOf((await tapPay(app, slugs.tip, buyer)).body.url);
  const plan = sessionOfSecret((await app.call('billing.createTrialCheckout', trial, planner)).body.clientSecret);
  await tapDoor(app, slugs.fan, fan);
  await subscribe(app, { slug: slugs.fan, browser: fan, tierId: stage.tierId });
  const [subscription] = (await must(app, 'viewing.subscriptions', {}, fan)).rows;
  const { id: orderId } = await readRow<{ id: string }>(app, 'select id from checkout_orders where session_id = $1', [
    order,
  ]);
  const asked = await askAtLink(app, stage.shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, stage.creator.browser);
  asker = asked.browser;
  others = { order, plan, orderId, fanId: subscription.fanId, requestId: asked.id, code: asked.code };
  app.engines.payments = recording(app.engines.payments);
});
afterAll(() => app.close());

/** Somebody who has never been here, and somebody whom a link has let in. */
async function meetStrangers(): Promise<Browser[]> {
  const known = newBrowser();
  await tapDoor(app, stage.freeSlug, known);
  return [newBrowser(), known];
}

const nobodys = '0196f0c2-7b1c-7e2a-8f00-0123456789ab';
/** What really is there and is not theirs, under every name that a body may ask for. */
const things = new Proxy({} as Things, {
  get(_target, name: keyof Things) {
    const real = { slug: slugs.tip, tier: stage.tierId, fan: others.fanId, order: others.orderId };
    return { ...real, request: others.requestId }[name as string] ?? nobodys;
  },
});
const payRequest = () => ({ code: others.code, amountCents: 4000, shownTerms: heldTerms });
/** Well-formed words that would do what they say if they came from whom they are about. */
function wishOf(name: string, sessionId: string): object {
  const own: Record<string, object> = {
    'viewing.subscribe': { handle: stage.handle, tierId: stage.tierId, priceCents: 999, shownTerms: renewalTerms },
    'viewing.tipOnPage': { handle: stage.handle, amountCents: 1000, shownTerms: pageTipRule },
    'requests.pay': payRequest(),
  };
  const body = own[name] ?? bodyOf(name, things);
  return {
    ...body,
    ...('sessionId' in body && { sessionId }),
    ...('handle' in body && { handle: stage.handle }),
  };
}
const isForStrangers = ({ meta }: ReturnType<typeof listProcedures>[number]) =>
  meta.who.some((who) => !['creator', 'admin'].includes(who));

/** What a call makes us ask the provider. */
async function listAsked(call: () => Promise<unknown>): Promise<string[]> {
  calls = [];
  await call();
  return [...new Set(calls)].toSorted();
}

describe('whoever has no account', () => {
  it('makes us ask the provider by these procedures and by no other', async () => {
    const asking = new Map<string, string[]>();
    for (const { name } of listProcedures().filter(isForStrangers))
      for (const sessionId of [others.order, others.plan])
        for (const browser of await meetStrangers()) {
          const asked = await listAsked(() => app.call(name, wishOf(name, sessionId), browser));
          if (asked.length > 0) asking.set(name, [...new Set([...(asking.get(name) ?? []), ...asked])].toSorted());
        }
    expect(Object.fromEntries(asking)).toEqual({
      // An address has five in an hour, a browser ten; a few are asked for at a time.
      'billing.createTrialCheckout': ['openPlanCheckout'],
      // For whoever has the address of a success page: one question in two seconds, together with everybody else's.
      'viewing.checkoutStatus': ['findCheckout'],
      // Who pays on a page is a browser with a cookie; of one network they come one after the other.
      'viewing.subscribe': ['openCheckout'],
      'viewing.tipOnPage': ['openCheckout'],
    });
  });

  it('makes us ask at a door only to begin a payment, with a cookie, and never about somebody else’s', async () => {
    const params = { offerId: 'tip', amountCents: 1000, shownTerms: refundPromise };
    const asked: Record<string, string[]> = {};
    const [unknown, known] = (await meetStrangers()) as [Browser, Browser];
    for (const [who, browser] of Object.entries({ unknown, known })) {
      asked[`${who} opens`] = await listAsked(() => tapDoor(app, slugs.tip, browser));
      const from = who === 'unknown' ? newBrowser() : browser;
      asked[`${who} pays`] = await listAsked(() => post(app, `/api/view/${slugs.tip}/checkout`, params, from));
      asked[`${who} pays where there is nothing`] = await listAsked(() =>
        post(app, '/api/view/nothing-is-here/checkout', params, copyOf(from)),
      );
    }
    expect(asked).toEqual({
      'unknown opens': [],
      'unknown pays': [],
      'unknown pays where there is nothing': [],
      'known opens': [],
      'known pays': ['openCheckout'],
      'known pays where there is nothing': [],
    });
  });

  it('gets no answer of the provider about what somebody else has begun or bought, and whoever did so does', async () => {
    const { fanId } = others;
    const bills = ['findInvoicePayment', 'findSubscription', 'listInvoices'];
    const own: [name: string, body: object, whose: Browser | undefined, asked: string[]][] = [
      ['billing.arrive', { sessionId: others.plan }, planner, ['findPlanCheckout']],
      ['billing.mailAgain', { sessionId: others.plan }, planner, ['findPlanCheckout']],
      // The address of a request is not enough.
      ['requests.pay', payRequest(), asker, ['openCheckout']],
      ['viewing.checkSubscriptions', {}, fan, bills],
      ['viewing.subscriptionCard', { fanId }, fan, ['cardUrl']],
      ['viewing.cancelSubscription', { fanId }, fan, [...bills, 'setPlanEnding']],
      ['viewing.resumeSubscription', { fanId }, fan, [...bills, 'setPlanEnding']],
    ];
    const asked: Record<string, string[]> = {};
    for (const [name, body, whose] of own) {
      for (const stranger of await meetStrangers())
        expect([name, await listAsked(() => app.call(name, body, stranger))]).toEqual([name, []]);
      asked[name] = await listAsked(() => app.call(name, body, whose));
    }
    expect(asked).toEqual(Object.fromEntries(own.map(([name, , , wanted]) => [name, wanted])));
    const open = (browser: Browser) => listAsked(() => post(app, `/api/view/${slugs.tip}/open`, {}, browser));
    expect(await open(buyer as Browser), 'whose payment waits').toEqual(['findCheckout']);
    for (const stranger of await meetStrangers()) expect(await open(stranger)).toEqual([]);
  });

  it('has one question for all who ask about one checkout while it is being asked about', async () => {
    const { database } = app.engines;
    let known = 0;
    app.engines.database = {
      ...database,
      query: (statement, values) =>
        database.query(statement, values).finally(() => {
          if (statement.name === 'plan_checkout_by_session') known++;
        }),
    };
    const { promise, resolve } = Promise.withResolvers<void>();
    [calls, gate] = [[], promise];
    const ask = () => app.call('billing.arrive', { sessionId: others.plan }, planner);
    const first = ask();
    await vi.waitFor(() => expect(calls.length).toBe(1));
    known = 0;
    const later = Array.from({ length: 11 }, ask);
    await vi.waitFor(() => expect(known).toBe(11));
    await new Promise((turn) => setImmediate(turn));
    resolve();
    const answers = await Promise.all([first, ...later]);
    [app.engines.database, gate] = [database, undefined];
    expect(answers.map(({ body }) => body.state)).toEqual(Array(12).fill('checking'));
    expect(calls).toEqual(['findPlanCheckout', 'findPlanCheckout']);
  });
});

describe('trials', () => {
  const begin = (email: string, browser = newBrowser()) =>
    app.call('billing.createTrialCheckout', { ...trial, email }, browser);
  const count = async () =>
    (
      await readRow<{ n: number }>(
        app,
        `select count(*)::int as n from sandbox_objects where type = 'checkout.session'`,
      )
    ).n;

  it('are begun five times an hour for an address, however it is written', async () => {
    const before = await count();
    const statuses: number[] = [];
    for (let n = 0; n < 8; n++) statuses.push((await begin(`Same+${n}@example.com`)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    expect((await count()) - before, 'a refusal opens nothing at the provider').toBe(5);
  });

  it('are begun ten times an hour by one browser', async () => {
    const browser = newBrowser();
    const before = await count();
    for (let n = 0; n < 14; n++) await begin(`of-one-browser-${n}@example.com`, browser);
    // The first one had no name for its browser yet.
    expect((await count()) - before).toBe(11);
  });

  it('are asked for a few at a time of one network, and nobody else waits for them', async () => {
    const crowd = newBrowser();
    const { promise, resolve } = Promise.withResolvers<void>();
    [calls, emails, gate] = [[], [], promise];
    const many = Array.from({ length: 12 }, (_, n) =>
      begin(`crowd-${n}@example.com`, { ...copyOf(crowd), cookies: new Map() }),
    );
    await vi.waitFor(() => expect(emails.length).toBeGreaterThanOrEqual(4));
    const other = begin('somebody-else@example.com');
    await vi.waitFor(() => expect(emails).toContain('somebody-else@example.com'));
    expect(emails.length, 'those of the network, and whoever comes from elsewhere').toBe(5);
    resolve();
    expect((await other).status).toBe(200);
    expect((await Promise.all(many)).map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(calls.length).toBe(13);
    gate = undefined;
  });
});
