import { undoHours } from '#features/media/rules.ts';
import { type Settings, settingsFrom } from '#features/settings/rules.ts';
import { formatCount } from '#kit/text.ts';

/** What the legal pages say in numbers. */
export interface LegalNumbers {
  leaseSeconds: number;
  trialDays: number;
  sessionDays: number;
}

/** The numbers by the settings in force. */
export const legalNumbersOf = (settings: Settings): LegalNumbers => ({
  leaseSeconds: settings['viewing.leaseSeconds'],
  trialDays: settings['plan.trialDays'],
  sessionDays: settings['accounts.sessionDays'],
});

/** Who runs an installation, as far as the installation was told, and by which settings. */
export interface Operator extends LegalNumbers {
  name: string | null;
  email: string | null;
}

/** Until the server has answered: nobody is named, and the numbers are those of a new installation. */
export const unnamedOperator: Operator = { name: null, email: null, ...legalNumbersOf(settingsFrom(new Map())) };

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
] as const;

/** The version of these texts, as it is stored with everybody's agreement, in words. */
export const legalVersion = 'November 2026';

const whoRuns = ({ name }: Operator) => name ?? 'whoever operates this installation';
const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
const howToWrite = ({ email }: Operator) =>
  email === null
    ? 'Write to the person who gave you the address of this installation: it was not told a mail address to show here.'
    : `Write to ${email}.`;

const days = (count: number) => formatCount(count, 'day');

/** What creators and viewers agree to. */
export const writeTerms = (operator: Operator): LegalText => ({
  title: 'Terms of use',
  summary:
    'You share only what is yours to share, you look only at what was shared with you, and nobody is promised what a website cannot do.',
  chapters: [
    {
      title: 'Who this is between',
      paragraphs: [
        `PrivateFans is free software that anybody may run. This installation is run by ${whoRuns(operator)}; these terms are between them and you. ${howToWrite(operator)}`,
        'They are the terms of service that you agree to when you sign up.',
        'You are a creator when you have an account and make links, and a viewer when you open a link. A viewer needs no account.',
      ],
    },
    {
      title: 'You are 18 or older',
      paragraphs: [
        'Creators confirm it when they sign up and give their date of birth. Whoever turns out to be younger loses the account at once, and it is erased within a day.',
        'Viewers confirm it where the creator of a link asks for it, which is the usual case.',
      ],
    },
    {
      title: 'Your account',
      paragraphs: [
        'Give a mail address that is yours and a password that you use nowhere else. What happens with your account is done by you, until you have said that somebody else got in.',
        `An account begins with a free trial of ${days(operator.trialDays)}. No card is asked for. If you do nothing, the trial ends and nothing is charged.`,
        'This version takes no payments: there is nothing to buy, to tip or to be paid out. Where it runs as a sandbox it says so, and all money in it is play money.',
      ],
    },
    {
      title: 'What you share',
      paragraphs: [
        'Your pictures stay yours. You allow this installation to store, convert, encrypt and mark them, and to show them to the people you give a link to, for as long as you keep them here. Nothing else is done with them.',
        'What may not be here stands in the content policy, which is part of these terms. The operator may close such links and end accounts that share such content.',
      ],
    },
    {
      title: 'What you look at',
      paragraphs: [
        'A link was made for somebody. Do not pass on, copy, record or publish what you see, unless its creator has allowed it.',
        'Every viewer gets pictures with an invisible mark of their own, and the creator sees when a link is opened, what is looked at and for how long. A published copy can be traced to the link and the viewer it was shown to.',
        'A creator may end a link at any moment, without a reason.',
      ],
    },
    {
      title: 'What protection can do, and what it cannot',
      paragraphs: [
        `There is no file to download: pictures travel encrypted, and keys are lent for ${operator.leaseSeconds} seconds at a time. After a link is revoked no keys are lent, and open screens close, after ${operator.leaseSeconds} seconds at the latest.`,
        'No website can prevent a screenshot, or a photo of the screen. What somebody has captured cannot be taken back. Do not share what would harm you if it were seen by somebody else.',
      ],
    },
    {
      title: 'Please do not',
      paragraphs: [
        "Do not break in, guess links or passwords, collect other people's data, get around gates, limits or marks, or overload this installation. Who looks for security holes in good faith on their own account, and tells the operator first, is welcome.",
      ],
    },
    {
      title: 'Ending it',
      paragraphs: [
        'Stop whenever you like. You delete albums and pictures yourself; to have the whole account deleted, ask the operator, since this version has no button for it yet.',
        'The operator may end an account that breaks these terms, and says why, unless the law forbids it.',
      ],
    },
    {
      title: 'What nobody promises',
      paragraphs: [
        'The software comes without any warranty (GNU Affero General Public License, version 3, sections 15 and 16). Keep copies of your pictures elsewhere: this is a place to show them, not your only archive.',
        'Rights that the law gives you and that cannot be given up stay as they are.',
      ],
    },
    {
      title: 'Changes',
      paragraphs: [
        'A new text has a new date, and your agreement is stored together with the version that you agreed to.',
      ],
    },
  ],
});

