import { hkdfSync } from 'node:crypto';

/** One master key. */
export type RingKey = { id: string; key: Buffer };

/** The installation's master keys: new secrets are wrapped by `current`, old ones are opened by the key they name. */
export type KeyRing = { current: RingKey /** Newest first. */; all: ReadonlyMap<string, Buffer> };

/** Makes a ring of keys given newest first. @throws Error when there is none, or one id names two keys */
export function keyRingOf(keys: readonly RingKey[]): KeyRing {
  const [current] = keys;
  if (!current) throw new Error('a key ring needs a key');
  const all = new Map<string, Buffer>();
  for (const { id, key } of keys) {
    if (key.length !== 32) throw new Error(`master key ${id} is ${key.length} bytes long, not 32`);
    if (all.get(id)?.equals(key) === false) throw new Error(`two different master keys are named ${id}`);
    all.set(id, all.get(id) ?? key);
  }
  return { current, all };
}

/**
 * A server key that need not be stored: HKDF-SHA-512 of a master key under a label such as `pf1:lease`.
 * @param id which master key; the newest without it
 * @throws Error when the ring has no such key
 */
export function serverKey(ring: KeyRing, label: string, id = ring.current.id): Buffer {
  const master = ring.all.get(id);
  if (!master) throw new Error(`no master key ${id}`);
  return Buffer.from(hkdfSync('sha512', master, '', label, 32));
}

/** The same server key of every master key, newest first: what was signed before a rotation is still accepted. */
export function serverKeys(ring: KeyRing, label: string): Buffer[] {
  return Array.from(ring.all.keys(), (id) => serverKey(ring, label, id));
}
