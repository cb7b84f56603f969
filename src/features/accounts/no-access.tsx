import { LogOut } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { AuthFrame } from './auth-frame.tsx';
import type { Me } from './contract.ts';
import { useSignOut } from './guard.tsx';

/** What somebody sees who is signed in but has no access: what that means, and the ways that are open (product §6.4). */
export function NoAccess({ me }: { me: Me }) {
  const signOut = useSignOut();
  const title = me.isStopped ? 'Your account is paused' : "Your subscription isn't active";
  return (
    <AuthFrame title={title} text={`Signed in as ${me.user?.email ?? ''}.`}>
      <p>{me.isStopped ? 'Nobody can open your links until this is settled.' : explain(me)}</p>
      {!me.isStopped && (
        <p className="text-quiet">
          Your albums and photos are kept. People who were let in for free see “Temporarily unavailable” until your plan
          is active again.
        </p>
      )}
      <Button variant="outline" size="large" icon={LogOut} onClick={() => void signOut()}>
        Sign out
      </Button>
    </AuthFrame>
  );
}

function explain({ trialEndsAt, subscriptionStatus }: Me): string {
  if (subscriptionStatus === null) return 'This account has no plan. The free trial of this address was used before.';
  if (trialEndsAt === null) return 'Your plan has ended.';
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(trialEndsAt);
  return `Your free trial ended on ${day}. Nothing was charged.`;
}
