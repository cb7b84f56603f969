import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sniffVideo } from './sniff.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pf-sniff-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ftyp = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}isom`, 'latin1');
const packets = Buffer.concat(
  Array.from({ length: 20 }, () => Buffer.concat([Buffer.from([0x47]), Buffer.alloc(187)])),
);

it.each([
  ['video/mp4', 'MP4', ftyp('isom')],
  ['video/quicktime', 'QuickTime', ftyp('qt  ')],
  ['video/x-m4v', 'M4V', ftyp('M4V ')],
  ['video/3gpp', '3GP', ftyp('3gp4')],
  ['video/mp2t', 'a transport stream', packets],
  [undefined, 'a sound', ftyp('M4A ')],
  [undefined, 'HEIC', ftyp('heic')],
  [undefined, 'AVIF', ftyp('avif')],
  [undefined, 'JPEG', Buffer.from('ffd8ffe000104a46494600', 'hex')],
  [undefined, 'a playlist', Buffer.from('#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1/a.ts\n')],
  [undefined, 'a list of files', Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n")],
  [undefined, 'nothing', Buffer.alloc(0)],
  [undefined, 'zeros', Buffer.alloc(10_000)],
])('%s is said of %s, whatever its name says', async (mime, what, bytes) => {
  const file = path.join(folder, `${what}.mp4`);
  writeFileSync(file, bytes);
  expect(await sniffVideo(file)).toBe(mime);
});
