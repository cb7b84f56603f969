import { expect } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { readRows } from './people.ts';
import type { SharedAlbum } from './shared-link.ts';
import { type Browser, newBrowser, type TestApp } from './test-app.ts';

export type GatedLink = { id: string; slug: string };

/** What tests do at links that ask for an address. */
export function openEmailGates(app: TestApp, shared: SharedAlbum) {
  let people = 0;
  const open = ({ slug }: GatedLink, body: object, browser: Browser) => shared.viewerApi.tap(slug, body, browser);
  /** The codes that were sent to an address, the newest first. */
  async function codesFor(address: string): Promise<string[]> {
    const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000));
    const codes = emails.filter(({ to, template }) => to === address && template === 'proof_code');
    return codes.map(({ text }) => text.match(/\d{6}/)?.[0] ?? '');
  }
  return {
    open,
    codesFor,
    newEmail: () => `viewer-${people++}@example.com`,
    asking: (allow: string[] = [], rules: object = {}): Promise<GatedLink> =>
      shared.makeLink({ email: { verify: true, allow }, ...rules }),
    /** Types an address and the code that comes. @returns what the link answers */
    async prove(link: GatedLink, address: string, browser: Browser, more: object = {}) {
      expect((await open(link, { ...more, email: address }, browser)).refusal?.reason).toBe('NEED_EMAIL_CODE');
      const [emailCode] = await codesFor(address);
      return open(link, { ...more, emailCode }, browser);
    },
    /** A browser that has been at the link's door. */
    async comer(link: GatedLink, body: object = {}): Promise<Browser> {
      const browser = newBrowser();
      await open(link, body, browser);
      return browser;
    },
    viewersOf: ({ id }: GatedLink) =>
      readRows<{ viewer_id: string }>(app, 'select viewer_id from link_viewers where link_id = $1', [id]),
  };
}
