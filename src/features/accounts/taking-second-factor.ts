import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { secondFactorTakenEmail } from '#features/notices/second-factor-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { deleteSecondFactor, hasSecondFactor } from './second-factor/second-factor-store.ts';
import { linksOf } from './second-factor/telling-codes.ts';
import { deleteSessionsOf } from './security-store.ts';
import { findAccountByEmail } from './store.ts';

type Needed = Pick<Engines, 'database' | 'jobs' | 'clock' | 'installation'>;

/**
 * `pf users second-factor-off EMAIL`: takes the second factor of somebody away who has lost the phone and every backup code.
 * @returns what to print @throws a sentence that says what is wrong
 */
export async function runUsers(engines: Needed, [verb, email = '']: readonly string[]): Promise<string> {
  if (verb !== 'second-factor-off' || email === '')
    throw new Error('Say whose: `users second-factor-off EMAIL`. Make sure first that it is the owner who asks.');
  const { database, jobs, clock } = engines;
  return database.work({ kind: 'system' }, async (tx) => {
    const account = await findAccountByEmail(tx, email.trim().toLowerCase());
    if (account === undefined) throw new Error(`No account has the address "${email}".`);
    if (!(await hasSecondFactor(tx, account.id))) throw new Error(`${account.email} has no second factor.`);
    await deleteSecondFactor(tx, account.id);
    await deleteSessionsOf(tx, account.id);
    const target = { type: 'user', id: account.id };
    await insertAudit(tx, { actor: { type: 'system' }, action: 'second_factor.taken_away', target });
    const message = secondFactorTakenEmail(linksOf({ engines }));
    await queueEmail(tx, jobs, { userId: account.id, to: account.email, now: new Date(clock()), ...message });
    return `${account.email} signs in with the password alone again. Every device was signed out, and an email says so.`;
  });
}
