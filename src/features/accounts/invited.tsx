import { ORPCError } from '@orpc/client';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { FullSpinner } from '#ui/feedback/full-spinner.tsx';
import { accounts, useMe } from './guard.tsx';
import { InvitationEnded } from './invitation-ended.tsx';
import { useArrival } from './pages/arrival.tsx';
import { AuthFrame } from './pages/auth-frame.tsx';
import { SignUpForm } from './pages/sign-up-form.tsx';

/** A link by which somebody was invited: greets, and takes nothing until an address is confirmed. */
export function InvitedPage() {
  const { token = '' } = useParams();
  const { me, isLoading } = useMe();
  const arrive = useArrival();
  const invitation = useQuery(
    accounts.invitation.queryOptions({ input: { token }, staleTime: Number.POSITIVE_INFINITY }),
  );
  if (invitation.error instanceof ORPCError && invitation.error.code === 'GONE') return <InvitationEnded />;
  if (invitation.isError)
    return (
      <main id="main" className="mx-auto grid min-h-dvh max-w-110 content-center p-5">
        <ErrorState error={invitation.error} onRetry={() => void invitation.refetch()} />
      </main>
    );
  if (invitation.data === undefined || isLoading) return <FullSpinner text="Loading app..." />;
  if (me?.user && me.setupStep === 'done') return <HasAccount />;
  return <SignUpForm email="" invitation={{ token, days: invitation.data.days }} onDone={arrive} />;
}

function HasAccount() {
  return (
    <AuthFrame
      title="You already have an account"
      text="This invitation is for people who are new here. Nothing was used up."
    >
      <div>
        <ButtonLink to="/" size="large">
          Open your studio
        </ButtonLink>
      </div>
    </AuthFrame>
  );
}
