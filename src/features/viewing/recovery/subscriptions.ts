import { draftEndsAt } from '#features/books/draft-rules.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { agreeToPrice, changeFanEnd, findFanCardPage } from '#features/orders/changing-fans.ts';
import { isRunning } from '#features/orders/fan-rules.ts';
import { type FanRow, findFan } from '#features/orders/fans-store.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { syncSubscriptions } from '#features/orders/sync-orders.ts';
import { canBePaid } from '#features/payouts/accounts-store.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { Subscription } from '../sale-contract.ts';
import { readViewerCookie } from '../viewer-cookie.ts';
import { joinPayer } from './joining.ts';
import { listSubscriptions, type SubscriptionRow } from './subscriptions-store.ts';

/** What this browser's viewer has subscribed to, and whoever paid with the address that it has proven. */
async function listOwn({ engines, ...context }: Context): Promise<SubscriptionRow[]> {
  const secretHash = readViewerCookie({ engines, ...context });
  if (secretHash === undefined) return [];
  return listSubscriptions(engines.database, secretHash, engines.payments.realm, moneyNow(engines));
}

/** What went back is said before what has ended because of it. */
function stateOf(row: SubscriptionRow, now: Date): Subscription['state'] {
  if (row.paidState === 'refunded' || row.paidState === 'charged_back') return 'returned';
  if (!isRunning(row, now)) return 'ended';
  if (!row.isAlive) return 'shut';
  if (row.paidState === 'disputed') return 'on_hold';
  if (row.source === 'pass') return 'active';
  if (row.cancelAtPeriodEnd) return 'ending';
  return row.status === 'past_due' ? 'late' : 'active';
}

const opening: readonly Subscription['state'][] = ['active', 'late', 'ending'];

const pathOf = ({ slug, handle }: SubscriptionRow): string | undefined =>
  slug === null ? (handle === null ? undefined : `/@${handle}`) : `/view/${slug}`;

/** Returns what a draft means to whoever has subscribed. */
function renewalOf(
  state: Subscription['state'],
  draftSince: Date | null,
): Pick<Subscription, 'renewal' | 'stuckUntil'> {
  if (draftSince !== null && state === 'late') return { renewal: 'stuck', stuckUntil: draftEndsAt(draftSince) };
  return { renewal: draftSince !== null && state === 'active' ? 'soon' : null, stuckUntil: null };
}

export async function listMySubscriptions(context: Context): Promise<{ rows: Subscription[] }> {
  const { engines } = context;
  const now = moneyNow(engines);
  const rows = await listOwn(context);
  const late = rows.filter((row) => stateOf(row, now) === 'late');
  const unpayable = new Set<string>();
  for (const { fanId, creatorId } of late)
    if (!(await canBePaid(engines.database, engines.payments.realm, creatorId))) unpayable.add(fanId);
  return {
    rows: rows.map((row) => {
      const { fanId, source, creatorName, tierName, months, amountCents, currency, since, periodEnd, tierCents } = row;
      const { nextAttemptAt, cardLast4, stoppedAt, paidOrderId, viewerId, draftSince } = row;
      const state = stateOf(row, now);
      const isOpen = opening.includes(state);
      const isPass = source === 'pass';
      return {
        fanId,
        isPass,
        creatorName,
        tierName,
        months,
        amountCents,
        currency,
        since,
        state,
        cardLast4,
        until: isOpen ? periodEnd : (row.endedAt ?? periodEnd),
        nextAttemptAt: state === 'late' ? nextAttemptAt : null,
        isUnpayable: unpayable.has(fanId),
        ...renewalOf(state, draftSince),
        isStopped: stoppedAt !== null,
        newPriceCents: !isPass && state === 'active' && tierCents !== amountCents ? tierCents : null,
        receiptPath: paidOrderId === null ? null : `/receipt/${receiptCode(engines, paidOrderId)}`,
        canOpen: isOpen && viewerId !== null && pathOf(row) !== undefined,
      };
    }),
  };
}

/** @throws NOT_FOUND for what is nobody's in this browser */
async function findOwn(context: Context, fanId: string): Promise<{ row: SubscriptionRow; fan: FanRow }> {
  const row = (await listOwn(context)).find((one) => one.fanId === fanId);
  const fan = row && (await findFan(context.engines.database, fanId));
  if (row === undefined || fan === undefined) throw refuse('NOT_FOUND');
  return { row, fan };
}

/** Lets it run out, or go on after all. */
export async function changeSubscriptionEnd(context: Context, fanId: string, isEnding: boolean): Promise<void> {
  const { fan } = await findOwn(context, fanId);
  await changeFanEnd(context.engines, fan, isEnding);
}

export async function agreeToNewPrice(context: Context, fanId: string, priceCents: number): Promise<void> {
  const { fan } = await findOwn(context, fanId);
  await agreeToPrice(context.engines, fan, priceCents);
}

export async function findCardPage(context: Context, fanId: string): Promise<string> {
  const { fan } = await findOwn(context, fanId);
  return findFanCardPage(context.engines, fan);
}

/** Back from the provider, where another card was given: what is owed may have been paid. */
export async function checkSubscriptions(context: Context): Promise<void> {
  const { engines } = context;
  const late = (await listOwn(context)).filter(({ source, endedAt }) => source === 'paid' && endedAt === null);
  await syncSubscriptions(
    engines,
    late.map(({ fanId }) => fanId),
  );
}

/**
 * Returns where a subscription opens: at a link that its viewer knows, or at the creator's page. Another browser becomes one more device
 * of the viewer who subscribed.
 * @throws NOT_FOUND for whatever this browser may not open
 */
export async function openSubscription(
  context: Context,
  fanId: string,
  timeZone: string | undefined,
): Promise<{ viewPath: string }> {
  const { row } = await findOwn(context, fanId);
  const { viewerId } = row;
  const viewPath = pathOf(row);
  const secretHash = readViewerCookie(context);
  const isOpen = opening.includes(stateOf(row, moneyNow(context.engines)));
  if (secretHash === undefined || viewerId === null || viewPath === undefined || !isOpen) throw refuse('NOT_FOUND');
  if (!row.isOwn) await joinPayer(context, { secretHash, viewerId, timeZone });
  return { viewPath };
}

/** The viewer of a subscription that runs, for a browser that has just proven its address. */
export async function findSubscriber({ engines }: Context, secretHash: Buffer): Promise<string | undefined> {
  const now = moneyNow(engines);
  const rows = await listSubscriptions(engines.database, secretHash, engines.payments.realm, now);
  return rows.find((row) => opening.includes(stateOf(row, now)))?.viewerId ?? undefined;
}
