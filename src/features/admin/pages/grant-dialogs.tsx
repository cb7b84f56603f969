import { useState } from 'react';
import * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { adminUsers } from '../admin-calls.tsx';
import { GrantDays, GrantedCredits, GrantNote } from '../contract.ts';

interface GrantDialogProps {
  userId: string;
  onClose: () => void;
  onDone: () => Promise<void>;
}

const whole = (text: string) => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN);
const FreeAccess = z.object({
  days: z
    .string()
    .transform((text) => (text.trim() === '' ? null : whole(text)))
    .pipe(GrantDays.nullable()),
});

/** Asks for how long an account is free. */
export function FreeAccessDialog({ userId, onClose, onDone }: GrantDialogProps) {
  const form = useForm({
    shape: FreeAccess,
    initial: { days: '30' },
    send: async ({ days }) => {
      await adminUsers.grantAccess.call({ userId, what: 'free', days, isEnd: false });
      await onDone();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Give free access?"
      description="They have it at once, and an email says so."
      actions={
        <>
          <Button type="submit" form="free-access" busy={form.isBusy}>
            Give
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id="free-access" onSubmit={form.submit} noValidate className="grid gap-4">
        <Field label="For how many days" hint="Empty for good." inputMode="numeric" {...form.text('days')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}

const Credits = z.object({ credits: z.string().transform(whole).pipe(GrantedCredits), note: GrantNote });

/** Asks for how many credits, and what for. */
export function CreditsDialog({ userId, onClose, onDone }: GrantDialogProps) {
  // Sent twice, it is given once.
  const [giftId] = useState(() => crypto.randomUUID());
  const form = useForm({
    shape: Credits,
    initial: { credits: '', note: '' },
    send: async ({ credits, note }) => {
      await adminUsers.grantCredits.call({ userId, credits, note, giftId });
      await onDone();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Give credits?"
      description="They end a year later."
      actions={
        <>
          <Button type="submit" form="give-credits" busy={form.isBusy}>
            Give
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id="give-credits" onSubmit={form.submit} noValidate className="grid gap-4">
        <Field label="How many" inputMode="numeric" {...form.text('credits')} />
        <Textarea label="What for" hint="It stands in the audit log." maxLength={500} rows={2} {...form.text('note')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
