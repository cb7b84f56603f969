import * as z from 'zod';
import { proseText } from '#kit/bounded-text.ts';
import { promise, type Who } from '#wire/promise.ts';
import { features } from './rules.ts';

const everybody: readonly Who[] = ['visitor', 'viewer', 'creator', 'admin'];
const tags = ['assistant'];

/** The longest question, in UTF-16 units. */
export const longestMessage = 1000;

/** What help texts say in numbers and names, by the settings in force. */
export const Facts = z.object({
  trialDays: z.int(),
  priceCents: z.int(),
  commissionPercent: z.int(),
  statementDescriptor: z.string(),
  /** What an album may cost: of a creator who is new, and of one who has been here so long with so many sales and no dispute. */
  newPriceCents: z.int(),
  mostPriceCents: z.int(),
  provenDays: z.int(),
  provenSales: z.int(),
  leaseSeconds: z.int(),
  idleMinutes: z.int(),
  linkDefaultDays: z.int(),
  linkUndoHours: z.int(),
  storageBytes: z.int(),
  trialStorageBytes: z.int(),
  photoBytes: z.int(),
  videoBytes: z.int(),
  videoMinutes: z.int(),
  videoHours: z.int(),
  clipBytes: z.int(),
  clipMinutes: z.int(),
  filesPerBatch: z.int(),
  uploadLifeHours: z.int(),
  albums: z.int(),
  itemsPerAlbum: z.int(),
  links: z.int(),
  albumsPerLink: z.int(),
  resendSeconds: z.int(),
  codeMinutes: z.int(),
  linkMinutes: z.int(),
  sessionDays: z.int(),
  /** Where the operator can be reached; null when that has not been set up. */
  operatorEmail: z.string().nullable(),
  /** Who helps people in danger. */
  hotlines: z.string(),
  /** What this version has of what the texts speak of. */
  features: z.array(z.enum(features)),
});
export type Facts = z.infer<typeof Facts>;

export const assistantContract = {
  /** One question, one answer. In what voice is decided by the session, never by `isAuthenticated`. */
  chat: promise({ who: everybody, subject: 'none' })
    .route({ method: 'POST', path: '/nuclear-ai-chat', tags })
    .input(
      z.object({
        message: proseText(longestMessage, `Use at most ${longestMessage} characters`)
          .trim()
          .min(1, 'Write your question first'),
        /** What the page believes; nothing depends on it. */
        isAuthenticated: z.boolean(),
      }),
    )
    /** Marked with **, *, __ and backticks only; never HTML. */
    .output(z.object({ response: z.string() })),
  /** What the help page says in numbers. */
  facts: promise({ who: everybody, subject: 'none' })
    .route({ method: 'GET', path: '/help-facts', tags })
    .input(z.object({}).optional())
    .output(Facts),
};
