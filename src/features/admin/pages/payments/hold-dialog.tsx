import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import { type HoldCode, holdCodes } from '#features/payouts/rules.ts';
import { proseText } from '#kit/bounded-text.ts';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Select } from '#ui/forms/select.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { adminPayments } from '../../admin-calls.tsx';
import { holdNames } from '../../payment-words.ts';

const formId = 'hold-payouts';
const Hold = z.object({ note: proseText(500, 'Use at most 500 characters').min(1, 'Say why: they read it') });
const reasons = holdCodes.map((value) => ({ value, label: holdNames[value] }));

/** Asks why a creator is not paid out. */
export function HoldDialog({ userId, name, onClose }: { userId: string; name: string; onClose: () => void }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState<HoldCode>('REVIEW_NEW');
  const form = useForm({
    shape: Hold,
    initial: { note: '' },
    send: async ({ note }) => {
      await adminPayments.holdPayouts.call({ userId, reason, note });
      toast.success({ title: 'Payouts are held. They get an email.' });
      await queries.invalidateQueries({ queryKey: adminPayments.key() });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Hold payouts of ${isolate(name)}?`}
      description="Nothing is paid out to them until somebody releases it. Sales go on."
      actions={
        <>
          <Button type="submit" form={formId} busy={form.isBusy}>
            Hold payouts
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.submit} noValidate className="grid gap-4">
        <Select label="Reason" options={reasons} value={reason} onChange={setReason} />
        <Textarea label="Note" hint="They get it by email." maxLength={500} rows={3} {...form.text('note')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
