import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { describeSold } from '#features/orders/sold-words.ts';
import { formatMoney, isolate } from '#kit/text.ts';
import { formatDate, formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { toast } from '#ui/feedback/toast.ts';
import { List, Row } from '#ui/layout/list.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { MyAccess } from './recovery/my-access-contract.ts';
import type { Purchase } from './sale-contract.ts';
import { viewing } from './viewing-calls.tsx';

/** Returns what was paid for once in this browser, or with the address that it has proven. */
export const usePurchases = () => useQuery(viewing.purchases.queryOptions({ input: {} }));

export function MyPurchases({ rows }: { rows: readonly Purchase[] }) {
  return (
    <List label="My purchases">
      {rows.map((purchase) => (
        <li key={purchase.orderId}>
          <PurchaseLine purchase={purchase} />
        </li>
      ))}
    </List>
  );
}

const marks: Readonly<Record<Exclude<Purchase['state'], 'open' | 'sent'>, string>> = {
  on_hold: 'On hold',
  returned: 'Refunded',
  ended: 'Access ended',
};

/** A receipt is also where the money is asked for. */
const receiptWords: Readonly<Partial<Record<Purchase['asking'], string>>> = {
  refund: 'Receipt and refund',
  complaint: 'Receipt and complaint',
  asked: 'Receipt · refund requested',
};

function PurchaseLine({ purchase }: { purchase: Purchase }) {
  const now = useNow();
  const { orderId, kind, creatorName, at, amountCents, refundedCents, currency, state, receiptPath, asking } = purchase;
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  const open = useWrite(
    viewing.openPurchase.mutationOptions({
      // The viewer app is a page of its own: it is gone to, not turned to.
      onSuccess: ({ viewPath }) => location.assign(viewPath),
      onError: ({ message }) => toast.error({ title: "Couldn't open it", message }),
    }),
  );
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const isPart = (state === 'open' || state === 'sent') && refundedCents > 0;
  return (
    <Row
      title={describeSold(kind, creatorName)}
      mark={
        state === 'open' || state === 'sent' ? undefined : (
          <Chip>{asking === 'charged_back' ? 'Returned by your bank' : marks[state]}</Chip>
        )
      }
      quiet={`${format(amountCents)} · ${formatDate(at, now)}${isPart ? ` · ${format(refundedCents)} refunded` : ''}`}
      story={
        receiptPath === null ? undefined : (
          <Link to={receiptPath} className="-mb-2 inline-flex min-h-11 items-center font-medium text-plum">
            {receiptWords[asking] ?? 'Receipt'}
          </Link>
        )
      }
      end={
        state === 'open' ? (
          <Button busy={open.isPending || open.isSuccess} onClick={() => open.mutate({ orderId, timeZone })}>
            Open
          </Button>
        ) : undefined
      }
    />
  );
}

/** Returns what was asked for in this browser, or with the address that it has proven. */
export const useAccesses = () => useQuery(viewing.accesses.queryOptions({ input: {} }));

/** What creators were asked to open, and what they have opened. */
export function MyAccesses({ rows }: { rows: readonly MyAccess[] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h2 className="-mb-3 text-21">Access</h2>
      <List label="My access">
        {rows.map((row) => (
          <li key={row.requestId}>
            <AccessLine row={row} />
          </li>
        ))}
      </List>
    </>
  );
}

const accessMarks: Readonly<Record<Exclude<MyAccess['state'], 'open'>, string>> = {
  pending: 'Waiting for an answer',
  denied: 'Declined',
  ended: 'Access ended',
};

function AccessLine({ row }: { row: MyAccess }) {
  const now = useNow();
  const { requestId, creatorName, state, at, until, decisionText } = row;
  const open = useWrite(
    viewing.openAccess.mutationOptions({
      // The viewer app is a page of its own: it is gone to, not turned to.
      onSuccess: ({ viewPath }) => location.assign(viewPath),
      onError: ({ message }) => toast.error({ title: "Couldn't open it", message }),
    }),
  );
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const end = until === null ? '' : ` · open until ${formatMoment(until, now)}`;
  return (
    <Row
      title={`Private album by ${isolate(creatorName)}`}
      mark={
        state === 'open' ? undefined : <Chip tone={state === 'pending' ? 'ember' : 'plain'}>{accessMarks[state]}</Chip>
      }
      quiet={`Asked ${formatDate(at, now)}${end}`}
      story={decisionText === '' ? undefined : `“${isolate(decisionText)}”`}
      end={
        state === 'open' ? (
          <Button busy={open.isPending || open.isSuccess} onClick={() => open.mutate({ requestId, timeZone })}>
            Open
          </Button>
        ) : undefined
      }
    />
  );
}
