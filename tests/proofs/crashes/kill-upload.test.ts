import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, statSync, truncateSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { type Browser, headersOf } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { type KillRoom, mostMedianReadyMs, openKillRoom, readyFiguresOf } from './kill-room.ts';

guards('src/features/albums/**', 'src/features/media/**');

/** The real server, killed at any time while a large video goes up piece by piece, as a browser sends it. */
const chunkBytes = 8 * 1024 * 1024;
const fileBytes = countOf(40, 300) * 1024 * 1024;
let room: KillRoom;
const rooms: KillRoom[] = [];
const readyFigures = () => readyFiguresOf(rooms.flatMap(({ readyMs }) => readyMs));
let visitor: Visitor;
let creator: Browser;
let albumId: string;
/** `repeated` in bytes, over all files. */
const counts = { kills: 0, files: 0, chunks: 0, repeated: 0 };
/** So many videos are surely allowed during a trial. */
const videosInRoom = 5;

async function openRoom(): Promise<void> {
  room = await openKillRoom();
  rooms.push(room);
  // Nobody works on what is sent: it is only to arrive.
  await room.start('web');
  visitor = visit(room.server);
  creator = await visitor.signUp('upload@example.com');
  albumId = (await visitor.must('albums.create', { name: 'Killed', peopleConsent: 'only_me' }, creator)).id;
}
async function kill(upload: Upload): Promise<void> {
  counts.kills++;
  upload.kills++;
  await room.kill();
}

beforeAll(openRoom, 120_000);
afterAll(async () => {
  await room.close();
  printProof('kill-upload', counts.chunks, { ...counts, ...readyFigures() });
});

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The beginning of a video, and noise. */
const drawVideo = () =>
  Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'), randomBytes(fileBytes)]);

/** A video on its way up. */
interface Upload {
  id: string;
  video: Buffer;
  /** How much of it the server has answered for. */
  acknowledged: number;
  /** Up to where bytes of it have left. */
  reached: number;
  /** How many bytes have left in all, those that left twice among them. */
  sent: number;
  kills: number;
}

/** Sends the next piece as a browser does, and counts what leaves, whatever becomes of it. @returns the new offset */
async function sendPiece(upload: Upload): Promise<number> {
  const from = upload.acknowledged;
  const piece = upload.video.subarray(from, from + chunkBytes);
  counts.chunks++;
  upload.reached = from;
  const headers = {
    'tus-resumable': '1.0.0',
    'x-csrf-token': 'orpc',
    'upload-offset': String(from),
    'content-type': 'application/offset+octet-stream',
    'content-length': piece.length,
    ...headersOf(creator),
  };
  const request = http.request(`${room.server.url}/files/${upload.id}`, { method: 'PATCH', headers, agent: false });
  const leave = function* () {
    for (let at = 0; at < piece.length; at += 65_536) {
      const bytes = piece.subarray(at, at + 65_536);
      upload.sent += bytes.length;
      upload.reached += bytes.length;
      yield bytes;
    }
  };
  const [[answer]] = await Promise.all([
    once(request, 'response') as Promise<[IncomingMessage]>,
    pipeline(Readable.from(leave(), { highWaterMark: 1 }), request),
  ]);
  answer.resume();
  expect(answer.statusCode).toBe(204);
  return Number(answer.headers['upload-offset']);
}

/** Sends piece after piece from where the server is; ends with the file or with the server. */
async function sendOn(upload: Upload): Promise<void> {
  while (upload.acknowledged < upload.video.length) upload.acknowledged = await sendPiece(upload);
}

/** Asks where to go on. @returns what is wrong with the answer, in words */
async function findLost(upload: Upload): Promise<string[]> {
  const offset = await visitor.offsetOf(creator, upload.id);
  const found = {
    'acknowledged bytes are gone': offset < upload.acknowledged,
    'bytes that were never sent': offset > upload.reached,
  };
  upload.acknowledged = offset;
  return Object.entries(found).flatMap(([what, isSo]) => (isSo ? [what] : []));
}

/** Sends the rest. @returns what is wrong with the whole of it, in words */
async function findWrong(upload: Upload): Promise<string[]> {
  await sendOn(upload);
  const repeated = upload.sent - upload.video.length;
  const same = sha256(await visitor.download(creator, upload.id)) === sha256(upload.video);
  const found = {
    'more than a piece a kill was sent again': repeated > chunkBytes * upload.kills,
    'another file': !same,
  };
  counts.repeated += repeated;
  await visitor.must('media.remove', { mediaId: upload.id }, creator);
  return Object.entries(found).flatMap(([what, isSo]) => (isSo ? [what] : []));
}

async function begin(): Promise<Upload> {
  const video = drawVideo();
  if (counts.files++ % videosInRoom === videosInRoom - 1) {
    await room.close();
    await openRoom();
  }
  const id = await visitor.beginUpload(creator, albumId, video, 'video/mp4');
  return { id, video, acknowledged: 0, reached: 0, sent: 0, kills: 0 };
}

test('killed at any time of an upload, it goes on behind no acknowledged byte, repeats a piece a kill at most, and is the same file', {
  timeout: countOf(180_000, 3_600_000, 14_400_000),
}, async () => {
  for (const kills = countOf(2, 30, 200); counts.kills < kills; ) {
    const upload = await begin();
    while (counts.kills < kills && upload.acknowledged < upload.video.length) {
      const sending = sendOn(upload).catch(() => undefined); // a killed server never answers
      if (await Promise.race([sending.then(() => true), wait(Math.random() * countOf(150, 1500), false)])) break;
      await kill(upload);
      await sending;
      await room.start('web');
      expect(await findLost(upload)).toEqual([]);
    }
    expect(await findWrong(upload)).toEqual([]);
  }
  if (isFull) expect(readyFigures().medianReadyMs).toBeLessThanOrEqual(mostMedianReadyMs);
});

/** Does something to what has come of a video while the server is down. @returns what was found of it */
async function plant(spoil: (staged: string) => void): Promise<string[]> {
  const upload = await begin();
  while (upload.acknowledged < 2 * chunkBytes) upload.acknowledged = await sendPiece(upload);
  const staged = path.join(room.dataDir, 'staging', upload.id);
  expect(statSync(staged).size).toBe(2 * chunkBytes);
  await kill(upload);
  spoil(staged);
  await room.start('web');
  return [...(await findLost(upload)), ...(await findWrong(upload))];
}

test('planted: a disk that lost acknowledged bytes, or has some that were never sent, is found', async () => {
  expect(await plant(() => undefined)).toEqual([]);
  expect(await plant((staged) => truncateSync(staged, chunkBytes - 1))).toEqual([
    'acknowledged bytes are gone',
    'more than a piece a kill was sent again',
  ]);
  expect(await plant((staged) => appendFileSync(staged, '\0'))).toEqual(['bytes that were never sent', 'another file']);
});
