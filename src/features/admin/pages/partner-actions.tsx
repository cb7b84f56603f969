import { useQueryClient } from '@tanstack/react-query';
import { Ban, Check, CircleOff, Pause, Percent, Play } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import type { PartnerCard } from '#features/affiliates/desk-contract.ts';
import { mostShareBps } from '#features/affiliates/rules.ts';
import { proseText } from '#kit/bounded-text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { faultsOf, useForm } from '#ui/forms/use-form.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminAffiliates } from '../admin-calls.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

type Asked = 'reject' | 'pause' | 'close' | 'share';

const Reason = z.object({
  reason: proseText(500, 'Use at most 500 characters').min(1, 'Say why: they read it'),
});

/** What can be decided about an application or a partner. */
export function PartnerActions({ partner }: { partner: PartnerCard }) {
  const [asked, setAsked] = useState<Asked>();
  const queries = useQueryClient();
  const { id: affiliateId, state, sharePercent } = partner;
  const after = (title: string) => ({
    onSuccess: () => {
      toast.success({ title });
      return queries.invalidateQueries({ queryKey: adminAffiliates.key() });
    },
    onError: (error: Error) => toast.error({ title: "It didn't work", message: Object.values(faultsOf(error))[0] }),
  });
  const approve = useWrite(adminAffiliates.approve.mutationOptions(after('Approved. They get an email.')));
  const resume = useWrite(adminAffiliates.resume.mutationOptions(after('Their link counts again')));
  return (
    <section>
      <SectionHeader title="Decide" />
      <div className="flex flex-wrap gap-3">
        {(state === 'applied' || state === 'rejected') && (
          <Button icon={Check} busy={approve.isPending} onClick={() => approve.mutate({ affiliateId })}>
            Approve
          </Button>
        )}
        {state === 'applied' && (
          <Button variant="outline" icon={Ban} onClick={() => setAsked('reject')}>
            Reject
          </Button>
        )}
        {state === 'approved' && (
          <Button variant="outline" icon={Pause} onClick={() => setAsked('pause')}>
            Pause
          </Button>
        )}
        {state === 'paused' && (
          <Button icon={Play} busy={resume.isPending} onClick={() => resume.mutate({ affiliateId })}>
            Resume
          </Button>
        )}
        {(state === 'approved' || state === 'paused') && (
          <Button variant="outline" icon={CircleOff} onClick={() => setAsked('close')}>
            Close
          </Button>
        )}
        {sharePercent !== null && state !== 'closed' && (
          <Button variant="outline" icon={Percent} onClick={() => setAsked('share')}>
            Change share
          </Button>
        )}
      </div>
      <AskedDialog asked={asked} partner={partner} onClose={() => setAsked(undefined)} />
    </section>
  );
}

const askedWords = {
  reject: { title: 'Reject this application?', effect: '', confirm: 'Reject application', done: 'Rejected' },
  pause: {
    title: 'Pause this partner?',
    effect: 'Nobody is counted by their link and nothing is paid out until you resume. ',
    confirm: 'Pause partner',
    done: 'Paused',
  },
  close: {
    title: 'Close this partner for good?',
    effect:
      'Nobody is counted by their link any more, and it cannot be opened again. What they have earned is still paid. ',
    confirm: 'Close partner',
    done: 'Closed',
  },
} as const;

interface AskedDialogProps {
  asked: Asked | undefined;
  partner: PartnerCard;
  onClose: () => void;
}

function AskedDialog({ asked, partner: { id: affiliateId, sharePercent }, onClose }: AskedDialogProps) {
  const queries = useQueryClient();
  const done = async (title: string) => {
    toast.success({ title });
    await queries.invalidateQueries({ queryKey: adminAffiliates.key() });
    onClose();
  };
  if (asked === undefined) return null;
  if (asked === 'share')
    return <ShareDialog affiliateId={affiliateId} sharePercent={sharePercent ?? 0} onDone={done} onClose={onClose} />;
  const words = askedWords[asked];
  return (
    <ReasonDialog
      title={words.title}
      description={`${words.effect}They get an email with the reason.`}
      label="Reason"
      hint="They read it."
      confirm={words.confirm}
      shape={Reason}
      onConfirm={async (reason) => {
        await adminAffiliates[asked].call({ affiliateId, reason });
        await done(words.done);
      }}
      onClose={onClose}
    />
  );
}

const most = mostShareBps / 100;
const Share = z.object({
  share: z.coerce
    .number('Enter a whole number')
    .pipe(z.int('Enter a whole number').min(0).max(most, `At most ${most}%`)),
});

interface ShareDialogProps {
  affiliateId: string;
  sharePercent: number;
  onDone: (title: string) => Promise<void>;
  onClose: () => void;
}

function ShareDialog({ affiliateId, sharePercent, onDone, onClose }: ShareDialogProps) {
  const form = useForm({
    shape: Share,
    initial: { share: String(sharePercent) },
    send: async ({ share }) => {
      await adminAffiliates.changeShare.call({ affiliateId, sharePercent: share });
      await onDone('The share is changed');
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change their share"
      description="It holds for plan payments from now on, and stands in the audit log."
      actions={
        <>
          <Button type="submit" form="partner-share" busy={form.isBusy}>
            Change share
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id="partner-share" onSubmit={form.submit} noValidate className="grid gap-4">
        <Field label="Share in percent" inputMode="numeric" maxLength={2} {...form.text('share')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
