import type { AddressInfo } from 'node:net';
import { createConnection, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { usualSlowLimits } from '#app/slow-clients.ts';
import { type HouseInTest, headersOf, openHouse } from '#tests/support/house.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { drawNoise, visit } from '#tests/support/visitor.ts';
import { countOf, isFull, p99Of, tellProof } from './counts.ts';

/** R18: clients that hold connections by being slow lose them, and everybody else is served meanwhile. */
const limits = isFull
  ? usualSlowLimits
  : { ...usualSlowLimits, headersMs: 1500, bodyMs: 1500, uploadMs: 2000, readerMs: 1000, checkMs: 200 };
const attackers = countOf(150, 5000);
const patience = { timeout: countOf(120_000, 3_600_000) };
const pieceBytes = 65_536;
const pieces = 500;
const bigBytes = pieces * pieceBytes;
function* bigPieces() {
  for (let n = 0; n < pieces; n++) yield Buffer.alloc(pieceBytes);
}

let house: HouseInTest;
let shared: SharedAlbum;
let port: number;
let requests = 0;
const sockets: Socket[] = [];
/** Only reads: dripping at it costs this process what dripping at the house costs it. */
const bare = createServer((socket) => socket.on('error', () => undefined).resume());
/** Ports of the clients whose connection stands at the server. */
const standing = new Set<number | undefined>();
const figures: Record<string, number> = { attackers };
beforeAll(async () => {
  house = await openHouse({ workJobs: false, server: { slow: limits } });
  house.app.get('/big', { config: { who: ['anybody'] } }, async (_request, reply) =>
    reply.send(Readable.from(bigPieces())),
  );
  shared = await shareAlbum(house, { count: 1 });
  ({ port } = house.app.server.address() as AddressInfo);
  await new Promise<void>((done) => bare.listen(0, '127.0.0.1', done));
  house.app.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    standing.add(remotePort);
    socket.once('close', () => standing.delete(remotePort));
  });
}, 120_000);
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  bare.close();
  tellProof('slow', requests, figures);
  await house.close();
});

/** A connection and whether it has ended. */
interface Line {
  socket: Socket;
  isCut: () => boolean;
}
async function connect(to = port): Promise<Line> {
  requests++;
  const socket = createConnection({ port: to, host: '127.0.0.1' });
  sockets.push(socket);
  let isCut = false;
  socket.on('error', () => undefined); // being cut is what is waited for
  socket.on('close', () => {
    isCut = true;
  });
  await new Promise((done) => socket.once('connect', done));
  return { socket, isCut: () => isCut };
}

/** Many that begin with `head` and then send one byte after another; nobody reads an answer. */
async function drip(head: string, { count = attackers, to = port } = {}): Promise<Line[]> {
  const lines: Line[] = [];
  for (let n = 0; n < count; n++) {
    const line = await connect(to);
    line.socket.resume();
    line.socket.write(head);
    lines.push(line);
  }
  const dripping = setInterval(() => {
    if (left(lines) === 0) clearInterval(dripping);
    for (const { socket, isCut } of lines) if (!isCut()) socket.write('a');
  }, 400);
  dripping.unref();
  return lines;
}
const left = (lines: readonly Line[]) => lines.filter(({ isCut }) => !isCut()).length;

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
    await timed(() => shared.salon.tap(link.slug));
    await timed(() => house.call('albums.list', {}, shared.creator.browser));
  }
  return took;
}

/** Serves the others while somebody is slow, as many as in peace before. @returns p99 of now as a ratio to that of before */
async function serveMeanwhile(link: { slug: string }, quiet: readonly number[], figure: string): Promise<number> {
  const ratio = Math.round((100 * p99Of(await serveOthers(link))) / p99Of(quiet)) / 100;
  figures[figure] = Math.max(figures[figure] ?? 0, ratio);
  return ratio;
}

/** What so many that drip cost the others, beside as many that drip at a server that only reads. @returns the last who drip */
async function dripMeanwhile(head: string, link: { slug: string }): Promise<{ ratio: number; lines: Line[] }> {
  const peace = await serveOthers(link);
  const apart = await drip(head, { to: (bare.address() as AddressInfo).port });
  const beside = await serveOthers(link, apart);
  for (const { socket } of apart) socket.destroy();
  const lines = await drip(head);
  const took = p99Of(await serveOthers(link, lines));
  figures.worstRatioToPeace = Math.max(figures.worstRatioToPeace ?? 0, Math.round((100 * took) / p99Of(peace)) / 100);
  return { ratio: Math.round((100 * took) / p99Of(beside)) / 100, lines };
}

test(
  'R18, planted: a house that waits as long as anybody likes still holds every line when ours has cut them',
  patience,
  async () => {
    const endless = { headersMs: 290_000, bodyMs: 3_600_000, uploadMs: 3_600_000, readerMs: 3_600_000, checkMs: 200 };
    const patient = await openHouse({ workJobs: false, server: { slow: { ...limits, ...endless } } });
    try {
      const to = Number(new URL(await patient.app.listen({ port: 0, host: '127.0.0.1' })).port);
      const body = 'POST /rpc/accounts/signIn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n{';
      for (const head of ['GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', body]) {
        const [held, lines] = [await drip(head, { count: 5, to }), await drip(head, { count: 5 })];
        await expect.poll(() => left(lines), { timeout: countOf(30_000, 120_000), interval: 200 }).toBe(0);
        expect(left(held)).toBe(5);
      }
    } finally {
      await patient.close();
    }
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
  ['nothing at all', ''],
])('slow %s are cut, and everybody else is served', patience, async (_, head) => {
  const link = await shared.makeLink();
  let { ratio, lines } = await dripMeanwhile(head, link);
  // A machine that others use may be late once, and not three times.
  for (let tries = 1; isFull && ratio > 2 && tries < 3; tries++) ({ ratio, lines } = await dripMeanwhile(head, link));
  figures.worstRatioWhileDripping = Math.max(figures.worstRatioWhileDripping ?? 0, ratio);
  if (isFull) expect(ratio).toBeLessThanOrEqual(2);
  await expect.poll(() => left(lines), { timeout: countOf(30_000, 120_000), interval: 200 }).toBe(0);
});

