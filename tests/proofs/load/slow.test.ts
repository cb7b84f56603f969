import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { usualSlowLimits } from '#app/server/slow-clients.ts';
import { drawNoise } from '#tests/support/servers/visitor.ts';
import type { SharedAlbum } from '#tests/support/shared-link.ts';
import { headersOf } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, p99Of, printProof } from '../counts.ts';
import {
  beginPart,
  bigBytes,
  connect,
  drip,
  dripUpload,
  hangReaders,
  type Line,
  left,
  openSlowApp,
  readSlowly,
  type SlowApp,
  sockets,
} from './slow-app.ts';

guards(
  'src/app/server/slow-clients.ts',
  'src/app/server/admission-control.ts',
  'src/app/server/server.ts',
  'src/app/server/bare-answers.ts',
);

/** Clients that hold connections by being slow lose them, and everybody else is served meanwhile. */
const limits = isFull
  ? usualSlowLimits
  : { ...usualSlowLimits, headersMs: 1500, bodyMs: 1500, uploadMs: 2000, readerMs: 1000, checkMs: 200 };
const attackers = countOf(150, 5000);
const patience = { timeout: countOf(120_000, 3_600_000) };
/** Limits of an installation that waits as long as anybody likes. */
const endless = { headersMs: 290_000, bodyMs: 3_600_000, uploadMs: 3_600_000, readerMs: 3_600_000, checkMs: 200 };

