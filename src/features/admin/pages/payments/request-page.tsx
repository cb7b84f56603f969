import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import type { StaffRequestCard } from '#features/requests/desk-contract.ts';
import { History, RequestFacts } from '#features/requests/request-facts.tsx';
import { isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Card } from '#ui/layout/card.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { adminRequests } from '../../admin-calls.tsx';
import { requestStateWords } from '../../payment-words.ts';
import { DecideRequest } from './decide-request.tsx';

export const meta = () => [{ title: 'Custom request · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** One custom request: what was asked for, what was said, and the decision about its money. */
export default function RequestPage() {
  const { requestId = '' } = useParams();
  const query = useQuery(adminRequests.show.queryOptions({ input: { requestId } }));
  return (
    <Loaded query={query} label="Loading the request">
      {(request) => <Shown request={request} />}
    </Loaded>
  );
}

function Shown({ request }: { request: StaffRequestCard }) {
  const { title, reference, state, isWaiting, asked, events, orderId, creatorId, creatorName, verdicts } = request;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <PageHeader
        title={isolate(title)}
        back={{ to: '/admin/payments/requests', label: 'Custom requests' }}
        facts={`${reference}, to ${isolate(creatorName)}`}
        actions={<Chip tone={isWaiting ? 'ember' : 'plain'}>{requestStateWords[state]}</Chip>}
      />
      <div className="grid max-w-190 gap-6">
        <Waits request={request} />
        <div className="flex flex-wrap gap-3">
          {verdicts.length > 0 && <Button onClick={() => setAsking(true)}>Decide</Button>}
          {orderId !== null && (
            <ButtonLink to={`/admin/payments/orders/${orderId}`} variant="outline">
              Look at the payment
            </ButtonLink>
          )}
          {creatorId !== null && (
            <ButtonLink to={`/admin/users/${creatorId}`} variant="outline">
              Look at the creator
            </ButtonLink>
          )}
        </div>
        <RequestFacts request={asked} />
        <History events={events} currency={request.currency} buyer="The buyer" creator="The creator" />
      </div>
      {isAsking && <DecideRequest request={request} onClose={() => setAsking(false)} />}
    </>
  );
}

function Waits({ request: { isWaiting, isReleaseRefused, actUntil } }: { request: StaffRequestCard }) {
  const now = useNow();
  if (isReleaseRefused)
    return (
      <Card className="px-4.5 py-4 font-medium">
        It was released, and the creator's account doesn't take it. It can go back to the buyer.
      </Card>
    );
  if (!isWaiting) return null;
  return (
    <Card className="px-4.5 py-4 font-medium">
      {actUntil === null
        ? 'The buyer reported a problem.'
        : `The buyer reported a problem. Decide by ${formatMoment(actUntil, now)}.`}
    </Card>
  );
}
