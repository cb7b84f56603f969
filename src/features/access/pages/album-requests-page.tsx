import { useAlbum } from '#features/albums/album-outlet.tsx';
import { GrantList } from './grant-list.tsx';
import { RequestCards } from './request-cards.tsx';

/** The tab of an album that shows who asked to see it, and who may. */
export default function AlbumRequestsPage() {
  const { album } = useAlbum();
  return (
    <div className="grid gap-7">
      <RequestCards albumId={album.id} />
      <GrantList albumId={album.id} />
    </div>
  );
}
