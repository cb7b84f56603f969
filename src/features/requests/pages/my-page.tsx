import { useQuery } from '@tanstack/react-query';
import { ShoppingBag } from 'lucide-react';
import { Link } from 'react-router';
import { MyAccesses, MyPurchases, useAccesses, usePurchases } from '#features/viewing/my-purchases.tsx';
import { MySubscriptions, useSubscriptions } from '#features/viewing/my-subscriptions.tsx';
import { metaOfPaid } from '#features/viewing/paid.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { GuestFrame } from '#ui/layout/guest-frame.tsx';
import { MyRequests } from './my-requests.tsx';
import { requests } from './requests-calls.tsx';

export const meta = () => metaOfPaid('My purchases');

/** What was paid for or asked for in this browser, or with the address that it has proven. */
export default function MyPage() {
  const purchases = usePurchases();
  const subscriptions = useSubscriptions();
  const mine = useQuery(requests.mine.queryOptions({ input: {} }));
  const accesses = useAccesses();
  const bought = purchases.data?.rows ?? [];
  const asked = mine.data?.rows ?? [];
  const subscribed = subscriptions.data?.rows ?? [];
  const opened = accesses.data?.rows ?? [];
  const count = bought.length + asked.length + subscribed.length + opened.length;
  const queries = { purchases, subscriptions, accesses, requests: mine };
  const isKnown = Object.values(queries).every(({ isSuccess }) => isSuccess);
  return (
    <GuestFrame title="My purchases">
      {Object.values(queries).some(({ isPending }) => isPending) && <SkeletonRows />}
      {Object.entries(queries).map(
        ([name, query]) =>
          query.isError && (
            <ErrorState key={name} error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
          ),
      )}
      <MySubscriptions rows={subscribed} />
      <MyAccesses rows={opened} />
      {asked.length > 0 && <MyRequests rows={asked} />}
      {isKnown && count === 0 && <Nothing />}
      {bought.length > 0 && (
        <>
          {count > bought.length && <h2 className="-mb-3 text-21">Bought</h2>}
          <MyPurchases rows={bought} />
        </>
      )}
      {count > 0 && (
        <p className="text-13 text-quiet">
          Paid with another address?{' '}
          <Link to="/find-my-purchases" className="font-medium text-plum underline underline-offset-4">
            Find those purchases
          </Link>
        </p>
      )}
      {isKnown && (
        <p className="text-13 text-quiet">
          <Link
            to="/my/data"
            className="inline-flex min-h-11 items-center font-medium text-plum underline underline-offset-4"
          >
            Your data: download or erase it
          </Link>
        </p>
      )}
    </GuestFrame>
  );
}

function Nothing() {
  return (
    <EmptyState
      icon={ShoppingBag}
      title="Nothing bought in this browser"
      action={<ButtonLink to="/find-my-purchases">Find my purchases</ButtonLink>}
    >
      If you paid or asked for something in another one, we'll send a link to the address you used.
    </EmptyState>
  );
}
