import { ORPCError } from '@orpc/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { CheckoutPanel } from '#features/accounts/checkout-panel.tsx';
import { formatCount } from '#kit/text.ts';
import { toast } from '#ui/feedback/toast.ts';
import { refreshQueries } from '#wire/refresh-queries.ts';
import { useWrite } from '#wire/use-write.tsx';
import { credits } from './credits-calls.tsx';

const failed = 'Failed to start checkout';
const describeError = (error: unknown) =>
  toast.error({ title: 'Checkout Error', message: error instanceof ORPCError ? error.message || failed : failed });

/** A button's tap opens the checkout of a pack; its panel is to stand somewhere on the page. */
export function usePackCheckout() {
  const [clientSecret, setSecret] = useState<string>();
  const [size, setSize] = useState<number>();
  const begin = useWrite(
    credits.buy.mutationOptions({
      onSuccess: ({ clientSecret: secret }) => {
        if (secret === '') toast.error({ title: 'Checkout Error', message: 'No client secret received' });
        else setSecret(secret);
      },
      onError: describeError,
    }),
  );
  return {
    /** The pack whose checkout is on its way. */
    busy: begin.isPending ? size : undefined,
    begin: (count: number) => {
      setSize(count);
      begin.mutate({ credits: count, mode: 'embedded' });
    },
    panel: (
      <CheckoutPanel
        title={size === undefined ? 'Credits' : formatCount(size, 'credit')}
        clientSecret={clientSecret}
        onClose={() => setSecret(undefined)}
      />
    ),
  };
}

const pollMs = 1000;
const patienceMs = 20_000;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Back from a checkout: asks what became of it, until it is known. */
export function usePackReturn(): void {
  const [search, setSearch] = useSearchParams();
  const queries = useQueryClient();
  const sessionId = search.get('session_id');
  const isAsked = useRef(false);
  useEffect(() => {
    if (sessionId === null || isAsked.current) return;
    isAsked.current = true;
    setSearch({ tab: 'credits' }, { replace: true });
    void arrive(sessionId).then(() => refreshQueries(queries, [credits.key()]));
  }, [sessionId, setSearch, queries]);
}

async function arrive(sessionId: string): Promise<void> {
  const beganMs = performance.now();
  while (performance.now() - beganMs < patienceMs) {
    const found = await credits.arrive.call({ sessionId }).catch(() => undefined);
    if (found?.state === 'unknown') return;
    if (found?.state === 'ready') {
      toast.success({ title: 'Payment Successful!', message: `${formatCount(found.credits, 'credit')} added.` });
      return;
    }
    if (found?.state === 'failed') {
      toast.error({ title: 'Payment Canceled', message: 'Nothing was charged.' });
      return;
    }
    await pause(pollMs);
  }
  toast.info({ title: 'Still processing', message: 'Your credits are added as soon as the payment is confirmed.' });
}
