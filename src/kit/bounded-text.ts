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

/** What shows nothing: joiners, marks of direction, fillers, blanks of every width. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cf}\u2800]/gu;

/** Whether at least so many letters of a text can be seen. */
export const canBeSeen = (text: string, fewestLetters = 1): boolean => text.replace(unseen, '').length >= fewestLetters;

const sayUnseen = 'Use letters that can be seen';

/** A name that there has to be: so many letters of it are seen at least. */
export const nameText = (mostLetters: number, tooMany: string, fewestLetters: number, tooFew: string): z.ZodString =>
  trimmedText(mostLetters, tooMany)
    .min(fewestLetters, tooFew)
    .refine((text) => text.length < fewestLetters || canBeSeen(text, fewestLetters), sayUnseen);

/** A name that may be left out; one that is there can be seen. */
export const optionalName = (mostLetters: number, tooMany: string): z.ZodString =>
  trimmedText(mostLetters, tooMany).refine((text) => text === '' || canBeSeen(text), sayUnseen);
