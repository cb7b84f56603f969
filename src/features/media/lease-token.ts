import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type KeyRing, serverKeys } from '#engines/keys/key-ring.ts';

/** What a token says: this grant may fetch its composed form of this pack until then. */
export interface LeaseClaim {
  leaseId: string;
  packId: string;
  grantId: string;
}

const idBytes = 16;
const expiryAt = 3 * idBytes;
/** Milliseconds since 1970 in 48 bits: a token that were cut to the second would end before its lease. */
const expiryBytes = 6;
const macAt = expiryAt + expiryBytes;
const macBytes = 16;
/**
 * No keys are lent for longer than two minutes (`viewing.leaseSeconds`), and clocks of processes differ by less than another one: an end
 * that is further away was set by a clock that was ahead.
 */
const longestMs = 180_000;
const tokenPattern = /^[A-Za-z0-9_-]{94}$/;

const keys = new WeakMap<KeyRing, KeyObject[]>();

/** Of the newest master key and the one before: a token outlives a rotation by its 30 seconds. */
function keysOf(ring: KeyRing): KeyObject[] {
  // As key objects: from a plain buffer Node makes one for every MAC, which costs five times the MAC.
  const known =
    keys.get(ring) ??
    serverKeys(ring, 'pf1:lease')
      .slice(0, 2)
      .map((key) => createSecretKey(key));
  keys.set(ring, known);
  return known;
}

const macOf = (key: KeyObject, body: Buffer) => createHmac('sha256', key).update(body).digest().subarray(0, macBytes);

/** Writes a token that is checked without the database. @param expiresAt over at this instant */
export function signLease(ring: KeyRing, { leaseId, packId, grantId }: LeaseClaim, expiresAt: Date): string {
  const token = Buffer.alloc(macAt + macBytes);
  for (const [n, id] of [leaseId, packId, grantId].entries()) token.write(id.replaceAll('-', ''), n * idBytes, 'hex');
  token.writeUIntBE(expiresAt.getTime(), expiryAt, expiryBytes);
  const [key] = keysOf(ring);
  if (key === undefined) throw new Error('a key ring without keys');
  macOf(key, token.subarray(0, macAt)).copy(token, macAt);
  return token.toString('base64url');
}

/** Returns what a token claims, when it is ours and not over. */
export function readLease(ring: KeyRing, token: string, now: number): LeaseClaim | undefined {
  if (!tokenPattern.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  const [body, mac] = [bytes.subarray(0, macAt), bytes.subarray(macAt)];
  if (!keysOf(ring).some((key) => timingSafeEqual(macOf(key, body), mac))) return undefined;
  const leftMs = bytes.readUIntBE(expiryAt, expiryBytes) - now;
  if (leftMs <= 0 || leftMs > longestMs) return undefined;
  return { leaseId: uuidAt(bytes, 0), packId: uuidAt(bytes, idBytes), grantId: uuidAt(bytes, 2 * idBytes) };
}

function uuidAt(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + idBytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
