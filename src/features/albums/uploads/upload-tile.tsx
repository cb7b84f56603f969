import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Copy, FileUp, Pause, Play, RotateCcw, X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { formatBytes, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { cx } from '#ui/cx.ts';
import { ProgressRing } from '#ui/feedback/progress-bar.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { callsOf } from '#wire/client.ts';
import { useWrite } from '#wire/use-write.tsx';
import { albumsContract } from '../contract.ts';
import { DevicePreview } from './device-preview.tsx';
import { uploads } from './upload-list.tsx';
import { acceptedFiles, type UploadEntry } from './upload-rules.ts';

const albums = callsOf('albums', albumsContract);

/** What happens to a file now, in a few words. */
function describeState({ state, sentBytes, sizeBytes, reason }: UploadEntry): string {
  if (state === 'uploading' && sentBytes === 0) return 'Starting…';
  if (state === 'uploading') return `${formatBytes(sentBytes)} of ${formatBytes(sizeBytes)}`;
  if (state === 'paused') return `Paused at ${formatBytes(sentBytes)}`;
  if (state === 'failed') return reason ?? 'Something went wrong.';
  if (state === 'missing' && sentBytes === 0) return reason ?? "It hasn't been sent yet. Choose it again to start.";
  if (state === 'missing')
    return reason ?? `${formatBytes(sentBytes)} of ${formatBytes(sizeBytes)} uploaded. Choose it again to continue.`;
  return {
    queued: 'Waiting…',
    checking: 'Reading…',
    duplicate: 'You already uploaded this',
    finishing: 'Finishing…',
    processing: 'Processing…',
    ready: 'Ready',
  }[state];
}

/** The same where there is room for a word. */
function describeShortly(entry: UploadEntry): string {
  const { state, sentBytes, sizeBytes } = entry;
  if (state === 'uploading' && sentBytes > 0) return `${Math.floor((100 * sentBytes) / sizeBytes)}%`;
  return state === 'paused' ? 'Paused' : describeState(entry);
}

interface UploadTileProps {
  entry: UploadEntry;
  albumId: string;
  onUseExisting: () => void;
}

/** A file on its way, in the place that its picture will have; one that asks for something has a row to say it in. */
export function UploadTile({ entry, albumId, onUseExisting }: UploadTileProps) {
  const { state } = entry;
  if (state === 'duplicate')
    return (
      <AskingTile entry={entry}>
        <Duplicate entry={entry} albumId={albumId} onUseExisting={onUseExisting} />
      </AskingTile>
    );
  if (state === 'missing')
    return (
      <AskingTile entry={entry}>
        <ChooseAgain entry={entry} />
      </AskingTile>
    );
  if (state === 'failed')
    return (
      <AskingTile entry={entry}>
        {!entry.isFinal && (
          <Button
            variant="outline"
            icon={RotateCcw}
            aria-label={`Try again: ${isolate(entry.name)}`}
            onClick={() => uploads.resume(entry.key)}
          >
            Try again
          </Button>
        )}
      </AskingTile>
    );
  return <MovingTile entry={entry} />;
}

/** What goes its way by itself: how far it is, and what can stop it. */
function MovingTile({ entry }: { entry: UploadEntry }) {
  const { key, state, name, preview, sentBytes, sizeBytes, speed } = entry;
  const share = sizeBytes === 0 ? 0 : sentBytes / sizeBytes;
  return (
    <li
      aria-label={`${isolate(name)}: ${describeState(entry)}`}
      className="relative grid aspect-square min-w-0 place-content-center justify-items-center overflow-hidden rounded-photo bg-plum-wash p-1 text-center text-13 leading-tight md:p-2 md:leading-normal"
    >
      <DevicePreview src={preview} />
      <span className="relative grid size-11 place-items-center">
        <span className="pointer-events-none absolute inset-0 grid place-items-center">
          <ProgressRing label={`${isolate(name)} uploaded`} done={share} />
        </span>
        {state === 'uploading' && (
          <IconButton icon={Pause} label={`Pause ${isolate(name)}`} onClick={() => uploads.pause(key)} />
        )}
        {state === 'paused' && (
          <IconButton icon={Play} label={`Resume ${isolate(name)}`} onClick={() => uploads.resume(key)} />
        )}
      </span>
      <span className="relative line-clamp-1 w-full break-all font-medium">{name}</span>
      <span className="relative w-full truncate tabular-nums max-md:hidden">{describeState(entry)}</span>
      <span className="relative w-full truncate tabular-nums md:hidden">{describeShortly(entry)}</span>
      {speed !== undefined && (
        <span className="relative w-full truncate tabular-nums max-[22rem]:hidden">{`${formatBytes(speed)}/s`}</span>
      )}
      {state !== 'finishing' && state !== 'processing' && <Remove entry={entry} className="absolute top-0 right-0" />}
    </li>
  );
}

/** What waits for an answer: its words, and the answers. */
function AskingTile({ entry, children }: { entry: UploadEntry; children: ReactNode }) {
  const { state, name, preview } = entry;
  const isBad = state === 'failed';
  return (
    <li
      aria-label={`${isolate(name)}: ${describeState(entry)}`}
      className="col-span-full flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 rounded-photo border border-line bg-raised p-3 text-13"
    >
      <span
        className={cx(
          'relative grid size-11 flex-none place-items-center overflow-hidden rounded-control',
          isBad ? 'bg-rust-wash text-rust' : 'bg-plum-wash text-quiet',
        )}
      >
        {isBad ? <CircleAlert className="size-5" /> : <DevicePreview src={preview} isClear />}
      </span>
      <span className="grid min-w-0 flex-1 basis-40">
        <span className="truncate font-medium text-15">{name}</span>
        <span className={cx('wrap-break-word', isBad ? 'text-rust' : 'text-quiet')}>{describeState(entry)}</span>
      </span>
      <Remove entry={entry} className="md:order-1" />
      <span className="flex flex-wrap gap-2 max-md:basis-full">{children}</span>
    </li>
  );
}

function Remove({ entry: { key, name }, className }: { entry: UploadEntry; className: string }) {
  return (
    <IconButton icon={X} label={`Remove ${isolate(name)}`} className={className} onClick={() => uploads.remove(key)} />
  );
}

/** The same bytes are in the account: put that one into this album too, or send it once more. */
function Duplicate({ entry: { key, name, sameAs }, albumId, onUseExisting }: UploadTileProps) {
  const queries = useQueryClient();
  const useExisting = useWrite(
    albums.addItems.mutationOptions({
      onMutate: () =>
        queries.getQueryData(albums.one.queryKey({ input: { albumId } }))?.items.some(({ id }) => id === sameAs) ??
        false,
      onSuccess: async (_done, _input, wasHere) => {
        await queries.invalidateQueries({ queryKey: albums.one.key({ input: { albumId } }) });
        onUseExisting();
        toast.success(
          wasHere
            ? { title: "It's in this album already", message: `Nothing was added: you have uploaded ${name} before.` }
            : {
                title: 'Added to this album',
                message: `It's the ${name} you uploaded before, so it takes no extra space.`,
              },
        );
      },
      onError: ({ message }) => toast.error({ title: "Couldn't add it to this album", message }),
    }),
  );
  return (
    <>
      <Button
        variant="outline"
        icon={Copy}
        busy={useExisting.isPending}
        onClick={() => useExisting.mutate({ albumId, mediaIds: [sameAs ?? ''] })}
      >
        Use existing
      </Button>
      <Button variant="bare" onClick={() => uploads.uploadAnyway(key)}>
        Upload anyway
      </Button>
    </>
  );
}

/** Asks for a file that this browser does not hold any more. */
function ChooseAgain({ entry: { key, name } }: { entry: UploadEntry }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={acceptedFiles}
        className="sr-only"
        tabIndex={-1}
        aria-label={`The file ${isolate(name)}`}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) void uploads.chooseAgain(key, file);
          currentTarget.value = '';
        }}
      />
      <Button variant="outline" icon={FileUp} onClick={() => input.current?.click()}>
        Choose it again
      </Button>
    </>
  );
}
