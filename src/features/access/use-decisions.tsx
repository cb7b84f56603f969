import { useQueryClient } from '@tanstack/react-query';
import { toast } from '#ui/feedback/toast.ts';
import { useWrite } from '#wire/use-write.tsx';
import { access } from './access-calls.tsx';
import type { GrantSpan } from './asked-rules.ts';

/** Says that a call failed: what the server refused in its own words, what broke as something that we know of. */
export function toastFailure(error: unknown): void {
  const { status, message } = error as { status?: number; message?: string };
  if (status !== undefined && status >= 500) toast.error({ title: "We've alerted our team!" });
  else toast.error({ title: "That didn't work", message: message ?? '' });
}

export interface Denial {
  text: string;
  mayAskAgain: boolean;
  isBlocked: boolean;
}

/** Answering one request; while an answer is under way the buttons do nothing. */
export function useDecisions(requestId: string) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: access.key() });
  const approve = useWrite(
    access.approve.mutationOptions({
      onSuccess: () => toast.success({ title: 'Access Granted', message: 'The viewer can now access the album' }),
      onError: toastFailure,
      onSettled: refresh,
    }),
  );
  const deny = useWrite(
    access.deny.mutationOptions({
      onSuccess: () => toast.success({ title: 'Access Denied', message: 'The access request has been denied' }),
      onError: toastFailure,
      onSettled: refresh,
    }),
  );
  return {
    approve: (span: GrantSpan) => approve.mutate({ requestId, span }),
    deny: (denial: Denial) => deny.mutate({ requestId, ...denial }),
    isDeciding: approve.isPending || deny.isPending,
  };
}
