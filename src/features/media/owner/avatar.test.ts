import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { avatarPath, openAvatar, sealAvatar } from '#features/accounts/stored-avatar.ts';
import type { Host } from '#features/viewing/contract.ts';
import { openPainting, paint, paintJpeg } from '#tests/support/media/paint.ts';
import { confirmPerson, type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { isPlainWebp } from '../decoding/avatar-job.ts';

let app: TestApp;
let mara: Person;
beforeAll(async () => {
  app = await openTestApp();
  mara = await signUpCreator(app);
});
afterAll(() => app.close());

const send = (browser: Browser, payload: Buffer | undefined, headers: Record<string, string> = {}) =>
  app.fastify.inject({
    method: payload === undefined ? 'DELETE' : 'PUT',
    url: '/api/profile/avatar',
    headers: {
      origin: 'http://localhost:3000',
      host: 'localhost:3000',
      ...(payload !== undefined && { 'content-type': 'application/octet-stream' }),
      ...headersOf(browser),
      ...headers,
    },
    ...(payload !== undefined && { payload }),
  });
const fetchPicture = (url: string) => app.fastify.inject({ method: 'GET', url });
const urlOf = async (browser: Browser): Promise<string | null> =>
  (await app.call('accounts.me', {}, browser)).body.user.avatarUrl;
const listFiles = async () => {
  const files: string[] = [];
  for await (const file of app.engines.storage.list('avatars/')) files.push(file);
  return files;
};
/** A picture that nobody sent before. */
const paintWide = (seed: number) => paintJpeg(seed, 900, 600);

describe('the picture of oneself', () => {
  it('is the middle of the photo as a square of 256 px, and nothing of its file is left in it', async () => {
    const photo = await paintWide(11);
    const answer = await send(mara.browser, photo);
    expect([answer.statusCode, answer.json().url]).toEqual([200, await urlOf(mara.browser)]);
    const picture = await fetchPicture(answer.json().url);
    expect(picture.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    });
    expect(isPlainWebp(picture.rawPayload, 256), 'one lossy picture, no chunk of metadata').toBe(true);
    const { exif, icc, xmp } = await sharp(picture.rawPayload).metadata();
    expect([exif, icc, xmp]).toEqual([undefined, undefined, undefined]);
    expect(picture.rawPayload.includes('Paintbox')).toBe(false);
    const middle = await openPainting(paint(11, 900, 600))
      .extract({ left: 150, top: 0, width: 600, height: 600 })
      .resize(16, 16)
      .removeAlpha()
      .raw()
      .toBuffer();
    const seen = await sharp(picture.rawPayload).resize(16, 16).removeAlpha().raw().toBuffer();
    const apart = middle.reduce((sum, level, n) => sum + Math.abs(level - (seen[n] ?? 0)), 0) / middle.length;
    expect(apart).toBeLessThan(8);
  });

  it('is stored as ciphertext under a path that does not tell its name', async () => {
    const url = (await send(mara.browser, await paintWide(12))).json().url as string;
    const name = url.split('/').at(-1) ?? '';
    await expect.poll(listFiles).toEqual([avatarPath(name)]);
    const sealed = await app.engines.storage.read(avatarPath(name));
    expect(sealed.includes('WEBP')).toBe(false);
    expect(avatarPath(name)).not.toContain(name.slice(0, 8));
    expect(openAvatar(name, sealed).equals((await fetchPicture(url)).rawPayload)).toBe(true);
    expect(() => openAvatar('A'.repeat(32), sealed)).toThrow();
    expect(sealAvatar(name, Buffer.from('x')).equals(sealAvatar(name, Buffer.from('y')))).toBe(false);
  });

  it('replaces the one before, whose address and file go; removing it leaves nothing', async () => {
    const first = (await send(mara.browser, await paintWide(13))).json().url;
    const second = (await send(mara.browser, await paintWide(13))).json().url;
    expect(second, 'the same photo has another name').not.toBe(first);
    await expect.poll(async () => (await fetchPicture(first)).statusCode).toBe(404);
    expect((await fetchPicture(second)).statusCode).toBe(200);
    const removed = await send(mara.browser, undefined);
    expect([removed.statusCode, await urlOf(mara.browser)]).toEqual([200, null]);
    await expect.poll(listFiles).toEqual([]);
    expect(
      await readRows(app, 'select 1 from users where avatar_name is not null or avatar_small is not null'),
    ).toEqual([]);
    expect((await send(mara.browser, undefined)).statusCode, 'twice is the same').toBe(200);
  });

  it('can be chosen while the account is set up, and goes with an account that is closed for age', async () => {
    const young = await confirmPerson(app);
    const noPicture = await send(young.browser, await paintWide(14));
    expect(noPicture.statusCode).toBe(200);
    await app.call('accounts.setUpPassword', { password: 'three calm rivers' }, young.browser);
    const profile = { displayName: 'Young', handle: 'young_one', country: 'DE', timeZone: 'Europe/Berlin' };
    await app.call('accounts.setUpProfile', profile, young.browser);
    const consent = { birthDate: '2012-01-01', isBirthDateSure: true, acceptsTerms: true, acceptsContentPolicy: true };
    expect((await app.call('accounts.setUpConsent', consent, young.browser)).status).toBe(403);
    const [row] = await readRows(app, `select avatar_name, avatar_small from users where id = '${young.userId}'`);
    expect(row).toEqual({ avatar_name: null, avatar_small: null });
    await expect.poll(async () => (await fetchPicture(noPicture.json().url)).statusCode).toBe(404);
  });
});

