import { legalPages } from '../site-pages.ts';

/** A way to another public page. */
export interface SiteLink {
  to: string;
  label: string;
}

/** Beside the name, where a screen is wide enough. */
export const headerLinks: readonly SiteLink[] = [
  { to: '/diagram', label: 'How it works' },
  { to: '/creator-safety', label: 'Safety' },
  { to: '/pricing', label: 'Pricing' },
];

/** The foot of every public page. */
export const footerLinks: readonly { title: string; links: readonly SiteLink[] }[] = [
  {
    title: 'Product',
    links: [
      { to: '/demo', label: 'Demo' },
      { to: '/diagram', label: 'How it works' },
      { to: '/pricing', label: 'Pricing' },
      { to: '/comparison', label: 'Comparison' },
      { to: '/onlyfans-alternative', label: 'OnlyFans alternative' },
    ],
  },
  {
    title: 'About',
    links: [
      { to: '/about', label: 'About' },
      { to: '/help', label: 'Help' },
      { to: '/creator-safety', label: 'Creator safety' },
      { to: '/signup', label: 'Partner program' },
      { to: '/report', label: 'Report a picture' },
    ],
  },
  { title: 'Legal', links: legalPages },
];
