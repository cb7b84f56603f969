import { useQueryClient } from '@tanstack/react-query';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { copyLater } from '#ui/copy-later.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { passDays, usualOpenDays } from '../pass-rules.ts';
import { passes } from './passes-calls.tsx';
import { type FreePass, FreePassInput } from './passes-contract.ts';

interface NewPassProps {
  open: boolean;
  tiers: readonly { id: string; name: string }[];
  onClose: () => void;
}

/** A short form, and then the address that it made. */
export function NewPass({ open, tiers, onClose }: NewPassProps) {
  const [made, setMade] = useState<FreePass>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  if (made !== undefined) return <Made pass={made} open={open} onClose={close} />;
  return (
    <Dialog open={open} onClose={close} title="New free pass">
      <Form tiers={tiers} onMade={setMade} />
    </Dialog>
  );
}

const asOption = (days: number) => ({ value: String(days), label: formatCount(days, 'day') });

function Form({ tiers, onMade }: { tiers: NewPassProps['tiers']; onMade: (pass: FreePass) => void }) {
  const queries = useQueryClient();
  const form = useForm({
    shape: FreePassInput,
    initial: { tierId: tiers[0]?.id ?? '', label: '', days: 7, places: 1, openDays: usualOpenDays },
    send: async (input) => {
      onMade(await passes.create.call(input));
      await queries.invalidateQueries({ queryKey: passes.key() });
    },
  });
  const { values, faults, set } = form;
  /** Nothing but digits is a number; what is empty is refused by the shape. */
  const count = (name: 'places' | 'openDays') => ({
    inputMode: 'numeric' as const,
    value: values[name] === 0 ? '' : String(values[name]),
    error: faults[name],
    onChange: ({ target }: { target: { value: string } }) =>
      set(name, Number(target.value.replaceAll(/\D/g, '').slice(0, 3))),
  });
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      {tiers.length > 1 && (
        <Select
          label="Tier"
          options={tiers.map(({ id, name }) => ({ value: id, label: name }))}
          value={values.tierId}
          onChange={(id) => set('tierId', id)}
          error={faults.tierId}
        />
      )}
      <Select
        label="Free for"
        options={passDays.map(asOption)}
        value={String(values.days)}
        onChange={(days) => set('days', Number(days))}
        error={faults.days}
      />
      <div className="grid grid-cols-2 gap-3">
        <Field label="People" {...count('places')} />
        <Field label="Open for (days)" {...count('openDays')} />
      </div>
      <Field label="Name (optional)" hint="Only you see it." {...form.text('label')} />
      <p role="alert" className="font-medium text-rust empty:hidden">
        {faults['']}
      </p>
      <Button type="submit" size="large" busy={form.isBusy}>
        Make pass
      </Button>
    </form>
  );
}

function Made({ pass, open, onClose }: { pass: FreePass; open: boolean; onClose: () => void }) {
  const now = useNow();
  const [isCopied, setCopied] = useState(false);
  const { url, places, days, expiresAt } = pass;
  const address = url ?? '';
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Your free pass"
      description={`${formatCount(places, 'person', 'people')} can take it until ${formatDate(expiresAt, now)}, each free for ${formatCount(days, 'day')}.`}
    >
      <Field label="Address" value={address} readOnly onFocus={(event) => event.currentTarget.select()} />
      <Button
        size="large"
        icon={isCopied ? Check : Copy}
        onClick={async () => setCopied(await copyLater(Promise.resolve(address)))}
      >
        {isCopied ? 'Copied' : 'Copy link'}
      </Button>
    </Dialog>
  );
}
