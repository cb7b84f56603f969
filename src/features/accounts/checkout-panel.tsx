import { useQuery } from '@tanstack/react-query';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { PaymentFrame, PaymentTrouble, Preparing } from './plan/payment-frame.tsx';
import { plans } from './plan/plan-calls.tsx';

interface CheckoutPanelProps {
  title: string;
  /** What opens the provider's frame; nothing while nobody pays. */
  clientSecret: string | undefined;
  onClose: () => void;
}

/** Where a plan is taken: the provider's frame, in front of the page that asked for it. */
export function CheckoutPanel({ title, clientSecret, onClose }: CheckoutPanelProps) {
  return (
    <Dialog open={clientSecret !== undefined} onClose={onClose} title={title}>
      {clientSecret !== undefined && <Checkout clientSecret={clientSecret} />}
    </Dialog>
  );
}

function Checkout({ clientSecret }: { clientSecret: string }) {
  const { data, error, isPending } = useQuery(plans.stripeConfig.queryOptions({ staleTime: 300_000 }));
  if (isPending) return <Preparing />;
  if (error) return <PaymentTrouble>{error.message || 'Failed to load Stripe configuration'}</PaymentTrouble>;
  if (!data.publishableKey.startsWith('pk_')) return <PaymentTrouble>Invalid publishable key</PaymentTrouble>;
  return <PaymentFrame publishableKey={data.publishableKey} scriptUrl={data.scriptUrl} clientSecret={clientSecret} />;
}
