import { open, readFile } from 'node:fs/promises';

/** First brands of HEIF files that move (ISO/IEC 23008-12 and AV1-AVIF), and those of the picture that such a file holds as well. */
const stills: ReadonlyMap<string, string> = new Map([
  ['avis', 'avif'],
  ['msf1', 'mif1'],
  ['hevc', 'heic'],
  ['hevx', 'heix'],
]);
const [brandAt, brandEnd] = [8, 12];

/** A file that moves as its picture; undefined where it is none, and read as it lies. libvips looks at the first brand alone. */
export async function readAsStill(path: string): Promise<Buffer | undefined> {
  const brand = stills.get(await readText(path, brandEnd).then((head) => head.slice(brandAt)));
  if (brand === undefined) return undefined;
  const bytes = await readFile(path);
  bytes.write(brand, brandAt, 'latin1');
  return bytes;
}

async function readText(path: string, length: number): Promise<string> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(length);
    const { bytesRead } = await file.read(head, 0, length, 0);
    return head.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** What a JPEG ends with. */
const endOfImage = Buffer.from([0xff, 0xd9]);

/** A JPEG whose end is missing with that end; undefined where it has one. */
export async function readWithEnd(path: string): Promise<Buffer | undefined> {
  const bytes = await readFile(path);
  return bytes.subarray(-2).equals(endOfImage) ? undefined : Buffer.concat([bytes, endOfImage]);
}
