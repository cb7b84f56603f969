import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPhotos, comeBy } from '#tests/support/looks.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let mia: Person;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  mia = await signUpCreator(app);
});
afterAll(() => app.close());

describe('how far a creator has come', () => {
  const progress = async (browser = mia.browser) => (await app.call('dashboard.progress', {}, browser)).body;

  it('is computed from what is there, step by step', async () => {
    expect(await progress()).toEqual({ hasPhoto: false, hasLink: false, isOpened: false, isViewed: false });
    const { albumId, mediaIds } = await addPhotos(app, mia.userId, 1);
    expect(await progress()).toMatchObject({ hasPhoto: true, hasLink: false });
    const { body: link } = await app.call('links.create', { albumIds: [albumId], isLaxConfirmed: true }, mia.browser);
    expect(await progress()).toMatchObject({ hasLink: true, isOpened: false });
    const visit = { linkId: link.id, creatorId: mia.userId, at: new Date(app.engines.clock()) };
    await comeBy(app, { ...visit, suspect: 'own' });
    expect(await progress()).toMatchObject({ isOpened: false });
    const { viewer } = await comeBy(app, visit);
    expect(await progress()).toMatchObject({ isOpened: true, isViewed: false });
    await comeBy(app, { ...visit, viewer, looks: [{ mediaId: mediaIds[0] ?? '', ms: 2000 }] });
    expect(await progress()).toEqual({ hasPhoto: true, hasLink: true, isOpened: true, isViewed: true });
  });
  it('is told to nobody else', async () => {
    expect((await app.call('dashboard.progress', {}, newBrowser())).status).toBe(401);
    const eve = await signUpCreator(app);
    expect(await progress(eve.browser)).toEqual({ hasPhoto: false, hasLink: false, isOpened: false, isViewed: false });
  });
});
