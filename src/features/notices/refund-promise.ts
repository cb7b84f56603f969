/** What is said above every button that pays once, and on the receipt. */
export const refundPromise =
  'The creator can end access at any time. If that happens before you open it, or within 7 days of paying, you are refunded automatically – unless you broke the viewing rules.';

/** The same of a tip on the creator's page, which opens nothing. */
export const pageTipRule = 'A tip is a gift: it opens no album, and is paid back only if it was a mistake or fraud.';
