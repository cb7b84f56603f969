import type Stripe from 'stripe';
import { keyOf } from './idempotency-keys.ts';
import { kindOf } from './object-kinds.ts';
import { type HookEvent, type HookName, hookNames, PaymentRefused, type Payments } from './payments.ts';
import type { PlanPayments } from './plan-payments.ts';
import { readAccount } from './stripe-accounts.ts';
import { type Ask, openAsk, type StripeSettings } from './stripe-ask.ts';
import { cardsBy } from './stripe-cards.ts';
import { disputesBy, withDisputes } from './stripe-disputes.ts';
import { isActedUpon } from './stripe-events.ts';
import { madeBy } from './stripe-made.ts';
import { type Methods, openMethods } from './stripe-methods.ts';
import { packsOf } from './stripe-packs.ts';
import { refundParams, releaseParams, sessionParams } from './stripe-params.ts';
import { payoutsOf } from './stripe-payouts.ts';
import { paymentOf, plansOf } from './stripe-plans.ts';
import {
  isRefused,
  readCheckout,
  readEvent,
  readFailure,
  readMovement,
  readPayment,
  type SourceReader,
} from './stripe-reading.ts';
import { warningsBy } from './stripe-warnings.ts';

const expand = ['payment_intent.latest_charge'];
const [newLinesAtOnce, linesAtOnce] = [25, 100];
const include: Stripe.V2.Core.AccountRetrieveParams.Include[] = ['configuration.recipient', 'requirements'];

type CheckoutCalls = 'openCheckout' | 'findCheckout' | 'expireCheckout' | 'findSessionOf' | 'listFailures';

function checkoutsOf(
  ask: Ask,
  methods: () => Promise<Methods>,
  { findInvoicePayment }: Pick<PlanPayments, 'findInvoicePayment'>,
): Pick<Payments, CheckoutCalls> {
  const sessionBy = async (about: { payment_intent: string } | { subscription: string }) => {
    const { data } = await ask(({ checkout }) => checkout.sessions.list({ ...about, limit: 1 }));
    return data[0]?.id;
  };
  const idOf = (value: string | { id: string } | null) => (typeof value === 'string' ? value : (value?.id ?? ''));
  return {
    async openCheckout(order) {
      const idempotencyKey = `co:${order.orderId}`;
      const params = sessionParams(order, await methods());
      return readCheckout(await ask(({ checkout }) => checkout.sessions.create(params, { idempotencyKey })));
    },
    async findCheckout(sessionId) {
      const session = await ask(({ checkout }) => checkout.sessions.retrieve(sessionId, { expand }));
      const isBilled = session.mode === 'subscription' && session.invoice !== null;
      const { card: _, ...payment } = isBilled
        ? await findInvoicePayment(idOf(session.invoice))
        : { card: undefined, ...(await withDisputes(ask, readPayment(session.payment_intent))) };
      const checkout = readCheckout(session, payment);
      const { subscriptionId } = checkout;
      if (checkout.state !== 'processing' || subscriptionId === undefined) return checkout;
      const { status } = await ask(({ subscriptions }) => subscriptions.retrieve(subscriptionId));
      return { ...checkout, state: isRefused(status) ? 'failed' : 'processing' };
    },
    async expireCheckout(sessionId) {
      await ask(({ checkout }) => checkout.sessions.expire(sessionId)).catch((error: unknown) => {
        if (!(error instanceof PaymentRefused)) throw error;
      });
    },
    async listFailures(payment_intent) {
      const { data } = await ask(({ charges }) => charges.list({ payment_intent, limit: linesAtOnce }));
      return data.filter(({ status }) => status === 'failed').map(readFailure);
    },
    async findSessionOf(objectId) {
      if (kindOf(objectId) === 'subscription') return sessionBy({ subscription: objectId });
      const payment_intent = await paymentOf(ask, objectId);
      if (payment_intent !== undefined) return sessionBy({ payment_intent });
      return undefined;
    },
  };
}

function accountsOf(ask: Ask): Pick<Payments, 'ensureAccount' | 'findAccount' | 'onboardingUrl' | 'accountUrl'> {
  return {
    async ensureAccount({ userId, email, handle, country }) {
      const params: Stripe.V2.Core.AccountCreateParams = {
        contact_email: email,
        display_name: handle,
        dashboard: 'express',
        identity: { country: country.toLowerCase() },
        defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
        configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
        // Of who they are nothing else is known yet: it is never asked for again.
        include: [...include, 'identity'],
      };
      // An answer that was lost must not keep them from another country.
      const idempotencyKey = `acct:${userId}:${country}`;
      const made = await ask(({ v2 }) => v2.core.accounts.create(params, { idempotencyKey }));
      return { ...readAccount(made), country: made.identity?.country?.toUpperCase() ?? country };
    },
    async findAccount(accountId) {
      return readAccount(
        await ask(({ v2 }) => v2.core.accounts.retrieve(accountId, { include }), { account: accountId }),
      );
    },
    async onboardingUrl(account, { refreshUrl, returnUrl }) {
      const account_onboarding = { refresh_url: refreshUrl, return_url: returnUrl };
      const use_case = { type: 'account_onboarding' as const, account_onboarding };
      return (await ask(({ v2 }) => v2.core.accountLinks.create({ account, use_case }), { account })).url;
    },
    async accountUrl(accountId) {
      return (await ask(({ accounts }) => accounts.createLoginLink(accountId), { account: accountId })).url;
    },
  };
}

