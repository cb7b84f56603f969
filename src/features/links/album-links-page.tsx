import { Plus } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { useAlbum } from '#features/albums/album-outlet.tsx';
import { Button } from '#ui/button.tsx';
import { LinkList } from './link-list.tsx';
import { LinkSheet } from './link-sheet.tsx';
import { RevokeAll } from './revoke-all.tsx';
import { useLinkCount } from './use-links.tsx';

/** The tab of an album that shows its links; `?new=1`, where Share leads, opens the sheet. */
export default function AlbumLinksPage() {
  const { album } = useAlbum();
  const isEmpty = useLinkCount(album.id) === 0;
  const [search, setSearch] = useSearchParams();
  const openSheet = (isOpen: boolean) => setSearch(isOpen ? { new: '1' } : {}, { replace: true });
  return (
    <>
      {!isEmpty && (
        <div className="mb-4 flex justify-end gap-2">
          <RevokeAll albumId={album.id} />
          <Button variant="outline" icon={Plus} onClick={() => openSheet(true)}>
            New link
          </Button>
        </div>
      )}
      <LinkList albumId={album.id} onNew={() => openSheet(true)} />
      <LinkSheet open={search.has('new')} onClose={() => openSheet(false)} album={album} />
    </>
  );
}
