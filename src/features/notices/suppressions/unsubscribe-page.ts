import { smallPageAction, writeSmallPage } from '#wire/small-page.ts';

const states = {
  asked: {
    title: 'Stop these emails?',
    text: 'You will get no more notices by email at this address. Sign-in codes, password emails and receipts still come.',
    action: `<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="${smallPageAction}">Unsubscribe</button></form>`,
  },
  done: {
    title: "You're unsubscribed",
    text: 'No more notices will be sent to this address. To turn them on again, sign in and open Profile → Notifications.',
    action: '',
  },
  unknown: {
    title: 'This link is incomplete',
    text: 'Open the whole link from the email, or sign in and open Profile → Notifications.',
    action: '',
  },
} as const;

/** The page behind the unsubscribe link of an email. It says nothing of whose address it is. */
export const writeUnsubscribePage = (state: keyof typeof states, pageHead: string): string =>
  writeSmallPage(states[state], pageHead);
