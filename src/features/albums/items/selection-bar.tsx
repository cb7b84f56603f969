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
const describeCourse = {
  move: 'Links to this album will stop showing what you move, and links to the other album will start.',
  copy: "They'll be in both albums without taking extra space. Links to the other album will show them too.",
};
const describeWayBack = (count: number) =>
  `You can restore ${count === 1 ? 'it' : 'them'} for ${undoHours} hours, under “Deleted items”.`;

const toastFault = (error: Error) => void toast.error({ title: "Couldn't save the change", message: error.message });

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
          <MoreMenu
            chosen={chosen}
            onAsk={setAsking}
            onCover={(mediaId) => cover.mutate({ albumId, mediaId })}
            onTakeOut={() => takeOut.mutate({ albumId, mediaIds })}
          />
          <IconButton icon={X} label="Clear selection" onClick={() => onDone([])} />
        </span>
      </div>
      {asking && (
        <OtherAlbum
          course={asking}
          media={media}
          except={albumId}
          onClose={() => setAsking(undefined)}
          onChoose={(toAlbumId, onSuccess) => {
            setAsking(undefined);
            if (asking === 'move') move.mutate({ albumId, toAlbumId, mediaIds }, { onSuccess });
            else copy.mutate({ albumId: toAlbumId, mediaIds }, { onSuccess });
          }}
        />
      )}
    </>
  );
}

interface MoreMenuProps {
  chosen: readonly AlbumItem[];
  onAsk: (course: 'move' | 'copy') => void;
  onCover: (mediaId: string) => void;
  onTakeOut: () => void;
}

/** What is done less often than deleting. */
function MoreMenu({ chosen, onAsk, onCover, onTakeOut }: MoreMenuProps) {
  const [only, second] = chosen;
  const canBeCover = second === undefined && only?.state === 'ready';
  return (
    <Menu
      trigger={<IconButton icon={Ellipsis} label="More actions for the selected items" />}
      items={[
        { label: 'Move to another album', icon: FolderInput, onSelect: () => onAsk('move') },
        { label: 'Copy to another album', icon: Copy, onSelect: () => onAsk('copy') },
        {
          label: 'Use as cover',
          icon: ImageUp,
          disabled: !canBeCover,
          onSelect: () => onCover(only?.id ?? ''),
        },
        'line',
        {
          label: 'Remove from this album',
          icon: ImageMinus,
          onSelect: onTakeOut,
        },
      ]}
    />
  );
}

interface OtherAlbumProps {
  course: 'move' | 'copy';
  /** What is chosen, in words. */
  media: string;
  except: string;
  onClose: () => void;
  /** @param onSuccess says that they are there */
  onChoose: (albumId: string, onSuccess: () => void) => void;
}

/** Where the chosen media are to go. */
function OtherAlbum({ course, media, except, onClose, onChoose }: OtherAlbumProps) {
  return (
    <ChooseAlbum
      title={course === 'move' ? `Move ${media} to…` : `Copy ${media} to…`}
      description={describeCourse[course]}
      except={except}
      onClose={onClose}
      onChoose={({ id, name }) =>
        onChoose(
          id,
          () => void toast.success({ title: `${media} ${course === 'move' ? 'moved' : 'copied'} to ${isolate(name)}` }),
        )
      }
    />
  );
}

/** What a notice offers: those that were taken out of the album or deleted come back. */
function useUndo(albumId: string, onUndone: SelectionBarProps['onUndone']) {
  const queries = useQueryClient();
  const putBack = useWrite(
    albums.addItems.mutationOptions({
      onError: toastFault,
      onSuccess: async (_done, { mediaIds }) => {
        await queries.invalidateQueries({ queryKey: albums.key() });
        onUndone(mediaIds);
      },
    }),
  );
  const restore = useRestore(onUndone);
  return (taken: string[], deleted: string[]) => ({
    label: 'Undo',
    onPress: () => {
      if (taken.length > 0) putBack.mutate({ albumId, mediaIds: taken });
      if (deleted.length > 0) restore.mutate({ albumId, mediaIds: deleted });
    },
  });
}

/** What changes the chosen media; each says what came of it, and how it is undone. */
function useChanges({ albumId, chosen, onDone, onUndone }: SelectionBarProps) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: albums.key() });
  const finish = async (gone: readonly string[]) => {
    await refresh();
    onDone(gone);
  };
  const undo = useUndo(albumId, onUndone);
  const takeOut = useWrite(
    albums.removeItems.mutationOptions({
      onError: toastFault,
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
            message: `Deleted items weren't in any other album. ${describeWayBack(deleted.length)}`,
          }),
          action: undo(taken, deleted),
        });
      },
    }),
  );
  const remove = useWrite(
    albums.deleteItems.mutationOptions({
      onError: toastFault,
      onMutate: () => chosen,
      onSuccess: async (_until, { mediaIds }, were) => {
        await finish(mediaIds);
        toast.info({
          title: `${countMedia(were)} deleted`,
          message: describeWayBack(mediaIds.length),
          action: undo([], mediaIds),
        });
      },
    }),
  );
  const cover = useWrite(
    albums.setCover.mutationOptions({
      onError: toastFault,
      onSuccess: async () => {
        await finish([]);
        toast.success({ title: 'Cover updated' });
      },
    }),
  );
  const copy = useWrite(albums.addItems.mutationOptions({ onError: toastFault, onSuccess: () => finish([]) }));
  const move = useWrite(
    albums.moveItems.mutationOptions({ onError: toastFault, onSuccess: (_done, { mediaIds }) => finish(mediaIds) }),
  );
  return { takeOut, remove, cover, copy, move };
}
