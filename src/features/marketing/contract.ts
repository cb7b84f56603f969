import * as z from 'zod';
import { promise } from '#wire/promise.ts';

export const marketingContract = {
  /** The link that a visitor may look at; null where there is none. */
  demoLink: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'GET', path: '/demo-link', tags: ['marketing'] })
    .input(z.object({}).optional())
    .output(z.object({ url: z.string().nullable() })),
  /** Who runs this installation, for the pages that people agree to. */
  operator: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'GET', path: '/operator', tags: ['marketing'] })
    .input(z.object({}).optional())
    .output(
      z.object({
        name: z.string().nullable(),
        email: z.string().nullable(),
        isSandbox: z.boolean(),
        /** The server of a language model that is sent questions to Sofia; null when they stay here. */
        assistantHost: z.string().nullable(),
        /** What these pages say in numbers, by the settings in force. */
        leaseSeconds: z.int(),
        trialDays: z.int(),
        sessionDays: z.int(),
      }),
    ),
};
