import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { blockhashOf, mirrorBlockhash } from '#features/media/blockhash.ts';
import { destroyDeletedMedia } from '#features/media/jobs.ts';
import { listEmails } from '#features/notices/store.ts';
import { whenEnded } from '#tests/support/media/kept-media.ts';
import { paint, paintJpeg } from '#tests/support/media/paint.ts';
import { sendFile } from '#tests/support/media/send-file.ts';
import { must, type Person, readEmail, readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { openViewerApi, type ViewerApi } from '#tests/support/viewer-api.ts';
import { runReports } from './commands.ts';
import { runHashes } from './hash-list.ts';
import { notifyMatches } from './jobs.ts';

const operatorEmail = 'operator@example.com';
const [reported, other, third, onList] = [41, 42, 43, 44];
let app: TestApp;
let viewers: ViewerApi;
beforeAll(async () => {
  app = await openTestApp();
  Object.assign(app.engines.installation, { operatorEmail });
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  viewers = await openViewerApi(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  await readRows(app, 'delete from blocked_media');
  await readRows(app, 'delete from media_matches');
  await readRows(app, 'delete from reports');
  await readRows(app, 'delete from media where state = $1', ['quarantined']);
  await readRows(app, 'delete from rate_limits');
});

const jpeg = (seed: number) => paintJpeg(seed, 640, 480);
const order = (verb: string, number: string, by = 'Desk') =>
  runReports(app.engines, { verb, number, by, reason: 'It is theirs.' });

/** A creator whose album holds these files, behind a link. */
async function share(files: readonly Buffer[]) {
  const creator = await signUpCreator(app);
  const { id: albumId } = await must(
    app,
    'albums.create',
    { name: 'Album', peopleConsent: 'only_me' },
    creator.browser,
  );
  const mediaIds: string[] = [];
  for (const bytes of files) mediaIds.push(await upload(creator, albumId, bytes));
  const input = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  const link: { id: string; slug: string } = await must(app, 'links.create', input, creator.browser);
  return { creator, albumId, mediaIds, link };
}

async function upload(creator: Person, albumId: string, bytes: Buffer): Promise<string> {
  const { id } = await sendFile(app, creator, albumId, { name: 'photo.jpg', bytes });
  await whenEnded(app, id);
  return id;
}

const report = async (slug: string, kind = 'intimate'): Promise<string> => {
  const sent = {
    kind,
    target: `/view/${slug}`,
    details: 'The photo shows me, and I never agreed.',
    onBehalf: 'self',
    name: 'Ana',
    email: 'ana@example.com',
    isInGoodFaith: true,
  };
  return (await must(app, 'reports.send', sent, newBrowser())).number;
};

const statesOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await readRow(app, 'select state from media where id = $1', [id])).state));
const shown = async (slug: string) => (await viewers.tap(slug, {}, newBrowser())).pictures.length;

