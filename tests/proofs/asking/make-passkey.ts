import { randomBytes } from 'node:crypto';
import { insertPasskey } from '#features/accounts/passkeys/passkey-store.ts';
import { newId } from '#kit/ids.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { canaries, type Owner } from './owners.ts';

/** A passkey that signs in, but is no second factor: with one, the proof's people would have to use it. */
export async function makePasskey(
  { engines }: TestApp,
  { person, whose }: Owner,
  known: { passkey: string } | undefined,
): Promise<string> {
  if (known !== undefined) return known.passkey;
  const now = new Date(engines.clock());
  const id = newId<'passkey'>(now.getTime());
  const key = { credentialId: randomBytes(32).toString('base64url'), publicKey: randomBytes(77), counter: 0 };
  const row = { name: `Passkey ${canaries[whose]}`, challengeAt: now, now };
  await engines.database.work({ kind: 'system' }, (tx) =>
    insertPasskey(tx, { id, userId: person.userId, ...key }, row),
  );
  return id;
}
