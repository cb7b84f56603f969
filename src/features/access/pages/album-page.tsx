import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { AlbumFrame } from '#features/albums/album-frame.tsx';
import { ConsentNotice } from '#features/consents/consent-notice.tsx';
import { useLinkCount } from '#features/links/use-links.tsx';
import { isUuid } from '#kit/ids.ts';
import { access } from '../access-calls.tsx';

export const meta = () => [{ title: 'Album · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** The frame around an album's tabs, with the number of its links and of its pending access requests. */
export default function AlbumPage() {
  const { albumId = '' } = useParams();
  const pendingRequests = useQuery(
    access.requests.queryOptions({ input: { status: 'pending', albumId, limit: 1 }, enabled: isUuid(albumId) }),
  );
  return (
    <AlbumFrame
      albumId={albumId}
      linkCount={useLinkCount(albumId)}
      requestCount={pendingRequests.data?.pendingCount}
      notice={(album) => <ConsentNotice album={album} />}
    />
  );
}
