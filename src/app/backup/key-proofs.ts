import { type KeyRing, serverKey } from '#engines/keys/key-ring.ts';

/** Tells each master key from every other one of its name, and nothing about it. */
export const keyProofs = (ring: KeyRing): Record<string, string> =>
  Object.fromEntries([...ring.all.keys()].map((id) => [id, serverKey(ring, 'pf1:backup', id).toString('hex', 0, 8)]));
