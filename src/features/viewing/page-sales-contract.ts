import * as z from 'zod';
import { ShownTerms } from '#features/orders/contract.ts';
import { boundedText, proseText, trimmedText } from '#kit/bounded-text.ts';
import { promise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';

/** A tip on a creator's own page. */
export const PageTip = z.object({
  handle: boundedText(30),
  amountCents: z.int(),
  message: proseText(200, 'Use at most 200 characters').default(''),
  /** The name that the creator is told; empty for nobody's. */
  signedBy: trimmedText(40, 'Use at most 40 characters').default(''),
  shownTerms: ShownTerms.optional(),
  timeZone: boundedText(60).optional(),
});

/** What is sold on a creator's own page. A browser without our cookie gets that and null, and asks again. */
export const pageSalesContract = {
  tipOnPage: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'POST', path: '/tip-on-page', tags: ['viewing'] })
    .errors(
      refusing(
        'NOT_FOUND',
        'CONFLICT',
        'PRICE_OUT_OF_RANGE',
        'BUYER_LIMIT',
        'RATE_LIMITED',
        'PROVIDER_DOWN',
        'UNAVAILABLE',
      ),
    )
    .input(PageTip)
    .output(z.object({ url: z.string().nullable() })),
};
