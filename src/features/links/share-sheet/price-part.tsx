import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { fans, money } from '#features/money/money-calls.tsx';
import { useKeptPercent } from '#features/money/use-kept-percent.tsx';
import { leastCents, mostTipCents, pricePresetsCents, tipPresetsCents } from '#features/orders/rules.ts';
import type { PriceLimits } from '#features/payouts/rules.ts';
import { readCents } from '#kit/cents.ts';
import { formatCount, formatPrice } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chips } from '#ui/forms/chips.tsx';
import { Field } from '#ui/forms/field.tsx';
import type { LinkRulesInput } from '../contract.ts';
import { offersOf, pricesOf, tellRange, tiersOf, tipsOf } from '../rules.ts';
import { type Asked, type SheetTier, tellAsked } from './asked-words.ts';
import { Word } from './sentence-part.tsx';
import { SubscribersPart } from './subscribers-part.tsx';

/** Whether a link may ask for money – not on this installation, not before its creator can be paid, not any more, or now – and how much. */
export interface SaleState {
  state: 'off' | 'unready' | 'closed' | 'ready';
  mostPriceCents: number;
  /** While she is new: what she may ask for later. */
  later: PriceLimits['later'];
  /** What she offers to subscribers. */
  tiers: readonly SheetTier[];
}

export const noSale: SaleState = { state: 'off', mostPriceCents: 0, later: null, tiers: [] };

/** As far as it is known; nothing is offered before. */
export function useSale(): SaleState {
  const { data } = useQuery(money.account.queryOptions({ input: {} }));
  const isReady = data?.account === 'complete';
  const unready = data?.account === 'closed' ? 'closed' : 'unready';
  const tiers = useQuery(fans.tiers.queryOptions({ input: {}, enabled: isReady })).data?.tiers ?? [];
  if (data === undefined || data.account === 'off') return noSale;
  return {
    ...{ state: isReady ? 'ready' : unready, mostPriceCents: data.mostPriceCents, later: data.later },
    tiers: tiers.filter(({ isOffered }) => isOffered),
  };
}

interface PriceProps {
  rules: LinkRulesInput;
  onChange: (change: Partial<LinkRulesInput>) => void;
  sale: SaleState;
}

/** "free", "$15", "$10 or more as a tip", "$9.99 a month", or any of them: what opens the link, the price first. */
export function PriceWord({ rules, onChange, sale }: PriceProps) {
  const keptPercent = useKeptPercent();
  const [priceCents] = pricesOf(rules);
  const [tipCents] = tipsOf(rules);
  const tierIds = tiersOf(rules);
  const asked: Asked = { priceCents, tipCents, tierIds };
  const choose = (changed: Asked) => onChange({ offers: offersOf({ ...asked, ...changed }) });
  return (
    <Word word={tellAsked(asked, sale.tiers)} title="What it costs">
      {(close) =>
        sale.state === 'ready' ? (
          <>
            <Amount
              label="Pay to open"
              none="No price"
              presets={pricePresetsCents}
              most={sale.mostPriceCents}
              value={priceCents}
              onChange={(cents) => choose({ priceCents: cents })}
            />
            {sale.later && (
              <p className="text-13 text-quiet">
                {`Up to ${formatPrice(sale.mostPriceCents)} until you have been here for ${formatCount(sale.later.days, 'day')} and made ${formatCount(sale.later.sales, 'sale')} without a dispute. Then up to ${formatPrice(sale.later.mostCents)}.`}
              </p>
            )}
            <Amount
              label="Tip to open"
              none="No tip"
              presets={tipPresetsCents}
              most={mostTipCents}
              value={tipCents}
              onChange={(cents) => choose({ tipCents: cents })}
            />
            <SubscribersPart tiers={sale.tiers} tierIds={tierIds} onChange={(ids) => choose({ tierIds: ids })} />
            <p className="text-13 text-quiet">{explain(asked, keptPercent)}</p>
            <Button variant="outline" onClick={close}>
              Done
            </Button>
          </>
        ) : (
          <NotYet isClosed={sale.state === 'closed'} />
        )
      }
    </Word>
  );
}

/** Why nothing can be asked for, and where to go. */
function NotYet({ isClosed }: { isClosed: boolean }) {
  const [before, to, name, after] = isClosed
    ? (["Your payout account was closed, so you can't ask for money. ", '/contact', 'Write to support', '.'] as const)
    : (['To ask for money, ', '/earnings', 'connect payouts', ' first.'] as const);
  return (
    <p className="text-13 text-quiet">
      <span>{before}</span>
      <Link to={to} className="underline">
        {name}
      </Link>
      <span>{after}</span>
    </p>
  );
}

function explain(asked: Asked, keptPercent: number): string {
  const ways = Object.values(asked).filter((way) => way !== undefined).length;
  if (ways === 0) return 'Free: anyone with the link can open it.';
  const any = ways === 1 ? '' : ways === 2 ? 'Either of the two opens it. ' : 'Any of the three opens it. ';
  return `${any}You get ${keptPercent}% of what is paid; we pay the card fees.`;
}

interface AmountProps {
  label: string;
  /** Without it. */
  none: string;
  presets: readonly number[];
  most: number;
  value: number | undefined;
  onChange: (cents: number | undefined) => void;
}

/** None, one of the usual amounts, or any other between the least and the most. */
function Amount({ label, none, presets, most, value, onChange }: AmountProps) {
  const usual = presets.filter((cents) => cents <= most);
  const [isOther, setOther] = useState(value !== undefined && !usual.includes(value));
  const [dollars, setDollars] = useState(isOther && value !== undefined ? String(value / 100) : '');
  const pick = (chosen: string) => {
    setOther(chosen === 'other');
    if (chosen !== 'other') onChange(chosen === 'none' ? undefined : Number(chosen));
  };
  const type = (typed: string) => {
    setDollars(typed);
    const cents = readCents(typed);
    if (cents >= leastCents && cents <= most) onChange(cents);
  };
  const cents = readCents(dollars);
  const isWrong = dollars !== '' && !(cents >= leastCents && cents <= most);
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
          error={isWrong ? tellRange(leastCents, most) : undefined}
          onChange={(event) => type(event.target.value)}
        />
      )}
    </div>
  );
}
