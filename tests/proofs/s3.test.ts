import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as ask, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openS3Storage } from '#engines/storage/s3.ts';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { drawNoise, type Visitor, visit } from '#tests/support/visitor.ts';
import { countOf, tellProof } from './counts.ts';

/** R21: the S3 server errs, dawdles, lies and goes away; nothing that was acknowledged is lost and nothing damaged is shown. */
interface LocalS3 {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => LocalS3;

/** What the proxy in front of the S3 server does to a call instead of passing it on. */
type Fault = 'error' | 'slow down' | 'forbidden' | 'cut answer' | 'cut call' | 'lost' | 'dawdle';
const faults: readonly Fault[] = ['error', 'slow down', 'forbidden', 'cut answer', 'cut call', 'lost', 'dawdle'];
let nextFault: (call: IncomingMessage) => Fault | undefined = () => undefined;

const directory = mkdtempSync(path.join(tmpdir(), 'pf-s3-'));
const access = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
let s3: LocalS3;
let s3Port: number;
let proxy: Server;
let house: HouseInTest;
let visitor: Visitor;
let creator: Awaited<ReturnType<typeof signUpCreator>>;
let albumId: string;
let requests = 0;
let planted = 0;
const patience = { timeout: countOf(180_000, 3_600_000) };

beforeAll(async () => {
  s3 = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: 'pf' }] });
  ({ port: s3Port } = await s3.run());
  proxy = createServer(pass).listen(0, '127.0.0.1');
  await new Promise((done) => proxy.once('listening', done));
  const { port } = proxy.address() as AddressInfo;
  const storage = openS3Storage({ bucket: 'pf', endpoint: `http://127.0.0.1:${port}`, region: 'auto', ...access });
  // The S3 protocol carries the time of day, and the client learns it from what the server says.
  house = await openHouse({ storage, now: new Date().toISOString() });
  vi.useRealTimers();
  await house.app.listen({ port: 0, host: '127.0.0.1' });
  visitor = visit(`http://127.0.0.1:${(house.app.server.address() as AddressInfo).port}`);
  creator = await signUpCreator(house);
  creator.browser.headers = { origin: 'http://localhost:3000' };
  albumId = (await visitor.must('albums.create', { name: 'Far away' }, creator.browser)).id;
}, 120_000);
afterAll(async () => {
  tellProof('s3', requests, { faults: planted, damaged: 0, lost: 0 });
  await house.close();
  proxy.closeAllConnections();
  await s3.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  nextFault = () => undefined;
  // Jobs that fail because the store is away say so in the log.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => void vi.spyOn(console, 'error').mockClear());

const errors: Partial<Record<Fault, [number, string]>> = {
  error: [500, 'InternalError'],
  'slow down': [503, 'SlowDown'],
  forbidden: [403, 'AccessDenied'],
};

function pass(call: IncomingMessage, answer: ServerResponse): void {
  const fault = nextFault(call);
  if (fault !== undefined) planted++;
  const [status, code] = errors[fault ?? 'lost'] ?? [];
  if (status !== undefined) {
    call.resume();
    answer.writeHead(status, { 'content-type': 'application/xml' });
    answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>planted</Message></Error>`);
    return;
  }
  if (fault === 'cut call') return void call.socket.destroy();
  // Answered as stored, and thrown away.
  if (fault === 'lost' && call.method === 'PUT') {
    const hash = createHash('md5');
    call.on('data', (bytes: Buffer) => hash.update(bytes));
    call.on('end', () => answer.writeHead(200, { etag: `"${hash.digest('hex')}"` }).end());
    return;
  }
  const { method, url, headers } = call;
  const onward = ask({ host: '127.0.0.1', port: s3Port, method, path: url, headers }, (reply) => {
    answer.writeHead(reply.statusCode ?? 500, reply.headers);
    if (fault !== 'cut answer' || method === 'HEAD') return void reply.pipe(answer);
    reply.once('data', (bytes: Buffer) => answer.write(bytes.subarray(0, 100), () => answer.destroy()));
    reply.once('end', () => answer.destroy());
  });
  onward.on('error', () => answer.destroy());
  if (fault === 'dawdle') setTimeout(() => call.pipe(onward), 700);
  else call.pipe(onward);
}

/** Sends a photo as a browser does that comes back until all of it is here. @returns its id */
async function upload(photo: Buffer): Promise<string> {
  const uploadId = await visitor.beginUpload(creator.browser, albumId, photo);
  for (let tries = 0; tries < 40; tries++) {
    requests++;
    const answer = await send(uploadId, photo, await offsetOf(uploadId));
    if (answer === 'here') return uploadId;
  }
  throw new Error('The upload did not come to its end.');
}
const tus = () => ({ 'tus-resumable': '1.0.0', origin: 'http://localhost:3000', cookie: cookieOf() });
const cookieOf = () => [...creator.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
/** The offset, or nothing while the server says "later". */
async function offsetOf(uploadId: string): Promise<number | undefined> {
  const { status, headers } = await fetch(`${visitor.salon.url}/files/${uploadId}`, { method: 'HEAD', headers: tus() });
  expect([200, 423]).toContain(status);
  return status === 200 ? Number(headers.get('upload-offset')) : undefined;
}
async function send(uploadId: string, photo: Buffer, offset: number | undefined): Promise<'here' | 'not yet'> {
  if (offset === undefined) return 'not yet';
  if (offset === photo.length) return 'here';
  const headers = { ...tus(), 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
  const body = new Uint8Array(photo.subarray(offset));
  const answer = await fetch(`${visitor.salon.url}/files/${uploadId}`, { method: 'PATCH', headers, body });
  if (answer.status === 204) return 'here';
  // In words that a person understands, and nothing of the store in them.
  expect([answer.status, await answer.json()]).toMatchObject([
    503,
    { code: 'UNAVAILABLE', message: /goes on by itself/ },
  ]);
  return 'not yet';
}

/** Every stored pack is the one its row names, byte for byte; every original comes back as it was sent. */
async function expectWhole(sent: ReadonlyMap<string, Buffer>): Promise<void> {
  nextFault = () => undefined;
  const packs = await readRows(house, `select path, encode(sha256, 'hex') as sha256 from packs`);
  for (const pack of packs) {
    const bytes = await house.engines.storage.read(String(pack.path));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(pack.sha256);
  }
  for (const [mediaId, photo] of sent)
    expect((await visitor.download(creator.browser, mediaId)).equals(photo)).toBe(true);
}

test(
  'every tenth call fails in every way there is, and every photo is taken over and made ready',
  patience,
  async () => {
    let calls = 0;
    nextFault = () => (++calls % 10 === 0 ? faults[(calls / 10) % faults.length] : undefined);
    const sent = new Map<string, Buffer>();
    for (let n = 0; n < countOf(4, 100); n++) {
      const photo = await drawNoise(700, 500);
      sent.set(await upload(photo), photo);
    }
    const items = await visitor.untilSettled(creator.browser, albumId);
    expect(items.map(({ state, failText }) => [state, failText])).toEqual(items.map(() => ['ready', null]));
    expect(items.map(({ id }) => id).sort()).toEqual([...sent.keys()].sort());
    await expectWhole(sent);
  },
);

test(
  'while the store is gone uploads wait and say so; as soon as it is back they are taken over and made ready',
  patience,
  async () => {
    for (const fault of ['error', 'cut call'] as const) {
      nextFault = () => fault;
      const photo = await drawNoise(700, 500);
      const uploadId = await visitor.beginUpload(creator.browser, albumId, photo);
      expect(await send(uploadId, photo, 0)).toBe('not yet');
      expect(await offsetOf(uploadId)).toBeUndefined();
      expect((await visitor.call('albums.list', {}, creator.browser)).status).toBe(200);
      nextFault = () => undefined;
      expect(await offsetOf(uploadId)).toBe(photo.length);
      const items = await visitor.untilSettled(creator.browser, albumId);
      expect(items.find(({ id }) => id === uploadId)).toMatchObject({ state: 'ready' });
      await expectWhole(new Map([[uploadId, photo]]));
    }
  },
);

test('a photo whose original cannot be read for a while is no failed photo', patience, async () => {
  const photo = await drawNoise(700, 500);
  let refused = 0;
  // Every try of the first four attempts is refused: more than a photo of its own fault would be given.
  nextFault = ({ method, url }) => (method === 'GET' && url?.includes('.pfo') && refused++ < 12 ? 'error' : undefined);
  const uploadId = await upload(photo);
  const items = await visitor.untilSettled(creator.browser, albumId);
  expect(items.find(({ id }) => id === uploadId)).toMatchObject({ state: 'ready', failText: null });
  expect(refused).toBeGreaterThanOrEqual(12);
});

test('what cannot be read is answered as 503, never as half a file and never as missing', patience, async () => {
  const items = await visitor.untilSettled(creator.browser, albumId);
  nextFault = () => 'error';
  const { status, headers } = await fetch(`${visitor.salon.url}/api/media/${items[0]?.id}/original`, {
    headers: { cookie: cookieOf() },
  });
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
});
