import * as z from 'zod';
import { boundedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { promise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';

/** What somebody asked a creator to see, and how far it is. */
export const MyAccess = z.object({
  requestId: Uuid,
  creatorName: z.string(),
  /** `ended`: it was open once, and is not any more. */
  state: z.enum(['open', 'pending', 'denied', 'ended']),
  at: z.date(),
  /** Of what is open: until when; null for no end. */
  until: z.date().nullable(),
  /** What the creator wrote when declining; may be empty. */
  decisionText: z.string(),
});
export type MyAccess = z.infer<typeof MyAccess>;

const tags = ['viewing'];

export const myAccessContract = {
  /** What was asked for by this browser's viewer, and by the viewer whose address it has proven. */
  accesses: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'GET', path: '/my-access', tags })
    .input(z.object({}))
    .output(z.object({ rows: z.array(MyAccess) })),
  /** Where it opens in this browser, which may have to become one more of the viewer who asked. */
  openAccess: promise({ who: ['viewer'], subject: 'access' })
    .route({ method: 'POST', path: '/open-access', tags })
    .errors(refusing('NOT_FOUND'))
    .input(z.object({ requestId: Uuid, timeZone: boundedText(60).optional() }))
    .output(z.object({ viewPath: z.string() })),
};
