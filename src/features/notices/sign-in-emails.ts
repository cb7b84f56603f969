import { formatCount } from '#kit/text.ts';
import { accountEmail, code, type EmailText, facts, ignore, link, validFor } from './email-words.ts';

/** Proves that whoever asked for another address reads it. */
export const emailChangeCodeEmail = ({ code: digits, codeMinutes }: { code: string; codeMinutes: number }): EmailText =>
  validFor(
    codeMinutes,
    accountEmail(
      'email_change_code',
      'Confirm your new address',
      'Someone wants to use this address for their account.',
      `Enter this code where you asked for it (valid for ${codeMinutes} minutes):`,
      code(digits),
      ignore,
    ),
  );

/** To the address that whoever runs the place was asked to give an account. */
export const emailChangeLinkEmail = ({ link: confirm, linkHours }: { link: string; linkHours: number }): EmailText =>
  accountEmail(
    'email_change_link',
    'Confirm your new address',
    'You asked us to use this address for your account, because you can no longer read the one before.',
    link(`Confirm it within ${linkHours} hours:`, 'Use this address', confirm),
    "If you didn't ask for it, don't open the link: nothing changes without it.",
  );

/** To an address that has an account; the page says the same as for one that has none. */
export const emailChangeKnownEmail = (): EmailText =>
  accountEmail(
    'email_change_known',
    'This address has an account',
    'Someone wanted to use this address for another account. It has an account of its own, so nothing was changed.',
    ignore,
  );

/** To the old address: the way back. */
export const emailChangedEmail = ({ undoLink, undoDays }: { undoLink: string; undoDays: number }): EmailText =>
  accountEmail(
    'email_changed',
    'Your email address was changed',
    'Your account now has another email address. From now on, this one gets no more emails about it.',
    "If this was you, there's nothing to do.",
    link(
      `If not, put this address back within ${formatCount(undoDays, 'day')}. It signs out every device, and you set a new password:`,
      'Put my address back',
      undoLink,
    ),
  );

/** To the new address. */
export const emailChangeDoneEmail = ({ securityLink }: { securityLink: string }): EmailText =>
  accountEmail(
    'email_change_done',
    'This is your address now',
    'Your account has this email address now. Sign in with it from now on.',
    link("See where you're signed in:", 'See my devices', securityLink),
  );

/** To both: the old address is back. */
export const emailChangeUndoneEmail = ({ passwordLink }: { passwordLink: string }): EmailText =>
  accountEmail(
    'email_change_undone',
    'A change of address was undone',
    'The email address of your account was changed back to the one from before. Every device was signed out, and the password no longer works.',
    link('Set a new password with the address from before:', 'Set a new password', passwordLink),
  );

/** Answers a sign-up with an address that can still be put back on the account that it belonged to. */
export const addressKeptEmail = (): EmailText =>
  accountEmail(
    'address_kept',
    'About this address',
    'Someone tried to sign up with this address. It belonged to an account until a few days ago and can still be put back there: the link is in the email from then.',
    'Once that time is over, a new account can be made with it.',
    ignore,
  );

interface PasskeyWords {
  name: string;
  securityLink: string;
  passwordLink: string;
}

/** A passkey signs in from now on. */
export const passkeyAddedEmail = ({ name, securityLink, passwordLink }: PasskeyWords): EmailText =>
  accountEmail(
    'passkey_added',
    'A passkey was added to your account',
    'From now on, this passkey signs in to your account:',
    facts(name),
    "If this was you, there's nothing to do.",
    link('If not, remove it:', 'See my passkeys', securityLink),
    link('And set a new password:', 'Set a new password', passwordLink),
  );

/** A passkey signs in no more. */
export const passkeyRemovedEmail = ({ name, passwordLink }: PasskeyWords): EmailText =>
  accountEmail(
    'passkey_removed',
    'A passkey was removed from your account',
    'This passkey no longer signs in to your account:',
    facts(name),
    "If this was you, there's nothing to do.",
    link('If not, set a new password now and write to us:', 'Set a new password', passwordLink),
  );
