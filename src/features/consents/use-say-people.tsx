import { useQueryClient } from '@tanstack/react-query';
import { albumsContract } from '#features/albums/contract.ts';
import { toast } from '#ui/feedback/toast.ts';
import { callsOf } from '#wire/client.ts';
import { useWrite } from '#wire/use-write.tsx';
import { consents } from './consent-calls.tsx';

const albums = callsOf('albums', albumsContract);

/** What every change of who is shown does afterwards: the album's pages read again. */
export function usePeopleSaved() {
  const queries = useQueryClient();
  return {
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: consents.key() });
      await queries.invalidateQueries({ queryKey: albums.key() });
    },
    onError: ({ message }: Error) => void toast.error({ title: "Couldn't save the change", message }),
  };
}

/** Says who is shown in an album. */
export const useSayPeople = () => useWrite(consents.say.mutationOptions(usePeopleSaved()));
