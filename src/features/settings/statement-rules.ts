/** How long a statement descriptor is, as the card networks and Stripe take it. */
export const statementLengths = { least: 5, most: 22 } as const;

/** What Stripe takes as a statement descriptor, in a sentence. */
export const statementRule = `takes ${statementLengths.least} to ${statementLengths.most} Latin characters, at least one of them a letter and none of them < > \\ ' " or *, without a space at either end.`;

/** Whether Stripe takes a text as the statement descriptor of an account, so that card statements can show it as it stands. */
export const isStatementDescriptor = (text: string): boolean =>
  text.length >= statementLengths.least &&
  text.length <= statementLengths.most &&
  /^[ -~]+$/.test(text) &&
  /[A-Za-z]/.test(text) &&
  !/[<>\\'"*]/.test(text) &&
  text.trim() === text;

/** Returns what whoever pays finds on their card statement, as pages say it before and after. */
export const describeStatement = (descriptor: string): string => `Your card statement will show ${descriptor}.`;
