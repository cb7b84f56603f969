import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Copy, FileUp, Pause, Play, RotateCcw, X } from 'lucide-react';
import { useRef } from 'react';
import { formatBytes } from '#kit/text.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { ProgressRing } from '#ui/progress-bar.tsx';
import { toast } from '#ui/toast.ts';
import { callsOf } from '#wire/client.ts';
import { albumsContract } from './contract.ts';
import { uploads } from './upload-list.tsx';
import type { UploadEntry } from './upload-rules.ts';

const albums = callsOf('albums', albumsContract);

/** What happens to a file now, in a few words. */
function tell({ state, sentBytes, sizeBytes, speed, reason }: UploadEntry): string {
  if (state === 'uploading')
    return `${formatBytes(sentBytes)} of ${formatBytes(sizeBytes)}${speed === undefined ? '' : ` · ${formatBytes(speed)}/s`}`;
  if (state === 'paused') return `Paused at ${formatBytes(sentBytes)}`;
  if (state === 'failed') return reason ?? 'It did not work.';
  if (state === 'missing')
    return reason ?? `${formatBytes(sentBytes)} of ${formatBytes(sizeBytes)} are here. Choose it again to go on.`;
  return {
    queued: 'Waiting…',
    checking: 'Reading…',
    duplicate: 'You already uploaded this',
    finishing: 'Finishing…',
    processing: 'Processing…',
    ready: 'Ready',
  }[state];
}

/** A file on its way, in the place that its picture will have. */
export function UploadTile({
  entry,
  albumId,
  onUseExisting,
}: {
  entry: UploadEntry;
  albumId: string;
  onUseExisting: () => void;
}) {
  const { key, state, name, preview, sentBytes, sizeBytes } = entry;
  const queries = useQueryClient();
  const useExisting = useMutation(
    albums.addItems.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries({ queryKey: albums.one.key({ input: { albumId } }) });
        onUseExisting();
      },
      onError: ({ message }) => toast.error({ title: 'It was not put into this album', message }),
    }),
  );
  const share = sizeBytes === 0 ? 0 : sentBytes / sizeBytes;
  return (
    <li
      aria-label={`${name}: ${tell(entry)}`}
      className="relative grid aspect-square min-w-0 place-content-center justify-items-center gap-1.5 overflow-hidden rounded-photo bg-plum-wash p-2 text-center text-13"
    >
      {preview && <img src={preview} alt="" className="absolute inset-0 size-full object-cover opacity-25" />}
      <span className="relative grid w-full justify-items-center gap-1">
        {state !== 'failed' && state !== 'duplicate' && state !== 'missing' && (
          <ProgressRing label={`${name} uploaded`} done={share} />
        )}
        <span className="line-clamp-1 w-full break-all font-medium">{name}</span>
        <span className="line-clamp-3 tabular-nums">{tell(entry)}</span>
        {state === 'duplicate' && (
          <span className="grid gap-1">
            <Button
              variant="outline"
              icon={Copy}
              busy={useExisting.isPending}
              onClick={() => useExisting.mutate({ albumId, mediaIds: [entry.sameAs ?? ''] })}
            >
              Use it
            </Button>
            <Button variant="bare" onClick={() => uploads.uploadAnyway(key)}>
              Upload anyway
            </Button>
          </span>
        )}
        {state === 'missing' && <ChooseAgain entry={entry} />}
        <span className="flex">
          {state === 'uploading' && (
            <IconButton icon={Pause} label={`Pause ${name}`} onClick={() => uploads.pause(key)} />
          )}
          {state === 'paused' && (
            <IconButton icon={Play} label={`Resume ${name}`} onClick={() => uploads.resume(key)} />
          )}
          {state === 'failed' && (
            <IconButton icon={RotateCcw} label={`Retry ${name}`} onClick={() => uploads.resume(key)} />
          )}
          {state !== 'finishing' && state !== 'processing' && (
            <IconButton icon={X} label={`Remove ${name}`} onClick={() => uploads.remove(key)} />
          )}
        </span>
      </span>
    </li>
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
        accept="image/*,.heic,.heif"
        className="sr-only"
        tabIndex={-1}
        aria-label={`The file ${name}`}
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
