import * as z from 'zod';
import { Email } from '#features/accounts/contract.ts';
import { CaseReference } from '#features/support/cases-contract.ts';
import { boundedText, nameText, proseText, trimmedText } from '#kit/bounded-text.ts';
import { promise, signedInPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';

export const reportKinds = ['intimate', 'minor', 'copyright', 'impersonation', 'other'] as const;

/** A report, which is complete or it is none: everything in it is needed. */
export const Report = z.object({
  kind: z.enum(reportKinds, 'Choose what is wrong'),
  /** A link of ours, its name, or what else it is about. */
  target: trimmedText(500, 'Use at most 500 characters').min(1, 'Enter the link or page it is about'),
  details: proseText(4000, 'Use at most 4000 characters').min(10, 'Use at least 10 characters'),
  onBehalf: z.enum(['self', 'other']),
  /** The signature. */
  name: nameText(80, 'Use at most 80 characters', 1, 'Enter your full name'),
  email: Email,
  isInGoodFaith: z.literal(true, 'Please confirm that what you say is true'),
});
export type Report = z.infer<typeof Report>;

/** What a creator says: before a decision, or against it. A counter-notice is for copyright alone. */
export const answerKinds = ['answer', 'appeal', 'counter_notice'] as const;
export type AnswerKind = (typeof answerKinds)[number];

const reportNumber = boundedText(8, 'Enter the number of a report').regex(/^\d{8}$/, 'Enter the number of a report');
export const AnswerText = proseText(4000, 'Use at most 4000 characters').min(10, 'Use at least 10 characters');

/** What a counter-notice carries beside its text. */
export const CounterNotice = {
  /** The signature. */
  name: nameText(80, 'Use at most 80 characters', 1, 'Enter your full name'),
  postalAddress: proseText(500, 'Use at most 500 characters').min(10, 'Enter your postal address'),
  isUnderPenalty: z.literal(true, 'Please confirm that what you say is true'),
};

export const ReportAnswer = z.discriminatedUnion('kind', [
  z.object({
    number: reportNumber,
    kind: z.enum(['answer', 'appeal']),
    text: AnswerText,
  }),
  z.object({
    number: reportNumber,
    kind: z.literal('counter_notice'),
    text: AnswerText,
    ...CounterNotice,
  }),
]);
export type ReportAnswer = z.infer<typeof ReportAnswer>;

/** A report as the creator of what it is about sees it. Who reported it is told of copyright only. */
export const ContentReport = z.object({
  number: z.string(),
  kind: z.enum(reportKinds),
  state: z.enum(['hidden', 'removed', 'appealed', 'restored']),
  linkName: z.string().nullable(),
  albumNames: z.array(z.string()),
  /** Photos and videos that are under review, in other albums too. */
  heldItems: z.int(),
  reportedAt: z.date(),
  decideBy: z.date(),
  decidedAt: z.date().nullable(),
  reason: z.string().nullable(),
  wasHiddenAtOnce: z.boolean(),
  reporterName: z.string().nullable(),
  /** What whoever reported it wrote; of copyright only. */
  notice: z.string().nullable(),
  appealUntil: z.date().nullable(),
  /** What may be said now. */
  open: z.array(z.enum(answerKinds)),
  answers: z.array(
    z.object({
      kind: z.enum(answerKinds),
      text: z.string(),
      createdAt: z.date(),
      decideBy: z.date().nullable(),
      outcome: z.enum(['kept', 'restored']).nullable(),
      reason: z.string().nullable(),
    }),
  ),
});
export type ContentReport = z.infer<typeof ContentReport>;

/** How a report stands, as whoever sent it sees it. */
export const ReportOutcome = z.object({
  number: z.string(),
  state: z.enum(['waiting', 'hidden', 'removed', 'rejected', 'appealed', 'restored']),
  createdAt: z.date(),
  decideBy: z.date(),
  decidedAt: z.date().nullable(),
  /** Why nothing was removed, or why it is open again. */
  reason: z.string().nullable(),
});
export type ReportOutcome = z.infer<typeof ReportOutcome>;

export const reportsContract = {
  /** Lists what was hidden or removed of one's own, newest first, with the reasons. */
  mine: signedInPromise('none')
    .route({ method: 'GET', path: '/account/reports', tags: ['reports'] })
    .input(z.object({}).optional())
    .output(z.object({ reports: z.array(ContentReport) })),
  /** Answers a report, appeals against its decision or sends a counter-notice; each once. */
  respond: signedInPromise('none')
    .errors(refusing('CONFLICT'))
    .route({ method: 'POST', path: '/account/reports/respond', tags: ['reports'] })
    .input(ReportAnswer)
    .output(z.object({ report: ContentReport })),
  /** How a report stands, by the link in the email about it. */
  state: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .errors(refusing('GONE'))
    .route({ method: 'POST', path: '/reports/state', tags: ['reports'] })
    .input(CaseReference)
    .output(ReportOutcome),
  /** Takes a report. The answer does not tell whether there is such a link. */
  send: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'POST', path: '/reports', tags: ['reports'] })
    .input(Report)
    .output(z.object({ number: z.string() })),
};
