import * as z from 'zod';
import { boundedText } from '#kit/bounded-text.ts';

/** What is sold: a tip that opens a link, what it shows, what several albums of it show, a month of a tier, or custom work. */
export const SoldKind = z.enum(['tip', 'album', 'bundle', 'fan_sub', 'request']);
export type SoldKind = z.infer<typeof SoldKind>;

/**
 * The terms that the page showed beside the button that pays. An order keeps them only where they are the ones in force: a page
 * that was loaded before they changed leaves its order without.
 */
export const ShownTerms = boundedText(500);
