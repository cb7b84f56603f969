import { useInfiniteQuery } from '@tanstack/react-query';
import { Coins } from 'lucide-react';
import { useAlbum } from '#features/albums/album-outlet.tsx';
import { marks, reportedMark } from '#features/money/earning-marks.ts';
import { EarningOrderDialog } from '#features/money/earning-order-dialog.tsx';
import { nameSold } from '#features/orders/sold-words.ts';
import { formatCount, formatMoney, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { StatTile } from '#ui/figures/stat-tile.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useLive } from '#wire/use-live.tsx';
import type { AlbumSale } from '../album-sales-contract.ts';
import { insights } from '../insight-calls.tsx';

/** The tab of an album that shows what was paid at its links. */
export default function AlbumSalesPage() {
  const { album } = useAlbum();
  useLive(['viewer.paid', 'viewer.renamed'], [insights.albumSales.key()]);
  const query = useInfiniteQuery(
    insights.albumSales.infiniteOptions({
      input: (cursor: string | undefined) => ({ albumId: album.id, ...(cursor !== undefined && { cursor }) }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
  );
  if (query.isPending) return <SkeletonRows label="Sales are loading" />;
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  const sales = query.data?.pages.flatMap((page) => page.sales) ?? [];
  const total = query.data?.pages[0]?.total;
  if (total === undefined || total.sales === 0)
    return (
      <EmptyState
        icon={Coins}
        title="Nothing sold yet"
        action={
          album.priceCents === null ? (
            <ButtonLink to={`/albums/${album.id}/settings`}>Set a price</ButtonLink>
          ) : (
            <ButtonLink to={`/albums/${album.id}/links?new=1`}>New link</ButtonLink>
          )
        }
      >
        What people pay at the links to this album will show up here.
      </EmptyState>
    );
  return (
    <div className="grid gap-5">
      <StatTile
        size="large"
        label="Earned by this album"
        value={formatMoney(total.earnedCents, total.currency.toUpperCase())}
        note={`Your share of ${formatCount(total.sales, 'payment')}, after refunds${total.isBundled ? ' · what was paid for several albums at once counts in full for each' : ''}`}
      />
      <List label="Sales">
        {sales.map((sale) => (
          <li key={sale.orderId}>
            <SaleRow sale={sale} />
          </li>
        ))}
      </List>
      <div className="flex flex-wrap justify-center gap-3">
        {query.hasNextPage && (
          <Button variant="outline" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        )}
        <ButtonLink to="/earnings" variant="outline">
          All earnings
        </ButtonLink>
      </div>
      <EarningOrderDialog />
    </div>
  );
}

/** One payment: who, for what, and what the creator has of it. */
function SaleRow({ sale }: { sale: AlbumSale }) {
  const { orderId, kind, months, state, isReported, at, grossCents, keptCents, currency, link, albumCount } = sale;
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  const mark = marks[state];
  const paid = `${nameSold(kind, months)} · ${format(grossCents)} paid on ${isolate(link.name) || 'Untitled Link'}`;
  return (
    <Row
      title={sale.viewer?.name ?? (sale.isAnonymous ? 'Anonymous' : 'A buyer')}
      to={`?${new URLSearchParams({ order: orderId })}`}
      mark={mark === undefined ? undefined : <Chip>{mark}</Chip>}
      quiet={albumCount > 1 ? `${paid} · ${formatCount(albumCount, 'album')} at once` : paid}
      story={isReported ? reportedMark : undefined}
      end={
        <span className="grid justify-items-end">
          <span>{`${keptCents > 0 ? '+' : ''}${format(keptCents)}`}</span>
          <span className="text-13 font-normal text-quiet">
            <RelativeTime at={at} />
          </span>
        </span>
      }
    />
  );
}
