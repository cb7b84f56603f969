import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { useMe } from '#features/accounts/guard.tsx';
import { usualLimits } from '#features/settings/page-limits.ts';
import type { Elements } from '#kit/elements.ts';
import { cx } from '#ui/cx.ts';
import { toast } from '#ui/feedback/toast.ts';
import { callsOf } from '#wire/client.ts';
import { type Album, type AlbumItem, albumsContract } from '../contract.ts';
import { readDrop } from './dropped-files.tsx';
import { Pickers } from './pickers.tsx';
import { useSharedFiles } from './shared-files.tsx';
import { uploads } from './upload-list.tsx';
import { isBusy, isShown, type UploadEntry } from './upload-rules.ts';
import { UploadTile } from './upload-tile.tsx';
import { useLasting } from './use-preparing.tsx';

const albums = callsOf('albums', albumsContract);

interface UploadAreaProps {
  album: Album;
  /** The album's pictures as they are drawn now. */
  items: readonly AlbumItem[];
  /** A photo is lifted: what is on its way keeps its places until it is put down. */
  isMoving: boolean;
  /** Beside the pickers: what can be done with what is there. */
  tools?: Elements;
  children: (uploading: Elements) => Elements;
}

/** Picker, camera and drop zone around the album's pictures; files on their way have their places already. */
export function UploadArea({ album, items, isMoving, tools, children }: UploadAreaProps) {
  const { entries, take } = useUploading({ album, items, isMoving });
  const [search] = useSearchParams();
  const isSending = entries.some(({ state }) => isBusy(state) && state !== 'processing');
  const waiting = useWaiting(entries);
  useWarning(isSending);
  useSharedFiles(take);
  const canAdd = album.state !== 'deleting' && album.state !== 'locked';
  const { isOver, zone } = useDropZone(canAdd, take);
  return (
    <section
      aria-label="Photos"
      {...zone}
      className={cx('rounded-card', isOver && 'outline-2 outline-dashed outline-offset-8 outline-plum')}
    >
      {!canAdd && search.has('add') && <Navigate to="/albums?new=1" replace />}
      {!canAdd && tools}
      {canAdd && (
        <Pickers onFiles={take} isFirst={items.length === 0 && entries.length === 0} waiting={waiting} tools={tools} />
      )}
      {isSending && (
        <p className="mb-3 rounded-control bg-plum-wash px-4 py-3 text-13">
          Keep this page open while uploading. If you leave, we continue where we stopped.
        </p>
      )}
      {children(
        entries.map((entry) => (
          <UploadTile
            key={entry.key}
            entry={entry}
            onUseExisting={() => uploads.remove(entry.key)}
            albumId={album.id}
          />
        )),
      )}
    </section>
  );
}

/** The files that are on their way into the album, also those of an earlier visit, and what sends more of them. */
function useUploading({ album, items, isMoving }: Pick<UploadAreaProps, 'album' | 'items' | 'isMoving'>) {
  const current = useSyncExternalStore(uploads.subscribe, uploads.entries, uploads.entries);
  const entries = useKept(current, isMoving).filter((entry) => entry.albumId === album.id && !isShown(entry, items));
  const queries = useQueryClient();
  const limits = useMe().me?.limits ?? usualLimits;
  const { filesPerBatch } = limits;
  useEffect(() => {
    uploads.limits = limits;
    uploads.onArrived = (albumId) => queries.invalidateQueries({ queryKey: albums.one.key({ input: { albumId } }) });
  }, [queries, limits]);
  const before = new Set(items.map(({ id }) => id));
  const restore = useEffectEvent(() => void uploads.restore(album.id, before));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each album; what it holds by then is read at that time
  useEffect(() => restore(), [album.id]);
  const take = (files: readonly File[]) => {
    if (files.length > filesPerBatch)
      toast.error({
        title: `Only the first ${filesPerBatch} were added`,
        message: `Add the other ${files.length - filesPerBatch} when these are done.`,
      });
    uploads.add(album.id, files.slice(0, filesPerBatch), before);
  };
  return { entries, take };
}

/** Returns how many files were chosen a moment ago, while none of them is on its way yet. */
function useWaiting(entries: readonly UploadEntry[]): number {
  const isUnderWay = entries.some(({ state }) => isBusy(state) && state !== 'queued' && state !== 'checking');
  const waiting = isUnderWay ? 0 : entries.filter(({ state }) => state === 'queued' || state === 'checking').length;
  const hasWaited = useLasting(waiting > 0);
  return hasWaited ? waiting : 0;
}

/** Takes the files that are dropped on it. */
function useDropZone(canAdd: boolean, take: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void takeDrop(event.dataTransfer, take);
  };
  const zone = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(canAdd && event.dataTransfer.types.includes('Files'));
    },
    onDragLeave: () => setOver(false),
    onDrop: canAdd ? drop : undefined,
  };
  return { isOver, zone };
}

/** What is no picture is refused by the server, with its reason on its tile. */
async function takeDrop(transfer: DataTransfer, take: (files: readonly File[]) => void): Promise<void> {
  const { files, hasFolder } = await readDrop(transfer);
  if (!hasFolder || files.length > 0) return take(files);
  toast.error({ title: 'Nothing to upload', message: 'There are no files in that folder.' });
}

/** The newest value, or the one from before as long as it is to stay. */
function useKept<T>(value: T, isToStay: boolean): T {
  const [kept, setKept] = useState(value);
  if (!isToStay && kept !== value) setKept(value);
  return isToStay ? kept : value;
}

/** The browser asks before the page is closed in the middle of an upload. */
function useWarning(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isSending]);
}
