import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { undoHours } from '#features/media/rules.ts';
import { isolate } from '#kit/text.ts';
import { hourMs } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { PhotoCaption, PhotoTile } from '#ui/pictures/photo-tile.tsx';
import { callsOf } from '#wire/client.ts';
import { albumsContract, type DeletedItem } from '../contract.ts';
import { countMedia } from './item-names.ts';
import { useRestore } from './use-restore.tsx';

const albums = callsOf('albums', albumsContract);

/** "71 hours left" */
function describeLeft(until: Date, now: Date): string {
  const hours = Math.ceil((until.getTime() - now.getTime()) / hourMs);
  return hours <= 1 ? 'less than an hour left' : `${hours} hours left`;
}

interface DeletedPhotosProps {
  albumId: string;
  /** Photos are back in the album. */
  onUndone: (back: readonly string[]) => void;
}

/** Photos and videos of this album that were deleted and can be brought back; opened with a tap. */
export function DeletedPhotos({ albumId, onUndone }: DeletedPhotosProps) {
  const [isOpen, setOpen] = useState(false);
  const list = useQuery(albums.deletedItems.queryOptions({ input: { albumId } }));
  // Where nothing was deleted there is nothing to say; whoever has it open hears that the last one is gone.
  if (!isOpen && !list.data?.length) return null;
  return (
    <section className="mt-8" aria-label="Deleted items">
      <Button
        variant="bare"
        icon={isOpen ? ChevronDown : ChevronRight}
        aria-expanded={isOpen}
        className="-ml-3"
        onClick={() => setOpen(!isOpen)}
      >
        Deleted items
      </Button>
      {isOpen && <DeletedList albumId={albumId} onUndone={onUndone} />}
    </section>
  );
}

function DeletedList({ albumId, onUndone }: DeletedPhotosProps) {
  const list = useQuery(albums.deletedItems.queryOptions({ input: { albumId } }));
  if (list.isPending)
    return (
      <div className="mt-2 grid grid-cols-3 gap-1.5 md:grid-cols-5 md:gap-2.5" aria-busy="true">
        <Skeleton className="aspect-square rounded-photo" />
        <Skeleton className="aspect-square rounded-photo" />
      </div>
    );
  if (list.isError)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} busy={list.isRefetching} />;
  if (list.data.length === 0)
    return <p className="mt-2 text-quiet">{`Nothing here. Deleted items can be restored for ${undoHours} hours.`}</p>;
  return (
    <>
      <p className="mt-2 text-13 text-quiet">
        Nobody can open these. When their time is up, their keys are destroyed and you get the space back.
      </p>
      <ul className="mt-3 grid grid-cols-2 gap-3 md:grid-cols-5" aria-label="Deleted items">
        {list.data.map((item) => (
          <DeletedTile key={item.id} albumId={albumId} item={item} onUndone={onUndone} />
        ))}
      </ul>
      {list.data.length > 1 && <UndoAll albumId={albumId} items={list.data.slice(0, 500)} onUndone={onUndone} />}
    </>
  );
}

function DeletedTile({ albumId, item, onUndone }: DeletedPhotosProps & { item: DeletedItem }) {
  const restore = useRestore(onUndone);
  const now = useNow();
  const name = item.caption || item.originalName;
  return (
    <li className="grid content-start gap-1" aria-label={name}>
      <PhotoTile alt={name} thumbhash={item.thumbhash ?? undefined}>
        <PhotoCaption>{describeLeft(item.undoUntil, now)}</PhotoCaption>
      </PhotoTile>
      <span className="line-clamp-1 text-13 wrap-anywhere">{name}</span>
      <Button
        variant="outline"
        icon={Undo2}
        busy={restore.isPending}
        aria-label={`Undo: restore ${isolate(name)}`}
        onClick={() => restore.mutate({ albumId, mediaIds: [item.id] })}
      >
        Undo
      </Button>
    </li>
  );
}

function UndoAll({ albumId, items, onUndone }: DeletedPhotosProps & { items: DeletedItem[] }) {
  const restore = useRestore(onUndone);
  return (
    <Button
      variant="bare"
      icon={Undo2}
      className="mt-3"
      busy={restore.isPending}
      onClick={() => restore.mutate({ albumId, mediaIds: items.map(({ id }) => id) })}
    >
      {`Restore all ${countMedia(items)}`}
    </Button>
  );
}
