/** What a row is about; an id of one noun never passes for another's. */
export type Id<Noun extends string> = string & { readonly __noun: Noun };

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is a lower-case UUID, the form in which ids are kept, handed out and read in addresses. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/**
 * A new row id: UUID version 7, so that ids made later sort later (RFC 9562 §5.7).
 * @param now milliseconds since 1970 by the caller's clock
 */
export function newId<Noun extends string>(now: number): Id<Noun> {
  return writeId(now, crypto.getRandomValues(new Uint8Array(16))) as Id<Noun>;
}

/** The lowest id that can be made at a moment: what was made before it sorts before it. */
export const firstIdAt = (at: Date): string => writeId(at.getTime(), new Uint8Array(16));

function writeId(now: number, bytes: Uint8Array<ArrayBuffer>): string {
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(now / 2 ** 32));
  view.setUint32(2, now >>> 0);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const base62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A random base62 text; 22 characters hold 131 bits. */
export function newToken(length = 22): string {
  let text = '';
  while (text.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(2 * length)))
      if (byte < 248 && text.length < length) text += base62[byte % 62];
  return text;
}
