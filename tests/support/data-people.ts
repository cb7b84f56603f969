import { expect } from 'vitest';
import { settleOpen } from '#features/money/reconcile.ts';
import { payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from './money/selling.ts';
import { advance, must, readRow } from './people.ts';
import type { SharedAlbum } from './shared-link.ts';
import { type Browser, newBrowser, type TestApp } from './test-app.ts';

/** People without an account of whom something is kept, and how they show that they are who they are. */
export function openDataPeople(app: TestApp, shared: SharedAlbum) {
  let people = 0;
  const open = (slug: string, browser: Browser) => post(app, `/api/view/${slug}/open`, {}, browser);

  /** Somebody who has paid at a link and looked. @param email typed at the provider's page; one of nobody when left out */
  async function buy(email = `buyer-${people++}@example.com`) {
    const { slug, id: linkId } = await shared.makeLink(tipToOpen(1000), { expiry: { kind: 'never' } });
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    await payAt(app, sessionOf((await tapPay(app, slug, browser)).body.url), { email });
    await settleOpen(app.engines, 0);
    expect((await open(slug, browser)).status).toBe(200);
    return { slug, linkId, browser, email };
  }

  /** Somebody who has only looked. */
  async function look() {
    const { slug } = await shared.makeLink({});
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    return { slug, browser };
  }

  async function codeFor(act: 'export' | 'erase' | 'keep', { browser, email }: { browser: Browser; email: string }) {
    advance(app, 61_000);
    await must(app, 'privacy.mailDataCode', { act }, browser);
    const { text } = await readRow<{ text: string }>(
      app,
      `select body_text as text from mail_outbox where recipient = $1 and template = 'data_code' order by created_at desc limit 1`,
      [email],
    );
    return /^ {4}(\d{6})$/m.exec(text)?.[1] ?? '';
  }
  const mine = (browser: Browser) => must(app, 'privacy.showMine', {}, browser);
  return { open, buy, look, codeFor, mine };
}
