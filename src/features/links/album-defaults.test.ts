import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPayouts, payToOpen, tipToOpen } from '#tests/support/money/selling.ts';
import { must, type Person, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let mia: Person;

beforeAll(async () => {
  app = await openTestApp();
  mia = await signUpCreator(app);
});
afterAll(() => app.close());

const setPrice = (albumId: string, priceCents: number | null, { browser } = mia) =>
  app.call('links.setAlbumPrice', { albumId, priceCents }, browser);
const update = (albumId: string, change: object) => must(app, 'albums.update', { albumId, ...change }, mia.browser);
const albumOf = async (albumId: string) => (await must(app, 'albums.one', { albumId }, mia.browser)).album;
const create = (input: object) => app.call('links.create', input, mia.browser);
const offersOf = async (input: object) => (await must(app, 'links.create', input, mia.browser)).policy.offers;

describe('the price of an album', () => {
  it('is refused until its creator can be paid, and then kept within what they may ask', async () => {
    const album = await addReadyAlbum(app, mia.userId);
    const early = await setPrice(album, 1500);
    expect([early.status, early.body.code]).toEqual([403, 'PAYOUTS_NOT_READY']);
    expect((await albumOf(album)).priceCents).toBeNull();
    await connectPayouts(app, mia);
    expect((await setPrice(album, 1500)).status).toBe(200);
    expect((await albumOf(album)).priceCents).toBe(1500);
    const dear = await setPrice(album, 10_001);
    expect([dear.status, dear.body.data.field, dear.body.message]).toEqual([
      422,
      'priceCents',
      'Choose between $5 and $100.',
    ]);
    for (const wrong of [499, 50_001, 15.5]) expect((await setPrice(album, wrong)).status).toBe(422);
    expect((await setPrice(album, null)).status).toBe(200);
    expect((await albumOf(album)).priceCents).toBeNull();
  });
  it("is nobody else's to set", async () => {
    const album = await addReadyAlbum(app, mia.userId);
    const eve = await signUpCreator(app);
    expect((await setPrice(album, null, eve)).status).toBe(404);
    await connectPayouts(app, eve);
    expect((await setPrice(album, 900, eve)).status).toBe(404);
    expect((await albumOf(album)).priceCents).toBeNull();
  });
});

describe('a new link that names no rules', () => {
  it("begins with its album's price and the creator's yes; what its link asks for decides alone from then on", async () => {
    const album = await addReadyAlbum(app, mia.userId);
    await setPrice(album, 1500);
    expect(await offersOf({ albumIds: [album] })).toEqual(payToOpen(1500).offers);
    await update(album, { isProtected: true });
    const link = await must(app, 'links.create', { albumIds: [album] }, mia.browser);
    const both = [{ id: 'pay', all: [{ kind: 'approval' }, { kind: 'pay', priceCents: 1500 }] }];
    expect(link.policy.offers).toEqual(both);
    await setPrice(album, null);
    await update(album, { isProtected: false });
    expect((await must(app, 'links.one', { linkId: link.id }, mia.browser)).policy.offers).toEqual(both);
    expect(await offersOf({ albumIds: [album] })).toEqual([{ id: 'free', all: [{ kind: 'free' }] }]);
  });
  it('is the same for a list of people and for a bundle, which costs its albums together', async () => {
    const [one, other] = [await addReadyAlbum(app, mia.userId), await addReadyAlbum(app, mia.userId)];
    await setPrice(one, 1500);
    await setPrice(other, 2000);
    expect(await offersOf({ albumIds: [one, other] })).toEqual(payToOpen(3500).offers);
    const many = await must(app, 'links.createMany', { albumIds: [one], names: ['Ann', 'Bob'] }, mia.browser);
    for (const { id } of many.links)
      expect((await must(app, 'links.one', { linkId: id }, mia.browser)).policy.offers).toEqual(payToOpen(1500).offers);
  });
  it('asks once where it is laxer than an album that is sold', async () => {
    const album = await addReadyAlbum(app, mia.userId);
    await setPrice(album, 1500);
    for (const rules of [{}, tipToOpen(500)]) {
      const asked = await create({ albumIds: [album], rules });
      expect([asked.status, asked.body.data.reason]).toEqual([409, 'LAXER_THAN_ALBUM']);
      expect((await create({ albumIds: [album], rules, isLaxConfirmed: true })).status).toBe(200);
    }
    expect((await create({ albumIds: [album], rules: payToOpen(900) })).status).toBe(200);
  });
  it('is refused while its creator cannot be paid', async () => {
    const ann = await signUpCreator(app);
    const album = await addReadyAlbum(app, ann.userId);
    await app.engines.database.work({ kind: 'system' }, ({ db }) =>
      db.updateTable('albums').set({ price_cents: 1500 }).where('id', '=', album).execute(),
    );
    expect((await app.call('links.create', { albumIds: [album] }, ann.browser)).body.code).toBe('PAYOUTS_NOT_READY');
  });
});

describe('an album without tips', () => {
  it('lets no new link ask for one, and no link begin to', async () => {
    const album = await addReadyAlbum(app, mia.userId);
    const tipped = await must(app, 'links.create', { albumIds: [album], rules: tipToOpen(500) }, mia.browser);
    const free = await must(app, 'links.create', { albumIds: [album] }, mia.browser);
    expect((await update(album, { allowsTips: false })).allowsTips).toBe(false);
    const refused = await create({ albumIds: [album], rules: tipToOpen(500) });
    expect([refused.status, refused.body.data.field, refused.body.message]).toEqual([
      422,
      'rules.offers',
      "Tips are off for this album. Turn them on in the album's settings first.",
    ]);
    const change = (linkId: string, cents: number) =>
      app.call('links.update', { linkId, rules: tipToOpen(cents) }, mia.browser);
    expect((await change(free.id, 500)).status).toBe(422);
    expect((await change(tipped.id, 700)).status, 'what stands may be changed').toBe(200);
  });
  it('is outvoted by another album of the same link', async () => {
    const [one, other] = [await addReadyAlbum(app, mia.userId), await addReadyAlbum(app, mia.userId)];
    await update(one, { allowsTips: false });
    expect((await create({ albumIds: [one, other], rules: tipToOpen(500) })).status).toBe(200);
  });
});

it('shows its links and what they earned on the list of albums', async () => {
  const album = await addReadyAlbum(app, mia.userId, { name: 'Counted' });
  await must(app, 'links.create', { albumIds: [album] }, mia.browser);
  const { id } = await must(app, 'links.create', { albumIds: [album] }, mia.browser);
  await app.engines.database.work({ kind: 'system' }, ({ db }) =>
    db.updateTable('magic_links').set({ earnings_cents: 900 }).where('id', '=', id).execute(),
  );
  const { albums } = await must(app, 'albums.list', { search: 'Counted' }, mia.browser);
  expect(albums).toMatchObject([{ linkCount: 2, earnedCents: 900, priceCents: null, allowsTips: true }]);
});
