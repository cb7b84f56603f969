import fc from 'fast-check';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { SandboxError, withBooks } from '#engines/payments/sandbox/books.ts';
import { refundCharge } from '#engines/payments/sandbox/refunding.ts';
import { packs } from '#features/credits/rules.ts';
import { settleFees } from '#features/returns/bearing-fees.ts';
import { dayMs } from '#kit/time.ts';
import { advance, type Person, readRows, signInQuickly, signUpCreator } from '../people.ts';
import { shareAlbum } from '../shared-link.ts';
import { newBrowser, type TestApp } from '../test-app.ts';
import { actFan, type FanShop, fanStep, type PlannedFan } from './fan-steps.ts';
import { failNextMonths, fansToOpen, makeTier } from './fans.ts';
import { sessionOfSecret } from './planning.ts';
import { type ReportedPayment, reportPayment } from './report-steps.ts';
import { actRequest, type DoneRequest, requestStep } from './request-steps.ts';
import { connectPayouts, fillAccount, goodCard, sessionOf, tapDoor, tapPay, tipToOpen } from './selling.ts';

/** What stays in the creator's account: what was released is taken back only from what is available there. */
const reserveCents = 100_000_000;

const price = fc.integer({ min: 500, max: 10_000 });

/** What a plan does, one after another; between its steps some of the events arrive. */
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('tip' as const), cents: price }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      of: fc.nat(9),
      percent: fc.integer({ min: 1, max: 100 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('dispute' as const), of: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('report' as const), of: fc.nat(9) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      of: fc.nat(9),
      isWon: fc.boolean(),
      returnsFee: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), cents: price }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('payOut' as const), percent: fc.integer({ min: 1, max: 100 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('try' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('subscribe' as const), keepsPaying: fc.boolean() }) },
  { weight: 3, arbitrary: requestStep },
  { weight: 2, arbitrary: fanStep },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cancelPlan' as const, 'moneyBack' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pausePlan' as const), months: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('endPause' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pack' as const), of: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('packBack' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fees' as const) }) },
);

/** @param most how many steps it has at most */
export const plansOf = (most: number) =>
  fc.record({
    steps: fc.array(step, { minLength: 3, maxLength: most }),
    chaos: fc.array(
      fc.record({ take: fc.nat(9), turn: fc.nat(97), isDoubled: fc.boolean(), isDropped: fc.boolean() }),
      {
        minLength: most,
        maxLength: most,
      },
    ),
  });
export type Plan = (ReturnType<typeof plansOf> extends fc.Arbitrary<infer Made> ? Made : never) & { mayDrop: boolean };
export type Step = Plan['steps'][number];

/** Where plans happen: one creator sells, some take plans of their own. */
export interface PlanWorld {
  app: TestApp;
  /** A link that a tip opens, for everybody and for good. */
  slug: string;
  accountId: string;
  /** Who takes the plans of a creator. */
  takers: readonly Person[];
  /** Whether a refund takes back what others had of the payment, as it should. */
  isTakenBack: boolean;
  /** Who is asked for custom work, and whether its money leaves once, as it should. */
  creatorId: string;
  albumId: string;
  isOnce: boolean;
  /** Whether it is written down that a creator has had what was held, as it should. */
  isNoted: boolean;
  /** Whether creators bear the fees of disputes that are theirs, as they should. */
  isFeeTaken: boolean;
  /** Whether credits follow what becomes of the payment of their pack, as they should. */
  isPackFollowed: boolean;
  fans: FanShop;
}

/** Plans in an installation of their own, where nobody is told of anything but by them. */
export async function openPlanWorld(app: TestApp): Promise<PlanWorld> {
  app.engines.sandbox?.deliverTo(undefined);
  // What is given again after a dispute leaves what the platform has of its own.
  await app.engines.sandbox?.topUp(100_000_000);
  const shared = await shareAlbum(app, { count: 1 });
  const accountId = await connectPayouts(app, shared.creator);
  await fillAccount(app, accountId, reserveCents);
  const takers = [await signUpCreator(app), await signUpCreator(app), await signUpCreator(app)];
  const { slug } = await shared.makeLink(tipToOpen(500), { expiry: { kind: 'never' } });
  const price = { priceCents: 999, off3: 10, off6: 20, off12: 50 };
  const tierId = await makeTier(app, shared.creator, price);
  const door = await shared.makeLink(fansToOpen(), { expiry: { kind: 'never' } });
  const { userId: creatorId } = shared.creator;
  const { albumId } = shared;
  const fans = { slug: door.slug, tierId, price };
  return {
    app,
    slug,
    accountId,
    takers,
    isTakenBack: true,
    creatorId,
    albumId,
    isOnce: true,
    isNoted: true,
    isFeeTaken: true,
    isPackFollowed: true,
    fans,
  };
}

