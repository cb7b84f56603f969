import { accountEmail, type EmailText, facts, link, quote } from './email-words.ts';

/** To whoever wrote to support. Nothing that was typed stands in it: the address may be somebody else's. */
export const supportNumberEmail = ({ number, page }: { number: number; page: string }): EmailText =>
  accountEmail(
    'support_number',
    'We received your message',
    `Your message has reached us. Its number is ${number}. We'll get back to you as soon as possible.`,
    link('See how it stands, or add to it:', 'Open your message', page),
    "If you didn't write to us, you can ignore this email.",
  );

/** To the operator. */
export const supportRequestEmail = (request: {
  number: number;
  name: string;
  email: string;
  subject: string;
  message: string;
  /** Its page on the operator's desk. */
  desk: string;
}): EmailText =>
  accountEmail(
    'support_request',
    'Someone wrote to support',
    `Support request ${request.number}:`,
    facts(request.name, request.email, request.subject),
    quote(request.message),
    link(
      `To answer, open it as an administrator, or run npm run pf -- support show ${request.number}.`,
      'Answer',
      request.desk,
    ),
  );

/** To the operator: somebody wrote once more about what was answered. */
export const supportReplyEmail = (reply: { number: number; text: string; desk: string }): EmailText =>
  accountEmail(
    'support_reply',
    'Someone wrote to support again',
    `Support request ${reply.number}:`,
    quote(reply.text),
    link('To answer, open it as an administrator:', 'Answer', reply.desk),
  );

/** To whoever wrote to support: what was answered. A reply to it reaches nobody, so it says where to write. */
export const supportAnswerEmail = (answer: {
  number: number;
  subject: string;
  text: string;
  /** Where to write once more. */
  page: string;
}): EmailText =>
  accountEmail(
    'support_answer',
    'An answer to your message',
    `You wrote to us about this, number ${answer.number}:`,
    facts(answer.subject),
    'Our answer:',
    quote(answer.text),
    link('Replies to this email are not read. To answer, write there:', 'Write to us', answer.page),
  );

type Kind = 'intimate' | 'minor' | 'copyright' | 'impersonation' | 'other';

/** What somebody said, as the creator reads it. */
const claims: Readonly<Record<Kind, string>> = {
  intimate: 'it shows an intimate picture without consent',
  minor: 'someone shown is under 18',
  copyright: "it shows someone else's work",
  impersonation: 'it pretends to be someone else',
  other: "it breaks this site's rules",
};

/** To whoever reported something. Nothing that was typed stands in it. */
export const reportNumberEmail = ({
  number,
  decideBy,
  page,
}: {
  number: number;
  decideBy: string;
  page: string;
}): EmailText =>
  accountEmail(
    'report_number',
    'We received your report',
    `Your report has reached us. Its number is ${number}.`,
    `A person will look at it and decide by ${decideBy}. You'll be told by email.`,
    link('See how it stands:', 'Open your report', page),
    "If you didn't report anything, you can ignore this email.",
  );

/** To the operator. */
export const reportEmail = (report: {
  number: number;
  kind: string;
  target: string;
  details: string;
  name: string;
  email: string;
  onBehalf: string;
  isHidden: boolean;
  decideBy: string;
  /** Its page on the operator's desk. */
  desk: string;
}): EmailText =>
  accountEmail(
    'report',
    'Someone reported something',
    report.isHidden
      ? `Report ${report.number}. What it is about is hidden. Decide by ${report.decideBy}:`
      : `Report ${report.number}. Nothing has been hidden. Decide by ${report.decideBy}:`,
    facts(report.kind, report.target, report.name, report.email, report.onBehalf),
    quote(report.details),
    link(
      `To decide, open it as an administrator, or run npm run pf -- reports show ${report.number}.`,
      'Decide',
      report.desk,
    ),
  );

/** To the creator whose link was reported. Who reported it is not said. */
export const contentHiddenEmail = (hidden: {
  number: number;
  kind: Kind;
  decideBy: string;
  isByHand: boolean;
  holdsCopies: boolean;
  reportsPage: string;
}): EmailText =>
  accountEmail(
    'content_hidden',
    'One of your links was hidden',
    `Someone reported one of your links and said that ${claims[hidden.kind]}. Until a person has decided, nobody can open the link or its albums.${hidden.holdsCopies ? ' The same photos and videos are hidden in other albums too.' : ''}`,
    hidden.isByHand
      ? `A person hid it. The decision comes by ${hidden.decideBy}.`
      : `It was hidden automatically when the report arrived; a person decides by ${hidden.decideBy}.`,
    link(`You can say what you know about it: this is report ${hidden.number}.`, 'Answer', hidden.reportsPage),
  );

