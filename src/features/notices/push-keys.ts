import { createECDH } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { unwrapKey, wrapKey } from '#engines/keys/wrapped-key.ts';
import { findPushKeys, insertPushKeys, pushKeysId } from './push-store.ts';

const system = { kind: 'system' } as const;

export interface PushKeys {
  /** Both base64url, as browsers and push services take them. */
  publicKey: string;
  privateKey: string;
}

/** The one key pair by which push services know this installation, made when it is first asked for (RFC 8292). */
export async function pushKeysOf({
  database,
  keys,
  clock,
}: Pick<Engines, 'database' | 'keys' | 'clock'>): Promise<PushKeys> {
  const stored = await database.work(system, async (tx) => {
    const known = await findPushKeys(tx);
    if (known !== undefined) return known;
    const pair = makePair();
    await insertPushKeys(
      tx,
      { publicKey: pair.publicKey, ...wrapKey(keys, pushKeysId, pair.privateKey) },
      new Date(clock()),
    );
    return findPushKeys(tx);
  });
  if (stored === undefined) throw new Error('the push keys that were just stored are gone');
  return {
    publicKey: stored.publicKey.toString('base64url'),
    privateKey: unwrapKey(keys, pushKeysId, stored).toString('base64url'),
  };
}

function makePair() {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys();
  // A private key that begins with zeros comes shorter.
  const privateKey = Buffer.alloc(32);
  const own = pair.getPrivateKey();
  own.copy(privateKey, 32 - own.length);
  return { publicKey, privateKey };
}
