import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { toast } from '#ui/feedback/toast.ts';
import { refreshQueries } from '#wire/refresh-queries.ts';
import { useWrite } from '#wire/use-write.tsx';
import { fans, money } from '../money-calls.tsx';

/** Back from the provider: it is asked at once what became of the account. */
export function useConnectReturn(): void {
  const [search, setSearch] = useSearchParams();
  const queries = useQueryClient();
  const back = search.get('connect');
  const { mutate } = useWrite(
    money.checkAccount.mutationOptions({
      onSuccess: async ({ account }) => {
        if (account === 'complete') toast.success({ title: 'Payouts are connected' });
        await refreshQueries(queries, [
          money.earnings.key(),
          money.payouts.key(),
          money.account.key(),
          fans.tiers.key(),
        ]);
      },
    }),
  );
  useEffect(() => {
    if (back === null) return;
    setSearch({}, { replace: true });
    mutate({});
  }, [back, setSearch, mutate]);
}
