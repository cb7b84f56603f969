import { formatCount } from '#kit/text.ts';
import { describeContact, nameOperator, type Operator } from '../operator-words.ts';

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

/** The version of these texts, as it is stored with everybody's agreement, in words. */
export const legalVersion = 'November 2026';

/** As the first word of a sentence. */
export const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

export const days = (count: number) => formatCount(count, 'day');

/** Returns what the policy that is set says of sexually explicit pictures. */
const describeExplicit = ({ contentPolicy }: Pick<Operator, 'contentPolicy'>): string =>
  contentPolicy === 'adult'
    ? 'Sexually explicit pictures are allowed on this installation, which is set up for trying that out. It takes no real payments and must not be used by real people.'
    : 'Sexually explicit pictures: this installation does not allow them, and neither does the company that takes its payments.';

/** Returns what may be shared here. */
export const writeContentPolicy = (operator: Operator): LegalText => ({
  title: 'Content policy',
  summary: 'Only you, or people who have agreed in writing. Only adults. Nothing that harms anyone.',
  chapters: [
    {
      title: 'Who may be shown',
      paragraphs: [
        'You must be the only person shown, or have the written consent of everyone shown, both to being pictured and to being shared in this way. Keep that consent: you may be asked for it.',
        'Before the first link to an album you say who is shown in it. Everyone else is asked by email and says yes or no; nobody can open the album until all of them have agreed. Whoever agreed can withdraw that at any time: the album is locked at once, and what was paid for it in the 90 days before is refunded.',
        'Everyone shown must be 18 or older, and must have been when the picture was taken. There are no exceptions, and this includes drawn or generated pictures of people who look younger.',
      ],
    },
    {
      title: 'What is not allowed',
      paragraphs: [
        describeExplicit(operator),
        "Pictures taken or shared without consent, with hidden cameras or out of revenge; faces placed on other people's bodies; threats, violence or cruelty to animals; anything that is against the law where you or the operator are.",
        "Other people's work, unless you have the right to share it.",
      ],
    },
    {
      title: 'Reporting a picture',
      paragraphs: [
        `If you see a picture that breaks this policy, or one that shows you without your consent, report it on the report page of this site (/report); you need no account. Say which link it was and what is wrong with it. A complete report of an intimate picture that was shared without consent hides it at once; a person then decides within 48 hours. Everything else is decided within seven working days. Never send a picture of a minor to anyone but the police.`,
        `${capital(nameOperator(operator))} can close any link and remove any picture. ${describeContact(operator)}`,
      ],
    },
  ],
});
