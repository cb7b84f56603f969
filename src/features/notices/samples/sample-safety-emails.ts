import type { EmailText } from '../email-words.ts';
import {
  backupCodesEmail,
  backupCodeUsedEmail,
  secondFactorOffEmail,
  secondFactorOnEmail,
  secondFactorTakenEmail,
  wrongCodesEmail,
} from '../emails.ts';
import {
  addressKeptEmail,
  emailChangeCodeEmail,
  emailChangeDoneEmail,
  emailChangedEmail,
  emailChangeKnownEmail,
  emailChangeLinkEmail,
  emailChangeUndoneEmail,
  passkeyAddedEmail,
  passkeyRemovedEmail,
} from '../sign-in-emails.ts';

interface Links {
  securityLink: string;
  passwordLink: string;
}

const secondFactorEmails = (links: Links): EmailText[] => [
  secondFactorOnEmail(links),
  secondFactorOffEmail(links),
  secondFactorTakenEmail(links),
  backupCodesEmail(links),
  backupCodeUsedEmail({ ...links, left: 9 }),
  wrongCodesEmail({ ...links, tries: 5 }),
];

const emailChangeEmails = (publicUrl: string, links: Links): EmailText[] => [
  emailChangeCodeEmail({ code: '123456', codeMinutes: 10 }),
  emailChangeLinkEmail({ link: `${publicUrl}/auth?action=confirm-email#sample`, linkHours: 24 }),
  emailChangeKnownEmail(),
  emailChangedEmail({ undoLink: `${publicUrl}/auth?action=undo-email#sample`, undoDays: 7 }),
  emailChangeDoneEmail(links),
  emailChangeUndoneEmail(links),
  addressKeptEmail(),
];

const passkeyEmails = (links: Links): EmailText[] => [
  passkeyAddedEmail({ ...links, name: 'Safari on iPhone' }),
  passkeyRemovedEmail({ ...links, name: 'Safari on iPhone' }),
];

/** The emails that keep an account safe, with made-up facts. */
export const safetyEmails = (publicUrl: string, links: Links): EmailText[] => [
  ...secondFactorEmails(links),
  ...emailChangeEmails(publicUrl, links),
  ...passkeyEmails(links),
];
