/** Pages that an answer may lead to, with the names that their links wear; an address that does not stand here is never a link. */
export const ownPages = {
  '/': 'Home',
  '/auth': 'Sign in',
  '/auth?action=signup': 'Start your free trial',
  '/auth?action=forgot': 'Forgot your password?',
  '/pricing': 'Pricing',
  '/pricing?tab=credits': 'Credits',
  '/help': 'Help',
  '/demo': 'Demo',
  '/diagram': 'How it works',
  '/report': 'Report a picture',
  '/contact': 'Contact',
  '/signup': 'Partner program',
  '/privacy-policy': 'Privacy policy',
  '/terms-of-use': 'Terms of use',
  '/acceptable-use': 'Content policy',
  '/albums': 'Albums',
  '/magic-links': 'Magic links',
  '/analytics': 'Analytics',
  '/profile': 'Profile',
  '/profile/app': 'App',
  '/profile/security': 'Security',
  '/subscription': 'Subscription',
  '/earnings': 'Earnings',
  '/requests': 'Requests',
  '/account/data': 'Privacy & data',
  '/account/reports': 'Reports',
  '/account/affiliate': 'Affiliate program',
} as const;
export type OwnPage = keyof typeof ownPages;

/** Those that are open to everybody. */
const publicPages: ReadonlySet<string> = new Set<OwnPage>([
  '/',
  '/auth',
  '/auth?action=signup',
  '/auth?action=forgot',
  '/pricing',
  '/pricing?tab=credits',
  '/help',
  '/demo',
  '/diagram',
  '/report',
  '/contact',
  '/signup',
  '/privacy-policy',
  '/terms-of-use',
  '/acceptable-use',
]);

export const isPublicPage = (page: OwnPage): boolean => publicPages.has(page);

/** Returns what a link to this address is called, also to a place on the help page; undefined when it is none of our pages. */
export function nameOwnPage(address: string): string | undefined {
  const [page = ''] = /^\/help#[a-z0-9-]{1,60}$/.test(address) ? ['/help'] : [address];
  return Object.hasOwn(ownPages, page) ? ownPages[page as OwnPage] : undefined;
}
