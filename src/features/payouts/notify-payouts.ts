import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { findAccount } from '#features/accounts/store.ts';
import type { EmailText } from '#features/notices/email-words.ts';
import {
  payoutClosedEmail,
  payoutHeldEmail,
  payoutRestrictedEmail,
  payoutWaitsEmail,
} from '#features/notices/payout-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import type { AccountRow } from './accounts-store.ts';
import { holdWords } from './payout-words.ts';
import type { HoldCode } from './rules.ts';

type Needs = Pick<Engines, 'jobs' | 'installation'>;

export interface Place {
  payoutsPage: string;
  contactPage: string;
  dayOf(day: Date): string;
}

/** Writes to a creator about their payouts; an account that is gone is written to no more. */
export async function writeToPayee(
  { jobs, installation }: Needs,
  tx: Tx,
  { userId, now }: { userId: string; now: Date },
  wordsOf: (place: Place) => EmailText,
): Promise<void> {
  const account = await findAccount(tx, userId);
  if (account === undefined || account.status === 'deleted') return;
  const { timeZone } = account;
  const dayOf = (day: Date) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(day);
  const words = wordsOf({
    payoutsPage: `${installation.publicUrl}/account/payouts`,
    contactPage: `${installation.publicUrl}/contact`,
    dayOf,
  });
  await queueEmail(tx, jobs, { userId, to: account.email, now, ...words });
}

/** Tells a creator why nothing is paid out to them. */
export const notifyHeld = (engines: Needs, tx: Tx, { userId, code, note, expectedAt, now }: HeldAbout): Promise<void> =>
  writeToPayee(engines, tx, { userId, now }, ({ payoutsPage, dayOf }) =>
    payoutHeldEmail({
      payoutsPage,
      ...holdWords[code],
      note,
      day: expectedAt === null ? undefined : dayOf(expectedAt),
    }),
  );

interface HeldAbout {
  userId: string;
  code: HoldCode;
  note: string;
  expectedAt: Date | null;
  now: Date;
}

/** Tells a creator that their account can take nothing any more, where it could until now. */
export async function notifyAccount(
  engines: Needs,
  tx: Tx,
  { before, after }: { before: AccountRow; after: Pick<AccountRow, 'fullStatus'> & { missing: readonly string[] } },
  now: Date,
): Promise<void> {
  const { userId } = before;
  const { fullStatus, missing } = after;
  if (fullStatus === before.fullStatus) return;
  if (fullStatus === 'closed')
    await writeToPayee(engines, tx, { userId, now }, ({ contactPage }) => payoutClosedEmail({ contactPage }));
  if (fullStatus === 'restricted')
    await writeToPayee(engines, tx, { userId, now }, ({ payoutsPage }) =>
      payoutRestrictedEmail({ payoutsPage, missing }),
    );
}

/** Tells the operator that something waits for a decision. */
export async function notifyOperator(
  { jobs, installation }: Needs,
  tx: Tx,
  { userId, why, appeal, now }: { userId: string; why: string; appeal?: string; now: Date },
): Promise<void> {
  const { operatorEmail } = installation;
  const account = operatorEmail === undefined ? undefined : await findAccount(tx, userId);
  if (operatorEmail === undefined || account === undefined) return;
  const words = payoutWaitsEmail({ email: account.email, why, appeal });
  await queueEmail(tx, jobs, { to: operatorEmail, now, ...words });
}
