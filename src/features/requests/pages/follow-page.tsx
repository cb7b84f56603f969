import { ORPCError } from '@orpc/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { metaOfPaid } from '#features/viewing/paid.tsx';
import { proofMinutes } from '#features/viewing/rules.ts';
import { isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { useNow } from '#ui/clock.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { GuestFrame } from '#ui/layout/guest-frame.tsx';
import { useMailedToken } from '#ui/use-mailed-token.ts';
import type { FollowedRequest } from '../contract.ts';
import { describeBuyer } from '../moves/request-words.ts';
import { History, RequestFacts } from '../request-facts.tsx';
import { BuyerActions } from './buyer-actions.tsx';
import { textsOf } from './request-texts.ts';
import { requests } from './requests-calls.tsx';

export const meta = () => metaOfPaid('Your request');

/** How often somebody who waits is told again. */
const askEveryMs = 20_000;

/** Where whoever asked follows their request, in any browser: to read by its address, to act where it is known whose it is. */
export default function FollowPage() {
  const { code = '' } = useParams();
  const token = useMailedToken();
  const query = useQuery(requests.show.queryOptions({ input: { code }, refetchInterval: askEveryMs }));
  const { data } = query;
  if (data !== undefined && token !== undefined && !data.isYours)
    return <Claim code={code} token={token} onDone={() => void query.refetch()} />;
  return (
    <GuestFrame title={data === undefined ? 'Your request' : data.title}>
      {query.isPending && <Spinner className="mx-auto my-10 size-6" />}
      {query.isError && data === undefined && <NotShown error={query.error} onRetry={() => void query.refetch()} />}
      {data && <Followed request={data} />}
    </GuestFrame>
  );
}

/** Its address leads nowhere, or it didn't load. */
function NotShown({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof ORPCError && error.code === 'NOT_FOUND'))
    return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <>
      <ErrorState title="No such request" error={error} />
      <ButtonLink to="/find-my-purchases" variant="outline" className="justify-self-center">
        Find my purchases
      </ButtonLink>
    </>
  );
}

function Followed({ request }: { request: FollowedRequest }) {
  const now = useNow();
  const { state, actUntil, canOpen, isYours, reference, receiptPath, isSandbox } = request;
  const isClosed = state === 'delivered' && !canOpen;
  const until = actUntil === null || isClosed ? undefined : untilWords[state];
  return (
    <>
      <Card className="grid gap-3">
        <p role="status" className="text-21 font-strong text-balance">
          {describeBuyer(textsOf(request, 'buyer'))}
        </p>
        {until !== undefined && actUntil !== null && (
          <p className="text-quiet">{`${until} ${formatMoment(actUntil, now)}.`}</p>
        )}
        {isYours && <BuyerActions request={request} />}
        {!isYours && !isSettled.includes(state) && <Prove request={request} />}
      </Card>
      <RequestFacts request={request} />
      <History events={request.events} currency={request.currency} buyer="You" creator={isolate(request.creatorName)} />
      <div className="flex flex-wrap gap-2">
        {receiptPath !== null && (
          <ButtonLink to={receiptPath} variant="outline">
            Receipt
          </ButtonLink>
        )}
        <ButtonLink to="/report" variant="bare" className={receiptPath === null ? '-ml-2.5' : undefined}>
          Report
        </ButtonLink>
      </div>
      <p className="text-13 text-quiet">
        {`Reference ${reference}. Keep the email that led here: it works in any browser.${isSandbox ? ' Test payments, no real money.' : ''}`}
      </p>
    </>
  );
}

/** Nothing is left to answer, to pay or to open. */
const isSettled: readonly string[] = ['declined', 'expired', 'refunded', 'charged_back'];

const untilWords: Readonly<Record<string, string>> = {
  quoted: 'You can pay until',
  delivered: 'It counts as accepted after',
  revision_requested: 'To be delivered again by',
  problem: 'We decide by',
  reported: 'We decide by',
};

/** This browser is nobody's yet: the address that asked proves it. */
function Prove({ request: { code, email } }: { request: FollowedRequest }) {
  const [said, setSaid] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const mail = async () => {
    setBusy(true);
    try {
      await requests.mailLink.call({ code });
      setSaid(`A link is on its way to ${email}. It works once, for ${proofMinutes} minutes.`);
    } catch (error) {
      setSaid(Object.values(faultsOf(error))[0]);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-quiet">{`To answer, pay or open it in this browser, confirm that ${email} is yours.`}</p>
      <Button icon={MailCheck} busy={isBusy} onClick={() => mail()}>
        Email me a link
      </Button>
      <p role="status" className="text-quiet empty:hidden">
        {said}
      </p>
    </div>
  );
}

/** Opening the mailed link does nothing; its button spends it, because mail scanners open links too. */
function Claim({ code, token, onDone }: { code: string; token: string; onDone: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const claim = async () => {
    setBusy(true);
    try {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      await requests.claim.call({ code, token, timeZone });
      await queries.invalidateQueries({ queryKey: requests.show.key() });
      onDone();
    } catch (error) {
      setFault(
        error instanceof ORPCError && error.code === 'GONE'
          ? `This link was used before, or it's older than ${proofMinutes} minutes.`
          : Object.values(faultsOf(error))[0],
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <GuestFrame title="Your request" text="One tap to answer, pay and open it in this browser.">
      <Button size="large" icon={MailCheck} busy={isBusy} onClick={() => claim()}>
        Show my request
      </Button>
      <p role="alert" className="font-medium text-rust empty:hidden">
        {fault}
      </p>
      {fault !== undefined && (
        <Link
          to={`/request/${code}`}
          className="flex min-h-11 items-center justify-self-start font-strong text-plum underline underline-offset-2"
          onClick={() => void navigate(0)}
        >
          Ask for a new link
        </Link>
      )}
    </GuestFrame>
  );
}