/** Begins to send a part of an upload by hand. */
async function beginPart(uploadId: string, sizeBytes: number): Promise<Line & { said: () => string }> {
  const line = await connect();
  let said = '';
  line.socket.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  const { cookie } = headersOf(shared.creator.browser);
  const head = [`PATCH /files/${uploadId} HTTP/1.1`, 'Host: localhost', 'Origin: http://localhost:3000'];
  head.push(`Cookie: ${cookie}`, 'Tus-Resumable: 1.0.0', 'Upload-Offset: 0', `Content-Length: ${sizeBytes}`);
  line.socket.write(`${[...head, 'Content-Type: application/offset+octet-stream'].join('\r\n')}\r\n\r\n`);
  return { ...line, said: () => said };
}

test('an upload that drips is cut and told so, and goes on from what came', patience, async () => {
  const { browser } = shared.creator;
  browser.headers = { origin: 'http://localhost:3000' };
  const visitor = visit(`http://127.0.0.1:${port}`);
  const { id: albumId } = await visitor.must('albums.create', { name: 'Slow' }, browser);
  const photo = await drawNoise(300, 200);
  const uploadId = await visitor.beginUpload(browser, albumId, photo);
  const { socket, isCut, said } = await beginPart(uploadId, photo.length);
  let sent = 100_000;
  socket.write(photo.subarray(0, sent));
  const dripping = setInterval(() => !isCut() && socket.write(photo.subarray(sent, ++sent)), 400);
  await expect.poll(isCut, { timeout: 3 * limits.uploadMs + 10_000 }).toBe(true);
  clearInterval(dripping);
  expect(said()).toMatch(
    /^HTTP\/1\.1 408 [\s\S]*\r\nconnection: close\r\n[\s\S]*"message":"The upload was too slow. It goes on by itself."/i,
  );
  const offset = await visitor.offsetOf(browser, uploadId);
  expect(offset).toBeGreaterThanOrEqual(100_000);
  expect(offset).toBeLessThanOrEqual(sent);
  expect(await visitor.sendFrom(browser, uploadId, photo.subarray(offset), offset)).toBe(photo.length);
  expect((await visitor.download(browser, uploadId)).equals(photo)).toBe(true);
});

test('an upload over a thin line that gets on is left alone', patience, async () => {
  const { browser } = shared.creator;
  const visitor = visit(`http://127.0.0.1:${port}`);
  const { id: albumId } = await visitor.must('albums.create', { name: 'Thin' }, browser);
  const photo = await drawNoise(800, 800);
  const uploadId = await visitor.beginUpload(browser, albumId, photo);
  const { socket, said } = await beginPart(uploadId, photo.length);
  // As much in three looks as ten times the least.
  const steps = 30;
  for (let n = 0; n < steps; n++) {
    socket.write(photo.subarray((n * photo.length) / steps, ((n + 1) * photo.length) / steps));
    await wait((3 * limits.uploadMs) / steps);
  }
  await expect.poll(said, { timeout: 20_000 }).toMatch(/^HTTP\/1\.1 204 /);
});

const askBig = 'GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('who reads nothing of what was asked for is cut, who reads slowly gets all of it', patience, async () => {
  const link = await shared.makeLink();
  const quiet = await serveOthers(link);
  const readers: Line[] = [];
  for (let n = 0; n < countOf(5, 50); n++) {
    const line = await connect();
    line.socket.pause();
    line.socket.write(askBig);
    readers.push(line);
  }
  const slow = await connect();
  let got = 0;
  slow.socket.on('data', ({ length }: Buffer) => {
    got += length;
    slow.socket.pause();
    setTimeout(() => slow.socket.resume(), 2);
  });
  slow.socket.write(askBig);
  const ratio = await serveMeanwhile(link, quiet, 'ratioWhileReadersHang');
  if (isFull) expect(ratio).toBeLessThanOrEqual(2);
  const open = () => readers.filter(({ socket }) => standing.has(socket.localPort)).length;
  await expect.poll(() => got, { timeout: 25_000, interval: 200 }).toBeGreaterThan(bigBytes);
  // A reader that is cut hears of it only when it reads again: its end is seen at the server. Who is not cut yet must not read.
  slow.socket.destroy();
  await expect.poll(open, { timeout: countOf(30_000, 240_000), interval: 200 }).toBe(0);
  for (const { socket } of readers) socket.resume();
  await expect.poll(() => left(readers), { timeout: 20_000 }).toBe(0);
});

test('lines of news are for who is signed in, and two a session', patience, async () => {
  const news = countOf(30, 10_000);
  let refused = 0;
  for (let n = 0; n < news; n++) refused += (await fetch(`${shared.salon.url}/api/live`)).status === 401 ? 1 : 0;
  expect(refused).toBe(news);
  requests += news;
  const { cookie } = headersOf(shared.creator.browser);
  for (let n = 0; n < countOf(30, 300); n++) {
    const { socket } = await connect();
    socket.resume();
    socket.write(`GET /api/live HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
  }
  await expect.poll(() => house.live.count(), { timeout: 20_000 }).toBeLessThanOrEqual(2);
  await wait(300);
  expect(house.live.count()).toBeGreaterThan(0);
});
