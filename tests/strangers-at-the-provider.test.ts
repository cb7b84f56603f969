import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Payments } from '#engines/payments/payments.ts';
import { sessionOfSecret } from '#tests/support/money/planning.ts';
import { connectPayouts, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { readRow } from '#tests/support/people.ts';
import { shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { bodyOf } from './proofs/asking/bodies.ts';
import { listProcedures } from './proofs/asking/procedures.ts';
import type { Things } from './proofs/asking/things.ts';

const trial = { email: 'first@example.com', mode: 'embedded', trialCode: 'FREE7' };
let app: TestApp;
let slug: string;
/** Checkouts that other people have begun. */
let others: { order: string; plan: string };
let planner: Browser;
let calls: string[];

/** A provider that writes down what it is asked; that a signature is checked asks nobody. */
const recording = (own: Payments): Payments =>
  new Proxy(own, {
    get(target, name: keyof Payments) {
      const value = target[name];
      if (typeof value !== 'function' || name === 'verifyHook' || name === 'browser') return value;
      return (...words: unknown[]) => {
        calls.push(name);
        return (value as (...words: unknown[]) => unknown)(...words);
      };
    },
  });

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.engines.sandbox?.tellTo(undefined);
  const shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  ({ slug } = await shared.makeLink(tipToOpen(1000)));
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  const order = sessionOf((await tapPay(app, slug, buyer)).body.url);
  planner = newBrowser();
  const plan = sessionOfSecret((await app.call('billing.createTrialCheckout', trial, planner)).body.clientSecret);
  others = { order, plan };
  app.engines.payments = recording(app.engines.payments);
});
afterAll(() => app.close());

/** Ids of nobody, and words that are well formed. */
const made = '0196f0c2-7b1c-7e2a-8f00-0123456789ab';
const things = new Proxy({} as Things, { get: (_target, name) => (name === 'slug' ? slug : made) });
const isForStrangers = ({ meta }: ReturnType<typeof listProcedures>[number]) =>
  meta.who.some((who) => !['creator', 'admin'].includes(who));

describe('whoever has no account', () => {
  it('makes us ask the provider by these procedures and by no other', async () => {
    const asking = new Map<string, string[]>();
    for (const { name } of listProcedures().filter(isForStrangers))
      for (const sessionId of Object.values(others)) {
        calls = [];
        const body = bodyOf(name, things);
        await app.call(name, 'sessionId' in body ? { ...body, sessionId } : body, newBrowser());
        if (calls.length > 0) asking.set(name, [...new Set([...(asking.get(name) ?? []), ...calls])].toSorted());
      }
    expect(Object.fromEntries(asking)).toEqual({
      // An address has five in an hour, a browser ten.
      'billing.createTrialCheckout': ['openPlanCheckout'],
      // For whoever has the address of a success page: one question in two seconds, together with everybody else's.
      'viewing.checkoutStatus': ['findCheckout'],
    });
  });

  it('gets no answer of the provider about what somebody else has begun, and whoever began it does', async () => {
    for (const name of ['billing.arrive', 'billing.mailAgain']) {
      calls = [];
      await app.call(name, { sessionId: others.plan }, newBrowser());
      expect([name, calls]).toEqual([name, []]);
    }
    calls = [];
    const { body } = await app.call('billing.arrive', { sessionId: others.plan }, planner);
    expect([body.state, calls]).toEqual(['checking', ['findPlanCheckout']]);
  });

  it('has one question for all who ask about one checkout at the same time', async () => {
    calls = [];
    const ask = () => app.call('billing.arrive', { sessionId: others.plan }, planner);
    const answers = await Promise.all(Array.from({ length: 12 }, ask));
    expect(answers.map(({ body }) => body.state)).toEqual(Array(12).fill('checking'));
    expect(calls.length).toBeLessThanOrEqual(2);
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
});