/** What may be shared here. */
export const writeContentPolicy = (operator: Operator): LegalText => ({
  title: 'Content policy',
  summary: 'Only you, or people who have agreed in writing. Only adults. Nothing that harms somebody.',
  chapters: [
    {
      title: 'Who may be shown',
      paragraphs: [
        'You are the only person shown, or you have the written consent of everyone shown – to being pictured, and to being shared in this way. Keep it: you may be asked for it.',
        'Everyone shown is 18 or older, and was when the picture was taken. There is no exception, also not for drawn or generated pictures that look younger.',
      ],
    },
    {
      title: 'What may not be here',
      paragraphs: [
        'Sexually explicit pictures, unless the operator of this installation has allowed them in writing.',
        "Pictures taken or shared without consent, by hidden cameras or out of revenge; faces put on other people's bodies; threats, violence, animals harmed; anything that is against the law where you or the operator are.",
        "Other people's work, unless you have the right to share it.",
      ],
    },
    {
      title: 'If you see such a picture, or are shown yourself',
      paragraphs: [
        `${howToWrite(operator)} Say which link it was and what is wrong with it; do not send the picture of a minor to anybody but the police.`,
        `${capital(whoRuns(operator))} can close any link and remove any picture.`,
      ],
    },
  ],
});

/** What is stored, for how long, and who gets it. */
export const writePrivacy = (operator: Operator): LegalText => ({
  title: 'Privacy policy',
  summary:
    'What is stored is what the product needs to work. Nothing is sold, there is no advertising, and no page here loads anything from anybody else.',
  chapters: [
    {
      title: 'Who is responsible',
      paragraphs: [`This installation is run by ${whoRuns(operator)}. ${howToWrite(operator)}`],
    },
    {
      title: 'If you are a viewer',
      paragraphs: [
        'Until you tap Open, nothing about you is stored. With the tap your browser gets a cookie with a random number, so that it is known again, and this is stored: kind of browser and device, inside which app, size of the screen, time zone, country, when you came, which pictures were on your screen and for how long, and which gates you passed (age, password). The maker of the link sees it, under a name like “Viewer 4F2A” or the one that she gives you.',
        'The country comes from a file on this server and your network address, or is estimated from your time zone. The address itself is not stored. Counters against abuse keep a keyed hash of the network, for two days.',
        'Your pictures carry an invisible mark that belongs to this link and this browser. A log that cannot be changed keeps, for good, which marks were given out, as ids and hashes without names, so that a leaked copy can be traced.',
      ],
    },
    {
      title: 'If you are a creator',
      paragraphs: [
        'Stored are: mail address, password (as an argon2id hash), name, handle, country, time zone and what you write about yourself; a small picture of you if you choose one, cut from a photo whose file is not kept; date of birth, shown to nobody; which version of the terms and the content policy you agreed to, and when; whether you want news; the kinds of devices and countries you signed in from, and your sessions.',
        'Whoever opens a link of yours sees your name and picture. Your public page is closed until you open it; then anybody sees name, handle, picture and what you write about yourself there.',
        'Of pictures: the file as you sent it, encrypted, which only you can download, and the encrypted versions for viewers, from which place, camera and time have been removed. The keys to them are wrapped by a master key of this installation: whoever holds that key and the files could open them, so trust whoever runs it.',
        "Letters to you leave through the operator's mail server; what they said is deleted here when they have left. In a sandbox they stay here, to be read at /dev/outbox.",
      ],
    },
    {
      title: 'How long',
      paragraphs: [
        `Single visits and what was looked at in them: 13 months, then only sums without viewers. What is stored about a viewer's browser, and which gates were passed with it: until it has not come for 13 months; then it is not known again. Which keys were lent when: a week after they ended. Deleted albums and pictures: ${undoHours} hours in which you can bring them back, then their keys and files are destroyed.`,
        `A session: ${days(operator.sessionDays)} after its last use. A mail address that was never confirmed: 7 days. An address that was typed into the sign-up form: a year. An account closed for age: a day.`,
        "A log of what was done with accounts and links is kept and can be changed by nobody; nothing is deleted from it by itself. Who was let in by a link is kept as long as the link's account, so that a leaked copy can be traced: a number without browser or country, when they came first and last, how often and how long in all, which pictures they were given and which seconds of videos, the name that the maker gave them, and whether they are blocked.",
        'A leaked copy that a creator uploads, and what was found in it: 30 days. That it was uploaded, and which of her pictures it shows, stays in a log that can be changed by nobody.',
        'Backups that the operator makes may hold what was deleted here, until they are deleted themselves.',
      ],
    },
    {
      title: 'Cookies',
      paragraphs: [
        "There are three, all needed and all unreadable to scripts: one that keeps a creator signed in, one that ties a mailed link or code to the browser that asked for it, and one that lets a viewer's browser be known again (400 days after the last tap). There are no cookies for advertising or measuring, so no banner asks for them.",
        'While you upload, your browser remembers the files you chose on your own device, so that a broken upload can go on.',
      ],
    },
    {
      title: 'Who else gets something',
      paragraphs: [
        'Nobody, except those whose machines the operator uses to run this: where the server stands, where the encrypted files lie, who carries the mail. Nothing is sold or given away for advertising. Courts and authorities may ask the operator for what is stored.',
      ],
    },
    {
      title: 'Your rights',
      paragraphs: [
        `You may ask what is stored about you, have it corrected or deleted, and complain to the data protection authority where you live. ${howToWrite(operator)} Viewers: say which link it was, and from which device; there is no name by which you could be found.`,
      ],
    },
  ],
});
