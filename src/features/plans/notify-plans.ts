import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { Subscription } from '#engines/payments/plan-payments.ts';
import { findAccount } from '#features/accounts/store.ts';
import { type Draft, draftEndsAt } from '#features/books/draft-rules.ts';
import { notifyUnbilled } from '#features/books/notify-unbilled.ts';
import type { EmailText } from '#features/notices/email-words.ts';
import {
  planCancelledEmail,
  planEndedEmail,
  planPausedEmail,
  planPaymentFailedEmail,
  planReceiptEmail,
  planRefundedEmail,
  planRenewsEmail,
  planResumedEmail,
  planResumesEmail,
  planUnbilledEmail,
} from '#features/notices/plan-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { readSettings } from '#features/settings/store.ts';
import { formatMoney } from '#kit/text.ts';
import { noteBillsChanged } from './bills-changed.ts';
import { takeReceipts } from './invoices-store.ts';
import { isPausedNow } from './pauses/pause-rules.ts';
import { takeResuming } from './pauses/pauses-store.ts';
import { type PlanRow, takeAnnounced } from './plans-store.ts';
import { remindMs, resumeRemindMs } from './rules.ts';

type Needs = Pick<Engines, 'database' | 'jobs' | 'installation' | 'payments' | 'keys' | 'log'>;

const formatDay = (day: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(day);

/** Writes to a creator about their plan; an account that is gone is written to no more. */
async function write(
  { jobs, installation }: Needs,
  tx: Tx,
  { userId, now }: { userId: string; now: Date },
  wordsOf: (place: { billingPage: string; dayOf: (day: Date) => string }) => EmailText,
): Promise<void> {
  const account = await findAccount(tx, userId);
  if (account === undefined || account.status === 'deleted') return;
  const dayOf = (day: Date) => formatDay(day, account.timeZone);
  const text = wordsOf({ billingPage: `${installation.publicUrl}/account/billing`, dayOf });
  await queueEmail(tx, jobs, { userId, to: account.email, now, ...text });
}

const moneyOf = (cents: number, currency: string) => formatMoney(cents, currency.toUpperCase());

/** Receipts of what was paid, each once. */
export async function notifyReceipts(
  engines: Needs,
  tx: Tx,
  { planId, userId, now }: { planId: string; userId: string; now: Date },
): Promise<void> {
  const { 'money.statementDescriptor': statementDescriptor } = await readSettings(tx);
  const receipts = await takeReceipts(tx, planId, now);
  if (receipts.length > 0) await noteBillsChanged(engines, tx);
  for (const { number, amountCents, currency, paidAt } of receipts)
    await write(engines, tx, { userId, now }, ({ billingPage, dayOf }) => {
      const amount = moneyOf(amountCents, currency);
      const about = { billingPage, amount, day: dayOf(paidAt), statementDescriptor };
      return planReceiptEmail({ ...about, number: number ?? '–' });
    });
}

export interface Change {
  userId: string;
  before: PlanRow | undefined;
  after: Subscription;
  amountCents: number;
  currency: string;
  nextAttemptAt: Date | undefined;
  draft: Draft | undefined;
  now: Date;
}

/** What has become different since the last look, where somebody has to know. */
export async function notifyChange(engines: Needs, tx: Tx, change: Change): Promise<void> {
  const { userId, before, after, now } = change;
  const to = { userId, now };
  if (after.status === 'past_due' && before?.status !== 'past_due') await notifyLate(engines, tx, change);
  await notifyPause(engines, tx, change);
  const { periodEndsAt } = after;
  const isEnding = after.cancelsAtPeriodEnd && after.endedAt === undefined && periodEndsAt !== undefined;
  if (isEnding && before?.cancelAtPeriodEnd === false)
    await write(engines, tx, to, ({ billingPage, dayOf }) =>
      planCancelledEmail({ billingPage, day: dayOf(periodEndsAt) }),
    );
  // A trial without a card has a notice of its own, and who took the money back is told so.
  const wasTrial = before === undefined || (before.status === 'trialing' && before.cardLast4 === null);
  const isOver = after.endedAt !== undefined && before?.endedAt === null;
  if (isOver && !wasTrial && before.moneyBackAt === null) await write(engines, tx, to, planEndedEmail);
}

/** A month was not paid: because the card was declined, or because it can't be charged at all. */
async function notifyLate(engines: Needs, tx: Tx, change: Change): Promise<void> {
  const { userId, amountCents, currency, nextAttemptAt, draft, now } = change;
  const amount = moneyOf(amountCents, currency);
  if (draft !== undefined)
    await notifyUnbilled(engines, tx, { draft, what: `A creator's plan, ${amount} a month`, now });
  await write(engines, tx, { userId, now }, ({ billingPage, dayOf }) =>
    draft === undefined
      ? planPaymentFailedEmail({ billingPage, amount, nextDay: nextAttemptAt && dayOf(nextAttemptAt) })
      : planUnbilledEmail({ billingPage, amount, endDay: dayOf(draftEndsAt(draft.since)) }),
  );
}

/** A pause that was asked for here, and its end. */
async function notifyPause(engines: Needs, tx: Tx, change: Change): Promise<void> {
  const { userId, before, after, amountCents, currency, draft, now } = change;
  const [amount, to] = [moneyOf(amountCents, currency), { userId, now }];
  const { pausedFrom, pausedUntil, periodEndsAt } = after;
  if (pausedFrom !== undefined && pausedUntil !== undefined && before?.isPaused === false)
    await write(engines, tx, to, ({ billingPage, dayOf }) =>
      planPausedEmail({ billingPage, amount, from: dayOf(pausedFrom), until: dayOf(pausedUntil) }),
    );
  const wasPaused = before !== undefined && isPausedNow(before, now);
  // Whoever resumes with a card that is declined is told of that, and of nothing else.
  if (wasPaused && after.status === 'active' && !after.isPaused && periodEndsAt !== undefined)
    await write(engines, tx, to, ({ billingPage, dayOf }) =>
      planResumedEmail({ billingPage, amount, day: dayOf(periodEndsAt), isCharged: draft === undefined }),
    );
}

/** @param isReported the card's bank has reported possible fraud */
export async function notifyRefund(
  engines: Needs,
  tx: Tx,
  {
    userId,
    amountCents,
    currency,
    isReported = false,
    now,
  }: { userId: string; amountCents: number; currency: string; isReported?: boolean; now: Date },
): Promise<void> {
  const amount = moneyOf(amountCents, currency);
  await noteBillsChanged(engines, tx);
  await write(engines, tx, { userId, now }, ({ billingPage }) =>
    planRefundedEmail({ billingPage, amount, isReported }),
  );
}

/** Announces the first month after a trial, two days before, and the first one after a pause, three days before. */
export async function announceRenewals(engines: Needs, now: Date): Promise<void> {
  const { database, payments } = engines;
  const until = new Date(now.getTime() + remindMs);
  await database.work({ kind: 'system' }, async (tx) => {
    for (const { userId, at, amountCents, currency } of await takeAnnounced(tx, payments.realm, now, until))
      await write(engines, tx, { userId, now }, ({ billingPage, dayOf }) =>
        planRenewsEmail({ billingPage, amount: moneyOf(amountCents, currency), day: dayOf(at) }),
      );
    const soon = new Date(now.getTime() + resumeRemindMs);
    for (const { userId, at, amountCents, currency } of await takeResuming(tx, payments.realm, now, soon))
      await write(engines, tx, { userId, now }, ({ billingPage, dayOf }) =>
        planResumesEmail({ billingPage, amount: moneyOf(amountCents, currency), day: dayOf(at) }),
      );
  });
}
