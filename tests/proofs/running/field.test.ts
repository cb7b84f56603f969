import { stat } from 'node:fs/promises';
import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noOutsidePostgres } from '#tests/support/database/outside-postgres.ts';
import { developerHeaders } from '#tests/support/developer.ts';
import { type Field, openField } from '#tests/support/servers/field.ts';
import { drawNoise, visit } from '#tests/support/servers/visitor.ts';
import { type Browser, headersOf, newBrowser } from '#tests/support/test-app.ts';
import { openTile, phone } from '#tests/support/viewer-api.ts';
import { guards } from '../counts.ts';

guards('src/app/**', 'src/engines/**', 'src/wire/**', 'src/features/albums/**', 'src/features/viewing/**');

/** Two web processes and a worker on one PostgreSQL and one S3 server, behind a balancer that keeps nobody with one of them. */
let field: Field | undefined;
const closing: (() => void)[] = [];
beforeAll(async () => {
  field = await openField();
});
afterAll(async () => {
  for (const close of closing) close();
  await field?.close();
});

test('an upload goes on through another process when its own has died, and is shown and taken back through any', async ({
  skip,
}) => {
  if (field === undefined) return skip(noOutsidePostgres);
  const creator = visit(field);
  const mia = await creator.signUp('mia@example.com');
  const { id: albumId } = await creator.must('albums.create', { name: 'Outside', peopleConsent: 'only_me' }, mia);
  const photo = await drawNoise(900, 700);
  const uploadId = await creator.beginUpload(mia, albumId, photo);
  // Two parts to two processes: what one has written, the other goes on with.
  await creator.sendFrom(mia, uploadId, photo.subarray(0, 500_000), 0);
  await creator.sendFrom(mia, uploadId, photo.subarray(500_000, 1_000_000), 500_000);

  const dying = beginPart(field.url, mia, uploadId, photo.subarray(1_000_000, 1_400_000), 1_000_000, photo.length);
  await expect.poll(() => offsetOnDisk(uploadId)).toBe(1_400_000);
  const holder = field.balancer.portOf('/files/') ?? 0;
  await field.kill(holder);
  await expect(dying.answer).rejects.toThrow();
  const offset = await creator.offsetOf(mia, uploadId);
  expect(offset).toBe(1_400_000);
  await creator.sendFrom(mia, uploadId, photo.subarray(offset), offset);
  expect((await creator.untilSettled(mia, albumId)).map(({ state }) => state)).toEqual(['ready']);
  expect((await creator.download(mia, uploadId)).equals(photo)).toBe(true);
  await field.revive(holder);

  const rules = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  const link = await creator.must('links.create', rules, mia);
  const viewer = newBrowser();
  const opened = await creator.viewerApi.tap(link.slug, {}, viewer);
  const [picture] = opened.pictures;
  const tile = openTile(picture?.pack ?? Buffer.alloc(0), picture?.keys ?? Buffer.alloc(0), 0);
  expect(tile.subarray(0, 4).toString() + tile.subarray(8, 12)).toBe('RIFFWEBP');

  // The screen hangs on one process; the link is taken back in the other.
  const [one, other] = field.webs();
  const { visitId, items } = opened.head;
  const screen = await openScreen(one?.url ?? '', visitId, viewer);
  const began = performance.now();
  await visit(other?.url ?? '').must('links.revoke', { linkIds: [link.id] }, mia);
  await screen.closed;
  // Without the live event it would be the next renewal, or the end of the lease after 30 s.
  expect(performance.now() - began).toBeLessThan(15_000);
  const wanted = [{ mediaId: items[0].mediaId, rendition: 'thumb512' }];
  for (const { url } of field.webs())
    expect((await visit(url).viewerApi.lease(visitId, wanted, viewer)).refusal?.reason).toBe('REVOKED');
});

