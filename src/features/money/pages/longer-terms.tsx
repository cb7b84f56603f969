import {
  leastTierCents,
  longerMonths,
  mostAtOnceCents,
  mostOffPercent,
  mostTierCents,
  termCents,
} from '#features/orders/fan-rules.ts';
import { formatPrice } from '#kit/text.ts';
import { Field } from '#ui/forms/field.tsx';

type OffTyped = Readonly<Record<(typeof longerMonths)[number], string>>;

export const offRange = `Choose between 0 and ${mostOffPercent}%.`;
export const typedOf = (off: number | null | undefined): string => (off == null ? '' : String(off));

/** @returns null for a length that is not offered, undefined for what is no such number */
export function offOf(typed: string): number | null | undefined {
  if (typed.trim() === '') return null;
  return /^\d{1,2}$/.test(typed.trim()) && Number(typed) <= mostOffPercent ? Number(typed) : undefined;
}

export const offsOf = (typed: OffTyped) => ({
  off3: offOf(typed[3]) ?? null,
  off6: offOf(typed[6]) ?? null,
  off12: offOf(typed[12]) ?? null,
});

const isInRange = (cents: number) => cents >= leastTierCents && cents <= mostTierCents;

interface LongerProps {
  /** A month. */
  cents: number;
  typed: OffTyped;
  onChange: (typed: OffTyped) => void;
}

/** What is taken off for several months that are paid at once, and what they then cost. */
export function LongerTerms({ cents, typed, onChange }: LongerProps) {
  const price = { priceCents: cents, ...offsOf(typed) };
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-medium">Paid for longer at once, % off (optional)</legend>
      <div className="grid grid-cols-3 gap-3">
        {longerMonths.map((months) => {
          const isOffered = typed[months].trim() !== '';
          const isGood = offOf(typed[months]) !== undefined;
          const total = isOffered && isGood && isInRange(cents) ? termCents(price, months) : undefined;
          const tooMuch = isOffered && isGood && isInRange(cents) && total === undefined;
          return (
            <Field
              key={months}
              label={`${months} months`}
              inputMode="numeric"
              autoComplete="off"
              maxLength={2}
              value={typed[months]}
              onChange={(event) => onChange({ ...typed, [months]: event.target.value })}
              error={isGood ? (tooMuch ? `More than ${formatPrice(mostAtOnceCents)}.` : undefined) : offRange}
              hint={total === undefined ? undefined : formatPrice(total)}
            />
          );
        })}
      </div>
      <p className="text-13 text-quiet">
        Left empty, a length isn't offered. It renews for the same length until they cancel.
      </p>
    </fieldset>
  );
}
