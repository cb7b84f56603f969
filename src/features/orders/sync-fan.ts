import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { Invoice, PaymentState, Subscription } from '#engines/payments/plan-payments.ts';
import { findDraft, isDraftOver, statusWith } from '#features/books/draft-rules.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { newId } from '#kit/ids.ts';
import {
  bindFirstMonth,
  type FanRow,
  findFan,
  findFanOf,
  insertMonth,
  keepNewestPaid,
  listBilled,
  writeFan,
} from './fans-store.ts';
import { notifyChange } from './notify-fans.ts';
import { findOrderOfInvoice, type OrderRow } from './orders-store.ts';
import { writePayment } from './payments/writing-orders.ts';
import { splitMonth } from './split-rules.ts';

const system = { kind: 'system' } as const;
/** Lost to somebody who was quicker, so often that something else is wrong. */
const mostRounds = 20;

/** Somebody was quicker: nothing of the transaction stays. */
class ConcurrentChange extends Error {}

/** What is known beside the subscription's name. */
interface Hints {
  /** The checkout that it came of, which makes it known here. */
  firstOrder?: OrderRow | undefined;
  /** A bill of which something was told. */
  invoiceId?: string | undefined;
}

/**
 * Asks the provider how a fan's subscription stands and writes it down: every month that was paid as an order, its mails, and
 * whether it still opens anything. Repeating it changes nothing; it is right whenever, however often and by whomever it is called.
 * The books are brought up by whoever calls.
 * @returns undefined when it is none of ours
 */
export async function syncFan(
  engines: Engines,
  subscriptionId: string,
  hints: Hints = {},
): Promise<FanRow | undefined> {
  const { database, payments } = engines;
  return withObjectLock(engines, subscriptionId, async () => {
    for (let round = 0; round < mostRounds; round++) {
      const known = await findFanOf(database, payments.realm, subscriptionId);
      if (known === undefined && hints.firstOrder === undefined) return undefined;
      const said = await ask(engines, subscriptionId, known, hints);
      const written = await database.work(system, (tx) => write(engines, tx, { known, said, hints })).catch(orAgain);
      if (written === undefined) continue;
      // Whose last month was given back, came too late, or is with a bank, is charged for no other one.
      if (!written.mustEnd) return findFan(database, written.fanId);
      await payments.endPlan(subscriptionId);
    }
    throw new Error('A subscription was changed by somebody else again and again.');
  });
}

function orAgain(error: unknown): undefined {
  if (!(error instanceof ConcurrentChange)) throw error;
}

/** A bill that was paid, and what became of its money. */
interface Bill {
  invoice: Invoice;
  payment: PaymentState;
}

interface Said {
  subscription: Subscription;
  invoices: readonly Invoice[];
  /** Oldest first: those that are new, the newest one, and the one that was asked about. */
  bills: readonly Bill[];
}

async function ask(
  { database, payments }: Engines,
  subscriptionId: string,
  known: FanRow | undefined,
  { invoiceId }: Hints,
): Promise<Said> {
  const subscription = await payments.findSubscription(subscriptionId);
  const invoices = await payments.listInvoices(subscriptionId);
  const billed = known === undefined ? new Set() : await listBilled(database, known.id);
  const paid = invoices.filter(({ paidAt, paidCents }) => paidAt !== undefined && paidCents > 0);
  const wanted = paid.filter(({ invoiceId: id }, n) => n === 0 || id === invoiceId || !billed.has(id));
  const bills: Bill[] = [];
  for (const invoice of wanted.toReversed())
    bills.push({ invoice, payment: await payments.findInvoicePayment(invoice.invoiceId) });
  return { subscription, invoices, bills };
}

interface Facts {
  known: FanRow | undefined;
  said: Said;
  hints: Hints;
}

async function write(engines: Engines, tx: Tx, facts: Facts): Promise<{ fanId: string; mustEnd: boolean }> {
  const { known, said, hints } = facts;
  const { invoices, bills } = said;
  const now = moneyNow(engines);
  const draft = findDraft(said.subscription, invoices);
  const subscription = { ...said.subscription, status: statusWith(said.subscription.status, draft, now) };
  const nextAttemptAt = invoices.find((invoice) => invoice.nextAttemptAt !== undefined)?.nextAttemptAt;
  const fanId = await writeFan(tx, {
    id: newId<'fan'>(now.getTime()),
    subscription,
    nextAttemptAt,
    draft,
    version: known?.syncedVersion,
    now,
    orderId: known?.paidOrderId ?? hints.firstOrder?.id ?? '',
  });
  if (fanId === undefined) throw new ConcurrentChange();
  if (hints.firstOrder !== undefined) {
    const first = invoices.find(({ isFirst }) => isFirst);
    await bindFirstMonth(tx, hints.firstOrder.id, fanId, first?.invoiceId ?? null);
  }
  for (const bill of bills) await writeMonth(engines, tx, { fanId, feePercent: subscription.feePercent }, bill);
  const { state: moneyState = '', isLate = false } = (await keepNewestPaid(tx, fanId)) ?? {};
  const after = await findFan(tx, fanId);
  if (after === undefined) throw new Error('The subscription was written and is not there.');
  // Whoever paid too late has an email that says so, and its creator has no subscriber.
  if (!isLate)
    await notifyChange(engines, tx, { before: known, after, draft, feePercent: subscription.feePercent, now });
  const mustEnd = isLate || endsWith.includes(moneyState) || isDraftOver(draft, now);
  return { fanId, mustEnd: mustEnd && after.endedAt === null };
}

/** What becomes of the money of the newest month and ends a subscription. */
const endsWith: readonly string[] = ['refunded', 'disputed', 'charged_back'];

/** One month that was paid, as an order. The platform keeps of it what was agreed when the subscription began. */
async function writeMonth(
  engines: Engines,
  tx: Tx,
  { fanId, feePercent }: { fanId: string; feePercent: number },
  { invoice, payment }: Bill,
): Promise<void> {
  const { invoiceId, paidCents: amountCents, paidAt } = invoice;
  const { realm } = engines.payments;
  const find = () => findOrderOfInvoice(tx, realm, invoiceId);
  let order = await find();
  if (order === undefined) {
    const at = moneyNow(engines);
    const { feeCents } = splitMonth(amountCents, feePercent);
    await insertMonth(tx, { id: newId<'order'>(at.getTime()), fanId, invoiceId, amountCents, feeCents, at });
    order = await find();
  }
  if (order === undefined) throw new Error('A month was written and is not there.');
  const email = order.email ?? undefined;
  const paid = { state: 'paid', sessionId: undefined, email, amountCents, paidAt, ...payment } as const;
  if (!(await writePayment(engines, tx, order, paid))) throw new ConcurrentChange();
}
