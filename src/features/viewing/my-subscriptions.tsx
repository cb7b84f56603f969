import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { describeTerm } from '#features/orders/fan-rules.ts';
import { describeSold } from '#features/orders/sold-words.ts';
import { formatMoney, formatPrice, isolate } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { toast } from '#ui/feedback/toast.ts';
import { Card } from '#ui/layout/card.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { Subscription } from './sale-contract.ts';
import { viewing } from './viewing-calls.tsx';

/** What is paid for every month in this browser, or with the address that it has proven. */
export function useSubscriptions() {
  useReturn();
  return useQuery(viewing.subscriptions.queryOptions({ input: {} }));
}

/** Back from giving another card: what is owed was taken from it. */
function useReturn(): void {
  const [search, setSearch] = useSearchParams();
  const queries = useQueryClient();
  const isBack = search.get('card') === 'back';
  const { mutate } = useWrite(
    viewing.checkSubscriptions.mutationOptions({
      onSettled: () => queries.invalidateQueries({ queryKey: viewing.subscriptions.key() }),
    }),
  );
  useEffect(() => {
    if (!isBack) return;
    setSearch({}, { replace: true });
    mutate({});
  }, [isBack, setSearch, mutate]);
}

export function MySubscriptions({ rows }: { rows: readonly Subscription[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="grid gap-3" aria-label="My subscriptions">
      {rows.map((row) => (
        <SubscriptionCard key={row.fanId} row={row} />
      ))}
    </section>
  );
}

type Mark = { tone: 'moss' | 'rust' | 'plain'; words: string };
const marks: Readonly<Record<Subscription['state'], Mark>> = {
  active: { tone: 'moss', words: 'Active' },
  late: { tone: 'rust', words: 'Payment failed' },
  ending: { tone: 'plain', words: 'Ending' },
  on_hold: { tone: 'plain', words: 'On hold' },
  returned: { tone: 'plain', words: 'Refunded' },
  ended: { tone: 'plain', words: 'Ended' },
  shut: { tone: 'plain', words: 'Access ended' },
};

/** No card has failed where nothing can be charged. */
const isUncharged = ({ isUnpayable, renewal }: Subscription): boolean => isUnpayable || renewal === 'stuck';

/** Why its renewal is not paid yet, and when that is tried again. */
function describeLate({ isUnpayable, renewal, stuckUntil, nextAttemptAt }: Subscription, now: Date): string {
  const nextDay = nextAttemptAt === null ? undefined : formatDate(nextAttemptAt, now);
  if (isUnpayable || renewal === 'stuck') {
    const open =
      stuckUntil === null ? 'Everything stays open.' : `Everything stays open until ${formatDate(stuckUntil, now)}.`;
    const why = isUnpayable ? "The creator can't be paid at the moment" : "The bill couldn't be made";
    const again = nextDay === undefined ? ' It is charged as soon as that changes.' : ` We'll try again on ${nextDay}.`;
    return `${open} ${why}, so nothing was charged.${again}`;
  }
  return nextDay === undefined
    ? 'Everything is open for now. Change your card to keep it: the new one is charged at once.'
    : `Everything stays open. We'll try your card again on ${nextDay}. Another card is charged at once.`;
}

function describeRenewal(renewal: Subscription['renewal'], day: string, cardLast4: string | null): string {
  const card = cardLast4 ? ` from your card ending in ${cardLast4}` : '';
  if (renewal === 'soon')
    return `It has just renewed and is paid${card} within the hour. Cancel before that and nothing is charged.`;
  return `Renews on ${day}${card}.`;
}

/** When it renews or ends, in a sentence. */
function describeWhen(row: Subscription, now: Date): string {
  const { state, until, isPass, isStopped, isUnpayable, renewal, cardLast4 } = row;
  const day = until === null ? '' : formatDate(until, now);
  if (isUnpayable || state === 'late') return describeLate(row, now);
  if (state === 'ending')
    return isStopped
      ? `The creator doesn't offer it any more. Open until ${day}, nothing more is charged.`
      : `Open until ${day}, nothing more is charged.`;
  if (state === 'active' && isPass) return day === '' ? 'A free pass.' : `A free pass until ${day}. It doesn't renew.`;
  if (state === 'active') return describeRenewal(renewal, day, cardLast4);
  if (state === 'on_hold') return 'On hold while its payment is disputed.';
  return day === '' ? '' : `Ended on ${day}.`;
}

function SubscriptionCard({ row }: { row: Subscription }) {
  const now = useNow();
  const { creatorName, tierName, months, amountCents, currency, isPass, state, receiptPath } = row;
  const mark: Mark = isUncharged(row) ? { tone: 'plain', words: 'Not charged' } : marks[state];
  const price = isPass ? 'Free' : describeTerm(formatMoney(amountCents, currency.toUpperCase()), months);
  return (
    <Card tone={state === 'late' && !isUncharged(row) ? 'ember' : 'plain'} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="min-w-0 text-17 font-medium wrap-break-word">{describeSold('fan_sub', creatorName)}</h2>
        <Chip tone={mark.tone}>{mark.words}</Chip>
      </div>
      <p className="text-quiet">{`${tierName === '' ? '' : `${isolate(tierName)} · `}${price}`}</p>
      <p>{describeWhen(row, now)}</p>
      <NewPrice row={row} />
      <Ways row={row} />
      {receiptPath !== null && (
        <Link
          to={receiptPath}
          className="-my-2 inline-flex min-h-11 items-center justify-self-start font-medium text-plum"
        >
          Newest receipt
        </Link>
      )}
    </Card>
  );
}

function useChange() {
  const queries = useQueryClient();
  return {
    onError: ({ message }: { message: string }) => toast.error({ title: "That didn't work", message }),
    onSettled: () => queries.invalidateQueries({ queryKey: viewing.subscriptions.key() }),
  };
}

/** What new subscribers pay by now; nobody pays it who has not agreed. */
function NewPrice({ row: { fanId, newPriceCents, months, amountCents, currency } }: { row: Subscription }) {
  const agree = useWrite(viewing.agreeToPrice.mutationOptions(useChange()));
  if (newPriceCents === null) return null;
  const format = (cents: number) => formatPrice(cents, currency.toUpperCase());
  return (
    <div className="grid gap-2 rounded-control bg-paper p-3.5">
      <p>{`New subscribers pay ${describeTerm(format(newPriceCents), months)}. You keep paying ${format(amountCents)} unless you agree.`}</p>
      <Button
        variant="outline"
        className="justify-self-start"
        busy={agree.isPending}
        onClick={() => agree.mutate({ fanId, priceCents: newPriceCents })}
      >
        {`Pay ${format(newPriceCents)} from the next ${months === 1 ? 'month' : 'renewal'}`}
      </Button>
    </div>
  );
}

/** One tap each: open, another card, cancel, keep. */
function Ways({ row }: { row: Subscription }) {
  const { fanId, state, canOpen, isPass, isStopped } = row;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const change = useChange();
  const open = useWrite(
    viewing.openSubscription.mutationOptions({
      // The viewer app is a page of its own: it is gone to, not turned to.
      onSuccess: ({ viewPath }) => location.assign(viewPath),
      onError: ({ message }) => toast.error({ title: "Couldn't open it", message }),
    }),
  );
  const card = useWrite(
    viewing.subscriptionCard.mutationOptions({
      onSuccess: ({ url }) => location.assign(url),
      onError: change.onError,
    }),
  );
  const cancel = useWrite(viewing.cancelSubscription.mutationOptions(change));
  const resume = useWrite(viewing.resumeSubscription.mutationOptions(change));
  const isLate = state === 'late';
  const canCancel = !isPass && (state === 'active' || isLate);
  const canKeep = !isPass && state === 'ending' && !isStopped;
  if (!canOpen && !canCancel && !canKeep) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {isLate && !isUncharged(row) && (
        <Button busy={card.isPending || card.isSuccess} onClick={() => card.mutate({ fanId })}>
          Update your card
        </Button>
      )}
      {canOpen && (
        <Button
          variant={isLate && !isUncharged(row) ? 'outline' : 'primary'}
          busy={open.isPending || open.isSuccess}
          onClick={() => open.mutate({ fanId, timeZone })}
        >
          Open
        </Button>
      )}
      {canKeep && (
        <Button variant="outline" busy={resume.isPending} onClick={() => resume.mutate({ fanId })}>
          Keep it
        </Button>
      )}
      {canCancel && !isLate && (
        <Button variant="bare" busy={card.isPending || card.isSuccess} onClick={() => card.mutate({ fanId })}>
          Change card
        </Button>
      )}
      {canCancel && (
        <Button variant="bare" busy={cancel.isPending} onClick={() => cancel.mutate({ fanId })}>
          Cancel
        </Button>
      )}
    </div>
  );
}
