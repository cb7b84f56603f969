import * as z from 'zod';
import { proseText } from '#kit/bounded-text.ts';
import { Email } from '#kit/email-address.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { adminUsers } from '../admin-calls.tsx';

const formId = 'change-email';
const shape = z.object({
  email: Email,
  reason: proseText(500, 'Use at most 500 characters').min(1, 'Say how you know that it is the owner'),
});

interface ChangeEmailDialogProps {
  userId: string;
  onClose: () => void;
  onDone: () => Promise<void>;
}

/** Asks for the new address of somebody who has lost their mailbox. */
export function ChangeEmailDialog({ userId, onClose, onDone }: ChangeEmailDialogProps) {
  const form = useForm({
    shape,
    initial: { email: '', reason: '' },
    send: async ({ email, reason }) => {
      await adminUsers.changeEmail.call({ userId, email, reason });
      await onDone();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change their email address?"
      description="The new address gets a link that works for 24 hours. Once it is used the address changes, and the old one can undo it for some days."
      actions={
        <>
          <Button type="submit" form={formId} busy={form.isBusy}>
            Send the link
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.submit} noValidate className="grid gap-4">
        <Field label="New address" type="email" autoComplete="off" {...form.text('email')} />
        <Textarea
          label="How you know that it is the owner"
          hint="It stands in the audit log."
          maxLength={500}
          rows={3}
          {...form.text('reason')}
        />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
