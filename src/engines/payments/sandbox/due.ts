import type Stripe from 'stripe';
import { type Books, expireSession } from './books.ts';
import { loseOverdue } from './disputing.ts';
import { bringPayouts } from './payouts.ts';
import { bringDueOne } from './plan-billing.ts';
import { listExpired } from './store.ts';
import { bringReports } from './warning.ts';

/** What has been due for longer than that waits for the next call. */
const mostDueAtOnce = 500;

/** What has become due since the last call happens before anything else. */
export async function catchUp(books: Books): Promise<void> {
  for (const session of await listExpired(books.tx, books.now))
    await expireSession(books, session as Stripe.Checkout.Session);
  await bringPayouts(books);
  await loseOverdue(books);
  await bringReports(books);
  // One thing leads to the next: a plan that was renewed long ago is due again.
  for (let round = 0; round < mostDueAtOnce && (await bringDueOne(books, books.at)); round++);
}
