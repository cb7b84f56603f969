import { ORPCError } from '@orpc/client';
import { useState } from 'react';
import { CheckoutPanel } from '#features/accounts/checkout-panel.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { FormError } from '#ui/forms/use-form.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { billing } from './billing-calls.tsx';

/** What a failed checkout is told as: in the server's words, where it had any. */
const describeCheckoutError = (error: unknown) =>
  toast.error({
    title: 'Checkout Error',
    message: error instanceof ORPCError || error instanceof FormError ? error.message || failed : failed,
  });

const failed = 'Failed to start checkout';

/** A button's tap opens the checkout of their own plan; its panel is to stand somewhere on the page. */
export function usePlanCheckout() {
  const [clientSecret, setSecret] = useState<string>();
  const begin = useWrite(
    billing.createPlanCheckout.mutationOptions({
      onSuccess: ({ clientSecret: secret }) => {
        if (secret === '') describeCheckoutError(new FormError('No client secret received'));
        else setSecret(secret);
      },
      onError: describeCheckoutError,
    }),
  );
  return {
    isBusy: begin.isPending,
    begin: () => begin.mutate({ mode: 'embedded' }),
    panel: <CheckoutPanel title="Your plan" clientSecret={clientSecret} onClose={() => setSecret(undefined)} />,
  };
}
