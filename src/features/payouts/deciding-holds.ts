import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { type NotDone, notDone, type Operator } from '#features/audit/operator.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { payoutAppealEmail, payoutReleasedEmail } from '#features/notices/payout-emails.ts';
import { answerAppeal } from './appeals-store.ts';
import { hold } from './holding.ts';
import { endHolds } from './holds-store.ts';
import { writeToPayee } from './notify-payouts.ts';
import { type HoldCode, holdCodes } from './rules.ts';

type Needed = Pick<Engines, 'jobs' | 'installation' | 'linkClock' | 'payments'>;
type Decided = { kind: 'done' } | NotDone;
const done = { kind: 'done' } as const;

/** Holds what a creator would be paid out; they are told with the note. */
export async function holdByHand(
  engines: Needed,
  tx: Tx,
  { userId, reason, note }: { userId: string; reason: HoldCode; note: string },
  by: Operator,
): Promise<Decided> {
  const now = moneyNow(engines);
  if (!(await hold(engines, tx, { userId, code: reason, note, by: 'staff', now })))
    return notDone(`They are held for ${reason} already.`);
  await writeDown(tx, { action: 'payouts.held', userId, details: { reason, note } }, by);
  return done;
}

/** Ends every hold; an appeal that waits is answered with it. */
export async function releaseByHand(
  engines: Needed,
  tx: Tx,
  { userId, note }: { userId: string; note: string },
  by: Operator,
): Promise<Decided> {
  const { realm } = engines.payments;
  const now = moneyNow(engines);
  const count = await endHolds(tx, { userId, realm }, holdCodes, { by: 'staff', now });
  if (count === 0) return notDone('They are not held.');
  const answer = note === '' ? 'Thank you for telling us.' : note;
  const wasAsked = await answerAppeal(tx, realm, { userId, answer, isGranted: true, now });
  await writeDown(tx, { action: 'payouts.released', userId, details: { note } }, by);
  await writeToPayee(engines, tx, { userId, now }, ({ payoutsPage }) =>
    wasAsked ? payoutAppealEmail({ payoutsPage, answer, isGranted: true }) : payoutReleasedEmail({ payoutsPage }),
  );
  return done;
}

/** Answers an appeal with no; what is held stays held. */
export async function refuseAppeal(
  engines: Needed,
  tx: Tx,
  { userId, note }: { userId: string; note: string },
  by: Operator,
): Promise<Decided> {
  const now = moneyNow(engines);
  const answered = { userId, answer: note, isGranted: false, now };
  if (!(await answerAppeal(tx, engines.payments.realm, answered))) return notDone('No appeal waits for an answer.');
  await writeDown(tx, { action: 'payouts.appeal_refused', userId, details: { note } }, by);
  await writeToPayee(engines, tx, { userId, now }, ({ payoutsPage }) =>
    payoutAppealEmail({ payoutsPage, answer: note, isGranted: false }),
  );
  return done;
}

const writeDown = (
  tx: Tx,
  { action, userId, details }: { action: string; userId: string; details: Record<string, string> },
  { actor, requestId }: Operator,
): Promise<void> =>
  insertAudit(tx, { actor, action, target: { type: 'user', id: userId }, details, ...(requestId && { requestId }) });
