import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HouseInTest, newBrowser, openHouse } from '#tests/support/house.ts';
import { addPhotos, comeBy } from '#tests/support/looks.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';

let house: HouseInTest;
let mia: Person;
beforeAll(async () => {
  house = await openHouse({ workJobs: false });
  mia = await signUpCreator(house);
});
afterAll(() => house.close());

describe('how far a creator has come', () => {
  const progress = async (browser = mia.browser) => (await house.call('dashboard.progress', {}, browser)).body;

  it('is computed from what is there, step by step', async () => {
    expect(await progress()).toEqual({ hasPhoto: false, hasLink: false, isOpened: false, isViewed: false });
    const { albumId, mediaIds } = await addPhotos(house, mia.userId, 1);
    expect(await progress()).toMatchObject({ hasPhoto: true, hasLink: false });
    const { body: link } = await house.call('links.create', { albumIds: [albumId], isLaxConfirmed: true }, mia.browser);
    expect(await progress()).toMatchObject({ hasLink: true, isOpened: false });
    const visit = { linkId: link.id, creatorId: mia.userId, at: new Date(house.engines.clock()) };
    await comeBy(house, { ...visit, suspect: 'own' });
    expect(await progress()).toMatchObject({ isOpened: false });
    const { viewer } = await comeBy(house, visit);
    expect(await progress()).toMatchObject({ isOpened: true, isViewed: false });
    await comeBy(house, { ...visit, viewer, looks: [{ mediaId: mediaIds[0] ?? '', ms: 2000 }] });
    expect(await progress()).toEqual({ hasPhoto: true, hasLink: true, isOpened: true, isViewed: true });
  });
  it('is told to nobody else', async () => {
    expect((await house.call('dashboard.progress', {}, newBrowser())).status).toBe(401);
    const eve = await signUpCreator(house);
    expect(await progress(eve.browser)).toEqual({ hasPhoto: false, hasLink: false, isOpened: false, isViewed: false });
  });
});
