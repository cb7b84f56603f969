import * as z from 'zod';
import { trimmedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
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

/** A request of a signed-in person; nothing of what was said by it. */
export const AnsweredRequest = z.object({
  requestId: z.string(),
  at: z.date(),
  what: z.string(),
  status: z.int(),
  ms: z.int(),
});
export type AnsweredRequest = z.infer<typeof AnsweredRequest>;

/** A variable of the environment; the value is null of one that is not set, and of one that may be a secret. */
export const EnvironmentSetting = z.object({
  name: z.string(),
  about: z.string(),
  isSet: z.boolean(),
  value: z.string().nullable(),
  isMasked: z.boolean(),
});
export type EnvironmentSetting = z.infer<typeof EnvironmentSetting>;

/** How much the process that answers writes into its log, and until when it is more than usual. */
export const LogLevelState = z.object({ level: z.string(), usual: z.string(), until: z.date().nullable() });
export type LogLevelState = z.infer<typeof LogLevelState>;

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
  /** The last requests of an account, by its id or address, that the process which answers remembers. */
  requests: adminPromise('support')
    .route({ method: 'POST', path: '/admin/requests/find', tags })
    .input(z.object({ who: trimmedText(254, 'Use at most 254 characters').min(1, 'Enter an id or an address') }))
    .output(
      z.object({
        /** Null where neither an account's id nor its address was given. */
        account: z.object({ id: Uuid, email: z.string() }).nullable(),
        requests: z.array(AnsweredRequest),
      }),
    ),
  environment: adminPromise('owner')
    .route({ method: 'GET', path: '/admin/environment', tags })
    .input(Nothing)
    .output(z.object({ settings: z.array(EnvironmentSetting) })),
  logLevel: adminPromise('owner')
    .route({ method: 'GET', path: '/admin/log-level', tags })
    .input(Nothing)
    .output(LogLevelState),
  /** Has every process that runs write details into its log for 15 minutes. */
  raiseLogLevel: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/log-level/raise', tags })
    .input(Nothing)
    .output(LogLevelState),
  /** Has every process go back to its usual level at once. */
  restoreLogLevel: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/log-level/restore', tags })
    .input(Nothing)
    .output(LogLevelState),
};
