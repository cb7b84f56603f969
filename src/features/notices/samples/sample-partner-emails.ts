import type { EmailText } from '../email-words.ts';
import {
  partnerApprovedEmail,
  partnerClosedEmail,
  partnerPaidEmail,
  partnerPausedEmail,
  partnerRejectedEmail,
} from '../partner-emails.ts';

/** What partners are written, with made-up facts. */
export const samplePartnerEmails = (page: string): EmailText[] => [
  partnerApprovedEmail({ page }),
  partnerRejectedEmail({ reason: 'We work with people who write about safety.' }),
  partnerPausedEmail({ reason: 'Your posts are not marked as ads.', page }),
  partnerClosedEmail({ reason: 'Your posts are not marked as ads.', page }),
  partnerPaidEmail({ amount: '$31.20', page }),
];
