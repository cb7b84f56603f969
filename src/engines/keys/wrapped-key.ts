import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';

/** A 32-byte key at rest: nonce 12, ciphertext 32, tag 16, under the master key `keyId`. */
export type WrappedKey = { keyId: string; wrapped: Buffer };

const nonceBytes = 12;
const tagBytes = 16;

/** Wraps a media or trace key with AES-256-GCM. @param owner id of the row that owns the key; it opens under no other */
export function wrapKey({ current }: KeyRing, owner: string, key: Buffer): WrappedKey {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(owner));
  return {
    keyId: current.id,
    wrapped: Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]),
  };
}

/** @throws Error when the ring lacks the key, or the bytes were changed or belong to another row */
export function unwrapKey(ring: KeyRing, owner: string, { keyId, wrapped }: WrappedKey): Buffer {
  const master = ring.all.get(keyId);
  if (!master) throw new Error(`no master key ${keyId}`);
  const tagAt = wrapped.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', master, wrapped.subarray(0, nonceBytes)).setAAD(Buffer.from(owner));
  decipher.setAuthTag(wrapped.subarray(tagAt));
  return Buffer.concat([decipher.update(wrapped.subarray(nonceBytes, tagAt)), decipher.final()]);
}
