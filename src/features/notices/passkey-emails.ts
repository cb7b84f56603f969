import { accountEmail, type EmailText, facts, link } from './email-words.ts';

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
