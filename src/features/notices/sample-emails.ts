import { settingRules } from '#features/settings/rules.ts';
import { accountBackEmail, accountSuspendedEmail } from './account-state-emails.ts';
import type { NoticeEvent } from './contract.ts';
import type { EmailText } from './email-words.ts';
import {
  accessGrantedEmail,
  accountClosedEmail,
  accountExistsEmail,
  confirmationEmail,
  newDeviceEmail,
  passwordChangedEmail,
  passwordEmail,
  proofCodeEmail,
  trialUsedEmail,
  wrongPasswordsEmail,
} from './emails.ts';
import {
  fanCancelledEmail,
  fanEndedEmail,
  fanPaymentFailedEmail,
  fanPriceEmail,
  fanRenewsEmail,
} from './fan-emails.ts';
import {
  latePaymentEmail,
  passCodeEmail,
  passGivenEmail,
  paymentFailedEmail,
  purchasesEmail,
  receiptEmail,
  refundDecidedEmail,
} from './money-emails.ts';
import { emailsOfNotices, type Notice } from './notice-words.ts';
import { packReceiptEmail, packRefundedEmail } from './pack-emails.ts';
import { applicationEmail } from './partner-emails.ts';
import {
  payoutAccountEmail,
  payoutAppealEmail,
  payoutClosedEmail,
  payoutFailedEmail,
  payoutHeldEmail,
  payoutReleasedEmail,
  payoutRestrictedEmail,
  payoutScheduleEmail,
  payoutSentEmail,
  payoutWaitsEmail,
} from './payout-emails.ts';
import {
  albumsKeptEmail,
  albumsRemovedEmail,
  planCancelledEmail,
  planEndedEmail,
  planPausedEmail,
  planPaymentFailedEmail,
  planReceiptEmail,
  planRefundedEmail,
  planRenewsEmail,
  planResumedEmail,
  planResumesEmail,
  planUnbilledEmail,
} from './plan-emails.ts';
import { termsOf } from './refund-promise.ts';
import { sampleConsentEmails } from './samples/sample-consent-emails.ts';
import { samplePartnerEmails } from './samples/sample-partner-emails.ts';
import { sampleDeletionEmails, sampleDisputeEmails, sampleRefundEmails } from './samples/sample-refund-emails.ts';
import { reportEmails } from './samples/sample-report-emails.ts';
import { sampleRequestEmails } from './samples/sample-request-emails.ts';
import { safetyEmails } from './samples/sample-safety-emails.ts';
import { supportAnswerEmail, supportNumberEmail, supportReplyEmail, supportRequestEmail } from './support-emails.ts';

const linkId = '0196f0c2-7b1c-7e2a-8f00-0123456789ab';
const at = '2026-11-21T12:00:00.000Z';

const notices: { [E in NoticeEvent]: Notice } = {
  first_open: { event: 'first_open', linkId, at, country: 'Portugal (estimated)' },
  further_opens: { event: 'further_opens', linkId, opens: 3, since: at },
  tip: { event: 'tip', orderId: linkId, isSale: false, amountCents: 1000, shareCents: 900, currency: 'USD' },
  fan: { event: 'fan', fanId: linkId, stage: 'new', amountCents: 999, shareCents: 899, currency: 'USD' },
  refund: {
    event: 'refund',
    orderId: linkId,
    why: 'duplicate',
    amountCents: 1500,
    shareCents: 1350,
    currency: 'USD',
  },
  request: {
    event: 'request',
    requestId: linkId,
    stage: 'new',
    amountCents: 4000,
    shareCents: 3600,
    currency: 'USD',
  },
  access_request: { event: 'access_request', linkId },
  password_guessed: { event: 'password_guessed', linkId, tries: 200 },
  wrong_address: { event: 'wrong_address', linkId },
  security_high: { event: 'security_high', linkId },
  link_expires: { event: 'link_expires', linkId, at },
  processing_failed: { event: 'processing_failed', noun: 'video' },
  storage: { event: 'storage', percent: 80 },
  trial: { event: 'trial', stage: 'ends', at },
};

const statementDescriptor = settingRules['money.statementDescriptor'].default;
const planEmails = (billingPage: string): EmailText[] => {
  const [amount, day] = ['$3.99', '28 November 2026'];
  return [
    planReceiptEmail({ billingPage, number: 'A1B2C3D4-0001', amount, day, statementDescriptor }),
    planPaymentFailedEmail({ billingPage, amount, nextDay: day }),
    planUnbilledEmail({ billingPage, amount, endDay: day }),
    planRenewsEmail({ billingPage, amount, day }),
    planCancelledEmail({ billingPage, day }),
    planEndedEmail({ billingPage }),
    ...[false, true].map((isReported) => planRefundedEmail({ billingPage, amount, isReported })),
    planPausedEmail({ billingPage, amount, from: day, until: '3 July 2026' }),
    planResumesEmail({ billingPage, amount, day }),
    planResumedEmail({ billingPage, amount, day, isCharged: false }),
    albumsKeptEmail({ billingPage, day, isLast: false }),
    albumsKeptEmail({ billingPage, day, isLast: true }),
    albumsRemovedEmail({ billingPage, undoHours: 72 }),
  ];
};

