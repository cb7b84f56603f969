import { createECDH } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { unwrapKey, wrapKey } from '#engines/keys/wrapped-key.ts';
import { findPushKeys, insertPushKeys, pushKeysId, replacePushKeys, type StoredPushKeys } from './push-store.ts';

const system = { kind: 'system' } as const;

export interface PushKeys {
  /** Both base64url, as browsers and push services take them. */
  publicKey: string;
  privateKey: string;
}

type Needs = Pick<Engines, 'database' | 'keys' | 'clock'>;

/** The one key pair by which push services know this installation (RFC 8292). */
export async function pushKeysOf(engines: Needs): Promise<PushKeys> {
  const stored = await storedPair(engines);
  return {
    publicKey: stored.publicKey.toString('base64url'),
    privateKey: unwrapKey(engines.keys, pushKeysId, stored).toString('base64url'),
  };
}

/** What a browser subscribes with: the public half. */
export const publicPushKeyOf = async (engines: Needs): Promise<string> =>
  (await storedPair(engines)).publicKey.toString('base64url');

/** Made when it is first asked for, and made again when the master key is gone under which the old one was. */
function storedPair({ database, keys, clock }: Needs): Promise<StoredPushKeys> {
  return database.work(system, async (tx) => {
    const known = await findPushKeys(tx);
    if (known !== undefined && keys.all.has(known.keyId)) return known;
    const { publicKey, privateKey } = makePair();
    const made = { publicKey, ...wrapKey(keys, pushKeysId, privateKey) };
    const now = new Date(clock());
    await (known === undefined ? insertPushKeys(tx, made, now) : replacePushKeys(tx, known, made, now));
    // Another process may have been first; its pair holds.
    const stored = await findPushKeys(tx);
    if (stored === undefined) throw new Error('the push keys that were just stored are gone');
    return stored;
  });
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
