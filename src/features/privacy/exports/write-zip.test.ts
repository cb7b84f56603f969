import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readZip } from '#tests/support/read-zip.ts';
import { streamZip, type ZipEntry } from './write-zip.ts';

const at = new Date('2026-11-29T12:00:00Z');
const streamOf = (...parts: (Buffer | Error)[]): Readable =>
  Readable.from(
    (async function* () {
      for (const part of parts) {
        if (part instanceof Error) throw part;
        yield part;
      }
    })(),
    { objectMode: false },
  );
async function* entriesOf(...entries: Omit<ZipEntry, 'at'>[]): AsyncGenerator<ZipEntry> {
  for (const entry of entries) yield { at, ...entry };
}
const photo = randomBytes(300_000);

it('holds what it was given, stored or compressed, also in the format for large files', async () => {
  const make = () =>
    entriesOf(
      { name: 'data/a.csv', stream: streamOf(Buffer.from('a,b\r\n'), Buffer.from('1,2\r\n')), isCompressed: true },
      { name: 'originals/Été (2).jpg', stream: streamOf(photo), sizeBytes: photo.length, isCompressed: false },
      { name: 'originals/empty', stream: streamOf(), sizeBytes: 0, isCompressed: false },
    );
  for (const options of [{}, { forceZip64Format: true }]) {
    const files = await readZip(await buffer(streamZip(make(), options)));
    expect([...files.keys()]).toEqual(['data/a.csv', 'originals/Été (2).jpg', 'originals/empty']);
    expect(files.get('data/a.csv')?.toString()).toBe('a,b\r\n1,2\r\n');
    expect(files.get('originals/Été (2).jpg')?.equals(photo)).toBe(true);
  }
});

it.each([
  ['a file that breaks', streamOf(photo, new Error('the disk broke')), photo.length],
  ['a file that is shorter than it was', streamOf(photo.subarray(1)), photo.length],
])('breaks with %s, and is not ended', async (_, stream, sizeBytes) => {
  const zip = streamZip(entriesOf({ name: 'a', stream, sizeBytes, isCompressed: false }));
  await expect(buffer(zip)).rejects.toThrow();
});

it('lets go of the file that is open when nobody reads it any more', async () => {
  const endless = new Readable({
    read() {
      this.push(photo);
    },
  });
  const zip = streamZip(entriesOf({ name: 'a', stream: endless, isCompressed: false }));
  for await (const _ of zip) break;
  await new Promise((resolve) => endless.once('close', resolve));
  expect(endless.destroyed).toBe(true);
});
