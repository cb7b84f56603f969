import { useQueryClient } from '@tanstack/react-query';
import { formatCount } from '#kit/text.ts';
import { toast } from '#ui/feedback/toast.ts';
import { callsOf } from '#wire/client.ts';
import { useWrite } from '#wire/use-write.tsx';
import { albumsContract } from '../contract.ts';

const albums = callsOf('albums', albumsContract);

/** Brings deleted media back, and says which cannot come. @param onUndone called with those that did */
export function useRestore(onUndone: (back: readonly string[]) => void) {
  const queries = useQueryClient();
  return useWrite(
    albums.restoreItems.mutationOptions({
      onSuccess: async ({ restored, refused: [first, ...others] }) => {
        await queries.invalidateQueries({ queryKey: albums.key() });
        if (restored.length > 0) onUndone(restored);
        if (first !== undefined)
          toast.error({
            title: `${formatCount(1 + others.length, 'item')} couldn't be restored`,
            message: first.message,
          });
      },
      onError: ({ message }) => toast.error({ title: "Couldn't restore it", message }),
    }),
  );
}
