import { useAlbum } from '#features/albums/album-outlet.tsx';
import { useOver } from '#ui/use-over.tsx';
import { LinkSheet } from '../share-sheet/share-sheet.tsx';
import { LinkList } from './link-list.tsx';
import { RevokeAll } from './revoke-all.tsx';

/** The tab of an album that shows its links; `?new=1`, where Share leads, opens the sheet. */
export default function AlbumLinksPage() {
  const { album } = useAlbum();
  const sheet = useOver('new');
  return (
    <>
      <LinkList albumId={album.id} menu={<RevokeAll albumId={album.id} />} onNew={() => sheet.open('1')} />
      <LinkSheet open={sheet.value !== undefined} onClose={sheet.close} album={album} />
    </>
  );
}
