import type { AddressInfo } from 'node:net';
import { createConnection, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { SlowLimits } from '#app/server/slow-clients.ts';
import { drawNoise, visit } from '#tests/support/servers/visitor.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';

const pieceBytes = 65_536;
const pieces = 500;
/** What `/big` answers. */
export const bigBytes = pieces * pieceBytes;
function* bigPieces() {
  for (let n = 0; n < pieces; n++) yield Buffer.alloc(pieceBytes);
}
const askBig = 'GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** An installation with limits of its own, and who stands at its door. */
export interface SlowApp {
  app: TestApp;
  shared: SharedAlbum;
  port: number;
  /** Ports of the clients whose connection stands at the server. */
  standing: Set<number | undefined>;
}

/** Opens an installation that is as patient as its limits say, with something big to read. */
export async function openSlowApp(limits: SlowLimits): Promise<SlowApp> {
  const app = await openTestApp({ workJobs: false, server: { slow: limits } });
  app.fastify.get('/big', { config: { who: ['anybody'] } }, async (_request, reply) =>
    reply.send(Readable.from(bigPieces())),
  );
  const shared = await shareAlbum(app, { count: 1 });
  const { port } = app.fastify.server.address() as AddressInfo;
  const standing = new Set<number | undefined>();
  app.fastify.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    standing.add(remotePort);
    socket.once('close', () => standing.delete(remotePort));
  });
  return { app, shared, port, standing };
}

/** A connection and whether it has ended. */
export interface Line {
  socket: Socket;
  isCut: () => boolean;
}

/** Every connection that was made. */
export const sockets: Socket[] = [];

/** Connects by hand. */
export async function connect(to: number): Promise<Line> {
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

/** Returns how many of them still stand. */
export const left = (lines: readonly Line[]) => lines.filter(({ isCut }) => !isCut()).length;

/** Many that begin with `head` and then send one `byte` after another, or nothing more without one; nobody reads an answer. */
export async function drip(head: string, count: number, to: number, byte = 'a'): Promise<Line[]> {
  const lines: Line[] = [];
  for (let n = 0; n < count; n++) {
    const line = await connect(to);
    line.socket.resume();
    line.socket.write(head);
    lines.push(line);
  }
  const dripping = setInterval(() => {
    if (left(lines) === 0) clearInterval(dripping);
    for (const { socket, isCut } of lines) if (!isCut()) socket.write(byte);
  }, 400);
  dripping.unref();
  return lines;
}

/** Begins an upload and sends the head of its only part by hand. */
export async function beginPart({ shared, port }: SlowApp, photo: Buffer) {
  const { browser } = shared.creator;
  browser.headers = { origin: 'http://localhost:3000' };
  const visitor = visit(`http://127.0.0.1:${port}`);
  const { id: albumId } = await visitor.must('albums.create', { name: 'Slow', peopleConsent: 'only_me' }, browser);
  const uploadId = await visitor.beginUpload(browser, albumId, photo);
  const line = await connect(port);
  let said = '';
  line.socket.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  const head = [`PATCH /files/${uploadId} HTTP/1.1`, 'Host: localhost', 'Origin: http://localhost:3000'];
  head.push(`Cookie: ${headersOf(browser).cookie}`, 'Tus-Resumable: 1.0.0', 'Upload-Offset: 0');
  head.push(`Content-Length: ${photo.length}`, 'Content-Type: application/offset+octet-stream');
  line.socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { ...line, said: () => said, visitor, browser, uploadId };
}

/** Sends the beginning of a photo at once and then a byte after another. */
export async function dripUpload(at: SlowApp) {
  const photo = await drawNoise(300, 200);
  const part = await beginPart(at, photo);
  let sent = 100_000;
  part.socket.write(photo.subarray(0, sent));
  const dripping = setInterval(() => {
    if (part.isCut()) clearInterval(dripping);
    else part.socket.write(photo.subarray(sent, ++sent));
  }, 400);
  dripping.unref();
  return { ...part, photo, sent: () => sent };
}

/** Readers who ask for something big and take nothing of it. */
export async function hangReaders({ port, standing }: SlowApp, count: number) {
  const readers: Line[] = [];
  for (let n = 0; n < count; n++) {
    const line = await connect(port);
    line.socket.pause();
    line.socket.write(askBig);
    readers.push(line);
  }
  // A reader that is cut hears of it only when it reads again: its end is seen at the server.
  return { readers, open: () => readers.filter(({ socket }) => standing.has(socket.localPort)).length };
}

/** One who takes a little at a time. @returns how much it has got */
export async function readSlowly({ port }: SlowApp) {
  const { socket } = await connect(port);
  let got = 0;
  socket.on('data', ({ length }: Buffer) => {
    got += length;
    socket.pause();
    setTimeout(() => socket.resume(), 2);
  });
  socket.write(askBig);
  return { socket, got: () => got };
}
