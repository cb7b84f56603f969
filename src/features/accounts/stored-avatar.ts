import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { newToken } from '#kit/ids.ts';

/** A stored picture of a person, 256 px, and the same for the inside of an answer. */
export interface Avatar {
  /** Of the stored picture: 190 random bits, new with every picture. */
  name: string;
  /** WebP of at most 3 KB. */
  small: Buffer;
}

/** The job that removes a stored picture which nobody shows any more. */
export const forgetAvatarQueue = 'accounts.forgetAvatar';

const namePattern = /^[A-Za-z0-9]{32}$/;

export const newAvatarName = (): string => newToken(32);

/** Returns whether a text can name a picture. */
export const isAvatarName = (text: string): boolean => namePattern.test(text);

/** The address of a stored picture: nobody finds it who was not given it. */
export const avatarUrl = (name: string): string => `/api/avatars/${name}`;

/** Where all of them are stored. */
export const avatarFolder = 'avatars/';

/** Returns where a picture is stored. Who sees the store's paths learns no name from them, and can open nothing. */
export const avatarPath = (name: string): string =>
  `${avatarFolder}${createHash('sha256').update(`pf1:avatar-path\0${name}`).digest('hex').slice(0, 40)}.pfa`;

// Each name is used for one picture only, so one key never meets a nonce twice.
const nonce = Buffer.alloc(12);
const tagBytes = 16;
const keyOf = (name: string) => Buffer.from(hkdfSync('sha256', name, '', 'pf1:avatar-key', 32));

/** Encrypts a picture under its own name (AES-256-GCM): the store holds ciphertext only. */
export function sealAvatar(name: string, picture: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', keyOf(name), nonce);
  return Buffer.concat([cipher.update(picture), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error when the bytes were changed or have another name */
export function openAvatar(name: string, sealed: Buffer): Buffer {
  const tagAt = sealed.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', keyOf(name), nonce);
  decipher.setAuthTag(sealed.subarray(tagAt));
  return Buffer.concat([decipher.update(sealed.subarray(0, tagAt)), decipher.final()]);
}
