import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPhotos, comeBy } from '#tests/support/looks.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
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
    expect(await progress()).toEqual({ hasPhoto: false, hasLink: false, isShared: false });
    const { albumId } = await addPhotos(app, mia.userId, 1);
    expect(await progress()).toMatchObject({ hasPhoto: true, hasLink: false });
    const { body: link } = await app.call('links.create', { albumIds: [albumId], isLaxConfirmed: true }, mia.browser);
    expect(await progress()).toMatchObject({ hasLink: true, isShared: false });
    const visit = { linkId: link.id, creatorId: mia.userId, at: new Date(app.engines.clock()) };
    await comeBy(app, { ...visit, suspect: 'own' });
    expect(await progress()).toMatchObject({ isShared: false });
    await comeBy(app, visit);
    expect(await progress(), 'somebody has it').toEqual({ hasPhoto: true, hasLink: true, isShared: true });
  });
  it('knows on every device that a link was copied', async () => {
    const lena = await signUpCreator(app);
    const { albumId } = await addPhotos(app, lena.userId, 1);
    const { body: link } = await app.call('links.create', { albumIds: [albumId], isLaxConfirmed: true }, lena.browser);
    expect((await app.call('links.markShared', { linkId: link.id }, mia.browser)).status, 'not hers').toBe(404);
    expect(await progress(lena.browser)).toMatchObject({ isShared: false });
    for (const _tap of ['once', 'again'])
      expect((await app.call('links.markShared', { linkId: link.id }, lena.browser)).status).toBe(200);
    const phone = newBrowser();
    const { email, password } = lena;
    await app.call('accounts.signIn', { email, password }, phone);
    expect(await progress(phone)).toMatchObject({ isShared: true });
    const reported = await readRows(app, `select 1 from audit_log where action = 'link.shared' and target_id = $1`, [
      link.id,
    ]);
    expect(reported, 'noted once').toHaveLength(1);
  });
  it('is told to nobody else', async () => {
    expect((await app.call('dashboard.progress', {}, newBrowser())).status).toBe(401);
    const eve = await signUpCreator(app);
    expect(await progress(eve.browser)).toEqual({ hasPhoto: false, hasLink: false, isShared: false });
  });
});
