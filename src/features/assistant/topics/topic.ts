import type { Facts } from '../contract.ts';
import type { Feature } from '../rules.ts';
import type { OwnPage } from './own-pages.ts';

/** How things stand with a creator, as far as they could see it on their own pages. */
export interface OwnState {
  albums: number;
  /** Photos and videos that viewers can be shown, that are being made ready, and that could not be. */
  itemsReady: number;
  itemsWorking: number;
  itemsFailed: number;
  activeLinks: number;
  neverOpenedLinks: number;
  /** Active links that end today, and tomorrow, where they live. */
  endsToday: number;
  endsTomorrow: number;
  /** Screens that show something of theirs at this moment. */
  lookingNow: number;
  /** Visits of the last seven days. */
  visitsThisWeek: number;
  storageUsedBytes: number;
  /** Null where there is no trial. */
  trialDaysLeft: number | null;
}

export const groups = {
  start: 'First steps',
  plan: 'Plan and price',
  albums: 'Albums and uploads',
  links: 'Magic links',
  viewers: 'For viewers',
  protection: 'Protection',
  figures: 'Who looked',
  money: 'Getting paid',
  account: 'Your account',
  missing: 'Not here, or not yet',
} as const;
export type Group = keyof typeof groups;

/** Something that people ask about. Its texts hold no HTML, only **bold** words and `/pages`. */
export interface Topic {
  /** Its place on /help: `/help#take-back`. */
  id: string;
  /** None for small talk, which no page shows. */
  group?: Group;
  title: string;
  /** Where the matter is dealt with. */
  page: OwnPage;
  /** Shown only while all of these are there. */
  needs?: Feature;
  /** Shown only while this is not there yet. */
  until?: Feature;
  /** Other ways of asking, and words that the text itself does not use. */
  asks: readonly string[];
  /** Words by which a question is recognised for certain, before anything is compared: see `search/keys.ts`. */
  keys?: readonly string[];
  text: (facts: Facts) => string;
  /** What a creator is told of their own case besides; nothing where there is nothing to tell. */
  own?: (state: OwnState, facts: Facts) => string | undefined;
}
