import { useSearchParams } from 'react-router';
import { useAlbum } from '#features/albums/album-outlet.tsx';
import { LinkList } from '../link-list.tsx';
import { LinkSheet } from '../share-sheet/share-sheet.tsx';
import { RevokeAll } from './revoke-all.tsx';

/** The tab of an album that shows its links; `?new=1`, where Share leads, opens the sheet. */
export default function AlbumLinksPage() {
  const { album } = useAlbum();
  const [search, setSearch] = useSearchParams();
  const openSheet = (isOpen: boolean) => setSearch(isOpen ? { new: '1' } : {}, { replace: true });
  return (
    <>
      <LinkList albumId={album.id} menu={<RevokeAll albumId={album.id} />} onNew={() => openSheet(true)} />
      <LinkSheet open={search.has('new')} onClose={() => openSheet(false)} album={album} />
    </>
  );
}
