/**
 * The clear beginning of a video without what muxers write about themselves, the box `moov/udta` (ISO/IEC 14496-12 §8.10):
 * no viewer needs it, and it is where positions, names and comments would stand.
 */
export function withoutUserData(init: Buffer): Buffer {
  return Buffer.concat(boxesOf(init).map((box) => (typeOf(box) === 'moov' ? withoutBox(box, 'udta') : box)));
}

function withoutBox(parent: Buffer, type: string): Buffer {
  const kept = boxesOf(parent.subarray(8)).filter((box) => typeOf(box) !== type);
  const head = Buffer.from(parent.subarray(0, 8));
  const whole = Buffer.concat([head, ...kept]);
  whole.writeUInt32BE(whole.length);
  return whole;
}

const typeOf = (box: Buffer) => box.toString('latin1', 4, 8);

/** The boxes of a stretch of bytes, whole; what is no box stays as it is, at the end. */
function boxesOf(bytes: Buffer): Buffer[] {
  const boxes: Buffer[] = [];
  let at = 0;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    if (length < 8 || at + length > bytes.length) break;
    boxes.push(bytes.subarray(at, at + length));
    at += length;
  }
  return at < bytes.length ? [...boxes, bytes.subarray(at)] : boxes;
}
