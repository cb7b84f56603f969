import type { EmailText } from '../email-words.ts';
import {
  appealDecidedEmail,
  contentDecidedEmail,
  contentHiddenEmail,
  copyRemovedEmail,
  counterNoticeEmail,
  matchesEmail,
  reportAnsweredEmail,
  reportDecidedEmail,
  reportEmail,
  reportNumberEmail,
  reportReversedEmail,
  reportsDueEmail,
} from '../support-emails.ts';

const number = 12345678;
const decideBy = '23 November 2026, 12:00 UTC';
const reason = 'Nobody in it agreed to being shown.';
const text = 'I made this picture myself, in my own studio.';

/** Returns what reports and their appeals write, with words that stand for anybody's. */
export const reportEmails = (place: string): EmailText[] => [
  reportNumberEmail({ number, decideBy, page: `${place}/case?of=report&number=${number}#sample` }),
  reportEmail({
    desk: `${place}/admin/moderation/${number}`,
    number,
    name: 'Mia Example',
    email: 'mia@example.com',
    kind: 'intimate',
    target: '/view/sample',
    details: 'The second photo.',
    onBehalf: 'self',
    decideBy,
    isHidden: true,
  }),
  ...creatorEmails(`${place}/account/reports`),
  ...[true, false].map((isRemoved) => reportDecidedEmail({ number, isRemoved, reason })),
  reportReversedEmail({ number, reason }),
  counterNoticeEmail({
    number,
    text,
    name: 'Mia Example',
    postalAddress: '1 Example Street, Springfield',
    opensAt: decideBy,
    contact: `${place}/contact`,
  }),
  copyRemovedEmail({ reason, contact: `${place}/contact` }),
  ...operatorEmails(),
];

const creatorEmails = (reportsPage: string): EmailText[] => [
  ...[true, false].map((isByHand) =>
    contentHiddenEmail({ number, kind: 'intimate', decideBy, isByHand, holdsCopies: true, reportsPage }),
  ),
  ...[true, false].flatMap((isRemoved) => [
    contentDecidedEmail({
      number,
      kind: 'intimate',
      isRemoved,
      holdsCopies: true,
      reason,
      appealUntil: decideBy,
      reportsPage,
    }),
    appealDecidedEmail({ number, isRestored: !isRemoved, reason }),
  ]),
];

const operatorEmails = (): EmailText[] => [
  reportAnsweredEmail({ number, kind: 'answer', text, decideBy: undefined }),
  reportAnsweredEmail({ number, kind: 'appeal', text, decideBy }),
  reportAnsweredEmail({ number, kind: 'counter_notice', text, decideBy }),
  reportsDueEmail([{ number, kind: 'intimate', decideBy, isOver: false }]),
  matchesEmail([{ mediaId: '0196f0c2-7b1c-7e2a-8f00-0123456789ab', why: 'photo of mia@example.com, the same file' }]),
];
