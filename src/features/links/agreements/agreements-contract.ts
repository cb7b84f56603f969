import * as z from 'zod';
import { nameText, proseText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatingPromise, creatorPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';

const tags = ['agreements'];

/** Letters of a text that viewers agree to. */
export const longestAgreement = 5000;
export const longestAgreementTitle = 80;

/** One version of a text that viewers agree to; it never changes. */
export const Agreement = z.object({
  id: Uuid,
  /** The same for all versions of one text. */
  familyId: Uuid,
  version: z.int(),
  title: z.string(),
  body: z.string(),
  /** Whoever agrees types their name. */
  asksName: z.boolean(),
  createdAt: z.date(),
});
export type Agreement = z.infer<typeof Agreement>;

/** Somebody who has agreed. */
export const Acceptance = z.object({
  id: Uuid,
  /** "Viewer 4F2A", or the name that the creator gave; null once nothing is known of them any more. */
  viewer: z.string().nullable(),
  typedName: z.string().nullable(),
  title: z.string(),
  version: z.int(),
  at: z.date(),
});
export type Acceptance = z.infer<typeof Acceptance>;

export const agreementsContract = {
  /** The newest version of each text. */
  list: creatorPromise('none')
    .route({ method: 'GET', path: '/agreements', tags })
    .input(z.object({}))
    .output(z.object({ agreements: z.array(Agreement) })),
  /** The version that a link asks for, which need not be the newest; null where it asks for none. */
  ofLink: creatorPromise('link')
    .route({ method: 'GET', path: '/links/{linkId}/agreement', tags })
    .input(z.object({ linkId: Uuid }))
    .output(z.object({ agreement: Agreement.nullable() })),
  /** Who has agreed at a link, newest first. */
  accepted: creatorPromise('link')
    .route({ method: 'GET', path: '/links/{linkId}/acceptances', tags })
    .input(z.object({ linkId: Uuid }))
    .output(z.object({ acceptances: z.array(Acceptance), hasMore: z.boolean() })),
  /** Writes a new text, or the next version of one: what was written stays, and links go on asking for what they asked for. */
  save: creatingPromise('none')
    .route({ method: 'POST', path: '/agreements', tags })
    .errors(refusing('NOT_FOUND'))
    .input(
      z.object({
        /** Left out for a new text. */
        familyId: Uuid.optional(),
        title: nameText(longestAgreementTitle, `Use at most ${longestAgreementTitle} characters`, 1, 'Enter a title'),
        body: proseText(longestAgreement, `Use at most ${longestAgreement} characters`).min(1, 'Write the text'),
        asksName: z.boolean().default(false),
      }),
    )
    .output(Agreement),
};
