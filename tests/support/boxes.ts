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
