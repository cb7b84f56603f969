import { LogOut } from 'lucide-react';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import type { Me } from '../contract.ts';
import { useSignOut } from '../guard.tsx';
import { describeEnd, describeKept, pausedTitle, suspendedTitle } from '../plan-end.ts';
import { AuthFrame } from './auth-frame.tsx';

/** What somebody sees who is signed in but has no access: what that means, and the ways that are open. */
export function NoAccess({ me }: { me: Me }) {
  const signOut = useSignOut();
  const ended = me.planIsPaused ? pausedTitle : "Your subscription isn't active";
  const title = me.isStopped ? suspendedTitle : ended;
  return (
    <AuthFrame title={title} text={`Signed in as ${me.user?.email ?? ''}.`}>
      <p>{describeEnd(me)}</p>
      {!me.isStopped && <p className="text-quiet">{describeKept(me)}</p>}
      <p className="flex flex-wrap gap-3">
        {!me.isStopped && me.plan.isSold && (
          <>
            {!me.planIsPaused && (
              <ButtonLink to="/pricing" size="large">
                Choose plan
              </ButtonLink>
            )}
            <ButtonLink to="/account/billing" variant={me.planIsPaused ? 'primary' : 'outline'} size="large">
              {me.planIsPaused ? 'Resume plan' : 'Billing'}
            </ButtonLink>
          </>
        )}
        {!me.isStopped && (
          <ButtonLink to="/account/payouts" variant="outline" size="large">
            Payouts
          </ButtonLink>
        )}
        <Button variant="outline" size="large" icon={LogOut} onClick={() => signOut()}>
          Sign out
        </Button>
        {(me.isStopped || !me.plan.isSold) && (
          <ButtonLink to="/pricing" variant="bare" size="large">
            About the plan
          </ButtonLink>
        )}
      </p>
      <p className="flex flex-wrap gap-3">
        <ButtonLink to="/help" variant="bare" size="large">
          Help
        </ButtonLink>
        <ButtonLink to="/account/data" variant="bare" size="large">
          Privacy & data
        </ButtonLink>
        <ButtonLink to="/contact" variant="bare" size="large">
          Support
        </ButtonLink>
      </p>
    </AuthFrame>
  );
}
