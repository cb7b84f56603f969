import { useQuery } from '@tanstack/react-query';
import { Eye, Send } from 'lucide-react';
import { Outlet } from 'react-router';
import type { Elements } from '#kit/elements.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { Tabs } from '#ui/layout/tabs.tsx';
import { callsOf } from '#wire/client.ts';
import { useLive } from '#wire/use-live.tsx';
import { describeCounts } from './album-tile.tsx';
import { type Album, type AlbumItem, albumsContract } from './contract.ts';
import { MissingAlbum } from './pages/missing-album.tsx';

const albums = callsOf('albums', albumsContract);

/** Returns what the album is, in one quiet line. */
function factsOf(album: Album, items: readonly AlbumItem[]): string {
  const kinds = [...new Set(items.flatMap((item) => item.removed))];
  const removed = kinds.length > 0 ? `${new Intl.ListFormat('en').format(kinds)} removed` : '';
  const state = {
    draft: 'nobody can open it yet',
    ready: '',
    archived: "archived: links say it's unavailable",
    locked: 'locked: nobody can open it',
    deleting: 'deleted',
  }[album.state];
  return [describeCounts(album), state, removed].filter((part) => part !== '').join(' · ');
}

interface AlbumFrameProps {
  albumId: string;
  /** How many links show it; unknown while it is being counted. */
  linkCount: number | undefined;
  /** How many people wait to be let in; unknown while it is being counted. */
  requestCount: number | undefined;
  /** What is said above its tabs. */
  notice: (album: Album) => Elements;
}

/** What could not be made is no item of the album, though its place says so. */
const isThere = ({ state }: AlbumItem) => state !== 'failed' && state !== 'quarantined';

/** The frame of one album: its name, its tabs, Share. */
export function AlbumFrame({ albumId, linkCount, requestCount, notice }: AlbumFrameProps) {
  const query = useQuery(albums.one.queryOptions({ input: { albumId } }));
  useLive(
    ['album.', 'media.'],
    [albums.one.key({ input: { albumId } }), albums.deletedItems.key({ input: { albumId } }), albums.list.key()],
  );
  if (query.isPending)
    return (
      <div className="grid gap-4" aria-busy="true">
        <Skeleton className="h-10 w-64" />
        <Skeleton className="h-5 w-80" />
        <Skeleton className="h-96 w-full rounded-card" />
      </div>
    );
  if (query.isError) {
    const status = 'status' in query.error ? query.error.status : 0;
    if (status === 404 || status === 422) return <MissingAlbum />;
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />;
  }
  const { album, items, sold } = query.data;
  const home = `/albums/${album.id}`;
  const canShare = album.state === 'ready' && album.consentGap !== 'missing';
  return (
    <>
      <PageHeader
        title={album.name}
        back={{ to: '/albums', label: 'Albums' }}
        facts={factsOf(album, items)}
        actions={
          canShare && (
            <>
              <ButtonLink to={`${home}/preview`} variant="outline" icon={Eye}>
                Preview as viewer
              </ButtonLink>
              <ButtonLink to={`${home}/links?new=1`} icon={Send}>
                Share
              </ButtonLink>
            </>
          )
        }
      />
      {notice(album)}
      <Tabs
        label="Album"
        tabs={[
          { to: home, label: 'Items', end: true, count: items.filter(isThere).length },
          { to: `${home}/links`, label: 'Links', count: linkCount },
          { to: `${home}/requests`, label: 'Access requests', waiting: true, count: requestCount || undefined },
          { to: `${home}/sales`, label: 'Sales' },
          { to: `${home}/settings`, label: 'Settings' },
          { to: `${home}/leaks`, label: 'Found a leak?' },
        ]}
      />
      <Outlet context={{ album, items, sold }} />
    </>
  );
}
