import { accountEmail, type EmailText, ignore, link, quote } from './email-words.ts';

/** Somebody applied to recommend the place; nothing of what was written is repeated to an address that nobody has proven. */
export const applicationEmail = () =>
  accountEmail(
    'application_received',
    'Your application',
    'Someone applied to our partner program with this address.',
    'We read every application ourselves and answer by email, usually within a week. Until then, there is nothing to do.',
    ignore,
  );

/** To whoever applied: the account with this address, and no other, can take it up. */
export const partnerApprovedEmail = ({ page }: { page: string }): EmailText =>
  accountEmail(
    'partner_approved',
    'Your application was approved',
    'Your application to our partner program was approved.',
    link(
      'Sign in with this email address, or create an account with it, and you get your link there:',
      'Get my link',
      page,
    ),
    ignore,
  );

export const partnerRejectedEmail = ({ reason }: { reason: string }): EmailText =>
  accountEmail(
    'partner_rejected',
    'About your application',
    "We can't take you into our partner program:",
    quote(reason),
    ignore,
  );

export const partnerPausedEmail = ({ reason, page }: { reason: string; page: string }): EmailText =>
  accountEmail(
    'partner_paused',
    'Your partner link is paused',
    'Your partner link is paused: nobody is counted by it, and nothing is paid out, until it goes on. The reason:',
    quote(reason),
    link('What you have earned stays:', 'Open my partner page', page),
  );

export const partnerClosedEmail = ({ reason, page }: { reason: string; page: string }): EmailText =>
  accountEmail(
    'partner_closed',
    'Your partner link is closed',
    'Your partner link is closed for good: nobody is counted by it any more, and nothing that is paid from now on brings you a share. The reason:',
    quote(reason),
    link('What you have earned is still paid while you keep your account:', 'Open my partner page', page),
  );

export const partnerPaidEmail = ({ amount, page }: { amount: string; page: string }): EmailText =>
  accountEmail(
    'partner_paid',
    'Your share was paid',
    `We have paid you ${amount}, your share of what the creators you brought have paid for their plans.`,
    link('What it is made of:', 'Open my partner page', page),
  );
