import * as z from 'zod';
import { creatorPromise } from '#wire/promise.ts';

/** How far a creator has come, computed from what is there. */
export const Progress = z.object({
  hasPhoto: z.boolean(),
  hasLink: z.boolean(),
  /** Somebody else has opened a link. */
  isOpened: z.boolean(),
  /** Somebody has looked at a photo for 2 seconds. */
  isViewed: z.boolean(),
});
export type Progress = z.infer<typeof Progress>;

export const dashboardContract = {
  progress: creatorPromise('none')
    .route({ method: 'GET', path: '/dashboard/progress', tags: ['dashboard'] })
    .input(z.object({}).optional())
    .output(Progress),
};
