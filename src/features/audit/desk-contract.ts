import * as z from 'zod';
import { boundedText } from '#kit/bounded-text.ts';
import { adminPromise } from '#wire/promise.ts';

const tags = ['admin'];
const Nothing = z.object({}).optional();

export const auditActors = ['visitor', 'viewer', 'creator', 'admin', 'system'] as const;

/** What somebody has done. */
export const AuditRow = z.object({
  id: z.int(),
  at: z.date(),
  actor: z.enum(auditActors),
  actorId: z.string().nullable(),
  action: z.string(),
  targetType: z.string().nullable(),
  targetId: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  requestId: z.string().nullable(),
});
export type AuditRow = z.infer<typeof AuditRow>;

const Day = z.iso.date('Enter a day');

/** What is looked for; what is left out may be anything. */
export const AuditSearch = z.object({
  /** Of whoever did it, of what it was done to, or of the request. */
  id: boundedText(100, 'Use at most 100 characters').optional(),
  /** The beginning of an action's name: `link` finds every one about links. */
  action: boundedText(60, 'Use at most 60 characters').optional(),
  actor: z.enum(auditActors).optional(),
  /** First and last day, in UTC. */
  from: Day.optional(),
  to: Day.optional(),
});
export type AuditSearch = z.infer<typeof AuditSearch>;

/** Reads one word of a search: what looks like the name of an action is one, everything else is an id. */
export function searchOf(text: string): AuditSearch {
  if (text === '') return {};
  return /^[a-z_]{1,60}(\.[a-zA-Z_]{0,60})?$/.test(text) ? { action: text } : { id: text };
}

/** What a look at every seal has found. */
export const AuditCheckRow = z.object({
  id: z.string(),
  beganAt: z.date(),
  endedAt: z.date().nullable(),
  seals: z.int(),
  entries: z.int(),
  fault: z.string().nullable(),
});
export type AuditCheckRow = z.infer<typeof AuditCheckRow>;

/** The audit log, and whether it is as it was written. */
export const adminAuditContract = {
  /** Finds entries, the newest first. */
  find: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/audit/find', tags })
    .input(AuditSearch.extend({ before: z.int().positive().optional() }))
    .output(z.object({ entries: z.array(AuditRow), next: z.int().nullable() })),
  /** The newest 5,000 of what a search finds, as a table; that it was taken along is an entry itself. */
  export: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/audit/export', tags })
    .input(AuditSearch)
    .output(z.object({ csv: z.string(), entries: z.int(), isCut: z.boolean() })),
  /** The newest checks of the chain. */
  checks: adminPromise('owner')
    .route({ method: 'GET', path: '/admin/audit/checks', tags })
    .input(Nothing)
    .output(z.object({ checks: z.array(AuditCheckRow) })),
  /** Has every seal and every entry under one looked at. */
  check: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/audit/check', tags })
    .input(z.object({}))
    .output(z.object({})),
};
