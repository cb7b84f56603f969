import { useParams } from 'react-router';
import { AlbumFrame } from '#features/albums/album-frame.tsx';
import { useLinkCount } from './use-links.tsx';

export const meta = () => [{ title: 'Album · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** One album in its frame, which tells how many links show it. */
export default function AlbumPage() {
  const { albumId = '' } = useParams();
  return <AlbumFrame albumId={albumId} linkCount={useLinkCount(albumId)} />;
}
