import { deletionGraceDays } from '#features/accounts/rules.ts';
import { grantMonths, packBackMs } from '#features/credits/rules.ts';
import { formatCount } from '#kit/text.ts';
import { dayMs } from '#kit/time.ts';
import { describeContact, nameOperator, type Operator } from '../operator-words.ts';
import { describeCredits } from '../words/pricing-words.ts';
import { type Chapter, days, type LegalText } from './legal-words.ts';
import { describeSaleTerms } from './sale-terms.ts';

/** What creators agree to where they buy credits, or are given some. */
const creditTerms = ({ credits }: Operator): Chapter => ({
  title: 'Credits',
  paragraphs: [
    `Credits are units that creators pay for in advance, for what goes beyond the plan. ${describeCredits(credits)} Viewers never have any. What a use costs is shown before it is paid for; it may change for later uses.`,
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

/** Returns whose agreement it is, and who may have an account. */
const partyTerms = (operator: Operator): Chapter[] => [
  {
    title: 'Who these terms are between',
    paragraphs: [
      `PrivateFans is free software that anyone may run. These terms are an agreement between you and ${nameOperator(operator)} (“the operator”), who runs this installation. ${describeContact(operator)}`,
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
];

/** Returns what is shared and viewed, and what a website cannot do. */
const pictureTerms = (operator: Operator): Chapter[] => [
  {
    title: 'What you share',
    paragraphs: [
      'Your photos and videos remain yours. You allow this installation to store, convert, encrypt and mark them, and to show them to the people you give a link to, for as long as you keep them here. They are used for nothing else.',
      'The content policy is part of these terms and sets out what may not be shared. The operator may close links to content that breaks it, and end the accounts that share such content.',
      'If someone reports that one of your links shows an intimate picture without consent, or someone under 18, the link and its albums are closed until a person has decided. You are told by email, may answer, and are given the reason for the decision, which you may appeal once, within 14 days; someone else decides then. Where the pictures themselves are what is wrong, the same photos and videos are hidden in other albums and accounts too, and can’t be uploaded again.',
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
];

/** How everybody behaves, and how an agreement ends or changes. */
const closingTerms: Chapter[] = [
  {
    title: 'Acceptable use',
    paragraphs: [
      "Do not break in, guess links or passwords, collect other people's data, circumvent access checks, limits or marks, or overload this installation. Security research in good faith is welcome, provided that you test only your own account and tell the operator first.",
    ],
  },
  {
    title: 'Ending your account',
    paragraphs: [
      `You may stop at any time. You can delete albums and pictures yourself, and your whole account under Profile → Privacy & data. Your links then stop at once, and for ${deletionGraceDays} days signing in keeps the account; after that it is erased, and what was bought from you in the 30 days before goes back to its buyers.`,
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
];

/** Returns what creators and viewers agree to. */
export const writeTerms = (operator: Operator): LegalText => ({
  title: 'Terms of use',
  summary:
    'Share only what is yours to share, view only what was shared with you, and expect no protection that a website cannot give.',
  chapters: [
    ...partyTerms(operator),
    ...(operator.sellsPlans ? [...describeSaleTerms(operator), disputeTerms, creditTerms(operator)] : []),
    ...pictureTerms(operator),
    ...closingTerms,
  ],
});
