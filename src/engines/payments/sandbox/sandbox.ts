import { createHash, randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { openOnce } from '#engines/once.ts';
import { createSemaphore } from '#kit/semaphore.ts';
import type { Database } from '../../database/database.ts';
import type { Tx } from '../../database/work.ts';
import type { Log } from '../../engines.ts';
import { hookNames, type Payments } from '../payments.ts';
import type { Sandbox } from '../sandbox-parts.ts';
import { openStripe } from '../stripe.ts';
import { answerOnboarding, closeAccount } from './accounts.ts';
import { bringBalances } from './balances.ts';
import { type Books, type InBooks, SandboxError, withBooks, writeLine } from './books.ts';
import { findNextDue, keepClockOffset, readClockOffset } from './clock-store.ts';
import { openDeliveries, signatureOf } from './delivering.ts';
import { decideDispute, disputeCharge, escalateInquiry, inquireAbout } from './disputing.ts';
import { catchUp } from './due.ts';
import { newObjectId } from './objects.ts';
import { rejectPayout, setOwnSchedule } from './payouts.ts';
import { monthsOf } from './plan-billing.ts';
import type { PlanTerms } from './plan-endpoints.ts';
import { sendRefundBack } from './refunding.ts';
import { type Exchange, listen } from './server.ts';
import { keepKeys, lockSandbox, type SandboxKeys } from './store.ts';
import { landingOf, takingOf } from './taking-cards.ts';
import { topUp } from './topping-up.ts';
import { createTroubles } from './troubles.ts';
import { warnOf } from './warning.ts';

export interface SandboxSettings {
  database: Pick<Database, 'work'>;
  /** Real time: what is signed has to be fresh. */
  clock: () => number;
  /** The sandbox's time, which a developer may turn on. */
  sandboxClock: () => number;
  publicUrl: string;
  log: Pick<Log, 'error'>;
  onExchange?: (exchange: Exchange) => void;
}

const newKeys = (): SandboxKeys => ({
  secret_key: `sk_test_sandbox_${randomBytes(18).toString('hex')}`,
  secrets: Object.fromEntries(hookNames.map((name) => [name, `whsec_${randomBytes(24).toString('hex')}`])),
});

/** Whoever waits for a turn holds no connection, and who does not want the answer any more is left out. */
function takeTurns({ database, sandboxClock }: SandboxSettings, onNews: () => void): InBooks {
  const lane = createSemaphore(1);
  return (run, isWanted = () => true) =>
    lane.run(async () => {
      if (!isWanted()) throw new SandboxError(499, 'client_gone', 'Nobody waits for this any more.');
      const { result, hasNews } = await database.work({ kind: 'system' }, (tx) =>
        withBooks(tx, sandboxClock(), async (books) => {
          const wasDue = await lockSandbox(tx, books.now);
          if (wasDue) await catchUp(books);
          return { result: await run(books), hasNews: wasDue || books.hasNews() };
        }),
      );
      if (hasNews) onNews();
      return result;
    });
}

/** Opens the payment provider that is built in: it takes test cards only, and no money moves. */
export function openSandbox(settings: SandboxSettings): { payments: Payments; sandbox: Sandbox } {
  const { database, clock, sandboxClock, publicUrl, log, onExchange } = settings;
  const work = <T>(run: (tx: Tx) => Promise<T>) => database.work({ kind: 'system' }, run);
  const knownKeys = openOnce(() => work((tx) => keepKeys(tx, newKeys())));
  const deliveries = openDeliveries({ work, clock, sandboxClock, log, knownKeys });
  const troubles = createTroubles();
  const inBooks = takeTurns(settings, deliveries.soon);
  const server = openOnce(async () => {
    const { secret_key: secretKey } = await knownKeys();
    return {
      secretKey,
      ...(await listen({ secretKey, pages: `${publicUrl}/sandbox`, inBooks, log, onExchange, troubles })),
    };
  });
  const connect = async () => {
    const { secretKey, port } = await server();
    return { secretKey, host: { host: '127.0.0.1', port } };
  };
  const payments = openStripe({
    realm: { provider: 'sandbox', livemode: false },
    place: 'payments: sandbox (test payments, no real money)',
    connect,
    secrets: async () => (await knownKeys()).secrets,
    browser: async () => ({ publishableKey: publishableKeyOf(await knownKeys()), scriptUrl: undefined }),
    async close() {
      await deliveries.stop();
      await (await server.opened().catch(() => undefined))?.close();
    },
  });
  const sandbox: Sandbox = {
    ...pagesOf(inBooks),
    ...takingOf(inBooks),
    ...deliveries.deliveries,
    deliverTo: deliveries.to,
    isTelling: deliveries.isTelling,
    setTelling: deliveries.set,
    async deliverDue() {
      // What has become due happens first.
      await inBooks(bringBalances);
      await deliveries.due();
    },
    setTrouble: troubles.set,
    clockOffset: () => work(readClockOffset),
    keepClockOffset: (offsetMs) => work((tx) => keepClockOffset(tx, offsetMs)),
    findNextDue: () => inBooks(({ tx, now }) => findNextDue(tx, now)),
    sign: async (hook, body) => signatureOf((await knownKeys()).secrets[hook] ?? '', body, clock()),
  };
  return { payments, sandbox };
}

/** It opens nothing: the frame is a page of ours. */
const publishableKeyOf = ({ secret_key }: SandboxKeys) =>
  `pk_test_sandbox_${createHash('sha256').update(secret_key).digest('hex').slice(0, 24)}`;

/** Turns a refusal of the sandbox into nothing found; every other error stays one. */
const orNothing = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (error instanceof SandboxError) return undefined;
    throw error;
  });

