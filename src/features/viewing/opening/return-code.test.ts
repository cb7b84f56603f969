import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { networkOf } from '#features/audit/rules.ts';
import { takeRate } from '#features/audit/store.ts';
import { settleOpen } from '#features/money/reconcile.ts';
import { listEmails } from '#features/notices/store.ts';
import { connectPayouts, payAt, sessionOf, tapPay } from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { networkMailsKey } from './email-gate.ts';

let app: TestApp;
let shared: SharedAlbum;
let people = 0;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());
beforeEach(async () => void (await readRows(app, 'delete from rate_limits')));

type Link = { id: string; slug: string };
const open = ({ slug }: Link, body: object, browser: Browser) => shared.viewerApi.tap(slug, body, browser);
const newEmail = () => `viewer-${people++}@example.com`;

async function textsTo(address: string, wanted: string): Promise<string[]> {
  const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000));
  return emails.filter(({ to, template }) => to === address && template === wanted).map(({ text }) => text);
}
const codeTo = async (address: string) =>
  /^ {4}([0-9A-Z]{10})$/m.exec((await textsTo(address, 'return_code'))[0] ?? '')?.[1];

/** The first viewer of a link for one person, whose address the link has proven. */
async function first(rules: object = {}) {
  const link = await shared.makeLink({ bindFirstViewer: true, email: { verify: true, allow: [] }, ...rules });
  const [browser, email] = [newBrowser(), newEmail()];
  await open(link, {}, browser);
  await open(link, { email }, browser);
  const emailCode = /\d{6}/.exec((await textsTo(email, 'proof_code'))[0] ?? '')?.[0];
  expect((await open(link, { emailCode }, browser)).head?.visitId).toBeDefined();
  return { link, browser, email };
}

/** Another browser, which has been at the door. */
async function another(link: Link): Promise<Browser> {
  const browser = newBrowser();
  await open(link, {}, browser);
  await readRows(app, 'delete from rate_limits');
  return browser;
}

const viewersOf = async ({ id }: Link) =>
  (await readRow<{ n: number }>(app, 'select count(*)::int as n from link_viewers where link_id = $1', [id])).n;

describe('a link that is somebody else’s device', () => {
  it('opens with a code that is mailed to the address that was proven there, as the same viewer', async () => {
    const { link, email } = await first();
    const browser = await another(link);
    expect((await open(link, { returnEmail: email.toUpperCase() }, browser)).refusal).toMatchObject({
      reason: 'CODE_SENT',
      title: 'Check your email',
    });
    const resumeCode = await codeTo(email);
    expect((await open(link, { resumeCode }, browser)).head?.visitId).toBeDefined();
    expect((await open(link, {}, browser)).head?.visitId, 'and goes on without').toBeDefined();
    expect(await viewersOf(link)).toBe(1);
  });

  it('opens so for who paid, by the address of the payment', async () => {
    const link = await shared.makeLink({
      maxViewers: 1,
      offers: [{ id: 'pay', all: [{ kind: 'pay', priceCents: 1500 }] }],
    });
    const [browser, email] = [newBrowser(), newEmail()];
    await open(link, {}, browser);
    await open(link, {}, browser);
    const { body } = await tapPay(app, link.slug, browser, 1500, { offerId: 'pay' });
    await payAt(app, sessionOf(body.url), { email });
    await settleOpen(app.engines, 0);
    expect((await open(link, {}, browser)).head?.visitId).toBeDefined();
    const elsewhere = await another(link);
    await open(link, { returnEmail: email }, elsewhere);
    const resumeCode = await codeTo(email);
    expect((await open(link, { resumeCode }, elsewhere)).head?.visitId).toBeDefined();
  });

  it('answers every address and every link alike, and mails nobody else', async () => {
    const { link, email } = await first();
    const stranger = await another(link);
    const unknown = newEmail();
    const dead = { id: '', slug: 'NobodysLinkAtAll123456' };
    const answers = [];
    for (const [of, returnEmail] of [
      [link, email],
      [link, unknown],
      [dead, email],
      [dead, newEmail()],
    ] as const) {
      answers.push((await open(of, { returnEmail }, stranger)).refusal);
      await readRows(app, 'delete from rate_limits');
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await textsTo(unknown, 'return_code')).toEqual([]);
    expect(await textsTo(email, 'return_code'), 'by the link that knows it alone').toHaveLength(1);
    const other = await shared.makeLink();
    await open(other, { returnEmail: email }, stranger);
    expect(await textsTo(email, 'return_code')).toHaveLength(1);
  });

  it('mails no code for a link that is revoked, nor to somebody who is blocked', async () => {
    const [one, two] = [await first(), await first()];
    await must(app, 'links.revoke', { linkIds: [one.link.id] }, shared.creator.browser);
    await readRows(app, 'update link_viewers set blocked_at = now() where link_id = $1', [two.link.id]);
    for (const { link, email } of [one, two]) {
      await open(link, { returnEmail: email }, await another(link));
      expect(await textsTo(email, 'return_code')).toEqual([]);
    }
  });

  it('takes a mailed code for half an hour, and leaves the one that was saved as it was', async () => {
    const link = await shared.makeLink({ bindFirstViewer: true, email: { verify: true, allow: [] } });
    const [browser, email] = [newBrowser(), newEmail()];
    await open(link, {}, browser);
    await open(link, { email }, browser);
    const emailCode = /\d{6}/.exec((await textsTo(email, 'proof_code'))[0] ?? '')?.[0];
    const { resumeCode: saved } = (await open(link, { emailCode }, browser)).head ?? {};
    await readRows(app, 'delete from rate_limits');
    await open(link, { returnEmail: email }, await another(link));
    const mailed = await codeTo(email);
    advance(app, 30 * 60_000);
    expect((await open(link, { resumeCode: mailed }, await another(link))).head).toBeUndefined();
    expect((await open(link, { resumeCode: saved }, await another(link))).head?.visitId).toBeDefined();
  });

  it('sends an address no second email at once, and no more than thirty of a network in an hour', async () => {
    const { link, email } = await first();
    const browser = await another(link);
    await open(link, { returnEmail: email }, browser);
    expect((await open(link, { returnEmail: email }, browser)).status).toBe(429);
    await readRows(app, 'delete from rate_limits');
    const key = networkMailsKey(app.engines, link.slug, networkOf('127.0.0.1'));
    const now = new Date(app.engines.clock());
    const spend = { key, limit: 30, windowSeconds: 3600, now, cost: 29 };
    await app.engines.database.work({ kind: 'system' }, (tx) => takeRate(tx, spend));
    expect((await open(link, { returnEmail: newEmail() }, browser)).status).toBe(200);
    expect((await open(link, { returnEmail: newEmail() }, browser)).status).toBe(429);
  });
});
