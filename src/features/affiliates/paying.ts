import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { postMovement } from '#features/books/ledger-store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { entriesOfPartnerPayout } from '#features/books/posting.ts';
import { partnerPaidEmail } from '#features/notices/partner-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { formatMoney } from '#kit/text.ts';
import { monthOf } from '#kit/time.ts';
import { insertLine, insertRun, listDue, lockRuns, type SettledPayout, settlePayout } from './payouts-store.ts';
import { type PayLine, planLines } from './rules.ts';

const system = { kind: 'system' } as const;

/** Whoever does it: an administrator, or a command. */
export interface Acting {
  /** Null for a command. */
  adminId: string | null;
  requestId?: string;
}

export const actorOf = ({ adminId }: Acting) =>
  adminId === null ? ({ type: 'system' } as const) : ({ type: 'admin', id: adminId } as const);

async function plan(engines: Engines, tx: Tx, leastCents: number): Promise<PayLine[]> {
  const due = await listDue(tx, engines.payments.realm, monthOf(moneyNow(engines)));
  return planLines(due, leastCents);
}

/** Returns who would get what in a run that is made now; it changes nothing. */
export async function planRun(engines: Engines): Promise<PayLine[]> {
  const leastCents = (await settingsOf(engines))['affiliates.payoutCents'];
  return engines.database.work(system, (tx) => plan(engines, tx, leastCents));
}

export const totalOf = (lines: readonly Pick<PayLine, 'amountCents'>[]): number =>
  lines.reduce((sum, { amountCents }) => sum + amountCents, 0);

/**
 * Makes a run: what its dry run said, and nothing else. A second tap finds nothing more to pay.
 * @param expected what was read before
 * @returns how many partners are in it; undefined when it would not be what was read
 */
export async function makeRun(
  engines: Engines,
  acting: Acting,
  expected: { partners: number; totalCents: number },
): Promise<{ runId: string; partners: number } | undefined> {
  const { database, payments } = engines;
  const leastCents = (await settingsOf(engines))['affiliates.payoutCents'];
  const now = moneyNow(engines);
  return database.work(system, async (tx) => {
    await lockRuns(tx);
    const lines = await plan(engines, tx, leastCents);
    const totalCents = totalOf(lines);
    if (lines.length === 0 || lines.length !== expected.partners || totalCents !== expected.totalCents)
      return undefined;
    const runId = newId<'run'>(now.getTime());
    await insertRun(tx, payments.realm, { id: runId, by: acting.adminId, now });
    for (const line of lines)
      await insertLine(tx, payments.realm, { id: newId<'payout'>(now.getTime()), runId, line, now });
    const { requestId } = acting;
    const [target, details] = [
      { type: 'affiliate_run', id: runId },
      { partners: lines.length, totalCents },
    ];
    await insertAudit(tx, {
      actor: actorOf(acting),
      action: 'affiliate.run_made',
      target,
      details,
      ...(requestId && { requestId }),
    });
    return { runId, partners: lines.length };
  });
}

export interface Outcome {
  payoutId: string;
  /** What was paid, by whoever did it; null where nothing was. */
  paidCents: number | null;
  note: string;
}

/**
 * Notes that a line of a run was paid by hand, or that it was not. Of one that was made smaller since it was read, all that was paid is
 * booked, and what was too much is taken off the next run.
 * @returns false when it is not open any more, or another amount was to be paid
 */
export async function settleLine(
  engines: Engines,
  acting: Acting,
  { payoutId, paidCents, note }: Outcome,
): Promise<boolean> {
  const { database, payments } = engines;
  const now = moneyNow(engines);
  return database.work(system, async (tx) => {
    await lockRuns(tx);
    const deductionId = newId<'deduction'>(now.getTime());
    const settling = { id: payoutId, paidCents, deductionId, by: acting.adminId, note, now };
    const payout = await settlePayout(tx, payments.realm, settling);
    if (payout === undefined) return false;
    if (paidCents !== null) await bookPaid(engines, tx, payout, paidCents);
    const action = paidCents === null ? 'affiliate.payout_canceled' : 'affiliate.payout_paid';
    const [target, { requestId }] = [{ type: 'affiliate_payout', id: payoutId }, acting];
    await insertAudit(tx, {
      actor: actorOf(acting),
      action,
      target,
      details: { dueCents: payout.dueCents, ...(paidCents !== null && { paidCents }) },
      ...(requestId && { requestId }),
    });
    return true;
  });
}

/** Books what left the platform's bank, and tells the partner. */
async function bookPaid(
  engines: Engines,
  tx: Tx,
  { id, affiliateId, currency, email, userId }: SettledPayout,
  paidCents: number,
): Promise<void> {
  const now = moneyNow(engines);
  const nobodys = { chargeId: undefined, accountId: undefined, sold: undefined };
  const about = { id: `aff-paid:${id}`, kind: 'partner_payout', at: now, availableAt: now, currency } as const;
  const entries = entriesOfPartnerPayout(affiliateId, paidCents);
  await postMovement(tx, engines.payments.realm, { ...about, ...nobodys }, entries);
  if (email === null || userId === null) return;
  const page = `${engines.installation.publicUrl}/account/affiliate`;
  const amount = formatMoney(paidCents, currency.toUpperCase());
  await queueEmail(tx, engines.jobs, { userId, to: email, now, ...partnerPaidEmail({ amount, page }) });
}
