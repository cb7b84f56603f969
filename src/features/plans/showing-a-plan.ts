import type { Engines } from '#engines/engines.ts';
import { findSubscriptionStatus } from '#features/accounts/rules.ts';
import { findMe, type MeRow } from '#features/accounts/store.ts';
import { adoptExpected } from '#features/books/adopting-cards.ts';
import { draftEndsAt } from '#features/books/draft-rules.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { settingsOf } from '#features/settings/settings.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { PlanInvoice, PlanState } from './contract.ts';
import { findPlanRefund, type InvoiceRow, listInvoicesOf } from './invoices-store.ts';
import { isPausedNow, listPauses, type Pause } from './pauses/pause-rules.ts';
import { listPausesOf } from './pauses/pauses-store.ts';
import { findOpenPlanCheckout } from './plan-checkouts-store.ts';
import { findPlanOf, type PlanRow } from './plans-store.ts';
import { checkBudgetMs, isLive, isStale, moneyBackUntil } from './rules.ts';
import { syncPlan, syncPlanSession } from './sync-plan.ts';

const system = { kind: 'system' } as const;

/** Asks the provider where what is known here may be old, and waits no longer than somebody would. */
export async function refreshPlan(engines: Engines, userId: string): Promise<void> {
  const { database, payments, log } = engines;
  if (payments.isOff) return;
  const [plan, open] = await database.work(system, async (tx) => [
    await findPlanOf(tx, payments.realm, userId),
    await findOpenPlanCheckout(tx, payments.realm, userId),
  ]);
  const asked: Promise<unknown>[] = [];
  if (plan !== undefined && isStale(plan, moneyNow(engines))) asked.push(askPlan(engines, plan));
  if (open?.sessionId != null) asked.push(syncPlanSession(engines, open.sessionId));
  if (asked.length === 0) return;
  const all = Promise.all(asked).catch((error: unknown) =>
    log.warn({ area: 'money', err: error }, 'how a plan stands could not be asked'),
  );
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, checkBudgetMs);
  await Promise.race([all, late.promise]);
  clearTimeout(timer);
}

/** Reads a plan from the provider; a card that was just given pays from now on. */
export async function askPlan(engines: Engines, { customerId, subscriptionId }: PlanRow): Promise<void> {
  await adoptExpected(engines, syncPlan, [customerId]);
  await syncPlan(engines, subscriptionId);
}

/** How a plan stands, for the route guard. */
export async function checkPlan({ engines, creator, now }: CreatorContext) {
  await refreshPlan(engines, creator.userId);
  const [me, plan] = await readPlan(engines, creator.userId);
  return {
    subscription_status: findSubscriptionStatus(me, now),
    trial_end: plan?.trialEnd ?? me.trialEndsAt,
    period_end: plan?.periodEnd ?? null,
    cancel_at_period_end: plan?.cancelAtPeriodEnd ?? false,
  };
}

async function readPlan({ database, payments }: Engines, userId: string): Promise<[MeRow, PlanRow | undefined]> {
  const [me, plan] = await Promise.all([findMe(database, userId), findPlanOf(database, payments.realm, userId)]);
  if (me === undefined) throw refuse('UNAUTHENTICATED');
  return [me, plan];
}

/** A creator's plan as their pages show it. */
export async function showPlan({ engines, creator, now }: CreatorContext): Promise<PlanState> {
  const { database, payments, sandbox } = engines;
  const { userId, access } = creator;
  const [[me, plan], settings, invoices, refund, pauses] = await Promise.all([
    readPlan(engines, userId),
    settingsOf(engines),
    listInvoicesOf(database, payments.realm, userId),
    findPlanRefund(database, userId),
    listPausesOf(database, payments.realm, userId),
  ]);
  const planTime = moneyNow(engines);
  const status = findSubscriptionStatus(me, now);
  return {
    kind: kindOf({ access, status, plan, isOff: payments.isOff, planTime }),
    status,
    currency: plan?.currency ?? 'usd',
    freeUntil: me.freeUntil,
    nextAttemptAt: invoices.find(({ nextAttemptAt }) => nextAttemptAt !== null)?.nextAttemptAt ?? null,
    isRefunding: refund !== undefined && refund.settledAt === null,
    invoices: invoices.map(showInvoice),
    isSandbox: sandbox !== undefined,
    ...(plan !== undefined && isLive(plan)
      ? showGoing(plan, { me, pauses, isUsed: refund !== undefined, planTime })
      : showNone(plan, me, settings['plan.priceCents'])),
  };
}

