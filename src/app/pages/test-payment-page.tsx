import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CreditCard } from 'lucide-react';
import { useMe } from '#features/accounts/guard.tsx';
import { paymentParts } from '#features/fullcheck/browser/payment-parts.ts';
import { CheckRun } from '#features/fullcheck/check-run.tsx';
import { fullCheck, runningMs } from '#features/fullcheck/fullcheck-calls.tsx';
import { PartsPage, useMayCheck } from '#features/fullcheck/parts-list.tsx';
import { useFacts } from '#features/marketing/facts-context.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { useWrite } from '#wire/use-write.tsx';
import NotFoundPage from './not-found-page.tsx';

export const meta = () => [{ title: 'Payments · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Whether this browser can pay, and for owners a payment with the test card. */
export default function TestPaymentPage() {
  const { me } = useMe();
  const { isSandbox } = useFacts();
  if (!useMayCheck()) return <NotFoundPage />;
  return (
    <PartsPage
      name="payment"
      title="Payments"
      facts="Whether this browser can pay, and whose money it would be."
      parts={paymentParts(isSandbox)}
    >
      {me?.adminScopes.includes('owner') === true ? (
        <TestCard />
      ) : (
        <p className="text-pretty text-quiet">
          <span>An owner of this installation can have the test card pay here.</span>
          {isSandbox && <span> Anyone can pay with it on a link that asks for a tip.</span>}
        </p>
      )}
    </PartsPage>
  );
}

const part = 'payment';

/** The payments of the full check: on accounts that are made for it, and erased again. */
function TestCard() {
  const queries = useQueryClient();
  const query = useQuery(
    fullCheck.show.queryOptions({
      input: { part },
      refetchInterval: ({ state }) => (state.data?.runs[0]?.result === null ? runningMs : false),
    }),
  );
  const start = useWrite(
    fullCheck.start.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: fullCheck.key() }),
      onError: (error) => toast.error({ title: "That didn't work", message: Object.values(faultsOf(error))[0] }),
    }),
  );
  const { data, isError, error, refetch, isRefetching } = query;
  const run = data?.runs[0];
  const isRunning = run !== undefined && run.result === null;
  return (
    <section className="grid gap-5">
      <div>
        <Button icon={CreditCard} busy={start.isPending || isRunning} onClick={() => start.mutate({ part })}>
          Pay with the test card
        </Button>
        <p className="mt-2 text-13 text-pretty text-quiet">
          A creator, a photo and three links are made for it, paid for, and erased again.
        </p>
      </div>
      {isError && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} busy={isRefetching} />}
      {run !== undefined && <CheckRun run={run} title="Test card" />}
    </section>
  );
}
