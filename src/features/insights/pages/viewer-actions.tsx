import { useQueryClient } from '@tanstack/react-query';
import { Ban, Ellipsis, LockOpen } from 'lucide-react';
import { useState } from 'react';
import { access } from '#features/access/access-calls.tsx';
import { isolate } from '#kit/text.ts';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Menu } from '#ui/dialogs/menu.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { useWrite } from '#wire/use-write.tsx';
import type { Viewer } from '../contract.ts';
import { insights } from '../insight-calls.tsx';

/** Blocking a viewer, after a question and with a way back, and unblocking them. */
function useBlocking({ viewerId, name }: Pick<Viewer, 'viewerId' | 'name'>, onBlocked: () => void) {
  const queries = useQueryClient();
  const settled = {
    onError: ({ message }: Error) => toast.error({ title: 'Not changed', message }),
    onSettled: () =>
      Promise.all([insights.key(), access.key()].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  };
  const unblock = useWrite(
    access.unblock.mutationOptions({
      ...settled,
      onSuccess: () => toast.success({ title: `${isolate(name)} is unblocked` }),
    }),
  );
  const block = useWrite(
    access.block.mutationOptions({
      ...settled,
      onSuccess: () => {
        onBlocked();
        const undo = { label: 'Undo', onPress: () => unblock.mutate({ viewerId }) };
        toast.success({ title: `${isolate(name)} is blocked`, action: undo });
      },
    }),
  );
  return { block, unblock };
}

/** What can be done with one viewer of the list. */
export function ViewerActions({ viewer }: { viewer: Viewer }) {
  const { viewerId, name, isBlocked } = viewer;
  const [isAsking, setAsking] = useState(false);
  const { block, unblock } = useBlocking(viewer, () => setAsking(false));
  return (
    <>
      <Menu
        trigger={<IconButton icon={Ellipsis} label={`More about ${isolate(name)}`} className="-mr-2" />}
        items={[
          isBlocked
            ? { label: 'Unblock', icon: LockOpen, onSelect: () => unblock.mutate({ viewerId }) }
            : { label: 'Block…', icon: Ban, danger: true, onSelect: () => setAsking(true) },
        ]}
      />
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Block ${isolate(name)}?`}
        description="None of your links will open for this viewer, and anything they have open closes now. They could come back in another browser, so revoke their link too."
        confirm="Block viewer"
        danger
        busy={block.isPending}
        onConfirm={() => block.mutate({ viewerId })}
      />
    </>
  );
}
