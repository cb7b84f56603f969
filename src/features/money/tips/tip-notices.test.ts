import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliverDue } from '#features/notices/notifying.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settleOpen } from '../reconcile.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

/** Somebody tips, and looks at the page that thanks, as often as they like. */
async function tip(slug: string, amountCents: number, looks = 1) {
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const { body } = await tapPay(app, slug, browser, amountCents, { message: 'For the sea' });
  const sessionId = sessionOf(body.url);
  await payAt(app, sessionId);
  const look = () => must(app, 'viewing.checkoutStatus', { sessionId }, browser);
  await Promise.all(Array.from({ length: looks }, look));
  await settleOpen(app.engines, 0);
}

const emailsOf = ({ creator }: SharedAlbum) =>
  readRows<{ template: string; subject: string; body_text: string }>(
    app,
    `select template, subject, body_text from mail_outbox where recipient = $1 and kind = 'notice' order by created_at`,
    [creator.email],
  );

describe('a creator', () => {
  it('hears of a tip once: how much it is and what of it is hers, and no name', async () => {
    const { slug } = await shared.makeLink(tipToOpen(1000), { name: 'Bob of the harbour' });
    await tip(slug, 1250, 4);
    await deliverDue(app.engines);
    await deliverDue(app.engines);
    const emails = await emailsOf(shared);
    expect(emails.map(({ template, subject }) => [template, subject])).toEqual([['tip', 'You got a tip']]);
    const [{ body_text: text } = { body_text: '' }] = emails;
    expect(text).toContain('a tip of $12.50 on one of your links');
    expect(text).toContain('$11.25 is yours');
    expect(text).toContain('/earnings');
    expect(text).not.toMatch(/Bob|harbour|sea|example/);
  });

  it('hears of several tips in one email, of each by itself', async () => {
    const other = await shareAlbum(app, { count: 1 });
    await connectPayouts(app, other.creator);
    const { slug } = await other.makeLink(tipToOpen(500));
    await tip(slug, 500);
    await tip(slug, 2000);
    await deliverDue(app.engines);
    const emails = await emailsOf(other);
    expect(emails.map(({ template }) => template)).toEqual(['digest']);
    expect(emails[0]?.body_text.match(/a tip of \$\d+/g)?.sort()).toEqual(['a tip of $20', 'a tip of $5']);
  });

  it('hears of no tip if she wants to hear of none', async () => {
    const other = await shareAlbum(app, { count: 1 });
    await connectPayouts(app, other.creator);
    const { channels } = await must(app, 'notices.settings', {}, other.creator.browser);
    expect(channels.tip).toBe('mail');
    await must(app, 'notices.change', { channels: { tip: 'off' } }, other.creator.browser);
    const { slug } = await other.makeLink(tipToOpen(500));
    await tip(slug, 500);
    await deliverDue(app.engines);
    expect(await emailsOf(other)).toEqual([]);
  });
});
