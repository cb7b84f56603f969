import { useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, ShieldCheck } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { HardlyTraceable } from '#features/media/hardly-traceable.tsx';
import { OwnVideo } from '#features/media/own-video-player.tsx';
import { ProtectedPhoto } from '#features/media/protected-photo.tsx';
import { formatBytes, formatLength } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { callsOf } from '#wire/client.ts';
import { useWrite } from '#wire/use-write.tsx';
import { type AlbumItem, albumsContract } from '../contract.ts';
import { ItemActions } from './item-actions.tsx';
import { nameOfKind } from './item-names.ts';

const albums = callsOf('albums', albumsContract);

type Step = 1 | -1;

interface ItemDialogProps {
  albumId: string;
  item: AlbumItem;
  /** How many blurred pictures the album shows before somebody pays. */
  teaserCount: number;
  /** Which one of the album's items it is, from 0 on. */
  place: { at: number; of: number };
  /** To its neighbour, if there is one. */
  onTurn: (step: Step) => void;
  onClose: () => void;
  /** It has left the album. */
  onDeleted: () => void;
  /** It is back. */
  onUndone: () => void;
}

/** One picture large, with its words and what can be done with it; the arrow keys and two buttons turn to its neighbours. */
export function ItemDialog({
  albumId,
  item,
  teaserCount,
  place,
  onTurn,
  onClose,
  onDeleted,
  onUndone,
}: ItemDialogProps) {
  const edit = useEdit(albumId);
  const isReady = item.state === 'ready';
  return (
    <Dialog
      open
      onClose={onClose}
      title={isReady ? nameOfKind(item.kind) : item.originalName}
      tools={<Turners place={place} onTurn={onTurn} />}
      onKeyDown={(event) => {
        const step = stepOfKey(event);
        if (step !== undefined) onTurn(step);
      }}
    >
      <div className="grid gap-4">
        {isReady && item.width !== null && item.height !== null && (
          <Picture item={item} width={item.width} height={item.height} />
        )}
        {item.failText && (
          <p role="alert" className="rounded-control bg-rust-wash p-3 text-rust">
            {item.failText}
          </p>
        )}
        {isReady && (
          <ItemFields
            item={item}
            teaserCount={teaserCount}
            busy={edit.isPending}
            onChange={(change) => edit.mutate({ albumId, mediaId: item.id, ...change })}
          />
        )}
        <ItemActions
          albumId={albumId}
          item={item}
          onDeleted={() => {
            onClose();
            onDeleted();
          }}
          onUndone={onUndone}
        />
        {edit.isError && (
          <p role="alert" className="text-rust">
            {edit.error.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** Changes what is said of one picture of an album. */
function useEdit(albumId: string) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: albums.one.key({ input: { albumId } }) });
  return useWrite(
    albums.editItem.mutationOptions({
      onSuccess: refresh,
      onError: ({ message }) => toast.error({ title: "Couldn't save the change", message }),
    }),
  );
}

/** Returns where an arrow key leads; what is written into, and a video's line of time, keep their arrows. */
function stepOfKey({ key, target }: KeyboardEvent): Step | undefined {
  const isTaken = [HTMLInputElement, HTMLTextAreaElement, HTMLMediaElement].some((kind) => target instanceof kind);
  if (isTaken) return undefined;
  if (key === 'ArrowRight') return 1;
  return key === 'ArrowLeft' ? -1 : undefined;
}

/** "3 of 10", with the way to both neighbours; at an end the button keeps the focus and leads nowhere. */
function Turners({ place: { at, of }, onTurn }: Pick<ItemDialogProps, 'place' | 'onTurn'>) {
  return (
    <span className="flex flex-none items-center">
      <IconButton icon={ChevronLeft} label="Previous" aria-disabled={at === 0} onClick={() => onTurn(-1)} />
      <span className="text-13 whitespace-nowrap text-quiet tabular-nums">{`${at + 1} of ${of}`}</span>
      <IconButton icon={ChevronRight} label="Next" aria-disabled={at === of - 1} onClick={() => onTurn(1)} />
    </span>
  );
}

function Picture({ item, width, height }: { item: AlbumItem; width: number; height: number }) {
  const thumbhash = item.thumbhash ?? '';
  const alt = item.caption || `Your ${item.kind}`;
  const common = { mediaId: item.id, thumbhash, width, height, alt };
  return item.kind === 'video' ? (
    <OwnVideo {...common} durationMs={item.durationMs} />
  ) : (
    // As large as fits in half of the screen's height, whole.
    <div className="mx-auto" style={{ width: `min(100%, 50dvh * ${width / height})` }}>
      <ProtectedPhoto {...common} rendition="p2048" />
    </div>
  );
}

interface ItemFieldsProps extends Pick<ItemDialogProps, 'item' | 'teaserCount'> {
  busy: boolean;
  onChange: (change: Partial<Pick<AlbumItem, 'caption' | 'isHidden' | 'isInTeaser'>>) => void;
}

/** What is said of a picture that is ready, and who sees it. */
function ItemFields({ item, teaserCount, busy, onChange }: ItemFieldsProps) {
  return (
    <>
      <Receipt item={item} />
      {item.isHardlyTraceable && <HardlyTraceable />}
      <Caption key={item.id} item={item} busy={busy} onSave={(caption) => onChange({ caption })} />
      <Switch label="Hide from viewers" checked={item.isHidden} onChange={(isHidden) => onChange({ isHidden })} />
      {teaserCount > 0 && (
        <Switch
          label="Show blurred before someone pays"
          checked={item.isInTeaser}
          onChange={(isInTeaser) => onChange({ isInTeaser })}
        />
      )}
    </>
  );
}

/** What was taken out of the file before anybody could see it. */
function Receipt({ item }: { item: AlbumItem }) {
  const removed = item.removed.length > 0 ? `Removed: ${item.removed.join(', ')}` : 'This file had no hidden details';
  const length = item.durationMs === null ? [] : [formatLength(item.durationMs)];
  const size = `${item.width}\u00a0×\u00a0${item.height}`;
  const facts = [removed, size, ...length, formatBytes(item.sizeBytes)].join(' · ');
  return (
    <p className="flex items-center gap-2 text-13 text-quiet">
      <ShieldCheck className="size-4.5 flex-none" />
      <span>
        <span>{`${facts} · `}</span>
        <bdi className="wrap-anywhere">{item.originalName}</bdi>
      </span>
    </p>
  );
}

function Caption({ item, busy, onSave }: { item: AlbumItem; busy: boolean; onSave: (caption: string) => void }) {
  const [words, setWords] = useState(item.caption);
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(words);
      }}
    >
      <Field
        label="Caption"
        value={words}
        maxLength={140}
        onChange={(event) => setWords(event.target.value)}
        className="flex-1"
      />
      <Button type="submit" variant="outline" className="h-12" busy={busy} disabled={words.trim() === item.caption}>
        Save
      </Button>
    </form>
  );
}
