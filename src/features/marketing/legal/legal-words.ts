import { grantMonths, packBackMs } from '#features/credits/rules.ts';
import { undoHours } from '#features/media/rules.ts';
import { formatCount } from '#kit/text.ts';
import { dayMs } from '#kit/time.ts';
import { nameOperator, type Operator, tellContact } from '../operator-words.ts';
import { tellCredits } from '../words/pricing-words.ts';
import { privacyOf } from './consent-words.ts';
import { tellCookies } from './cookie-words.ts';
import { paymentPrivacy } from './payment-words.ts';
import { tellSaleTerms } from './sale-terms.ts';

/** One part of a page that people agree to. */
export interface Chapter {
  title: string;
  paragraphs: string[];
}

/** A page that people agree to, or that says what is done with what is known of them. */
export interface LegalText {
  title: string;
  /** In one breath, before the chapters. */
  summary: string;
  chapters: Chapter[];
}

/** Pages are the same in every installation but for who runs it. */
export const legalPages = [
  { to: '/terms-of-use', label: 'Terms of use' },
  { to: '/acceptable-use', label: 'Content policy' },
  { to: '/privacy-policy', label: 'Privacy policy' },
  { to: '/dmca', label: 'Copyright and DMCA' },
] as const;

/** The version of these texts, as it is stored with everybody's agreement, in words. */
export const legalVersion = 'November 2026';

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Where questions to Sofia go. */
const tellAssistant = ({ assistantHost }: Operator) =>
  assistantHost === null
    ? 'Questions to Sofia, the assistant, are answered by a program on this server. They are not stored.'
    : `Questions to Sofia, the assistant, are sent to a language model at ${assistantHost}, together with help texts and, if you are a creator, with counts such as how many of your links expire tomorrow; never with your name, your email address or a picture. They are not stored here. Don't write anything in a question that the model's operator should not know. Messages that speak of danger are not sent.`;

const days = (count: number) => formatCount(count, 'day');

/** What creators agree to where they buy credits, or are given some. */
const creditTerms = ({ credits }: Operator): Chapter => ({
  title: 'Credits',
  paragraphs: [
    `Credits are units that creators pay for in advance, for what goes beyond the plan. ${tellCredits(credits)} Viewers never have any. What a use costs is shown before it is paid for; it may change for later uses.`,
    `Bought credits do not expire. Credits that you are given expire ${formatCount(grantMonths, 'month')} later. Those that expire first are spent first.`,
    `For ${days(packBackMs / dayMs)} after you buy a pack you can have its unused credits refunded where packs are sold (/pricing?tab=credits), once for each pack: you get the same share of its price back, in whole cents. After that, and for credits that are spent, nothing is refunded, unless what they were spent for failed through a fault of ours; then the credits are yours again.`,
    'Credits are not money: they have no cash value, are never paid out, and cannot be passed on to anyone. If the payment for a pack is disputed or refunded, its credits go; if you have spent them, your balance is below zero and nothing can be spent until it is above zero again.',
  ],
});

/** What creators agree to about payments that a bank is asked to take back. */
const disputeTerms: Chapter = {
  title: 'Disputed payments',
  paragraphs: [
    'If a buyer asks their bank to take back a payment to you, your part of it is taken from your balance until the bank has decided, and is yours again if it decides for you.',
    "The bank's fee for a dispute is ours, unless at least 0.75% of your sales in the 90 days before, and at least two of them, were already disputed. You are warned under Earnings while this is so. Then you pay the fee of each new dispute, and agree that it is taken from your balance with the payment provider. If the bank returns it, it is yours again.",
  ],
};

