import { useQueryClient } from '@tanstack/react-query';
import { access } from '#features/access/access-calls.tsx';
import { toastFailure } from '#features/access/use-decisions.tsx';
import { links } from '#features/links/link-calls.tsx';
import type { BrokeRules } from '#features/links/revoke-dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { refreshQueries } from '#wire/refresh-queries.ts';
import { useWrite } from '#wire/use-write.tsx';
import type { EventAction, SecurityEvent } from './contract.ts';
import { security } from './security-calls.tsx';

/** What a creator does about one event; each can be taken back from its toast and from its row. */
export function useEventActions(event: Pick<SecurityEvent, 'id' | 'link' | 'action'>) {
  const queries = useQueryClient();
  const onSettled = () => refreshQueries(queries, [security.key(), links.key(), access.key()]);
  const eventId = event.id;
  const undo = useWrite(
    security.undo.mutationOptions({
      onSuccess: () => toast.success({ title: 'Undone' }),
      onError: toastFailure,
      onSettled,
    }),
  );
  const toastDone = (title: string, action: EventAction) =>
    toast.success({ title, action: { label: 'Undo', onPress: () => undo.mutate({ eventId, action }) } });
  const ignore = useWrite(
    security.ignore.mutationOptions({
      onSuccess: () => toastDone('Ignored', 'ignored'),
      onError: toastFailure,
      onSettled,
    }),
  );
  const block = useWrite(
    security.blockViewer.mutationOptions({
      onSuccess: ({ viewer }) => toastDone(`${viewer?.name ?? 'Viewer'} is blocked.`, 'blocked'),
      onError: toastFailure,
      onSettled,
    }),
  );
  const revoke = useWrite(
    security.revokeLink.mutationOptions({
      onSuccess: () => toastDone('The link is revoked.', 'revoked'),
      onError: toastFailure,
      onSettled,
    }),
  );
  const withhold = useWrite(links.revoke.mutationOptions({ onError: toastFailure, onSettled }));
  return {
    ignore: () => ignore.mutate({ eventId }),
    block: () => block.mutate({ eventId }),
    revoke: async (brokeRules?: BrokeRules) => {
      if (brokeRules) await withhold.mutateAsync({ linkIds: [event.link.id], brokeRules });
      revoke.mutate({ eventId });
    },
    undo: () => event.action && undo.mutate({ eventId, action: event.action.kind }),
    isBusy: [undo, ignore, block, revoke, withhold].some(({ isPending }) => isPending),
  };
}
