import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import { leastCents, mostTipCents } from '#features/orders/rules.ts';
import { readCents } from '#kit/cents.ts';
import { formatPrice, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { FormError, useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { money } from '../money-calls.tsx';
import { TipSettings } from './tip-settings-contract.ts';

/** What they offer and say to whoever tips. */
export function TipSettingsCard() {
  const { data } = useQuery(money.tipSettings.queryOptions({ input: {} }));
  const [isOpen, setOpen] = useState(false);
  if (data === undefined) return null;
  return (
    <Card className="flex flex-wrap items-center justify-between gap-4">
      <div className="min-w-0">
        <h2 className="text-21">Tips</h2>
        <p className="mt-1 text-quiet">{data.presetsCents.map((cents) => formatPrice(cents)).join(' · ')}</p>
        {data.thanks !== '' && <p className="mt-1 max-w-140 wrap-anywhere">{`“${isolate(data.thanks)}”`}</p>}
      </div>
      <Button variant="outline" onClick={() => setOpen(true)}>
        Change tips
      </Button>
      {isOpen && <TipSettingsDialog settings={data} onClose={() => setOpen(false)} />}
    </Card>
  );
}

const places = ['first', 'second', 'third', 'fourth'] as const;

function TipSettingsDialog({ settings, onClose }: { settings: TipSettings; onClose: () => void }) {
  const queries = useQueryClient();
  const [first = '', second = '', third = '', fourth = ''] = settings.presetsCents.map((cents) => String(cents / 100));
  const form = useForm({
    shape: z.object({}),
    initial: { first, second, third, fourth, thanks: settings.thanks },
    async send() {
      const { thanks, ...amounts } = form.values;
      const presetsCents = places.map((place) => readCents(amounts[place]));
      const params = TipSettings.safeParse({ presetsCents, thanks });
      if (!params.success)
        throw new FormError(
          `Choose four different amounts, ${formatPrice(leastCents)} to ${formatPrice(mostTipCents)} each.`,
        );
      await money.changeTipSettings.call(params.data);
      await queries.invalidateQueries({ queryKey: money.tipSettings.key() });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Tips"
      description="Four amounts to choose by one tap; any other can be typed."
    >
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          {places.map((place, n) => (
            <Field key={place} label={`Tip ${n + 1}, $`} inputMode="decimal" maxLength={10} {...form.text(place)} />
          ))}
        </div>
        <Textarea
          label="Thank-you text (optional)"
          maxLength={200}
          value={form.values.thanks}
          onChange={(event) => form.set('thanks', event.target.value)}
        />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
        <Button type="submit" busy={form.isBusy}>
          Save
        </Button>
      </form>
    </Dialog>
  );
}
