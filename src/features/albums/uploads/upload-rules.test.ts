import { expect, test } from 'vitest';
import {
  emptyFile,
  expiryOf,
  isOurAnswer,
  isShown,
  isWorthRetry,
  measureSpeed,
  readRefusal,
  refuseByHead,
  refuseBySize,
  type UploadEntry,
} from './upload-rules.ts';

test('a lost answer, a proxy that is busy and a server that restarts are tried again; a refusal is not', () => {
  for (const status of [undefined, 0, 408, 409, 423, 429, 500, 502, 503])
    expect(isWorthRetry(status), String(status)).toBe(true);
  for (const status of [401, 403, 404, 410, 413, 415, 422]) expect(isWorthRetry(status), String(status)).toBe(false);
});

test('speed is that of the last five seconds, and nothing is said after half a second', () => {
  expect(measureSpeed([{ atMs: 0, sentBytes: 0 }])).toBeUndefined();
  expect(
    measureSpeed([
      { atMs: 0, sentBytes: 0 },
      { atMs: 400, sentBytes: 9000 },
    ]),
  ).toBeUndefined();
  const stalledAtFirst = [
    { atMs: 0, sentBytes: 0 },
    { atMs: 10_000, sentBytes: 1000 },
    { atMs: 12_000, sentBytes: 5000 },
  ];
  expect(measureSpeed(stalledAtFirst)).toBe(2000);
});

test("the server's own sentence is shown; a page of a proxy is not", () => {
  const full = '{"code":"STORAGE_FULL","message":"Your storage is full."}';
  expect(readRefusal(413, full)).toEqual({ reason: 'Your storage is full.', isFinal: false });
  expect(readRefusal(413, undefined)).toEqual({ reason: 'This file is too big.', isFinal: true });
  const wrong = '{"code":"UNSUPPORTED_MEDIA","message":"This file type isn\'t supported"}';
  expect(readRefusal(415, wrong)).toEqual({ reason: "This file type isn't supported", isFinal: true });
  expect(readRefusal(502, '<html>Bad gateway</html>')).toEqual({ reason: 'The upload was refused.', isFinal: false });
  expect(readRefusal(undefined, undefined)).toEqual({ reason: 'The connection was lost.', isFinal: false });
});

test('a file gives its place up once the album shows what it has become, whoever hears of it first', () => {
  const entry: UploadEntry = {
    key: 'k',
    albumId: 'a',
    name: 'IMG_1.jpg',
    sizeBytes: 900,
    sentBytes: 900,
    state: 'processing',
    before: new Set(['old']),
  };
  const medium = (id: string) => ({ id, originalName: 'IMG_1.jpg', sizeBytes: 900 });
  expect(isShown(entry, [])).toBe(false);
  expect(isShown(entry, [medium('new')]), 'the album knows it already').toBe(true);
  expect(isShown(entry, [medium('old')]), 'the same photo from before').toBe(false);
  expect(isShown({ ...entry, state: 'uploading' }, [medium('new')]), 'another one on its way').toBe(false);
  expect(isShown({ ...entry, mediaId: 'new' }, [medium('other')])).toBe(false);
  expect(isShown({ ...entry, mediaId: 'new' }, [medium('new')])).toBe(true);
});

test('what something on the way says of an upload is told from our own words', () => {
  expect(isOurAnswer('1.0.0', ''), 'tus').toBe(true);
  expect(isOurAnswer(undefined, '{"code":"STORAGE_FULL","message":"Your storage is full."}'), 'a refusal').toBe(true);
  for (const body of ['<h1>405 Not Allowed</h1>', '', undefined, 'null', '{"error":"blocked"}', '{"code":405}'])
    for (const none of [undefined, null, '']) expect([body, isOurAnswer(none, body)]).toEqual([body, false]);
});

const sizes = { 'limits.photoBytes': 50_000_000, 'limits.videoBytes': 4_000_000_000 };

test('an upload is refused before anything of it is sent only when it is empty or larger than all that there may be', () => {
  expect(refuseBySize(sizes, 0)).toEqual({ code: 'VALIDATION', message: emptyFile });
  expect(refuseBySize(sizes, 1)).toBeUndefined();
  expect(refuseBySize(sizes, 4_000_000_000)).toBeUndefined();
  expect(refuseBySize(sizes, 4_000_000_001)).toEqual({ code: 'FILE_TOO_BIG', message: 'Videos can be up to 4 GB.' });
  expect(
    refuseBySize({ ...sizes, 'limits.videoBytes': 1_000_000 }, 50_000_000),
    'photos may be larger',
  ).toBeUndefined();
});

test('by its first bytes a large file goes on only as a video', () => {
  expect(refuseByHead(sizes, 'video', 4_000_000_000)).toBeUndefined();
  expect(refuseByHead(sizes, 'photo', 50_000_000)).toBeUndefined();
  expect(refuseByHead(sizes, undefined, 50_000_000), 'its decoder decides').toBeUndefined();
  expect(refuseByHead(sizes, 'photo', 50_000_001)).toEqual({
    code: 'FILE_TOO_BIG',
    message: 'Photos can be up to 50 MB.',
  });
  expect(refuseByHead(sizes, undefined, 50_000_001)).toEqual({ code: 'UNSUPPORTED_MEDIA' });
});

test('an upload that nobody continues is kept for as many hours as are set', () => {
  const at = new Date('2026-11-21T12:00:00Z');
  expect(expiryOf({ 'limits.uploadLifeHours': 24 }, at)).toEqual(new Date('2026-11-22T12:00:00Z'));
});
