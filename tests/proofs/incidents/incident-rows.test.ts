import { globSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { guards } from '../counts.ts';

guards('tests/proofs/incidents/incidents.test.ts', 'docs/**');

/**
 * What went wrong elsewhere, and the files that have a test with its number in the name. Those of payments come with the room
 * that takes them.
 */
const incidents: Record<string, readonly string[]> = {
  'immich#29599': ['incidents', 'video-incidents', 'trace-incidents'],
  'immich#25497': ['video-incidents', 'src/features/access/store'],
  'immich#12835': ['incidents', 'video-incidents', 'trace-incidents'],
  'immich#20528, #20819, #21443': ['incidents', 'video-incidents', 'trace-incidents'],
  'immich#23493': ['upload-while-working'],
  'CVE-2026-26980': ['incidents', 'trace-incidents'],
  'CVE-2026-22596': ['incidents', 'trace-incidents'],
  'CVE-2026-35462': ['expiry'],
  'PiGallery2 3.6': ['incidents', 'video-incidents', 'trace-incidents', 'metadata', 'metadata-video'],
  'Ghost 6.65': ['incidents', 'video-incidents', 'trace-incidents', 'metadata', 'metadata-video'],
  'UNITRONIX/BetterDesk#377': ['incidents', 'kill'],
  'polytope-labs/hyperbridge#1105': ['incidents', 'kill'],
  'chandra447/pi-hermes-memory#205': ['incidents', 'kill'],
  'pglite#1107, #1106, #892': ['incidents', 'embedded'],
  'drizzle migrate': ['upgrade', 'src/engines/database/migrate'],
  'graphile-worker': ['kill-worker', 'kill-video', 'kill-trace'],
  'tus FileStore': ['expiry'],
  'PrivateBin#982': ['incidents'],
  'PrivateBin#921': ['incidents'],
  'YOURLS#3967': ['incidents'],
  'CVE-2016-1897': ['malformed-video'],
  'CVE-2016-1898': ['malformed-video'],
  'CVE-2016-3714': ['malformed'],
  'CVE-2023-4863': ['malformed', 'incident-rows'],
};

/** The names of a file's tests: what a call says first. */
const namesIn = (file: string) =>
  globSync(file.startsWith('src/') ? `${file}.test.ts` : `tests/proofs/**/${file}.test.ts`)
    .flatMap((found) => [...readFileSync(found, 'utf8').matchAll(/\(\s*(['"`])([^\n]+?)\1,/g)])
    .map(([, , name = '']) => name);
const unnamed = (all: typeof incidents) =>
  Object.entries(all).flatMap(([number, files]) =>
    files.filter((file) => !namesIn(file).some((name) => name.includes(number))).map((file) => [number, file]),
  );

test('every incident elsewhere has tests with its number in their names, and one without is found', () => {
  expect(unnamed(incidents)).toEqual([]);
  // Such a word stands in the file, and in no name of a test.
  expect(unnamed({ 'drizzle-orm': ['incidents'] })).toEqual([['drizzle-orm', 'incidents']]);
});

test('CVE-2023-4863: what decodes WebP is newer than its overflow', () => {
  const [major = 0, minor = 0, patch = 0] = (sharp.versions.webp ?? '').split('.').map(Number);
  expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(1_003_002);
});
