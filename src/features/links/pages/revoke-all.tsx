import { useQueryClient } from '@tanstack/react-query';
import { Ban, Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '#features/accounts/guard.tsx';
import { usualLimits } from '#features/settings/page-limits.ts';
import { formatCount } from '#kit/text.ts';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Menu } from '#ui/dialogs/menu.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { useWrite } from '#wire/use-write.tsx';
import { links } from '../link-calls.tsx';

/** Ends every link at once, or every link of one album; each can be brought back for a day. */
export function RevokeAll({ albumId }: { albumId?: string }) {
  const [isAsked, setAsked] = useState(false);
  const { linkUndoHours } = useMe().me?.limits ?? usualLimits;
  const queries = useQueryClient();
  const revokeAll = useWrite(
    links.revokeAll.mutationOptions({
      onSuccess: ({ revoked }) => toast.success({ title: `${formatCount(revoked, 'link')} revoked` }),
      onError: ({ message }) => toast.error({ title: "Couldn't revoke", message }),
      onSettled: () => {
        setAsked(false);
        return queries.invalidateQueries({ queryKey: links.key() });
      },
    }),
  );
  const all = albumId === undefined ? 'all links' : 'all links of this album';
  return (
    <>
      <Menu
        trigger={<IconButton icon={Ellipsis} label="More" variant="outline" />}
        items={[{ label: `Revoke ${all}…`, icon: Ban, danger: true, onSelect: () => setAsked(true) }]}
      />
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Revoke ${all}?`}
        description={`Everyone who has one loses access now. Each link can be restored for ${linkUndoHours} h.`}
        confirm={`Revoke ${all}`}
        danger
        busy={revokeAll.isPending}
        onConfirm={() => revokeAll.mutate(albumId === undefined ? {} : { albumId })}
      />
    </>
  );
}