/** To the creator, once somebody has decided: the statement of reasons. */
export const contentDecidedEmail = (decided: {
  number: number;
  kind: Kind;
  isRemoved: boolean;
  holdsCopies: boolean;
  reason: string;
  appealUntil: string;
  reportsPage: string;
}): EmailText =>
  decided.isRemoved
    ? accountEmail(
        'content_removed',
        'One of your links was removed',
        `We looked at report ${decided.number}, which says that ${claims[decided.kind]}, and decided that one of your links and its albums stay closed.${decided.holdsCopies ? " The same photos and videos can't be uploaded again." : ''} A person decided this. The reason:`,
        quote(decided.reason),
        link(
          `If you think this is wrong, you can appeal until ${decided.appealUntil}. Someone else will look at it.`,
          'Appeal',
          decided.reportsPage,
        ),
      )
    : accountEmail(
        'content_restored',
        'Your link is open again',
        `We looked at report ${decided.number} and found no reason to keep your link closed. It works again, and so do its albums.`,
      );

/** To the creator, once an appeal or a counter-notice is decided. */
export const appealDecidedEmail = ({
  number,
  isRestored,
  reason,
}: {
  number: number;
  isRestored: boolean;
  reason: string;
}): EmailText =>
  accountEmail(
    'appeal_decided',
    isRestored ? 'Your link is open again' : 'About your appeal',
    isRestored
      ? `What report ${number} had removed is open again. The reason:`
      : `Someone else looked at report ${number} again, and what was removed stays closed. The reason:`,
    quote(reason),
  );

/** To whoever reported it, once somebody has decided. */
export const reportDecidedEmail = ({
  number,
  isRemoved,
  reason,
}: {
  number: number;
  isRemoved: boolean;
  reason: string;
}): EmailText =>
  accountEmail(
    'report_decided',
    'About your report',
    isRemoved
      ? `We looked at your report ${number}, and what you reported was removed.`
      : `We looked at your report ${number} and did not remove what you reported. The reason:`,
    ...(isRemoved ? [] : [quote(reason)]),
  );

/** To whoever reported it, when what was removed is open again after all. */
export const reportReversedEmail = ({ number, reason }: { number: number; reason: string }): EmailText =>
  accountEmail(
    'report_reversed',
    'About your report',
    `What was removed after your report ${number} is open again. The reason:`,
    quote(reason),
  );

/** To whoever reported a copyright: what the creator answers, by name and address. */
export const counterNoticeEmail = (notice: {
  number: number;
  text: string;
  name: string;
  postalAddress: string;
  opensAt: string;
  contact: string;
}): EmailText =>
  accountEmail(
    'counter_notice',
    'A counter-notice to your report',
    `The creator of what your report ${notice.number} removed says, under penalty of perjury, that it was removed by mistake:`,
    quote(notice.text),
    facts(notice.name, ...notice.postalAddress.split('\n')),
    link(
      `It opens again on ${notice.opensAt}, unless you tell us before then that you have gone to court, with the number of your report.`,
      'Write to us',
      notice.contact,
    ),
  );

/** To the operator: a creator has said something about a report. */
export const reportAnsweredEmail = (answered: {
  number: number;
  kind: 'answer' | 'appeal' | 'counter_notice';
  text: string;
  decideBy: string | undefined;
}): EmailText =>
  accountEmail(
    'report_answered',
    'A creator answered a report',
    answered.decideBy === undefined
      ? `Report ${answered.number}:`
      : `Report ${answered.number}, ${answered.kind === 'appeal' ? 'an appeal. Someone who has not decided it decides by' : 'a counter-notice. It opens again by itself on'} ${answered.decideBy}:`,
    quote(answered.text),
    `To see all of it, run: npm run pf -- reports show ${answered.number}`,
  );

/** To the operator: reports whose time is nearly over, or over. */
export const reportsDueEmail = (due: readonly { number: number; kind: string; decideBy: string; isOver: boolean }[]) =>
  accountEmail(
    'reports_due',
    due.some(({ isOver }) => isOver) ? 'A report is overdue' : 'A report has to be decided soon',
    facts(
      ...due.map(
        ({ number, kind, decideBy, isOver }) =>
          `${number} (${kind}): ${isOver ? 'should have been decided by' : 'decide by'} ${decideBy}`,
      ),
    ),
    'To see them, run: npm run pf -- reports',
  );

/** To the creator: an upload that was held back is removed for good. */
export const copyRemovedEmail = ({ reason, contact }: { reason: string; contact: string }): EmailText =>
  accountEmail(
    'copy_removed',
    'Something you uploaded was removed',
    'A photo or video of yours was held back for review: it is something that may not be shown here, or looks like it. Someone has looked, and it was removed for good. The reason:',
    quote(reason),
    link('If you think this is wrong, write to us.', 'Write to us', contact),
  );

/** To the operator: uploads that are held back because they are what is blocked, or look like it. */
export const matchesEmail = (matches: readonly { mediaId: string; why: string }[]): EmailText =>
  accountEmail(
    'media_matches',
    'Uploads are held back',
    'They are what was removed before or is on your list, or look like it. Nobody is shown them until you have looked:',
    facts(...matches.map(({ mediaId, why }) => `${mediaId}: ${why}`)),
    'They wait under Reports in the admin pages. To see them here, run: npm run pf -- reports matches',
  );