describe('what a report hides', () => {
  it('is hidden in every account: the same file at once, what looks like it within moments, nothing else', async () => {
    const original = await jpeg(reported);
    const smaller = await sharp(original).resize(500).jpeg({ quality: 60 }).toBuffer();
    const mirrored = await sharp(original).flop().jpeg({ quality: 80 }).toBuffer();
    const ana = await share([original]);
    const ben = await share([await jpeg(other), original, smaller, mirrored]);
    expect(await shown(ben.link.slug)).toBe(4);
    const heard: object[] = [];
    const watch = app.live.watch(
      (event) => heard.push(event),
      () => undefined,
    );

    const number = await report(ana.link.slug);

    expect((await statesOf(ben.mediaIds)).slice(0, 2)).toEqual(['ready', 'quarantined']);
    await expect.poll(() => statesOf(ben.mediaIds)).toEqual(['ready', 'quarantined', 'quarantined', 'quarantined']);
    expect(await shown(ben.link.slug)).toBe(1);
    await expect
      .poll(() => heard)
      .toContainEqual(expect.objectContaining({ kind: 'album.itemsGone', albumId: ben.albumId }));
    void watch;
    const { port } = app.fastify.server.address() as AddressInfo;
    const download = (n: number) =>
      fetch(`http://127.0.0.1:${port}/api/media/${ben.mediaIds[n]}/original`, {
        headers: headersOf(ben.creator.browser),
      });
    expect([(await download(0)).status, (await download(1)).status]).toEqual([200, 404]);

    expect(await order('reject', number)).toContain('open again');
    expect(await statesOf([...ana.mediaIds, ...ben.mediaIds])).toEqual(Array(5).fill('ready'));
    expect(await shown(ben.link.slug)).toBe(4);
  });

  it('cannot be uploaded again, by anybody; what was deleted does not come back visible', async () => {
    const original = await jpeg(reported);
    const ana = await share([original]);
    const ben = await share([await jpeg(other), original]);
    const deleted = { albumId: ben.albumId, mediaIds: [ben.mediaIds[1]] };
    await must(app, 'albums.deleteItems', deleted, ben.creator.browser);
    await order('remove', await report(ana.link.slug));
    await must(app, 'albums.restoreItems', deleted, ben.creator.browser);
    const again = await upload(ben.creator, ben.albumId, await sharp(original).resize(600).png().toBuffer());
    const fine = await upload(ben.creator, ben.albumId, await jpeg(third));
    expect(await statesOf([ben.mediaIds[1] ?? '', again, fine])).toEqual(['quarantined', 'quarantined', 'ready']);
    expect(await shown(ben.link.slug)).toBe(2);
  });

  it('stays hidden for one report when the other is rejected', async () => {
    const original = await jpeg(reported);
    const [ana, ben] = [await share([original]), await share([await jpeg(other), original])];
    const first = await report(ana.link.slug);
    const second = await report(ben.link.slug, 'minor');
    await order('reject', first);
    expect(await statesOf([...ana.mediaIds, ...ben.mediaIds])).toEqual(['quarantined', 'quarantined', 'quarantined']);
    await order('reject', second);
    expect(await statesOf([...ana.mediaIds, ...ben.mediaIds])).toEqual(['ready', 'ready', 'ready']);
  });

  it('is told to the operator, who releases what is something else; it is not taken again', async () => {
    const original = await jpeg(reported);
    const [ana, ben] = [await share([original]), await share([await jpeg(other), original])];
    const number = await report(ana.link.slug);
    await notifyMatches(app.engines);
    await notifyMatches(app.engines);
    const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 100));
    const matched = emails.filter(({ template }) => template === 'media_matches').map(({ text }) => text);
    expect(matched.filter((text) => text.includes(ben.mediaIds[1] ?? ''))).toHaveLength(1);
    expect(matched.filter((text) => text.includes(ana.mediaIds[0] ?? ''))).toEqual([]);
    expect(await order('matches', '')).toContain(
      `photo of ${ben.creator.email}, the same file as what report ${number}`,
    );

    await order('release', ben.mediaIds[1] ?? '');
    await report(ana.link.slug);
    expect(await statesOf(ben.mediaIds)).toEqual(['ready', 'ready']);
    await expect(order('release', ben.mediaIds[1] ?? '')).rejects.toThrow('is held back');
  });

  it('is removed for good by whoever has looked: nobody brings it back, and its creator is told why', async () => {
    const original = await jpeg(reported);
    const [ana, ben] = [await share([original]), await share([await jpeg(other), original])];
    await report(ana.link.slug);
    const mediaId = ben.mediaIds[1] ?? '';
    await expect(order('erase', ben.mediaIds[0] ?? ''), 'it is not held back').rejects.toThrow('is held back');
    expect(await order('erase', mediaId)).toContain('removed for good');
    expect(await order('matches', '')).not.toContain(mediaId);
    await expect(order('erase', mediaId)).rejects.toThrow('is held back');
    await expect(order('release', mediaId)).rejects.toThrow('is held back');
    const back = { albumId: ben.albumId, mediaIds: [mediaId] };
    expect((await app.call('albums.restoreItems', back, ben.creator.browser)).status).toBe(409);
    expect(await readEmail(app, ben.creator.email)).toMatchObject({
      template: 'copy_removed',
      text: expect.stringContaining('It is theirs.'),
    });
    await destroyDeletedMedia(app.engines);
    expect(await statesOf(ben.mediaIds)).toEqual(['ready', 'deleted']);
  });

  it('is only its link and its albums, where the pictures are not what is wrong', async () => {
    const original = await jpeg(reported);
    const [ana, ben] = [await share([original]), await share([await jpeg(other), original])];
    await order('remove', await report(ana.link.slug, 'impersonation'));
    expect(await statesOf(ben.mediaIds)).toEqual(['ready', 'ready']);
  });
});

