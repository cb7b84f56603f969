import { redactPath } from '#kit/redacted-path.ts';

/** Of one network in an hour. */
export const requestsPerHour = 5;
export const errorsPerHour = 30;

/** How long it is kept for the operator. */
export const keptDays = { requests: 365, errors: 90 } as const;

/** The kind of page that an address leads to; undefined when it is no address. */
export function redactPage(url: string): string | undefined {
  const read = URL.parse(url, 'https://page.invalid');
  return read === null ? undefined : redactPath(read.pathname);
}

const addresses = /\b(?:https?|wss?|blob|data):[^\s"'`()<>]+|\/(?:view|unsubscribe|free-join|m|@)[^\s"'`()<>]*/g;
// It begins only where such a run begins: from each of its letters it would read the rest again.
const mailboxes = /(?<![^\s"'`()<>:@])[^\s"'`()<>:@]+@[^\s"'`()<>@]+\.[^\s"'`()<>@]+/g;
const builtFile = /^\/(?:viewer\/)?assets\/[\w.-]+(?::\d+){0,2}$/;

/** Returns what an error says, without a slug, a token, a query or an email address in it; places in our own program stay. */
export const cleanErrorText = (text: string): string =>
  text.replace(addresses, redactAddress).replace(mailboxes, '*@*');

function redactAddress(address: string): string {
  const read = URL.parse(address, 'https://page.invalid');
  if (read === null || read.protocol === 'blob:' || read.protocol === 'data:') return '*';
  return builtFile.test(read.pathname) ? read.pathname : redactPath(read.pathname);
}