/** So many plans, half of them from a fixed seed, and every other one without an event that is lost. */
export function* drawPlans(count: number, most: number, seed: number): Generator<Plan & { name: string }> {
  const [known, others] = [Math.ceil(count / 2), Math.floor(count / 2)];
  const drawn = [
    ...fc.sample(plansOf(most), { seed: 7, numRuns: known }).map((plan, n) => ({ plan, name: `7/${n}` })),
    ...fc.sample(plansOf(most), { seed, numRuns: others }).map((plan, n) => ({ plan, name: `${seed}/${n}` })),
  ];
  for (const [n, { plan, name }] of drawn.entries()) yield { ...plan, mayDrop: n % 2 === 1, name };
}

/** What one plan has done so far. */
export interface Deeds {
  sessions: string[];
  paid: string[];
  subscriptions: string[];
  /** Checkouts of packs of credits. */
  packs: string[];
  requests: DoneRequest[];
  /** Subscriptions of fans. */
  fans: PlannedFan[];
  refunds: number;
  disputes: string[];
  /** Payments that a card's bank has reported. */
  reported: ReportedPayment[];
  taker: Person;
}

/** Makes an order. */
async function begin({ app, slug }: PlanWorld, cents: number, { sessions }: Deeds): Promise<string> {
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser, cents)).body.url);
  sessions.push(sessionId);
  return sessionId;
}

const deeds: { [Name in Step['do']]: (world: PlanWorld, params: Extract<Step, { do: Name }>, done: Deeds) => unknown } =
  {
    // What her job does each minute.
    fees: ({ app, isFeeTaken }) => (isFeeTaken ? settleFees(app.engines) : undefined),
    // What is longer has gone by already.
    wait: async ({ app }, { days }) => advance(app, Math.min(days, 3) * dayMs),
    leave: (world, { cents }, done) => begin(world, cents, done),
    async tip(world, { cents }, done) {
      const sessionId = await begin(world, cents, done);
      await world.app.engines.sandbox?.pay(sessionId, { email: `${sessionId}@example.com`, card: goodCard });
      done.paid.push(sessionId);
    },
    refund,
    async fan({ app, fans }, params, done) {
      done.fans.push(await actFan(app, fans, params));
    },
    async request({ app, ...maker }, params, done) {
      done.requests.push(await actRequest(app, maker, params));
    },
    dispute,
    async report({ app }, { of }, done) {
      const reported = await reportPayment(app, done, of);
      if (reported !== undefined) done.reported.push(reported);
    },
    async decide({ app }, { of, isWon, returnsFee }, { disputes }) {
      const disputeId = disputes[of % Math.max(1, disputes.length)];
      if (disputeId !== undefined) await app.engines.sandbox?.decideDispute(disputeId, isWon, { returnsFee });
    },
    async payOut({ app, accountId }, { percent }) {
      const { available } = await app.engines.payments.balance(accountId);
      const cents = Math.floor((((available.get('usd') ?? 0) - reserveCents) * percent) / 100);
      if (cents > 0) await app.engines.sandbox?.payOut(accountId, cents);
    },
    async try({ app }, _wish, done) {
      const email = `${done.taker.userId}-${done.sessions.length}-${app.engines.clock()}@example.com`;
      const { body } = await app.call('billing.createTrialCheckout', { email, mode: 'embedded', trialCode: 'FREE7' });
      await takeAt(app, body.clientSecret, undefined, done);
    },
    async subscribe({ app }, { keepsPaying }, done) {
      // Sessions end after a month; hers has ended long ago.
      const browser = await signInQuickly(app, done.taker.userId);
      const { status, body } = await app.call('billing.createPlanCheckout', { mode: 'embedded' }, browser);
      if (status !== 200) return;
      const subscriptionId = await takeAt(app, body.clientSecret, goodCard, done);
      if (!keepsPaying && subscriptionId !== undefined) await failNextMonths(app, subscriptionId);
    },
    cancelPlan: async ({ app }, _wish, { taker }) =>
      app.call('billing.cancelPlan', {}, await signInQuickly(app, taker.userId)),
    pausePlan: async ({ app }, { months }, { taker }) =>
      app.call('billing.pausePlan', { months }, await signInQuickly(app, taker.userId)),
    endPause: async ({ app }, _wish, { taker }) =>
      app.call('billing.endPause', {}, await signInQuickly(app, taker.userId)),
    moneyBack: async ({ app }, _wish, { taker }) =>
      app.call('billing.moneyBack', {}, await signInQuickly(app, taker.userId)),
    async pack({ app }, { of }, done) {
      const browser = await signInQuickly(app, done.taker.userId);
      const credits = packs[of % packs.length]?.credits;
      const { status, body } = await app.call('credits.buy', { credits, mode: 'embedded' }, browser);
      // Whoever has no plan buys nothing.
      if (status !== 200) return;
      const sessionId = sessionOfSecret(body.clientSecret);
      done.packs.push(sessionId);
      await app.engines.sandbox?.pay(sessionId, { email: done.taker.email, card: goodCard });
    },
    async packBack({ app }, _wish, { taker }) {
      const browser = await signInQuickly(app, taker.userId);
      const { body } = await app.call('credits.uses', {}, browser);
      const [pack] = (body.packs as { id: string; back: unknown }[]).filter(({ back }) => back !== null);
      if (pack !== undefined) await app.call('credits.askBack', { packId: pack.id }, browser);
    },
  };

