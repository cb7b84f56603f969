import { useId, useRef } from 'react';
import { useMe } from '#features/accounts/guard.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { type Faults, useForm } from '#ui/forms/use-form.tsx';
import { callsOf } from '#wire/client.ts';
import { SupportRequest, supportContract } from './contract.ts';

const support = callsOf('support', supportContract);

/** What was not sent is told in a notice; what is missing is told beside its field. */
const describeFailure = (_faults: Faults, error?: unknown) => {
  if (error !== undefined)
    toast.error({ title: 'Error', message: 'Failed to send support request. Please try again.' });
};

type ContactDialogProps = { open: boolean; onClose: () => void };

/** Writes to whoever runs this installation; what is typed stays until it was sent. */
export function ContactDialog({ open, onClose }: ContactDialogProps) {
  const { me } = useMe();
  // Whoever is signed in need not type the address that is known.
  return <ContactForm key={me?.user?.email ?? ''} email={me?.user?.email ?? ''} open={open} onClose={onClose} />;
}

function ContactForm({ email, open, onClose }: ContactDialogProps & { email: string }) {
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  const form = useForm({
    shape: SupportRequest,
    initial: { name: '', email, subject: '', message: '' },
    send: async (input) => {
      const { number } = await support.send.call(input);
      form.reset();
      onClose();
      toast.success({
        title: 'Support Request Sent',
        message: "We'll get back to you as soon as possible.",
        details: `Your number is ${number}.`,
      });
    },
    onFault: describeFailure,
  });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Contact support"
      description="Ask anything, or tell us what went wrong. A person reads it and answers by email."
      initialFocus={first}
      actions={
        <>
          <Button type="submit" form={id} busy={form.isBusy}>
            Send
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={form.submit} noValidate className="grid gap-3.5">
        <Field ref={first} label="Name" autoComplete="name" required {...form.text('name')} />
        <Field label="Email" type="email" autoComplete="email" inputMode="email" required {...form.text('email')} />
        <Field label="Subject" required {...form.text('subject')} />
        <Textarea label="Message" rows={4} required {...form.text('message')} />
      </form>
    </Dialog>
  );
}
