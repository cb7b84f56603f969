import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { refuse } from '#wire/refusals.ts';

/** Six random digits for an email. */
export const newMailedCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/**
 * Hashes a mailed code for storage. Six digits have few values: without our secret the stored hash could be tried out.
 * @param about what the code belongs to, unique to it
 */
export const hashMailedCode = ([secret]: Engines['secrets'], about: string, code: string): Buffer =>
  createHmac('sha256', secret).update(`${about}:${code}`).digest();

/** Returns whether a typed code is the one that a hash was made of. */
export const isMailedCode = (secrets: Engines['secrets'], about: string, code: string, hash: Buffer): boolean =>
  timingSafeEqual(hash, hashMailedCode(secrets, about, code));

/** The refusal of a wrong code. @param field where it was typed */
export function refuseWrongCode(triesLeft: number, field: string) {
  const tries = triesLeft === 1 ? '1 try' : `${triesLeft} tries`;
  const message = triesLeft > 0 ? `That code isn't right. ${tries} left.` : "That code isn't right. Ask for a new one.";
  return refuse('VALIDATION', { field, triesLeft, message });
}
