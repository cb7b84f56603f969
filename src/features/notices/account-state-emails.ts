import { accountEmail, code, type EmailText, facts, ignore, link, quote, validFor } from './email-words.ts';

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

const acts = {
  export: 'download what we keep about you',
  erase: 'erase what we keep about you',
  keep: 'keep your data after all',
} as const;

/** Proves an address before its data are taken along, erased, or kept after all. */
export const dataCodeEmail = ({
  code: digits,
  codeMinutes,
  act,
}: {
  code: string;
  codeMinutes: number;
  act: keyof typeof acts;
}): EmailText =>
  validFor(
    codeMinutes,
    accountEmail(
      'data_code',
      'The code you asked for',
      `Someone wants to ${acts[act]}. Never give this code to anyone.`,
      `Enter this code where you asked for it (valid for ${codeMinutes} minutes):`,
      code(digits),
      ignore,
    ),
  );

/** Somebody without an account is to be erased: when, and how that is called off. */
export const erasureBegunEmail = ({
  day,
  asked,
  page,
  findPage,
}: {
  day: string;
  asked: 'here' | 'by_letter';
  page: string;
  findPage: string;
}): EmailText =>
  accountEmail(
    'erasure_begun',
    'Your data will be erased',
    asked === 'here'
      ? `You asked us to erase what we keep about you. It will be erased after ${day}.`
      : `As you asked, what we keep about you will be erased. It will be erased after ${day}.`,
    "Your subscriptions aren't renewed. Everything you have paid for opens until then, and not after.",
    link('To keep your data, open this page before that day:', 'Keep my data', page),
    link("If it doesn't know you in this browser, find your purchases first:", 'Find my purchases', findPage),
  );

/** Somebody without an account was erased: the certificate in words. */
export const personErasedEmail = ({ number, day }: { number: string; day: string }): EmailText =>
  accountEmail(
    'person_erased',
    'Your data was erased',
    `What we kept about you was erased on ${day}. This email is your certificate; we keep a copy without your name or address.`,
    facts(`Certificate: ${number}`),
    'Records of payments are kept for 7 years, as the law asks, without your name or address. Backups are deleted on their own schedule, and if one is ever restored, you are erased from it again.',
  );

/** To a creator: an administrator looks at private photos and videos of theirs. */
export const glassOpenedEmail = ({
  about,
  at,
  minutes,
  reason,
  contact,
}: {
  /** "report 12345678" or "an order". */
  about: string;
  at: string;
  minutes: number;
  reason: string;
  contact: string;
}): EmailText =>
  accountEmail(
    'glass_opened',
    'An administrator looks at one of your links',
    `Because of ${about}, an administrator opened the photos and videos of one of your links on ${at}, for ${minutes} minutes at most. Administrators are not shown them otherwise.`,
    'What they are shown is marked with their name, and it is written down. The reason they gave:',
    quote(reason),
    link("If you think that's wrong, write to us:", 'Contact us', contact),
  );
