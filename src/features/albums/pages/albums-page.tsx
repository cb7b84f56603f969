import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { Images, Plus } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { accounts } from '#features/accounts/guard.tsx';
import { formatBytes } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Chips } from '#ui/forms/chips.tsx';
import { SearchField } from '#ui/forms/search-field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { useOver } from '#ui/use-over.tsx';
import { callsOf } from '#wire/client.ts';
import { AlbumTile } from '../album-tile.tsx';
import { albumsContract } from '../contract.ts';
import { NewAlbumDialog } from './new-album-dialog.tsx';
import { SharedFiles } from './shared-files.tsx';

const albums = callsOf('albums', albumsContract);
type Filter = 'all' | 'draft' | 'ready' | 'archived' | 'deleting';
type Sort = 'newest' | 'oldest' | 'name';

export const meta = () => [{ title: 'Albums · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const filterOptions: { value: Filter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'ready', label: 'Ready' },
  { value: 'draft', label: 'Draft' },
  { value: 'archived', label: 'Archived' },
  { value: 'deleting', label: 'Deleted' },
];

const sorts: { value: Sort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'name', label: 'By name' },
];

export default function AlbumsPage() {
  const filters = useAlbumList();
  const { list, shown, isFirst } = filters;
  const creating = useOver('new');
  const hasOlder = useHasOlder(isFirst);
  const newAlbum = <NewAlbumButton onPress={() => creating.open('1')} />;
  return (
    <>
      <PageHeader title="Albums" actions={!isFirst && newAlbum} />
      <AlbumFilters filters={filters} hasOlder={hasOlder} />
      {list.isPending && <LoadingTiles />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} busy={list.isRefetching} />}
      {isFirst && (
        <EmptyState icon={Images} title="No albums yet – create your first private album" action={newAlbum}>
          Its photos and videos are encrypted, marked for each viewer, and yours to take back.
        </EmptyState>
      )}
      {list.isSuccess && shown.length === 0 && !isFirst && <p className="py-10 text-center text-quiet">No matches.</p>}
      <ul className="grid grid-cols-2 gap-x-3 gap-y-5 md:grid-cols-4">
        {shown.map((album) => (
          <li key={album.id}>
            <AlbumTile album={album} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <div className="mt-6 grid justify-items-center">
          <Button variant="outline" busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            More albums
          </Button>
        </div>
      )}
      <StorageBar />
      <NewAlbumDialog open={creating.value !== undefined} onClose={creating.close} />
      <SharedFiles />
    </>
  );
}

/** Which albums are looked for, and those that were found. */
function useAlbumList() {
  const [filter, setFilter] = useState<Filter>('all');
  const [sort, setSort] = useState<Sort>('newest');
  const [words, setWords] = useState('');
  const wanted = useDeferredValue(words);
  const list = useInfiniteQuery(
    albums.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        filter,
        sort,
        search: wanted,
        limit: 48,
        ...(cursor !== undefined && { cursor }),
      }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
  );
  const shown = list.data?.pages.flatMap((page) => page.albums) ?? [];
  const isFirst = list.isSuccess && shown.length === 0 && filter === 'all' && wanted === '';
  return { filter, setFilter, sort, setSort, words, setWords, list, shown, isFirst };
}

function NewAlbumButton({ onPress }: { onPress: () => void }) {
  return (
    <Button icon={Plus} onClick={onPress}>
      New Album
    </Button>
  );
}

/** Which of the albums, by which words and in which order. */
function AlbumFilters({ filters, hasOlder }: { filters: ReturnType<typeof useAlbumList>; hasOlder: boolean }) {
  const { filter, setFilter, sort, setSort, words, setWords, isFirst } = filters;
  return (
    // Also beside "No albums yet" where there were some: archived and deleted ones are brought back from here.
    <div className="mb-5 grid gap-3 md:grid-cols-[minmax(0,1fr)_26rem] md:items-center">
      {(!isFirst || hasOlder) && (
        <Chips label="Which albums" options={filterOptions} value={filter} onChange={setFilter} />
      )}
      {!isFirst && (
        <div className="flex gap-3">
          <SearchField
            label="Search albums"
            placeholder="Search"
            value={words}
            onSearch={setWords}
            className="flex-1 [&>label]:sr-only"
          />
          <Select label="Order" className="[&>:first-child]:sr-only" options={sorts} value={sort} onChange={setSort} />
        </div>
      )}
    </div>
  );
}

/** Returns whether archived or deleted albums are there, where no others are. */
function useHasOlder(isAsked: boolean): boolean {
  const [archived, deleting] = useQueries({
    queries: (['archived', 'deleting'] as const).map((filter) =>
      albums.list.queryOptions({ input: { filter, limit: 1 }, enabled: isAsked }),
    ),
  });
  return [archived, deleting].some((query) => (query?.data?.albums.length ?? 0) > 0);
}

function LoadingTiles() {
  return (
    <div className="grid grid-cols-2 gap-3 md:grid-cols-4" aria-busy="true">
      {Array.from({ length: 4 }, (_, place) => `tile-${place}`).map((key) => (
        <Skeleton key={key} className="aspect-4/5 rounded-photo" />
      ))}
    </div>
  );
}

/** How full the account is, asked for with every look at it; it warns from 80 % on. */
function StorageBar() {
  const { data: me } = useQuery(accounts.me.queryOptions({ staleTime: 0 }));
  if (me === undefined) return null;
  const { usedBytes, limitBytes } = me.storage;
  const share = limitBytes === 0 ? 1 : Math.min(1, usedBytes / limitBytes);
  const words =
    share >= 1 ? 'Your storage is full.' : share >= 0.95 ? 'Almost full.' : share >= 0.8 ? 'Getting full.' : '';
  return (
    <section aria-label="Storage" className="mt-10 grid max-w-96 gap-2">
      <ProgressBar label="Storage used" done={share} />
      <p className="text-13 text-quiet">{`${formatBytes(usedBytes)} of ${formatBytes(limitBytes)} used. ${words}`}</p>
    </section>
  );
}
