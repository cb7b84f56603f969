import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

/** Opens a zip by somebody else's library. @returns its files by name, each compared with its sum @throws for what is no whole zip */
export async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    const file = await buffer(await zip.openReadStreamPromise(entry));
    if (crc32(file) !== entry.crc32) throw new Error(`${entry.fileName} is damaged`);
    if (files.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice`);
    files.set(entry.fileName, file);
  }
  return files;
}
