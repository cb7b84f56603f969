import { createHmac, timingSafeEqual } from 'node:crypto';
import { type KeyRing, serverKey, serverKeys } from '#engines/keys/key-ring.ts';
import { isUuid } from '#kit/ids.ts';
import { codeWaitMs } from '../second-factor/code-rules.ts';
import type { Account } from '../store.ts';

type Owner = Pick<Account, 'id' | 'passwordHash'>;

const label = 'pf1:sign-in-code';

/** Of another password it is another one: whoever was let as far as this by the old one has to begin again. */
const sign = (key: Buffer, { id, passwordHash }: Owner, madeMs: number): Buffer =>
  createHmac('sha256', key)
    .update(`${id}\n${madeMs}\n${passwordHash ?? ''}`)
    .digest();

/** Says that an account's password, or its mailed link, was right just now, and a code is still to come. It holds no place with us. */
export function makeChallenge(keys: KeyRing, owner: Owner, now: Date): string {
  const madeMs = now.getTime();
  return `${owner.id}.${madeMs}.${sign(serverKey(keys, label), owner, madeMs).toString('base64url')}`;
}

/** Returns whose challenge it says it is; nothing is proven by that. */
export function ownerOf(challenge: string): string | undefined {
  const [id = ''] = challenge.split('.');
  return isUuid(id) ? id : undefined;
}

/** Whether we made the challenge for this account and its password of now, and not too long ago. */
export function isChallenge(keys: KeyRing, owner: Owner, challenge: string, now: Date): boolean {
  const [, made = '', signature = ''] = challenge.split('.');
  const madeMs = Number(made);
  if (!/^\d{1,15}$/.test(made) || now.getTime() - madeMs >= codeWaitMs) return false;
  const given = Buffer.from(signature, 'base64url');
  return serverKeys(keys, label).some((key) => {
    const own = sign(key, owner, madeMs);
    return own.length === given.length && timingSafeEqual(own, given);
  });
}
