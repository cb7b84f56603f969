import {
  consentAnsweredEmail,
  consentEndedEmail,
  consentGivenEmail,
  consentRequestedEmail,
  consentReviewedEmail,
  consentToReviewEmail,
  consentWithdrawnEmail,
  consentWithdrawnNoticeEmail,
} from '../consent-emails.ts';
import type { EmailText } from '../email-words.ts';

/** The emails about who is shown, with made-up facts. */
export function sampleConsentEmails(publicUrl: string): EmailText[] {
  const [consentLink, settingsLink] = [`${publicUrl}/consent#sample`, `${publicUrl}/albums/sample/settings`];
  const reason = 'Two pictures still show the person.';
  return [
    consentRequestedEmail({ consentLink }),
    consentGivenEmail({ consentLink }),
    consentWithdrawnEmail(),
    consentEndedEmail({ reportPage: `${publicUrl}/report` }),
    consentWithdrawnNoticeEmail({ settingsLink }),
    consentToReviewEmail({ id: '0196f0c2-7b1c-7e2a-8f00-0123456789ab', deskLink: `${publicUrl}/admin/moderation` }),
    ...[true, false].map((isGiven) => consentAnsweredEmail({ isGiven, settingsLink })),
    ...(['opened', 'settled', 'kept'] as const).map((outcome) =>
      consentReviewedEmail({ outcome, reason, settingsLink }),
    ),
  ];
}
