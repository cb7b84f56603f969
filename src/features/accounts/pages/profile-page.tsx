import { LogOut } from 'lucide-react';
import { Outlet } from 'react-router';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { Tabs } from '#ui/layout/tabs.tsx';
import type { Me } from '../contract.ts';
import { useMe, useSignOut } from '../guard.tsx';

export const meta = () => [{ title: 'Profile · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const parts = [
  { to: '/profile', label: 'Profile', end: true },
  { to: '/profile/security', label: 'Security' },
  { to: '/profile/notifications', label: 'Notifications' },
  { to: '/profile/blocked', label: 'Blocked viewers' },
  { to: '/profile/data', label: 'Privacy & data' },
  { to: '/profile/app', label: 'App' },
];

/** What a person shows of themselves, and how their account is kept safe. */
export default function ProfilePage() {
  const { me } = useMe();
  const signOut = useSignOut();
  return (
    <>
      <PageHeader
        title="Profile"
        facts={me?.user && `${me.user.email} · ${describePlan(me)}`}
        actions={
          <Button variant="outline" icon={LogOut} onClick={() => signOut()}>
            Sign out
          </Button>
        }
      />
      <Tabs label="Profile sections" tabs={parts} />
      <Outlet />
    </>
  );
}

/** The plan in a few words. */
function describePlan({ isAdmin, isFreeUser, freeUntil, subscriptionStatus, trialEndsAt, now }: Me): string {
  if (subscriptionStatus === 'trialing' && trialEndsAt) return `free trial until ${formatDate(trialEndsAt, now)}`;
  if (subscriptionStatus === 'active' || subscriptionStatus === 'past_due') return 'subscribed';
  if (isFreeUser) return freeUntil ? `free access until ${formatDate(freeUntil, now)}` : 'free access';
  return isAdmin ? 'admin access' : 'no plan';
}
