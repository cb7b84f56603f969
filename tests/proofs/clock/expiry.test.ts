import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepUploads } from '#features/albums/uploads.ts';
import { stagingOf } from '#features/albums/uploads-store.ts';
import { newId } from '#kit/ids.ts';
import { paintJpeg } from '#tests/support/media/paint.ts';
import { uploadMetadata } from '#tests/support/media/send-file.ts';
import { advance, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards } from '../counts.ts';
import { expiringColumns } from './expiring-columns.ts';

guards('src/features/access/**', 'src/features/links/rules.ts', 'db/migrations/**');

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 2 });
});
afterAll(() => app.close());

test('CVE-2026-35462: every column that says when something ends has a test that lets its instant pass', async () => {
  const rows = await readRows(
    app,
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type like 'timestamp%' and column_name ~ '(expires|until|_ends?(_|$))' order by 1`,
  );
  const names = rows.map(({ name }) => String(name));
  expect(names.filter((name) => expiringColumns[name] === undefined)).toEqual([]);
  expect(Object.keys(expiringColumns).filter((name) => !names.includes(name))).toEqual([]);
  for (const [name, proof] of Object.entries(expiringColumns)) {
    if (proof === 'never') {
      const [table, column] = name.split('.');
      expect([name, await readRows(app, `select 1 from ${table} where ${column} is not null`)]).toEqual([name, []]);
      continue;
    }
    const [file, sentence] = proof;
    expect([name, readFileSync(file, 'utf8').includes(sentence)]).toEqual([name, true]);
  }
});

test('CVE-2026-35462: the log of rules keeps the end that was in force, and decides nothing', async () => {
  const link = await shared.makeLink({}, { expiry: { kind: 'after', hours: 1 } });
  const extended = { linkIds: [link.id], expiry: { kind: 'after', hours: 5 } };
  expect((await app.call('links.extend', extended, shared.creator.browser)).status).toBe(200);
  advance(app, 2 * 3_600_000);
  expect((await shared.viewerApi.tap(link.slug)).pictures.length).toBe(2);
  advance(app, 3 * 3_600_000);
  expect((await shared.viewerApi.tap(link.slug)).refusal?.reason).toBe('NOT_FOUND');
});

const tus = { 'tus-resumable': '1.0.0', origin: 'http://localhost:3000' };
const sending = (browser: Browser, headers: object) =>
  ({ ...tus, ...headersOf(browser), ...headers }) as Record<string, string>;

async function begin(bytes: Buffer): Promise<string> {
  const headers = {
    'upload-length': String(bytes.length),
    'upload-metadata': uploadMetadata({ albumId: shared.albumId }),
  };
  const init = { method: 'POST', headers: sending(shared.creator.browser, headers) };
  return (await fetch(`${shared.viewerApi.url}/files`, init)).headers.get('location') ?? '';
}
const patch = async (at: string, bytes: Buffer): Promise<number> => {
  const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  const init = { method: 'PATCH', headers: sending(shared.creator.browser, headers), body: new Uint8Array(bytes) };
  return (await fetch(`${shared.viewerApi.url}${at}`, init)).status;
};

test('CVE-2026-35462: an upload is dead at its instant, for the next piece as for the sweeper', async () => {
  const bytes = await paintJpeg(9, 64, 48);
  const [early, late] = [await begin(bytes), await begin(bytes)];
  advance(app, 24 * 3_600_000 - 1);
  expect(await patch(early, bytes.subarray(0, 10))).toBe(204);
  advance(app, 1);
  expect(await patch(late, bytes.subarray(0, 10))).toBe(410);
  await sweepUploads(app.engines, new Date(app.engines.clock()));
  const [row] = await readRows(app, 'select state from uploads where id = $1', [late.split('/').at(-1)]);
  expect(row).toEqual({ state: 'expired' });
});

test('tus FileStore: cleaning up expired uploads leaves 28 finished files', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 28; n++) {
    const bytes = await paintJpeg(100 + n, 40, 30);
    const at = await begin(bytes);
    expect(await patch(at, bytes)).toBe(204);
    ids.push(at.split('/').at(-1) ?? '');
  }
  const abandoned = await begin(await paintJpeg(200, 40, 30));
  advance(app, 25 * 3_600_000);
  await writeFile(path.join(stagingOf(app.engines.installation.dataDir), newId(app.engines.clock())), 'left behind');
  await sweepUploads(app.engines, new Date(app.engines.clock()));
  await sweepUploads(app.engines, new Date(app.engines.clock()));
  const rows = await readRows(
    app,
    'select u.state, m.id from uploads u join media m on m.id = u.id where u.id = any($1)',
    [ids],
  );
  expect(rows.filter(({ state }) => state === 'complete')).toHaveLength(28);
  for (const id of ids) {
    const answer = await shared.viewerApi.fetch(`/api/media/${id}/original`, undefined, shared.creator.browser);
    expect([id, answer.status, (await answer.arrayBuffer()).byteLength > 500]).toEqual([id, 200, true]);
  }
  const left = await readRows(app, 'select state from uploads where id = $1', [abandoned.split('/').at(-1)]);
  expect(left).toEqual([{ state: 'expired' }]);
  expect(await readdir(stagingOf(app.engines.installation.dataDir))).toEqual([]);
});