const idPattern = /^(cs|acct|bps)_\w{1,80}$/;

type Pages =
  | 'findCheckout'
  | 'findCardPage'
  | 'answerOnboarding'
  | 'rejectAccount'
  | 'answerPartly'
  | 'setOwnSchedule'
  | 'spoilBills'
  | 'hasAccount'
  | 'closeAccount'
  | 'payOut'
  | 'topUp'
  | 'rejectPayout'
  | 'sendRefundBack'
  | 'dispute'
  | 'inquire'
  | 'escalate'
  | 'decideDispute'
  | 'warn';

/** What its page shows beside the price. */
function planOf({ mode, ui_mode, customer_email }: Stripe.Checkout.Session, hidden: Record<string, unknown>) {
  if (mode !== 'subscription') return ui_mode === 'embedded_page' ? { framed: { email: customer_email ?? '' } } : {};
  const { price, trialDays, asksForCard } = hidden as unknown as PlanTerms;
  if (ui_mode === 'hosted_page') return { months: monthsOf(price) };
  const plan = { email: customer_email ?? '', trialDays, asksForCard, monthlyCents: price.unit_amount ?? 0 };
  return { plan };
}

function pagesOf(inBooks: InBooks): Pick<Sandbox, Pages> {
  const sessionOf = ({ find }: Books, id: string) => orNothing(find<Stripe.Checkout.Session>(id, 'checkout.session'));
  return {
    findCheckout: (id) =>
      inBooks(async (books) => {
        const session = idPattern.test(id) ? await sessionOf(books, id) : undefined;
        if (session?.object !== 'checkout.session') return undefined;
        const hidden = await books.hiddenOf(id);
        const { amount_total, currency, status, success_url, cancel_url } = session;
        return {
          product: String(hidden.product),
          payerEmail: String(hidden.payerEmail ?? ''),
          ...planOf(session, hidden),
          amountCents: amount_total ?? 0,
          currency: currency ?? 'usd',
          isOpen: status === 'open',
          successUrl: landingOf(success_url ?? session.return_url ?? null, id),
          cancelUrl: cancel_url ?? '/',
        };
      }),
    findCardPage: async (id) => {
      if (!idPattern.test(id)) return undefined;
      const portal = await inBooks(({ find }) => orNothing(find<Stripe.BillingPortal.Session>(id, 'portal')));
      return portal && { backUrl: portal.return_url ?? '/' };
    },
    answerOnboarding: async (id, isComplete) =>
      idPattern.test(id)
        ? inBooks((books) => orNothing(answerOnboarding(books, id, isComplete ? 'complete' : 'pending')))
        : undefined,
    rejectAccount: async (id) =>
      idPattern.test(id) ? inBooks((books) => orNothing(answerOnboarding(books, id, 'rejected'))) : undefined,
    answerPartly: async (id, said) =>
      idPattern.test(id) ? inBooks((books) => orNothing(answerOnboarding(books, id, said))) : undefined,
    spoilBills: (id, code) =>
      inBooks(async (books) => {
        await books.keep(await books.find(id, 'subscription'), { hidden: { spoiled: code ?? null } });
      }),
    setOwnSchedule: (isDaily) => inBooks((books) => setOwnSchedule(books, isDaily)),
    payOut: async (accountId, amountCents) =>
      inBooks(async (books) => {
        const type = amountCents < 0 ? 'payout_failure' : 'payout';
        const about = { currency: 'usd', source: newObjectId('po'), availableIn: 0 };
        await writeLine(books, accountId, { ...about, type, amount: -amountCents });
      }),
    topUp: (amountCents) => inBooks((books) => topUp(books, amountCents)),
    rejectPayout: (id) => inBooks((books) => rejectPayout(books, id)),
    sendRefundBack: (id) => inBooks((books) => sendRefundBack(books, id)),
    dispute: async (chargeId) => (await inBooks((books) => disputeCharge(books, chargeId))).id,
    inquire: async (chargeId) => (await inBooks((books) => inquireAbout(books, chargeId))).id,
    escalate: (id) => inBooks((books) => escalateInquiry(books, id)),
    decideDispute: (id, isWon, more) => inBooks((books) => decideDispute(books, id, isWon, more)),
    warn: async (chargeId) => (await inBooks((books) => warnOf(books, chargeId))).id,
    closeAccount: (id) => inBooks((books) => closeAccount(books, id)),
    hasAccount: async (id) =>
      idPattern.test(id) && (await inBooks(async ({ find }) => (await orNothing(find(id, 'account'))) !== undefined)),
  };
}
