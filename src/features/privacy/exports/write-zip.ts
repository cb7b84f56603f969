import type { Readable } from 'node:stream';
import { type EndOptions, ZipFile } from 'yazl';

/** A file of a zip, whose bytes are read when its turn comes. */
export interface ZipEntry {
  name: string;
  at: Date;
  stream: Readable;
  /** What it has to come to; left out where that is not known before. */
  sizeBytes?: number;
  /** Photos and videos are as small as they get. */
  isCompressed: boolean;
}

/** Writes a zip while its files are read, one at a time. It breaks with the first that cannot be read whole. */
export function streamZip(entries: AsyncIterable<ZipEntry>, options: Partial<EndOptions> = {}): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: unknown) => void output.destroy(error as Error);
  zip.on('error', fail);
  addAll(zip, output, entries, options).then(() => zip.end(options as EndOptions), fail);
  return output;
}

async function addAll(
  zip: ZipFile,
  output: Readable,
  entries: AsyncIterable<ZipEntry>,
  options: Partial<EndOptions>,
): Promise<void> {
  for await (const { name, at, stream, sizeBytes, isCompressed } of entries) {
    const stop = () => stream.destroy();
    output.once('close', stop);
    const read = untilRead(stream);
    zip.addReadStream(stream, name, {
      ...(options.forceZip64Format !== undefined && { forceZip64Format: options.forceZip64Format }),
      mtime: at,
      mode: 0o100600,
      compress: isCompressed,
      ...(sizeBytes !== undefined && { size: sizeBytes }),
    });
    await read;
    output.off('close', stop);
  }
}

const untilRead = (stream: Readable): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.once('end', resolve).once('error', reject);
    stream.once('close', () => reject(new Error('a file of a zip was not read to its end')));
  });
