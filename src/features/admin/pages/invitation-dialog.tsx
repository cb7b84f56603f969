import { useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { invitationDays } from '#features/accounts/rules.ts';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { copyLater } from '#ui/copy-later.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { adminInvitations } from '../admin-calls.tsx';
import { NewInvitation } from '../invitations-contract.ts';

const formId = 'invitation';
const forGood = 'forever';
const lengths = [
  ...invitationDays.map((days) => ({ value: String(days), label: formatCount(days, 'day') })),
  { value: forGood, label: 'For good' },
];

const { label, note, places, openDays } = NewInvitation.shape;
/** As it is typed: numbers are texts in their fields. */
const Typed = z.object({
  label,
  note,
  days: z.string().transform((days) => (days === forGood ? null : Number(days))),
  places: z.coerce.number('Enter a whole number').pipe(places),
  openDays: z.coerce.number('Enter a whole number').pipe(openDays),
});

/** Makes a join link, and shows its address this once. */
export function InvitationDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [address, setAddress] = useState<string>();
  const form = useForm({
    shape: Typed,
    initial: { label: '', note: '', days: '30', places: '1', openDays: '7' },
    send: async (input) => {
      const made = await adminInvitations.make.call(input);
      setAddress(made.address);
      await queries.invalidateQueries({ queryKey: adminInvitations.key() });
    },
  });
  if (address !== undefined) return <Made address={address} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title="New join link"
      description="Whoever joins by it has a free account, without a card."
      actions={
        <>
          <Button type="submit" form={formId} busy={form.isBusy}>
            Make link
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.submit} noValidate className="grid gap-4">
        <Field label="Who it is for" maxLength={80} autoComplete="off" {...form.text('label')} />
        <Select
          label="How long their account is free"
          options={lengths}
          value={form.values.days}
          onChange={(days) => form.set('days', days)}
        />
        <Field label="How many can join" inputMode="numeric" maxLength={3} {...form.text('places')} />
        <Field label="For how many days it can be used" inputMode="numeric" maxLength={2} {...form.text('openDays')} />
        <Textarea label="Note" hint="Only the desk reads it." maxLength={500} rows={2} {...form.text('note')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}

function Made({ address, onClose }: { address: string; onClose: () => void }) {
  const copy = async () => {
    if (await copyLater(Promise.resolve(address))) toast.success({ title: 'Copied' });
    else toast.error({ title: "Couldn't copy", message: 'Select the address and copy it by hand.' });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="The link is made"
      description="It is shown this once. Copy it before you close this."
      actions={
        <>
          <Button icon={Copy} onClick={copy}>
            Copy
          </Button>
          <Button variant="outline" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <p className="rounded-control border border-line bg-paper p-3 wrap-anywhere select-all">{address}</p>
    </Dialog>
  );
}
