import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { Dispute } from '#engines/payments/disputes.ts';
import { findAccount } from '#features/accounts/store.ts';
import { findReleased } from '#features/held/releases-store.ts';
import {
  type Closes,
  disputeEmail,
  disputeLostEmail,
  disputeWaitsEmail,
  disputeWonEmail,
} from '#features/notices/dispute-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { findOrder, type OrderRow } from '#features/orders/orders-store.ts';
import { findPackOfCharge } from '#features/orders/packs-store.ts';
import { nameSold } from '#features/orders/sold-words.ts';
import { formatMoney } from '#kit/text.ts';
import { hasEscalated } from './dispute-rules.ts';
import type { DisputeRow } from './disputes-store.ts';

type Needs = Pick<Engines, 'jobs' | 'installation' | 'payments'>;

interface News {
  known: DisputeRow;
  dispute: Dispute;
  /** What of its fee its creator bears. */
  borneCents: number;
  now: Date;
}

/** Tells the operator of a dispute that has come, and again when a chargeback has come of an inquiry; and the creator of one that has taken money, and how it ended. */
export async function notifyDispute(engines: Needs, tx: Tx, news: News): Promise<void> {
  const sold = await findSold(engines, tx, news.known);
  const { known, dispute } = news;
  if (known.status === 'new' || hasEscalated(known, dispute)) await notifyOperator(engines, tx, sold.what, news);
  await notifyCreator(engines, tx, sold, news);
}

interface Sold {
  what: string;
  closes: Closes;
}

async function findSold({ payments }: Needs, tx: Tx, { orderId, chargeId }: DisputeRow): Promise<Sold> {
  const order = orderId === null ? undefined : await findOrder(tx, orderId);
  if (order !== undefined) return { what: nameSold(order.kind), closes: await findClosed(tx, order) };
  const isPlan = (await findPackOfCharge(tx, payments.realm, chargeId)) === undefined;
  return { what: isPlan ? 'A plan' : 'Credits', closes: 'nothing' };
}

async function findClosed(tx: Tx, { id, isOnPage, requestId }: OrderRow): Promise<Closes> {
  if (isOnPage) return 'nothing';
  return requestId !== null && (await findReleased(tx, id)) === undefined ? 'held' : 'access';
}

const dayIn = (day: Date | undefined, timeZone: string): string =>
  day === undefined ? '' : new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(day);

async function notifyOperator(
  { jobs, installation }: Needs,
  tx: Tx,
  what: string,
  { known, dispute, now }: News,
): Promise<void> {
  const { operatorEmail } = installation;
  const { amountCents, currency, reason, dueBy, disputeId } = dispute;
  if (operatorEmail === undefined) return;
  const amount = formatMoney(amountCents, currency.toUpperCase());
  const about = {
    disputeId,
    what: `${what}, ${amount}`,
    reason,
    orderId: known.orderId,
    day: dayIn(dueBy, 'UTC'),
    isEscalated: hasEscalated(known, dispute),
  };
  await queueEmail(tx, jobs, { to: operatorEmail, now, ...disputeWaitsEmail(about) });
}

/** Of what a bank only asks about they hear nothing: no money has moved. */
async function notifyCreator(
  { jobs, installation }: Needs,
  tx: Tx,
  sold: Sold,
  { known: { creatorId, standing: before }, dispute, borneCents, now }: News,
): Promise<void> {
  const { standing, amountCents, currency, feeCents } = dispute;
  const account = creatorId === null ? undefined : await findAccount(tx, creatorId);
  if (creatorId === null || account === undefined || account.status === 'deleted') return;
  const amount = formatMoney(amountCents, currency.toUpperCase());
  const fee = borneCents === 0 ? undefined : formatMoney(borneCents, currency.toUpperCase());
  const page = { ...sold, amount, earningsPage: `${installation.publicUrl}/earnings` };
  const about = { ...page, fee, isFeeReturned: feeCents === 0 };
  // What nobody had heard of is told from its beginning.
  const isNew = before !== 'open' && standing !== 'warning' && standing !== 'over';
  const emails = [
    ...(isNew ? [disputeEmail(about)] : []),
    ...(standing === 'won' ? [disputeWonEmail(about)] : []),
    ...(standing === 'lost' ? [disputeLostEmail(about)] : []),
  ];
  for (const words of emails) await queueEmail(tx, jobs, { userId: creatorId, to: account.email, now, ...words });
}