let ours: SlowApp;
let patient: SlowApp;
let shared: SharedAlbum;
let requests = 0;
/** Only reads: dripping at it costs this process what dripping at the app costs it. */
const bare = createServer((socket) => socket.on('error', () => undefined).resume());
/** Only parses: what is no HTTP it refuses as Node does by itself. */
const parser = createHttpServer();
const listen = async (server: Server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const portOf = (server: Server) => (server.address() as AddressInfo).port;
const figures: Record<string, number> = { attackers };
beforeAll(async () => {
  ours = await openSlowApp(limits);
  patient = await openSlowApp({ ...limits, ...endless });
  ({ shared } = ours);
  await Promise.all([bare, parser].map(listen));
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  bare.close();
  parser.close();
  printProof('slow', requests + sockets.length, figures);
  await Promise.all([ours.app.close(), patient.app.close()]);
});

/** Viewers open and creators list; all of them are served. @returns how long each took that began while so many stood in the way */
async function serveOthers(link: { slug: string }, lines: readonly Line[] = []): Promise<number[]> {
  const took: number[] = [];
  const timed = async (ask: () => Promise<{ status: number }>) => {
    const began = performance.now();
    const isCounted = 2 * left(lines) >= lines.length;
    expect((await ask()).status).toBe(200);
    requests++;
    if (isCounted) took.push(performance.now() - began);
  };
  for (let n = 0; n < countOf(5, 100); n++) {
    await timed(() => shared.viewerApi.tap(link.slug));
    await timed(() => ours.app.call('albums.list', {}, shared.creator.browser));
  }
  return took;
}

/** Serves the others while somebody is slow, as many as in peace before. @returns p99 of now as a ratio to that of before */
async function serveMeanwhile(link: { slug: string }, quiet: readonly number[], figure: string): Promise<number> {
  const ratio = Math.round((100 * p99Of(await serveOthers(link))) / p99Of(quiet)) / 100;
  figures[figure] = Math.max(figures[figure] ?? 0, ratio);
  return ratio;
}

/** How somebody holds a line: what it begins with, what comes of it byte by byte, and the bare server where as many hold one for comparison. */
interface Slowness {
  head: string;
  byte?: string;
  peer?: Server;
}

/** What so many that drip cost the others, beside as many that drip at a bare server. @returns the last who drip */
async function dripMeanwhile({ head, byte, peer = bare }: Slowness, link: { slug: string }) {
  const peace = await serveOthers(link);
  const apart = await drip(head, attackers, portOf(peer), byte);
  const beside = await serveOthers(link, apart);
  for (const { socket } of apart) socket.destroy();
  const lines = await drip(head, attackers, ours.port, byte);
  const took = p99Of(await serveOthers(link, lines));
  figures.worstRatioToPeace = Math.max(figures.worstRatioToPeace ?? 0, Math.round((100 * took) / p99Of(peace)) / 100);
  return { ratio: Math.round((100 * took) / p99Of(beside)) / 100, lines };
}

const untilCut = { timeout: countOf(30_000, 240_000), interval: 200 };

test(
  'planted: an installation that waits for heads and bodies still holds every line when ours has cut them',
  patience,
  async () => {
    const body = 'POST /rpc/accounts/signIn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n{';
    for (const head of ['GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', body]) {
      const [held, lines] = [await drip(head, 5, patient.port), await drip(head, 5, ours.port)];
      await expect.poll(() => left(lines), untilCut).toBe(0);
      expect(left(held)).toBe(5);
    }
  },
);

test(
  'planted: an installation that waits for uploads still takes one byte after another when ours has cut the same',
  patience,
  async () => {
    const [held, cut] = [await dripUpload(patient), await dripUpload(ours)];
    await expect.poll(cut.isCut, untilCut).toBe(true);
    expect([held.isCut(), held.said()]).toEqual([false, '']);
  },
);

test(
  'planted: an installation that waits for readers still stands before those who read nothing when ours has cut them',
  patience,
  async () => {
    const [held, cut] = [await hangReaders(patient, 3), await hangReaders(ours, 3)];
    await expect.poll(() => [held.open(), cut.open()], untilCut).toEqual([3, 0]);
  },
);

test.each([
  ['heads', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
  ['bodies', 'POST /rpc/accounts/signIn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n{'],
  [
    'bodies without a length',
    'POST /rpc/accounts/signIn HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n',
  ],
  ['bodies where none is due', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n'],
  [
    'bodies of uploads that are refused',
    'POST /files HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:3000\r\nContent-Length: 5000\r\n\r\n',
  ],
  [
    'parts of uploads that are refused',
    'PATCH /files/x HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n',
  ],
])('slow %s are cut, and everybody else is served', patience, async (_, head) => cutAndServe({ head }));

test('lines that send nothing at all are cut, and everybody else is served', patience, () =>
  cutAndServe({ head: '', byte: '' }),
);

test('lines that bring no HTTP are cut, and everybody else is served', patience, () =>
  cutAndServe({ head: '', peer: parser }),
);

async function cutAndServe(slowness: Slowness): Promise<void> {
  const link = await shared.makeLink();
  let { ratio, lines } = await dripMeanwhile(slowness, link);
  // A machine that others use may be late once, and not three times.
  for (let tries = 1; isFull && ratio > 2 && tries < 3; tries++)
    ({ ratio, lines } = await dripMeanwhile(slowness, link));
  figures.worstRatioWhileDripping = Math.max(figures.worstRatioWhileDripping ?? 0, ratio);
  if (isFull) expect(ratio).toBeLessThanOrEqual(2);
  await expect.poll(() => left(lines), untilCut).toBe(0);
}

test('an upload that drips is cut and told so, and goes on from what came', patience, async () => {
  const { isCut, said, sent, photo, visitor, browser, uploadId } = await dripUpload(ours);
  await expect.poll(isCut, { timeout: 3 * limits.uploadMs + 10_000 }).toBe(true);
  expect(said()).toMatch(
    /^HTTP\/1\.1 408 [\s\S]*\r\nconnection: close\r\n[\s\S]*"message":"The upload was too slow. It will continue automatically."/i,
  );
  const offset = await visitor.offsetOf(browser, uploadId);
  expect(offset).toBeGreaterThanOrEqual(100_000);
  expect(offset).toBeLessThanOrEqual(sent());
  expect(await visitor.sendFrom(browser, uploadId, photo.subarray(offset), offset)).toBe(photo.length);
  expect((await visitor.download(browser, uploadId)).equals(photo)).toBe(true);
});

test('an upload over a thin line that gets on is left alone', patience, async () => {
  const photo = await drawNoise(800, 800);
  const { socket, said } = await beginPart(ours, photo);
  // As much in three looks as ten times the least.
  const steps = 30;
  for (let n = 0; n < steps; n++) {
    socket.write(photo.subarray((n * photo.length) / steps, ((n + 1) * photo.length) / steps));
    await wait((3 * limits.uploadMs) / steps);
  }
  await expect.poll(said).toMatch(/^HTTP\/1\.1 204 /);
});

test('an upload in one piece that only just gets on is cut: it holds a place that others need', patience, async () => {
  const { cookie } = headersOf(shared.creator.browser);
  const { socket, isCut } = await connect(ours.port);
  let said = '';
  socket.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  const head = ['POST /api/traces HTTP/1.1', 'Host: localhost', 'Origin: http://localhost:3000', `Cookie: ${cookie}`];
  socket.write(`${[...head, 'Content-Type: image/jpeg', 'Content-Length: 20000000'].join('\r\n')}\r\n\r\n`);
  // More than an upload that goes on by itself must bring between two looks, and less than this one must.
  const part = Buffer.alloc((limits.uploadBytes + limits.wholeUploadBytes) / 8);
  const sending = setInterval(() => socket.write(part), limits.uploadMs / 4);
  await expect.poll(isCut, { timeout: 3 * limits.uploadMs + 10_000 }).toBe(true);
  clearInterval(sending);
  expect(said).toMatch(/^HTTP\/1\.1 408 [\s\S]*"message":"The upload was too slow. Please try again."/i);
});

test('who reads nothing of what was asked for is cut, who reads slowly gets all of it', patience, async () => {
  const link = await shared.makeLink();
  const quiet = await serveOthers(link);
  const { readers, open } = await hangReaders(ours, countOf(5, 50));
  const slow = await readSlowly(ours);
  const ratio = await serveMeanwhile(link, quiet, 'ratioWhileReadersHang');
  if (isFull) expect(ratio).toBeLessThanOrEqual(2);
  await expect.poll(slow.got, { interval: 200 }).toBeGreaterThan(bigBytes);
  slow.socket.destroy();
  // Who is not cut yet must not read.
  await expect.poll(open, untilCut).toBe(0);
  for (const { socket } of readers) socket.resume();
  await expect.poll(() => left(readers)).toBe(0);
});

test('lines of news are for who is signed in, and two a session', patience, async () => {
  const news = countOf(30, 10_000);
  let refused = 0;
  for (let n = 0; n < news; n++) refused += (await fetch(`${shared.viewerApi.url}/api/live`)).status === 401 ? 1 : 0;
  expect(refused).toBe(news);
  requests += news;
  const { cookie } = headersOf(shared.creator.browser);
  for (let n = 0; n < countOf(30, 300); n++) {
    const { socket } = await connect(ours.port);
    socket.resume();
    socket.write(`GET /api/live HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
  }
  await expect.poll(() => ours.app.live.count()).toBeLessThanOrEqual(2);
  await wait(300);
  expect(ours.app.live.count()).toBeGreaterThan(0);
});
