import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminAffiliates } from '../admin-calls.tsx';

/** Lets a referral count that is void, once that was confirmed. */
export function RestoreReferral({ referralId }: { referralId: string }) {
  const [isAsked, setAsked] = useState(false);
  const queries = useQueryClient();
  const restore = useWrite(
    adminAffiliates.restoreReferral.mutationOptions({
      onSuccess: () => toast.success({ title: 'The referral counts' }),
      onError: (error) => toast.error({ title: "It didn't work", message: Object.values(faultsOf(error))[0] }),
      onSettled: () => {
        setAsked(false);
        return queries.invalidateQueries({ queryKey: adminAffiliates.key() });
      },
    }),
  );
  return (
    <>
      <Button variant="bare" onClick={() => setAsked(true)}>
        Let it count
      </Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title="Let this referral count?"
        description="What was taken back waits again, and the bills that were paid meanwhile bring their shares. Nothing makes it void by itself any more, also if they pay by the partner's card."
        confirm="Let it count"
        busy={restore.isPending}
        onConfirm={() => restore.mutate({ referralId })}
      />
    </>
  );
}
