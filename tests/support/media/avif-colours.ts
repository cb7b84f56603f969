/**
 * The AVIF that sharp writes, with a box that says in numbers of ITU-T H.273 which colours its levels are (ISO/IEC 14496-12 §12.1.5);
 * the levels stay as they are.
 */
export function sayColours(avif: Buffer, primaries: number, transfer: number): Buffer {
  const colr = Buffer.alloc(19);
  colr.writeUInt32BE(colr.length);
  colr.write('colrnclx', 4, 'latin1');
  // BT.601 in full range, which is how sharp turns colours into luma.
  for (const [n, value] of [primaries, transfer, 6].entries()) colr.writeUInt16BE(value, 12 + 2 * n);
  colr.writeUInt8(0x80, 18);

  const grown = Buffer.from(avif);
  const bodyOf = (type: string) => grown.indexOf(type, 0, 'latin1') + 4;
  const grow = (type: string, bytes: number) => {
    const at = bodyOf(type) - 8;
    grown.writeUInt32BE(grown.readUInt32BE(at) + bytes, at);
    return at + grown.readUInt32BE(at) - bytes;
  };
  const endOfProperties = grow('ipco', colr.length);
  const endOfOwners = grow('ipma', 1);
  for (const type of ['iprp', 'meta']) grow(type, colr.length + 1);
  // Where the item's bytes begin: behind version, sizes of the fields, number of items, its id and where its data is.
  const base = bodyOf('iloc') + 12;
  grown.writeUInt32BE(grown.readUInt32BE(base) + colr.length + 1, base);
  // Behind version, number of entries and the item's id: how many properties it has.
  const count = bodyOf('ipma') + 10;
  const properties = grown.readUInt8(count) + 1;
  grown.writeUInt8(properties, count);
  const parts = [grown.subarray(0, endOfProperties), colr, grown.subarray(endOfProperties, endOfOwners)];
  return Buffer.concat([...parts, Buffer.from([properties]), grown.subarray(endOfOwners)]);
}
