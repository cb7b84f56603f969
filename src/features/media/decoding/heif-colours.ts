import { type FileHandle, open } from 'node:fs/promises';

/** How the light of a picture is coded, in the numbers of ITU-T H.273. */
export interface CodedColours {
  primaries: number;
  transfer: number;
  /** Levels from 16 to 235 of 255, as films have them. */
  isNarrow?: boolean;
}

/** What stands before the pixels of a HEIF file is small; whatever is not is not read. */
const [mostBoxes, mostMetaBytes] = [64, 4 * 2 ** 20];

/**
 * Which colours the picture of a HEIF or AVIF file has, where it says so in numbers (ISO/IEC 23008-12 §6.5.5): neither libvips nor
 * libheif's JavaScript tells. A profile is their own affair.
 */
export async function readHeifColours(path: string): Promise<CodedColours | undefined> {
  const file = await open(path);
  try {
    const meta = await readMeta(file);
    return meta && coloursIn(meta);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // it ends where nobody expects it: the decoder says so
    throw error;
  } finally {
    await file.close();
  }
}

async function readMeta(file: FileHandle): Promise<Buffer | undefined> {
  const head = Buffer.alloc(16);
  let at = 0;
  for (let n = 0; n < mostBoxes; n++) {
    const { bytesRead } = await file.read(head, 0, head.length, at);
    if (bytesRead < 8) return undefined;
    const isLong = head.readUInt32BE(0) === 1;
    const size = isLong ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0);
    if (size < 8) return undefined;
    if (head.toString('latin1', 4, 8) === 'meta') {
      const body = Buffer.alloc(Math.min(size, mostMetaBytes));
      const { bytesRead: length } = await file.read(body, 0, body.length, at);
      return body.subarray(isLong ? 16 : 8, length);
    }
    at += size;
  }
  return undefined;
}

/** The boxes of a stretch of bytes: their bodies. */
function* boxesIn(bytes: Buffer): Generator<{ type: string; body: Buffer }> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8) return;
    yield { type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + size) };
    at += size;
  }
}

const bodyOf = (bytes: Buffer, type: string): Buffer | undefined =>
  boxesIn(bytes).find((box) => box.type === type)?.body;

function coloursIn(meta: Buffer): CodedColours | undefined {
  const inner = meta.subarray(4);
  const [primary, properties] = [bodyOf(inner, 'pitm'), bodyOf(inner, 'iprp')];
  if (primary === undefined || properties === undefined) return undefined;
  const item = primary[0] === 0 ? primary.readUInt16BE(4) : primary.readUInt32BE(4);
  const all = [...boxesIn(bodyOf(properties, 'ipco') ?? Buffer.alloc(0))];
  const owned = ownersIn(bodyOf(properties, 'ipma') ?? Buffer.alloc(8));
  // A large picture is a grid of tiles, and its colours may be theirs.
  for (const each of [item, ...partsOf(item, bodyOf(inner, 'iref'))])
    for (const index of owned.get(each) ?? []) {
      const colours = nclxIn(all[index - 1]);
      if (colours) return colours;
    }
  return undefined;
}

function nclxIn(box: { type: string; body: Buffer } | undefined): CodedColours | undefined {
  if (box?.type !== 'colr' || box.body.toString('latin1', 0, 4) !== 'nclx') return undefined;
  return { primaries: box.body.readUInt16BE(4), transfer: box.body.readUInt16BE(6) };
}

/** Returns which properties each item has, by their numbers from 1 on. */
function ownersIn(ipma: Buffer): Map<number, number[]> {
  const [isWideItem, isWideIndex] = [ipma[0] !== 0, ((ipma[3] ?? 0) & 1) === 1];
  const owned = new Map<number, number[]>();
  let at = 8;
  for (let n = ipma.readUInt32BE(4); n > 0; n--) {
    const item = isWideItem ? ipma.readUInt32BE(at) : ipma.readUInt16BE(at);
    at += isWideItem ? 4 : 2;
    const indexes: number[] = [];
    for (let left = ipma.readUInt8(at++); left > 0; left--) {
      indexes.push(isWideIndex ? ipma.readUInt16BE(at) & 0x7fff : ipma.readUInt8(at) & 0x7f);
      at += isWideIndex ? 2 : 1;
    }
    owned.set(item, indexes);
  }
  return owned;
}

/** The first of the pictures that an item is put together from. */
function partsOf(item: number, iref: Buffer | undefined): number[] {
  if (iref === undefined) return [];
  const width = iref[0] === 0 ? 2 : 4;
  for (const { type, body } of boxesIn(iref.subarray(4)))
    if (type === 'dimg' && body.readUIntBE(0, width) === item && body.readUInt16BE(width) > 0)
      return [body.readUIntBE(width + 2, width)];
  return [];
}