/** What creators and viewers agree to. */
export const writeTerms = (operator: Operator): LegalText => ({
  title: 'Terms of use',
  summary:
    'Share only what is yours to share, view only what was shared with you, and expect no protection that a website cannot give.',
  chapters: [
    {
      title: 'Who these terms are between',
      paragraphs: [
        `PrivateFans is free software that anyone may run. These terms are an agreement between you and ${nameOperator(operator)} (“the operator”), who runs this installation. ${tellContact(operator)}`,
        'These are the terms of service that you agree to when you sign up.',
        'You are a creator if you have an account and create links, and a viewer if you open a link. Viewers do not need an account.',
      ],
    },
    {
      title: 'Age',
      paragraphs: [
        'You must be 18 or older. Creators confirm this when they sign up and give their date of birth. If a creator turns out to be younger, the account is closed immediately and erased within a day.',
        'Viewers confirm their age when the creator of the link requires it, which is the default.',
      ],
    },
    {
      title: 'Your account',
      paragraphs: [
        'Use an email address that belongs to you and a password that you use nowhere else. You are responsible for everything done with your account until you report that someone else has gained access to it.',
        `Each new account starts with a free trial of ${days(operator.trialDays)}, one per email address. No card is required. If you do nothing, the trial ends and nothing is charged.`,
        operator.sellsPlans
          ? 'The plan is billed monthly in advance and renews until you cancel it, which you can do at any time under Billing; it then runs to the end of the month that is paid for. You can also pause it there for one, two or three months, and for three months in any twelve: the pause begins at the end of the month that is paid for, and nothing is charged while it lasts. When it ends, the plan resumes automatically and your card is charged for the next month, unless you have canceled it before then; if you resume earlier, that month is charged at once. Within 7 days of your first payment you can have it back, once. What viewers pay goes to the creator, less the share that the pricing page names. An installation that runs as a sandbox says so, and any money shown in it is play money.'
          : 'This installation takes no payments: there is nothing to buy, no tips and no payouts.',
      ],
    },
    ...(operator.sellsPlans ? [...tellSaleTerms(operator), disputeTerms, creditTerms(operator)] : []),
    {
      title: 'What you share',
      paragraphs: [
        'Your photos and videos remain yours. You allow this installation to store, convert, encrypt and mark them, and to show them to the people you give a link to, for as long as you keep them here. They are used for nothing else.',
        'The content policy is part of these terms and sets out what may not be shared. The operator may close links to content that breaks it, and end the accounts that share such content.',
        'If someone reports that one of your links shows an intimate picture without consent, or someone under 18, the link and its albums are closed to everyone but you until a person has decided. You are told by email, may answer, and are given the reason for the decision.',
      ],
    },
    {
      title: 'What you view',
      paragraphs: [
        'Each link is meant for someone in particular. Do not pass on, copy, record or publish what you see unless its creator has given you permission.',
        'Each viewer receives pictures that carry their own invisible mark. The creator can see when a link is opened, what is viewed and for how long. A published copy can be traced to the link and the viewer it was shown to.',
        'A creator may end a link at any time, without giving a reason. If you paid to open it, you may view what it shows on the terms that were shown before you paid; if access ends before you open it, or within 7 days of paying, you are refunded automatically, unless you broke these terms.',
      ],
    },
    {
      title: 'What protection can and cannot do',
      paragraphs: [
        `There is no file to download: pictures travel encrypted, and each key is valid for ${operator.leaseSeconds} seconds at a time. Once a link is revoked, no more keys are issued and open screens close within ${operator.leaseSeconds} seconds.`,
        'No website can prevent a screenshot, or a photo of the screen. Anything that has been captured cannot be taken back. Do not share anything that would harm you if others saw it.',
      ],
    },
    {
      title: 'Acceptable use',
      paragraphs: [
        "Do not break in, guess links or passwords, collect other people's data, circumvent access checks, limits or marks, or overload this installation. Security research in good faith is welcome, provided that you test only your own account and tell the operator first.",
      ],
    },
    {
      title: 'Ending your account',
      paragraphs: [
        'You may stop at any time. You can delete albums and pictures yourself. To have your whole account deleted, ask the operator: this version has no button for it yet.',
        'The operator may end an account that breaks these terms, and will give the reason unless the law forbids it.',
      ],
    },
    {
      title: 'No warranty',
      paragraphs: [
        'The software comes without any warranty (GNU Affero General Public License, version 3, sections 15 and 16). Keep copies of your pictures elsewhere: this is a place to show them, not your only archive.',
        'Nothing in these terms limits rights that the law gives you and that cannot be waived.',
      ],
    },
    {
      title: 'Changes to these terms',
      paragraphs: [
        'When these terms change, their date changes too. Your agreement is stored together with the version you agreed to.',
      ],
    },
  ],
});

/** What may be shared here. */
export const writeContentPolicy = (operator: Operator): LegalText => ({
  title: 'Content policy',
  summary: 'Only you, or people who have agreed in writing. Only adults. Nothing that harms anyone.',
  chapters: [
    {
      title: 'Who may be shown',
      paragraphs: [
        'You must be the only person shown, or have the written consent of everyone shown, both to being pictured and to being shared in this way. Keep that consent: you may be asked for it.',
        'Everyone shown must be 18 or older, and must have been when the picture was taken. There are no exceptions, and this includes drawn or generated pictures of people who look younger.',
      ],
    },
    {
      title: 'What is not allowed',
      paragraphs: [
        'Sexually explicit pictures, unless the operator of this installation has allowed them in writing.',
        "Pictures taken or shared without consent, with hidden cameras or out of revenge; faces placed on other people's bodies; threats, violence or cruelty to animals; anything that is against the law where you or the operator are.",
        "Other people's work, unless you have the right to share it.",
      ],
    },
    {
      title: 'Reporting a picture',
      paragraphs: [
        `If you see a picture that breaks this policy, or one that shows you without your consent, report it on the report page of this site (/report); you need no account. Say which link it was and what is wrong with it. A complete report of an intimate picture that was shared without consent hides it at once; a person then decides within 48 hours. Everything else is decided within seven working days. Never send a picture of a minor to anyone but the police.`,
        `${capital(nameOperator(operator))} can close any link and remove any picture. ${tellContact(operator)}`,
      ],
    },
  ],
});