type Going = Pick<
  PlanState,
  | 'priceCents'
  | 'trialEnd'
  | 'periodEnd'
  | 'pause'
  | 'pauses'
  | 'cancelAtPeriodEnd'
  | 'endedAt'
  | 'card'
  | 'moneyBackUntil'
  | 'canChangeCard'
  | 'renewal'
  | 'stuckUntil'
>;

interface About {
  me: MeRow;
  pauses: readonly Pause[];
  isUsed: boolean;
  planTime: Date;
}

/** A plan that renews or resumes. */
const showGoing = (plan: PlanRow, { me, pauses, isUsed, planTime }: About): Going => ({
  priceCents: plan.amountCents,
  trialEnd: plan.trialEnd ?? me.trialEndsAt,
  periodEnd: plan.periodEnd,
  pause: plan.isPaused ? { from: plan.pausedFrom, until: plan.pausedUntil } : null,
  pauses: listPauses({ ...plan, isUncharged: plan.draftSince !== null }, pauses, planTime),
  cancelAtPeriodEnd: plan.cancelAtPeriodEnd,
  endedAt: null,
  card: cardOf(plan),
  moneyBackUntil: moneyBackUntil({ firstPaidAt: plan.firstPaidAt, isUsed }, planTime),
  canChangeCard: true,
  ...renewalOf(plan),
});

/** What a draft means to whoever has the plan. */
const renewalOf = ({ status, draftSince }: PlanRow): Pick<PlanState, 'renewal' | 'stuckUntil'> => ({
  renewal: draftSince === null ? null : status === 'past_due' ? 'stuck' : 'soon',
  stuckUntil: draftSince !== null && status === 'past_due' ? draftEndsAt(draftSince) : null,
});

/** No plan, or one that is over. */
const showNone = (plan: PlanRow | undefined, me: MeRow, priceCents: number): Going => ({
  priceCents,
  trialEnd: me.trialEndsAt,
  periodEnd: null,
  pause: null,
  pauses: [],
  cancelAtPeriodEnd: false,
  endedAt: plan?.endedAt ?? null,
  card: null,
  moneyBackUntil: null,
  canChangeCard: false,
  renewal: null,
  stuckUntil: null,
});

const cardOf = ({ cardBrand, cardLast4 }: PlanRow): PlanState['card'] =>
  cardLast4 === null ? null : { brand: cardBrand ?? 'card', last4: cardLast4 };

interface Known {
  access: CreatorContext['creator']['access'];
  status: string | null;
  plan: PlanRow | undefined;
  isOff: boolean;
  planTime: Date;
}

function kindOf({ access, status, plan, isOff, planTime }: Known): PlanState['kind'] {
  if (access.isAdmin) return 'admin';
  const isGoing = plan !== undefined && isLive(plan);
  if (isGoing && isPausedNow(plan, planTime)) return 'paused';
  if (isGoing) return plan.status === 'trialing' && plan.cardLast4 === null ? 'trial' : 'plan';
  if (access.isFree) return 'free';
  if (status === 'trialing') return 'trial';
  if (isOff) return 'off';
  return status === null ? 'none' : 'ended';
}

function showInvoice(invoice: InvoiceRow): PlanInvoice {
  const { id, number, amountCents, refundedCents, currency, createdAt, paidAt, pageUrl } = invoice;
  return {
    id,
    number,
    at: paidAt ?? createdAt,
    amountCents,
    refundedCents,
    currency,
    state: stateOf(invoice),
    url: pageUrl,
  };
}

function stateOf({ status, paidCents, refundedCents }: InvoiceRow): PlanInvoice['state'] {
  if (refundedCents > 0) return refundedCents < paidCents ? 'partly_refunded' : 'refunded';
  if (status === 'paid') return 'paid';
  return status === 'open' || status === 'draft' ? 'open' : 'failed';
}
