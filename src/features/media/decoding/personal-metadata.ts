/** What a picture told about its maker, in the words of the receipt that the creator sees. */
export type RemovedMetadata = 'location' | 'device' | 'time' | 'thumbnail' | 'video' | 'text';

/** The metadata blocks of a picture, as they stood in the file. */
export type MetadataBlocks = { exif?: Buffer | undefined; xmp?: Buffer | undefined; iptc?: Buffer | undefined };

/** Tags of the Exif standard (CIPA DC-008), by what they give away. */
const exifTags: ReadonlyMap<number, RemovedMetadata> = new Map([
  ...tags('device', [0x010f, 0x0110, 0x0131, 0x013c, 0x927c, 0xa430, 0xa431, 0xa433, 0xa434, 0xa435]),
  ...tags('time', [0x0132, 0x9003, 0x9004]),
  ...tags('text', [0x010e, 0x013b, 0x8298, 0x9286, 0x9c9b, 0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f]),
  ...tags('thumbnail', [0x0201]),
]);
const [exifFolder, gpsFolder] = [0x8769, 0x8825];
const gpsTags: ReadonlyMap<number, RemovedMetadata> = new Map([
  ...tags('location', [0x0002, 0x0004, 0x0014, 0x0016, 0x001b, 0x001c]),
  ...tags('time', [0x0007, 0x001d]),
]);

const xmpNames: readonly [RemovedMetadata, RegExp][] = [
  ['location', /exif:GPSL(at|ong)itude|photoshop:City|Iptc4xmpCore:Location|LocationCreated/],
  ['device', /tiff:(Make|Model)|aux:(SerialNumber|Lens)|exifEX:(Body|Lens)|xmp:CreatorTool/],
  ['time', /(xmp:(Create|Modify|Metadata)Date|exif:DateTime|photoshop:DateCreated)/],
  ['video', /(GCamera:|Camera:)?(MotionPhoto|MicroVideo)(=["']1|>1)/],
  ['text', /dc:(creator|title|description|rights|subject)/],
];

/**
 * What of a person a picture's metadata held. It all goes, whatever is found here: renditions are made of pixels alone. This
 * list is the creator's receipt.
 */
export function findPersonalMetadata({ exif, xmp, iptc }: MetadataBlocks): RemovedMetadata[] {
  const found = new Set<RemovedMetadata>(exif ? readExif(exif) : []);
  const text = xmp?.toString('latin1') ?? '';
  for (const [kind, names] of xmpNames) if (names.test(text)) found.add(kind);
  if (iptc?.length) found.add('text');
  return [...found].sort();
}

/** Walks a TIFF structure that a stranger wrote: nothing is read outside of the block, no folder twice. */
function readExif(block: Buffer): Set<RemovedMetadata> {
  const tiff = block.subarray(block.toString('latin1', 0, 4) === 'Exif' ? 6 : 0);
  const order = tiff.toString('latin1', 0, 2);
  const found = new Set<RemovedMetadata>();
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return found;
  const read: Reader = {
    short: (at) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)),
    long: (at) => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)),
  };
  const seen = new Set<number>();
  const open: Folder[] = [{ at: read.long(4), names: exifTags }];
  for (let folder = open.pop(); folder; folder = open.pop()) {
    if (seen.has(folder.at) || folder.at < 8 || folder.at + 2 > tiff.length) continue;
    seen.add(folder.at);
    open.push(...readFolder(read, tiff.length, folder, found));
  }
  return found;
}

type Reader = { short(at: number): number; long(at: number): number };
type Folder = { at: number; names: typeof exifTags };

/** Notes what one folder of tags gives away. @returns the folders that it leads to */
function readFolder(read: Reader, length: number, { at, names }: Folder, found: Set<RemovedMetadata>): Folder[] {
  const entries = Math.min(read.short(at), Math.floor((length - at - 2) / 12));
  const end = at + 2 + 12 * entries;
  const further: Folder[] = [];
  for (let entry = at + 2; entry < end; entry += 12) {
    const tag = read.short(entry);
    const kind = names.get(tag);
    if (kind && read.long(entry + 4) > 0) found.add(kind);
    if (tag === exifFolder) further.push({ at: read.long(entry + 8), names: exifTags });
    if (tag === gpsFolder) further.push({ at: read.long(entry + 8), names: gpsTags });
  }
  // The folder after the first describes the thumbnail.
  if (names === exifTags && end + 4 <= length) further.push({ at: read.long(end), names });
  return further;
}

function tags(kind: RemovedMetadata, numbers: readonly number[]): [number, RemovedMetadata][] {
  return numbers.map((number) => [number, kind]);
}
