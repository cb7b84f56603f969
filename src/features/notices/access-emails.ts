import { accountEmail, type EmailText, facts, link } from './email-words.ts';

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
    'In 2 hours the time you paid for is over:',
    facts(about.what, `Ends ${momentOf.format(at)} UTC`),
    'Until then it opens as before. Afterwards the link no longer does.',
    receiptOf(about),
  );

/** A creator has ended it for good, and nothing is paid back by itself. */
export const accessEndedEmail = (about: About): EmailText =>
  accountEmail(
    'access_ended',
    'Your access has ended',
    'The creator has ended your access to something you paid for:',
    facts(about.what),
    "If you think that's wrong, open your receipt: for 14 days after paying you can ask for a refund there.",
    receiptOf(about),
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
  accessEndsEmail({ what: 'Album by Mia', at: new Date('2026-03-02T18:30:00Z'), receiptPage }),
  accessEndedEmail({ what: 'Album by Mia', receiptPage }),
];
