import type { OutboxEmail } from '#features/notices/contract.ts';
import type { ReportCase, WaitingCase } from '#features/reports/desk-contract.ts';
import type { SupportCase } from '#features/support/desk-contract.ts';
import type { AdminScope } from '#wire/promise.ts';

/** Returns whether an administrator may do what one of these scopes allows. */
export const hasOneOf = (own: readonly AdminScope[], ...scopes: readonly AdminScope[]): boolean =>
  own.some((scope) => scope === 'owner' || scopes.includes(scope));

type Tone = 'moss' | 'rust' | 'ember' | 'plain' | 'plum';

/** What became of an email, in a word. */
export const emailStates: Readonly<Record<OutboxEmail['state'], { word: string; tone: Tone }>> = {
  queued: { word: 'Waiting', tone: 'ember' },
  sent: { word: 'Sent', tone: 'moss' },
  delivered: { word: 'Delivered', tone: 'moss' },
  bounced: { word: 'Bounced', tone: 'rust' },
  complained: { word: 'Marked as spam', tone: 'rust' },
  suppressed: { word: 'Held back', tone: 'plain' },
  given_up: { word: 'Given up', tone: 'rust' },
};

/** Why an address gets no notices. */
export const suppressionWords = {
  bounced: 'Notices are held back because this mailbox refused one. Codes and receipts are sent all the same.',
  complained: 'Notices are held back because one was marked as spam. Codes and receipts are sent all the same.',
  unsubscribed: 'They have unsubscribed from notices, and can resume them in their settings.',
} as const;

/** The name of an email's template, as people read it. */
export const nameTemplate = (template: string): string => {
  const words = template.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
};

export const accountStates: Readonly<Record<string, { word: string; tone: Tone }>> = {
  pending: { word: 'Not confirmed', tone: 'ember' },
  active: { word: 'Active', tone: 'moss' },
  limited: { word: 'Plan ended', tone: 'plain' },
  suspended: { word: 'Suspended', tone: 'rust' },
  deleting: { word: 'Being deleted', tone: 'rust' },
};

export const reportStates: Readonly<Record<ReportCase['state'], { word: string; tone: Tone }>> = {
  received: { word: 'Open, nothing hidden', tone: 'ember' },
  hidden: { word: 'Hidden, not decided', tone: 'ember' },
  removed: { word: 'Removed', tone: 'rust' },
  rejected: { word: 'Rejected', tone: 'moss' },
  appealed: { word: 'Appealed', tone: 'ember' },
};

export const caseWords: Readonly<Record<WaitingCase['what'], string>> = {
  report: 'Report',
  answer: 'Answer',
  appeal: 'Appeal',
  counter_notice: 'Counter-notice',
};

export const supportStates: Readonly<Record<SupportCase['status'], { word: string; tone: Tone }>> = {
  pending: { word: 'New', tone: 'ember' },
  open: { word: 'Opened', tone: 'plum' },
  answered: { word: 'Answered', tone: 'moss' },
  closed: { word: 'Closed', tone: 'plain' },
};
