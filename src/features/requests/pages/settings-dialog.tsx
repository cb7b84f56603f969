import { useQueryClient } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import * as z from 'zod';
import { readCents } from '#kit/cents.ts';
import { formatPrice } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { FormError, useForm } from '#ui/forms/use-form.tsx';
import { RequestSettings } from '../contract.ts';
import {
  leastRequestCents,
  longestWords,
  mostDays,
  mostOpenRequests,
  mostPriceItems,
  mostRequestCents,
} from '../rules.ts';
import { requests } from './requests-calls.tsx';

/** Returns what is wrong with what they want to save. */
function describeFault([field, , part]: readonly PropertyKey[]): string {
  if (field === 'days') return `Choose 1 to ${mostDays} days to deliver.`;
  if (field === 'mostOpen') return `Choose 1 to ${mostOpenRequests}.`;
  if (part === 'title') return 'Give every fixed price a title.';
  return `Choose prices between ${formatPrice(leastRequestCents)} and ${formatPrice(mostRequestCents)}.`;
}

interface Item {
  /** Of this page only. */
  key: number;
  title: string;
  dollars: string;
}

/** What a creator takes, and on which terms. */
export function SettingsDialog({ settings, onClose }: { settings: RequestSettings; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useForm({
    shape: z.object({}),
    initial: {
      isOn: settings.isOn,
      wontDo: settings.wontDo,
      days: String(settings.days),
      mostOpen: String(settings.mostOpen),
      dollars: String(settings.leastCents / 100),
      items: settings.priceList.map(({ title, cents }, key): Item => ({ key, title, dollars: String(cents / 100) })),
    },
    async send() {
      const { isOn, wontDo, days, mostOpen, dollars, items } = form.values;
      const params = RequestSettings.safeParse({
        isOn,
        wontDo,
        leastCents: readCents(dollars),
        days: Number(days),
        mostOpen: Number(mostOpen),
        priceList: items.map((item) => ({ title: item.title, cents: readCents(item.dollars) })),
      });
      if (!params.success) throw new FormError(describeFault(params.error.issues[0]?.path ?? []));
      await requests.changeSettings.call(params.data);
      await queries.invalidateQueries({ queryKey: requests.key() });
      onClose();
    },
  });
  const { values } = form;
  return (
    <Dialog open onClose={onClose} title="Custom requests">
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <Switch
          label="Take requests"
          hint="On your page, and for people who've opened one of your links."
          checked={values.isOn}
          onChange={(isOn) => form.set('isOn', isOn)}
        />
        <div className="grid items-end gap-4 sm:grid-cols-3">
          <Field label="Minimum price, $" inputMode="decimal" maxLength={10} {...form.text('dollars')} />
          <Field label="Days to deliver" inputMode="numeric" maxLength={2} {...form.text('days')} />
          <Field label="Maximum in progress" inputMode="numeric" maxLength={2} {...form.text('mostOpen')} />
        </div>
        <PriceList items={values.items} onChange={(items) => form.set('items', items)} />
        <Textarea
          label="What you don't do (optional)"
          maxLength={longestWords}
          value={values.wontDo}
          onChange={(event) => form.set('wontDo', event.target.value)}
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

/** What they make at a fixed price. */
function PriceList({ items, onChange }: { items: readonly Item[]; onChange: (items: Item[]) => void }) {
  const change = (key: number, more: Partial<Item>) =>
    onChange(items.map((item) => (item.key === key ? { ...item, ...more } : item)));
  const nextKey = Math.max(-1, ...items.map(({ key }) => key)) + 1;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">Fixed prices (optional)</legend>
      {items.map(({ key, title, dollars }, n) => (
        <div key={key} className="grid grid-cols-[1fr_6rem_auto] items-end gap-2">
          <Field
            label={`Title ${n + 1}`}
            maxLength={80}
            value={title}
            onChange={({ target }) => change(key, { title: target.value })}
          />
          <Field
            label="Price, $"
            inputMode="decimal"
            maxLength={10}
            value={dollars}
            onChange={({ target }) => change(key, { dollars: target.value })}
          />
          <IconButton
            icon={X}
            label={`Remove ${title || `title ${n + 1}`}`}
            onClick={() => onChange(items.filter((item) => item.key !== key))}
          />
        </div>
      ))}
      {items.length < mostPriceItems && (
        <Button
          type="button"
          variant="bare"
          icon={Plus}
          className="-ml-2.5 justify-self-start"
          onClick={() => onChange([...items, { key: nextKey, title: '', dollars: '' }])}
        >
          Add a fixed price
        </Button>
      )}
    </fieldset>
  );
}
