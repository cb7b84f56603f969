import { useQueryClient } from '@tanstack/react-query';
import { useAlbum } from '#features/albums/album-outlet.tsx';
import type { Album } from '#features/albums/contract.ts';
import { albumsContract } from '#features/albums/contract.ts';
import { pricePresetsCents } from '#features/orders/rules.ts';
import { formatCount } from '#kit/text.ts';
import { toast } from '#ui/feedback/toast.ts';
import { Switch } from '#ui/forms/switch.tsx';
import { Card } from '#ui/layout/card.tsx';
import { callsOf } from '#wire/client.ts';
import { useWrite } from '#wire/use-write.tsx';
import { links } from '../link-calls.tsx';
import { Amount } from '../share-sheet/amount.tsx';
import { NoSaleYet, useSale } from '../share-sheet/price-part.tsx';

const albums = callsOf('albums', albumsContract);

/** With what new links to an album begin. */
export function LinkDefaults() {
  const { album } = useAlbum();
  const queries = useQueryClient();
  const saved = {
    onSuccess: () => queries.invalidateQueries({ queryKey: albums.key() }),
    onError: ({ message }: Error) => toast.error({ title: "Couldn't save the change", message }),
  };
  const update = useWrite(albums.update.mutationOptions(saved));
  const price = useWrite(links.setAlbumPrice.mutationOptions(saved));
  const { id: albumId, isProtected, allowsTips } = album;
  return (
    <Card className="grid gap-4">
      <div className="grid gap-1">
        <h2 className="text-21">New links</h2>
        <p className="text-13 text-quiet">
          {`What a new link to this album begins with. You can still change each link; one that lets more people in asks you first. ${describeKept(album)}`}
        </p>
      </div>
      <PriceChoice
        // What was chosen just now, before it is saved.
        priceCents={price.isPending ? price.variables.priceCents : album.priceCents}
        onChange={(priceCents) => price.mutate({ albumId, priceCents: priceCents ?? null })}
      />
      <Switch
        label="Ask me first"
        hint="Whoever opens a new link asks you, and sees nothing before your yes."
        checked={isProtected}
        onChange={(wanted) => update.mutate({ albumId, isProtected: wanted })}
      />
      <Switch
        label="Tips"
        hint="Links can ask for a tip. Turned off, no new link to this album does."
        checked={allowsTips}
        onChange={(wanted) => update.mutate({ albumId, allowsTips: wanted })}
      />
    </Card>
  );
}

const describeKept = ({ linkCount }: Album): string =>
  linkCount === 0
    ? ''
    : `The ${formatCount(linkCount, 'link')} you have already made ${linkCount === 1 ? 'keeps its' : 'keep their'} rules.`;

interface PriceChoiceProps {
  priceCents: number | null;
  onChange: (priceCents: number | undefined) => void;
}

/** What the album costs, or why nothing can be asked for yet; a price that is there can always be taken away. */
function PriceChoice({ priceCents, onChange }: PriceChoiceProps) {
  const sale = useSale();
  if (sale.isPending || (sale.state === 'off' && priceCents === null)) return null;
  const isReady = sale.state === 'ready';
  return (
    <div className="grid gap-2">
      {(isReady || priceCents !== null) && (
        <Amount
          label="Price"
          none="No price"
          presets={isReady ? pricePresetsCents : []}
          most={sale.mostPriceCents}
          value={priceCents ?? undefined}
          onChange={onChange}
          takes="whole"
        />
      )}
      {!isReady && sale.state !== 'off' && <NoSaleYet isClosed={sale.state === 'closed'} />}
    </div>
  );
}
