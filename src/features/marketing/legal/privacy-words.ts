import { deletionGraceDays } from '#features/accounts/rules.ts';
import { undoHours } from '#features/media/rules.ts';
import { proofMinutes } from '#features/viewing/rules.ts';
import { describeContact, nameOperator, type Operator } from '../operator-words.ts';
import { privacyOf } from './consent-words.ts';
import { describeCookies } from './cookie-words.ts';
import { type Chapter, capital, days, type LegalText } from './legal-words.ts';
import { paymentPrivacy } from './payment-words.ts';

/** Returns where questions to Sofia go. */
const describeAssistant = ({ assistantHost }: Operator) =>
  assistantHost === null
    ? 'Questions to Sofia, the assistant, are answered by a program on this server. They are not stored.'
    : `Questions to Sofia, the assistant, are sent to a language model at ${assistantHost}, together with help texts and, if you are a creator, with counts such as how many of your links expire tomorrow; never with your name, your email address or a picture. They are not stored here. Don't write anything in a question that the model's operator should not know. Messages that speak of danger are not sent.`;

/** What is stored of whom. */
const storedOf = (operator: Operator): Chapter[] => [
  {
    title: 'If you are a viewer',
    paragraphs: [
      'Nothing about you is stored until you tap Open. When you do, your browser receives a cookie with a random number, so that it can be recognized again, and we store: the kind of browser and device, the app it runs in, the screen size, time zone and country, when you came, which pictures were on your screen and for how long, and which checks you passed (age, password). The creator of the link sees this under a name like “Viewer 4F2A”, or a name they give you.',
      'Your country is looked up from your network address in a file on this server, or estimated from your time zone. The address itself is not stored. To prevent abuse, counters keep a keyed hash of your network for two days.',
      'The pictures you see carry an invisible mark that belongs to this link and this browser. So that a leaked copy can be traced, a permanent log that cannot be altered records which marks were issued. It contains ids and hashes, but no names.',
    ],
  },
  {
    title: 'If you are a creator',
    paragraphs: [
      'We store: your email address; your password (as an argon2id hash); your name, handle, country, time zone and bio; a small profile picture if you choose one, cropped from a photo whose file is not kept; your date of birth, which is shown to no one; which version of the terms and the content policy you agreed to, and when; whether you want to receive news; the kinds of devices and the countries you signed in from; your sessions; and, if you lock the app, its PIN (as an argon2id hash) and since when it has been out of sight on each device. If you joined by an invitation, which one it was, when, and from which country.',
      'Anyone who opens one of your links sees your name and picture. Your public page is off until you turn it on; from then on, anyone can see your name, handle, picture and bio there.',
      'For each photo or video we store the original file as you uploaded it, encrypted, which only you can download, and encrypted versions for viewers, from which location, camera and time have been removed. Their keys are protected by a master key of this installation. Anyone who holds both that master key and the files could open them, so use this installation only if you trust the operator. To decide a report or a complaint about a payment, an administrator can look at what it is about for 30 minutes. What they see is marked with their name, the look is written down for two years, and you get the reason by email unless a law forbids telling you.',
      "Emails to you are sent through the operator's mail server, and their text is deleted here once they have been sent. In a sandbox they stay here and can be read at /dev/outbox. They contain no pictures that tell whether you opened them. If you unsubscribe, or an email to you bounces or is marked as spam, we note that by a keyed hash of your address, which does not reveal it.",
      'We also store which events you want to hear about, how, and your quiet hours. If you turn on push notifications, we store where the push service of your browser (run by Google, Mozilla, Microsoft or Apple) accepts them, until you turn them off or sign out. The service passes them on encrypted and cannot read them.',
      ...(operator.sellsPlans ? [paymentPrivacy.creators] : []),
    ],
  },
  {
    title: 'If you pay for something',
    paragraphs: [
      'We store: the email address you enter when you pay; what you paid for, how much, when, and what was refunded; the refund and renewal terms you were shown; a message if you write one, and a name if you sign a tip with one; and that it was paid from your browser. The creator sees what was paid, your message and the name you signed with, and whether you disputed a payment to them with your bank, but not your email address.',
      ...(operator.sellsPlans ? [paymentPrivacy.card] : []),
      `With that address you can open what you paid for in another browser. If you ask for it, we email you a link that works once, for ${proofMinutes} minutes; we store only a hash of it, and delete it within hours of its end. We then note, by the hash of its cookie, that this browser has proven the address. So that requests cannot be repeated too often, counters keep a keyed hash of the address for two days.`,
    ],
  },
  {
    title: 'If you write to us or report something',
    paragraphs: [
      'We store what you enter: your name, your email address and what you wrote; with a report, what it is about and whether you report for someone else. A keyed hash of your network, which does not reveal it, shows us when someone makes false reports again and again. Creators are not told who reported them, except for a copyright: then they are shown your name and what you wrote. Of photos and videos that were taken down we keep hashes, which show nothing of them, to recognize copies.',
      'When a page of this site breaks, your browser tells us what broke, on what kind of page and in which browser, without the address of the page and with your account if you are signed in.',
    ],
  },
];

