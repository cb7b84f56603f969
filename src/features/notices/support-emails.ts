import { accountEmail, type EmailText, facts, link } from './email-words.ts';

/** Returns what somebody wrote, line by line. */
const quote = (text: string) => facts(...text.split('\n'));

/** To whoever wrote to support. Nothing that was typed stands in it: the address may be somebody else's. */
export const supportNumberEmail = (number: number): EmailText =>
  accountEmail(
    'support_number',
    'We received your message',
    `Your message has reached us. Its number is ${number}; please mention it if you write again.`,
    "We'll get back to you as soon as possible.",
    "If you didn't write to us, you can ignore this email.",
  );

/** To the operator. */
export const supportRequestEmail = (request: {
  number: number;
  name: string;
  email: string;
  subject: string;
  message: string;
}): EmailText =>
  accountEmail(
    'support_request',
    'Someone wrote to support',
    `Support request ${request.number}:`,
    facts(request.name, request.email, request.subject),
    quote(request.message),
    `When you have answered, run: npm run pf -- support close ${request.number}`,
  );

/** To whoever reported something. Nothing that was typed stands in it. */
export const reportNumberEmail = ({ number, decideBy }: { number: number; decideBy: string }): EmailText =>
  accountEmail(
    'report_number',
    'We received your report',
    `Your report has reached us. Its number is ${number}.`,
    `A person will look at it and decide by ${decideBy}. You'll be told by email.`,
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
}): EmailText =>
  accountEmail(
    'report',
    'Someone reported something',
    report.isHidden
      ? `Report ${report.number}. What it is about is hidden. Decide by ${report.decideBy}:`
      : `Report ${report.number}. Nothing has been hidden. Decide by ${report.decideBy}:`,
    facts(report.kind, report.target, report.name, report.email, report.onBehalf),
    quote(report.details),
    `To decide, run: npm run pf -- reports show ${report.number}`,
  );

/** To the creator whose link was reported. Who reported it is not said. */
export const contentHiddenEmail = ({ number, contact }: { number: number; contact: string }): EmailText =>
  accountEmail(
    'content_hidden',
    'One of your links was hidden',
    'Someone reported that one of your links shows an intimate picture without consent. Until a person has decided, the link and its albums are closed to everyone but you.',
    'The decision comes within 48 hours.',
    link(`If you have something to say about it, write to us and mention report ${number}.`, 'Write to us', contact),
  );

/** To the creator, once somebody has decided. */
export const contentDecidedEmail = ({
  number,
  isRemoved,
  reason,
  contact,
}: {
  number: number;
  isRemoved: boolean;
  reason: string;
  contact: string;
}): EmailText =>
  isRemoved
    ? accountEmail(
        'content_removed',
        'One of your links was removed',
        `We looked at report ${number} and decided that one of your links and its albums stay closed. The reason:`,
        quote(reason),
        link(
          `If you think this is wrong, write to us within 14 days and mention report ${number}. Someone else will look at it.`,
          'Write to us',
          contact,
        ),
      )
    : accountEmail(
        'content_restored',
        'Your link is open again',
        `We looked at report ${number} and found no reason to keep your link closed. It works again, and so do its albums.`,
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
