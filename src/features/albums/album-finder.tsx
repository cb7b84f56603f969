import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Elements } from '#kit/elements.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { SearchField } from '#ui/forms/search-field.tsx';
import { callsOf } from '#wire/client.ts';
import { type Album, albumsContract } from './contract.ts';

const albums = callsOf('albums', albumsContract);
const pageSize = 50;

/** Finds albums to choose among: all of them by pages, or those whose names fit. */
export function AlbumFinder({ filter, children }: { filter: 'all' | 'ready'; children: (found: Album[]) => Elements }) {
  const [words, setWords] = useState('');
  const search = useDeferredValue(words);
  const list = useInfiniteQuery(
    albums.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        filter,
        search,
        limit: pageSize,
        ...(cursor !== undefined && { cursor }),
      }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
  );
  const found = list.data?.pages.flatMap((page) => page.albums) ?? [];
  // As long as what is shown was searched for, the field stays: it holds the focus of whoever has just cleared it.
  const isLong = words !== '' || search !== '' || list.hasNextPage || found.length > 8;
  return (
    <div className="grid gap-2">
      {isLong && (
        <SearchField
          label="Search albums"
          placeholder="Search"
          value={words}
          onSearch={setWords}
          className="[&>label]:sr-only"
        />
      )}
      <div className="max-h-80 overflow-y-auto" aria-busy={list.isPending}>
        {list.isPending && <Spinner className="mx-auto my-6 size-6" />}
        {list.isError && (
          <p role="alert" className="text-rust">
            {list.error.message}
          </p>
        )}
        {list.isSuccess && found.length === 0 && <p className="py-4 text-quiet">No matches.</p>}
        {children(found)}
        {list.hasNextPage && (
          <Button variant="bare" busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            More albums
          </Button>
        )}
      </div>
    </div>
  );
}
