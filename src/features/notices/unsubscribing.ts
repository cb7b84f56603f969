import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import type { KeyRing } from '#engines/keys/key-ring.ts';
import { isUuid } from '#kit/ids.ts';
import { link, type Part } from './email-words.ts';
import { findMailKeys } from './mail-keys-store.ts';
import { hashAddress } from './suppressions/suppressions-store.ts';

const macOf = (key: Buffer, said: string) => createHmac('sha256', key).update(said).digest().subarray(0, 16);

/** What the unsubscribe link of an email carries: the hash of the address it stops, signed; no address. It works for ever. */
export async function unsubscribeToken(tx: Tx, keys: KeyRing, address: string): Promise<string> {
  const hash = (await hashAddress(tx, keys, address)).toString('base64url');
  const { current } = await findMailKeys(tx, keys, 'unsubscribe');
  return `${hash}.${macOf(current, hash).toString('base64url')}`;
}

const longestToken = 100;

/** Whom a token is about: a hash of the list, or for older links the email in which it stood. */
export type Unsubscribed = { hash: Buffer } | { emailId: string };

/** @returns undefined when the token is none of ours */
export async function readUnsubscribeToken(tx: Tx, keys: KeyRing, token: string): Promise<Unsubscribed | undefined> {
  // Programs that make links of addresses take along what stands behind: a full stop, a bracket, a quotation mark.
  const [said = '', mac = '', ...more] = token
    .slice(0, longestToken)
    .replace(/[^A-Za-z0-9_-]{1,10}$/, '')
    .split('.');
  const isHash = /^[A-Za-z0-9_-]{43}$/.test(said);
  if (!(isHash || isUuid(said)) || more.length > 0 || !/^[A-Za-z0-9_-]{22}$/.test(mac)) return undefined;
  const { all } = await findMailKeys(tx, keys, 'unsubscribe');
  if (!all.some((key) => timingSafeEqual(macOf(key, said), Buffer.from(mac, 'base64url')))) return undefined;
  return isHash ? { hash: Buffer.from(said, 'base64url') } : { emailId: said };
}

/** Returns where the emails' links and the buttons of mail programs lead. */
export const unsubscribeAddress = (publicUrl: string, token: string) => `${publicUrl}/unsubscribe/${token}`;

/**
 * The headers by which a mail program shows a button of its own (RFC 8058); both have to be covered by the DKIM signature.
 * An address without https is none that it would call.
 */
export const unsubscribeHeaders = (address: string): Record<string, string> =>
  address.startsWith('https:')
    ? { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : {};

/** Returns what stands below a notice. */
export const noticeFooter = (publicUrl: string, address: string): Part[] => [
  link('To choose what you hear about:', 'Change your notifications', `${publicUrl}/profile/notifications`),
  link('To get no more emails like this:', 'Unsubscribe', address),
];