async function takeAt(app: TestApp, secret: unknown, card: string | undefined, done: Deeds) {
  const sessionId = sessionOfSecret(secret);
  await app.engines.sandbox?.takePlan(sessionId, card);
  const { subscriptionId } = await app.engines.payments.findPlanCheckout(sessionId);
  if (subscriptionId !== undefined) done.subscriptions.push(subscriptionId);
  return subscriptionId;
}

async function refund(
  { app, isTakenBack }: PlanWorld,
  { of, percent }: { of: number; percent: number },
  done: Deeds,
): Promise<void> {
  const { payments } = app.engines;
  const sessionId = done.paid[of % Math.max(1, done.paid.length)];
  if (sessionId === undefined) return;
  const { paymentId = '', chargeId, amountCents: all, refundedCents } = await payments.findCheckout(sessionId);
  // All of it is on its way back already.
  if (done.reported.some((reported) => reported.chargeId === chargeId)) return;
  const amountCents = Math.floor(((all - refundedCents) * percent) / 100);
  const refundId = `plan-${paymentId}-${++done.refunds}`;
  if (amountCents === 0) return;
  if (!isTakenBack) return void (await refundFromPlatform(app, paymentId, amountCents));
  const params = { refundId, orderId: 'o', paymentId, amountCents, reason: 'duplicate' } as const;
  // What a bank has, or has decided about, is not given back as well.
  await payments.refund(params).catch((error: unknown) => {
    if (!(error instanceof PaymentRefused)) throw error;
  });
}

/** Somebody who has paid goes to their bank, where there is anything left of it. */
async function dispute({ app, isNoted }: PlanWorld, { of }: { of: number }, done: Deeds): Promise<void> {
  const { disputes } = done;
  const paid = [...done.paid, ...done.requests.map(({ sessionId }) => sessionId), ...done.packs];
  const sessionId = paid[of % Math.max(1, paid.length)];
  if (sessionId === undefined) return;
  if (!isNoted) await readRows(app, "update held_releases set state = 'pending', transfer_id = null");
  const { chargeId = '' } = await app.engines.payments.findCheckout(sessionId);
  const made = await app.engines.sandbox?.dispute(chargeId).catch((error: unknown) => {
    if (!(error instanceof SandboxError)) throw error;
  });
  if (made) disputes.push(made);
}

/** A refund that takes back nothing of what the creator and the platform had of it. */
const refundFromPlatform = ({ engines }: TestApp, payment_intent: string, amount: number) =>
  engines.database.work({ kind: 'system' }, (tx) =>
    withBooks(tx, engines.clock(), (books) => refundCharge(books, { payment_intent, amount })),
  );

/** Does one step of a plan. */
export async function act(world: PlanWorld, params: Step, done: Deeds): Promise<void> {
  await (deeds[params.do] as (world: PlanWorld, params: Step, done: Deeds) => unknown)(world, params, done);
}
