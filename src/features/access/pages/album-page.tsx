import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { AlbumFrame } from '#features/albums/album-frame.tsx';
import { useLinkCount } from '#features/links/use-links.tsx';
import { isUuid } from '#kit/ids.ts';
import { access } from '../access-calls.tsx';

export const meta = () => [{ title: 'Album · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** One album in its frame, which says how many links show it and how many people wait for an answer. */
export default function AlbumPage() {
  const { albumId = '' } = useParams();
  const waiting = useQuery(
    access.requests.queryOptions({ input: { status: 'pending', albumId, limit: 1 }, enabled: isUuid(albumId) }),
  );
  return <AlbumFrame albumId={albumId} linkCount={useLinkCount(albumId)} requestCount={waiting.data?.pendingCount} />;
}
