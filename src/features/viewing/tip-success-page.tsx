import { metaOfPaid, Paid } from './paid.tsx';

export const meta = () => metaOfPaid('Your tip');

/** Back from paying a tip. */
export default function TipSuccessPage() {
  return <Paid />;
}
