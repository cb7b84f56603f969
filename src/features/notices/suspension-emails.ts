import { accountEmail, type EmailText, facts, link } from './email-words.ts';

/** Whoever runs the installation has suspended an account. */
export const accountSuspendedEmail = ({ why, contact }: { why: string; contact: string }): EmailText =>
  accountEmail(
    'account_suspended',
    'Your account is suspended',
    'We have suspended your account. You can sign in, but nothing else works for now, and your links are paused.',
    facts(...why.split('\n')),
    'Subscriptions to you end today. Your subscribers get back what they paid for the time that was left.',
    link("If you think that's wrong, write to us:", 'Contact us', contact),
  );

/** The suspension is over. */
export const accountBackEmail = ({ home }: { home: string }): EmailText =>
  accountEmail(
    'account_back',
    'Your account works again',
    'Your account is no longer suspended, and your links work as before. Subscriptions that ended stay ended.',
    link('Everything is where you left it:', 'Open PrivateFans', home),
  );
