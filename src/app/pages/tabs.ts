import type { LucideIcon } from 'lucide-react';
import {
  ChartLine,
  CircleHelp,
  CircleUserRound,
  Clapperboard,
  Coins,
  CreditCard,
  House,
  Images,
  Landmark,
  LifeBuoy,
  Link2,
  LogIn,
  ShieldUser,
  Tag,
} from 'lucide-react';
import type { Me } from '#features/accounts/contract.ts';

/** A place of the frame's navigation. */
export type ShellTab = {
  to: string;
  label: string;
  icon: LucideIcon;
  /** On the rail on a computer; the bar of a phone has four places and the others behind "More". */
  onRailOnly?: boolean;
  /** Other pages whose way back leads to this place. */
  holds?: readonly string[];
};

const home: ShellTab = { to: '/', label: 'Home', icon: House };

const admin: ShellTab = { to: '/admin', label: 'Admin', icon: ShieldUser, onRailOnly: true };

/** Signed in; each leads to a page that exists. */
export const creatorTabs: readonly ShellTab[] = [
  home,
  { to: '/albums', label: 'Albums', icon: Images },
  { to: '/magic-links', label: 'Links', icon: Link2, onRailOnly: true },
  {
    to: '/earnings',
    label: 'Earnings',
    icon: Coins,
    holds: ['/requests', '/account/payouts', '/account/tiers'],
  },
  { to: '/analytics', label: 'Analytics', icon: ChartLine, onRailOnly: true },
  { to: '/profile', label: 'Profile', icon: CircleUserRound, holds: ['/account/affiliate'] },
];

/** For everybody who is signed in, with a plan or without: at the foot of the rail on a computer, and behind "More" on a phone. */
export const helpTabs: readonly ShellTab[] = [
  { to: '/help', label: 'Help', icon: CircleHelp },
  { to: '/contact', label: 'Support', icon: LifeBuoy },
];

/** Signed out: never a tab that leads to a closed page. */
export const visitorTabs: readonly ShellTab[] = [
  home,
  { to: '/pricing', label: 'Pricing', icon: Tag },
  { to: '/demo', label: 'Demo', icon: Clapperboard },
  { to: '/auth', label: 'Sign in', icon: LogIn },
];

/** Signed in without access: what is open to them all the same. */
const restingTabs: readonly ShellTab[] = [
  { to: '/pricing', label: 'Plan', icon: Tag },
  { to: '/account/billing', label: 'Billing', icon: CreditCard, onRailOnly: true },
  { to: '/account/payouts', label: 'Payouts', icon: Landmark, holds: ['/requests'] },
  { to: '/auth', label: 'Account', icon: CircleUserRound },
];

/** Returns whether a page is one of those that a place holds. */
export const isWithin = ({ holds = [] }: ShellTab, pathname: string): boolean =>
  holds.some((page) => pathname === page || pathname.startsWith(`${page}/`));

/** The places of whoever looks; none while nobody knows, and none before the setup is done, which every place would lead back to. */
export function tabsOf(me: Me | undefined): readonly ShellTab[] {
  if (me === undefined) return [];
  if (me.user === null) return visitorTabs;
  if (me.setupStep !== 'done') return [];
  if (me.hasAccess) return me.isAdmin ? [...creatorTabs, admin] : creatorTabs;
  // Home sends them on to the plan.
  return me.subscriptionStatus === 'inactive' ? restingTabs : [home, ...restingTabs];
}
