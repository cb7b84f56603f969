import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { money } from '#features/money/money-calls.tsx';
import { leastCents, mostTipCents, tipPresetsCents } from '#features/money/rules.ts';
import { formatPrice } from '#kit/text.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import type { LinkRulesInput } from '../contract.ts';
import { offersOf, tipsOf } from '../rules.ts';
import { Choices, Word } from './sentence-part.tsx';

/** Whether a link may ask for money: not on this installation, not before its creator can be paid, or now. */
export type SaleState = 'off' | 'unready' | 'ready';

/** As far as it is known; nothing is offered before. */
export function useSale(): SaleState {
  const { data } = useQuery(money.account.queryOptions({ input: {} }));
  if (data === undefined || data.account === 'off') return 'off';
  return data.account === 'complete' ? 'ready' : 'unready';
}

interface PriceProps {
  rules: LinkRulesInput;
  onChange: (change: Partial<LinkRulesInput>) => void;
  isReady: boolean;
}

/** "free", "$10 or more as a tip": what opens the link, the price first. */
export function PriceWord({ rules, onChange, isReady }: PriceProps) {
  const [least] = tipsOf(rules);
  const choose = (minCents: number | undefined) => onChange({ offers: offersOf(minCents) });
  const free = { label: 'Free', isOn: least === undefined, pick: () => choose(undefined) };
  const tips = tipPresetsCents.map((cents) => ({
    label: `${formatPrice(cents)} tip or more`,
    isOn: cents === least,
    pick: () => choose(cents),
  }));
  return (
    <Word word={least === undefined ? 'free' : `${formatPrice(least)} or more as a tip`} title="What it costs">
      {(close) => (
        <>
          <Choices choices={isReady ? [free, ...tips] : [free]} close={close} />
          {isReady ? (
            <OtherTip
              onSave={(cents) => {
                choose(cents);
                close();
              }}
            />
          ) : (
            <p className="text-13 text-quiet">
              {'To ask for a tip, '}
              <Link to="/earnings" className="underline">
                connect payouts
              </Link>
              {' first.'}
            </p>
          )}
        </>
      )}
    </Word>
  );
}

/** Any amount between the least and the most. */
function OtherTip({ onSave }: { onSave: (cents: number) => void }) {
  const [dollars, setDollars] = useState('');
  const save = (event: FormEvent) => {
    event.preventDefault();
    onSave(Math.round(Number(dollars) * 100));
  };
  return (
    <form onSubmit={save} className="flex items-end gap-2">
      <Field
        label="Other amount, $"
        type="number"
        inputMode="decimal"
        required
        min={leastCents / 100}
        max={mostTipCents / 100}
        step="0.01"
        className="flex-1"
        value={dollars}
        onChange={(event) => setDollars(event.target.value)}
      />
      <Button type="submit" variant="outline" className="min-h-12" disabled={dollars === ''}>
        Set
      </Button>
    </form>
  );
}
