import { accountEmail, type EmailText, facts, link } from './email-words.ts';
import { reportedToUs } from './pack-emails.ts';

interface About {
  /** Where the creator looks after their plan. */
  billingPage: string;
}

const yourPlan = ({ billingPage }: About) => link('Your plan and your invoices:', 'Open billing', billingPage);

/** A month was paid for. Sender, subject and text are neutral. */
export const planReceiptEmail = ({
  number,
  amount,
  day,
  statementDescriptor,
  ...about
}: About & { number: string; amount: string; day: string; statementDescriptor: string }): EmailText =>
  accountEmail(
    'plan_receipt',
    'Your receipt',
    `Thank you! Receipt no. ${number}, ${day}.`,
    facts(`Creator plan, one month: ${amount}`),
    `Your card statement shows ${statementDescriptor}.`,
    yourPlan(about),
  );

/** The card was declined; it is tried again. */
export const planPaymentFailedEmail = ({
  amount,
  nextDay,
  ...about
}: About & { amount: string; nextDay: string | undefined }): EmailText =>
  accountEmail(
    'plan_payment_failed',
    "Your payment didn't go through",
    `We couldn't take ${amount} for your plan. Everything keeps working for now.`,
    nextDay === undefined
      ? 'Please use another card, or your plan ends.'
      : `We'll try again on ${nextDay}. To be on the safe side, please check your card, or change it: the new one is charged at once.`,
    yourPlan(about),
  );

/** A renewal can't be charged, which is no fault of the card. */
export const planUnbilledEmail = ({
  amount,
  endDay,
  ...about
}: About & { amount: string; endDay: string }): EmailText =>
  accountEmail(
    'plan_unbilled',
    "Your plan wasn't renewed yet",
    `The bill for your plan couldn't be made, so the ${amount} for this month weren't taken. Your card is fine, and there is nothing you need to do.`,
    `We have been told, and it is tried again every day. Everything keeps working until ${endDay}. If it can't be charged by then, your plan ends.`,
    yourPlan(about),
  );

/** The first month after a trial is about to be paid for. */
export const planRenewsEmail = ({ amount, day, ...about }: About & { amount: string; day: string }): EmailText =>
  accountEmail(
    'plan_renews',
    'Your free trial becomes your plan',
    `Your free trial ends on ${day}. Then your plan goes on for ${amount} a month, taken from your card.`,
    "If you don't want that, cancel before that day and nothing is charged.",
    yourPlan(about),
  );

/** They have cancelled: it runs out. */
export const planCancelledEmail = ({ day, ...about }: About & { day: string }): EmailText =>
  accountEmail(
    'plan_cancelled',
    'Your plan is canceled',
    `Your plan ends on ${day}, and nothing more is charged. Your links stop for free viewers then.`,
    'Changed your mind? Until that day you can keep it with one tap.',
    yourPlan(about),
  );

/** It is over. */
export const planEndedEmail = (about: About): EmailText =>
  accountEmail(
    'plan_ended',
    'Your plan has ended',
    'Your plan has ended. Your albums and photos are kept for at least 90 days, and you can still sign in.',
    'People with a free link see “Temporarily unavailable” until your plan is active again. Whoever has paid you keeps what they bought.',
    yourPlan(about),
  );

/** Their first payment goes back, or one whose card's bank has reported it. */
export const planRefundedEmail = ({
  amount,
  isReported,
  ...about
}: About & { amount: string; isReported: boolean }): EmailText =>
  accountEmail(
    'plan_refunded',
    'Your refund',
    `Your refund of ${amount} is on its way. Banks usually need 5 to 10 working days to show it.`,
    ...(isReported ? [reportedToUs] : []),
    'Your plan has ended. Your albums and photos are kept for at least 90 days.',
    yourPlan(about),
  );

/** They pause it: what happens, and when. */
export const planPausedEmail = ({
  amount,
  from,
  until,
  ...about
}: About & { amount: string; from: string; until: string }): EmailText =>
  accountEmail(
    'plan_paused',
    'Your plan will be paused',
    `Your plan works as usual until ${from}. Then it's paused, and nothing is charged until ${until}.`,
    'While it is paused, people with a free link see “Temporarily unavailable”, and you sell nothing new. Whoever has paid you keeps what they bought, and everything you have stored is kept.',
    `On ${until} it resumes automatically, and ${amount} is taken from your card. You can resume or cancel it before then.`,
    yourPlan(about),
  );

/** A pause is about to end. */
export const planResumesEmail = ({ amount, day, ...about }: About & { amount: string; day: string }): EmailText =>
  accountEmail(
    'plan_resumes',
    'Your plan resumes soon',
    `The pause of your plan ends on ${day}. Then ${amount} is taken from your card, and your links open for everybody again.`,
    "If you don't want that, cancel before that day and nothing is charged.",
    yourPlan(about),
  );

/** A pause is over. */
export const planResumedEmail = ({
  amount,
  day,
  isCharged,
  ...about
}: About & { amount: string; day: string; isCharged: boolean }): EmailText =>
  accountEmail(
    'plan_resumed',
    'Your plan is active again',
    'The pause of your plan is over. Your links open for everybody again, and everything is as you left it.',
    `${isCharged ? '' : `${amount} for this month is taken from your card within the hour. `}Your next payment is ${amount} on ${day}.`,
    yourPlan(about),
  );

const again = ({ billingPage }: About) =>
  link('Choose a plan again, and everything will be back as it was:', 'Choose plan', billingPage);

/** To a creator without a plan: how long what they have stored is kept. @param isLast a week before it goes */
export const albumsKeptEmail = ({ day, isLast, ...about }: About & { day: string; isLast: boolean }): EmailText =>
  accountEmail(
    isLast ? 'albums_go_soon' : 'albums_kept',
    isLast ? 'What you stored will be deleted soon' : 'What you stored is kept for now',
    isLast
      ? `You have no active plan. On ${day}, your albums with everything in them will be deleted.`
      : `You have no active plan. Your albums with everything in them are kept until ${day}.`,
    'Your account stays, and so do your earnings and payouts.',
    again(about),
  );

/** They have gone. */
export const albumsRemovedEmail = ({ billingPage, undoHours }: About & { undoHours: number }): EmailText =>
  accountEmail(
    'albums_removed',
    'What you stored has been deleted',
    'You have had no active plan for a long time, so your albums with everything in them have been deleted, as we wrote to you.',
    `For ${undoHours} hours they can still be brought back: take a plan now, open your albums and restore them.`,
    link('Your plan:', 'Choose plan', billingPage),
    'Your account stays, and so do your earnings and payouts.',
  );
