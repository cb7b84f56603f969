import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPayouts, payToOpen, tapDoor } from '#tests/support/money/selling.ts';
import { must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { wordsOfSale } from './sale-words.ts';

let app: TestApp;
let shared: SharedAlbum;
let mediaIds: string[];
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 4 });
  await connectPayouts(app, shared.creator);
  const { items } = await own('albums.one', {});
  mediaIds = items.map(({ id }: { id: string }) => id);
  const teaser = await sharp({ create: { width: 32, height: 24, channels: 3, background: '#a06080' } })
    .webp()
    .toBuffer();
  await readRows(app, 'update media set teaser = $1', [teaser]);
});
afterAll(() => app.close());

const own = (call: string, change: object) =>
  must(app, call, { albumId: shared.albumId, ...change }, shared.creator.browser);
const teaserAt = async (slug: string): Promise<string[]> =>
  (await tapDoor(app, slug, newBrowser())).body.sale?.teaser ?? [];

describe('before somebody pays', () => {
  it('nothing of the album is shown, until its creator chooses so many blurred pictures', async () => {
    const { slug } = await shared.makeLink(payToOpen(1500));
    expect(await teaserAt(slug)).toEqual([]);
    await own('albums.update', { teaserCount: 3 });
    const shown = await teaserAt(slug);
    expect(shown).toHaveLength(3);
    for (const picture of shown) expect(Buffer.from(picture, 'base64').subarray(8, 12).toString()).toBe('WEBP');
    await own('albums.update', { teaserCount: 0 });
    expect(await teaserAt(slug)).toEqual([]);
  });

  it('what is hidden, sensitive or not meant for it is left out', async () => {
    const { slug } = await shared.makeLink(payToOpen(1500));
    await own('albums.update', { teaserCount: 12 });
    expect(await teaserAt(slug)).toHaveLength(4);
    const [first, second, third] = mediaIds;
    await own('albums.editItem', { mediaId: first, isInTeaser: false });
    await own('albums.editItem', { mediaId: second, isSensitive: true });
    await own('albums.editItem', { mediaId: third, isHidden: true });
    expect(await teaserAt(slug)).toHaveLength(1);
    expect((await own('albums.one', {})).items.map(({ isInTeaser }: { isInTeaser: boolean }) => isInTeaser)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});

describe('what is bought', () => {
  it('is counted, and the length of its videos is said', () => {
    const sale = {
      offers: [],
      mostCents: 0,
      currency: 'usd',
      teaser: [],
      isPayable: true,
      isSandbox: false,
      photos: 24,
      videos: 3,
      videoMs: 660_000,
      statementDescriptor: 'QUIET SHOP',
    };
    expect(wordsOfSale(sale, undefined).text).toContain('24 photos and 3 videos (11 min)');
    expect(wordsOfSale({ ...sale, photos: 0, videos: 1, videoMs: 40_000 }, undefined).text).toContain('1 video (40 s)');
    expect(wordsOfSale({ ...sale, videos: 2, videoMs: 4_800_000 }, undefined).text).toContain('2 videos (1 h 20 min)');
  });
});
