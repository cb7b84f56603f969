import { metaOfPaid, Paid } from './paid.tsx';

export const meta = () => metaOfPaid('Your purchase');

/** Back from buying an album, or several. */
export default function AlbumPurchaseSuccessPage() {
  return <Paid />;
}
