import { LogOut } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { useMe, useSignOut } from '../guard.tsx';
import { safeReturnTo } from '../rules.ts';
import { Passkeys } from './passkeys/passkeys-section.tsx';
import { TwoStep } from './two-step/two-step.tsx';

export const meta = () => [{ title: 'Two-step sign-in · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Where an administrator without a second factor is led; either kind of it will do. */
export default function TwoStepPage() {
  const { me } = useMe();
  const signOut = useSignOut();
  const [search] = useSearchParams();
  const isMissing = me?.needsSecondFactor === true;
  return (
    <div className="grid max-w-160 gap-8">
      <div>
        <PageHeader
          title="Sign in with two steps"
          facts={me?.user?.email}
          actions={
            <Button variant="outline" icon={LogOut} onClick={() => signOut()}>
              Sign out
            </Button>
          }
        />
        {isMissing && (
          <p>
            Administrators sign in with a second step. Set up two-step sign-in or add a passkey; until then, this
            account has no administrator rights.
          </p>
        )}
        {me?.isAdmin && (
          <div className="grid justify-items-start gap-4">
            <p>It's set up. Keep your backup codes somewhere safe.</p>
            <ButtonLink to={safeReturnTo(search.get('returnTo'), window.location.origin) ?? '/'} size="large">
              Continue
            </ButtonLink>
          </div>
        )}
      </div>
      <TwoStep />
      <Passkeys />
    </div>
  );
}
