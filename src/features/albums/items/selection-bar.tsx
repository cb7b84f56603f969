import { useQueryClient } from '@tanstack/react-query';
import { Copy, Ellipsis, FolderInput, ImageMinus, ImageUp, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { undoHours } from '#features/media/rules.ts';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { Menu } from '#ui/dialogs/menu.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { callsOf } from '#wire/client.ts';
import { useWrite } from '#wire/use-write.tsx';
import { type AlbumItem, albumsContract } from '../contract.ts';
import { ChooseAlbum } from '../pages/choose-album.tsx';
import { countMedia } from './item-names.ts';
import { useRestore } from './use-restore.tsx';

const albums = callsOf('albums', albumsContract);
/** What the choice of another album means for whoever looks. */
const tellCourse = {
  move: 'Links to this album will stop showing what you move, and links to the other album will start.',
  copy: "They'll be in both albums without taking extra space. Links to the other album will show them too.",
};
const tellWayBack = (count: number) =>
  `You can restore ${count === 1 ? 'it' : 'them'} for ${undoHours} hours, under “Deleted items”.`;

interface SelectionBarProps {
  albumId: string;
  chosen: readonly AlbumItem[];
  /** Nothing is chosen any more. @param gone what leaves the album with it */
  onDone: (gone: readonly string[]) => void;
  /** What had left comes back. */
  onUndone: (back: readonly string[]) => void;
}

/** What can be done with the chosen pictures; stands above the foot while there are any. */
export function SelectionBar({ albumId, chosen, onDone, onUndone }: SelectionBarProps) {
  const mediaIds = chosen.map(({ id }) => id);
  const { takeOut, remove, cover, copy, move } = useChanges({ albumId, chosen, onDone, onUndone });
  const [asking, setAsking] = useState<'move' | 'copy'>();
  const media = countMedia(chosen);
  if (chosen.length === 0) return null;
  const [only, second] = chosen;
  const canBeCover = second === undefined && only?.state === 'ready';
  return (
    <>
      <div
        role="toolbar"
        data-foot
        aria-label="Selected items"
        className="fixed inset-x-4 bottom-24 z-20 mx-auto flex max-w-120 items-center justify-between gap-3 rounded-card border border-line bg-raised py-2 pr-2 pl-4 shadow-soft md:bottom-8"
      >
        <span className="font-strong tabular-nums">{media}</span>
        <span className="flex gap-1">
          <Button
            variant="quietDanger"
            icon={Trash2}
            busy={remove.isPending}
            onClick={() => remove.mutate({ albumId, mediaIds })}
          >
            Delete
          </Button>
          <Menu
            trigger={<IconButton icon={Ellipsis} label="More actions for the selected items" />}
            items={[
              { label: 'Move to another album', icon: FolderInput, onSelect: () => setAsking('move') },
              { label: 'Copy to another album', icon: Copy, onSelect: () => setAsking('copy') },
              {
                label: 'Use as cover',
                icon: ImageUp,
                disabled: !canBeCover,
                onSelect: () => cover.mutate({ albumId, mediaId: only?.id ?? '' }),
              },
              'line',
              {
                label: 'Remove from this album',
                icon: ImageMinus,
                onSelect: () => takeOut.mutate({ albumId, mediaIds }),
              },
            ]}
          />
          <IconButton icon={X} label="Clear selection" onClick={() => onDone([])} />
        </span>
      </div>
      {asking && (
        <ChooseAlbum
          title={asking === 'move' ? `Move ${media} to…` : `Copy ${media} to…`}
          description={tellCourse[asking]}
          except={albumId}
          onClose={() => setAsking(undefined)}
          onChoose={({ id, name }) => {
            setAsking(undefined);
            const onSuccess = () =>
              void toast.success({ title: `${media} ${asking === 'move' ? 'moved' : 'copied'} to ${isolate(name)}` });
            if (asking === 'move') move.mutate({ albumId, toAlbumId: id, mediaIds }, { onSuccess });
            else copy.mutate({ albumId: id, mediaIds }, { onSuccess });
          }}
        />
      )}
    </>
  );
}

/** What changes the chosen media; each says what came of it, and how it is undone. */
function useChanges({ albumId, chosen, onDone, onUndone }: SelectionBarProps) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: albums.key() });
  const onError = (error: Error) => void toast.error({ title: "Couldn't save the change", message: error.message });
  const finish = async (gone: readonly string[]) => {
    await refresh();
    onDone(gone);
  };
  const putBack = useWrite(
    albums.addItems.mutationOptions({
      onError,
      onSuccess: async (_done, { mediaIds }) => {
        await refresh();
        onUndone(mediaIds);
      },
    }),
  );
  const restore = useRestore(onUndone);
  const undo = (taken: string[], deleted: string[]) => ({
    label: 'Undo',
    onPress: () => {
      if (taken.length > 0) putBack.mutate({ albumId, mediaIds: taken });
      if (deleted.length > 0) restore.mutate({ albumId, mediaIds: deleted });
    },
  });
  const takeOut = useWrite(
    albums.removeItems.mutationOptions({
      onError,
      // By the time it is done the album may have lost them already.
      onMutate: () => chosen,
      onSuccess: async ({ taken, deleted }, _input, were) => {
        await finish([...taken, ...deleted]);
        const count = (ids: readonly string[]) => countMedia(were.filter(({ id }) => ids.includes(id)));
        const out = `${count(taken)} removed from this album`;
        const gone = `${count(deleted)} deleted`;
        toast.info({
          title: [taken.length > 0 && out, deleted.length > 0 && gone].filter(Boolean).join(', '),
          ...(deleted.length > 0 && {
            message: `Deleted items weren't in any other album. ${tellWayBack(deleted.length)}`,
          }),
          action: undo(taken, deleted),
        });
      },
    }),
  );
  const remove = useWrite(
    albums.deleteItems.mutationOptions({
      onError,
      onMutate: () => chosen,
      onSuccess: async (_until, { mediaIds }, were) => {
        await finish(mediaIds);
        toast.info({
          title: `${countMedia(were)} deleted`,
          message: tellWayBack(mediaIds.length),
          action: undo([], mediaIds),
        });
      },
    }),
  );
  const cover = useWrite(
    albums.setCover.mutationOptions({
      onError,
      onSuccess: async () => {
        await finish([]);
        toast.success({ title: 'Cover updated' });
      },
    }),
  );
  const copy = useWrite(albums.addItems.mutationOptions({ onError, onSuccess: () => finish([]) }));
  const move = useWrite(
    albums.moveItems.mutationOptions({ onError, onSuccess: (_done, { mediaIds }) => finish(mediaIds) }),
  );
  return { takeOut, remove, cover, copy, move };
}
