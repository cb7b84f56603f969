import { formatCount } from '#kit/text.ts';
import { accountEmail, type EmailText, link } from './email-words.ts';

interface About {
  securityLink: string;
  /** Where a new password is asked for: whoever did this knows the one of now. */
  passwordLink: string;
}

const ifNot = ({ passwordLink }: About) => [
  "If this was you, there's nothing to do.",
  link('If not, set a new password now and write to us:', 'Set a new password', passwordLink),
];

/** A code is asked for at every sign-in from now on. */
export const secondFactorOnEmail = (about: About): EmailText =>
  accountEmail(
    'second_factor_on',
    'Two-step sign-in is on',
    'From now on, signing in to your account takes a code from your authenticator app as well as your password.',
    'Keep your backup codes where you find them without your phone.',
    ...ifNot(about),
  );

/** The password alone lets in again. */
export const secondFactorOffEmail = (about: About): EmailText =>
  accountEmail(
    'second_factor_off',
    'Two-step sign-in is off',
    'Signing in to your account takes only your password again. Your backup codes no longer work.',
    ...ifNot(about),
  );

/** The operator has taken it away, because somebody wrote that their phone is lost. */
export const secondFactorTakenEmail = ({ securityLink, passwordLink }: About): EmailText =>
  accountEmail(
    'second_factor_taken',
    'Two-step sign-in was switched off for you',
    'You asked us to switch it off. Signing in takes only your password again, and every device was signed out.',
    link('Once you have signed in, set it up again:', 'Set it up', securityLink),
    link("If you didn't ask for this, set a new password now and write to us:", 'Set a new password', passwordLink),
  );

/** The backup codes of before are worth nothing. */
export const backupCodesEmail = (about: About): EmailText =>
  accountEmail(
    'backup_codes_new',
    'You have new backup codes',
    'New backup codes were made for your account. The ones from before no longer work.',
    ...ifNot(about),
  );

/** Somebody has come in without the phone. */
export const backupCodeUsedEmail = ({ left, ...about }: About & { left: number }): EmailText =>
  accountEmail(
    'backup_code_used',
    'A backup code was used',
    `Someone used one of your backup codes. ${left === 0 ? 'None is left.' : `${formatCount(left, 'code')} left.`}`,
    link('You can make new ones:', 'See my backup codes', about.securityLink),
    ...ifNot(about),
  );

/** Wrong codes after the right password: whoever tries knows it. */
export const wrongCodesEmail = ({ tries, passwordLink }: Pick<About, 'passwordLink'> & { tries: number }): EmailText =>
  accountEmail(
    'wrong_codes',
    'Someone knows your password',
    `Someone entered your password and then ${formatCount(tries, 'wrong code')}. They didn't get in. From now on, each attempt has to wait longer.`,
    'If this was you, wait a little while or use a backup code.',
    link('If not, set a new password now:', 'Set a new password', passwordLink),
  );
