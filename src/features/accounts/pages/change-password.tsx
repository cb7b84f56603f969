import * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { Password } from '../contract.ts';
import { accounts, useMe } from '../guard.tsx';
import { FormFault } from './auth-frame.tsx';
import { NewPasswordField } from './new-password-field.tsx';

const Change = z.object({ currentPassword: z.string().min(1, 'Enter your password'), newPassword: Password });

/** A new password for the old one. */
export function ChangePassword() {
  const { me } = useMe();
  const email = me?.user?.email ?? '';
  const form = useForm({
    shape: Change,
    initial: { currentPassword: '', newPassword: '' },
    send: async (input) => {
      await accounts.changePassword.call(input);
      form.reset();
      toast.success({ title: 'Password saved', message: 'Every other device was signed out.' });
    },
  });
  return (
    <Card>
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordField label="Current password" {...form.text('currentPassword')} />
        <NewPasswordField label="New password" email={email} {...form.text('newPassword')} />
        <FormFault>{form.faults['']}</FormFault>
        <Button type="submit" busy={form.isBusy} className="justify-self-start">
          Change password
        </Button>
      </form>
    </Card>
  );
}
