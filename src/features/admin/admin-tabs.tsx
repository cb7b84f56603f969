import { Tabs } from '#ui/layout/tabs.tsx';
import type { AdminScope } from '#wire/promise.ts';

const places: readonly { to: string; label: string; scope?: AdminScope; end?: boolean }[] = [
  { to: '/admin', label: 'Today', end: true },
  { to: '/admin/users', label: 'People', scope: 'support' },
  { to: '/admin/support', label: 'Support', scope: 'support' },
  { to: '/admin/moderation', label: 'Reports', scope: 'moderation' },
  { to: '/admin/payments', label: 'Payments', scope: 'finance' },
  { to: '/admin/affiliates', label: 'Partners', scope: 'finance' },
  { to: '/admin/mails', label: 'Emails', scope: 'support' },
  { to: '/admin/nervecheck', label: 'Nervecheck' },
  { to: '/admin/functions', label: 'Functions', scope: 'support' },
  { to: '/admin/debug', label: 'Debug', scope: 'support' },
  { to: '/admin/audit-buttons', label: 'Buttons', scope: 'owner' },
  { to: '/admin/junk', label: 'Junk', scope: 'owner' },
  { to: '/admin/audit', label: 'Audit', scope: 'owner' },
  { to: '/admin/settings', label: 'Settings', scope: 'owner' },
  { to: '/admin/fullcheck', label: 'Full check', scope: 'owner' },
];

/** The parts of the operator's desk that an administrator's scopes open. */
export function AdminTabs({ scopes }: { scopes: readonly AdminScope[] }) {
  const isOwner = scopes.includes('owner');
  const open = places.filter(({ scope }) => scope === undefined || isOwner || scopes.includes(scope));
  return <Tabs label="Admin" tabs={open.map(({ scope: _, ...tab }) => tab)} />;
}
