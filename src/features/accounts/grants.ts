import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { accessGrantedEmail } from '#features/notices/emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { dayMs } from '#kit/time.ts';
import { setEntitlement, setFreeAccess } from './access/entitlements-store.ts';
import { findAccount, findAccountByEmail } from './store.ts';

const system = { kind: 'system' } as const;
const daysMax = 3650;

export const grants = ['free', 'suite', 'beta'] as const;
export type Grant = (typeof grants)[number];
const isGrant = (text: string | undefined): text is Grant => grants.some((grant) => grant === text);

/** `pf grant EMAIL free|suite|beta`, with what stands after its options. */
export interface GrantOrder {
  email: string | undefined;
  what: string | undefined;
  days: string | undefined;
  isEnd: boolean;
}

type Needed = Pick<Engines, 'database' | 'jobs' | 'clock' | 'installation'>;

/**
 * Gives somebody free access, the suite or what is new before the others, or takes it back: written down, and mailed where it
 * is given.
 * @returns what to print @throws a sentence that says what is wrong
 */
export async function runGrant(engines: Needed, { email = '', what, days, isEnd }: GrantOrder): Promise<string> {
  if (!isGrant(what))
    throw new Error(
      'Say what: `grant EMAIL free [--days N]`, `grant EMAIL suite`, `grant EMAIL beta` or `grant EMAIL credits --count N`.',
    );
  const { database, clock } = engines;
  const now = new Date(clock());
  const until = readUntil(what, isEnd ? undefined : days, now);
  const given = await database.work(system, async (tx) => {
    const account = await findAccountByEmail(tx, email);
    if (account === undefined || account.status === 'deleted') return undefined;
    await giveAccess(engines, tx, account, { what, until, isEnd }, { type: 'system' });
    return account;
  });
  if (given === undefined)
    throw new Error(`No account has the address "${email}". They sign up first, then run this again.`);
  return isEnd ? describeEnded(given.email, what) : describeGiven(given.email, what, until);
}

/** Gives or takes it in the caller's transaction: written down, and mailed where it is given. */
export async function giveAccess(
  engines: Pick<Engines, 'jobs' | 'clock' | 'installation'>,
  tx: Tx,
  { id: userId }: { id: string },
  { what, until, isEnd }: { what: Grant; until: Date | null; isEnd: boolean },
  by: Parameters<typeof insertAudit>[1]['actor'],
): Promise<void> {
  if (what === 'free') await setFreeAccess(tx, userId, !isEnd, until);
  else await setEntitlement(tx, userId, what, !isEnd);
  await insertAudit(tx, {
    actor: by,
    action: isEnd ? 'access.ended' : 'access.granted',
    target: { type: 'user', id: userId },
    details: { what, until: until?.toISOString() ?? null },
  });
  await tx.publish({ kind: 'plan.changed', creatorId: userId });
  const account = isEnd ? undefined : await findAccount(tx, userId);
  if (account !== undefined) await mail(engines, tx, account, { what, until, now: new Date(engines.clock()) });
}

type Writing = { what: Grant; until: Date | null; now: Date };

async function mail(
  { jobs, installation }: Pick<Engines, 'jobs' | 'installation'>,
  tx: Tx,
  { id, email, timeZone }: { id: string; email: string; timeZone: string },
  { what, until, now }: Writing,
): Promise<void> {
  const day = until && new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(until);
  const text = accessGrantedEmail({ what, day, subscriptionPage: `${installation.publicUrl}/subscription` });
  await queueEmail(tx, jobs, { userId: id, to: email, now, ...text });
}

/** @throws for what is no number of days, and for days of what has none */
function readUntil(what: Grant, days: string | undefined, now: Date): Date | null {
  if (days === undefined) return null;
  if (what !== 'free') throw new Error('--days goes with `free` only.');
  const number = Number(days);
  if (!/^\d{1,4}$/.test(days) || number < 1 || number > daysMax)
    throw new Error(`--days takes a whole number from 1 to ${daysMax}: how long the account is free.`);
  return new Date(now.getTime() + number * dayMs);
}

const names: Readonly<Record<Grant, string>> = { free: 'free access', suite: 'the suite', beta: 'what is new' };

const describeGiven = (email: string, what: Grant, until: Date | null) =>
  `${email} has ${names[what]}${until === null ? '' : ` until ${until.toISOString().slice(0, 10)}`}, and an email that says so.`;
const describeEnded = (email: string, what: Grant) => `${email} no longer has ${names[what]}. No email was sent.`;