const packEmails = (creditsPage: string): EmailText[] => {
  const about = { creditsPage, credits: 50 };
  return [
    packReceiptEmail({
      ...about,
      orderId: linkId,
      amount: '$5.00',
      day: '28 November 2026',
      statementDescriptor,
    }),
    ...[false, true].map((isReported) => packRefundedEmail({ ...about, amount: '$3.00', isReported })),
  ];
};

const payoutEmails = (payoutsPage: string): EmailText[] => {
  const day = '28 November 2026';
  const held = {
    title: 'Your first payout is being reviewed',
    text: 'A person looks at every first payout. Later ones go out automatically.',
    toDo: 'There is nothing you need to do.',
  };
  const waits = { email: 'mia@example.com', why: 'REVIEW_NEW' };
  return [
    payoutScheduleEmail({ payoutsPage, interval: 'Weekly, on Friday' }),
    payoutAccountEmail({ payoutsPage }),
    payoutSentEmail({ payoutsPage, amount: '$90.00', day }),
    payoutFailedEmail({ payoutsPage, amount: '$90.00' }),
    payoutHeldEmail({ payoutsPage, ...held, note: '', day }),
    payoutHeldEmail({ payoutsPage, ...held, note: 'Please send us a document.', day: undefined }),
    payoutReleasedEmail({ payoutsPage }),
    payoutRestrictedEmail({ payoutsPage, missing: [] }),
    payoutRestrictedEmail({ payoutsPage, missing: ['individual.id_number'] }),
    payoutClosedEmail({ contactPage: payoutsPage.replace('/account/payouts', '/contact') }),
    ...[true, false].map((isGranted) => payoutAppealEmail({ payoutsPage, answer: 'We looked at it.', isGranted })),
    payoutWaitsEmail({ ...waits, appeal: undefined }),
    payoutWaitsEmail({ ...waits, appeal: 'Please look at it again.' }),
  ];
};

const fanEmails = (purchasesPage: string): EmailText[] => {
  const [what, amount, day] = ['Subscription to Mia', '$9.99 a month', '28 November 2026'];
  return [
    fanRenewsEmail({ purchasesPage, what, amount, day }),
    fanPaymentFailedEmail({ purchasesPage, what, amount, nextDay: day, endDay: undefined, because: 'card' }),
    fanPaymentFailedEmail({ purchasesPage, what, amount, nextDay: day, endDay: undefined, because: 'creator' }),
    fanPaymentFailedEmail({ purchasesPage, what, amount, nextDay: undefined, endDay: day, because: 'bill' }),
    fanCancelledEmail({ purchasesPage, what, day, isStopped: false }),
    fanCancelledEmail({ purchasesPage, what, day, isStopped: true }),
    fanEndedEmail({ purchasesPage, what, back: undefined }),
    fanEndedEmail({
      purchasesPage,
      what,
      back: { amount: '$4.32', why: 'The creator has closed their account.', receiptPage: `${purchasesPage}/sample` },
    }),
    fanPriceEmail({ purchasesPage, what, amount, newAmount: '$12.99 a month' }),
  ];
};

const accountEmails = (publicUrl: string): EmailText[] => {
  const proof = { link: `${publicUrl}/auth?action=confirm#sample`, code: '123456', linkMinutes: 30, codeMinutes: 10 };
  const [signInLink, passwordLink] = [`${publicUrl}/auth`, `${publicUrl}/auth?action=forgot`];
  const securityLink = `${publicUrl}/profile/security`;
  return [
    confirmationEmail(proof),
    proofCodeEmail(proof),
    accountExistsEmail({ signInLink, passwordLink }),
    passwordEmail({ ...proof, isFirst: true }),
    passwordEmail({ ...proof, isFirst: false }),
    newDeviceEmail({ device: 'Firefox on Linux', country: undefined, at: '21 November 2026, 12:00 UTC', securityLink }),
    wrongPasswordsEmail({ tries: 5, minutes: 15, securityLink }),
    passwordChangedEmail({ passwordLink }),
    ...safetyEmails(publicUrl, { securityLink, passwordLink }),
    trialUsedEmail({ signInLink }),
    accountClosedEmail({ eraseHours: 24 }),
    ...[applicationEmail(), ...samplePartnerEmails(`${publicUrl}/account/affiliate`)],
    ...[
      { what: 'free', day: '5 January 2027' } as const,
      { what: 'free', day: null } as const,
      { what: 'suite', day: null } as const,
      { what: 'beta', day: null } as const,
    ].map((granted) => accessGrantedEmail({ ...granted, subscriptionPage: `${publicUrl}/subscription` })),
    accountSuspendedEmail({ why: 'Somebody else than you is shown.', contact: `${publicUrl}/contact` }),
    accountBackEmail({ home: `${publicUrl}/` }),
    ...sampleDeletionEmails({ publicUrl, passwordLink }),
  ];
};

