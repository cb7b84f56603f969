/** What is said above every button that pays once, and on the receipt. */
export const refundPromise =
  'The creator can end access at any time. If that happens before you open it, or within 7 days of paying, you are refunded automatically – unless you broke the viewing rules.';