test('two that write to one upload through two processes never write at once: the later cuts the earlier off', async ({
  skip,
}) => {
  if (field === undefined) return skip(noOutsidePostgres);
  const [one, other] = field.webs().map(({ url }) => url) as [string, string];
  const creator = visit(field);
  const lia = await creator.signUp('lia@example.com');
  const { id: albumId } = await creator.must('albums.create', { name: 'Twice', peopleConsent: 'only_me' }, lia);
  const photo = await drawNoise(500, 400);
  const uploadId = await creator.beginUpload(lia, albumId, photo);
  // A line that has died without a word: the process still waits for the rest of the part.
  const dead = beginPart(one, lia, uploadId, photo.subarray(0, 100_000), 0, photo.length);
  await expect.poll(() => offsetOnDisk(uploadId)).toBe(100_000);
  const offset = await visit(other).offsetOf(lia, uploadId);
  expect(offset).toBe(100_000);
  // It was ended before the other was told how far it came.
  expect(await dead.answer).toBe('204 at 100000');
  await visit(other).sendFrom(lia, uploadId, photo.subarray(offset), offset);
  expect((await creator.download(lia, uploadId)).equals(photo)).toBe(true);
});

test('a clock that is turned through one process is turned in all', async ({ skip }) => {
  if (field === undefined) return skip(noOutsidePostgres);
  const turnTo = (url: string, seconds: number) => ask(url, '/dev/clock', `seconds=${seconds}`);
  for (const seconds of [86_400, 0]) {
    await turnTo(field.url, seconds);
    for (const { url } of field.webs())
      await expect.poll(() => ask(url, '/dev/clock')).toContain(`(${seconds} s from now)`);
  }
});

/** Bytes of an upload that are written. */
async function offsetOnDisk(uploadId: string): Promise<number> {
  return stat(`${field?.dataDir}/staging/${uploadId}`).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Sends the beginning of a part that is announced as the whole rest, and then nothing. */
function beginPart(url: string, browser: Browser, uploadId: string, bytes: Buffer, offset: number, size: number) {
  const headers = {
    ...headersOf(browser),
    'tus-resumable': '1.0.0',
    'x-csrf-token': 'orpc',
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
    'content-length': String(size - offset),
  };
  const sending = http.request(`${url}/files/${uploadId}`, { method: 'PATCH', headers, agent: false });
  closing.push(() => sending.destroy());
  const answer = new Promise<string>((done, failed) => {
    sending.once('error', failed);
    sending.once('response', ({ statusCode, headers }) => done(`${statusCode} at ${headers['upload-offset']}`));
  });
  answer.catch(() => undefined);
  sending.write(bytes);
  return { answer };
}

/** Opens the line of news of a screen. */
async function openScreen(url: string, visitId: string, browser: Browser): Promise<{ closed: Promise<void> }> {
  const headers = { 'user-agent': phone, ...headersOf(browser) };
  const request = http.get(`${url}/api/live/view?visit=${visitId}`, { headers, agent: false });
  closing.push(() => request.destroy());
  const closed = Promise.withResolvers<void>();
  await new Promise<void>((isOpen, failed) => {
    request.once('error', failed);
    request.once('response', (response) => {
      response.setEncoding('utf8').on('data', (text: string) => {
        isOpen();
        if (text.includes('"link.revoked"')) closed.resolve();
      });
    });
  });
  return { closed: closed.promise };
}

/** A page of the developer's, past the balancer. */
async function ask(url: string, to: string, form?: string): Promise<string> {
  const { url: publicUrl = '', dataDir = '' } = field ?? {};
  const { host } = new URL(publicUrl);
  const developer = developerHeaders({ url: publicUrl, dataDir });
  const headers = {
    host,
    ...developer,
    ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  };
  return new Promise<string>((done, failed) => {
    const method = form === undefined ? 'GET' : 'POST';
    const asking = http.request(`${url}${to}`, { method, headers, agent: false }, (answer) => {
      let said = '';
      answer.setEncoding('utf8').on('data', (words: string) => {
        said += words;
      });
      answer.once('end', () => done(said));
    });
    asking.once('error', failed);
    asking.end(form);
  });
}
