import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type KeyRing, serverKey } from '#engines/keys/key-ring.ts';

/** DER prefixes of an Ed25519 private key (PKCS #8) and public key (SPKI); the 32 key bytes follow. @see RFC 8410 */
const privateKeyPrefix = '302e020100300506032b657004220420';
const publicKeyPrefix = '302a300506032b6570032100';

const privateKeyOf = (ring: KeyRing): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from(privateKeyPrefix, 'hex'), serverKey(ring, 'pf1:evidence')]),
    format: 'der',
    type: 'pkcs8',
  });

const publicKeyHex = (secret: KeyObject): string =>
  createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');

/** Returns the public key that identifies this installation's evidence, in hex; it changes with the master key. */
export const evidencePublicKey = (ring: KeyRing): string => publicKeyHex(privateKeyOf(ring));

/** An Ed25519 signature and the public key that verifies it, both in hex. */
export interface Signature {
  publicKey: string;
  value: string;
}

/** Signs an object's JSON with the installation's evidence key, whatever the order of its keys. @see RFC 8032 */
export function signJson(ring: KeyRing, file: object): Signature {
  const secret = privateKeyOf(ring);
  return { publicKey: publicKeyHex(secret), value: sign(null, canonicalBytes(file), secret).toString('hex') };
}

/** Returns whether a signature matches an object's content. It does not say whose key it is. */
export function isSignatureValid(file: object, { publicKey, value }: Signature): boolean {
  const key = createPublicKey({ key: Buffer.from(publicKeyPrefix + publicKey, 'hex'), format: 'der', type: 'spki' });
  return verify(null, canonicalBytes(file), key, Buffer.from(value, 'hex'));
}

/** Serializes to canonical JSON, the keys of every object sorted, so that equal contents give equal bytes. */
function canonicalBytes(file: object): Buffer {
  const sorted = (_: string, value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return Buffer.from(JSON.stringify(JSON.parse(JSON.stringify(file)), sorted));
}
