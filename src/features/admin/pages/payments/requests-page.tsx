import { useQuery } from '@tanstack/react-query';
import { Gift } from 'lucide-react';
import type { StaffRequest } from '#features/requests/desk-contract.ts';
import { isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { adminRequests } from '../../admin-calls.tsx';
import { requestStateWords, writeCents } from '../../payment-words.ts';
import { PaymentsHeader } from './payment-tabs.tsx';

export const meta = () => [{ title: 'Custom requests · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Custom requests: those first that wait for a decision about the money that is held for them. */
export default function RequestsPage() {
  const query = useQuery(adminRequests.list.queryOptions({ input: {} }));
  return (
    <>
      <PaymentsHeader />
      <div className="max-w-190">
        <Loaded query={query} label="Loading custom requests">
          {({ requests }) =>
            requests.length === 0 ? (
              <EmptyState icon={Gift} title="No custom requests">
                What people ask creators to make appears here, and first what a buyer reports a problem with.
              </EmptyState>
            ) : (
              <List label="Custom requests">
                {requests.map((request) => (
                  <li key={request.id}>
                    <RequestRow request={request} />
                  </li>
                ))}
              </List>
            )
          }
        </Loaded>
      </div>
    </>
  );
}

function RequestRow({ request }: { request: StaffRequest }) {
  const now = useNow();
  const { id, title, creatorName, state, amountCents, currency, actUntil, isWaiting, isReleaseRefused } = request;
  return (
    <Row
      title={isolate(title)}
      to={`/admin/payments/requests/${id}`}
      mark={<Chip tone={isWaiting ? 'ember' : 'plain'}>{requestStateWords[state]}</Chip>}
      quiet={`To ${isolate(creatorName)}`}
      story={
        isWaiting && actUntil !== null
          ? `Decide by ${formatMoment(actUntil, now)}`
          : isReleaseRefused
            ? "The creator's account doesn't take it"
            : undefined
      }
      end={writeCents(amountCents, currency)}
    />
  );
}