describe('the list of the operator', () => {
  const load = (...lines: string[]) => {
    const file = path.join(app.engines.installation.dataDir, 'hashes.txt');
    writeFileSync(file, lines.join('\n'));
    return runHashes(app.engines, ['load', file]);
  };
  const sha256Of = async (mediaId: string) =>
    String((await readRow(app, "select encode(sha256, 'hex') as sha256 from media where id = $1", [mediaId])).sha256);

  it('holds back what is here and what comes, and suspends whoever uploaded the very file', async () => {
    const original = await jpeg(onList);
    const ana = await share([await jpeg(other), original]);
    const ben = await share([await jpeg(other)]);
    const answer = await load('# a list', '', await sha256Of(ana.mediaIds[1] ?? ''), `sha256:${'a'.repeat(64)}`);
    expect(answer).toBe(
      'The list has 2 hashes of files and 0 hashes of what pictures look like. 1 photo or video of this installation is held back for it now.',
    );
    expect(await statesOf(ana.mediaIds)).toEqual(['ready', 'quarantined']);
    const again = await upload(ben.creator, ben.albumId, original);
    expect(await statesOf([again])).toEqual(['quarantined']);
    await notifyMatches(app.engines);
    const standing = await readRows(app, 'select status from users where id = any($1)', [
      [ana.creator.userId, ben.creator.userId],
    ]);
    expect(standing.map(({ status }) => status)).toEqual(['suspended', 'suspended']);
  });

  it('is replaced by the next one, and a fault in it changes nothing', async () => {
    await load('a'.repeat(64), `blockhash:${'5a'.repeat(32)}`);
    await expect(load('b'.repeat(64), 'not a hash')).rejects.toThrow('Line 2 is no hash; nothing was changed.');
    expect(await runHashes(app.engines, [])).toContain('1 hash of files and 1 hash of what');
    await load('b'.repeat(64), 'B'.repeat(64));
    const rows = await readRows(app, "select encode(sha256, 'hex') as sha256, blockhash from blocked_media");
    expect(rows).toEqual([{ sha256: 'b'.repeat(64), blockhash: null }]);
  });

  it('finds the one planted picture by what it looks like, and a thousand others pass', async () => {
    const { userId } = await signUpCreator(app);
    const hashes: string[] = [];
    for (let seed = 1000; seed <= 2000; seed++) hashes.push(await blockhashOf(paint(seed, 128, 96)));
    await readRows(
      app,
      `insert into media (id, creator_id, kind, state, original_name, bytes, sha256, phash, phash_mirrored, created_at, ready_at)
      select gen_random_uuid(), $1, 'photo', 'ready', 'photo ' || n, 1, sha256(n::text::bytea), h, m, now(), now()
      from unnest($2::text[], $3::text[]) with ordinality as u(h, m, n)`,
      [userId, hashes, hashes.map(mirrorBlockhash)],
    );
    const planted = await sharp(paint(1500, 128, 96).rgb, { raw: { width: 128, height: 96, channels: 3 } })
      .jpeg({ quality: 50 })
      .toBuffer();
    const { data, info } = await sharp(planted).raw().toBuffer({ resolveWithObject: true });
    const blockhash = await blockhashOf({ width: info.width, height: info.height, rgb: data });
    expect(await load(`blockhash:${blockhash}`)).toContain('1 photo or video of this installation is held back');
    const held = await readRows(
      app,
      "select original_name from media where creator_id = $1 and state = 'quarantined'",
      [userId],
    );
    expect(held).toEqual([{ original_name: 'photo 501' }]);
    // A picture without edges would look like thousands.
    expect(await load(`blockhash:${'0'.repeat(64)}`, `blockhash:${'f'.repeat(64)}`)).toContain('0 photos and videos');
  });
});
