import * as z from 'zod';

const abortWith = (message: string | undefined) => ({
  abort: true,
  ...(message !== undefined && { error: message }),
});

/**
 * A text that somebody sends. Its length is checked first and a longer one goes no further, so no pattern and no rule
 * behind it ever meets more than it was made for.
 * @param mostLetters in UTF-16 units
 */
export const boundedText = (mostLetters: number, message?: string): z.ZodString =>
  z.string().max(mostLetters, abortWith(message));

/** The same without the white space around it, which does not count. */
export const trimmedText = (mostLetters: number, message?: string): z.ZodString =>
  z.string().trim().max(mostLetters, abortWith(message));
