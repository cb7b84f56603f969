import { formatCount } from '#kit/text.ts';
import { accountEmail, code, type EmailText, facts, ignore, link, validFor } from './email-words.ts';

export type { EmailText } from './email-words.ts';

interface ProofWords {
  link: string;
  code: string;
  linkMinutes: number;
  codeMinutes: number;
}

const longestOf = ({ linkMinutes, codeMinutes }: ProofWords) => Math.max(linkMinutes, codeMinutes);

/** First mail of a new account: its link and its code do the same. */
export const confirmationEmail = (proof: ProofWords): EmailText =>
  validFor(
    longestOf(proof),
    accountEmail(
      'confirm',
      'Confirm your email',
      'Someone signed up with this address.',
      `To continue, enter this code where you started (valid for ${proof.codeMinutes} minutes):`,
      code(proof.code),
      link(
        `Or open this link in the same browser (valid for ${proof.linkMinutes} minutes):`,
        'Confirm my email',
        proof.link,
      ),
      ignore,
    ),
  );

/** Asked for at a link whose password was guessed at from somebody's network; it says nothing of the link. */
export const proofCodeEmail = ({ code: digits, codeMinutes }: Pick<ProofWords, 'code' | 'codeMinutes'>): EmailText =>
  validFor(
    codeMinutes,
    accountEmail(
      'proof_code',
      'Your code',
      `Enter this code where you asked for it (valid for ${codeMinutes} minutes):`,
      code(digits),
      ignore,
    ),
  );

/** Answer to a sign-up with a known address; the page says the same as for a new one. */
export const accountExistsEmail = ({ signInLink, passwordLink }: { signInLink: string; passwordLink: string }) =>
  accountEmail(
    'account_exists',
    'You already have an account',
    'Someone tried to sign up with this address, which already has an account.',
    link('To sign in:', 'Sign in', signInLink),
    link('Forgot your password?', 'Set a new password', passwordLink),
    ignore,
  );

/** Sets the first password or a new one; the address alone is never enough. */
export const passwordEmail = ({ isFirst, ...proof }: ProofWords & { isFirst: boolean }): EmailText =>
  validFor(
    longestOf(proof),
    accountEmail(
      isFirst ? 'set_password' : 'reset_password',
      isFirst ? 'Create your password' : 'Reset your password',
      `You asked to ${isFirst ? 'create your' : 'reset your'} password.`,
      `Enter this code where you asked for it (valid for ${proof.codeMinutes} minutes):`,
      code(proof.code),
      link(
        `Or open this link in the same browser (valid for ${proof.linkMinutes} minutes):`,
        isFirst ? 'Create my password' : 'Reset my password',
        proof.link,
      ),
      ignore,
    ),
  );

/** A sign-in from a device that this account had not used before. */
export const newDeviceEmail = ({
  device,
  country,
  at,
  securityLink,
}: {
  device: string;
  country: string | undefined;
  at: string;
  securityLink: string;
}) =>
  accountEmail(
    'new_device',
    'New sign-in to your account',
    'Someone signed in to your account from a new device:',
    facts(device, country ?? 'Country unknown', at),
    "If this was you, there's nothing to do.",
    link('If not, change your password and sign out everywhere:', 'Secure my account', securityLink),
  );

/** Many wrong passwords in a short time; the account is slowed down, not locked. */
export const wrongPasswordsEmail = ({
  tries,
  minutes,
  securityLink,
}: {
  tries: number;
  minutes: number;
  securityLink: string;
}) =>
  accountEmail(
    'wrong_passwords',
    'Someone is trying to sign in',
    `Someone entered a wrong password for your account ${tries} times in the last ${minutes} minutes. From now on, each attempt has to wait longer.`,
    'Nobody got in. If this was you, wait a little while or set a new password.',
    link("See where you're signed in:", 'See my devices', securityLink),
  );

/** A password was replaced; the other sessions have ended with the old one. */
export const passwordChangedEmail = ({ passwordLink }: { passwordLink: string }) =>
  accountEmail(
    'password_changed',
    'Your password was changed',
    'The password for your account was changed, and every other device was signed out.',
    "If this was you, there's nothing to do.",
    link('If not, set a new one now:', 'Set a new password', passwordLink),
  );

