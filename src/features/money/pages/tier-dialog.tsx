import { useQueryClient } from '@tanstack/react-query';
import { AlbumFinder } from '#features/albums/album-finder.tsx';
import { leastTierCents, longerMonths, mostTierCents } from '#features/orders/fan-rules.ts';
import { splitMonth } from '#features/orders/split-rules.ts';
import { readCents } from '#kit/cents.ts';
import { formatMoney, formatPrice } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { FormError, useForm } from '#ui/forms/use-form.tsx';
import { type Tier, TierInput } from '../fans/fans-contract.ts';
import { fans } from '../money-calls.tsx';
import { useKeptPercent } from '../use-kept-percent.tsx';
import { LongerTerms, offOf, offRange, offsOf, typedOf } from './longer-terms.tsx';

const range = `Choose between ${formatPrice(leastTierCents)} and ${formatPrice(mostTierCents)}.`;
const isInRange = (cents: number) => cents >= leastTierCents && cents <= mostTierCents;

const reaches = [
  { value: 'all', label: 'Everything I add' },
  { value: 'some', label: 'Some albums' },
] as const;

const describeShare = (cents: number, feePercent: number) =>
  `You get ${formatMoney(splitMonth(cents, feePercent).shareCents)} of each month.`;

const initialOf = (tier: Tier | undefined) => ({
  name: tier?.name ?? '',
  dollars: tier === undefined ? '10.00' : (tier.priceCents / 100).toFixed(2),
  // What is sent is in cents; what is typed need not be a number yet.
  priceCents: tier?.priceCents ?? 1000,
  off3: tier?.off3 ?? null,
  off6: tier?.off6 ?? null,
  off12: tier?.off12 ?? null,
  offTyped: { 3: typedOf(tier?.off3), 6: typedOf(tier?.off6), 12: typedOf(tier?.off12) },
  benefits: tier?.benefits ?? '',
  reach: (tier === undefined || tier.allFuture ? 'all' : 'some') as 'all' | 'some',
  albumIds: tier?.albums.map(({ id }) => id) ?? [],
});

function useTierForm(tier: Tier | undefined, onSaved: () => void) {
  const queries = useQueryClient();
  const form = useForm({
    shape: TierInput,
    initial: initialOf(tier),
    async send(input) {
      const { reach, dollars, offTyped } = form.values;
      const priceCents = readCents(dollars);
      if (!isInRange(priceCents)) throw new FormError(range);
      if (longerMonths.some((months) => offOf(offTyped[months]) === undefined)) throw new FormError(offRange);
      if (reach === 'some' && input.albumIds.length === 0) throw new FormError('Choose at least one album.');
      const off = offsOf(offTyped);
      const params = { ...input, ...off, priceCents, albumIds: reach === 'all' ? [] : input.albumIds };
      await (tier === undefined ? fans.createTier.call(params) : fans.changeTier.call({ ...params, tierId: tier.id }));
      await queries.invalidateQueries({ queryKey: fans.tiers.key() });
      onSaved();
    },
  });
  return form;
}

/** Makes a tier, or changes one. */
export function TierDialog({ tier, onClose }: { tier: Tier | undefined; onClose: () => void }) {
  const feePercent = 100 - useKeptPercent();
  const form = useTierForm(tier, onClose);
  const { dollars, reach, albumIds } = form.values;
  const cents = readCents(dollars);
  const toggle = (id: string, isChosen: boolean) =>
    form.set('albumIds', isChosen ? [...albumIds, id] : albumIds.filter((one) => one !== id));
  return (
    <Dialog open onClose={onClose} title={tier === undefined ? 'New tier' : 'Edit tier'}>
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <Field label="Name" maxLength={40} autoComplete="off" {...form.text('name')} />
        <Field
          label="Price a month, $"
          inputMode="decimal"
          autoComplete="off"
          maxLength={10}
          {...form.text('dollars')}
          error={isInRange(cents) ? undefined : range}
          hint={isInRange(cents) ? describeShare(cents, feePercent) : undefined}
        />
        <LongerTerms
          cents={cents}
          typed={form.values.offTyped}
          onChange={(offTyped) => form.set('offTyped', offTyped)}
        />
        <Textarea
          label="What subscribers get (optional)"
          maxLength={300}
          value={form.values.benefits}
          error={form.faults.benefits}
          onChange={(event) => form.set('benefits', event.target.value)}
        />
        <Segmented
          label="What it opens"
          options={reaches}
          value={reach}
          onChange={(value) => form.set('reach', value)}
        />
        {reach === 'some' && <TierAlbums albumIds={albumIds} onToggle={toggle} />}
        {tier !== undefined && <PriceNote tier={tier} cents={cents} />}
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
        <Button type="submit" busy={form.isBusy}>
          {tier === undefined ? 'Create tier' : 'Save'}
        </Button>
      </form>
    </Dialog>
  );
}

interface TierAlbumsProps {
  albumIds: readonly string[];
  onToggle: (id: string, isChosen: boolean) => void;
}

function TierAlbums({ albumIds, onToggle }: TierAlbumsProps) {
  return (
    <AlbumFinder filter="ready">
      {(found) =>
        found.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={albumIds.includes(id)}
            onChange={(isChosen) => onToggle(id, isChosen)}
          />
        ))
      }
    </AlbumFinder>
  );
}

/** What another price means for those who pay already. */
function PriceNote({ tier: { priceCents, subscribers }, cents }: { tier: Tier; cents: number }) {
  if (subscribers === 0 || cents === priceCents || !isInRange(cents)) return null;
  const who = subscribers === 1 ? 'Your subscriber keeps' : `Your ${subscribers} subscribers keep`;
  const text = cents > priceCents ? ', and is told by email' : '';
  return (
    <p className="text-13 text-quiet">
      {`${who} paying ${formatPrice(priceCents)} until they agree to the new price${text.replace('is', subscribers === 1 ? 'is' : 'are')}. New subscribers pay ${formatPrice(cents)}.`}
    </p>
  );
}
