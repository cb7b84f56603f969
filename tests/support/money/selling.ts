import { reconcile } from '#features/money/reconcile.ts';
import { refundPromise } from '#features/notices/refund-promise.ts';
import { must, type Person, readRows } from '../people.ts';
import { type Browser, headersOf, keepCookies, newBrowser, type TestApp } from '../test-app.ts';

/** A raw call as a page makes it. */
export async function post(
  app: Pick<TestApp, 'fastify'>,
  url: string,
  payload: object,
  browser: Browser = newBrowser(),
) {
  const answer = await app.fastify.inject({
    method: 'POST',
    url,
    ...(browser.address !== undefined && { remoteAddress: browser.address }),
    headers: {
      'x-csrf-token': 'orpc',
      'content-type': 'application/json',
      host: 'localhost:3000',
      ...headersOf(browser),
    },
    payload: JSON.stringify(payload),
  });
  keepCookies(browser, answer.headers['set-cookie']);
  const isJson = String(answer.headers['content-type']).includes('json');
  return { status: answer.statusCode, body: isJson ? JSON.parse(answer.body) : undefined };
}

/** A creator's payout account, complete. @returns its name at the provider */
export async function connectPayouts(app: TestApp, { browser }: Pick<Person, 'browser'>): Promise<string> {
  const { url } = await must(app, 'money.connect', { country: 'US' }, browser);
  const accountId = String(url).split('/').at(-1) ?? '';
  await app.engines.sandbox?.answerOnboarding(accountId, true);
  const { account } = await must(app, 'money.checkAccount', {}, browser);
  if (account !== 'complete') throw new Error(`the account is ${account}`);
  return accountId;
}

/** Fills a creator's account with money that is available at once: a payout of before has come back from her bank. */
export async function fillAccount(app: TestApp, accountId: string, cents = 1_000_000): Promise<void> {
  await app.engines.sandbox?.payOut(accountId, -cents);
  await reconcile(app.engines);
}

/** Makes a creator one who has been here for long: what she sells may leave as soon as the provider lets it go. */
export async function proveSeller(app: TestApp, { userId }: Pick<Person, 'userId'>): Promise<void> {
  await readRows(app, `update users set created_at = created_at - interval '40 days' where id = $1`, [userId]);
  await readRows(app, 'update user_stripe_accounts set settlement_days = 0 where user_id = $1', [userId]);
}

export const tipToOpen = (minCents: number) => ({ offers: [{ id: 'tip', all: [{ kind: 'tip', minCents }] }] });

export const payToOpen = (priceCents: number, minCents?: number) => ({
  offers: [
    { id: 'pay', all: [{ kind: 'pay', priceCents }] },
    ...(minCents === undefined ? [] : tipToOpen(minCents).offers),
  ],
});

/** Taps Open until the gate asks for money or the link opens; says yes to the question of age. */
export async function tapDoor(app: Pick<TestApp, 'fastify'>, slug: string, browser: Browser) {
  await post(app, `/api/view/${slug}/open`, { isAdult: true }, browser);
  return post(app, `/api/view/${slug}/open`, { isAdult: true }, browser);
}

/** Taps Pay. */
export const tapPay = (
  app: Pick<TestApp, 'fastify'>,
  slug: string,
  browser: Browser,
  amountCents = 1000,
  more: object = {},
) => {
  const params = { offerId: 'tip', amountCents, shownTerms: refundPromise, ...more };
  return post(app, `/api/view/${slug}/checkout`, params, browser);
};

export const sessionOf = (url: unknown): string => String(url).split('/').at(-1) ?? '';

export const goodCard = '4242424242424242';
export const badCard = '4000000000000002';

/** Pays on the provider's page, and goes nowhere from there. */
export async function payAt(app: TestApp, sessionId: string, { card = goodCard, email = 'bob@example.com' } = {}) {
  return app.engines.sandbox?.pay(sessionId, { email, card });
}
