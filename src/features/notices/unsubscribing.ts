import { createHmac, timingSafeEqual } from 'node:crypto';
import { type KeyRing, serverKeys } from '#engines/keys/key-ring.ts';
import { isUuid } from '#kit/ids.ts';
import { link, type Part } from './email-words.ts';

const macOf = (key: Buffer, emailId: string) => createHmac('sha256', key).update(emailId).digest().subarray(0, 16);
const macsOf = (keys: KeyRing, emailId: string) =>
  serverKeys(keys, 'pf1:unsubscribe').map((key) => macOf(key, emailId));

/** What the unsubscribe link of an email carries: which email it was, signed; no address. */
export function unsubscribeToken(keys: KeyRing, emailId: string): string {
  const [mac = Buffer.alloc(0)] = macsOf(keys, emailId);
  return `${emailId}.${mac.toString('base64url')}`;
}

/** The email of a token; undefined when the token is none of ours. */
export function readUnsubscribeToken(keys: KeyRing, token: string): string | undefined {
  const [emailId = '', mac = '', ...more] = token.split('.');
  if (!isUuid(emailId) || more.length > 0 || !/^[A-Za-z0-9_-]{22}$/.test(mac)) return undefined;
  const said = Buffer.from(mac, 'base64url');
  return macsOf(keys, emailId).some((known) => timingSafeEqual(known, said)) ? emailId : undefined;
}

/** Where the emails' links and the buttons of mail programs lead. */
export const unsubscribeAddress = (publicUrl: string, token: string) => `${publicUrl}/unsubscribe/${token}`;

/**
 * The headers by which a mail program shows a button of its own (RFC 8058); both have to be covered by the DKIM signature.
 * An address without https is none that it would call.
 */
export const unsubscribeHeaders = (address: string): Record<string, string> =>
  address.startsWith('https:')
    ? { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : {};

/** What stands below a notice. */
export const noticeFooter = (publicUrl: string, address: string): Part[] => [
  link('To choose what you hear about:', 'Change your notifications', `${publicUrl}/profile/notifications`),
  link('To get no more emails like this:', 'Unsubscribe', address),
];
