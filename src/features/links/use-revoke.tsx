import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { formatCount } from '#kit/text.ts';
import { toast, toastStore } from '#ui/feedback/toast.ts';
import { useWrite } from '#wire/use-write.tsx';
import type { MagicLink } from './contract.ts';
import { links, patchLinks } from './link-calls.tsx';
import { describeDark, nameLink } from './link-texts.ts';

const looksMs = [1200, 1500, 3000, 6000];

const nameAll = (revoked: readonly MagicLink[]) => {
  const [only, ...others] = revoked;
  if (only === undefined) return 'No links were revoked';
  return others.length > 0 ? `${formatCount(revoked.length, 'link')} are revoked.` : `“${nameLink(only)}” is revoked.`;
};

/** Revokes at once on the screen and takes it back when the server did not; every revocation can be undone from its toast. */
export function useRevoke() {
  const queries = useQueryClient();
  const freshen = () => queries.invalidateQueries({ queryKey: links.key() });
  const undo = useWrite(
    links.undoRevoke.mutationOptions({
      onMutate: ({ linkIds }) =>
        patchLinks(queries, linkIds, (link) => ({ ...link, isRevoked: false, revokedAt: null })),
      onError: (error, _input, takeBack) => {
        takeBack?.();
        toast.error({ title: "Couldn't undo", message: error.message });
      },
      onSuccess: () => toast.success({ title: 'Access restored', message: 'The same link works again.' }),
      onSettled: freshen,
    }),
  );
  const toastDone = (revoked: readonly MagicLink[], message?: string) =>
    toast.success({
      title: nameAll(revoked),
      message,
      action: { label: 'Undo', onPress: () => undo.mutate({ linkIds: revoked.map(({ id }) => id) }) },
    });
  const revoke = useWrite(
    links.revoke.mutationOptions({
      onMutate: ({ linkIds }) =>
        patchLinks(queries, linkIds, (link) => ({ ...link, isRevoked: true, isLookingNow: false })),
      onError: (error, _input, takeBack) => {
        takeBack?.();
        toast.error({ title: "Couldn't revoke", message: error.message });
      },
      onSuccess: ({ links: revoked }) => {
        const id = toastDone(revoked);
        const [only, ...others] = revoked;
        if (only !== undefined && others.length === 0)
          void watchDark(queries, only, id, (words) => toastDone([only], words));
      },
      onSettled: freshen,
    }),
  );
  return {
    revoke: (linkIds: string[], brokeRules?: { reason: string }) =>
      revoke.mutate({ linkIds, ...(brokeRules && { brokeRules }) }),
    undo: (linkIds: string[]) => undo.mutate({ linkIds }),
    isUndoing: undo.isPending,
  };
}

/** Looks until the open screen's end is measured, and says it in place of the first toast when that is still there. */
async function watchDark(
  queries: QueryClient,
  { id: linkId }: MagicLink,
  toastId: number,
  toastDone: (words: string) => number,
): Promise<void> {
  for (const waitMs of looksMs) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const link = await queries.fetchQuery(links.one.queryOptions({ input: { linkId } })).catch(() => undefined);
    const words = link?.isRevoked ? describeDark(link) : undefined;
    if (!toastStore.read().some(({ id }) => id === toastId)) return;
    if (words === undefined) continue;
    toast.dismiss(toastId);
    toastDone(words);
    return;
  }
}
