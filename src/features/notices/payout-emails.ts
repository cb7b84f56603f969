import { accountEmail, type EmailText, facts, link } from './email-words.ts';

interface About {
  payoutsPage: string;
}

const yourPayouts = ({ payoutsPage }: About) => link('Your payouts:', 'Show payouts', payoutsPage);
const quote = (text: string) => facts(...text.split('\n'));

/** Somebody with the creator's password has chosen when they are paid out. */
export const payoutScheduleEmail = ({ interval, ...about }: About & { interval: string }): EmailText =>
  accountEmail(
    'payout_schedule',
    'Your payout schedule was changed',
    `Your payout schedule is now: ${interval}.`,
    "If this wasn't you, change your password at once.",
    yourPayouts(about),
  );

/** Somebody with the creator's password has opened the account that they are paid on. */
export const payoutAccountEmail = (about: About): EmailText =>
  accountEmail(
    'payout_account',
    'Your payout account was opened',
    'Someone with your password opened your payout account at Stripe, where bank details can be changed.',
    "If this wasn't you, change your password at once and check your bank details.",
    yourPayouts(about),
  );

export const payoutSentEmail = ({ amount, day, ...about }: About & { amount: string; day: string }): EmailText =>
  accountEmail(
    'payout_sent',
    'A payout is on its way',
    `${amount} left for your bank. Expect it around ${day}.`,
    yourPayouts(about),
  );

export const payoutFailedEmail = ({ amount, ...about }: About & { amount: string }): EmailText =>
  accountEmail(
    'payout_failed',
    'A payout came back',
    `Your bank sent ${amount} back. The money is in your balance again.`,
    'Please check your bank details in your payout account. We will try again.',
    yourPayouts(about),
  );

/** Why nothing is paid out, and what to do. */
export const payoutHeldEmail = ({
  title,
  text,
  toDo,
  note,
  day,
  ...about
}: About & { title: string; text: string; toDo: string; note: string; day: string | undefined }): EmailText =>
  accountEmail(
    'payout_held',
    'Your payouts are on hold',
    `${title}. ${text}`,
    ...(note === '' ? [] : [quote(note)]),
    toDo,
    ...(day === undefined ? [] : [`We expect this to be settled by ${day}.`]),
    'If you think this is a mistake, you can appeal on the page below.',
    yourPayouts(about),
  );

/** Nothing is held any more. */
export const payoutReleasedEmail = (about: About): EmailText =>
  accountEmail(
    'payout_released',
    'Your payouts continue',
    'Your payouts are no longer on hold. The next one leaves on your usual schedule.',
    yourPayouts(about),
  );

/** What became of an appeal. */
export const payoutAppealEmail = ({
  answer,
  isGranted,
  ...about
}: About & { answer: string; isGranted: boolean }): EmailText =>
  accountEmail(
    'payout_appeal',
    'Your appeal was answered',
    isGranted ? 'We agree with you: your payouts are released.' : 'Your payouts stay on hold for now.',
    quote(answer),
    yourPayouts(about),
  );

/** Nobody can pay them until they answer what is asked for. */
export const payoutRestrictedEmail = ({ missing, ...about }: About & { missing: readonly string[] }): EmailText =>
  accountEmail(
    'payout_restricted',
    'Your payout account needs attention',
    "Stripe needs something from you. Until you've provided it, nobody can pay you and subscriptions that come due aren't charged; what was bought stays open.",
    ...(missing.length === 0 ? [] : ['Stripe asks for:', facts(...missing)]),
    'Open your payout account on the page below and complete what is missing. You can be paid again as soon as Stripe has checked it.',
    yourPayouts(about),
  );

/** Nobody can pay them any more, and nothing on their pages mends it. */
export const payoutClosedEmail = ({ contactPage }: { contactPage: string }): EmailText =>
  accountEmail(
    'payout_closed',
    'Your payout account was closed',
    'Stripe closed your payout account. Nobody can pay you, and subscriptions that come due are not charged; what was bought stays open.',
    link('To find out what can be done, write to support.', 'Write to us', contactPage),
  );

/** To the operator. */
export const payoutWaitsEmail = ({
  email,
  why,
  appeal,
}: {
  email: string;
  why: string;
  /** What the creator says about it. */
  appeal: string | undefined;
}): EmailText =>
  accountEmail(
    'payout_waits',
    appeal === undefined ? 'A payout waits for review' : 'Someone appeals against a hold',
    facts(email, why),
    ...(appeal === undefined ? [] : [quote(appeal)]),
    `To decide, run: npm run pf -- payouts show ${email}`,
  );
