import { Send } from 'lucide-react';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { consents } from './consent-calls.tsx';
import { NewCoPerformer } from './contract.ts';
import { usePeopleSaved } from './use-say-people.tsx';

/** Names somebody who is shown and mails them the request. */
export function AddPerson({ albumId }: { albumId: string }) {
  const { onSuccess } = usePeopleSaved();
  const add = useWrite(consents.add.mutationOptions({ onSuccess }));
  const form = useForm({
    shape: NewCoPerformer.omit({ albumId: true }),
    initial: { name: '', email: '' },
    send: async (input) => {
      await add.mutateAsync({ albumId, ...input });
      form.reset();
      toast.success({ title: 'Request sent' });
    },
  });
  return (
    <form onSubmit={form.submit} noValidate aria-label="Ask someone" className="grid gap-4 border-t border-line pt-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" autoComplete="off" {...form.text('name')} />
        <Field label="Email" type="email" autoComplete="off" inputMode="email" {...form.text('email')} />
      </div>
      <p className="text-13 text-quiet">
        They read your name, the album’s name and how many items it holds. They see no pictures, and need no account.
      </p>
      <p role="alert" className="font-medium text-rust empty:hidden">
        {form.faults['']}
      </p>
      <Button type="submit" icon={Send} busy={form.isBusy} className="justify-self-start">
        Ask for consent
      </Button>
    </form>
  );
}
