import { insertTier } from '#features/orders/fan-tiers-store.ts';
import { newId } from '#kit/ids.ts';
import { must, type Person, readRow } from '../people.ts';
import { type Browser, newBrowser, type TestApp } from '../test-app.ts';

/** What a creator offers for a monthly price. @returns its id */
export async function addTier({ engines }: TestApp, creator: Person, name = 'Inner circle'): Promise<string> {
  const now = new Date(engines.clock());
  const id = newId<'tier'>(now.getTime());
  const tier = { id, creatorId: creator.userId, name, priceCents: 999, currency: 'usd', benefits: 'Everything new.' };
  await engines.database.work({ kind: 'system' }, (tx) =>
    insertTier(tx, { ...tier, off3: null, off6: null, off12: null, allFuture: true, albumIds: [], now }),
  );
  return id;
}

/** A pass of a tier. @returns its id and the secret of its address */
export async function makePass(
  app: TestApp,
  creator: Person,
  tierId: string,
  more: object = {},
): Promise<{ id: string; token: string }> {
  const { id, url } = await must(app, 'passes.create', { tierId, days: 7, places: 2, ...more }, creator.browser);
  return { id, token: String(url).split('/').at(-1) ?? '' };
}

/** The code of the newest email to an address. */
export async function codeTo(app: TestApp, email: string): Promise<string> {
  const newest = `select body_text from mail_outbox where recipient = $1 and template = 'pass_code' order by created_at desc, id desc limit 1`;
  const { body_text: text } = await readRow<{ body_text: string }>(app, newest, [email]);
  return /^\s*(\d{6})$/m.exec(text)?.[1] ?? '';
}

/** Asks for the code and types it. */
export async function take(app: TestApp, token: string, email: string, browser: Browser = newBrowser()) {
  await must(app, 'viewing.askForPass', { token, email }, browser);
  return app.call('viewing.takePass', { token, code: await codeTo(app, email) }, browser);
}