/** Every email that there is, with made-up facts: for the developers' page, and for tests that ask all of them. */
export function sampleEmails(publicUrl: string): EmailText[] {
  const place = { publicUrl, timeZone: 'Europe/Berlin' };
  return [
    ...accountEmails(publicUrl),
    refundDecidedEmail({
      what: 'Tip',
      amount: '$10.00',
      note: 'Paid twice by mistake.',
      earningsPage: `${publicUrl}/earnings`,
    }),
    paymentFailedEmail({ what: 'Album by Mia', amount: '$15.00', page: `${publicUrl}/view/sample` }),
    latePaymentEmail({
      what: 'Album by Mia',
      amount: '$15.00',
      why: 'The creator has ended access to this link.',
      isSubscription: false,
      receiptPage: `${publicUrl}/receipt/sample`,
    }),
    latePaymentEmail({
      what: 'Subscription to Mia',
      amount: '$9.99',
      why: 'The creator no longer offers this subscription.',
      isSubscription: true,
      receiptPage: `${publicUrl}/receipt/sample`,
    }),
    paymentFailedEmail({ what: 'Tip to Mia', amount: '$15.00', page: undefined }),
    receiptEmail({
      number: 1042,
      amount: '$10.00',
      what: 'Tip to Mia',
      receiptPage: `${publicUrl}/receipt/sample`,
      purchasesPage: `${publicUrl}/find-my-purchases`,
      terms: termsOf('tip', false),
      statementDescriptor,
    }),
    passCodeEmail({ code: '123456', codeMinutes: 10 }),
    passGivenEmail({ creatorName: 'Ana', tierName: 'Inner circle', day: '28 November 2026' }),
    purchasesEmail({ link: `${publicUrl}/find-my-purchases#sample`, linkMinutes: 30 }),
    ...deskEmails(publicUrl),
    ...planEmails(`${publicUrl}/account/billing`),
    ...packEmails(`${publicUrl}/pricing?tab=credits`),
    ...sampleRefundEmails(publicUrl),
    ...sampleDisputeEmails(publicUrl),
    ...payoutEmails(`${publicUrl}/account/payouts`),
    ...fanEmails(`${publicUrl}/my`),
    ...[...sampleRequestEmails(publicUrl), ...sampleConsentEmails(publicUrl)],
    ...[
      ...Object.values(notices),
      { event: 'tip', orderId: linkId, isSale: true, amountCents: 1500, shareCents: 1350, currency: 'USD' } as const,
      { event: 'fan', fanId: linkId, stage: 'ended', amountCents: 999, shareCents: 899, currency: 'USD' } as const,
      { ...notices.tip, isOnPage: true } as Notice,
      { event: 'storage', percent: 95 } as const,
      { event: 'trial', stage: 'ended', at } as const,
    ].flatMap((notice) => emailsOfNotices([notice], place)),
    ...emailsOfNotices(
      Object.values(notices).filter(({ event }) => event !== 'password_guessed'),
      place,
    ),
  ];
}

/** Returns what support and reports write. */
const deskEmails = (publicUrl: string): EmailText[] => [
  ...reportEmails(publicUrl),
  supportNumberEmail({ number: 12345678, page: `${publicUrl}/case?of=support&number=12345678#sample` }),
  supportReplyEmail({
    number: 12345678,
    text: 'It stopped again this evening.',
    desk: `${publicUrl}/admin/support/12345678`,
  }),
  supportRequestEmail({
    number: 12345678,
    name: 'Mia Example',
    email: 'mia@example.com',
    subject: 'My upload stops',
    message: 'It stops at half of it.',
    desk: `${publicUrl}/admin/support/12345678`,
  }),
  supportAnswerEmail({
    number: 12345678,
    subject: 'My upload stops',
    text: 'It works again since this morning.\nPlease try once more.',
    page: `${publicUrl}/case?of=support&number=12345678#sample`,
  }),
];