/** What is stored, for how long, and who gets it. */
export const writePrivacy = (operator: Operator): LegalText => ({
  title: 'Privacy policy',
  summary: privacyOf.summary(operator),
  chapters: [
    {
      title: 'Who is responsible',
      paragraphs: [
        `${capital(nameOperator(operator))} (“the operator”) runs this installation and is responsible for the data stored in it. ${tellContact(operator)}`,
      ],
    },
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
        'For each photo or video we store the original file as you uploaded it, encrypted, which only you can download, and encrypted versions for viewers, from which location, camera and time have been removed. Their keys are protected by a master key of this installation. Anyone who holds both that master key and the files could open them, so use this installation only if you trust the operator.',
        "Emails to you are sent through the operator's mail server, and their text is deleted here once they have been sent. In a sandbox they stay here and can be read at /dev/outbox. They contain no pictures that tell whether you opened them. If you unsubscribe, or an email to you bounces or is marked as spam, we note that by a keyed hash of your address, which does not reveal it.",
        'We also store which events you want to hear about, how, and your quiet hours. If you turn on push notifications, we store where the push service of your browser (run by Google, Mozilla, Microsoft or Apple) accepts them, until you turn them off or sign out. The service passes them on encrypted and cannot read them.',
        ...(operator.sellsPlans ? [paymentPrivacy.creators] : []),
      ],
    },
    {
      title: 'If you pay for something',
      paragraphs: [
        'We store: the email address you enter when you pay; what you paid for, how much, when, and what was refunded; a message if you write one, and a name if you sign a tip with one; and that it was paid from your browser. The creator sees what was paid, your message and the name you signed with, and whether you disputed a payment to them with your bank, but not your email address.',
        ...(operator.sellsPlans ? [paymentPrivacy.card] : []),
        `With that address you can open what you paid for in another browser. If you ask for it, we email you a link that works once, for 30 minutes; we store only a hash of it, and delete it within hours of its end. We then note, by the hash of its cookie, that this browser has proven the address. So that requests cannot be repeated too often, counters keep a keyed hash of the address for two days.`,
      ],
    },
    {
      title: 'If you write to us or report something',
      paragraphs: [
        'We store what you enter: your name, your email address and what you wrote; with a report, what it is about and whether you report for someone else. A keyed hash of your network, which does not reveal it, shows us when someone makes false reports again and again. Creators are not told who reported them.',
        'When a page of this site breaks, your browser tells us what broke, on what kind of page and in which browser, without the address of the page and with your account if you are signed in.',
      ],
    },
    {
      title: 'How long data is kept',
      paragraphs: [
        `Individual visits, and what was viewed in them: 13 months, after which only totals without viewers remain. What is stored about a viewer's browser, and which checks it passed: until it has not been back for 13 months, after which it is no longer recognized. That a browser has proven the address of a payment: as long as what is stored about that browser. Payments and subscriptions, their receipts and the email address given with them: they are business records, and nothing removes them automatically. Which keys were issued when: one week after they expired. Deleted albums and pictures: ${undoHours} hours, during which you can restore them; after that their keys and files are destroyed.${operator.sellsPlans ? ' Albums and pictures of a creator who has had no plan for 90 days, and a year after the last sale where somebody can still open what they paid for: they are deleted in the same way, after several emails.' : ''}`,
        `Sessions: ${days(operator.sessionDays)} after last use. An email address that was never confirmed: 7 days. An email address entered in the sign-up form: one year. An application to the partner program (your name, your email address and what you wrote): one year, unless it is accepted. An invitation that nobody accepted: one year after it ended. What you wrote to support: one year. A report: two years after it was decided. What was noted of a page that broke: 90 days. An account closed because of age: one day. What you were notified of: 90 days. Which emails went to an address that belongs to no account: 90 days.`,
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
        ...tellCookies(operator),
        ...privacyOf.cookies(operator.measured),
        'While you upload, your browser keeps a list of the files you chose, on your own device, so that an interrupted upload can continue.',
      ],
    },
    {
      title: 'Who else receives data',
      paragraphs: [
        `No one, apart from the service providers the operator uses to run this installation: those that host the server, store the encrypted files and deliver email;${operator.sellsPlans ? ' Stripe, which handles payments;' : ''} and, if you turn on push notifications, the push service of your browser. No data is sold or shared for advertising. Courts and authorities may require the operator to hand over stored data.`,
        ...(operator.sellsPlans ? paymentPrivacy.others : []),
        tellAssistant(operator),
      ],
    },
    {
      title: 'Your rights',
      paragraphs: [
        `You may ask what is stored about you, have it corrected or deleted, and complain to the data protection authority where you live. ${tellContact(operator)} If you are a viewer, say which link it was and which device you used: there is no name by which you could be found.`,
      ],
    },
  ],
});
