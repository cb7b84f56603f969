import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { AlbumTile } from '#features/albums/album-tile.tsx';
import { albumsContract } from '#features/albums/contract.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { PhotoTile } from '#ui/pictures/photo-tile.tsx';
import { callsOf } from '#wire/client.ts';
import { useLive } from '#wire/use-live.tsx';

const albums = callsOf('albums', albumsContract);
const shownMax = 3;

/** Soft colours of an evening, linen and a sea, until there are pictures of their own. */
const samples = [
  'EkgOJgh4d6iHiAeHiId3enhXeHdwyAc=',
  'HQgGBgBnzorFB4qYVbempOeXJQhogoA=',
  'ZMcVDgKIiPiId5d3eHd3dniId3985/c=',
];

/** The newest albums by their covers; sample tiles while there are none. */
export function LatestAlbums() {
  useLive(['album.', 'media.'], [albums.list.key()]);
  const query = useQuery(albums.list.queryOptions({ input: { limit: shownMax } }));
  const latest = query.data?.albums ?? [];
  return (
    <section>
      <SectionHeader title="Your Albums" more={{ to: '/albums', label: 'View All Albums' }} />
      {query.isError && query.data === undefined && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      )}
      <ul className="grid grid-cols-3 gap-2">
        {query.isPending &&
          samples.map((key) => (
            <li key={key}>
              <Skeleton className="aspect-4/5 rounded-photo" />
            </li>
          ))}
        {latest.map((album) => (
          <li key={album.id} className="min-w-0">
            <AlbumTile album={album} />
          </li>
        ))}
        {query.isSuccess &&
          latest.length === 0 &&
          samples.map((thumbhash) => (
            <li key={thumbhash} aria-hidden="true" className="opacity-60">
              <PhotoTile alt="" thumbhash={thumbhash} className="aspect-4/5" />
            </li>
          ))}
      </ul>
      <ButtonLink to="/albums?new=1" variant="outline" icon={Plus} className="mt-3 w-full">
        New Album
      </ButtonLink>
    </section>
  );
}
