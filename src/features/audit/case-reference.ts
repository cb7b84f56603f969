import { createHmac, timingSafeEqual } from 'node:crypto';
import { type KeyRing, serverKeys } from '#engines/keys/key-ring.ts';

/** What somebody without an account has written, and is told of by email. */
export type CaseKind = 'support' | 'report';

/** Of letters that a mailed link takes: "-" becomes one of them, which leaves enough to guess at. */
const sign = (key: Buffer, what: CaseKind, number: string) =>
  createHmac('sha256', key).update(`${what} ${number}`).digest('base64url').replaceAll('-', '_');

/** Returns the page on which whoever reads the emails about a case follows it: its secret stands behind the `#`. */
export function caseLinkOf(
  { keys, installation }: { keys: KeyRing; installation: { publicUrl: string } },
  what: CaseKind,
  number: number,
): string {
  const [newest] = serverKeys(keys, 'pf1:case');
  if (newest === undefined) throw new Error('a key ring without keys');
  return `${installation.publicUrl}/case?of=${what}&number=${number}#${sign(newest, what, String(number))}`;
}

/** Returns whether a secret is the one of such a page; compared in constant time, and good beyond a rotation of keys. */
export function isCaseSecret(keys: KeyRing, what: CaseKind, number: string, secret: string): boolean {
  const given = Buffer.from(secret);
  return serverKeys(keys, 'pf1:case').some((key) => {
    const expected = Buffer.from(sign(key, what, number));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}
