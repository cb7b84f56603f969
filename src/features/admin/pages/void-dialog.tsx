import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import { type VoidReason, voidReasons } from '#features/affiliates/rules.ts';
import { proseText } from '#kit/bounded-text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Select } from '#ui/forms/select.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { adminAffiliates } from '../admin-calls.tsx';
import { voidWords } from '../partner-words.ts';

const formId = 'void-referral';
const Note = z.object({ note: proseText(500, 'Use at most 500 characters') });
const reasons = voidReasons.map((value) => ({ value, label: voidWords[value] }));

/** Asks why a referral is void. */
export function VoidDialog({ referralId, onClose }: { referralId: string; onClose: () => void }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState<VoidReason>('spam');
  const form = useForm({
    shape: Note,
    initial: { note: '' },
    send: async ({ note }) => {
      await adminAffiliates.voidReferral.call({ referralId, reason, note });
      await queries.invalidateQueries({ queryKey: adminAffiliates.key() });
      toast.success({ title: 'The referral is void' });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Void this referral?"
      description="Shares that wait or can be paid are taken back at once, also out of a run that you haven't paid yet, and nothing more comes of it. What was paid stays paid."
      actions={
        <>
          <Button type="submit" form={formId} variant="danger" busy={form.isBusy}>
            Void referral
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.submit} noValidate className="grid gap-4">
        <Select label="Why" options={reasons} value={reason} onChange={setReason} />
        <Textarea
          label="Note"
          hint="For whoever runs this place. Nobody else reads it."
          maxLength={500}
          rows={3}
          {...form.text('note')}
        />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
