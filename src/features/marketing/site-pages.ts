import { describeTerms } from '#features/settings/plan-words.ts';
import type { Facts } from './contract.ts';
import { usualFacts } from './facts.ts';
import { notFound } from './not-found-words.ts';

/** A page that everybody may read, as search engines and messengers are told of it. */
export interface SitePage {
  address: string;
  title: string;
  /** Never a claim that nobody vouches for: it is quoted away from the page. */
  describePage(facts: Pick<Facts, 'plan'>): string;
  /** The words on the picture beside a link to it; no price, which would stay when it changes. */
  card: string;
}

/** Pages are the same in every installation but for who runs it. */
export const legalPages = [
  { to: '/terms-of-use', label: 'Terms of use' },
  { to: '/acceptable-use', label: 'Content policy' },
  { to: '/privacy-policy', label: 'Privacy policy' },
  { to: '/dmca', label: 'Copyright and DMCA' },
] as const;

export const sitePages: readonly SitePage[] = [
  {
    address: '/',
    title: 'PrivateFans – Secure, No-Leak Private Albums',
    describePage: () =>
      "Share photos and videos through a link that knows who it's for. See who looked. Take it back whenever you want.",
    card: 'Secure, No-Leak Private Albums',
  },
  {
    address: '/pricing',
    title: 'Pricing – PrivateFans',
    describePage: ({ plan }) => `One plan with everything in it. ${describeTerms(plan)}`,
    card: 'One plan, everything in it',
  },
  {
    address: '/about',
    title: 'About – PrivateFans',
    describePage: () => 'Why PrivateFans exists, who runs it, and the few rules that it is built on.',
    card: 'Private by design, honest by habit',
  },
  {
    address: '/creator-safety',
    title: 'Creator safety – PrivateFans',
    describePage: () =>
      'What protects your photos and videos, what no website can promise, and what to do if something has leaked.',
    card: 'Your safety comes first',
  },
  {
    address: '/onlyfans-alternative',
    title: 'A private alternative to OnlyFans – PrivateFans',
    describePage: () =>
      'Private albums instead of a public profile: what is different, what is the same, and when OnlyFans is the better choice.',
    card: 'A private alternative to OnlyFans',
  },
  {
    address: '/comparison',
    title: 'Comparison – PrivateFans',
    describePage: () =>
      'PrivateFans beside OnlyFans, Fansly and Patreon. Facts that can be checked, each with its source.',
    card: 'Side by side, with sources',
  },
  {
    address: '/demo',
    title: 'Demo – PrivateFans',
    describePage: () =>
      'A story in eight scenes: what happens when private photos leak, and what happens when they cannot.',
    card: 'A story in eight scenes',
  },
  {
    address: '/help',
    title: 'Help – PrivateFans',
    describePage: () =>
      'How albums, magic links, protection and everything else works, in short answers that can be searched.',
    card: 'Short answers to what people ask',
  },
  {
    address: '/signup',
    title: 'Partner program – PrivateFans',
    describePage: () =>
      'Recommend PrivateFans to creators you know, and get a share of what their plan costs. How it works, and how to apply.',
    card: 'Recommend what you trust',
  },
  {
    address: '/diagram',
    title: 'How it works – PrivateFans',
    describePage: () =>
      'Follow one photo from your phone to a single viewer and back: encryption, rules, keys, revoking and tracing.',
    card: 'Follow one photo from you to a viewer',
  },
  {
    address: '/contact',
    title: 'Contact – PrivateFans',
    describePage: () => 'Ask anything, or tell us what went wrong. A person reads it and answers by email.',
    card: 'A person reads it and answers',
  },
  {
    address: '/report',
    title: 'Report a picture – PrivateFans',
    describePage: () =>
      'Have a picture of you removed that you never agreed to, or report anything else. No account needed.',
    card: 'Report a picture',
  },
  {
    address: '/terms-of-use',
    title: 'Terms of use – PrivateFans',
    describePage: () => 'What creators and viewers agree to, in plain words.',
    card: 'Terms of use',
  },
  {
    address: '/acceptable-use',
    title: 'Content policy – PrivateFans',
    describePage: () => 'What may be shared here, and what may not.',
    card: 'Content policy',
  },
  {
    address: '/privacy-policy',
    title: 'Privacy policy – PrivateFans',
    describePage: () => 'What is stored, for how long, and who gets it.',
    card: 'Privacy policy',
  },
  {
    address: '/dmca',
    title: 'Copyright and DMCA – PrivateFans',
    describePage: () => 'How to have something removed that infringes your copyright, and how to object to a removal.',
    card: 'Copyright and DMCA',
  },
];

/** What is sent where no page is; it has no address of its own. */
export const missingPage = '/404';
/** What is sent for an invitation that has ended; its addresses are secrets. */
export const endedInvitation = '/free-join';

/** @throws for an address that is no page of the site */
export function sitePageAt(address: string): SitePage {
  const page = sitePages.find((each) => each.address === address);
  if (page === undefined) throw new Error(`${address} is no page of the site.`);
  return page;
}

/** Returns how the pictures beside links are named. */
export const cardName = (address: string): string => (address === '/' ? 'home' : address.slice(1));

/** What a page of the studio's program says of itself; the built pages say more (`writeHead`). */
export function metaOf(address: string) {
  const { title, describePage } = sitePageAt(address);
  return [{ title }, { name: 'description', content: describePage(usualFacts) }];
}

/** Title and description by the facts in force. */
export function describePage(address: string, facts: Pick<Facts, 'plan'>): { title: string; description: string } {
  if (address === missingPage) return { title: notFound.title, description: notFound.text };
  if (address === endedInvitation) return { title: 'Invitation · PrivateFans', description: '' };
  const { title, describePage } = sitePageAt(address);
  return { title, description: describePage(facts) };
}
