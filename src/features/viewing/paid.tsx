import { Link, useSearchParams } from 'react-router';
import { tellTerm } from '#features/money/fan-rules.ts';
import { refundPromise, renewalTerms } from '#features/notices/refund-promise.ts';
import { formatPrice, isolate } from '#kit/text.ts';
import { Brand } from '#ui/brand.tsx';
import { drawButton } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import type { CheckoutStatus } from './sale-contract.ts';
import { useBankQuery } from './use-bank-query.ts';
import { viewing } from './viewing-calls.tsx';

/** What a page says of itself to which a payment leads: nothing that anybody else should find or hear of. */
export const metaOfPaid = (title: string) => [
  { title: `${title} · PrivateFans` },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
];

/** Back from paying. Everything on it comes from the server; the address carries a reference and no trust. */
export function Paid() {
  const [search] = useSearchParams();
  const sessionId = search.get('session_id') ?? '';
  const { query, isOver } = useBankQuery(
    viewing.checkoutStatus.queryOptions({ input: { sessionId }, enabled: sessionId !== '' }),
  );
  const unknown: CheckoutStatus = { state: 'unknown', isSandbox: false };
  const known = sessionId === '' ? unknown : query.data;
  const status = known?.state === 'processing' && !isOver ? undefined : known;
  return (
    <div className="mx-auto grid min-h-dvh max-w-290 grid-rows-[auto_1fr] px-5 pt-[max(1.25rem,env(safe-area-inset-top))] pb-24 md:pb-16">
      <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center justify-self-start">
        <Brand />
      </Link>
      <main id="main" className="grid place-content-center justify-items-center gap-4 text-center">
        {status === undefined && !query.isLoadingError && (
          <>
            <Spinner className="size-6" />
            <p role="status">Checking your payment…</p>
          </>
        )}
        {status === undefined && query.isLoadingError && (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
        )}
        {status && <Told status={status} />}
      </main>
    </div>
  );
}

interface Words {
  title: string;
  text: string;
}

function wordsOf(status: CheckoutStatus): Words {
  const { state, amountCents = 0, currency = 'usd' } = status;
  const amount = formatPrice(amountCents, currency.toUpperCase());
  switch (state) {
    case 'done':
      return wordsOfDone(status, amount);
    case 'processing':
      return {
        title: 'Your bank is taking longer',
        text: "We'll email you as soon as it's done. You can close this page.",
      };
    case 'failed':
      return { title: "This payment didn't go through", text: 'Nothing was charged.' };
    case 'on_hold':
      return { title: 'Access is on hold', text: `Your payment of ${amount} is disputed with your bank.` };
    case 'returned':
      return { title: 'This payment was returned', text: `${amount} went back to your card, or is on its way.` };
    default:
      return {
        title: 'Check your email',
        text: "We don't know this payment. If you paid, your receipt is in your inbox.",
      };
  }
}

function wordsOfDone({ kind, months = 1, creatorName = '', email, span }: CheckoutStatus, amount: string): Words {
  const receipt = email === undefined ? '' : ` Receipt sent to ${email}.`;
  if (kind === 'tip') return { title: 'Thank you!', text: `${amount} tip sent to ${isolate(creatorName)}.${receipt}` };
  if (kind === 'fan_sub')
    return {
      title: "You're subscribed",
      text: `${tellTerm(amount, months)} to ${isolate(creatorName)}, until you cancel.${receipt}`,
    };
  const time = span === undefined ? 'No time limit.' : `You can view it for ${span} after you first open it.`;
  return { title: "It's yours to view", text: `${time}${receipt}` };
}

function rulesOf({ kind }: CheckoutStatus): string {
  if (kind === 'tip') return '';
  if (kind !== 'fan_sub') return `${refundPromise} `;
  return `${renewalTerms} `;
}

function Told({ status }: { status: CheckoutStatus }) {
  const { title, text } = wordsOf(status);
  const { state, kind, viewPath, pagePath, receiptPath, thanks, isSandbox } = status;
  const open = kind === 'tip' ? 'Open album' : 'Open now';
  // A subscription that was begun at no link opens from the list of what was paid for.
  const isElsewhere = kind === 'fan_sub' && viewPath === undefined && state === 'done';
  return (
    <>
      <h1 className="text-38">{title}</h1>
      <p className="max-w-96 text-balance wrap-anywhere text-quiet" role="status">
        {text}
      </p>
      {thanks !== undefined && <p className="max-w-96 text-balance wrap-anywhere">{`“${isolate(thanks)}”`}</p>}
      {viewPath !== undefined && (state === 'done' || state === 'failed') && (
        // The viewer app is a page of its own: it is gone to, not turned to.
        <a href={viewPath} className={drawButton({ size: 'large' }, 'mt-2 min-w-55')}>
          {state === 'failed' ? 'Try again' : open}
        </a>
      )}
      {state === 'unknown' && (
        <ButtonLink to="/find-my-purchases" variant="outline" className="mt-2">
          Find my purchases
        </ButtonLink>
      )}
      {isElsewhere && (
        <ButtonLink to="/my" size="large" className="mt-2 min-w-55">
          My purchases
        </ButtonLink>
      )}
      {pagePath !== undefined && state !== 'processing' && (
        <a href={pagePath} className={drawButton({ size: 'large' }, 'mt-2 min-w-55')}>
          {state === 'failed' ? 'Try again' : 'Back to the page'}
        </a>
      )}
      {receiptPath !== undefined && (
        <ButtonLink to={receiptPath} variant="bare">
          Show receipt
        </ButtonLink>
      )}
      {state === 'done' && (viewPath !== undefined || pagePath !== undefined) && (
        <ButtonLink to="/my" variant="bare">
          My purchases
        </ButtonLink>
      )}
      {state === 'done' && (
        <p className="max-w-96 text-13 text-balance text-quiet">
          {`${rulesOf(status)}${isSandbox ? 'Test payments, no real money.' : 'Your card statement will show PF DIGITAL.'}`}
        </p>
      )}
    </>
  );
}
