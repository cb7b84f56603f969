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

/** An account is to be deleted: what has ended, and how it is kept after all. */
export const deletionBegunEmail = ({
  day,
  asked,
  signInLink,
  passwordLink,
}: {
  /** Until when signing in keeps it. */
  day: string;
  /** Who asked for it. */
  asked: 'here' | 'by_letter';
  signInLink: string;
  passwordLink: string;
}): EmailText =>
  accountEmail(
    'deletion_begun',
    'Your account will be deleted',
    asked === 'here'
      ? `You asked us to delete your account. It will be erased on ${day}.`
      : `As you asked, your account will be deleted. It will be erased on ${day}.`,
    'Your links have stopped working, and every device is signed out. Subscriptions to you end, and your plan is not renewed.',
    link(`To keep your account, sign in before ${day}:`, 'Keep my account', signInLink),
    link("If this wasn't you, set a new password, which keeps it too:", 'Set a new password', passwordLink),
  );

/** A deletion is off, since somebody signed in or wrote to us. */
export const deletionKeptEmail = ({ home, passwordLink }: { home: string; passwordLink: string }): EmailText =>
  accountEmail(
    'deletion_kept',
    'Your account stays',
    'Your account will not be deleted: you signed in, or asked us to keep it. Your links work again.',
    "Subscriptions to you that ended stay ended, and your plan isn't renewed unless you resume it.",
    link('Everything else is where you left it:', 'Open PrivateFans', home),
    link("If this wasn't you, set a new password:", 'Set a new password', passwordLink),
  );

/** An export of somebody's data is finished. */
export const exportReadyEmail = ({
  day,
  page,
}: {
  /** Until when it can be downloaded. */
  day: string;
  page: string;
}): EmailText =>
  accountEmail(
    'export_ready',
    'Your export is ready',
    `The copy of your data that you asked for is ready. You can download it until ${day}; then it is deleted.`,
    link('You will need your password:', 'Download your data', page),
    "If you didn't ask for it, somebody else may be signed in to your account: set a new password.",
  );

/** An account was erased: the certificate in words. */
export const accountErasedEmail = ({
  number,
  day,
  keys,
  files,
  keyHash,
  masterKeys,
  backupDay,
}: {
  number: string;
  day: string;
  keys: number;
  files: number;
  /** SHA-256 over the list of destroyed keys, as the certificate has it. */
  keyHash: string;
  masterKeys: readonly string[];
  /** When the last backup that holds the keys expires. */
  backupDay: string;
}): EmailText =>
  accountEmail(
    'account_erased',
    'Your account was deleted',
    `Your account was erased on ${day}. This email is your certificate; we keep a copy without your name.`,
    facts(
      `Certificate: ${number}`,
      `Keys destroyed: ${keys}`,
      `Wrapped by: ${masterKeys.length === 0 ? 'none' : masterKeys.join(', ')}`,
      `SHA-256 of the list of keys: ${keyHash}`,
      `Files removed: ${files}`,
      `Last backup that holds the keys expires: ${backupDay}`,
    ),
    'Without its key a file cannot be read by anyone. Records of payments are kept for as long as the law asks, without your name or address.',
  );
