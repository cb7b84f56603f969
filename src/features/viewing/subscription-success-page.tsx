import { metaOfPaid, Paid } from './paid.tsx';

export const meta = () => metaOfPaid('Your subscription');

/** Back from subscribing. */
export default function SubscriptionSuccessPage() {
  return <Paid />;
}
