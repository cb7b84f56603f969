import * as z from 'zod';
import { cleanLine, cleanText } from './clean-text.ts';

const abortWith = (message: string | undefined) => ({
  abort: true,
  ...(message !== undefined && { error: message }),
});

/** Cleans a text that may be within its bound; a far longer one is refused by its length, and nobody walks through it. */
const cleaned = (clean: (text: string) => string, mostLetters: number): z.ZodString =>
  z.string().overwrite((text) => (text.length > 4 * mostLetters ? text : clean(text)));

/**
 * A text that somebody sends: one line, without what may not be stored. Its length is checked first and a longer one goes no
 * further, so no pattern and no rule behind it ever meets more than it was made for.
 * @param mostLetters in UTF-16 units
 */
export const boundedText = (mostLetters: number, message?: string): z.ZodString =>
  cleaned(cleanLine, mostLetters).max(mostLetters, abortWith(message));

/** The same without the white space around it, which does not count. */
export const trimmedText = (mostLetters: number, message?: string): z.ZodString =>
  cleaned(cleanLine, mostLetters).trim().max(mostLetters, abortWith(message));

/** A text of several lines, such as a message, without the white space around it. */
export const proseText = (mostLetters: number, message?: string): z.ZodString =>
  cleaned(cleanText, mostLetters).trim().max(mostLetters, abortWith(message));

/** A password or another secret, which is compared as it was typed and never stored as text. */
export const secretText = (mostLetters: number, message?: string): z.ZodString =>
  z.string().max(mostLetters, abortWith(message));

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
