import * as z from 'zod';
import { Email } from '#features/accounts/contract.ts';
import { boundedText, nameText, proseText, trimmedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise, promise, signedInPromise } from '#wire/promise.ts';
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
  /** Takes a report. The answer does not tell whether there is such a link. */
  send: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'POST', path: '/reports', tags: ['reports'] })
    .input(Report)
    .output(z.object({ number: z.string() })),
};

/** A report as whoever decides it sees it. */
export const ReportCase = z.object({
  number: z.string(),
  kind: z.enum(reportKinds),
  state: z.enum(['received', 'hidden', 'removed', 'rejected', 'appealed']),
  target: z.string(),
  details: z.string(),
  onBehalf: z.enum(['self', 'other']),
  name: z.string(),
  email: z.string(),
  createdAt: z.date(),
  decideBy: z.date(),
  decidedAt: z.date().nullable(),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
  wasHiddenAtOnce: z.boolean(),
  /** It names a link of this installation. */
  hasLink: z.boolean(),
  creatorId: z.string().nullable(),
  /** Whoever looks has decided it: somebody else decides about an appeal. */
  isOwnDecision: z.boolean(),
  answers: z.array(
    z.object({
      kind: z.enum(answerKinds),
      text: z.string(),
      name: z.string().nullable(),
      postalAddress: z.string().nullable(),
      createdAt: z.date(),
      decideBy: z.date().nullable(),
      outcome: z.enum(['kept', 'restored']).nullable(),
      reason: z.string().nullable(),
    }),
  ),
});
export type ReportCase = z.infer<typeof ReportCase>;

/** Something that waits for a decision: a report, or what its creator says against one. */
export const WaitingCase = z.object({
  number: z.string(),
  kind: z.enum(reportKinds),
  what: z.enum(['report', ...answerKinds]),
  isHidden: z.boolean(),
  target: z.string(),
  decideBy: z.date(),
});
export type WaitingCase = z.infer<typeof WaitingCase>;

/** A photo or video that is held back, because it is blocked or looks like what is. */
export const HeldMatchCase = z.object({
  mediaId: Uuid,
  kind: z.enum(['photo', 'video']),
  creatorEmail: z.string(),
  isExact: z.boolean(),
  source: z.enum(['report', 'list']),
  reportNumber: z.string().nullable(),
  matchedAt: z.date(),
});
export type HeldMatchCase = z.infer<typeof HeldMatchCase>;

const desk = ['admin'];
const AboutReport = z.object({ number: reportNumber });
const Reason = proseText(1000, 'Use at most 1000 characters').min(1, 'Say why: it is sent to those whom it concerns');

/** What moderators see of reports, and what they decide. */
export const adminReportsContract = {
  /** Lists what waits for a decision, the most urgent first, and what is held back as a copy. */
  waiting: adminPromise('moderation')
    .route({ method: 'GET', path: '/admin/reports', tags: desk })
    .input(z.object({}).optional())
    .output(z.object({ cases: z.array(WaitingCase), held: z.array(HeldMatchCase) })),
  show: adminPromise('moderation')
    .route({ method: 'GET', path: '/admin/reports/{number}', tags: desk })
    .input(AboutReport)
    .output(ReportCase),
  /** Hides what a report is about until it is decided. */
  hide: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/reports/{number}/hide', tags: desk })
    .input(AboutReport)
    .output(ReportCase),
  decide: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/reports/{number}/decide', tags: desk })
    .input(AboutReport.extend({ isRemoved: z.boolean(), reason: Reason }))
    .output(ReportCase),
  /** Decides an appeal or a counter-notice; not who decided the report. */
  decideAppeal: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/reports/{number}/decide-appeal', tags: desk })
    .input(AboutReport.extend({ outcome: z.enum(['kept', 'restored']), reason: Reason }))
    .output(ReportCase),
  /** Shows a photo or video again that is no copy. */
  release: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/reports/release', tags: desk })
    .input(z.object({ mediaId: Uuid, reason: Reason }))
    .output(z.object({})),
};
