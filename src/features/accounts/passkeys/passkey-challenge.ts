import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type KeyRing, serverKey, serverKeys } from '#engines/keys/key-ring.ts';
import { codeWaitMs } from '../second-factor/code-rules.ts';

const label = 'pf1:passkey';
const nonceBytes = 16;
const timeBytes = 8;

const sign = (key: Buffer, purpose: string, head: Buffer): Buffer =>
  createHmac('sha256', key).update(purpose).update('\n').update(head).digest();

/**
 * What a passkey is to sign: signed by us, so that nothing has to be kept for whoever asks and never answers.
 * @param purpose what the answer is good for, and in which session
 */
export function makePasskeyChallenge(keys: KeyRing, purpose: string, now: Date): string {
  const head = Buffer.alloc(nonceBytes + timeBytes);
  randomBytes(nonceBytes).copy(head);
  head.writeBigUInt64BE(BigInt(now.getTime()), nonceBytes);
  return Buffer.concat([head, sign(serverKey(keys, label), purpose, head)]).toString('base64url');
}

/** When a challenge of ours was made; undefined when it is none for this purpose, or too old. */
export function readPasskeyChallenge(keys: KeyRing, purpose: string, challenge: string, now: Date): Date | undefined {
  const given = Buffer.from(challenge, 'base64url');
  const head = given.subarray(0, nonceBytes + timeBytes);
  const signature = given.subarray(nonceBytes + timeBytes);
  const isOurs = serverKeys(keys, label).some((key) => {
    const own = sign(key, purpose, head);
    return own.length === signature.length && timingSafeEqual(own, signature);
  });
  if (!isOurs) return undefined;
  const madeMs = Number(head.readBigUInt64BE(nonceBytes));
  return now.getTime() - madeMs < codeWaitMs ? new Date(madeMs) : undefined;
}
