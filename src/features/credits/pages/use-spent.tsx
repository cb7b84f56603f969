import { useQueryClient } from '@tanstack/react-query';
import { accounts } from '#features/accounts/guard.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { credits } from './credits-calls.tsx';

/** Returns what follows when credits were spent: it's said, and what they changed is read again; what went wrong is said too. */
export function useSpent(title: string, close: () => void) {
  const queries = useQueryClient();
  return {
    onSuccess: async () => {
      close();
      toast.success({ title });
      await queries.invalidateQueries({ queryKey: credits.key() });
      await queries.invalidateQueries({ queryKey: accounts.me.key() });
    },
    onError: ({ message }: Error) => toast.error({ title: 'Error', message }),
  };
}
