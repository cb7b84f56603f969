import * as z from 'zod';
import { creatorPromise } from '#wire/promise.ts';

/** How far a creator has come, computed from what is there. */
export const Progress = z.object({
  hasPhoto: z.boolean(),
  hasLink: z.boolean(),
  /** A link's address was copied or shared, on whichever of their devices, or somebody has opened a link. */
  isShared: z.boolean(),
});
export type Progress = z.infer<typeof Progress>;

export const dashboardContract = {
  progress: creatorPromise('none')
    .route({ method: 'GET', path: '/dashboard/progress', tags: ['dashboard'] })
    .input(z.object({}).optional())
    .output(Progress),
};
