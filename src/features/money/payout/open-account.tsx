import * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { openConnected } from './use-connect.tsx';

const shape = z.object({ password: z.string().min(1, 'Enter your password') });

/** The way to an account that was ever complete, by the password: an open screen alone must not change where money goes. */
export function OpenAccount({ onClose }: { onClose: () => void }) {
  const form = useForm({
    shape,
    initial: { password: '' },
    send: async (input) => {
      await openConnected(input);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Open your payout account"
      description="Your bank details are in there, so we ask for your password first. We'll also send you an email."
      actions={
        <>
          <Button type="submit" form="payout-account" busy={form.isBusy}>
            Open account
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id="payout-account" onSubmit={form.submit} noValidate className="grid gap-3">
        <PasswordField label="Your password" {...form.text('password')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
