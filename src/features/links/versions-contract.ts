import * as z from 'zod';
import { Policy } from './policy.ts';

const Rules = z.object({ policy: Policy, expiresAt: z.date().nullable() });

/** One version of a link's rules, and the one that it took the place of. */
export const LinkVersion = Rules.extend({
  version: z.int(),
  at: z.date(),
  /** Its creator, the product by itself, or whoever runs this installation. */
  by: z.enum(['creator', 'automatic', 'operator']),
  /** Another password was set with it; false in the version that made the link. */
  hasNewPassword: z.boolean(),
  /** Null of the first one. */
  before: Rules.nullable(),
});
export type LinkVersion = z.infer<typeof LinkVersion>;
