import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { fans, money } from '#features/money/money-calls.tsx';
import { useKeptPercent } from '#features/money/use-kept-percent.tsx';
import { mostTipCents, pricePresetsCents, tipPresetsCents } from '#features/orders/rules.ts';
import type { PriceLimits } from '#features/payouts/rules.ts';
import { formatCount, formatPrice } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chips } from '#ui/forms/chips.tsx';
import type { LinkRulesInput } from '../contract.ts';
import { describePrice } from '../link-texts.ts';
import { mostConditions, offersOf, type Ways, waysOf } from '../offers/offer-rules.ts';
import { Amount } from './amount.tsx';
import { describeAsked, type SheetTier } from './asked-words.ts';
import { Word } from './sentence-part.tsx';
import { SubscribersPart } from './subscribers-part.tsx';

/** Whether a link may ask for money – not on this installation, not before its creator can be paid, not any more, or now – and how much. */
export interface SaleState {
  state: 'off' | 'unready' | 'closed' | 'ready';
  mostPriceCents: number;
  /** While they are new: what they may ask for later. */
  later: PriceLimits['later'];
  /** What they offer to subscribers. */
  tiers: readonly SheetTier[];
  /** An album of the link takes tips. */
  takesTips: boolean;
  /** It is still being asked. */
  isPending: boolean;
}

export const noSale: SaleState = {
  state: 'off',
  mostPriceCents: 0,
  later: null,
  tiers: [],
  takesTips: true,
  isPending: false,
};

/** As far as it is known; nothing is offered before. */
export function useSale(): SaleState {
  const { data, isLoading } = useQuery(money.account.queryOptions({ input: {} }));
  const isReady = data?.account === 'complete';
  const unready = data?.account === 'closed' ? 'closed' : 'unready';
  const tiers = useQuery(fans.tiers.queryOptions({ input: {}, enabled: isReady })).data?.tiers ?? [];
  if (data === undefined || data.account === 'off') return { ...noSale, isPending: isLoading };
  return {
    ...noSale,
    state: isReady ? 'ready' : unready,
    mostPriceCents: data.mostPriceCents,
    later: data.later,
    tiers: tiers.filter(({ isOffered }) => isOffered),
  };
}

interface PriceProps {
  rules: LinkRulesInput;
  onChange: (change: Partial<LinkRulesInput>) => void;
  sale: SaleState;
}

/** "free", "$15", "asking me first", "$15, or $9.99 a month": what opens the link, the price first. */
export function PriceWord({ rules, onChange, sale }: PriceProps) {
  const ways = waysOf(rules.offers);
  const said = ways === undefined ? describePrice(rules) : describeAsked(ways, sale.tiers);
  const choose = (changed: Partial<Ways>) => onChange({ offers: offersOf({ ...ways, ...changed }) });
  return (
    <Word word={said} title="What opens it">
      {(close) =>
        ways === undefined ? (
          <Unsaid onReset={() => onChange({ offers: offersOf({}) })} />
        ) : (
          <>
            <Approval ways={ways} onChange={choose} />
            {sale.state === 'ready' && <Money ways={ways} onChange={choose} sale={sale} />}
            {(sale.state === 'unready' || sale.state === 'closed') && <NoSaleYet isClosed={sale.state === 'closed'} />}
            <Button variant="outline" onClick={close}>
              Done
            </Button>
          </>
        )
      }
    </Word>
  );
}

/** Ways in that were made elsewhere, by a program: the sheet can only begin again. */
function Unsaid({ onReset }: { onReset: () => void }) {
  return (
    <>
      <p className="text-13 text-quiet">These ways in were made elsewhere and can't be changed word by word.</p>
      <Button variant="outline" onClick={onReset}>
        Begin with a free link
      </Button>
    </>
  );
}

interface WaysProps {
  ways: Ways;
  onChange: (changed: Partial<Ways>) => void;
}

/** Whether the creator is asked: never, before anything else, or by whoever does not pay. */
function Approval({ ways, onChange }: WaysProps) {
  const isForSale = countAsked(ways) > 0;
  const options = [
    { value: 'no', label: "Don't ask me" },
    { value: 'first', label: 'Ask me first' },
    ...(isForSale ? [{ value: 'instead', label: 'Pay or ask me' }] : []),
  ];
  return (
    <div className="grid gap-1.5">
      <p aria-hidden="true" className="font-medium">
        Your yes
      </p>
      <Chips
        label="Your yes"
        options={options}
        value={ways.approval ?? 'no'}
        onChange={(value) => onChange({ approval: value === 'no' ? undefined : (value as 'first' | 'instead') })}
      />
    </div>
  );
}

const countAsked = ({ priceCents, tipCents, tierIds }: Ways): number =>
  [priceCents, tipCents, tierIds].filter((one) => one !== undefined).length;

/** A price, a tip, a subscription; where there are several, whether any or all of them open it. */
function Money({ ways, onChange, sale }: WaysProps & { sale: SaleState }) {
  const keptPercent = useKeptPercent();
  const { isAll = false } = ways;
  const count = countAsked(ways);
  const isTooMany = count + (ways.approval === 'first' ? 1 : 0) > mostConditions;
  return (
    <>
      <Amount
        label="Pay to open"
        none="No price"
        presets={pricePresetsCents}
        most={sale.mostPriceCents}
        value={ways.priceCents}
        onChange={(cents) => onChange({ priceCents: cents })}
      />
      {sale.later && (
        <p className="text-13 text-quiet">
          {`Up to ${formatPrice(sale.mostPriceCents)} until you have been here for ${formatCount(sale.later.days, 'day')} and made ${formatCount(sale.later.sales, 'sale')} without a dispute. Then up to ${formatPrice(sale.later.mostCents)}.`}
        </p>
      )}
      {(sale.takesTips || ways.tipCents !== undefined) && (
        <Amount
          label="Tip to open"
          none="No tip"
          presets={tipPresetsCents}
          most={mostTipCents}
          value={ways.tipCents}
          onChange={(cents) => onChange({ tipCents: cents })}
        />
      )}
      <SubscribersPart tiers={sale.tiers} tierIds={ways.tierIds} onChange={(ids) => onChange({ tierIds: ids })} />
      {count > 1 && (
        <Chips
          label="How many of them"
          options={[
            { value: 'any', label: 'Any of them opens it' },
            ...(isTooMany ? [] : [{ value: 'all', label: 'All of them together' }]),
          ]}
          value={isAll && !isTooMany ? 'all' : 'any'}
          onChange={(value) => onChange({ isAll: value === 'all' })}
        />
      )}
      <p className="text-13 text-quiet">{explain(ways, keptPercent)}</p>
    </>
  );
}

/** Why nothing can be asked for, and where to go. */
export function NoSaleYet({ isClosed }: { isClosed: boolean }) {
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

function explain(ways: Ways, keptPercent: number): string {
  const { approval, isAll = false } = ways;
  const count = countAsked(ways);
  if (count === 0)
    return approval === undefined
      ? 'Free: anyone with the link can open it.'
      : 'Free: whoever has the link asks you, and sees nothing before your yes.';
  const yes = approval === 'first' ? 'They ask you first, and pay only after your yes. ' : '';
  const any =
    count === 1 ? '' : isAll ? 'They are paid one after the other, the price last. ' : 'Each of them opens it. ';
  return `${yes}${any}You get ${keptPercent}% of what is paid; we pay the card fees.`;
}
