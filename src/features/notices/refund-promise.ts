/** What is said beside the button that pays once for what a link opens. */
export const refundPromise =
  'The creator can end access at any time. If that happens before you open it, or within 7 days of paying, you are refunded automatically – unless you broke the viewing rules.';

/** What is said beside the button that subscribes, on a link and on a creator's page, for however many months. */
export const renewalTerms =
  'It renews until you cancel, with one tap in My purchases, and then stays open to the end of what you paid for. If the creator shuts you out within 7 days of paying, you are refunded automatically.';

/** What is said beside the button that pays for custom work. */
export const heldTerms =
  'Your payment is held until delivery. If nothing is delivered, all of it goes back to you. The same happens if the creator ends your access within 30 days of paying, unless you broke the viewing rules.';

/** What is said beside the button that sends a tip on a creator's page, which opens nothing. */
export const pageTipRule = 'A tip is a gift: it opens no album, and is paid back only if it was a mistake or fraud.';

/**
 * When what is paid goes back, as it is said beside the button that pays; receipts and their emails say the same. An order keeps it
 * as it was said then, where the page told that it said so: that is what a bank is told.
 */
export function termsOf(kind: 'tip' | 'album' | 'bundle' | 'fan_sub' | 'request', isOnPage: boolean): string {
  if (isOnPage) return pageTipRule;
  if (kind === 'fan_sub') return renewalTerms;
  return kind === 'request' ? heldTerms : refundPromise;
}
