import * as z from 'zod';
import { adminPromise } from '#wire/promise.ts';

/** Something that people press, as the sources of the pages draw it. */
export const ControlRow = z.object({
  /** Where it is drawn, what it is and how it is called. */
  id: z.string(),
  kind: z.string(),
  /** `…` stands for what is only known while it runs. */
  name: z.string(),
  room: z.string(),
  /** Addresses of pages on which it may stand, and `+` how many more. */
  pages: z.array(z.string()),
  who: z.string(),
  /** Nothing follows when it is pressed. */
  isDead: z.boolean(),
  /** What it calls, as far as its source tells. */
  procedures: z.array(z.string()),
  /** Journeys whose source presses something that is called so. */
  journeys: z.array(z.string()),
  /** Of its procedures, in the last 30 days, and how many of these failed by a fault of ours. */
  calls: z.int(),
  failedCalls: z.int(),
  /** In the last 24 hours: calls of its procedures that failed, and errors of the page itself just after it was pressed. */
  errors: z.int(),
  /** The oldest of the latest passes of its procedures in full checks; null where one of them has none in 30 days. */
  passedAt: z.date().nullable(),
});
export type ControlRow = z.infer<typeof ControlRow>;

/** The register of everything that people press. */
export const adminButtonsContract = {
  list: adminPromise('owner')
    .route({ method: 'GET', path: '/admin/buttons', tags: ['admin'] })
    .input(z.object({}).optional())
    .output(z.object({ controls: z.array(ControlRow) })),
};