/** The trial of this mailbox was used before; told by mail only, so that nobody can ask about others. */
export const trialUsedEmail = ({ signInLink }: { signInLink: string }) =>
  accountEmail(
    'trial_used',
    'About your free trial',
    'Your account is ready. This email address has already used its free trial, so the account starts without one.',
    link('To sign in:', 'Sign in', signInLink),
  );

/** An account was closed, and everything about the person with it; the address itself goes when it is erased. */
export const accountClosedEmail = ({ eraseHours }: { eraseHours: number }) =>
  accountEmail(
    'account_closed',
    'Your account was closed',
    'Your account was closed, and every device was signed out.',
    `What you told us about yourself has been deleted. This email address will be deleted within ${eraseHours} hours.`,
  );

/** Whoever runs the installation has given something to an account. */
export const accessGrantedEmail = ({
  what,
  day,
  subscriptionPage,
}: {
  what: 'free' | 'suite' | 'beta';
  /** Until when, as words; null where it has no end. */
  day: string | null;
  subscriptionPage: string;
}) =>
  accountEmail(
    'access_granted',
    'Something new on your account',
    grantedWords[what](day),
    ...(what === 'free'
      ? ["A plan that you pay for isn't canceled by this. You can cancel it there at any time."]
      : []),
    link('How your account stands:', 'Open my plan', subscriptionPage),
  );

const grantedWords = {
  free: (day: string | null) =>
    `Your account is free ${day === null ? 'from now on' : `until ${day}`}. You need no card for it.`,
  suite: () => 'Your account now includes the suite.',
  beta: () => 'Your account now gets new features before everyone else.',
};

interface CodeLinks {
  securityLink: string;
  /** Where a new password is asked for: whoever did this knows the one of now. */
  passwordLink: string;
}

const ifNot = ({ passwordLink }: CodeLinks) => [
  "If this was you, there's nothing to do.",
  link('If not, set a new password now and write to us:', 'Set a new password', passwordLink),
];

/** A code is asked for at every sign-in from now on. */
export const secondFactorOnEmail = (about: CodeLinks): EmailText =>
  accountEmail(
    'second_factor_on',
    'Two-step sign-in is on',
    'From now on, signing in to your account takes a code from your authenticator app as well as your password.',
    'Keep your backup codes where you find them without your phone.',
    ...ifNot(about),
  );

/** The password alone lets in again. */
export const secondFactorOffEmail = (about: CodeLinks): EmailText =>
  accountEmail(
    'second_factor_off',
    'Two-step sign-in is off',
    'Signing in to your account takes only your password again. Your backup codes no longer work.',
    ...ifNot(about),
  );

/** The operator has taken it away, because somebody wrote that their phone is lost. */
export const secondFactorTakenEmail = ({ securityLink, passwordLink }: CodeLinks): EmailText =>
  accountEmail(
    'second_factor_taken',
    'Two-step sign-in was switched off for you',
    'You asked us to switch it off. Signing in takes only your password again, and every device was signed out.',
    link('Once you have signed in, set it up again:', 'Set it up', securityLink),
    link("If you didn't ask for this, set a new password now and write to us:", 'Set a new password', passwordLink),
  );

/** The backup codes of before are worth nothing. */
export const backupCodesEmail = (about: CodeLinks): EmailText =>
  accountEmail(
    'backup_codes_new',
    'You have new backup codes',
    'New backup codes were made for your account. The ones from before no longer work.',
    ...ifNot(about),
  );

/** Somebody has come in without the phone. */
export const backupCodeUsedEmail = ({ left, ...about }: CodeLinks & { left: number }): EmailText =>
  accountEmail(
    'backup_code_used',
    'A backup code was used',
    `Someone used one of your backup codes. ${left === 0 ? 'None is left.' : `${formatCount(left, 'code')} left.`}`,
    link('You can make new ones:', 'See my backup codes', about.securityLink),
    ...ifNot(about),
  );

/** Wrong codes after the right password: whoever tries knows it. */
export const wrongCodesEmail = ({
  tries,
  passwordLink,
}: Pick<CodeLinks, 'passwordLink'> & { tries: number }): EmailText =>
  accountEmail(
    'wrong_codes',
    'Someone knows your password',
    `Someone entered your password and then ${formatCount(tries, 'wrong code')}. They didn't get in. From now on, each attempt has to wait longer.`,
    'If this was you, wait a little while or use a backup code.',
    link('If not, set a new password now:', 'Set a new password', passwordLink),
  );
