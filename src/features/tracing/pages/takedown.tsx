import { FileText } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '#features/accounts/guard.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { TakedownLetter } from '../contract.ts';
import { saveTakedownLetter } from './save-evidence.tsx';

const kinds = [
  { value: 'intimate', label: 'It shows me' },
  { value: 'copyright', label: 'I made it' },
] as const;

const formId = 'takedown-letter';

/** Offers the letter that asks whoever hosts a copy to take it down. */
export function Takedown({ traceId }: { traceId: string }) {
  const [isWriting, setWriting] = useState(false);
  return (
    <section className="grid gap-3">
      <SectionHeader title="Have it taken down" />
      <Card className="grid gap-4">
        <p className="max-w-160">
          Send the site where you found it a letter. It says which file it is and that it was compared with your
          original, and names none of your viewers.
        </p>
        <Button variant="outline" icon={FileText} className="justify-self-start" onClick={() => setWriting(true)}>
          Write a takedown letter
        </Button>
      </Card>
      {isWriting && <LetterDialog traceId={traceId} onClose={() => setWriting(false)} />}
    </section>
  );
}

function LetterDialog({ traceId, onClose }: { traceId: string; onClose: () => void }) {
  const { me } = useMe();
  const form = useForm({
    shape: TakedownLetter,
    initial: { kind: 'intimate' as TakedownLetter['kind'], address: '', name: '', email: me?.user?.email ?? '' },
    send: async (letter) => {
      await saveTakedownLetter(traceId, letter);
      toast.success({ title: 'Letter saved', message: 'Send it to the site’s abuse or copyright contact.' });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Takedown letter"
      description="What you enter stands in the letter and is not kept."
      actions={
        <>
          <Button type="submit" form={formId} busy={form.isBusy}>
            Save letter (PDF)
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.submit} noValidate className="grid gap-4">
        <Field
          label="Address of the page"
          hint="Where you found the copy."
          type="url"
          inputMode="url"
          autoComplete="off"
          {...form.text('address')}
        />
        <Segmented
          label="Why it must go"
          options={kinds}
          value={form.values.kind}
          onChange={(kind) => form.set('kind', kind)}
        />
        <Field label="Your full name" hint="It counts as your signature." autoComplete="name" {...form.text('name')} />
        <Field
          label="Email for the answer"
          type="email"
          inputMode="email"
          autoComplete="email"
          {...form.text('email')}
        />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