/** Money that left an account, and money that came back because its bank did not take it. */
const payoutTypes = ['payout', 'payout_failure', 'payout_cancel'] as const;

/** Lines of the books of the platform or of one account, newest first. Mostly few are new: the first two pages are short ones. */
async function* linesOf(ask: Ask, about: Stripe.BalanceTransactionListParams, stripeAccount?: string) {
  let after: string | undefined;
  for (;;) {
    const params = {
      ...about,
      limit: after === undefined ? newLinesAtOnce : linesAtOnce,
      ...(after !== undefined && { starting_after: after }),
    };
    const { data, has_more } = await ask(
      ({ balanceTransactions }) => balanceTransactions.list(params, stripeAccount ? { stripeAccount } : {}),
      { account: stripeAccount },
    );
    yield data;
    after = data.at(-1)?.id;
    if (!has_more || after === undefined) return;
  }
}

function booksOf(ask: Ask): Pick<Payments, 'movements' | 'payouts' | 'undelivered'> {
  const reader: SourceReader = {
    transferOf: (id) => ask(({ transfers }) => transfers.retrieve(id)),
    chargeOf: (id) => ask(({ charges }) => charges.retrieve(id)),
    feeOf: (id) => ask(({ applicationFees }) => applicationFees.retrieve(id)),
  };
  async function* payoutLinesOf(type: string, accountId: string) {
    for await (const lines of linesOf(ask, { type }, accountId)) {
      const read = await Promise.all(lines.map((line) => readMovement(line, reader)));
      yield read.map((movement) => ({ ...movement, accountId }));
    }
  }
  return {
    async *movements(since) {
      const params = {
        expand: ['data.source'],
        ...(since && { created: { gte: Math.floor(since.getTime() / 1000) } }),
      };
      for await (const lines of linesOf(ask, params))
        yield await Promise.all(lines.map((line) => readMovement(line, reader)));
    },
    payouts: (accountId) => payoutTypes.map((type) => payoutLinesOf(type, accountId)),
    async *undelivered() {
      let after: string | undefined;
      for (;;) {
        const params = { limit: linesAtOnce, delivery_success: false, ...(after && { starting_after: after }) };
        const { data, has_more } = await ask(({ events }) => events.list(params));
        const events = data.map((event) => readEvent(event, event.account === undefined ? 'stripe' : 'stripe-connect'));
        yield* events.filter(({ isActedUpon }) => isActedUpon);
        after = data.at(-1)?.id;
        if (!has_more || after === undefined) return;
      }
    },
  };
}

/** Payments by the provider's official library; the sandbox is reached by the same code. */
export function openStripe(settings: StripeSettings): Payments {
  const { realm, place, secrets, hooks = hookNames } = settings;
  const { ask, sdk } = openAsk(settings);
  const methods = openMethods(ask);
  const plans = plansOf(ask, methods, settings.browser);
  return {
    realm,
    place,
    isOff: false,
    hooks,
    ...checkoutsOf(ask, methods, plans),
    ...accountsOf(ask),
    ...booksOf(ask),
    ...payoutsOf(ask),
    ...disputesBy(ask),
    ...warningsBy(ask),
    ...madeBy(ask),
    ...cardsBy(ask),
    ...packsOf(ask, methods),
    ...plans,
    async refund(refund) {
      const idempotencyKey = keyOf(`refund:${refund.refundId}`, refund);
      await ask(({ refunds }) => refunds.create(refundParams(refund), { idempotencyKey }));
    },
    async release(release) {
      const idempotencyKey = keyOf(`release:${release.requestId}`, release);
      const { id } = await ask(({ transfers }) => transfers.create(releaseParams(release), { idempotencyKey }), {
        account: release.accountId,
      });
      return { transferId: id };
    },
    async verifyHook(hook, body, signature) {
      const secret = (await secrets())[hook];
      if (secret === undefined) return undefined;
      return readSigned(await sdk(), hook, { body, signature, secret });
    },
    close: async () => settings.close?.(),
  };
}

/** Reads what was signed; what was not, nobody reads. */
function readSigned(
  stripe: Stripe,
  hook: HookName,
  { body, signature, secret }: { body: Buffer; signature: string; secret: string },
): HookEvent | undefined {
  try {
    if (hook !== 'stripe-v2') return readEvent(stripe.webhooks.constructEvent(body, signature, secret), hook);
    const { id, type, livemode, created, ...more } = stripe.parseEventNotification(body, signature, secret);
    const related = 'related_object' in more ? (more.related_object as { id: string } | null) : null;
    const objectId = related?.id ?? '';
    const about = { type, objectId, isActedUpon: isActedUpon(hook, { type, objectId }) };
    return { ...about, eventId: id, accountId: undefined, livemode, createdAt: new Date(created) };
  } catch {
    return undefined;
  }
}
