import { accountEmail, code, type EmailText, facts, link, validFor } from './email-words.ts';

interface About {
  /** What was paid for, and whom: "Album by Mia". */
  what: string;
  receiptPage: string;
}

const receiptOf = ({ receiptPage }: About) => link('Your receipt:', 'Show receipt', receiptPage);

/** The time that was paid for is nearly over. Who runs on which clock is not known, so the hour is told in UTC. */
export const accessEndsEmail = ({ at, ...about }: About & { at: Date }): EmailText =>
  accountEmail(
    'access_ends',
    'Your access ends soon',
    'The time you paid for is nearly over:',
    facts(about.what, `Ends ${momentOf.format(at)} UTC`),
    'Until then it opens as before. Afterwards the link no longer does.',
    receiptOf(about),
  );

/**
 * A creator has ended it for good, and nothing is paid back by itself.
 * @param asking whether a refund can be asked for, or a complaint made, on the receipt
 */
export const accessEndedEmail = ({ asking, ...about }: About & { asking: string }): EmailText =>
  accountEmail(
    'access_ended',
    'Your access has ended',
    'The creator has ended your access to something you paid for:',
    facts(about.what),
    ...(asking === 'refund' || asking === 'complaint'
      ? ["If you think that's wrong, you can ask for your money back on your receipt."]
      : []),
    receiptOf(about),
  );

/** A creator has answered a request for access. What it says stands on the page alone. */
export const accessAnsweredEmail = ({ isApproved, page }: { isApproved: boolean; page: string }): EmailText =>
  accountEmail(
    'access_answered',
    'Your request was answered',
    isApproved
      ? 'You asked to see something, and the answer is yes. Open it in the browser that you asked with:'
      : 'You asked to see something, and the answer is no. What was said about it stands here, in the browser that you asked with:',
    link(isApproved ? 'It opens here:' : 'The answer:', isApproved ? 'Open it' : 'See the answer', page),
  );

/** Asked for by whoever stood at a link that had not begun, and proved this address there. It names neither the link nor its creator. */
export const linkOpensEmail = ({ page }: { page: string }): EmailText =>
  accountEmail(
    'link_opens',
    'Your reminder',
    'You asked for one email when a link opens. Its time has come.',
    link('It may ask you for something first:', 'Open the link', page),
    "This is the only email about it: your address has been deleted from the link's list.",
  );

/** Asked for in a browser that a link does not know, with the address of somebody whom it has let in. */
export const returnCodeEmail = ({ code: letters, codeMinutes }: { code: string; codeMinutes: number }): EmailText =>
  validFor(
    codeMinutes,
    accountEmail(
      'return_code',
      'Your code',
      `Someone asked for a code to come back to a link that you have opened. Enter it where you asked for it (valid for ${codeMinutes} minutes):`,
      code(letters),
      "If this wasn't you, ignore this email and don't pass the code on: it opens the link as if you were there.",
    ),
  );

const momentOf = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** One of each, to be looked at. */
export const sampleAccessEmails = (receiptPage: string): EmailText[] => [
  linkOpensEmail({ page: receiptPage }),
  returnCodeEmail({ code: 'K7Q2M9XB4T', codeMinutes: 30 }),
  accessEndsEmail({ what: 'Album by Mia', at: new Date('2026-03-02T18:30:00Z'), receiptPage }),
  accessEndedEmail({ what: 'Album by Mia', asking: 'complaint', receiptPage }),
  accessEndedEmail({ what: 'Album by Mia', asking: 'too_late', receiptPage }),
  ...[true, false].map((isApproved) => accessAnsweredEmail({ isApproved, page: receiptPage })),
];
