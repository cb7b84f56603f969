import type { Tx } from '#engines/database/work.ts';
import { noteAdminLook } from '#features/audit/admin-looks.ts';
import { hashKey, insertAudit } from '#features/audit/store.ts';
import type { AdminContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { OutboxEmail } from '../contract.ts';
import { liftAudited } from '../suppressions/lifting.ts';
import { findSuppression } from '../suppressions/suppressions-store.ts';
import { listEmailsTo } from './emails-to-store.ts';
import { countFailedEmails, listFailedEmails, markGivenUpSeen, mostSentAgain, sendAgain } from './given-up-store.ts';

const mostListed = 200;

/** Shows what became of the emails to an address, and why it gets no notices. */
export async function showEmailsTo(context: AdminContext, address: string) {
  const { asSystem, engines } = context;
  const to = address.toLowerCase();
  // By a keyed hash: the log holds no address.
  const target = { type: 'address', id: hashKey(engines.keys, 'address', to) };
  await noteAdminLook(context, { action: 'mails.looked_at', target });
  return asSystem(async (tx) => ({
    emails: await listEmailsTo(tx, to),
    suppression: (await findSuppression(tx, engines.keys, to)) ?? null,
  }));
}

/** Shows what was given up and what waits after a try that failed. */
export async function showFailedEmails({ asSystem }: AdminContext) {
  return asSystem(async (tx) => {
    const { givenUp, failing } = await countFailedEmails(tx);
    const emails = await listFailedEmails(tx, mostListed);
    return { emails: emails.map((email): OutboxEmail => ({ ...email, sentAt: null })), givenUp, failing };
  });
}

/** Queues an email once more that was given up, or all of them. @throws CONFLICT when one cannot be sent any more */
export async function sendEmailsAgain(context: AdminContext, emailId: string | null): Promise<number> {
  const { engines } = context;
  let count = 0;
  for (let part = mostSentAgain; part === mostSentAgain; count += part)
    part = await audited(context, 'mails.send', emailId, (tx) => sendAgain(tx, engines.jobs, emailId ?? undefined));
  if (count === 0 && emailId !== null)
    throw refuse('CONFLICT', {
      message: 'It cannot be sent again: it was sent meanwhile, or what it carried has expired.',
    });
  return count;
}

/** Takes an email that was given up off the list, or all of them. */
export const markEmailsSeen = (context: AdminContext, emailId: string | null): Promise<number> =>
  audited(context, 'mails.seen', emailId, (tx) => markGivenUpSeen(tx, emailId ?? undefined));

const audited = (
  { asSystem, admin, requestId }: AdminContext,
  action: string,
  emailId: string | null,
  change: (tx: Tx) => Promise<number>,
): Promise<number> =>
  asSystem(async (tx) => {
    const count = await change(tx);
    const details = { count, which: emailId ?? 'all' };
    const actor = { type: 'admin', id: admin.userId } as const;
    if (count > 0) await insertAudit(tx, { actor, action, details, requestId });
    return count;
  });

/** Sends notices to an address again. @throws CONFLICT when it was never suppressed, or its owner has unsubscribed */
export async function liftSuppression(
  { asSystem, engines, admin, requestId }: AdminContext,
  address: string,
): Promise<void> {
  const actor = { type: 'admin', id: admin.userId } as const;
  const isLifted = await asSystem((tx) => liftAudited(tx, engines.keys, address, { actor, requestId }));
  if (!isLifted)
    throw refuse('CONFLICT', {
      message: 'Nothing holds notices back, or they have unsubscribed: only they can resume them.',
    });
}
