import type { AnswerKind, ContentReport, Report } from './contract.ts';

/** The kinds of report, as the form offers them. */
export const kindOptions: readonly { value: Report['kind']; label: string; hint: string }[] = [
  {
    value: 'intimate',
    label: 'An intimate picture, shared without consent',
    hint: 'Hidden at once if you give its link',
  },
  { value: 'minor', label: 'Someone shown is under 18', hint: 'Hidden at once if you give its link' },
  { value: 'copyright', label: "Someone else's work", hint: 'Decided within 7 working days' },
  { value: 'impersonation', label: 'Someone pretends to be me', hint: 'Decided within 7 working days' },
  { value: 'other', label: 'Something else', hint: 'Decided within 7 working days' },
];

export const whoOptions: readonly { value: Report['onBehalf']; label: string }[] = [
  { value: 'self', label: 'Me' },
  { value: 'other', label: 'Somebody else' },
];

/** What a report says of a creator's content, as the creator reads it. */
export const claimWords: Readonly<Record<Report['kind'], string>> = {
  intimate: 'An intimate picture, shared without consent',
  minor: 'Someone shown is under 18',
  copyright: "Someone else's work",
  impersonation: 'It pretends to be someone else',
  other: "It breaks this site's rules",
};

export const stateWords: Readonly<Record<ContentReport['state'], string>> = {
  hidden: 'Hidden',
  removed: 'Removed',
  appealed: 'Appealed',
  restored: 'Open again',
};

/** What a creator may do about a report, and how the dialog asks for it. */
export const answerWords: Readonly<Record<AnswerKind, AnswerWords>> = {
  answer: {
    button: 'Answer',
    title: 'Answer this report',
    description: 'Whoever decides about it reads what you write. You can answer once.',
    label: 'What we should know',
    done: 'Answer sent',
    said: 'You answered',
  },
  appeal: {
    button: 'Appeal',
    title: 'Appeal this decision',
    description: 'Someone who did not make the decision reads it and decides again. You can appeal once.',
    label: 'Why the decision is wrong',
    done: 'Appeal sent',
    said: 'You appealed',
  },
  counter_notice: {
    button: 'Send a counter-notice',
    title: 'Counter-notice',
    description:
      'It goes to whoever reported it, with your name and address. Unless they tell us within ten working days that they have gone to court, it opens again.',
    label: 'Which work it is, and why removing it was a mistake',
    done: 'Counter-notice sent',
    said: 'You sent a counter-notice',
  },
};

interface AnswerWords {
  button: string;
  title: string;
  description: string;
  label: string;
  done: string;
  said: string;
}
