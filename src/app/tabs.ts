import type { LucideIcon } from 'lucide-react';
import { ChartLine, CircleUserRound, House, Images, Link2, LogIn, Tag } from 'lucide-react';

/** A place of the frame's navigation. */
export type ShellTab = {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Only on the rail of a desk: the bar of a phone has four places (spec §2). */
  onRailOnly?: boolean;
};

/** Signed in, in the spec's order; each leads to a page that exists. */
export const creatorTabs: readonly ShellTab[] = [
  { to: '/', label: 'Home', icon: House },
  { to: '/albums', label: 'Albums', icon: Images },
  { to: '/magic-links', label: 'Links', icon: Link2 },
  { to: '/analytics', label: 'Analytics', icon: ChartLine, onRailOnly: true },
  { to: '/profile', label: 'Profile', icon: CircleUserRound },
];

/** Signed out (C32): never a tab that leads to a closed page. */
export const visitorTabs: readonly ShellTab[] = [
  { to: '/', label: 'Home', icon: House },
  { to: '/pricing', label: 'Pricing', icon: Tag },
  { to: '/auth', label: 'Sign in', icon: LogIn },
];
