import type { Engines } from '#engines/engines.ts';
import { type GrantOrder, runGrant } from '#features/accounts/grants.ts';
import { findAccountByEmail } from '#features/accounts/store.ts';
import { newId } from '#kit/ids.ts';
import { formatCount } from '#kit/text.ts';
import { mostGranted } from './contract.ts';
import { giveCredits } from './granting.ts';

const longestNote = 500;

/** `pf grant EMAIL credits --count N [--note TEXT]`. */
export interface CreditGrantOrder {
  email: string | undefined;
  credits: string | undefined;
  note: string | undefined;
}

type Needed = Pick<Engines, 'database' | 'payments' | 'linkClock'>;

/** `pf grant …`: access, the suite and what is new are the accounts' own, credits are ours. @returns what to print */
export const runGrants = (
  engines: Needed & Parameters<typeof runGrant>[0],
  order: GrantOrder & CreditGrantOrder,
): Promise<string> => (order.what === 'credits' ? runCreditGrant(engines, order) : runGrant(engines, order));

/** Gives somebody credits, which end a year later. @returns what to print @throws a sentence that says what is wrong */
export async function runCreditGrant(engines: Needed, order: CreditGrantOrder): Promise<string> {
  const { email = '', credits: text = '', note = '' } = order;
  const { database } = engines;
  const credits = Number(text);
  if (!/^\d{1,6}$/.test(text) || credits < 1 || credits > mostGranted)
    throw new Error(`Say how many, from 1 to ${mostGranted}: \`grant EMAIL credits --count 20 [--note TEXT]\`.`);
  if (note.length > longestNote) throw new Error(`--note takes up to ${longestNote} characters.`);
  return database.work({ kind: 'system' }, async (tx) => {
    const account = await findAccountByEmail(tx, email.toLowerCase());
    if (account === undefined || account.status === 'deleted')
      throw new Error(`No account has the address "${email}". They sign up first, then run this again.`);
    const gift = { userId: account.id, credits, note, giftId: newId<'gift'>(engines.linkClock()) };
    const balance = await giveCredits(engines, tx, gift, { type: 'system' });
    return `${account.email} got ${formatCount(credits, 'credit')} and has ${balance}.`;
  });
}
