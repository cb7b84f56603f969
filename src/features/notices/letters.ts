/** What a letter says. Subjects are neutral: a lock screen shows them to anybody. */
export interface LetterText {
  template: string;
  subject: string;
  text: string;
}

const letter = (template: string, subject: string, ...paragraphs: string[]): LetterText => ({
  template,
  subject,
  text: `${paragraphs.join('\n\n')}\n\n– PrivateFans\n`,
});

const ignore = "If that wasn't you, you can ignore this email: nothing happens without it.";

/** First mail of a new account: its link and its code do the same. */
export const confirmLetter = ({
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
  letter(
    'confirm',
    'Confirm your email',
    'Someone signed up with this address.',
    `To continue, enter this code where you started (good for ${codeMinutes} minutes):\n\n    ${code}`,
    `Or open this link in the same browser (good for ${linkMinutes} minutes):\n${link}`,
    ignore,
  );

/** Answer to a sign-up with a known address; the page says the same as for a new one. */
export const accountExistsLetter = ({ signInLink, passwordLink }: { signInLink: string; passwordLink: string }) =>
  letter(
    'account_exists',
    'You already have an account',
    'Someone tried to sign up with this address, which already has an account.',
    `Sign in: ${signInLink}`,
    `Forgot your password? ${passwordLink}`,
    ignore,
  );

/** Sets the first password or a new one; the address alone is never enough. */
export const passwordLetter = ({
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
  letter(
    isFirst ? 'set_password' : 'reset_password',
    isFirst ? 'Create your password' : 'Reset your password',
    `You asked to ${isFirst ? 'create your' : 'set a new'} password.`,
    `Enter this code where you asked (good for ${codeMinutes} minutes):\n\n    ${code}`,
    `Or open this link in the same browser (good for ${linkMinutes} minutes):\n${link}`,
    ignore,
  );

/** A sign-in from a device that this account had not used before. */
export const newDeviceLetter = ({
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
  letter(
    'new_device',
    'New sign-in to your account',
    `Someone signed in to your account from a new device:\n\n    ${device}\n    ${country ?? 'Country unknown'}\n    ${at}`,
    "If that was you, there's nothing to do.",
    `If not, change your password and sign out everywhere: ${securityLink}`,
  );

/** Many wrong passwords in a short time; the account is slowed down, not locked. */
export const wrongPasswordsLetter = ({
  tries,
  minutes,
  securityLink,
}: {
  tries: number;
  minutes: number;
  securityLink: string;
}) =>
  letter(
    'wrong_passwords',
    'Someone is trying to sign in',
    `There were ${tries} sign-ins with a wrong password to your account in the last ${minutes} minutes. Each further attempt has to wait longer.`,
    'Nobody got in. If that was you, wait a little or set a new password.',
    `See where you are signed in: ${securityLink}`,
  );

/** A password was replaced; the other sessions have ended with the old one. */
export const passwordChangedLetter = ({ passwordLink }: { passwordLink: string }) =>
  letter(
    'password_changed',
    'Your password was changed',
    'The password of your account was changed. Every other device has been signed out.',
    "If that was you, there's nothing to do.",
    `If not, set a new one now: ${passwordLink}`,
  );

/** The trial of this mailbox was used before; told by mail only, so that nobody can ask about others. */
export const trialUsedLetter = ({ signInLink }: { signInLink: string }) =>
  letter(
    'trial_used',
    'About your free trial',
    'Your account is ready. This email address has already used its free trial, so the account starts without one.',
    `Sign in: ${signInLink}`,
  );

/** The first time somebody opens a link. What it leads to is named nowhere in the mail. */
export const firstOpenLetter = ({
  at,
  country,
  linkPage,
}: {
  at: string;
  country: string | undefined;
  linkPage: string;
}) =>
  letter(
    'first_open',
    'A link was opened',
    `One of your links was opened for the first time: ${at}, ${country ?? 'country unknown'}.`,
    `See it, or change your notifications: ${linkPage}`,
  );

/** What followed the first opening, for whoever wants to hear of every one. */
export const furtherOpensLetter = ({ opens, since, linkPage }: { opens: number; since: string; linkPage: string }) =>
  letter(
    'further_opens',
    'A link was opened again',
    `One of your links was opened ${opens === 1 ? 'once' : `${opens} times`} more since ${since}.`,
    `See it, or change your notifications: ${linkPage}`,
  );

/** Strangers try passwords on a link; which one is said on its page alone. */
export const passwordGuessedLetter = ({ tries, linkPage }: { tries: number; linkPage: string }) =>
  letter(
    'password_guessed',
    'Someone is guessing a password',
    `There were ${tries} wrong passwords on one of your links. Further tries have to wait a minute each, for everybody who does not know the password.`,
    'Anyone who entered the right one before still gets in.',
    `Change the password, or revoke the link: ${linkPage}`,
  );
