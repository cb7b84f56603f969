import { trimmedText } from './bounded-text.ts';

const emailWords = 'Please enter a valid email address';

/** The simple form a@b.c, and longer than 5 characters. Its pattern can match in one way only, so it never tries twice. */
export const Email = trimmedText(254, emailWords)
  .toLowerCase()
  .min(6, emailWords)
  .regex(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, emailWords);
