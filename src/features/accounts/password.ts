import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createSemaphore } from '#kit/semaphore.ts';
import { refuse } from '#wire/refusals.ts';
import { findPasswordFault } from './rules.ts';

const hash = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;
/** Node does its slow work on four threads; one of them is always left for files. */
const threads = createSemaphore(3);
const hashWith = (parameters: Argon2Parameters) => threads.run(() => hash('argon2id', parameters));

/** OWASP's parameters for argon2id: 19 MiB, 2 passes, 1 lane; about 25 ms. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const prefix = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`;
const shape = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,})\$([A-Za-z0-9+/]{43})$/;

const withoutPadding = (bytes: Buffer) => bytes.toString('base64').replace(/={1,2}$/, '');
/** The same characters typed on different keyboards are the same password (RFC 8265 §4.2). */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'));

/** A password as it is stored, in the usual text form of argon2id with its parameters. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await hashWith({ ...cost, nonce, message: bytesOf(password) });
  return `${prefix}${withoutPadding(nonce)}$${withoutPadding(tag)}`;
}

/** A stored password that no text is known to match: a try at an unknown address costs what every try costs. */
const nobodys = `${prefix}${withoutPadding(randomBytes(16))}$${withoutPadding(randomBytes(32))}`;

/** Returns whether `password` is the stored one; without a stored one the same work is done for a certain no. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = shape.exec(stored ?? nobodys) ?? [];
  const expected = Buffer.from(tag, 'base64');
  const made = await hashWith({
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
    nonce: Buffer.from(nonce, 'base64'),
    message: bytesOf(password),
  });
  return timingSafeEqual(made, expected) && stored !== undefined;
}

let common: Promise<ReadonlySet<string>> | undefined;

async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map(String));
}

/** Returns whether a password is among those that are tried first: a common word, also with a few digits or marks behind it, or one word twice. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= readCommonPasswords();
  const words = await common;
  const whole = password.toLowerCase();
  const [, bare = ''] = /^(.*?)[^a-z]{0,4}$/u.exec(whole) ?? [];
  const half = whole.slice(0, whole.length / 2);
  return words.has(whole) || words.has(bare) || (half + half === whole && words.has(half)) || /^(.)\1*$/u.test(whole);
}

/** What is wrong with a new password, as a refusal for its field. */
export async function findPasswordRefusal(password: string, email: string, field: string) {
  const fault =
    findPasswordFault(password, email) ??
    ((await isCommonPassword(password)) ? 'This password is too common. Try three or four words.' : undefined);
  return fault === undefined ? undefined : refuse('VALIDATION', { field, message: fault });
}
