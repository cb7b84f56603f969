import type { EmailText } from '../email-words.ts';
import { emailsOfNotices } from '../notice-words.ts';
import {
  releaseWaitsEmail,
  requestCodeEmail,
  requestDecidedEmail,
  requestDeliveredEmail,
  requestEndedEmail,
  requestPaidEmail,
  requestProofEmail,
  requestQuotedEmail,
  requestSentEmail,
  requestWaitsEmail,
} from '../request-emails.ts';
import type { RequestStage } from '../request-notice-words.ts';

const requestId = '0196f0c2-7b1c-7e2a-8f00-0123456789ab';
const stages: readonly RequestStage[] = [
  'withdrawn',
  'expired',
  'paid',
  'revision',
  'problem',
  'late',
  'reported',
  'released',
  'refunded',
];

/** Returns what is written about custom work, with made-up facts. */
export function sampleRequestEmails(publicUrl: string): EmailText[] {
  const page = `${publicUrl}/request/sample`;
  const about = { creatorName: 'Mia', amount: '$40.00', reference: '456789AB', page };
  const [day, until, text] = ['5 December 2026', '1 December 2026, 12:00 UTC', 'I can do it a little later.'];
  const sums = { amountCents: 4000, shareCents: 3600, currency: 'USD' };
  return [
    requestCodeEmail({ code: '123456', codeMinutes: 10 }),
    requestSentEmail(about),
    requestQuotedEmail({ ...about, isCounter: false, within: '7 days', payBy: until, text: '' }),
    requestQuotedEmail({ ...about, isCounter: true, within: '3 days', payBy: until, text }),
    requestPaidEmail({ ...about, day }),
    requestDeliveredEmail({ ...about, until, text }),
    requestEndedEmail({ ...about, words: 'Mia declined it. Nothing was charged.', text: '' }),
    requestProofEmail({ link: `${page}#sample`, linkMinutes: 30 }),
    requestWaitsEmail({
      requestId,
      desk: `${publicUrl}/admin/payments/requests/${requestId}`,
      what: '$40.00, asked of Mia',
      text: 'It is the wrong size.',
      decideBy: until,
    }),
    releaseWaitsEmail({
      requestId,
      what: '$36.00, to Mia',
      since: until,
      words: 'Your destination account needs to have at least one of the following capabilities enabled: transfers',
    }),
    requestDecidedEmail({
      words: '$40.00 is on its way back to the buyer.',
      note: 'Nothing in it was what was agreed.',
      page: `${publicUrl}/requests/${requestId}`,
    }),
    ...stages.flatMap((stage) =>
      emailsOfNotices([{ event: 'request', requestId, stage, ...sums }], { publicUrl, timeZone: 'Europe/Berlin' }),
    ),
  ];
}
