import { expect } from 'vitest';
import { advance, must, type Person, readEmail } from './people.ts';
import { type SharedAlbum, shareAlbum } from './shared-link.ts';
import { type Browser, newBrowser, type TestApp } from './test-app.ts';

export const consent = { typedName: 'Lena Berg', isAdult: true, agrees: true };
let addresses = 0;
export const newAddress = () => `shown-${++addresses}@example.com`;

/** A creator with an album that others are shown in, and what a test does with it. */
export async function openShownAlbum(app: TestApp) {
  const shared: SharedAlbum = await shareAlbum(app, { count: 2 });
  const mia: Person = shared.creator;
  const call = (procedure: string, input: object, from: Browser = newBrowser()) =>
    app.call(`consents.${procedure}`, input, from);
  /** Names somebody as shown in the album. @returns the person's id, address, and the secret that they were mailed */
  const ask = async (email = newAddress()) => {
    advance(app, 60_000);
    const { id } = await must(app, 'consents.add', { albumId: shared.albumId, name: 'Lena', email }, mia.browser);
    const { token, template } = await readEmail(app, email);
    expect(template).toBe('consent_requested');
    return { id: String(id), email, token };
  };
  /** Somebody looks at the album's link. */
  const look = async (slug: string) => {
    const browser = newBrowser();
    const answer = await shared.viewerApi.tap(slug, {}, browser);
    return { browser, visitId: answer.head?.visitId, answer };
  };
  return {
    shared,
    mia,
    call,
    ask,
    look,
    give: (token: string) => must(app, 'consents.give', { token, ...consent }, newBrowser()),
    lease: (visitId: string, browser: Browser) =>
      shared.viewerApi.lease(visitId, [{ mediaId: shared.photos[0]?.mediaId, rendition: 'p2048' }], browser),
    reasonAt: async (slug: string) => (await look(slug)).answer.refusal?.reason,
    albumOf: async (albumId = shared.albumId) => (await must(app, 'albums.one', { albumId }, mia.browser)).album,
  };
}
