import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type KeyRing, serverKey } from '#engines/keys/key-ring.ts';

/** What stands before the 32 bytes of a secret and of a public key. @see RFC 8410 */
const [secretHead, publicHead] = ['302e020100300506032b657004220420', '302a300506032b6570032100'];

const secretKeyOf = (ring: KeyRing): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from(secretHead, 'hex'), serverKey(ring, 'pf1:evidence')]),
    format: 'der',
    type: 'pkcs8',
  });

const publicBytes = (secret: KeyObject): string =>
  createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');

/** The key by which evidence of this installation is known, in hex. It changes with the installation's master key. */
export const evidenceKey = (ring: KeyRing): string => publicBytes(secretKeyOf(ring));

/** Which key signed a file, and how; both in hex. */
export interface Signature {
  publicKey: string;
  value: string;
}

/** Signs everything that JSON keeps of a file, whatever the order of its parts. @see RFC 8032 */
export function signFile(ring: KeyRing, file: object): Signature {
  const secret = secretKeyOf(ring);
  return { publicKey: publicBytes(secret), value: sign(null, bytesOf(file), secret).toString('hex') };
}

/** Returns whether a file is as it was signed. */
export function isSigned(file: object, { publicKey, value }: Signature): boolean {
  const key = createPublicKey({ key: Buffer.from(publicHead + publicKey, 'hex'), format: 'der', type: 'spki' });
  return verify(null, bytesOf(file), key, Buffer.from(value, 'hex'));
}

/** One text for one content: the parts of every object by their names. */
function bytesOf(file: object): Buffer {
  const sorted = (_: string, value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return Buffer.from(JSON.stringify(JSON.parse(JSON.stringify(file)), sorted));
}
