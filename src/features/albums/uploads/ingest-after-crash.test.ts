import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { uploadMetadata } from '#tests/support/media/send-file.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { drawNoise } from '#tests/support/servers/visitor.ts';
import { headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sweepUploads } from '../uploads.ts';
import { stagingOf } from '../uploads-store.ts';

/** A file that is whole in staging, but whose last part was never answered, is taken over later: when it is what was sent. */
let app: TestApp;
let ana: Person;
let url: string;
let albumId: string;
let photo: Buffer;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`;
  ana = await signUpCreator(app);
  albumId = (await app.call('albums.create', { name: 'Sea', peopleConsent: 'only_me' }, ana.browser)).body.id;
  photo = await drawNoise(60, 40);
});
afterAll(() => app.close());

const ask = (method: string, at: string, headers: Record<string, string> = {}) =>
  fetch(new URL(at, url), {
    method,
    headers: { 'tus-resumable': '1.0.0', 'x-csrf-token': 'orpc', ...headersOf(ana.browser), ...headers },
  });

/** All of it came, and then the process ended. @returns its address and id */
async function leaveWhole(bytes: Buffer) {
  const said = { albumId, filename: 'a.png', sha256: createHash('sha256').update(photo).digest('hex') };
  const lengths = { 'upload-length': String(bytes.length), 'upload-metadata': uploadMetadata(said) };
  const at = (await ask('POST', '/files', lengths)).headers.get('location') ?? '';
  const id = at.split('/').at(-1) ?? '';
  writeFileSync(path.join(stagingOf(app.engines.installation.dataDir), id), bytes);
  return { at, id };
}
const damage = (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])]);

/** Nothing of it is left, and its owner is told why. */
async function expectRefused(id: string): Promise<void> {
  const { body } = await app.call('media.byUpload', { uploadId: id }, ana.browser);
  const failText = 'This file is damaged – try exporting it again';
  expect(body).toEqual({ state: 'failed', mediaId: null, failText });
  expect(await readRows(app, 'select id from media where id = $1', [id])).toEqual([]);
  expect(readdirSync(stagingOf(app.engines.installation.dataDir)).filter((name) => name.startsWith(id))).toEqual([]);
  for await (const stored of app.engines.storage.list(`media/${id}/`)) expect(stored).toBeUndefined();
}

test('who asks how far it came hears that all of it is here, and it is', async () => {
  const { at, id } = await leaveWhole(photo);
  const answer = await ask('HEAD', at);
  expect([answer.status, answer.headers.get('upload-offset')]).toEqual([200, String(photo.length)]);
  const original = await fetch(`${url}/api/media/${id}/original`, { headers: headersOf(ana.browser) });
  expect(Buffer.from(await original.arrayBuffer()).equals(photo)).toBe(true);
});

test('what is not what was sent is not taken over when its browser asks, and the upload is over', async () => {
  const { at, id } = await leaveWhole(damage(photo));
  for (const _ of [1, 2]) expect([404, 410]).toContain((await ask('HEAD', at)).status);
  await expectRefused(id);
});

test('nor by the sweep', async () => {
  const { id } = await leaveWhole(damage(photo));
  await sweepUploads(app.engines, new Date(app.engines.clock()));
  await expectRefused(id);
});

const stateOf = async ({ id }: { id: string }) =>
  (await readRows(app, 'select state from uploads where id = $1', [id]))[0]?.state;
const sweep = () => sweepUploads(app.engines, new Date(app.engines.clock()));

test('one that cannot be taken over yet holds up no other', async () => {
  const [first, second] = [await leaveWhole(photo), await leaveWhole(photo)];
  const away = vi.spyOn(app.engines.storage, 'put').mockRejectedValueOnce(new Error('The store is away.'));
  await expect(sweep()).rejects.toThrow('The store is away.');
  expect([await stateOf(first), await stateOf(second)]).toEqual(['open', 'complete']);
  away.mockRestore();
  await sweep();
  expect(await stateOf(first)).toBe('complete');
});

test('one whose note was cut off with its machine is taken over without it', async () => {
  const upload = await leaveWhole(photo);
  writeFileSync(path.join(stagingOf(app.engines.installation.dataDir), `${upload.id}.json`), '{"meta');
  await sweep();
  expect(await stateOf(upload)).toBe('complete');
});
