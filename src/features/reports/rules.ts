import type { Decision } from '#features/access/rules.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import type { Report } from './contract.ts';

/** Of one network in an hour. */
export const reportsPerHour = 5;
/** So many reports of one network hide something at once in a day; of others somebody decides first. */
export const hidesPerDay = 3;
/** Who has reported falsely this often of late hides nothing at once any more. */
export const falseReports = 2;
export const falseReportDays = 90;
/** How long a decided report is kept. */
export const keptDays = 730;

type Kind = Report['kind'];

/** Returns what must not be seen for another minute if it is true. */
export const hidesAtOnce = (kind: Kind): boolean => kind === 'intimate' || kind === 'minor';

/** When somebody has to have decided: in 48 hours, else in seven working days. */
export function decideBy(kind: Kind, now: Date): Date {
  if (hidesAtOnce(kind)) return new Date(now.getTime() + 48 * hourMs);
  let at = now.getTime();
  for (let days = 0; days < 7; ) {
    at += dayMs;
    if (![0, 6].includes(new Date(at).getUTCDay())) days++;
  }
  return new Date(at);
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
