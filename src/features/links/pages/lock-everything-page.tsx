import { useQueryClient } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { useMe } from '#features/accounts/guard.tsx';
import { usualLimits } from '#features/settings/page-limits.ts';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { links } from '../link-calls.tsx';

/** The panic button, on the page of what keeps an account safe. `?lock=everything`, a shortcut of the home screen, asks at once. */
export default function LockEverythingPage() {
  const [search, setSearch] = useSearchParams();
  const isAsked = search.get('lock') === 'everything';
  const setAsked = (isOpen: boolean) =>
    setSearch(isOpen ? { lock: 'everything' } : {}, { replace: true, preventScrollReset: true });
  const { linkUndoHours } = useMe().me?.limits ?? usualLimits;
  const queries = useQueryClient();
  const lock = useWrite(
    links.lockEverything.mutationOptions({
      onSuccess: ({ revoked }) =>
        toast.success({
          title: 'Everything is locked',
          message: `${formatCount(revoked, 'link')} revoked, every other device signed out.`,
        }),
      onError: ({ message }) => toast.error({ title: "Couldn't lock everything", message }),
      onSettled: () => {
        setAsked(false);
        return queries.invalidateQueries();
      },
    }),
  );
  return (
    <section>
      <SectionHeader title="Lock everything" />
      <p className="mb-4 text-quiet">
        {`Revokes all your links, closes every open screen and signs out every device but this one. Each link can be restored for ${linkUndoHours} h.`}
      </p>
      <Button variant="danger" icon={Lock} onClick={() => setAsked(true)}>
        Lock everything
      </Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title="Lock everything?"
        description={`Nobody can view your albums from now on. Each link can be restored for ${linkUndoHours} h, from its own page.`}
        confirm="Lock everything now"
        onConfirm={() => lock.mutate({})}
        busy={lock.isPending}
        danger
      />
    </section>
  );
}
