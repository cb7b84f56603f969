import { useQueryClient } from '@tanstack/react-query';
import { Camera, ImagePlus, Plus } from 'lucide-react';
import { type DragEvent, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { useMe } from '#features/accounts/guard.tsx';
import { usualLimits } from '#features/settings/page-limits.ts';
import type { Elements } from '#kit/elements.ts';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { cx } from '#ui/cx.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { callsOf } from '#wire/client.ts';
import { type Album, type AlbumItem, albumsContract } from '../contract.ts';
import { readDrop } from './dropped-files.tsx';
import { useSharedFiles } from './shared-files.tsx';
import { uploads } from './upload-list.tsx';
import { acceptedFiles, isBusy, isShown } from './upload-rules.ts';
import { UploadTile } from './upload-tile.tsx';
import { useLasting, usePreparing } from './use-preparing.tsx';

const albums = callsOf('albums', albumsContract);

/** Where the focus goes when there is no picture to put it on. */
export const addPhotosId = 'add-photos';

/** Picker, camera and drop zone around the album's pictures; files on their way have their places already. */
export function UploadArea({
  album,
  items,
  isMoving,
  tools,
  children,
}: {
  album: Album;
  /** The album's pictures as they are drawn now. */
  items: readonly AlbumItem[];
  /** A photo is lifted: what is on its way keeps its places until it is put down. */
  isMoving: boolean;
  /** Beside the pickers: what can be done with what is there. */
  tools?: Elements;
  children: (uploading: Elements) => Elements;
}) {
  const current = useSyncExternalStore(uploads.subscribe, uploads.entries, uploads.entries);
  const entries = useKept(current, isMoving).filter((entry) => entry.albumId === album.id && !isShown(entry, items));
  const queries = useQueryClient();
  const [search] = useSearchParams();
  const [isOver, setOver] = useState(false);
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
  const isSending = entries.some(({ state }) => isBusy(state) && state !== 'processing');
  const isUnderWay = entries.some(({ state }) => isBusy(state) && state !== 'queued' && state !== 'checking');
  const waiting = isUnderWay ? 0 : entries.filter(({ state }) => state === 'queued' || state === 'checking').length;
  const hasWaited = useLasting(waiting > 0);
  useWarning(isSending);
  const take = (files: readonly File[]) => {
    if (files.length > filesPerBatch)
      toast.error({
        title: `Only the first ${filesPerBatch} were added`,
        message: `Add the other ${files.length - filesPerBatch} when these are done.`,
      });
    uploads.add(album.id, files.slice(0, filesPerBatch), before);
  };
  useSharedFiles(take);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void takeDrop(event.dataTransfer, take);
  };
  const canAdd = album.state !== 'deleting' && album.state !== 'locked';
  return (
    <section
      aria-label="Photos"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(canAdd && event.dataTransfer.types.includes('Files'));
      }}
      onDragLeave={() => setOver(false)}
      onDrop={canAdd ? drop : undefined}
      className={cx('rounded-card', isOver && 'outline-2 outline-dashed outline-offset-8 outline-plum')}
    >
      {!canAdd && search.has('add') && <Navigate to="/albums?new=1" replace />}
      {!canAdd && tools}
      {canAdd && (
        <Pickers
          onFiles={take}
          isFirst={items.length === 0 && entries.length === 0}
          waiting={hasWaited ? waiting : 0}
          tools={tools}
        />
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

/** What is no picture is refused by the server, with its reason on its tile. */
async function takeDrop(transfer: DataTransfer, take: (files: readonly File[]) => void): Promise<void> {
  const { files, hasFolder } = await readDrop(transfer);
  if (!hasFolder || files.length > 0) return take(files);
  toast.error({ title: 'Nothing to upload', message: 'There are no files in that folder.' });
}

/** The picker and, on phones, the camera; says so while the phone prepares what was chosen. */
function Pickers({
  onFiles,
  isFirst,
  waiting,
  tools,
}: {
  onFiles: (files: File[]) => void;
  isFirst: boolean;
  /** How many files were chosen a moment ago, while none of them is on its way yet. */
  waiting: number;
  tools: Elements;
}) {
  const picker = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const preparing = usePreparing(picker);
  const pick = () => {
    picker.current?.click();
    preparing.begin();
  };
  usePlus(pick);
  const take = (input: HTMLInputElement) => {
    preparing.end();
    onFiles([...(input.files ?? [])]);
    input.value = '';
  };
  const buttons = (
    <>
      <Button id={addPhotosId} icon={Plus} size={isFirst ? 'large' : 'normal'} onClick={pick}>
        Add photos or videos
      </Button>
      <IconButton
        icon={Camera}
        label="Camera"
        variant="outline"
        className="md:hidden"
        onClick={() => camera.current?.click()}
      />
    </>
  );
  return (
    <div className="mb-4">
      <input
        ref={picker}
        type="file"
        accept={acceptedFiles}
        multiple
        className="sr-only"
        tabIndex={-1}
        aria-label="Photos to upload"
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        className="sr-only"
        tabIndex={-1}
        aria-label="Photo from the camera"
        onChange={(event) => take(event.currentTarget)}
      />
      {isFirst ? (
        <EmptyState
          icon={ImagePlus}
          title="Add your first photos and videos"
          action={<span className="flex flex-wrap justify-center gap-2">{buttons}</span>}
        >
          Location, device and time are removed before anyone sees them.
        </EmptyState>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          {buttons}
          <span className="ml-auto">{tools}</span>
        </div>
      )}
      <p role="status" className="text-13 text-quiet not-empty:mt-2">
        {preparing.words || (waiting > 0 && `Preparing ${formatCount(waiting, 'item')}…`)}
      </p>
    </div>
  );
}

/** The "+" above every page leads here with `?add=1`: it opens the picker while the browser still remembers the tap. */
function usePlus(pick: () => void): void {
  const [search, setSearch] = useSearchParams();
  const isAsked = search.has('add');
  const answer = useEffectEvent(() => {
    setSearch({}, { replace: true });
    if (navigator.userActivation?.isActive !== false) pick();
  });
  useEffect(() => {
    if (isAsked) answer();
  }, [isAsked]);
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
