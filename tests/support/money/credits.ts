import { sumCredits } from '#features/credits/ledger-store.ts';
import { grantCredits } from '#features/credits/lots/accounting.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { must, type Person, readRow } from '../people.ts';
import type { TestApp } from '../test-app.ts';
import { sessionOfSecret } from './planning.ts';
import { goodCard } from './selling.ts';

/** Buys a pack, in the provider's frame. @returns the name of the checkout */
export async function buyPack(
  app: TestApp,
  { browser, email }: Pick<Person, 'browser' | 'email'>,
  credits = 50,
): Promise<string> {
  const { clientSecret } = await must(app, 'credits.buy', { credits, mode: 'embedded' }, browser);
  const sessionId = sessionOfSecret(clientSecret);
  const paid = await app.engines.sandbox?.pay(sessionId, { email, card: goodCard });
  if (paid === undefined || 'declined' in paid) throw new Error('the pack was not paid');
  return sessionId;
}

/** Gives somebody credits, as an operator does. */
export async function giveCredits({ engines }: TestApp, userId: string, credits: number): Promise<void> {
  const { database, payments } = engines;
  const now = new Date(engines.linkClock());
  const key = `credits:grant:${newId(now.getTime())}` as const;
  const grant = { realm: payments.realm, userId, source: 'grant', credits, key, now } as const;
  await database.work({ kind: 'system' }, (tx) => grantCredits(tx, grant));
}

/** What the books say that somebody has, and what is left in her lots. */
export async function countCredits(app: TestApp, userId: string): Promise<{ balance: number; inLots: number }> {
  const { database, payments } = app.engines;
  const { balance } = await database.work({ kind: 'system' }, (tx) => sumCredits(tx, payments.realm, userId));
  const { left } = await readRow<{ left: number }>(
    app,
    'select coalesce(sum(remaining), 0)::int as left from credit_lots where user_id = $1',
    [userId],
  );
  return { balance, inLots: left };
}

/** Has a link's address begin with a word, as its creator does with credits. @returns the new slug */
export async function giveReadableSlug(
  app: TestApp,
  { browser, userId }: Pick<Person, 'browser' | 'userId'>,
  linkId: string,
  word = 'golden hour',
): Promise<string> {
  const credits = (await settingsOf(app.engines))['credits.address'];
  await giveCredits(app, userId, credits);
  const { url } = await must(app, 'credits.giveWord', { linkId, word, credits }, browser);
  return String(url).split('/').at(-1) ?? '';
}
