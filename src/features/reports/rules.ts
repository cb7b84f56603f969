import type { Decision } from '#features/access/rules.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import type { AnswerKind, Report } from './contract.ts';

/** Of one network in an hour. */
export const reportsPerHour = 5;
/** So many reports of one network hide something at once in a day; of others somebody decides first. */
export const hidesPerDay = 3;
/** Who has reported falsely this often of late hides nothing at once any more. */
export const falseReports = 2;
export const falseReportDays = 90;
/** How long a decided report is kept. */
export const keptDays = 730;

/** A creator appeals this long after a decision. */
export const appealDays = 14;
/** Somebody else has decided an appeal by then. */
const appealDecidedDays = 14;
/** What a counter-notice speaks of opens again after so many working days, unless whoever reported it goes to court. */
const counterNoticeWorkingDays = 10;
/** The operator is reminded this long before the time is over. */
export const reminderHours = 12;

type Kind = Report['kind'];

/** Returns what must not be seen for another minute if it is true. */
export const hidesAtOnce = (kind: Kind): boolean => kind === 'intimate' || kind === 'minor';

/** When somebody has to have decided: in 48 hours, else in seven working days. */
export function decideBy(kind: Kind, now: Date): Date {
  return hidesAtOnce(kind) ? new Date(now.getTime() + 48 * hourMs) : workingDaysAfter(now, 7);
}

function workingDaysAfter(now: Date, count: number): Date {
  let at = now.getTime();
  for (let days = 0; days < count; ) {
    at += dayMs;
    if (![0, 6].includes(new Date(at).getUTCDay())) days++;
  }
  return new Date(at);
}

/** Returns whether copies of what a report is about are held back as well: where the pictures themselves are what is wrong. */
export const blocksCopies = (kind: Kind): boolean => hidesAtOnce(kind) || kind === 'copyright';

/** When an answer of a creator has to be decided; undefined of one that only adds to what is decided anyway. */
export function answerDecideBy(kind: AnswerKind, now: Date): Date | undefined {
  if (kind === 'answer') return undefined;
  return kind === 'appeal'
    ? new Date(now.getTime() + appealDecidedDays * dayMs)
    : workingDaysAfter(now, counterNoticeWorkingDays);
}

/** When the last moment to appeal is. */
export const appealUntil = (decidedAt: Date): Date => new Date(decidedAt.getTime() + appealDays * dayMs);

/** Returns what a creator may say about a report now. */
export function answersOpen(
  report: { kind: Kind; state: string; decidedAt: Date | null; said: readonly AnswerKind[] },
  now: Date,
): AnswerKind[] {
  const { kind, state, decidedAt, said } = report;
  if (state === 'hidden') return said.includes('answer') ? [] : ['answer'];
  const isOpen = state === 'removed' && decidedAt !== null && now < appealUntil(decidedAt);
  if (!isOpen || said.some((one) => one !== 'answer')) return [];
  return kind === 'copyright' ? ['counter_notice', 'appeal'] : ['appeal'];
}

/** The slug in what somebody typed: of a link of ours, or alone. */
export function slugIn(target: string): string | undefined {
  const [, inLink] = /\/view\/([A-Za-z0-9_-]{1,80})(?![A-Za-z0-9_-])/.exec(target) ?? [];
  return inLink ?? (/^[A-Za-z0-9_-]{12,80}$/.test(target) ? target : undefined);
}

/**
 * Returns whether somebody may have a link hidden by reporting it. Who is shown in a picture need not have the password or pay to see it;
 * but whom the creator has shut out does not shut out everybody else.
 */
export const mayHideLink = (decision: Decision): boolean =>
  decision.ok || !['VIEWER_BLOCKED', 'NOT_FOUND'].includes(decision.reason);
