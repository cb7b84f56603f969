import { settingRules } from '#features/settings/rules.ts';
import { sampleAccessEmails } from '../access-emails.ts';
import {
  accountErasedEmail,
  dataCodeEmail,
  deletionBegunEmail,
  deletionKeptEmail,
  erasureBegunEmail,
  exportReadyEmail,
  glassOpenedEmail,
  personErasedEmail,
} from '../account-state-emails.ts';
import { disputeEmail, disputeLostEmail, disputeWaitsEmail, disputeWonEmail } from '../dispute-emails.ts';
import type { EmailText } from '../email-words.ts';
import {
  fansUnbilledEmail,
  fullCheckRedEmail,
  keyRefusedEmail,
  owedBackEmail,
  toSendEmail,
  unbilledEmail,
} from '../provider-emails.ts';
import {
  orderRefundedEmail,
  paymentReportedEmail,
  refundAnsweredEmail,
  refundAskedEmail,
  refundCameBackEmail,
  refundFailedEmail,
  refundNotTakenEmail,
  refundRefusedEmail,
  refundRequestKeptEmail,
  refundWaitsEmail,
} from '../refund-emails.ts';

const linkId = '0196f0c2-7b1c-7e2a-8f00-0123456789ab';

/** One of each about money that goes back, to be looked at. */
export const sampleRefundEmails = (publicUrl: string): EmailText[] => {
  const [what, amount, reason, text] = ['Album', '$15.00', "I couldn't open it", 'It stays black.'];
  const earningsPage = `${publicUrl}/earnings`;
  return [
    ...[true, false].flatMap((is) => [
      refundRequestKeptEmail({ isOperators: is, amount }),
      refundAnsweredEmail({ isRefunded: is, amount, answer: 'I am sorry.', contact: `${publicUrl}/contact` }),
      refundWaitsEmail({ orderId: linkId, isComplaint: is, what, reason, text }),
    ]),
    refundAskedEmail({ what, amount, reason, text, earningsPage }),
    refundRefusedEmail({ what, amount, earningsPage }),
    ...(['access', 'credits', { requestId: linkId }] as const).map((sold) =>
      refundFailedEmail({ orderId: linkId, what: `${what}: ${amount}`, sold, said: 'Insufficient funds.' }),
    ),
    ...[true, false].map((isPart) => {
      const why = "The card's bank reported possible fraud.";
      return orderRefundedEmail({
        what: 'Tip to Mia',
        amount,
        isPart,
        why,
        receiptPage: `${publicUrl}/receipt/sample`,
        statementDescriptor: settingRules['money.statementDescriptor'].default,
      });
    }),
    ...sampleAccessEmails(`${publicUrl}/receipt/sample`),
    fullCheckRedEmail({ failed: ['A tip opens a link: The payment is failed.'], page: `${publicUrl}/admin/fullcheck` }),
    owedBackEmail({ of: 'du_sample', what: 'Custom request, $36.00, Mia', said: 'Insufficient funds.' }),
    toSendEmail({ of: 'du_sample', what: 'Custom request, $36.00, Mia', said: 'Insufficient funds.' }),
    unbilledEmail({
      what: 'A subscription to Mia, $9.99',
      invoiceId: 'in_sample',
      said: 'transfers_not_allowed',
      endDay: '3 May 2026',
    }),
    fansUnbilledEmail({ payoutsPage: `${publicUrl}/account/payouts`, endDay: '3 May 2026' }),
    keyRefusedEmail({ said: 'Expired API Key provided.' }),
    refundCameBackEmail({ orderId: linkId, what }),
    refundNotTakenEmail({ what, contact: `${publicUrl}/contact` }),
    ...(['access', 'subscription', 'nothing'] as const).map((ended) =>
      paymentReportedEmail({ what, amount, share: '$13.50', ended, earningsPage }),
    ),
    paymentReportedEmail({ what: 'Custom request', amount, share: undefined, ended: 'request', earningsPage }),
  ];
};

/** One of each about disputes. */
export const sampleDisputeEmails = (publicUrl: string): EmailText[] => {
  const about = { what: 'Album', closes: 'access' as const, amount: '$15.00', earningsPage: `${publicUrl}/earnings` };
  const waits = { disputeId: 'du_sample', what: 'Album, $15.00', reason: 'fraudulent', isEscalated: false };
  return [
    ...[disputeEmail, disputeWonEmail, disputeLostEmail].flatMap((emailOf) => [
      emailOf(about),
      emailOf({ ...about, fee: '$15.00' }),
      emailOf({ ...about, what: 'Tip', closes: 'nothing' }),
      emailOf({ ...about, what: 'Custom request', closes: 'held' }),
    ]),
    disputeWonEmail({ ...about, fee: '$15.00', isFeeReturned: true }),
    disputeWaitsEmail({ ...waits, orderId: linkId, day: '28 November 2026' }),
    disputeWaitsEmail({ ...waits, orderId: linkId, day: '28 November 2026', isEscalated: true }),
    disputeWaitsEmail({ ...waits, orderId: null, day: '' }),
    disputeWaitsEmail({ ...waits, what: 'Credits, $5.00', orderId: null, day: '28 November 2026' }),
  ];
};

/** Those of an account that is deleted, or whose data are taken along. */
export const sampleDeletionEmails = ({
  publicUrl,
  passwordLink,
}: {
  publicUrl: string;
  passwordLink: string;
}): EmailText[] => [
  ...(['here', 'by_letter'] as const).map((asked) =>
    deletionBegunEmail({ day: '5 December 2026', asked, signInLink: `${publicUrl}/auth?action=keep`, passwordLink }),
  ),
  deletionKeptEmail({ home: `${publicUrl}/`, passwordLink }),
  glassOpenedEmail({
    about: 'report 12345678',
    at: 'November 30, 12:00 UTC',
    minutes: 30,
    reason: 'To see whether the second photo shows the person who reported it.',
    contact: `${publicUrl}/contact`,
  }),
  accountErasedEmail({
    number: '0196f0c2-7b1c-7e2a-8f00-0123456789ab',
    day: '2026-12-05',
    keys: 12,
    files: 84,
    keyHash: 'a1'.repeat(32),
    masterKeys: ['a1b2c3d4'],
    backupDay: '2027-01-04',
  }),
  exportReadyEmail({ day: '5 December 2026', page: `${publicUrl}/account/data` }),
  ...(['export', 'erase', 'keep'] as const).map((act) => dataCodeEmail({ code: '123456', codeMinutes: 10, act })),
  ...(['here', 'by_letter'] as const).map((asked) =>
    erasureBegunEmail({
      day: '5 December 2026',
      asked,
      page: `${publicUrl}/my/data`,
      findPage: `${publicUrl}/find-my-purchases`,
    }),
  ),
  personErasedEmail({ number: '0196f0c2-7b1c-7e2a-8f00-0123456789ab', day: '2026-12-05' }),
];
