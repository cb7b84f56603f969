/** One box of an ISO base media file (ISO/IEC 14496-12), with its way from the top. */
export interface Box {
  path: string;
  body: Buffer;
}

/** Boxes that hold boxes. */
const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'mvex', 'moof', 'traf', 'udta', 'dinf', 'edts']);

/** All boxes of a file or of one segment, outer before inner. @throws RangeError when a box ends beyond its parent */
export function readBoxes(bytes: Buffer, above = ''): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const length = size === 0 ? bytes.length - at : size;
    if (length < 8 || at + length > bytes.length) throw new RangeError(`the box ${type} of ${length} bytes at ${at}`);
    const [path, body] = [`${above}/${type}`, bytes.subarray(at + 8, at + length)];
    boxes.push({ path, body }, ...(containers.has(type) ? readBoxes(body, path) : []));
    at += length;
  }
  return boxes;
}

/** When the first sample of the first fragment is shown, in units of its track (ISO/IEC 14496-12 §8.8.8, §8.8.12). @throws Error without one */
export function firstMoment(boxes: readonly Box[]): number {
  const [time, run] = ['/moof/traf/tfdt', '/moof/traf/trun'].map(
    (path) => boxes.find((box) => box.path === path)?.body,
  );
  if (!time || !run) throw new Error('there is no fragment');
  const decodedAt = time[0] === 1 ? Number(time.readBigUInt64BE(4)) : time.readUInt32BE(4);
  const flags = run.readUIntBE(1, 3);
  if ((flags & 0x800) === 0) return decodedAt;
  const before = [0x1, 0x4, 0x100, 0x200, 0x400].filter((flag) => (flags & flag) !== 0).length;
  return decodedAt + run.readInt32BE(8 + 4 * before);
}
