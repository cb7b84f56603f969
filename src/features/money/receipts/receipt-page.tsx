import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { describeSold } from '#features/orders/sold-words.ts';
import { AskRefund } from '#features/returns/ask-refund.tsx';
import { formatMoney } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Brand } from '#ui/brand.tsx';
import { drawButton } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { useNow } from '#ui/clock.ts';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Card } from '#ui/layout/card.tsx';
import type { Receipt } from '../contract.ts';
import { money } from '../money-calls.tsx';
import { describeAsking, describeRefunded } from './receipt-words.ts';

export const meta = () => [
  { title: 'Receipt · PrivateFans' },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
];

/** What was paid: to be shown, kept or printed. It opens nothing. */
export default function ReceiptPage() {
  const { code = '' } = useParams();
  const query = useQuery(money.receipt.queryOptions({ input: { code } }));
  return (
    <div className="mx-auto grid min-h-dvh max-w-120 content-start gap-6 px-5 pt-[max(1.25rem,env(safe-area-inset-top))] pb-24">
      <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center justify-self-start">
        <Brand />
      </Link>
      <main id="main" tabIndex={-1} className="grid gap-6 outline-none">
        {query.isPending && <Spinner className="mx-auto my-10 size-6" />}
        {query.isError && (
          <ErrorState title="No such receipt" error={query.error} onRetry={() => void query.refetch()} />
        )}
        {query.data && <Paid receipt={query.data} code={code} onAsked={() => void query.refetch()} />}
      </main>
    </div>
  );
}

interface PaidProps {
  receipt: Receipt;
  code: string;
  onAsked: () => void;
}

function Paid({ receipt, code, onAsked }: PaidProps) {
  const now = useNow();
  const {
    kind,
    isOnPage,
    number,
    at,
    creatorName,
    amountCents,
    refundedCents,
    currency,
    email,
    asking,
    terms,
    isSandbox,
    statementDescriptor,
  } = receipt;
  const refunded = describeRefunded(receipt);
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  return (
    <>
      <header>
        <p className="text-quiet">{`Receipt no. ${number}`}</p>
        <h1 className="text-38 tabular-nums">{format(amountCents)}</h1>
        {refundedCents > 0 && <p className="mt-1 text-rust">{`${format(refundedCents)} refunded`}</p>}
      </header>
      <Card className="grid gap-3">
        <Line label="For">{describeSold(kind, creatorName)}</Line>
        <Line label="Paid">{formatMoment(at, now)}</Line>
        {email !== null && <Line label="Email">{email}</Line>}
        <Line label="Card statement">{statementDescriptor}</Line>
      </Card>
      <div className="flex flex-wrap items-center gap-3">
        <a
          href={`/api/money/receipts/${encodeURIComponent(code)}/receipt.pdf`}
          download
          className={drawButton({ variant: 'outline' })}
        >
          <Download />
          <span>Save as PDF</span>
        </a>
        {refundedCents < amountCents && !isOnPage && (
          <ButtonLink to="/find-my-purchases" variant="outline">
            Open it in another browser
          </ButtonLink>
        )}
        {(asking === 'refund' || asking === 'complaint') && (
          <AskRefund code={code} kind={kind} isComplaint={asking === 'complaint'} onAsked={onAsked} />
        )}
      </div>
      {refunded !== undefined && <p className="font-medium">{refunded}</p>}
      {describeAsking[asking] !== undefined && <p className="font-medium">{describeAsking[asking]}</p>}
      <p className="text-13 text-quiet">{isSandbox ? 'This was a test payment: no real money was taken.' : terms}</p>
    </>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p className="flex justify-between gap-4">
      <span className="text-quiet">{label}</span>
      <span className="min-w-0 text-right wrap-break-word">{children}</span>
    </p>
  );
}
