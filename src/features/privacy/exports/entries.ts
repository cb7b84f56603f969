import { Readable } from 'node:stream';
import type { Engines } from '#engines/engines.ts';
import { StorageAway, StorageMissing } from '#engines/storage/storage.ts';
import { beforeAll } from '#features/media/key-tables-store.ts';
import { findMediaKey } from '#features/media/keys-store.ts';
import { decryptOriginal } from '#features/media/original.ts';
import { byteOrderMark, writeLine } from '#kit/csv.ts';
import { exportedFiles } from './exported-files.ts';
import { type ExportedOriginal, listOriginals } from './exports-store.ts';
import { openNames } from './file-names.ts';
import { streamRows } from './write-rows.ts';
import type { ZipEntry } from './write-zip.ts';

type Needs = Pick<Engines, 'database' | 'storage' | 'keys'>;

export interface Wanted {
  userId: string;
  hasOriginals: boolean;
  now: Date;
  /** Is told how many bytes of originals are in the zip. */
  onBytes(bytes: number): Promise<void>;
}

/** Everything that goes into a creator's export, each file opened when its turn comes. */
export async function* listEntries(engines: Needs, wanted: Wanted): AsyncGenerator<ZipEntry> {
  const { userId, hasOriginals, now } = wanted;
  yield {
    name: 'README.txt',
    at: now,
    stream: Readable.from([readMe(hasOriginals, now)], { objectMode: false }),
    isCompressed: true,
  };
  for (const file of exportedFiles)
    yield { name: file.name, at: now, stream: streamRows(engines.database, file, userId), isCompressed: true };
  if (hasOriginals) yield* listOriginalEntries(engines, wanted);
}

/** The originals under their own names, then a table that says which is which. */
async function* listOriginalEntries(engines: Needs, { userId, now, onBytes }: Wanted): AsyncGenerator<ZipEntry> {
  const nameOnce = openNames();
  const lines = [`${byteOrderMark}${writeLine(['mediaId', 'file', 'name'])}`];
  let [bytes, after] = [0, beforeAll];
  for (;;) {
    const last = after;
    const page = await engines.database.work({ kind: 'user', userId }, (tx) => listOriginals(tx, userId, last));
    for (const original of page) {
      const stream = await openOriginal(engines, original);
      const file = stream === undefined ? '' : `originals/${nameOnce(original.name)}`;
      lines.push(writeLine([original.id, file, original.name]));
      if (stream !== undefined)
        yield { name: file, at: original.at, stream, sizeBytes: original.bytes, isCompressed: false };
      bytes += original.bytes;
      await onBytes(bytes);
    }
    const end = page.at(-1);
    if (end === undefined) break;
    after = end.id;
  }
  yield {
    name: 'data/originals.csv',
    at: now,
    stream: Readable.from(lines, { objectMode: false }),
    isCompressed: true,
  };
}

/** Opens an original; undefined for one that was deleted since it was listed. */
async function openOriginal({ database, storage, keys }: Needs, { id, path }: ExportedOriginal) {
  const key = await database.work({ kind: 'system' }, (tx) => findMediaKey(tx, keys, id));
  if (key === undefined) return undefined;
  try {
    const stored = await storage.open(path);
    const plain = decryptOriginal(key);
    plain.once('close', () => stored.destroy());
    stored.on('error', (error) => plain.destroy(new StorageAway(error))).pipe(plain);
    return plain;
  } catch (error) {
    if (error instanceof StorageMissing) return undefined;
    throw error;
  }
}

const readMe = (hasOriginals: boolean, now: Date): string =>
  [
    `Your data at PrivateFans, as of ${now.toISOString()}`,
    '',
    'data/        what is kept of you: tables (.csv) for any spreadsheet, lists (.json) for programs',
    ...(hasOriginals
      ? [
          'originals/   your photos and videos as you uploaded them, under their own names',
          '             data/originals.csv says which is which; one without a file was deleted meanwhile',
        ]
      : ['             Your photos and videos are not in it: you asked for the data alone.']),
    '',
    'Times are in UTC, amounts in cents. A viewer has the same number in every file.',
    '',
  ].join('\r\n');
