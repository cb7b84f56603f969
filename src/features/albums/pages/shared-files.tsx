import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useOver } from '#ui/use-over.tsx';
import { forgetSharedFiles } from '../uploads/shared-files.tsx';
import { ChooseAlbum } from './choose-album.tsx';
import { NewAlbumDialog } from './new-album-dialog.tsx';

/** What the album's page is told, so that it takes them. */
const taking = '?shared=1';

/** Asks into which album goes what a gallery has shared with the app. */
export function SharedFiles() {
  const { value, close } = useOver('shared');
  const [isMaking, setMaking] = useState(false);
  const navigate = useNavigate();
  if (value === undefined) return null;
  const count = Number(value);
  const leave = () => {
    void forgetSharedFiles();
    close();
  };
  if (isMaking) return <NewAlbumDialog open onClose={() => setMaking(false)} search={taking} />;
  return (
    <ChooseAlbum
      title={Number.isInteger(count) && count > 0 ? `Add ${formatCount(count, 'item')}` : 'Add to an album'}
      description="Choose the album."
      onChoose={({ id }) => void navigate(`/albums/${id}${taking}`, { replace: true })}
      onClose={leave}
    >
      <Button variant="outline" icon={Plus} onClick={() => setMaking(true)}>
        New Album
      </Button>
    </ChooseAlbum>
  );
}
