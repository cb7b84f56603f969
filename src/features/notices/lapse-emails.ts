import { accountEmail, type EmailText, link } from './email-words.ts';

interface About {
  /** Where a plan is taken again. */
  billingPage: string;
}

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
