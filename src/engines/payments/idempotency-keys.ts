import type { Tried } from './made-before.ts';

/** An idempotency key: the provider repeats its first answer to one, a refusal as well, so each refusal makes another. */
export const keyOf = (name: string, { refusals = 0 }: Tried): string => (refusals === 0 ? name : `${name}:${refusals}`);
