import { useQueryClient } from '@tanstack/react-query';
import { Download, ImageUp, RotateCcw, Trash2 } from 'lucide-react';
import { mediaContract } from '#features/media/contract.ts';
import { undoHours } from '#features/media/rules.ts';
import { Button, drawButton } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { callsOf } from '#wire/client.ts';
import { useWrite } from '#wire/use-write.tsx';
import { type AlbumItem, albumsContract } from '../contract.ts';

const albums = callsOf('albums', albumsContract);
const media = callsOf('media', mediaContract);

interface ItemActionsProps {
  albumId: string;
  item: AlbumItem;
  /** It has left the album. */
  onDeleted: () => void;
  /** It is back. */
  onUndone: () => void;
}

/** What changes one picture as a whole; each says what came of it. */
function useItemChanges({ item, onDeleted, onUndone }: Omit<ItemActionsProps, 'albumId'>) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: albums.key() });
  const onError = (error: Error) => void toast.error({ title: "Couldn't save the change", message: error.message });
  const cover = useWrite(
    albums.setCover.mutationOptions({
      onError,
      onSuccess: () => {
        void queries.invalidateQueries({ queryKey: albums.key() });
        toast.success({ title: 'Cover updated' });
      },
    }),
  );
  const retry = useWrite(media.retry.mutationOptions({ onSuccess: refresh, onError }));
  const restore = useWrite(
    media.restore.mutationOptions({
      onError,
      onSuccess: async () => {
        await refresh();
        onUndone();
      },
    }),
  );
  const remove = useWrite(
    media.remove.mutationOptions({
      onError,
      onSuccess: async () => {
        await refresh();
        onDeleted();
        toast.info({
          title: 'Deleted',
          message: `You can restore it for ${undoHours} hours, under “Deleted items”.`,
          action: { label: 'Undo', onPress: () => restore.mutate({ mediaId: item.id }) },
        });
      },
    }),
  );
  return { cover, retry, remove };
}

/** What can be done with one picture. */
export function ItemActions({ albumId, item, onDeleted, onUndone }: ItemActionsProps) {
  const { cover, retry, remove } = useItemChanges({ item, onDeleted, onUndone });
  return (
    <div className="flex flex-wrap gap-2">
      {item.state === 'ready' && (
        <Button
          variant="outline"
          icon={ImageUp}
          busy={cover.isPending}
          className="grow md:grow-0"
          onClick={() => cover.mutate({ albumId, mediaId: item.id })}
        >
          Use as cover
        </Button>
      )}
      {item.canRetry && (
        <Button
          variant="outline"
          icon={RotateCcw}
          busy={retry.isPending}
          className="grow md:grow-0"
          onClick={() => retry.mutate({ mediaId: item.id })}
        >
          Try again
        </Button>
      )}
      <a
        href={`/api/media/${item.id}/original`}
        download
        className={drawButton({ variant: 'outline' }, 'grow md:grow-0')}
      >
        <Download /> Original
      </a>
      <Button
        variant="quietDanger"
        icon={Trash2}
        busy={remove.isPending}
        className="grow md:grow-0"
        onClick={() => remove.mutate({ mediaId: item.id })}
      >
        Delete
      </Button>
    </div>
  );
}
