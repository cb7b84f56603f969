/** What an email says. Subjects are neutral: a lock screen shows them to anybody. */
export interface EmailText {
  template: string;
  subject: string;
  text: string;
}

const email = (template: string, subject: string, ...paragraphs: string[]): EmailText => ({
  template,
  subject,
  text: `${paragraphs.join('\n\n')}\n\n– PrivateFans\n`,
});

const ignore = "If this wasn't you, you can ignore this email. Nothing will happen.";

/** First mail of a new account: its link and its code do the same. */
export const confirmationEmail = ({
  link,
  code,
  linkMinutes,
  codeMinutes,
}: {
  link: string;
  code: string;
  linkMinutes: number;
  codeMinutes: number;
}) =>
  email(
    'confirm',
    'Confirm your email',
    'Someone signed up with this address.',
    `To continue, enter this code where you started (valid for ${codeMinutes} minutes):\n\n    ${code}`,
    `Or open this link in the same browser (valid for ${linkMinutes} minutes):\n${link}`,
    ignore,
  );

/** Answer to a sign-up with a known address; the page says the same as for a new one. */
export const accountExistsEmail = ({ signInLink, passwordLink }: { signInLink: string; passwordLink: string }) =>
  email(
    'account_exists',
    'You already have an account',
    'Someone tried to sign up with this address, which already has an account.',
    `Sign in: ${signInLink}`,
    `Forgot your password? ${passwordLink}`,
    ignore,
  );

/** Sets the first password or a new one; the address alone is never enough. */
export const passwordEmail = ({
  link,
  code,
  linkMinutes,
  codeMinutes,
  isFirst,
}: {
  link: string;
  code: string;
  linkMinutes: number;
  codeMinutes: number;
  isFirst: boolean;
}) =>
  email(
    isFirst ? 'set_password' : 'reset_password',
    isFirst ? 'Create your password' : 'Reset your password',
    `You asked to ${isFirst ? 'create your' : 'reset your'} password.`,
    `Enter this code where you asked for it (valid for ${codeMinutes} minutes):\n\n    ${code}`,
    `Or open this link in the same browser (valid for ${linkMinutes} minutes):\n${link}`,
    ignore,
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
  email(
    'new_device',
    'New sign-in to your account',
    `Someone signed in to your account from a new device:\n\n    ${device}\n    ${country ?? 'Country unknown'}\n    ${at}`,
    "If this was you, there's nothing to do.",
    `If not, change your password and sign out everywhere: ${securityLink}`,
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
  email(
    'wrong_passwords',
    'Someone is trying to sign in',
    `Someone entered a wrong password for your account ${tries} times in the last ${minutes} minutes. From now on, each attempt has to wait longer.`,
    'Nobody got in. If this was you, wait a little while or set a new password.',
    `See where you're signed in: ${securityLink}`,
  );

/** A password was replaced; the other sessions have ended with the old one. */
export const passwordChangedEmail = ({ passwordLink }: { passwordLink: string }) =>
  email(
    'password_changed',
    'Your password was changed',
    'The password for your account was changed, and every other device was signed out.',
    "If this was you, there's nothing to do.",
    `If not, set a new one now: ${passwordLink}`,
  );

/** The trial of this mailbox was used before; told by mail only, so that nobody can ask about others. */
export const trialUsedEmail = ({ signInLink }: { signInLink: string }) =>
  email(
    'trial_used',
    'About your free trial',
    'Your account is ready. This email address has already used its free trial, so the account starts without one.',
    `Sign in: ${signInLink}`,
  );

/** The first time somebody opens a link. What it leads to is named nowhere in the mail. */
export const firstOpenEmail = ({
  at,
  country,
  linkPage,
}: {
  at: string;
  country: string | undefined;
  linkPage: string;
}) =>
  email(
    'first_open',
    'A link was opened',
    `One of your links was opened for the first time: ${at}, ${country ?? 'country unknown'}.`,
    `See it, or change your notifications: ${linkPage}`,
  );

/** What followed the first opening, for whoever wants to hear of every one. */
export const furtherOpensEmail = ({ opens, since, linkPage }: { opens: number; since: string; linkPage: string }) =>
  email(
    'further_opens',
    'A link was opened again',
    `One of your links has been opened ${opens === 1 ? 'once more' : `${opens} more times`} since ${since}.`,
    `See it, or change your notifications: ${linkPage}`,
  );

/** Strangers try passwords on a link; which one is said on its page alone. */
export const passwordGuessedEmail = ({ tries, linkPage }: { tries: number; linkPage: string }) =>
  email(
    'password_guessed',
    'Someone is guessing a password',
    `Someone entered a wrong password ${tries} times on one of your links. Anyone who doesn't know the password now has to wait a minute between attempts.`,
    'Anyone who has already entered the right one can still get in.',
    `Change the password, or revoke the link: ${linkPage}`,
  );
