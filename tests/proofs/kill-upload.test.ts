import { createHash, randomBytes } from 'node:crypto';
import { statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '#tests/support/house.ts';
import { type Visitor, visit } from '#tests/support/visitor.ts';
import { countOf, tellProof } from './counts.ts';
import { type KillRoom, openKillRoom } from './kill-world.ts';

/** R6: the real server, killed at any time while a large film goes up piece by piece, as a browser sends it. */
const chunkBytes = 8 * 1024 * 1024;
const fileBytes = countOf(40, 300) * 1024 * 1024;
let room: KillRoom;
let visitor: Visitor;
let creator: Browser;
let albumId: string;
/** `mostRepeated` in bytes. */
const counts = { kills: 0, files: 0, chunks: 0, mostRepeated: 0 };
/** So many films are surely allowed during a trial. */
const filmsInRoom = 5;

async function openRoom(): Promise<void> {
  room = await openKillRoom();
  // Nobody works on what is sent: it is only to arrive.
  await room.start('web');
  visitor = visit(room.server.url);
  creator = await visitor.signUp('upload@example.com');
  albumId = (await visitor.must('albums.create', { name: 'Killed' }, creator)).id;
}
async function kill(): Promise<void> {
  counts.kills++;
  await room.kill();
}

beforeAll(openRoom, 120_000);
afterAll(async () => {
  await room.close();
  tellProof('kill-upload', counts.chunks, counts);
}, 60_000);

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The beginning of a film, and noise. */
const drawFilm = () =>
  Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'), randomBytes(fileBytes)]);

/** A film on its way up, and how much of it the server has answered for. */
interface Upload {
  id: string;
  film: Buffer;
  acknowledged: number;
}

/** Sends piece after piece from where the server is; ends with the file or with the server. */
async function sendOn(upload: Upload): Promise<void> {
  while (upload.acknowledged < upload.film.length) {
    const chunk = upload.film.subarray(upload.acknowledged, upload.acknowledged + chunkBytes);
    counts.chunks++;
    upload.acknowledged = await visitor.sendFrom(creator, upload.id, chunk, upload.acknowledged);
  }
}

/** Asks where to go on. @returns what is wrong with the answer, in words */
async function findLost(upload: Upload): Promise<string[]> {
  const offset = await visitor.offsetOf(creator, upload.id);
  const sent = Math.min(upload.acknowledged + chunkBytes, upload.film.length);
  const found = {
    'acknowledged bytes are gone': offset < upload.acknowledged,
    'bytes that were never sent': offset > sent,
  };
  if (offset >= upload.acknowledged) counts.mostRepeated = Math.max(counts.mostRepeated, sent - offset);
  upload.acknowledged = offset;
  return Object.entries(found).flatMap(([what, isSo]) => (isSo ? [what] : []));
}

async function begin(): Promise<Upload> {
  const film = drawFilm();
  if (counts.files++ % filmsInRoom === filmsInRoom - 1) {
    await room.close();
    await openRoom();
  }
  return { id: await visitor.beginUpload(creator, albumId, film, 'video/mp4'), film, acknowledged: 0 };
}

test('killed at any time of an upload, it goes on behind no acknowledged byte, repeats one piece at most, and is the same file', {
  timeout: countOf(180_000, 3_600_000, 14_400_000),
}, async () => {
  for (const kills = countOf(2, 30, 200); counts.kills < kills; ) {
    const upload = await begin();
    while (counts.kills < kills && upload.acknowledged < upload.film.length) {
      const sending = sendOn(upload).catch(() => undefined); // a killed server never answers
      if (await Promise.race([sending.then(() => true), wait(Math.random() * countOf(150, 1500), false)])) break;
      await kill();
      await sending;
      await room.start('web');
      expect(await findLost(upload)).toEqual([]);
    }
    await sendOn(upload);
    expect(sha256(await visitor.download(creator, upload.id))).toBe(sha256(upload.film));
    await visitor.must('media.remove', { mediaId: upload.id }, creator);
  }
});

test('R6, planted: a disk that lost acknowledged bytes is found', async () => {
  const upload = await begin();
  upload.acknowledged = await visitor.sendFrom(creator, upload.id, upload.film.subarray(0, chunkBytes), 0);
  const staged = path.join(room.dataDir, 'staging', upload.id);
  expect(statSync(staged).size).toBe(chunkBytes);
  await kill();
  truncateSync(staged, chunkBytes - 1);
  await room.start('web');
  expect(await findLost(upload)).toEqual(['acknowledged bytes are gone']);
}, 60_000);
