import { SandboxError } from '#engines/payments/sandbox/books.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { runRefunds } from '#features/returns/refunding.ts';
import { readRow, readRows } from '../people.ts';
import type { TestApp } from '../test-app.ts';

/** A payment that a card's bank has reported as possible fraud. */
export interface ReportedPayment {
  chargeId: string;
  warningId: string;
  /** What it was a payment of, where that is paid again and again. */
  subscriptionId: string | undefined;
}

/** What was paid for so far. */
interface Sold {
  paid: readonly string[];
  packs: readonly string[];
  requests: readonly { sessionId: string }[];
  fans: readonly { subscriptionId: string }[];
  subscriptions: readonly string[];
}

interface Payment {
  chargeId: string | undefined;
  subscriptionId?: string;
}

/** What may be reported: everything that was paid for once, and of what is paid again and again its last payment. */
async function listPayments({ engines }: TestApp, done: Sold): Promise<Payment[]> {
  const { payments } = engines;
  const sessions = [...done.paid, ...done.packs, ...done.requests.map(({ sessionId }) => sessionId)];
  const found: Payment[] = [];
  for (const sessionId of sessions) found.push({ chargeId: (await payments.findCheckout(sessionId)).chargeId });
  for (const subscriptionId of [...done.fans.map((fan) => fan.subscriptionId), ...done.subscriptions]) {
    const paid = (await payments.listInvoices(subscriptionId)).find(({ paidCents }) => paidCents > 0);
    if (paid === undefined) continue;
    found.push({ chargeId: (await payments.findInvoicePayment(paid.invoiceId)).chargeId, subscriptionId });
  }
  return found;
}

/** The bank of a card reports a payment. @returns undefined where there is none, or it is reported already */
export async function reportPayment(app: TestApp, done: Sold, of: number): Promise<ReportedPayment | undefined> {
  const paid = await listPayments(app, done);
  const { chargeId, subscriptionId } = paid[of % Math.max(1, paid.length)] ?? {};
  if (chargeId === undefined) return undefined;
  const warningId = await app.engines.sandbox?.warn(chargeId).catch((error: unknown) => {
    if (!(error instanceof SandboxError)) throw error;
  });
  return warningId ? { chargeId, warningId, subscriptionId } : undefined;
}

/**
 * Nothing is left to be done about a warning: its payment went back whole, by no more than was paid, or a bank has it. What is
 * paid again and again has ended where we gave it back. @throws when it is not so
 */
export async function compareReported(
  app: TestApp,
  { chargeId, warningId, subscriptionId }: ReportedPayment,
): Promise<void> {
  const { payments } = app.engines;
  const known = await readRows(app, 'select id from fraud_warnings where warning_id = $1 and settled_at is null', [
    warningId,
  ]);
  // What is known of is looked after until nothing is left to be done.
  for (let round = 0; known.length > 0 && round < 2; round++) {
    await syncObject(app.engines, warningId);
    await runRefunds(app.engines);
  }
  if (known.length > 0) await syncObject(app.engines, warningId);
  const { isActionable } = await payments.findWarning(warningId);
  const { isReturned, isSettled } = await readRow<{ isReturned: boolean; isSettled: boolean }>(
    app,
    `select coalesce(bool_or(returned_at is not null), false) as "isReturned", coalesce(bool_and(settled_at is not null), false) as "isSettled"
     from fraud_warnings where warning_id = $1`,
    [warningId],
  );
  const { wishes } = await readRow<{ wishes: number }>(
    app,
    `select count(*)::int as wishes from refunds r join checkout_orders o on o.id = r.order_id
     where o.charge_id = $1 and r.reason = 'fraudulent' and r.state <> 'failed'`,
    [chargeId],
  );
  const runs =
    isReturned &&
    subscriptionId !== undefined &&
    (await payments.findSubscription(subscriptionId)).endedAt === undefined;
  const is = { isActionable, isSettled, isDoubled: wishes > 1, runs };
  const wanted = { isActionable: false, isSettled: true, isDoubled: false, runs: false };
  if (JSON.stringify(is) !== JSON.stringify(wanted))
    throw new Error(`a reported payment: ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}`);
}