/** For how long, and what a browser keeps. */
const keptOf = (operator: Operator): Chapter[] => [
  {
    title: 'How long data is kept',
    paragraphs: [
      `Individual visits, and what was viewed in them: 13 months, after which only totals without viewers remain. What is stored about a viewer's browser, and which checks it passed: until it has not been back for 13 months, after which it is no longer recognized. That a browser has proven the address of a payment: as long as what is stored about that browser. An email address that you leave to be reminded when a link opens: until that one email, until you take it back, or until the link can't open any more, and at most a week after it was to open. Payments and subscriptions, their receipts and the email address given with them: they are business records, kept for seven years; which viewer they belong to is forgotten after 13 months, once they open nothing any more. Which keys were issued when: one week after they expired. Deleted albums and pictures: ${undoHours} hours, during which you can restore them; after that their keys and files are destroyed.${operator.sellsPlans ? ' Albums and pictures of a creator who has had no plan for 90 days, and a year after the last sale where somebody can still open what they paid for: they are deleted in the same way, after several emails.' : ''}`,
      `Sessions: ${days(operator.sessionDays)} after last use. An email address that was never confirmed: 7 days. An email address entered in the sign-up form: one year. An application to the partner program (your name, your email address and what you wrote): one year, unless it is accepted. An invitation that nobody accepted: one year after it ended. What you wrote to support: one year. A report: two years after it was decided. What was noted of a page that broke: 90 days. An account closed because of age: one day. An account that you delete: ${days(deletionGraceDays)}, in which signing in keeps it; then its keys are destroyed, and its files and rows removed within 72 hours, but for records of payments, which stay without your name and address. What you were notified of: 90 days. Which emails went to an address that belongs to no account: 90 days.`,
      'A log of actions on accounts and links is kept. No one can alter it, and nothing is removed from it automatically. So that a leaked copy can be traced, a record of each viewer admitted through a link is kept for as long as the account that owns the link: a number, without browser or country; when they first and last came, how often and for how long in total; which pictures and which seconds of videos they were given; the name the creator gave them; and whether they are blocked.',
      'How far somebody watched the demo, with the kind of browser but nothing that tells whose it was: 90 days.',
      ...privacyOf.kept(operator.measured),
      "A suspected leak that a creator uploads, and the result of the search: 30 days. The fact that it was uploaded, and which of the creator's pictures it shows, stays in a log that no one can alter.",
      'Backups made by the operator may still contain data that has been deleted here, until the backups themselves are deleted.',
    ],
  },
  {
    title: 'Cookies',
    paragraphs: [
      ...describeCookies(operator),
      ...privacyOf.cookies(operator.measured),
      'While you upload, your browser keeps a list of the files you chose, on your own device, so that an interrupted upload can continue.',
    ],
  },
];

/** Who else is told, and what may be asked of us. */
const othersOf = (operator: Operator): Chapter[] => [
  {
    title: 'Who else receives data',
    paragraphs: [
      `No one, apart from the service providers the operator uses to run this installation: those that host the server, store the encrypted files and deliver email;${operator.sellsPlans ? ' Stripe, which handles payments;' : ''} and, if you turn on push notifications, the push service of your browser. No data is sold or shared for advertising. Courts and authorities may require the operator to hand over stored data.`,
      ...(operator.sellsPlans ? paymentPrivacy.others : []),
      describeAssistant(operator),
    ],
  },
  {
    title: 'Your rights',
    paragraphs: [
      `You may ask what is stored about you, have it corrected or deleted, and complain to the data protection authority where you live. ${describeContact(operator)} If you are a viewer, say which link it was and which device you used: there is no name by which you could be found.`,
    ],
  },
];

/** Returns what is stored, for how long, and who gets it. */
export const writePrivacy = (operator: Operator): LegalText => ({
  title: 'Privacy policy',
  summary: privacyOf.summary(operator),
  chapters: [
    {
      title: 'Who is responsible',
      paragraphs: [
        `${capital(nameOperator(operator))} (“the operator”) runs this installation and is responsible for the data stored in it. ${describeContact(operator)}`,
      ],
    },
    ...storedOf(operator),
    ...keptOf(operator),
    ...othersOf(operator),
  ],
});
