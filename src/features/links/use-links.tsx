import { useInfiniteQuery } from '@tanstack/react-query';
import { useLive } from '#wire/use-live.tsx';
import type { LinkFilter } from './contract.ts';
import { links } from './link-calls.tsx';

/** A screen that goes away without a word is noticed at the next look. */
const lookAgainMs = 20_000;

/** The links of a creator or of one album by pages, kept true by the live line. */
export function useLinks(filter: LinkFilter, search: string, albumId: string | undefined) {
  useLive(['link.', 'visit.opened', 'visit.ended', 'album.'], [links.list.key()]);
  return useInfiniteQuery(
    links.list.infiniteOptions({
      input: (cursor: string | undefined) => ({
        filter,
        search,
        limit: 50,
        ...(albumId !== undefined && { albumId }),
        ...(cursor !== undefined && { cursor }),
      }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: (before) => before,
      refetchInterval: ({ state: { data } }) =>
        data?.pages.some((page) => page.links.some(({ isLookingNow }) => isLookingNow)) ? lookAgainMs : false,
    }),
  );
}

/** Returns how many links there are, of a creator or of one album; undefined until it is known. */
export const useLinkCount = (albumId?: string): number | undefined =>
  useLinks('all', '', albumId).data?.pages[0]?.counts.all;
