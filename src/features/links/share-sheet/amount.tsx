import { useState } from 'react';
import { leastCents } from '#features/orders/rules.ts';
import { readCents } from '#kit/cents.ts';
import { formatPrice } from '#kit/text.ts';
import { Chips } from '#ui/forms/chips.tsx';
import { Field } from '#ui/forms/field.tsx';
import { describeRange } from '../rules.ts';

interface AmountProps {
  label: string;
  /** Without it. */
  none: string;
  presets: readonly number[];
  most: number;
  value: number | undefined;
  onChange: (cents: number | undefined) => void;
  /** When a typed amount is taken: with each key, or once it is all there. */
  takes?: 'keys' | 'whole';
}

/** None, one of the usual amounts, or any other between the least and the most. */
export function Amount({ label, none, presets, most, value, onChange, takes = 'keys' }: AmountProps) {
  const usual = presets.filter((cents) => cents <= most);
  const [isOther, setOther] = useState(value !== undefined && !usual.includes(value));
  const [dollars, setDollars] = useState(isOther && value !== undefined ? String(value / 100) : '');
  const pick = (chosen: string) => {
    setOther(chosen === 'other');
    if (chosen !== 'other') onChange(chosen === 'none' ? undefined : Number(chosen));
  };
  const isIn = (cents: number) => cents >= leastCents && cents <= most;
  const take = (typed: string) => {
    const cents = readCents(typed);
    if (isIn(cents) && cents !== value) onChange(cents);
  };
  const type = (typed: string) => {
    setDollars(typed);
    if (takes === 'keys') take(typed);
  };
  const isWrong = dollars !== '' && !isIn(readCents(dollars));
  return (
    <div className="grid gap-1.5">
      <p aria-hidden="true" className="font-medium">
        {label}
      </p>
      <Chips
        label={label}
        options={[
          { value: 'none', label: none },
          ...usual.map((amount) => ({ value: String(amount), label: formatPrice(amount) })),
          { value: 'other', label: 'Other' },
        ]}
        value={isOther ? 'other' : String(value ?? 'none')}
        onChange={pick}
      />
      {isOther && (
        <Field
          label={`${label}, $`}
          inputMode="decimal"
          autoComplete="off"
          maxLength={10}
          value={dollars}
          error={isWrong ? describeRange(leastCents, most) : undefined}
          onChange={(event) => type(event.target.value)}
          onBlur={() => take(dollars)}
          onKeyDown={({ key }) => key === 'Enter' && take(dollars)}
        />
      )}
    </div>
  );
}
