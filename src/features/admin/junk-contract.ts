import * as z from 'zod';
import { boundedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise } from '#wire/promise.ts';

const tags = ['admin'];
const Nothing = z.object({});

/** What of no use anybody can have lying about, in the order in which it is shown. */
export const junkKinds = [
  'uploads',
  'staged_files',
  'lost_files',
  'missing_files',
  'dead_jobs',
  'unconfirmed_accounts',
  'codes',
  'sessions',
  'purchase_links',
  'closed_support',
  'robot_visits',
  'held_back_emails',
  'quarantined_media',
  'test_people',
] as const;
export const JunkKind = z.enum(junkKinds);
export type JunkKind = z.infer<typeof JunkKind>;

/** What a look has found, and how far that is cleaned. */
export const JunkPlan = z.object({
  id: Uuid,
  state: z.enum(['looking', 'found', 'cleaning', 'cleaned', 'cancelled', 'failed']),
  askedAt: z.date(),
  /** All that there was; `listed` of it is cleaned, the rest by a further look. */
  found: z.int(),
  listed: z.int(),
  /** Null where nobody knows. */
  sizeBytes: z.int().nullable(),
  hash: z.string(),
  /** Since the look before: those that came, and those that are gone. */
  more: z.int(),
  fewer: z.int(),
  done: z.int(),
  cleaned: z.int(),
  /** The first of them. */
  samples: z.array(z.string()),
});
export type JunkPlan = z.infer<typeof JunkPlan>;

export const JunkRow = z.object({
  kind: JunkKind,
  /** Null where only a look can tell. */
  count: z.int().nullable(),
  sizeBytes: z.int().nullable(),
  /** It is only counted here. */
  isOnlyShown: z.boolean(),
  plan: JunkPlan.nullable(),
});
export type JunkRow = z.infer<typeof JunkRow>;

const OfKind = z.object({ kind: JunkKind });

/** What lies about and is of no use to anybody: looked at first, then cleaned, exactly that. */
export const adminJunkContract = {
  list: adminPromise('owner')
    .route({ method: 'GET', path: '/admin/junk', tags })
    .input(Nothing.optional())
    .output(z.object({ kinds: z.array(JunkRow) })),
  /** Looks for rubbish of a kind and lists it, without touching any of it. */
  look: adminPromise('owner').route({ method: 'POST', path: '/admin/junk/look', tags }).input(OfKind).output(Nothing),
  /** Cleans what the look with this hash has found, as far as it is rubbish still. */
  clean: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/junk/clean', tags })
    .input(OfKind.extend({ hash: boundedText(64).regex(/^[0-9a-f]{64}$/) }))
    .output(Nothing),
  /** Ends the cleaning of a kind after its present batch. */
  cancel: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/junk/cancel', tags })
    .input(OfKind)
    .output(Nothing),
};
