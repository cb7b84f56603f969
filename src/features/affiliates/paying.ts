import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { postMovement } from '#features/books/ledger-store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { entriesOfPartnerPayout } from '#features/books/posting.ts';
import { partnerPaidEmail } from '#features/notices/emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { formatMoney } from '#kit/text.ts';
import { monthOf } from '#kit/time.ts';
import { insertLine, insertRun, listDue, lockRuns, settlePayout } from './payouts-store.ts';
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
  isPaid: boolean;
  note: string;
}

/** Notes that a line of a run was paid by hand, or that it was not. @returns false when it is not open any more */
export async function settleLine(
  engines: Engines,
  acting: Acting,
  { payoutId, isPaid, note }: Outcome,
): Promise<boolean> {
  const { database, payments, jobs } = engines;
  const now = moneyNow(engines);
  return database.work(system, async (tx) => {
    const settling = { id: payoutId, state: isPaid ? 'paid' : 'canceled', by: acting.adminId, note, now } as const;
    const payout = await settlePayout(tx, payments.realm, settling);
    if (payout === undefined) return false;
    const { affiliateId, amountCents, currency, email, userId } = payout;
    if (isPaid) {
      await postMovement(
        tx,
        payments.realm,
        {
          id: `aff-paid:${payoutId}`,
          kind: 'partner_payout',
          at: now,
          availableAt: now,
          currency,
          chargeId: undefined,
          accountId: undefined,
          sold: undefined,
        },
        entriesOfPartnerPayout(affiliateId, amountCents),
      );
      const page = `${engines.installation.publicUrl}/account/affiliate`;
      const amount = formatMoney(amountCents, currency.toUpperCase());
      if (email !== null && userId !== null)
        await queueEmail(tx, jobs, { userId, to: email, now, ...partnerPaidEmail({ amount, page }) });
    }
    const action = isPaid ? 'affiliate.payout_paid' : 'affiliate.payout_canceled';
    const [target, { requestId }] = [{ type: 'affiliate_payout', id: payoutId }, acting];
    await insertAudit(tx, {
      actor: actorOf(acting),
      action,
      target,
      details: { amountCents },
      ...(requestId && { requestId }),
    });
    return true;
  });
}
