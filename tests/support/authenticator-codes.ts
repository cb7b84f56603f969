import { createHmac } from 'node:crypto';

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows, written from RFC 4226 and RFC 6238 and not from the product. @param typed base32 */
export function codeAt(typed: string, ms: number): string {
  let bits = '';
  for (const letter of typed.replace(/[\s=]/g, '')) bits += base32.indexOf(letter).toString(2).padStart(5, '0');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / 30_000)));
  const made = createHmac('sha1', key).update(counter).digest();
  const at = (made.at(-1) ?? 0) & 15;
  return String((made.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}
