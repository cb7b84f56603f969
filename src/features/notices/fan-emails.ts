import { accountEmail, type EmailText, facts, link } from './email-words.ts';

interface About {
  /** What it is, and whose: "Subscription to Mia". */
  what: string;
  /** Where whoever pays looks after it. */
  purchasesPage: string;
}

const yours = ({ purchasesPage }: About) =>
  link('Your subscriptions, your card and your receipts:', 'My purchases', purchasesPage);

/** The next month, or several, is about to be paid for. Sender, subject and text are neutral. */
export const fanRenewsEmail = ({ amount, day, ...about }: About & { amount: string; day: string }): EmailText =>
  accountEmail(
    'fan_renews',
    'Your subscription renews soon',
    `On ${day} your subscription renews:`,
    facts(`${about.what}: ${amount}`),
    "If you don't want that, cancel before that day and nothing more is charged. It takes one tap.",
    yours(about),
  );

interface FailedPayment extends About {
  amount: string;
  /** When it is tried again. */
  nextDay: string | undefined;
  /** When the subscription ends where it can't be charged at all. */
  endDay: string | undefined;
  /** Whose fault it is: what can't be charged at all is no fault of the card. */
  because: 'card' | 'creator' | 'bill';
}

/** The card was declined; it is tried again. */
export const fanPaymentFailedEmail = ({ amount, nextDay, endDay, because, ...about }: FailedPayment): EmailText =>
  because !== 'card'
    ? accountEmail(
        'fan_payment_failed',
        "Your subscription wasn't renewed yet",
        because === 'creator'
          ? "The creator can't be paid at the moment, so nothing was taken from your card. Everything stays open for now."
          : "The bill for your subscription couldn't be made, so nothing was taken from your card. Your card is fine, and everything stays open for now.",
        facts(`${about.what}: ${amount}`),
        nextDay === undefined
          ? `If that doesn't change${endDay === undefined ? '' : ` by ${endDay}`}, your subscription ends.`
          : `We'll try again on ${nextDay}. If the creator still can't be paid after a few tries, your subscription ends.`,
        yours(about),
      )
    : accountEmail(
        'fan_payment_failed',
        "Your payment didn't go through",
        "We couldn't take the payment for your subscription. Everything stays open for now.",
        facts(`${about.what}: ${amount}`),
        nextDay === undefined
          ? 'Please update your card, or your subscription ends.'
          : `We'll try again on ${nextDay}. To be on the safe side, please check your card, or change it: the new one is charged at once.`,
        yours(about),
      );

/** It runs out: its subscriber has cancelled, or its creator does not offer it any more. */
export const fanCancelledEmail = ({
  day,
  isStopped,
  ...about
}: About & { day: string; isStopped: boolean }): EmailText =>
  accountEmail(
    'fan_cancelled',
    isStopped ? 'Your subscription is ending' : 'Your subscription is canceled',
    isStopped
      ? `The creator doesn't offer this subscription any more. Yours stays open until ${day}, and nothing more is charged.`
      : `Your subscription stays open until ${day}, and nothing more is charged.`,
    facts(about.what),
    ...(isStopped ? [] : ['Changed your mind? Until that day you can keep it with one tap.']),
    yours(about),
  );

/** What was paid for the time that was left, where its creator can't keep what they promised. */
interface Back {
  amount: string;
  /** In a sentence. */
  why: string;
  receiptPage: string;
}

/** It is over. */
export const fanEndedEmail = ({ back, ...about }: About & { back: Back | undefined }): EmailText =>
  accountEmail(
    'fan_ended',
    'Your subscription has ended',
    'Your subscription has ended, and nothing more is charged.',
    facts(about.what),
    ...(back === undefined
      ? ['What you bought by itself stays yours to view.']
      : [
          back.why,
          `${back.amount}, your payment for the time that was left, is on its way back to the card you paid with. Banks usually need 5 to 10 working days to show it.`,
          link('Your receipt:', 'Show receipt', back.receiptPage),
        ]),
    yours(about),
  );

/** New subscribers pay more; whoever subscribed before is asked. */
export const fanPriceEmail = ({
  amount,
  newAmount,
  ...about
}: About & { amount: string; newAmount: string }): EmailText =>
  accountEmail(
    'fan_price',
    'A new price for your subscription',
    'The creator has raised the price of your subscription:',
    facts(about.what, `Until now: ${amount}`, `New price: ${newAmount}`),
    `You keep paying ${amount} for as long as you don't agree to the new price. If you do, you pay it from your next renewal on.`,
    yours(about),
  );
