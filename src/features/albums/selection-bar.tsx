import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ImageMinus, X } from 'lucide-react';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { toast } from '#ui/toast.ts';
import { callsOf } from '#wire/client.ts';
import { albumsContract } from './contract.ts';

const albums = callsOf('albums', albumsContract);

/** What can be done with the chosen pictures; stands above the foot while there are any. */
export function SelectionBar({ albumId, chosen, onDone }: { albumId: string; chosen: string[]; onDone: () => void }) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: albums.key() });
  const putBack = useMutation(albums.addItems.mutationOptions({ onSuccess: refresh }));
  const remove = useMutation(
    albums.removeItems.mutationOptions({
      onSuccess: async (_nothing, { mediaIds }) => {
        await refresh();
        onDone();
        toast.info({
          title: `${formatCount(mediaIds.length, 'photo')} taken out of the album`,
          action: { label: 'Undo', onPress: () => putBack.mutate({ albumId, mediaIds }) },
        });
      },
      onError: (error) => toast.error({ title: 'Nothing was changed', message: error.message }),
    }),
  );
  if (chosen.length === 0) return null;
  return (
    <div
      role="toolbar"
      aria-label="Chosen photos"
      className="fixed inset-x-4 bottom-24 z-20 mx-auto flex max-w-120 items-center justify-between gap-3 rounded-card border border-line bg-raised py-2 pr-2 pl-4 shadow-soft md:bottom-8"
    >
      <span className="font-strong tabular-nums">{formatCount(chosen.length, 'photo')}</span>
      <span className="flex gap-2">
        <Button
          variant="outline"
          icon={ImageMinus}
          busy={remove.isPending}
          onClick={() => remove.mutate({ albumId, mediaIds: chosen })}
        >
          Take out
        </Button>
        <IconButton icon={X} label="Choose none" onClick={onDone} />
      </span>
    </div>
  );
}
