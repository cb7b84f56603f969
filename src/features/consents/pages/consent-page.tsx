import { ORPCError } from '@orpc/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isolate } from '#kit/text.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { GuestFrame } from '#ui/layout/guest-frame.tsx';
import { useMailedToken } from '#ui/use-mailed-token.ts';
import { consents } from '../consent-calls.tsx';
import type { ConsentRequest } from '../contract.ts';
import { ConsentForm } from './consent-form.tsx';
import { WithdrawConsent } from './withdraw-consent.tsx';

export const meta = () => [
  { title: 'Your consent · PrivateFans' },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
];

/** Where somebody who is shown says yes or no, and takes a yes back; by the secret of the link that they were mailed. */
export default function ConsentPage() {
  const token = useMailedToken();
  if (token === undefined)
    return (
      <GuestFrame title="This link is incomplete" text="Open it from the email once more.">
        {null}
      </GuestFrame>
    );
  return <Mailed key={token} token={token} />;
}

function Mailed({ token }: { token: string }) {
  const queries = useQueryClient();
  const options = consents.look.queryOptions({ input: { token }, retry: false, staleTime: Number.POSITIVE_INFINITY });
  const query = useQuery(options);
  const { data: request, error } = query;
  const answered = (next: ConsentRequest) => void queries.setQueryData(options.queryKey, next);
  if (query.isPending)
    return (
      <GuestFrame title="Your consent">
        <Spinner className="mx-auto my-10 size-6" />
      </GuestFrame>
    );
  if (request === undefined)
    return error instanceof ORPCError && error.code === 'GONE' ? (
      <GuestFrame title="This link doesn't work any more" text="Look for a newer email, and open the link in that.">
        <ReportWay />
      </GuestFrame>
    ) : (
      <GuestFrame title="Your consent">
        <ErrorState error={error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      </GuestFrame>
    );
  return <Request token={token} request={request} onAnswered={answered} />;
}

interface RequestProps {
  token: string;
  request: ConsentRequest;
  onAnswered: (next: ConsentRequest) => void;
}

/** How a request stands, and what can be done about it. */
function Request({ token, request, onAnswered }: RequestProps) {
  const creator = isolate(request.creatorName) || 'the creator';
  if (request.state === 'withdrawn')
    return (
      <GuestFrame
        title="Your consent is withdrawn"
        text={`The album was closed to everyone else at once. ${creator} has been told to take out everything that shows you.`}
      >
        <ReportWay />
      </GuestFrame>
    );
  if (request.state === 'refused')
    return (
      <GuestFrame title="You said no" text={`${creator} has been told that you don't agree to being shown.`}>
        <ReportWay />
      </GuestFrame>
    );
  if (request.isOver)
    return (
      <GuestFrame title="This request is over" text="The album is gone, or you aren't named in it any more.">
        <ReportWay />
      </GuestFrame>
    );
  return request.state === 'given' ? (
    <WithdrawConsent token={token} request={request} onAnswered={onAnswered} />
  ) : (
    <ConsentForm token={token} request={request} onAnswered={onAnswered} />
  );
}

/** What anybody can do who is shown all the same. */
function ReportWay() {
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-quiet">If you are shown somewhere all the same, report it. A report needs no account.</p>
      <ButtonLink to="/report" variant="outline">
        Report a picture
      </ButtonLink>
    </div>
  );
}
