import { expect, test } from 'vitest';
import { isWorthRetry, measureSpeed, readRefusal } from './upload-rules.ts';

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

test('the server’s own sentence is shown; a page of a proxy is not', () => {
  expect(readRefusal(413, '{"code":"STORAGE_FULL","message":"Your storage is full."}')).toBe('Your storage is full.');
  expect(readRefusal(502, '<html>Bad gateway</html>')).toBe('The upload was refused.');
  expect(readRefusal(undefined, undefined)).toBe('The connection was lost.');
});
