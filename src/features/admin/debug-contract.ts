import * as z from 'zod';
import { adminPromise } from '#wire/promise.ts';

const tags = ['admin'];
const Nothing = z.object({}).optional();

/** How fast one page was by one metric. */
const Vitals = z.object({
  page: z.string(),
  metric: z.enum(['LCP', 'FCP', 'CLS', 'INP', 'TTFB']),
  samples: z.int(),
  /** Three in four were no slower: milliseconds, but for CLS. */
  p75: z.number(),
  good: z.int(),
  poor: z.int(),
});

/** A statement that the process which answers has sent to the database; none of its values. */
export const SentStatement = z.object({
  name: z.string(),
  calls: z.int(),
  totalMs: z.number(),
  slowestMs: z.number(),
  p95Ms: z.number(),
});
export type SentStatement = z.infer<typeof SentStatement>;

/** What the installation knows of itself, for whoever looks into something. */
export const adminDebugContract = {
  /** How fast pages were in the browsers of administrators; nobody else's are measured. */
  vitals: adminPromise('support')
    .route({ method: 'GET', path: '/admin/vitals', tags })
    .input(z.object({ days: z.coerce.number().pipe(z.int().min(1).max(30)).default(1) }))
    .output(z.object({ vitals: z.array(Vitals) })),
  /** The statements that took longest in all, of the process that answers. */
  statements: adminPromise('support')
    .route({ method: 'GET', path: '/admin/statements', tags })
    .input(Nothing)
    .output(z.object({ since: z.date(), statements: z.array(SentStatement) })),
};