describe('a file that is no picture', () => {
  let ben: Person;
  beforeAll(async () => {
    ben = await signUpCreator(app);
  });
  const bomb = () =>
    sharp({ create: { width: 9000, height: 6000, channels: 3, background: '#222' } })
      .png({ compressionLevel: 9 })
      .toBuffer();

  it('is refused with a reason, and the picture of before stays', async () => {
    const jpeg = await paintWide(15);
    const kept = (await send(ben.browser, jpeg)).json().url;
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const cases: [string, Buffer, number, RegExp][] = [
      ['nothing', Buffer.alloc(0), 422, /Choose a photo/],
      ['text', Buffer.from('hello'), 415, /isn't supported/],
      ['svg', svg, 415, /isn't supported/],
      ['half a photo', jpeg.subarray(0, jpeg.length >> 1), 422, /damaged/],
      ["noise behind a JPEG's first bytes", Buffer.concat([jpeg.subarray(0, 30), randomBytes(9000)]), 422, /damaged/],
      ['more pixels than a face needs', await bomb(), 413, /up to 15 MB and 50 megapixels/],
      ['more bytes', Buffer.concat([jpeg, Buffer.alloc(15e6)]), 413, /up to 15 MB/],
    ];
    for (const [what, file, status, words] of cases) {
      const answer = await send(ben.browser, file);
      expect([what, answer.statusCode]).toEqual([what, status]);
      expect(answer.json().message, what).toMatch(words);
    }
    expect(await urlOf(ben.browser)).toBe(kept);
    expect((await fetchPicture(kept)).statusCode).toBe(200);
  });

  it('a photo with another file behind it comes out without it', async () => {
    const answer = await send(ben.browser, Buffer.concat([await paintWide(16), Buffer.from('<html>CANARY</html>')]));
    const { rawPayload } = await fetchPicture(answer.json().url);
    expect(isPlainWebp(rawPayload, 256)).toBe(true);
    expect(rawPayload.includes('CANARY')).toBe(false);
  });
});

describe('who may', () => {
  it("nobody but the person: not a visitor, not another site's page", async () => {
    const jpeg = await paintWide(17);
    expect((await send(newBrowser(), jpeg)).statusCode).toBe(401);
    expect((await send(newBrowser(), undefined)).statusCode).toBe(401);
    for (const payload of [jpeg, undefined])
      expect((await send(mara.browser, payload, { origin: 'https://elsewhere.example' })).statusCode).toBe(403);
  });

  it('a name that nobody has says nothing, whatever it looks like', async () => {
    const answers = await Promise.all(
      ['A'.repeat(32), 'a', '..%2f..%2fetc', `${'A'.repeat(31)}%00`].map((name) =>
        fetchPicture(`/api/avatars/${name}`),
      ),
    );
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(404);
  });

  it('twenty tries in ten minutes, then it has to wait', async () => {
    const eager = await signUpCreator(app);
    const statuses = [];
    for (let n = 0; n < 22; n++) statuses.push((await send(eager.browser, Buffer.from('no picture'))).statusCode);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(415));
    expect(statuses.slice(20)).toEqual([429, 429]);
  });
});

describe('what a viewer sees of it', () => {
  let shared: SharedAlbum;
  beforeAll(async () => {
    shared = await shareAlbum(app);
  });
  const hostOf = async (slug: string, browser = newBrowser()): Promise<Host | undefined> => {
    const { refusal, head } = await shared.viewerApi.tap(slug, {}, browser);
    return refusal === undefined ? head.host : refusal.host;
  };

  it('her picture comes inside the answer, at the gate and in the gallery, and not at an end', async () => {
    const [gated, open, ended] = [
      await shared.makeLink({ ageGate: true }),
      await shared.makeLink(),
      await shared.makeLink(),
    ];
    const without = { gate: await hostOf(gated.slug), gallery: await hostOf(open.slug) };
    expect(Object.keys(without.gate ?? {})).toEqual(['name', 'welcomeText']);
    expect(Object.keys(without.gallery ?? {})).toEqual(['name', 'welcomeText']);
    await send(shared.creator.browser, await paintWide(18));
    for (const { slug } of [gated, open]) {
      const small = Buffer.from((await hostOf(slug))?.avatar?.split('data:image/webp;base64,')[1] ?? '', 'base64');
      expect(isPlainWebp(small, 96)).toBe(true);
      expect(small.length).toBeLessThanOrEqual(3072);
    }
    const known = newBrowser();
    expect((await hostOf(ended.slug, known))?.avatar).toBeDefined();
    await app.call('links.revoke', { linkIds: [ended.id] }, shared.creator.browser);
    expect(await hostOf(ended.slug, known), 'an end shows nobody, also to who was let in').toBeUndefined();
    expect(await hostOf(ended.slug)).toBeUndefined();
    await send(shared.creator.browser, undefined);
    expect(Object.keys((await hostOf(open.slug)) ?? {})).toEqual(['name', 'welcomeText']);
  });

  it('even noise fits into three kilobytes', async () => {
    const noise = await sharp(randomBytes(3 * 400 * 400), { raw: { width: 400, height: 400, channels: 3 } })
      .png()
      .toBuffer();
    expect((await send(shared.creator.browser, noise)).statusCode).toBe(200);
  });
});
