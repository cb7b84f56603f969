import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { payPlatformOut } from './payouts.ts';
import { findObjects, type Kept, platform, sumAvailable } from './store.ts';

/** How much an account was last told to have; answered to nobody. */
interface LastPublished extends Kept {
  cents: number;
}

const idOf = (account: string, currency: string) => `balance_${account}_${currency}`;

/** Tells that money became available, of the platform and of each account: an event about an object that has no id. */
async function publishAvailable(books: Books): Promise<void> {
  const sums = await sumAvailable(books.tx, books.now);
  const published = await findObjects(
    books.tx,
    sums.map(({ account, currency }) => idOf(account, currency)),
  );
  for (const { account, currency, cents } of sums) {
    const id = idOf(account, currency);
    const before = (published.get(id) as LastPublished | undefined)?.cents ?? 0;
    if (before === cents) continue;
    const last: LastPublished = { id, object: 'last_balance', cents };
    await books.keep(last, { account });
    if (cents < before) continue;
    const amount = { amount: cents, currency };
    const balance = { object: 'balance', available: [amount], livemode: false, pending: [] } satisfies Stripe.Balance;
    await (account === platform
      ? books.publish('balance.available', balance)
      : books.notifyAccount('balance.available', balance, account));
  }
}

/** What became available is told, and what leaves by a schedule leaves. */
export async function bringBalances(books: Books): Promise<void> {
  await publishAvailable(books);
  await payPlatformOut(books);
}
