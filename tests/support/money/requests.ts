import { setTimeout as wait } from 'node:timers/promises';
import { heldTerms } from '#features/notices/refund-promise.ts';
import { listEmails } from '#features/notices/store.ts';
import { must, type Person } from '../people.ts';
import type { SharedAlbum } from '../shared-link.ts';
import { type Browser, newBrowser, type TestApp } from '../test-app.ts';
import { payAt, sessionOf, tapDoor } from './selling.ts';

/** What a creator says of custom work, where a test says nothing else. */
export const openForRequests = {
  isOn: true,
  leastCents: 1000,
  priceList: [{ title: 'Birthday video', cents: 4000 }],
  days: 14,
  wontDo: 'No feet.',
  mostOpen: 10,
};

/** A creator who can be paid takes requests. */
export const takeRequests = (app: TestApp, { browser }: Pick<Person, 'browser'>, more: object = {}) =>
  must(app, 'requests.changeSettings', { ...openForRequests, ...more }, browser);

export const aRequest = {
  title: 'Ten photos at the beach',
  brief: 'In a red dress, around sunset.',
  kind: 'photo',
  quantity: 10,
  offeredCents: 4000,
};

/** Every email to an address, the newest last. */
export async function emailsTo(app: TestApp, address: string): Promise<string[]> {
  const all = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000));
  return all
    .filter(({ to }) => to === address)
    .map(({ text }) => text)
    .toReversed();
}

export interface Asked {
  code: string;
  id: string;
  email: string;
  browser: Browser;
  slug: string;
}

let people = 0;

/** Somebody who was let in by a link asks its creator for something. */
export async function askAtLink(app: TestApp, shared: SharedAlbum, params: object = {}): Promise<Asked> {
  const { slug } = await shared.makeLink();
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const email = `asker-${++people}@example.com`;
  const code = await askWith(app, { slug }, { browser, email }, params);
  return { code, id: code.split('.')[0] ?? '', email, browser, slug };
}

/** Asks with the code of the email. */
export async function askWith(
  app: TestApp,
  of: { slug: string } | { handle: string },
  { browser, email }: { browser: Browser; email: string },
  params: object = {},
): Promise<string> {
  await must(app, 'requests.mailCode', { ...of, email }, browser);
  const emailCode = (await readCode(app, email)) ?? '';
  return (await must(app, 'requests.ask', { ...of, ...aRequest, ...params, emailCode }, browser)).code;
}

/** The newest code that was mailed to an address. */
export async function readCode(app: TestApp, email: string): Promise<string | undefined> {
  const text = (await emailsTo(app, email)).findLast((one) => /^ {4}\d{6}$/m.test(one));
  return /^ {4}(\d{6})$/m.exec(text ?? '')?.[1];
}

/** Pays what was agreed, and comes back to the page that says so. @returns the reference of the payment */
export async function payFor(app: TestApp, { code, browser, email }: Asked, amountCents = 4000): Promise<string> {
  const { url } = await must(app, 'requests.pay', { code, amountCents, shownTerms: heldTerms }, browser);
  const sessionId = sessionOf(url);
  await payAt(app, sessionId, { email });
  await must(app, 'requests.paid', { sessionId }, browser);
  return sessionId;
}

/** A request that is paid and in work. */
export async function payAccepted(app: TestApp, shared: SharedAlbum, params: object = {}): Promise<Asked> {
  const asked = await askAtLink(app, shared, params);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
  await payFor(app, asked);
  return asked;
}

/** A request of which the album is delivered. */
export async function deliverAsked(app: TestApp, shared: SharedAlbum): Promise<Asked> {
  const asked = await payAccepted(app, shared);
  await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, shared.creator.browser);
  return asked;
}

/** Begins several things that all wait for the same request, so that none of them is over before another has looked at it. */
export async function beginTogether<T>(app: TestApp, { id }: Asked, begin: () => Promise<T>[]): Promise<T[]> {
  let begun: Promise<T>[] = [];
  await app.engines.database.work({ kind: 'system' }, async (tx) => {
    await tx.client.query('select from custom_requests where id = $1 for update', [id]);
    begun = begin();
    await wait(400);
  });
  return Promise.all(begun);
}
